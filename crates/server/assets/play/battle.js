/**
 * The fight on the screen: who acts, what may be done, what that is likely to do, and what came of it.
 *
 * The engine decides everything; this file shows its view and turns clicks into calls. Each call is written down on
 * the device before the screen shows what came of it.
 *
 * @import {Call, Event, GroupView, ShipView, Sight, Stance, View} from "./ongrid/types.js"
 */

import { announce, figure, fill, h, percent } from "./dom.js";
import { STANCES, shipName } from "./guide.js";
import { narrate } from "./narrate.js";

const LAYERS = /** @type {const} */ (["shield", "armor", "hull"]);

/** Single keys, as they are named on the buttons; they can be switched off. */
const KEYS = { fire: "f", hold: "h", overheat: "o", stance: "s", help: "?" };

/** What the player is about to do. @typedef {{stance: Stance, target: number | null, overheat: boolean}} Plan */

/** A fight on the screen. */
export class Battle {
  /**
   * @param {object} parts
   * @param {HTMLElement} parts.root
   * @param {import("./ongrid/engine.js").Fight} parts.fight
   * @param {import("./guide.js").Guide} parts.guide
   * @param {(call: Call) => void} parts.onCall is told every call that was made, before it is shown
   * @param {() => void} parts.onOver
   */
  constructor({ root, fight, guide, onCall, onOver }) {
    Object.assign(this, { root, fight, guide, onCall, onOver });
    this.root = root;
    this.fight = fight;
    this.guide = guide;
    this.onCall = onCall;
    this.onOver = onOver;
    /** @type {View} */
    this.view = fight.view();
    /** @type {Event[]} */
    this.events = [...fight.step.events];
    /** Where in the log the last call's events begin. */
    this.fresh = 0;
    /** @type {Plan} */
    this.plan = { stance: "standard", target: null, overheat: false };
    this.keys = localStorage.getItem("ongrid/keys") !== "off";
    this.message = "";
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.#key(event);
    document.addEventListener("keydown", this.onKey);
    this.#planTurn();
    this.render();
  }

  /** Leaves the screen. */
  close() {
    document.removeEventListener("keydown", this.onKey);
  }

  /** The ship whose turn it is. */
  get ship() {
    return this.view.turn === null ? null : this.view.ships[this.view.turn];
  }

  /** What is known of an enemy. @param {number | null} id */
  sight(id) {
    return this.view.sights.find((sight) => sight.target === id) ?? null;
  }

