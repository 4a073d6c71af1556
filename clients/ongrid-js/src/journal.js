/**
 * Fights kept on the device: setup, seed and calls are written down before anything else happens with them, and stay
 * until the service has acknowledged the fight and the player has seen it.
 *
 * A fight is owned by one tab at a time. Another tab that wants it asks over a channel; whoever takes it over writes
 * its name into the record, and the former owner finds that out at its next write at the latest.
 *
 * @import {Setup} from "./types.js"
 * @import {AttemptBody, VerdictBody} from "./http.js"
 */

import { Problem, patiently } from "./client.js";

/**
 * A fight as it is kept.
 * @typedef {object} Entry
 * @property {string} id of the attempt, or drawn here for practice
 * @property {"practice" | "attempt"} kind practice is verified and stored nowhere
 * @property {string} engine tag
 * @property {string} ruleset digest of the data it was begun with
 * @property {string} seed
 * @property {Setup} setup
 * @property {object[]} calls
 * @property {string[]} checkpoints c₁ first, as the engine gave them when the calls were made
 * @property {"fighting" | "over" | "acknowledged" | "refused"} state
 * @property {string} begun_at RFC 3339
 * @property {AttemptBody} [attempt] as it was issued
 * @property {VerdictBody} [verdict] the service's
 * @property {{code: string, detail: string, status: number}} [problem] why the service refuses it for good
 * @property {string} [owner] the tab
 */

/** Another tab has taken the fight over: this one must stop. */
export class TakenOver extends Error {
  constructor() {
    super("the fight goes on in another tab");
    this.name = "TakenOver";
  }
}

/** The device has no room, or forbids to keep anything. */
export class NotKept extends Error {
  /** @param {unknown} cause */
  constructor(cause) {
    super("the device keeps nothing for this page", { cause });
    this.name = "NotKept";
  }
}

const PREFIX = "ongrid/fight/";

/** The fights on this device. */
export class Journal {
  /** @param {Storage} storage @param {{tab?: string, channel?: BroadcastChannel | null}} [options] */
  constructor(storage, { tab = randomId(), channel = openChannel() } = {}) {
    this.storage = storage;
    this.tab = tab;
    this.channel = channel;
    /** The fight that this tab plays. @type {string | null} */
    this.playing = null;
    /** Called when another tab takes over what this one plays. */
    this.onTaken = () => {};
    channel?.addEventListener("message", (event) => this.#hear(event.data));
  }

  /** @param {{ask?: string, here?: string, taken?: string, tab: string}} message */
  #hear({ ask, taken, tab }) {
    if (tab === this.tab) return;
    if (ask && ask === this.playing) this.channel?.postMessage({ here: ask, tab: this.tab });
    if (taken && taken === this.playing) {
      this.playing = null;
      this.onTaken();
    }
  }

  /** All fights, the newest first; a record that cannot be read is left alone. @returns {Entry[]} */
  list() {
    const entries = [];
    for (let at = 0; at < this.storage.length; at++) {
      const key = this.storage.key(at) ?? "";
      const entry = key.startsWith(PREFIX) ? this.get(key.slice(PREFIX.length)) : null;
      if (entry) entries.push(entry);
    }
    return entries.sort((a, b) => (a.begun_at < b.begun_at ? 1 : -1));
  }

  /** A fight. @param {string} id @returns {Entry | null} */
  get(id) {
    try {
      return JSON.parse(this.storage.getItem(PREFIX + id) ?? "null");
    } catch {
      return null;
    }
  }

  /** Whether another tab plays a fight; an answer is waited for a moment. @param {string} id */
  async isElsewhere(id, milliseconds = 250) {
    const channel = this.channel;
    if (!channel) return false;
    return new Promise((resolve) => {
      const end = (/** @type {boolean} */ elsewhere) => {
        channel.removeEventListener("message", hear);
        clearTimeout(timer);
        resolve(elsewhere);
      };
      const hear = (/** @type {MessageEvent} */ { data }) => {
        if (data.here === id && data.tab !== this.tab) end(true);
      };
      const timer = setTimeout(() => end(false), milliseconds);
      channel.addEventListener("message", hear);
      channel.postMessage({ ask: id, tab: this.tab });
    });
  }

  /** Makes a fight this tab's own, whoever had it. @param {Entry} entry */
  take(entry) {
    this.playing = entry.id;
    entry.owner = this.tab;
    this.#write(entry);
    this.channel?.postMessage({ taken: entry.id, tab: this.tab });
  }

  /** Lets go of what this tab plays. */
  release() {
    this.playing = null;
  }

  /** Writes a fight down. Throws `TakenOver` where it is another tab's by now. @param {Entry} entry */
  save(entry) {
    const known = this.get(entry.id);
    if (known && known.owner !== this.tab) throw new TakenOver();
    this.#write(entry);
  }

  /** @param {Entry} entry */
  #write(entry) {
    try {
      this.storage.setItem(PREFIX + entry.id, JSON.stringify(entry));
    } catch (cause) {
      throw new NotKept(cause);
    }
  }

  /** Forgets a fight. @param {string} id */
  remove(id) {
    if (this.playing === id) this.playing = null;
    this.storage.removeItem(PREFIX + id);
  }
}

/** A new fight's record. @param {Pick<Entry, "id" | "kind" | "engine" | "ruleset" | "seed" | "setup" | "attempt">} start @returns {Entry} */
export function newEntry(start) {
  return { ...start, calls: [], checkpoints: [], state: "fighting", begun_at: new Date().toISOString() };
}

/** The record of an attempt as the service issued it. @param {AttemptBody} attempt @returns {Entry} */
export function entryOf(attempt) {
  const { attempt: id, engine, ruleset, seed, setup } = attempt;
  return newEntry({ id, kind: "attempt", engine, ruleset, seed, setup: /** @type {any} */ (setup), attempt });
}

/** The replay of a fight, as it is submitted. @param {Entry} entry */
export function replayOf({ engine, ruleset, seed, setup, calls, checkpoints }) {
  return { engine, ruleset, seed, setup, calls, checkpoints };
}

/**
 * Hands a fight to the referee and writes the answer down. Goes on asking while the service is out of reach; a "no"
 * that does not pass is kept with the fight.
 * @param {import("./client.js").Client} client @param {Journal} journal @param {Entry} entry
 * @param {Parameters<typeof patiently>[1]} [options]
 * @returns {Promise<Entry>}
 */
export async function submit(client, journal, entry, options) {
  const replay = JSON.stringify(replayOf(entry));
  const ask = () => (entry.kind === "attempt" ? client.submit(entry.id, replay) : client.verify(replay));
  try {
    entry.verdict = await patiently(ask, options);
    entry.state = "acknowledged";
    delete entry.problem;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // Without a valid token nothing was judged: the fight stays as it is.
    if (error.status === 401 || error.status === 403) throw error;
    entry.state = "refused";
    entry.problem = { code: error.code, detail: error.message, status: error.status };
  }
  journal.save(entry);
  return entry;
}

/** An id for what the service does not name. */
export function randomId() {
  return randomHex(12);
}

/** A seed of one's own, for practice: 64 hex digits. */
export function randomSeed() {
  return randomHex(32);
}

/** @param {number} bytes */
function randomHex(bytes) {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function openChannel() {
  return typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("ongrid");
}
