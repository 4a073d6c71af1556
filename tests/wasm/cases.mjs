// The golden documents of every engine, as texts, with what is recorded of them.

import { readFileSync } from "node:fs";

const root = new URL("../../", import.meta.url);
const read = (path) => readFileSync(new URL(path, root), "utf8");
const lines = (path) => read(path).split("\n").filter(Boolean).map((line) => JSON.parse(line));
const ongrid = (name) => lines(`crates/engine-ongrid/tests/cases/${name}.jsonl`);

/** A case: where it stands, the text of the document, and what is known of the answer. */
function of(place, replay, known) {
  return { place, text: typeof replay === "string" ? replay : JSON.stringify(replay), known };
}

/** Every golden document. */
export function cases() {
  const all = [];
  for (const name of ["replays", "long", "desync-and-seeds"]) {
    for (const [line, { replay, outcome, snapshot, desync }] of ongrid(name).entries()) {
      all.push(of(`ongrid-8 ${name} ${line}`, replay, { outcome, snapshot, desync }));
    }
  }
  for (const [line, { text, replay, error }] of ongrid("rejected").entries()) {
    all.push(of(`ongrid-8 rejected ${line}`, text ?? replay, { error }));
  }
  const others = {
    empire: JSON.parse(read("crates/engine-empire/tests/cases/empire-damage.json")),
    minds: [
      ...lines("crates/engine-minds/tests/cases/mind-combat.jsonl"),
      ...lines("crates/engine-minds/tests/cases/golden.jsonl"),
    ],
    mecha: JSON.parse(read("crates/engine-mecha/tests/cases/mecha-battle.json")),
  };
  for (const [engine, rows] of Object.entries(others)) {
    for (const { id, name, replay, out, found } of rows) {
      if (replay) all.push(of(`${engine} ${id ?? name}`, replay, { out, found }));
    }
  }
  for (const path of [
    "crates/engine-empire/tests/cases/empire-damage-sample.json",
    "crates/engine-minds/tests/cases/mind-combat-sample.json",
    "crates/engine-mecha/tests/cases/mecha-battle-sample.json",
  ]) {
    all.push(of(path, read(path), {}));
  }
  return all;
}

/** Canonical JSON (RFC 8785) of a value: sorted keys, numbers as ECMAScript writes them. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${members.join(",")}}`;
}

// As a script: the texts, a JSON string a line, for the native runs.
if (process.argv[1] === new URL(import.meta.url).pathname) {
  process.stdout.write(cases().map(({ text }) => `${JSON.stringify(text)}\n`).join(""));
}
