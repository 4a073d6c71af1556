// Runs replays through WebAssembly and holds every answer against what the native runs said, bit for bit.
//
//   node compare.mjs MODULE TEXTS NATIVE…
//
// TEXTS holds a JSON string a line, NATIVE the lines of the example `say` for the same texts. Golden documents come
// first in TEXTS; what is recorded of them is held against the answers too.

import { createHash } from "node:crypto";
import { createReadStream, readFileSync } from "node:fs";
import { basename } from "node:path";
import { createInterface } from "node:readline";

import { Engine } from "../../clients/ongrid-js/src/engine.js";
import { canonical, cases } from "./cases.mjs";

const [modulePath, textsPath, ...nativePaths] = process.argv.slice(2);
const engine = await Engine.load(readFileSync(modulePath));
const decoder = new TextDecoder();
// A module of one engine knows nothing of the others: what is theirs is passed over.
const tags = engine.tags().map((tag) => tag.engine);
const isOurs = (text) => tags.length > 1 || text.includes(`"${tags[0]}"`);

const digest = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** The same line as `say` writes. */
function say(text) {
  const ask = (name, input, fight) => engine.exchange(name, input, fight);
  const verified = decoder.decode(ask("verify", text).bytes);
  const digests = [digest(ask("timeline", text).bytes)];
  const opened = ask("open", text);
  digests.push(digest(opened.bytes));
  if (opened.answered) {
    for (const name of ["state", "view", "legal", "replay", "close"]) digests.push(digest(ask(name, undefined, 0).bytes));
  }
  return [verified, ...digests].join(" ");
}

/** What is wrong with an answer, by what is recorded of the document. */
function fault(said, { outcome, snapshot, desync, error, out, found }) {
  const differs = (name, ours, theirs) => (canonical(ours) === canonical(theirs) ? null : name);
  if (error) {
    const { code, call, detail } = said;
    const ours = { code, call, ...detail };
    for (const key of Object.keys(ours)) if (ours[key] === null || key === "known") delete ours[key];
    return differs("error", ours, error);
  }
  if (outcome) {
    return (
      differs("outcome", said.outcome, outcome) ??
      differs("desync", said.desync?.call ?? null, desync ?? null) ??
      (snapshot ? differs("snapshot", said.snapshot, snapshot) : null)
    );
  }
  if (out) {
    for (const key of ["outcome", "standing", "code", "call", "path"]) {
      if (key in out) {
        const miss = differs(key, said[key] ?? null, out[key] ?? null);
        if (miss) return miss;
      }
    }
  }
  if (found) {
    return differs("digest", said.outcome_digest, found.outcome_digest) ?? differs("standing", said.standing, found.standing);
  }
  return null;
}

const lines = (path) => createInterface({ input: createReadStream(path), crlfDelay: Infinity })[Symbol.asyncIterator]();
const golden = cases();
const natives = nativePaths.map(lines);
let [index, passed, failed] = [0, 0, 0];
for await (const line of lines(textsPath)) {
  const text = JSON.parse(line);
  const theirs = [];
  for (const native of natives) theirs.push((await native.next()).value);
  const known = golden[index];
  index += 1;
  if (!isOurs(text)) continue;
  const said = say(text);
  const faults = theirs.flatMap((line, at) => (line === said ? [] : [`differs from ${nativePaths[at]}`]));
  if (known) {
    if (known.text !== text) faults.push("is not the golden document of this line");
    const end = said.lastIndexOf("} ") + 1;
    const miss = fault(JSON.parse(said.slice(0, end)), known.known);
    if (miss) faults.push(`${miss} is not what is recorded`);
  }
  if (faults.length === 0) passed += 1;
  else {
    failed += 1;
    if (failed <= 10) console.error(`${known?.place ?? `generated fight ${index - golden.length - 1}`}: ${faults.join("; ")}`);
  }
}
if (index < golden.length) {
  console.error(`only ${index} of ${golden.length} golden documents were given`);
  failed += 1;
}
console.log(`${basename(modulePath)}: ${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
