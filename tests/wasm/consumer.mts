// A game written in TypeScript, as far as its compiler is concerned: it is checked against the declarations of the packed
// package, never run.

import { type Engine, type Fight, Refused, WrongEngine, loadEngine, randomSeed } from "ongrid";

export async function begin(): Promise<Fight> {
  const engine: Engine = await loadEngine("ongrid-8");
  const catalogue = engine.catalogue("ongrid-8");
  if (!catalogue) throw new Error("no catalogue");
  const [{ id: doctrine, fleets }] = catalogue.doctrines;
  const skills = { gunnery: 3, "motion-prediction": 3, missiles: 3, tank: 3, navigation: 3, electronics: 3 };
  return engine.open({ engine: "ongrid-8", seed: randomSeed(), setup: { doctrine, skills, fleet: fleets[0] } });
}

export function turn(fight: Fight): string {
  const { turn, ships, round } = fight.view();
  if (turn === null) return `over in round ${round}: ${fight.step.end?.outcome.result ?? "unfinished"}`;
  const best = fight.choices().find(({ call }) => call.do === "fire");
  if (best?.expected && best.chances[0].factors.aim) {
    const [standard, aggressive]: number[] = best.expected;
    if (aggressive > standard) fight.call({ ...best.call, stance: "aggressive" });
  }
  // @ts-expect-error a call has no such deed
  const wrong: import("ongrid").Call = { ship: turn, do: "surrender" };
  try {
    fight.call(wrong);
  } catch (error) {
    if (error instanceof Refused) return `${error.code} at ${error.call ?? error.path}`;
    if (error instanceof WrongEngine) return error.wanted.engine;
    throw error;
  }
  for (const event of fight.eventsSince(0)) {
    if (event.event === "fired" && event.landed) return `${ships[event.ship].name} hit in round ${event.round}`;
  }
  return fight.step.checkpoint;
}
