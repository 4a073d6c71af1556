/**
 * The engines of OnGrid in WebAssembly: the same rules, the same bits as the referee.
 *
 * The module speaks bytes: a caller writes into a buffer that the module owns, calls a function, and reads the answer
 * from another. This file is all there is between that and plain objects; `crates/engine-wasm` is the other side.
 *
 * @import {Call, Catalogue, Event, Opened, Replay, Step, Verified, EngineTag, State, Rejected} from "./types.js"
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

/** The module is not the one that its maker signed for: it is never run. */
export class ModuleDiffers extends Error {
  /** @param {string} expected @param {string} found SHA-256, hex digits */
  constructor(expected, found) {
    super(`the engine module has the digest ${found}, ${expected} was expected`);
    this.name = "ModuleDiffers";
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

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
   * Loads a module from its bytes.
   * @param {BufferSource} bytes
   * @param {{sha256?: string}} [expected] the digest it must have
   */
  static async load(bytes, expected = {}) {
    const found = expected.sha256 ? await sha256(bytes) : null;
    if (found && found !== expected.sha256) throw new ModuleDiffers(String(expected.sha256), found);
    const { instance } = await WebAssembly.instantiate(bytes);
    return new Engine(instance.exports);
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
   * Opens a fight from a setup and a seed, or takes it up again: the calls made so far are applied.
   * @param {{engine: string, seed: string, setup: object, calls?: object[], checkpoints?: string[]}} replay
   */
  open(replay) {
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
  }

  /** Whether the replay could end here. */
  get over() {
    return this.step.end !== null && this.step.end.standing.finished;
  }

  /** Makes a call. Throws `Refused`, and then nothing has changed. @param {Call | object} call @returns {Step} */
  call(call) {
    this.step = this.engine.askJson("call", call, this.opened.fight);
    return this.step;
  }

  /** The fight as a player sees it; null where the engine shows none. @returns {FightView} */
  view() {
    return this.engine.askJson("view", undefined, this.opened.fight);
  }

  /** Every call that would be legal now; null where the engine lists none. @returns {Call[] | null} */
  legal() {
    return this.engine.askJson("legal", undefined, this.opened.fight);
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
