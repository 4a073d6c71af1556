/**
 * The engines of OnGrid in WebAssembly: the same rules, the same bits as the referee.
 *
 * The module speaks bytes: a caller writes into a buffer that the module owns, calls a function, and reads the answer
 * from another. This file is all there is between that and plain objects; `crates/engine-wasm` is the other side.
 *
 * @import {Call, Catalogue, Event, Opened, Replay, Sight, Step, Verified, View, EngineTag, State, Rejected} from "./types.js"
 */

/** A "no" of an engine: a stable `code`, the place, a sentence. The same object as the service's own rejections. */
export class Refused extends Error {
  /** @param {Rejected} rejection */
  constructor(rejection) {
    super(rejection.message);
    this.name = "Refused";
    this.code = rejection.code;
    this.call = rejection.call;
    this.path = rejection.path;
    this.detail = rejection.detail;
  }
}

/** The module is not the one that this version was published with: it is never run. */
export class ModuleDiffers extends Error {
  /** @param {string} expected @param {string} found SHA-256, hex digits */
  constructor(expected, found) {
    super(`The engine was changed on its way here: it has the digest ${found}, and ${expected} was expected. Load it again.`);
    this.name = "ModuleDiffers";
  }
}

/** The bytes are no module of engines: cut short, another file, or made for another version of this package. */
export class NotAnEngine extends Error {
  /** @param {string} why @param {unknown} [cause] */
  constructor(why, cause) {
    super(`The engine cannot be run: ${why}. Load it again.`, { cause });
    this.name = "NotAnEngine";
  }
}

/** The module has not the engine that is asked for, or that engine with other data. */
export class WrongEngine extends Error {
  /** @param {{engine: string, ruleset?: string}} wanted @param {EngineTag[]} known */
  constructor(wanted, known) {
    const found = known.find((tag) => tag.engine === wanted.engine);
    super(
      found
        ? `The engine ${wanted.engine} here has the rules ${found.ruleset}, and ${wanted.ruleset} are asked for: one of the two is out of date.`
        : `There is no engine ${wanted.engine} here, only ${known.map((tag) => tag.engine).join(", ")}: this client is out of date, or the engine is.`,
    );
    this.name = "WrongEngine";
    this.wanted = wanted;
    this.known = known;
  }
}

/** What a module must export: anything less is another file, or a module of another version. */
const EXPORTS = ["input", "answer", "answer_length", "tags", "source", "data", "catalogue", "verify", "timeline", "fly", "open", "call", "view", "legal", "state", "replay", "close"];

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * A legal call, and what it is likely to do.
 * @typedef {object} Choice
 * @property {Call} call
 * @property {[number, number, number]} [expected] hit points that a volley is expected to take off, not overheated, by
 * stance: standard, aggressive, evasive
 * @property {Sight["groups"]} chances of the groups that take part, by stance, with their factors
 */

/** @typedef {string | Uint8Array | object} Document text, bytes, or an object that is written as JSON */

/** @param {Document} document */
function bytesOf(document) {
  if (document instanceof Uint8Array) return document;
  return encoder.encode(typeof document === "string" ? document : JSON.stringify(document));
}

