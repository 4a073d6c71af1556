// What a module says of itself: its engines with the digests of their data, the sources it was built from.
//
//   node stamp.mjs MODULE…

import { readFileSync } from "node:fs";

import { Engine } from "../../clients/ongrid-js/src/engine.js";

for (const path of process.argv.slice(2)) {
  const engine = await Engine.load(readFileSync(path));
  console.log(JSON.stringify({ source: engine.source(), engines: engine.tags() }, null, 1));
}
