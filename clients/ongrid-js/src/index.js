/**
 * OnGrid for JavaScript: the engines as WebAssembly, the referee's HTTP interface, fights that survive.
 *
 * @module ongrid
 */

import { Engine } from "./engine.js";
import { MODULES } from "./modules.js";

export { Client, Offline, Problem, patiently } from "./client.js";
export { Engine, Fight, ModuleDiffers, NotAnEngine, Refused, WrongEngine, sha256 } from "./engine.js";
export { Journal, NotKept, TakenOver, entryOf, newEntry, randomId, randomSeed, replayOf, submit } from "./journal.js";
export { MODULES };

/**
 * Loads a module of this package, in browsers and in Node, and holds it against the digest it was published with.
 * @param {keyof typeof MODULES} [name] `ongrid-8` is that engine alone, `engines` all of them
 */
export async function loadEngine(name = "ongrid-8") {
  if (!Object.hasOwn(MODULES, name)) {
    const names = Object.keys(MODULES).map((known) => JSON.stringify(known)).join(" or ");
    throw new RangeError(`loadEngine takes ${names}, not ${JSON.stringify(name)}`);
  }
  const { file, sha256 } = MODULES[name];
  const url = new URL(`../${file}`, import.meta.url);
  return Engine.load(await bytesOf(url), { sha256 });
}

/** @param {URL} url @returns {Promise<BufferSource>} */
async function bytesOf(url) {
  if (url.protocol !== "file:") return (await fetch(url)).arrayBuffer();
  // Only Node reads files; a bundler for browsers need not know the module.
  const { readFile } = await import(/* @vite-ignore */ /** @type {any} */ ("node:fs/promises"));
  return readFile(url);
}

/**
 * What games name in TypeScript.
 * @typedef {import("./engine.js").Choice} Choice
 * @typedef {import("./types.js").Call} Call
 * @typedef {import("./types.js").Event} Event
 * @typedef {import("./types.js").Replay} Replay
 * @typedef {import("./types.js").Setup} Setup
 * @typedef {import("./types.js").Step} Step
 * @typedef {import("./types.js").Verified} Verified
 * @typedef {import("./types.js").View} View
 */
