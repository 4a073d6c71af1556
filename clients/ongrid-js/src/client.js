/**
 * The HTTP interface of a referee, v1. Routes and types are made from its OpenAPI document (`scripts/http`). Every
 * answer that is no success is thrown as `Problem`; a network that is not there as `Offline`. What may be asked again
 * safely is asked again by `patiently`.
 *
 * @import {Operations, ProblemBody} from "./http.js"
 */

import { ROUTES } from "./routes.js";

/** The service said no: a status, a stable `code`, a sentence that may be shown. */
export class Problem extends Error {
  /** @param {number} status @param {ProblemBody} body @param {number | null} retryAfter seconds */
  constructor(status, body, retryAfter) {
    super(body.detail);
    this.name = "Problem";
    this.status = status;
    this.code = body.code;
    this.body = body;
    this.retryAfter = retryAfter;
  }

  /** Whether it passes by itself: too many requests, or the service cannot do it now. */
  get passes() {
    return this.status === 429 || this.status >= 500;
  }
}

/** The service could not be reached. Whether the request arrived is not known; all requests here may be repeated. */
export class Offline extends Error {
  /** @param {unknown} cause */
  constructor(cause) {
    super("the service cannot be reached", { cause });
    this.name = "Offline";
  }
}

/** A referee's HTTP interface. */
export class Client {
  /**
   * @param {{url?: string, token?: string | null, fetch?: typeof fetch}} [options] `url` is the service's own address;
   *   a token goes into the Authorization header and nowhere else
   */
  constructor({ url = "", token = null, fetch = globalThis.fetch.bind(globalThis) } = {}) {
    this.url = url;
    this.token = token;
    this.fetch = fetch;
  }

  /**
   * Asks for any operation of the interface by its name: `client.ask("of_day", { path: { day }, query: { limit: 10 } })`.
   * A body that is text is sent as it is, an object as JSON.
   * @template {keyof Operations} K
   * @param {K} operation @param {Omit<Operations[K], "answer">} [asked] @returns {Promise<Operations[K]["answer"]>}
   */
  async ask(operation, asked) {
    const [method, route] = ROUTES[operation];
    const { path = {}, query = {}, body } = /** @type {{path?: object, query?: object, body?: string | object}} */ (asked ?? {});
    const named = new Map(Object.entries(path));
    const address = route.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(named.get(name)));
    const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined)).toString();
    return this.#send(method, search ? `${address}?${search}` : address, body);
  }

  /** @param {string} method @param {string} path @param {string | object} [body] */
  async #send(method, path, body) {
    /** @type {Record<string, string>} */
    const headers = { accept: "application/json" };
    if (this.token) headers.authorization = `Bearer ${this.token}`;
    if (body !== undefined) headers["content-type"] = "application/json";
    const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
    let response;
    let answer;
    try {
      response = await this.fetch(this.url + path, { method, headers, body: text });
      answer = await response.text();
    } catch (cause) {
      throw new Offline(cause);
    }
    if (!response.ok) throw problemOf(response, answer);
    return answer === "" ? null : JSON.parse(answer);
  }

  /** Today: doctrine, policy, when it closes. */
  today() {
    return this.ask("current");
  }

  /** The engines of the service and the digests of their data. */
  rulesets() {
    return this.ask("list");
  }

  /** The board of a day. @param {string} day @param {Operations["of_day"]["query"]} [query] */
  board(day, query) {
    return this.ask("of_day", { path: { day }, query });
  }

  /** Verifies a replay and stores nothing. @param {string | object} replay */
  verify(replay) {
    return this.ask("verify", { body: replay });
  }

  /**
   * Freezes a setup and gets the seed. With the same setup an attempt that is open is answered again.
   * @param {Operations["issue"]["body"]} setup without `fleet`: the standard issue
   */
  issue(setup) {
    return this.ask("issue", { body: setup });
  }

  /** An attempt of the pilot's own. @param {string} id */
  attempt(id) {
    return this.ask("attempt", { path: { id } });
  }

  /** Submits the replay of an attempt; the same replay again gets the same verdict. @param {string} attempt @param {string | object} replay */
  submit(attempt, replay) {
    return this.ask("submit_replay", { path: { id: attempt }, body: replay });
  }
}

/** @param {Response} response @param {string} answer */
function problemOf(response, answer) {
  const seconds = Number(response.headers.get("retry-after"));
  let body;
  try {
    body = JSON.parse(answer);
  } catch {
    // Something between here and the service answered.
    const detail = `the service answered ${response.status} without saying why`;
    body = { type: "", title: response.statusText, status: response.status, code: "unreadable", detail };
  }
  return new Problem(response.status, body, seconds > 0 ? seconds : null);
}

/**
 * Asks until there is an answer or a "no" that does not pass by itself. Waits longer each time, at most a minute, and
 * not at all once the network is said to be back.
 * @template T
 * @param {() => Promise<T>} ask
 * @param {{onWait?: (reason: Error, seconds: number) => void, signal?: AbortSignal, first?: number}} [options]
 * @returns {Promise<T>}
 */
export async function patiently(ask, { onWait, signal, first = 1 } = {}) {
  for (let wait = first; ; wait = Math.min(wait * 2, 60)) {
    try {
      return await ask();
    } catch (error) {
      const passes = error instanceof Offline || (error instanceof Problem && error.passes);
      if (!passes) throw error;
      const seconds = Math.max(wait, (error instanceof Problem && error.retryAfter) || 0);
      onWait?.(error, seconds);
      await pause(seconds, signal);
    }
  }
}

/** Waits some seconds, or until the browser says that it is online again. @param {number} seconds @param {AbortSignal} [signal] */
function pause(seconds, signal) {
  return new Promise((resolve, reject) => {
    const done = () => {
      clearTimeout(timer);
      globalThis.removeEventListener?.("online", done);
      signal?.removeEventListener("abort", done);
      if (signal?.aborted) reject(signal.reason);
      else resolve(undefined);
    };
    const timer = setTimeout(done, seconds * 1000);
    globalThis.addEventListener?.("online", done);
    signal?.addEventListener("abort", done);
  });
}
