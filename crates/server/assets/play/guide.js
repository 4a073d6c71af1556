/**
 * What the page knows beside the fight itself: names, and the sentences that explain the rules. Every figure comes
 * from the ruleset in the engine module; nothing is known twice.
 *
 * @import {Catalogue, GroupView, ShipView, Sight, Stance, View} from "./ongrid/types.js"
 */

import { figure, percent } from "./dom.js";

/** The stances in the order in which the engine lists what depends on them. */
export const STANCES = /** @type {const} */ (["standard", "aggressive", "evasive"]);

/** What an active group does, and on whom. */
const DEEDS = {
  "stasis-webifier": ["Web", "slows an enemy"],
  "target-painter": ["Paint", "makes an enemy easier to hit"],
  "tracking-disruptor": ["Disrupt tracking", "lets an enemy's turrets miss more"],
  "guidance-disruptor": ["Disrupt guidance", "lets an enemy's missiles apply less"],
  "sensor-dampener": ["Dampen sensors", "lessens an enemy's tracking and guidance"],
  ecm: ["Jam", "may make an enemy sit out this round and the next two"],
  "energy-neutralizer": ["Neutralize", "drains an enemy's capacitor"],
  nosferatu: ["Leech", "moves an enemy's capacitor into yours"],
  "shield-booster": ["Boost shield", "restores the ship's own shield"],
  "ancillary-shield-booster": ["Boost shield", "restores the ship's own shield from charges, without capacitor"],
  "armor-repairer": ["Repair armor", "restores the ship's own armor"],
  "remote-shield-booster": ["Boost the shield of", "restores an ally's shield"],
  "remote-armor-repairer": ["Repair the armor of", "restores an ally's armor"],
  "capacitor-booster": ["Inject capacitor", "fills the ship's own capacitor from charges"],
};

const TIMED = ["stasis-webifier", "target-painter", "tracking-disruptor", "guidance-disruptor", "sensor-dampener"];
const REMOTE = ["remote-shield-booster", "remote-armor-repairer"];

/** Names and figures of the ruleset. */
export class Guide {
  /** @param {import("./ongrid/engine.js").Engine} engine */
  constructor(engine) {
    const rows = (/** @type {string} */ file) => {
      const list = JSON.parse(new TextDecoder().decode(engine.data("ongrid-8", file)));
      return new Map(list.map((/** @type {any} */ row) => [row.id, row]));
    };
    /** @type {Catalogue} */
    this.catalogue = engine.askJson("catalogue", "ongrid-8");
    this.figures = this.catalogue.figures;
    this.hulls = rows("hulls.json");
    this.modules = rows("modules.json");
    this.charges = rows("charges.json");
  }

  /** @param {string} id */
  doctrine(id) {
    return this.catalogue.doctrines.find((doctrine) => doctrine.id === id);
  }

  /** @param {string} id */
  hullName(id) {
    return this.hulls.get(id)?.name ?? id;
  }

  /** `frigate` … `battleship`. @param {string} id of a hull */
  hullClass(id) {
    return this.hulls.get(id)?.class ?? "";
  }

  /** `3 × 200mm AutoCannon I (EMP S)`. @param {{module: string, charge?: string, count: number}} group */
  groupName({ module, charge, count }) {
    const name = this.modules.get(module)?.name ?? module;
    const load = charge ? ` (${this.charges.get(charge)?.name ?? charge})` : "";
    return `${count > 1 ? `${count} × ` : ""}${name}${load}`;
  }

  /** What a stance multiplies, in words. @param {Stance} stance */
  stanceCost(stance) {
    const at = STANCES.indexOf(stance);
    const { velocity_by_stance: velocity, tracking_by_stance: tracking, guidance_by_stance: guidance } = this.figures;
    const change = (/** @type {number} */ factor) => `${factor > 1 ? "+" : "−"}${Math.round(Math.abs(factor - 1) * 100)} %`;
    if (at <= 0) return "changes nothing";
    const parts = [`speed ${change(velocity[at])}`, `tracking ${change(tracking[at])}`, `guidance ${change(guidance[at])}`];
    const means = stance === "aggressive" ? "hits better, is hit more, acts later" : "is hit less, acts earlier, hits worse";
    return `${parts.join(", ")}: ${means}`;
  }