/** SHA-256 of some bytes, hex digits; null where the page may not use cryptography (plain http, not localhost). */
export async function sha256(/** @type {BufferSource} */ bytes) {
  if (!globalThis.crypto?.subtle) return null;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The engines of one module. */
export class Engine {
  /** @param {any} exports */
  constructor(exports) {
    this.exports = exports;
  }

  /**
   * Loads a module from its bytes. Throws `ModuleDiffers`, `NotAnEngine`, `WrongEngine`, each with a sentence for the
   * player.
   * @param {BufferSource} bytes
   * @param {{sha256?: string, engine?: string, ruleset?: string}} [expected] the digest it must have; an engine that it
   * must have, with which data
   */
  static async load(bytes, expected = {}) {
    const found = expected.sha256 ? await sha256(bytes) : null;
    if (found && found !== expected.sha256) throw new ModuleDiffers(String(expected.sha256), found);
    let exports;
    try {
      ({ exports } = (await WebAssembly.instantiate(bytes)).instance);
    } catch (cause) {
      throw new NotAnEngine("its file is damaged or no WebAssembly", cause);
    }
    const missing = EXPORTS.filter((name) => typeof exports[`ongrid_${name}`] !== "function");
    if (missing.length > 0 || !(exports.memory instanceof WebAssembly.Memory)) {
      throw new NotAnEngine("its file is of another version");
    }
    const engine = new Engine(exports);
    if (expected.engine) engine.require({ engine: expected.engine, ruleset: expected.ruleset });
    return engine;
  }

  /** Throws `WrongEngine` unless an engine is here, with this data if it is told. @param {{engine: string, ruleset?: string}} wanted */
  require(wanted) {
    const tags = this.tags();
    const same = tags.some((tag) => tag.engine === wanted.engine && (!wanted.ruleset || tag.ruleset === wanted.ruleset));
    if (!same) throw new WrongEngine(wanted, tags);
  }

  /**
   * Calls a function of the module: whether it answered or refused, and the bytes of the answer or of the rejection.
   * @param {string} name @param {Document} [input] @param {number} [fight]
   */
  exchange(name, input, fight) {
    if (input !== undefined) {
      const bytes = bytesOf(input);
      const at = this.exports.ongrid_input(bytes.length);
      // The view is made anew each time: memory may have moved.
      new Uint8Array(this.exports.memory.buffer, at, bytes.length).set(bytes);
    }
    const answered = this.exports[`ongrid_${name}`](fight ?? 0) === 1;
    const { memory, ongrid_answer, ongrid_answer_length } = this.exports;
    const bytes = new Uint8Array(memory.buffer, ongrid_answer(), ongrid_answer_length()).slice();
    return { answered, bytes };
  }

  /**
   * As `exchange`; a rejection is thrown as `Refused`.
   * @param {string} name @param {Document} [input] @param {number} [fight]
   */
  ask(name, input, fight) {
    const { answered, bytes } = this.exchange(name, input, fight);
    if (!answered) throw new Refused(JSON.parse(decoder.decode(bytes)));
    return bytes;
  }

  /** As `ask`, the answer read as JSON. @param {string} name @param {Document} [input] @param {number} [fight] */
  askJson(name, input, fight) {
    return JSON.parse(decoder.decode(this.ask(name, input, fight)));
  }

  /** The engines of this module. @returns {EngineTag[]} */
  tags() {
    return this.askJson("tags");
  }

  /** Digest of the sources the module was built from; null where the build did not tell. @returns {string | null} */
  source() {
    return this.askJson("source");
  }

  /** What setups of ongrid-8 are put together from; null for the other engines. @param {string} engine @returns {Catalogue | null} */
  catalogue(engine) {
    return this.askJson("catalogue", engine);
  }

  /** A file of an engine's ruleset, byte for byte as it is hashed. @param {string} engine @param {string} file */
  data(engine, file) {
    return this.ask("data", `${engine}/${file}`);
  }

  /** The verdict on a whole replay. Throws `Refused`. @param {Document} replay @returns {Verified} */
  verify(replay) {
    return this.askJson("verify", replay);
  }

  /** Every event of a whole replay. Throws `Refused`. @param {Document} replay */
  timeline(replay) {
    return this.askJson("timeline", replay);
  }

  /** The replay that the autopilot flies from this setup and seed. @param {Document} replay @returns {Replay} */
  fly(replay) {
    return this.askJson("fly", replay);
  }

  /**
   * Opens a fight from a setup and a seed, or takes it up again: the calls made so far are applied. Throws `Refused`,
   * or `WrongEngine` where the fight was begun with an engine or with data that this module has not.
   * @param {{engine: string, ruleset?: string, seed: string, setup: object, calls?: object[], checkpoints?: string[]}} replay
   */
  open(replay) {
    this.require(replay);
    return new Fight(this, this.askJson("open", { calls: [], ...replay }));
  }
}

/** A fight in progress. */
export class Fight {
  /** @param {Engine} engine @param {Opened} opened */
  constructor(engine, opened) {
    this.engine = engine;
    /** What it started from: engine, ruleset, seed, setup, snapshot. */
    this.opened = opened;
    /** What the last call came to. @type {Step} */
    this.step = opened.step;
    /** Everything that happened so far, in order. @type {Event[]} */
    this.events = [...opened.step.events];
  }

  /** Whether the replay could end here. */
  get over() {
    return this.step.end !== null && this.step.end.standing.finished;
  }

  /** Makes a call. Throws `Refused`, and then nothing has changed. @param {Call | object} call @returns {Step} */
  call(call) {
    this.step = this.engine.askJson("call", call, this.opened.fight);
    this.events.push(...this.step.events);
    return this.step;
  }

  /** What happened since the first `count` events. @param {number} count */
  eventsSince(count) {
    return this.events.slice(count);
  }

  /** The fight as a player sees it: of ongrid-8, whose view is never null. @returns {View} */
  view() {
    return this.engine.askJson("view", undefined, this.opened.fight);
  }

  /**
   * The calls that would be legal now; null where they cannot be listed. Of ongrid-8 all of them, without stances, which
   * any may carry; of the other engines those that are put together from names alone (README).
   * @returns {Call[] | null}
   */
  legal() {
    return this.engine.askJson("legal", undefined, this.opened.fight);
  }

  /**
   * The calls that would be legal now, those at an enemy with what they are likely to do: the damage to be expected of a
   * volley, and for each group that takes part its chance and what that is made of.
   * @returns {Choice[]}
   */
  choices() {
    const { sights } = this.view();
    return (this.legal() ?? []).map((call) => {
      const sight = "target" in call ? sights.find(({ target }) => target === call.target) : undefined;
      if (!sight) return { call, chances: [] };
      if (call.do === "fire") {
        return { call, expected: sight.expected, chances: sight.groups.filter(({ of }) => of !== "jam") };
      }
      return { call, chances: sight.groups.filter(({ of, group }) => of === "jam" && "group" in call && group === call.group) };
    });
  }

  /** The bytes of the state and all checkpoints, c₀ first. @returns {State} */
  state() {
    return this.engine.askJson("state", undefined, this.opened.fight);
  }

  /** The replay so far, canonical text, ready to be submitted. */
  replayText() {
    return decoder.decode(this.engine.ask("replay", undefined, this.opened.fight));
  }

  /** The replay so far. @returns {Replay} */
  replay() {
    return JSON.parse(this.replayText());
  }

  /** Forgets the fight; it must not be used afterwards. */
  close() {
    this.engine.ask("close", undefined, this.opened.fight);
  }
}
