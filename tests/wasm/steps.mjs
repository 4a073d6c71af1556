// How long a step of a fight takes: a call, the legal calls and the view after it, as a client asks for them.
//
//   node steps.mjs [FIGHTS]

import { loadEngine } from "../../clients/ongrid-js/src/index.js";

const fights = Number(process.argv[2] ?? 60);
const before = performance.now();
const engine = await loadEngine("ongrid-8");
const loading = performance.now() - before;
const { doctrines, skills } = engine.catalogue("ongrid-8");
const level = Object.fromEntries(skills.map(({ id }) => [id, 3]));

const steps = [];
const cpu = process.cpuUsage();
let first = 0;
for (let number = 0; number < fights; number++) {
  const doctrine = doctrines[number % doctrines.length];
  const setup = { doctrine: doctrine.id, skills: level, fleet: doctrine.fleets[number % 5] };
  const fight = engine.open({ engine: "ongrid-8", seed: String(number), setup });
  for (let legal = fight.legal(); legal.length > 0; legal = fight.legal()) {
    const call = legal[steps.length % (legal.length - 1)];
    const start = performance.now();
    fight.call(call);
    fight.legal();
    fight.view();
    steps.push(performance.now() - start);
  }
  if (number === 0) first = Math.max(...steps);
  fight.close();
}
const { user, system } = process.cpuUsage(cpu);
const busy = ((user + system) / 1000 / steps.length).toFixed(2);
steps.sort((a, b) => a - b);
const at = (share) => steps[Math.floor(share * (steps.length - 1))].toFixed(2);
console.log(`loaded in ${loading.toFixed(0)} ms; ${steps.length} steps of ${fights} fights: median ${at(0.5)} ms, 99 % ${at(0.99)} ms, most ${at(1)} ms; most in the first fight ${first.toFixed(2)} ms; ${busy} ms of processor a step, compiling included`);
