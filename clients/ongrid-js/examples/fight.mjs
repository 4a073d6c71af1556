// Fights today's fight and submits it: ONGRID_URL=http://127.0.0.1:8080 ONGRID_TOKEN=… node examples/fight.mjs
// Stop it at any time and start it again: it goes on where it was.

import { mkdirSync, readFileSync, readdirSync, unlinkSync, writeFileSync } from "node:fs";
import { Client, Journal, entryOf, loadEngine, replayOf, submit } from "../src/index.js";

/** What browsers call localStorage, in a directory. */
const directory = process.env.ONGRID_FIGHTS ?? "fights";
mkdirSync(directory, { recursive: true });
const path = (key) => `${directory}/${encodeURIComponent(key)}`;
const storage = {
  get length() { return readdirSync(directory).length; },
  key: (at) => decodeURIComponent(readdirSync(directory)[at]),
  getItem: (key) => { try { return readFileSync(path(key), "utf8"); } catch { return null; } },
  setItem: (key, value) => writeFileSync(path(key), value),
  removeItem: (key) => unlinkSync(path(key)),
};

const engine = await loadEngine("ongrid-8");
const client = new Client({ url: process.env.ONGRID_URL, token: process.env.ONGRID_TOKEN });
const journal = new Journal(storage, { channel: null });

// An attempt that was begun and not acknowledged, or a new one with the standard issue.
let entry = journal.list().find(({ state }) => state === "fighting" || state === "over");
entry ??= entryOf(await client.issue({}));
journal.take(entry);

const fight = engine.open(replayOf(entry));
for (let view = fight.view(); view.turn !== null; view = fight.view()) {
  // Fire at whom a volley brings nearest to its end, holding where none can be fired.
  const share = ({ target, expected }) => {
    const { shield, armor, hull } = view.ships[target].left;
    return expected[0] / (shield + armor + hull);
  };
  const [best] = view.sights.sort((a, b) => share(b) - share(a));
  const shot = { ship: view.turn, do: "fire", target: best.target };
  const canFire = fight.legal().some((call) => call.do === "fire" && call.target === best.target);
  const call = canFire ? shot : { ship: view.turn, do: "hold" };
  const step = fight.call(call);
  entry.calls.push(call);
  entry.checkpoints.push(step.checkpoint);
  journal.save(entry);
}
entry.state = "over";
const { verdict, problem } = await submit(client, journal, entry);
const told = verdict?.standing ?? problem;
console.log(JSON.stringify({ state: entry.state, ...told, rank: verdict?.rank?.rank, same: !verdict?.desync }));
