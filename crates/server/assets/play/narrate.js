/**
 * Events as sentences: the log of the fight.
 *
 * @import {Event, View} from "./ongrid/types.js"
 */

import { figure, percent } from "./dom.js";
import { shipName } from "./guide.js";

/** What timed effects change, by class. */
const CHANGES = {
  "stasis-webifier": ["speed"],
  "target-painter": ["signature"],
  "tracking-disruptor": ["tracking"],
  "guidance-disruptor": ["guidance"],
  "sensor-dampener": ["tracking", "guidance"],
};

/** What ended an effect. */
const WHY = {
  expired: "its time is over",
  replaced: "it is projected anew",
  source_destroyed: "its source is destroyed",
  target_destroyed: "its target is destroyed",
};

const LAYERS = /** @type {const} */ (["shield", "armor", "hull"]);

/**
 * Tells an event.
 * @param {Event} event @param {View} view the fight, for names
 * @returns {{text: string, tone: "round" | "good" | "bad" | "plain", loud: boolean} | null} null for what needs no words
 */
export function narrate(event, view) {
  const name = (/** @type {number} */ id) => shipName(view.ships[id]);
  const isOurs = (/** @type {number} */ id) => view.ships[id].side === "pilot";
  /** Good where ours does it, bad where theirs. @param {number} id @returns {"good" | "bad"} */
  const tone = (id) => (isOurs(id) ? "good" : "bad");
  const plain = (/** @type {string} */ text) => ({ text, tone: /** @type {const} */ ("plain"), loud: false });
  switch (event.event) {
    case "round_started":
      return { text: `Round ${event.round}`, tone: "round", loud: false };
    case "sat_out":
      return { text: `${name(event.ship)} is jammed and sits its turn out.`, tone: tone(event.ship) === "good" ? "bad" : "good", loud: isOurs(event.ship) };
    case "fired":
      return { text: fired(event, view, name), tone: event.landed ? tone(event.ship) : "plain", loud: true };
    case "silent":
      return plain(`${name(event.ship)}: ${groupOf(view, event.ship, event.group)} stays silent, the capacitor is too low.`);
    case "effect_started": {
      const [source, target] = [name(event.source), name(event.target)];
      const words = CHANGES[/** @type {keyof typeof CHANGES} */ (event.class)] ?? ["something"];
      const changes = event.multipliers.map((factor, at) => `${words[at]} × ${figure(factor)}`).join(", ");
      return { text: `${source} turns its ${groupOf(view, event.source, event.group)} on ${target}: ${changes} until the end of round ${event.last_round}.`, tone: tone(event.source), loud: true };
    }
    case "effect_ended":
      return event.why === "replaced" ? null : plain(`An effect ends: ${WHY[event.why]}.`);
    case "jam": {
      const draws = `${percent(event.chance)} for each of ${event.rolls.length} draws`;
      const came = event.jam_until === undefined ? "fails to jam" : "jams";
      const until = event.jam_until === undefined ? "" : `; it sits out until round ${event.jam_until}`;
      return { text: `${name(event.source)} ${came} ${name(event.target)} (${draws})${until}.`, tone: event.jam_until === undefined ? "plain" : tone(event.source), loud: true };
    }
    case "drained":
      return { text: `${name(event.source)} drains ${figure(event.amount)} GJ from ${name(event.target)}.`, tone: tone(event.source), loud: true };
    case "leeched":
      return { text: `${name(event.source)} leeches ${figure(event.amount)} GJ from ${name(event.target)}.`, tone: tone(event.source), loud: true };
    case "repaired": {
      const whom = event.source === event.target ? "its own" : `${name(event.target)}'s`;
      const wasted = event.wasted >= 0.5 ? `, ${figure(event.wasted)} more than fits are lost` : "";
      return { text: `${name(event.source)} restores ${figure(event.amount)} of ${whom} ${event.layer}${wasted}.`, tone: tone(event.source), loud: true };
    }
    case "boosted":
      return { text: `${name(event.ship)} injects ${figure(event.amount)} GJ; ${event.uses} charges are left.`, tone: tone(event.ship), loud: true };
    case "held":
      return plain(`${name(event.ship)} holds.`);
    case "destroyed":
      return { text: `${name(event.ship)} is destroyed by ${name(event.by)}.`, tone: isOurs(event.ship) ? "bad" : "good", loud: true };
    case "ended":
      return { text: ended(event.result, event.decided_by), tone: event.result === "victory" ? "good" : event.result === "defeat" ? "bad" : "plain", loud: true };
    default:
      return null; // turns and ends of rounds show in what follows them
  }
}

/** What some events took off each ship, and gave it, in hit points. @param {Event[]} events @returns {Map<number, number>} */
export function changes(events) {
  const changed = new Map();
  const add = (/** @type {number} */ ship, /** @type {number} */ points) => changed.set(ship, (changed.get(ship) ?? 0) + points);
  for (const event of events) {
    if (event.event === "fired" && event.landed) for (const layer of LAYERS) add(event.target, -event.lost[layer]);
    if (event.event === "repaired") add(event.target, event.amount);
  }
  return changed;
}

/** @param {View} view @param {number} ship @param {number} group */
function groupOf(view, ship, group) {
  const { name, count } = view.ships[ship].groups[group];
  return count > 1 ? `${count} × ${name}` : name;
}

/** @param {any} event @param {View} view @param {(id: number) => string} name */
function fired(event, view, name) {
  const shot = `${name(event.ship)} fires ${groupOf(view, event.ship, event.group)} at ${name(event.target)}`;
  const hot = event.overheat ? ", overheated" : "";
  if (!event.landed) return `${shot}${hot}: misses (${percent(event.chance)} to hit).`;
  const total = LAYERS.reduce((sum, layer) => sum + event.lost[layer], 0);
  const layers = LAYERS.filter((layer) => event.lost[layer] > 0).map((layer) => `${figure(event.lost[layer])} ${layer}`);
  const how = event.chance === undefined ? `${percent(event.application)} applies` : quality(event);
  const broke = event.broke.filter((/** @type {string} */ layer) => layer !== "hull");
  const through = broke.length > 0 ? ` The ${broke.join(" and the ")} break${broke.length > 1 ? "" : "s"}.` : "";
  return `${shot}${hot}: ${figure(total)} damage (${layers.join(", ") || "all of it resisted"}; ${how}).${through}`;
}

/** @param {{chance: number, quality: number}} event */
function quality({ chance, quality }) {
  const kind = quality >= 3 ? "a wrecking hit" : quality >= 1.25 ? "a good hit" : quality >= 0.75 ? "a hit" : "a graze";
  return `${kind} at ${percent(chance)}, quality ${figure(quality)}`;
}

/** How the fight ended. @param {string} result @param {string} by */
export function ended(result, by) {
  const how = { destruction: "by destruction", points: "on hit points after the last round", concession: "by giving up" }[by] ?? by;
  return { victory: `Victory ${how}.`, defeat: `Defeat ${how}.`, draw: `A draw ${how}.` }[result] ?? result;
}