  /** Begins a turn with a sensible plan: the stance as it is, the enemy that a volley brings nearest to its end. */
  #planTurn() {
    const ship = this.ship;
    if (!ship) return;
    const at = STANCES.indexOf(ship.stance);
    let best = null;
    for (const sight of this.view.sights) {
      const share = sight.expected[at] / hitPoints(this.view.ships[sight.target]);
      if (best === null || share > best.share) best = { share, target: sight.target };
    }
    this.plan = { stance: ship.stance, target: best?.target ?? null, overheat: false };
  }

  /** Makes a call of the ship whose turn it is. @param {Record<string, any>} action */
  act(action) {
    const ship = this.ship;
    if (!ship) return;
    const stance = this.plan.stance === ship.stance ? {} : { stance: this.plan.stance };
    this.#call(/** @type {Call} */ ({ ship: ship.id, ...action, ...stance }));
  }

  /** Gives up. */
  concede() {
    this.#call({ do: "concede" });
  }

  /** @param {Call} call */
  #call(call) {
    try {
      this.fight.call(call);
    } catch (no) {
      // The buttons offer only what is legal; what is refused all the same has changed nothing.
      this.message = `${/** @type {Error} */ (no).message}.`;
      announce(this.message);
      this.render();
      return;
    }
    this.message = "";
    this.onCall(call);
    const events = this.fight.step.events;
    this.fresh = this.events.length;
    this.events.push(...events);
    this.view = this.fight.view();
    const loud = events.map((event) => narrate(event, this.view)).filter((told) => told?.loud);
    const turn = this.ship ? `Round ${this.view.round}. It is the turn of ${shipName(this.ship)}.` : "";
    announce([...loud.map((told) => told?.text), turn].join(" "));
    this.#planTurn();
    this.render();
    if (this.view.turn === null) this.onOver();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { target } = event;
    const typing = target instanceof HTMLInputElement && !["radio", "checkbox"].includes(target.type);
    if (!this.keys || typing || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return;
    if (event.ctrlKey || event.metaKey || event.altKey || !this.ship) return;
    const key = event.key.toLowerCase();
    const enemies = this.view.sights.map((sight) => sight.target);
    if (key === KEYS.fire) document.getElementById("fire")?.click();
    else if (key === KEYS.hold) document.getElementById("hold")?.click();
    else if (key === KEYS.overheat) document.getElementById("overheat")?.click();
    else if (key === KEYS.stance) this.#choose({ stance: STANCES[(STANCES.indexOf(this.plan.stance) + 1) % 3] });
    else if (/^[1-9]$/.test(key) && enemies[Number(key) - 1] !== undefined) this.#choose({ target: enemies[Number(key) - 1] });
    else return;
    event.preventDefault();
  }

  /** @param {Partial<Plan>} change */
  #choose(change) {
    Object.assign(this.plan, change);
    this.render();
  }

  render() {
    const { view } = this;
    const sides = { pilot: /** @type {ShipView[]} */ ([]), hostile: /** @type {ShipView[]} */ ([]) };
    for (const ship of view.ships) sides[ship.side].push(ship);
    fill(
      this.root,
      this.#clock(),
      this.#order(),
      h(
        "div",
        { class: "field" },
        h("section", { class: "fleet own", "aria-labelledby": "ours" }, h("h2", { id: "ours" }, "Your fleet"), sides.pilot.map((ship) => this.#card(ship))),
        h("section", { class: "panel decide", "aria-labelledby": "turn" }, this.#turn()),
        h("section", { class: "fleet foe", "aria-labelledby": "theirs" }, h("h2", { id: "theirs" }, "Hostile fleet"), sides.hostile.map((ship) => this.#card(ship))),
      ),
      this.#log(),
    );
  }

  /** Round, overtime, hit points of both sides. */
  #clock() {
    const { view, guide } = this;
    const share = (/** @type {{now: number, max: number}} */ side) => side.now / side.max;
    const overtime =
      view.overtime > 1
        ? `Overtime: all damage × ${figure(view.overtime)}.`
        : `Overtime begins after round ${guide.figures.overtime_from}.`;
    return h(
      "div",
      { class: "rounds" },
      h("p", {}, h("strong", { id: "round" }, `Round ${view.round} of ${view.last_round}`), ` ${overtime} After the last round the fleet with the larger share of its hit points wins.`),
      h(
        "div",
        { class: "tally" },
        bar("own", share(view.pilot), `Your fleet has ${percent(share(view.pilot))} of its hit points`),
        bar("foe", share(view.hostile), `The hostile fleet has ${percent(share(view.hostile))} of its hit points`),
      ),
    );
  }

  /** The order of turns of this round. */
  #order() {
    const { view } = this;
    const item = (/** @type {number} */ id) => {
      const ship = view.ships[id];
      const jammed = ship.jam_until >= view.round;
      const when = id === view.turn ? "acts now" : view.to_come.includes(id) ? (jammed ? "is jammed" : "is still to act") : "has acted";
      const state = !ship.alive ? "destroyed" : id === view.turn ? "now" : view.to_come.includes(id) ? "to-come" : "acted";
      return h(
        "li",
        { class: `${ship.side === "pilot" ? "own" : "foe"} ${state}`, "aria-current": id === view.turn ? "step" : null },
        shipName(ship),
        h("span", { class: "aside" }, `, ${ship.alive ? when : "destroyed"}`),
        jammed && ship.alive ? h("span", { class: "mark", title: "jammed" }, " ⌁") : null,
      );
    };
    return h(
      "section",
      { class: "turns", "aria-labelledby": "order" },
      h("h2", { id: "order" }, "Order of turns"),
      h("ol", {}, view.order.map(item)),
      view.turn === null ? null : h("p", { class: "hint" }, this.guide.orderMeans(view)),
    );
  }

  /** A ship. @param {ShipView} ship */
  #card(ship) {
    const { view } = this;
    const name = shipName(ship);
    if (!ship.alive) {
      return h("article", { class: "craft destroyed", id: `ship-${ship.id}` }, h("h3", {}, name), h("p", {}, `Destroyed in round ${ship.destroyed_round}.`));
    }
    const on = view.effects.filter((effect) => effect.target === ship.id);
    const facts = [
      `${figure(ship.speed)} m/s`,
      `signature ${figure(ship.signature)} m`,
      `stance ${ship.stance}`,
      ship.jam_until >= view.round ? `jammed until the end of round ${ship.jam_until}` : "",
      ...on.map((effect) => `${this.#effectWords(effect)} until the end of round ${effect.last_round}`),
    ];
    return h(
      "article",
      { class: `craft ${ship.id === view.turn ? "acting" : ""} ${this.plan.target === ship.id ? "aimed" : ""}`, id: `ship-${ship.id}` },
      h("h3", {}, name, ship.role === "line" ? null : h("span", { class: "tag" }, ship.role)),
      LAYERS.map((layer) => bar(layer, ship.left[layer] / ship.max[layer], `${layer} ${figure(ship.left[layer])} of ${figure(ship.max[layer])}`)),
      bar("capacitor", ship.capacitor / ship.capacitor_max, `capacitor ${figure(ship.capacitor)} of ${figure(ship.capacitor_max)} GJ, +${figure(ship.capacitor_recharge)} a round`),
      ship.heat > 0 ? bar(ship.overheat_locked ? "heat locked" : "heat", ship.heat / 100, `heat ${ship.heat}${ship.overheat_locked ? ": too hot to overheat" : ""}`) : null,
      h("p", { class: "now-facts" }, facts.filter(Boolean).join(" · ")),
      this.#aim(ship),
      h(
        "details",
        { class: "fit" },
        h("summary", {}, "Fit and resistances", h("span", { class: "aside" }, ` of ${name}`)),
        h("ul", {}, ship.groups.map((group) => h("li", {}, this.guide.groupName(group)))),
        resistances(ship),
      ),
    );
  }

  /** @param {View["effects"][number]} effect */
  #effectWords(effect) {
    const words = { "stasis-webifier": "webbed", "target-painter": "painted", "tracking-disruptor": "tracking disrupted", "guidance-disruptor": "guidance disrupted", "sensor-dampener": "dampened" };
    const source = this.view.ships[effect.source];
    const { count } = source.groups[effect.group];
    const factors = effect.multipliers.map((factor) => `× ${figure(factor)}${count > 1 ? `, ${count} times` : ""}`).join(" and ");
    return `${words[/** @type {keyof typeof words} */ (effect.class)] ?? effect.class} by ${shipName(source)} (${factors})`;
  }

  /** Where an enemy may be fired at: the choice, with what a volley promises. @param {ShipView} ship */
  #aim(ship) {
    const sight = this.sight(ship.id);
    if (!sight || !this.ship) return null;
    const at = STANCES.indexOf(this.plan.stance);
    const hits = sight.groups.filter((chance) => chance.of !== "jam");
    const number = this.view.sights.indexOf(sight) + 1;
    const chances = hits.map((chance) => `${percent(chance.chance[at])} ${chance.of === "hit" ? "to hit" : "applies"}`);
    const share = sight.expected[at] / hitPoints(ship);
    const promise = hits.length === 0 ? "no weapons" : `${[...new Set(chances)].join(", ")} · about ${figure(sight.expected[at])} damage, ${share >= 1 ? "enough to destroy it" : `${percent(share)} of what it has left`}`;
    return h(
      "label",
      { class: "aim" },
      h("input", { type: "radio", name: "target", id: `target-${ship.id}`, value: ship.id, checked: this.plan.target === ship.id, onchange: () => this.#choose({ target: ship.id }) }),
      h("span", {}, h("strong", {}, `Target ${this.keys ? number : ""}`), h("span", { class: "aside" }, ` ${shipName(ship)}`), ` ${promise}`),
    );
  }

  /** What the ship whose turn it is may do. */
  #turn() {
    const { ship, view, plan } = this;
    if (!ship) return [h("h2", { id: "turn", tabindex: "-1" }, "The fight is over")];
    const target = plan.target === null ? null : view.ships[plan.target];
    return [
      h("h2", { id: "turn" }, `Your turn: ${shipName(ship)}`),
      this.message ? h("p", { class: "refused", role: "alert" }, this.message) : null,
      this.#stances(ship),
      this.#fire(ship, target),
      this.#modules(ship, target),
      h(
        "div",
        { class: "rest" },
        h("button", { type: "button", id: "hold", onclick: () => this.act({ do: "hold" }) }, "Hold", key(this.keys && KEYS.hold)),
        h("span", { class: "hint" }, `Do nothing: ${figure(Math.min(ship.capacitor_recharge, ship.capacitor_max - ship.capacitor))} GJ come back and ${this.guide.figures.heat_shed} heat goes at the end of every round anyway.`),
      ),
      h(
        "details",
        { class: "more" },
        h("summary", {}, "More"),
        h("label", {}, h("input", { type: "checkbox", id: "keys", checked: this.keys, onchange: () => this.#switchKeys() }), " Single keys: F fire, H hold, O overheat, S stance, 1–9 target"),
        h("p", {}, h("button", { type: "button", id: "concede", class: "danger", onclick: () => this.#askConcede() }, "Give the fight up")),
      ),
    ];
  }

  #switchKeys() {
    this.keys = !this.keys;
    localStorage.setItem("ongrid/keys", this.keys ? "on" : "off");
    this.render();
  }

  #askConcede() {
    if (confirm("Give up? The fight is lost and scores 0.")) this.concede();
  }

  /** @param {ShipView} ship */
  #stances(ship) {
    const option = (/** @type {Stance} */ stance) =>
      h(
        "label",
        { class: "stance" },
        h("input", { type: "radio", name: "stance", id: `stance-${stance}`, value: stance, checked: this.plan.stance === stance, onchange: () => this.#choose({ stance }) }),
        h("span", {}, h("strong", {}, stance), stance === ship.stance ? " (now)" : "", ` ${figure(this.guide.speedIn(ship, stance))} m/s`, h("small", {}, this.guide.stanceCost(stance))),
      );
    return h("fieldset", {}, h("legend", {}, "Stance, free to switch", key(this.keys && KEYS.stance)), STANCES.map(option));
  }

  /** @param {ShipView} ship @param {ShipView | null} target */
  #fire(ship, target) {
    const weapons = ship.groups.filter((group) => this.guide.isWeapon(group));
    if (weapons.length === 0) return h("p", { class: "hint" }, "This ship has no weapons.");
    const { figures } = this.guide;
    const sight = target && this.sight(target.id);
    const cost = weapons.reduce((sum, group) => sum + (group.cost ?? 0), 0);
    const none = !weapons.some((group) => group.ready);
    const reason = none ? `no weapon group can pay: the capacitor has ${figure(ship.capacitor)} GJ` : target ? "" : "choose a target";
    return h(
      "fieldset",
      { class: "fire" },
      h("legend", {}, "Fire"),
      h("button", { type: "button", id: "fire", class: "primary", disabled: reason !== "", onclick: () => this.act({ do: "fire", target: target?.id, ...(this.plan.overheat ? { overheat: true } : {}) }) }, `Fire at ${target ? shipName(target) : "…"}`, key(this.keys && KEYS.fire)),
      reason ? h("p", { class: "hint" }, reason) : null,
      h(
        "label",
        {},
        h("input", { type: "checkbox", id: "overheat", checked: this.plan.overheat, disabled: ship.overheat_locked || none, onchange: () => this.#choose({ overheat: !this.plan.overheat }) }),
        ` Overheat${this.keys ? " (O)" : ""}: damage × ${figure(figures.overheat_damage)} for ${figures.heat_overheat} heat. `,
        ship.overheat_locked
          ? `Locked: heat ${ship.heat} is above ${figures.heat_lock}.`
          : `Heat now ${ship.heat}; above ${figures.heat_lock} it is locked; ${figures.heat_shed} go each round.`,
      ),
      cost > 0 ? h("p", { class: "hint" }, `A full volley costs ${figure(cost)} of ${figure(ship.capacitor)} GJ.`) : null,
      target && sight
        ? h(
            "details",
            { class: "why", open: this.whyOpen ?? true, ontoggle: (/** @type {any} */ event) => (this.whyOpen = event.target.open) },
            h("summary", {}, `Why these chances against ${shipName(target)}`),
            h("ul", {}, sight.groups.map((chance) => h("li", {}, `${this.guide.groupName(ship.groups[chance.group])}: ${this.guide.whyChance(ship, target, chance, this.plan.stance)}`))),
          )
        : null,
    );
  }

  /** @param {ShipView} ship @param {ShipView | null} target */
  #modules(ship, target) {
    const active = ship.groups.map((group, at) => ({ group, at })).filter(({ group }) => this.guide.isActive(group));
    if (active.length === 0) return null;
    const legal = this.fight.legal() ?? [];
    const targetsOf = (/** @type {number} */ at) => legal.filter((call) => call.do === "activate" && call.group === at).map((call) => ("target" in call ? call.target : undefined));
    return h(
      "fieldset",
      {},
      h("legend", {}, "Or activate a module"),
      active.map(({ group, at }) => this.#module(ship, target, group, at, targetsOf(at))),
    );
  }

  /** @param {ShipView} ship @param {ShipView | null} target @param {GroupView} group @param {number} at @param {(number | undefined)[]} targets */
  #module(ship, target, group, at, targets) {
    const remote = this.guide.isRemote(group);
    const onSelf = targets.includes(undefined);
    const why = this.guide.whyNot(group, ship);
    const cost = group.uses === undefined ? `${figure(group.cost ?? 0)} GJ` : `${group.uses} charges left`;
    const running = this.view.effects.find((effect) => effect.number === group.effect);
    const choose = (/** @type {number | undefined} */ id) => this.act({ do: "activate", group: at, ...(id === undefined ? {} : { target: id }) });
    const hostile = !remote && !onSelf;
    const aimed = hostile && target && targets.includes(target.id) ? target : null;
    return h(
      "div",
      { class: "module" },
      remote
        ? targets.map((id) => h("button", { type: "button", id: `group-${at}-${id}`, onclick: () => choose(id) }, `${this.guide.deed(group)}: ${shipName(this.view.ships[/** @type {number} */ (id)])}`))
        : h("button", { type: "button", id: `group-${at}`, disabled: targets.length === 0 || (hostile && !aimed), onclick: () => choose(hostile ? aimed?.id : undefined) }, `${this.guide.deed(group)}${aimed ? ` ${shipName(aimed)}` : ""}`),
      h(
        "small",
        {},
        `${this.guide.groupName(group)}, ${cost}: ${this.guide.deedMeans(group)}.`,
        running ? ` Working on ${shipName(this.view.ships[running.target])} until the end of round ${running.last_round}; again, it starts anew.` : "",
        why ? ` Not now: ${why}.` : remote && targets.length === 0 ? " Not now: there is no ally." : "",
      ),
    );
  }

  /** What happened, the latest round first. */
  #log() {
    const rounds = new Map();
    this.events.forEach((event, at) => {
      const told = narrate(event, this.view);
      if (!told) return;
      const lines = rounds.get(event.round) ?? [];
      lines.push(h(told.tone === "round" ? "h3" : "p", { class: `${told.tone} ${at >= this.fresh ? "fresh" : ""}` }, told.text));
      rounds.set(event.round, lines);
    });
    const [latest, ...earlier] = [...rounds.values()].reverse();
    return h(
      "section",
      { class: "panel happenings", "aria-labelledby": "log" },
      h("h2", { id: "log" }, "What happened"),
      h("div", { class: "round" }, latest ?? []),
      earlier.length === 0 ? null : h("details", {}, h("summary", {}, "Earlier rounds"), earlier.map((lines) => h("div", { class: "round" }, lines))),
    );
  }
}

/** A ship's hit points, all layers. @param {ShipView} ship */
export function hitPoints({ left }) {
  return left.shield + left.armor + left.hull;
}

/** A bar with its figure in words. @param {string} kind @param {number} share @param {string} words */
function bar(kind, share, words) {
  const bounded = Math.max(0, Math.min(1, share));
  return h("div", { class: `gauge ${kind}`, style: { "--share": bounded } }, h("span", {}, words));
}

/** The key of a button. @param {string | false} name */
function key(name) {
  return name ? h("kbd", { "aria-hidden": "true" }, name.toUpperCase()) : null;
}

/** What each layer takes of each type of damage. @param {ShipView} ship */
function resistances(ship) {
  const types = ["EM", "Thermal", "Kinetic", "Explosive"];
  return h(
    "table",
    {},
    h("caption", {}, "Damage resisted"),
    h("thead", {}, h("tr", {}, h("td", {}), types.map((type) => h("th", { scope: "col" }, type)))),
    h("tbody", {}, LAYERS.map((layer, at) => h("tr", {}, h("th", { scope: "row" }, layer), ship.resonance[at].map((passes) => h("td", {}, percent(1 - passes)))))),
  );
}