  /** A ship's speed in another stance. @param {ShipView} ship @param {Stance} stance */
  speedIn(ship, stance) {
    const by = this.figures.velocity_by_stance;
    return (ship.speed / by[STANCES.indexOf(ship.stance)]) * by[STANCES.indexOf(stance)];
  }

  /** The name of what an active group does. @param {GroupView} group */
  deed(group) {
    return DEEDS[/** @type {keyof typeof DEEDS} */ (group.class)]?.[0] ?? group.name;
  }

  /** What an active group does, with its figures. @param {GroupView} group */
  deedMeans(group) {
    const means = DEEDS[/** @type {keyof typeof DEEDS} */ (group.class)]?.[1] ?? "";
    const active = this.modules.get(group.module)?.active ?? {};
    const facts = [];
    for (const [key, word] of [["velocity", "speed"], ["signature", "signature"], ["tracking", "tracking"], ["guidance", "guidance"]]) {
      if (active[key]) facts.push(`${word} × ${figure(active[key])}`);
    }
    for (const [key, word] of [["drain", "GJ drained"], ["leech", "GJ leeched"], ["shield", "shield points"], ["armor", "armor points"]]) {
      if (active[key]) facts.push(`${figure(active[key])} ${word}`);
    }
    const each = facts.length > 0 ? `${facts.join(", ")}${group.count > 1 ? ` for each of ${group.count}` : ""} before skills` : "";
    const lasts = this.isTimed(group) ? `for ${this.figures.effect_rounds} rounds` : "";
    return [means, each, lasts].filter(Boolean).join("; ");
  }

  /** @param {GroupView} group */
  isTimed(group) {
    return TIMED.includes(String(group.class));
  }

  /** Whether an active group works on an ally. @param {GroupView} group */
  isRemote(group) {
    return REMOTE.includes(String(group.class));
  }

  /** Whether a group fires. @param {GroupView} group */
  isWeapon(group) {
    return group.aim !== undefined;
  }

  /** Whether a group is activated. @param {GroupView} group */
  isActive(group) {
    return group.class !== undefined && group.aim === undefined;
  }

  /** Why a group cannot be activated now; nothing where it can. @param {GroupView} group @param {ShipView} ship */
  whyNot(group, ship) {
    if (group.uses === 0) return "no charges left";
    if ((group.cost ?? 0) > ship.capacitor) {
      return `needs ${figure(group.cost ?? 0)} GJ, the capacitor has ${figure(ship.capacitor)}`;
    }
    return "";
  }

  /**
   * Why a group's chance against a target is what it is: the factors as the engine gives them, with what they are of.
   * @param {ShipView} ship @param {ShipView} target @param {Sight["groups"][number]} chance @param {Stance} stance
   */
  whyChance(ship, target, chance, stance) {
    const at = STANCES.indexOf(stance);
    const group = ship.groups[chance.group];
    const { aim, bounds, jam, pace, sensors, size } = chance.factors;
    const value = percent(chance.chance[at]);
    const within = `kept within ${percent(bounds[0])} and ${percent(bounds[1])}`;
    if (chance.of === "jam") {
      return `${value} for each of ${group.count} draws = jammer ${figure(jam ?? 0)} ÷ its sensors ${figure(sensors ?? 1)}; ${within}`;
    }
    const shot = chance.of === "hit" ? this.modules.get(group.module)?.weapon : this.charges.get(group.charge ?? "");
    const { ref_sig = 1, ref_vel = 1 } = shot ?? {};
    const bulk = `size ${figure(size ?? 1)} (${figure(target.signature)} m for ${figure(ref_sig)} m${size === 1 ? ", full" : ""})`;
    const speed = `pace ${figure(pace ?? 1)} (${chance.of === "hit" ? "" : "√ "}${figure(ref_vel)} ÷ ${figure(target.speed)} m/s)`;
    if (chance.of === "hit") return `${value} to hit = tracking ${figure(aim?.[at] ?? 1)} × ${bulk} × ${speed}; ${within}`;
    return `${value} of the damage applies = ${bulk} × ${speed} × guidance ${figure(aim?.[at] ?? 1)}; missiles always land; ${within}`;
  }

