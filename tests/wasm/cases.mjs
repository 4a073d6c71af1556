// The golden documents of every engine, as texts, with what is recorded of them.

import { readFileSync } from "node:fs";

const root = new URL("../../", import.meta.url);
const read = (path) => readFileSync(new URL(path, root), "utf8");

/** The rows of a file, one a line: what is in it, and the replay's text as it stands there (`3.0` is not `3`). */
function rows(path) {
  const lines = read(path).split("\n").map((line) => line.replace(/,$/, "")).filter((line) => line.startsWith("{"));
  return lines.map((line) => {
    const row = JSON.parse(line);
    return { ...row, text: row.text ?? (typeof row.replay === "string" ? row.replay : memberText(line, "replay")) };
  });
}

/** The text of an object's member, found without reading what is in it. */
function memberText(line, name) {
  const at = line.indexOf(`"${name}":`);
  if (at < 0) return undefined;
  const start = at + name.length + 3;
  let [depth, quoted] = [0, false];
  for (let end = start; ; end++) {
    const c = line[end];
    if (quoted) {
      if (c === "\\") end += 1;
      else if (c === '"') quoted = false;
    } else if (c === '"') quoted = true;
    else if (c === "{" || c === "[") depth += 1;
    else if (c === "}" || c === "]") depth -= 1;
    if (depth === 0 && !quoted && end >= start && "}]".includes(c)) return line.slice(start, end + 1);
  }
}

/** Every golden document: where it stands, its text, and what is known of the answer. */
export function cases() {
  const all = [];
  const ongrid = (name) => rows(`crates/engine-ongrid/tests/cases/${name}.jsonl`).entries();
  for (const name of ["replays", "long", "desync-and-seeds"]) {
    for (const [line, { text, outcome, snapshot, desync }] of ongrid(name)) {
      all.push({ place: `ongrid-8 ${name} ${line}`, text, known: { outcome, snapshot, desync } });
    }
  }
  for (const [line, { text, error }] of ongrid("rejected")) {
    all.push({ place: `ongrid-8 rejected ${line}`, text, known: { error } });
  }
  for (const path of [
    "crates/engine-empire/tests/cases/empire-damage.json",
    "crates/engine-minds/tests/cases/mind-combat.jsonl",
    "crates/engine-minds/tests/cases/golden.jsonl",
    "crates/engine-mecha/tests/cases/mecha-battle.json",
  ]) {
    for (const { id, name, text, out, found } of rows(path)) {
      if (text) all.push({ place: `${path} ${id ?? name}`, text, known: { out, found } });
    }
  }
  for (const path of [
    "crates/engine-empire/tests/cases/empire-damage-sample.json",
    "crates/engine-minds/tests/cases/mind-combat-sample.json",
    "crates/engine-mecha/tests/cases/mecha-battle-sample.json",
  ]) {
    all.push({ place: path, text: read(path), known: {} });
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