  /** What the calibration brought, in sentences. @param {any} snapshot @returns {string[]} */
  calibration(snapshot) {
    const { thresholds } = this.figures;
    const next = thresholds[snapshot.level];
    const lines = [
      `Your modules weigh ${snapshot.score}: the doctrine answers at level ${snapshot.level} of 4, ${titled(snapshot.rack)}.`,
      next === undefined ? "This is the highest level." : `From ${next} on it would bring the next level; a level above 0 also adds to the score you fly for.`,
    ];
    const dials = Object.entries(snapshot.dials).filter(([, tier]) => tier !== "t1");
    for (const [kind, tier] of dials) {
      lines.push(`Because you bring a ${tier === "navy" ? "navy" : "tech 2"} ${kind}, its ${kind}s fly ${tier === "navy" ? "navy" : "tech 2"} hulls.`);
    }
    return lines;
  }

  /**
   * What is worth knowing at this turn: the one thing that matters most.
   * @param {object} turn
   * @param {View} turn.view
   * @param {ShipView} turn.ship whose turn it is
   * @param {ShipView | null} turn.target
   * @param {Sight | null} turn.sight what the ship can do to the target
   * @param {{stance: Stance}} turn.plan
   * @param {number} turn.calls made so far in this fight
   */
  tip({ view, ship, target, sight, plan, calls }) {
    if (calls === 0) return "The target that a volley hurts most is chosen already: press Fire. Each ship acts once a round, and this page stops at each of yours.";
    if (calls === 1) return "The list shows each enemy's chance to be hit and the damage to expect. Shots at one ship until it is gone beat a scratch on each.";
    if (calls === 2) return "Stances are free: aggressive hits better and is hit more; evasive is the other way round, and acts earlier next round.";
    if (!target || !sight) return "";
    const name = shipName(target);
    const at = STANCES.indexOf(plan.stance);
    const hits = sight.groups.filter((chance) => chance.of !== "jam");
    const best = (/** @type {number} */ stance) => Math.max(0, ...hits.map((chance) => chance.chance[stance]));
    const left = hitPoints(target);
    const { overheat_damage: hot, heat_lock: lock, overtime_from: overtime } = this.figures;
    if (hits.length > 0 && sight.expected[at] >= left) return `A volley of the usual luck destroys ${name}.`;
    if (hits.length > 0 && !ship.overheat_locked && sight.expected[at] * hot >= left) return `Overheated, a volley of the usual luck destroys ${name}.`;
    if (hitPoints(ship) < 0.35 * hitPoints({ left: ship.max }) && plan.stance !== "evasive") return "This ship is nearly gone: evasive, it is harder to hit, and every hit point kept is worth points.";
    if (ship.capacitor < 0.25 * ship.capacitor_max) return "The capacitor runs low: what cannot pay stays silent. It comes back a little at the end of each round.";
    if (hits.length > 0 && best(at) < 0.25) return `${name} is hard to hit: small or fast. Take a larger or slower one, or slow it with a web first.`;
    if (plan.stance !== "aggressive" && hits.length > 0 && best(1) - best(at) >= 0.12) return `Aggressive, the chance against ${name} rises from ${percent(best(at))} to ${percent(best(1))}.`;
    if (hits.length > 0 && ship.heat === 0) return `The guns are cold: overheat now, and heat is back to ${Math.max(0, this.figures.heat_overheat - this.figures.heat_shed)} by the end of the round, below the lock at ${lock}.`;
    if (view.round > overtime) return "Overtime: every hit weighs more each round, theirs too.";
    if (hits.length === 0) return "This ship does not fire: its modules decide what it is worth.";
    return "";
  }

  /** The order of turns, in a sentence. @param {View} view */
  orderMeans(view) {
    const names = view.to_come.slice(0, 3).map((id) => shipName(view.ships[id]));
    const then = names.length > 0 ? `Then ${names.join(", then ")}.` : "Then the round ends.";
    return `Faster ships act first; of equally fast ones the smaller. ${then}`;
  }
}

/** A ship's hit points, all layers. @param {Pick<ShipView, "left">} ship */
export function hitPoints({ left }) {
  return left.shield + left.armor + left.hull;
}

/** `Rifter 2`: a ship's hull and its number. @param {ShipView} ship */
export function shipName(ship) {
  return `${ship.name} ${ship.id + 1}`;
}

/** `FIELD-REFIT RACKS` as `field-refit racks`. @param {string} text */
export const titled = (text) => text.toLowerCase();
