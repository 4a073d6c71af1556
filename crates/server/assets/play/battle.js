/**
 * The fight on the screen: who acts, what may be done, what that is likely to do, and what came of it.
 *
 * The engine decides everything; this file shows its view and turns clicks into calls. Each call is written down on
 * the device before the screen shows what came of it. The ships themselves are drawn by `craft.js`.
 *
 * @import {Call, Event, GroupView, ShipView, Sight, Stance, View} from "./ongrid/types.js"
 */

import { bar, craft, outline } from "./craft.js";
import { announce, figure, fill, h, percent } from "./dom.js";
import { STANCES, hitPoints, shipName } from "./guide.js";
import { changes, narrate } from "./narrate.js";

/** Single keys, as they are named on the buttons; they can be switched off. */
const KEYS = { fire: "f", hold: "h", overheat: "o", stance: "s" };

/** What the player is about to do. @typedef {{stance: Stance, target: number | null, overheat: boolean}} Plan */

/** A fight on the screen. */
export class Battle {
  /**
   * @param {object} parts
   * @param {HTMLElement} parts.root
   * @param {import("./ongrid/engine.js").Fight} parts.fight
   * @param {import("./guide.js").Guide} parts.guide
   * @param {number} parts.calls how many calls were made before: the first turns of a fight are explained
   * @param {(call: Call) => void} parts.onCall is told every call that was made, before it is shown
   * @param {() => void} parts.onOver
   */
  constructor({ root, fight, guide, calls, onCall, onOver }) {
    this.root = root;
    this.fight = fight;
    this.guide = guide;
    this.calls = calls;
    this.onCall = onCall;
    this.onOver = onOver;
    /** @type {View} */
    this.view = fight.view();
    /** What would be legal now. @type {Call[]} */
    this.legal = fight.legal() ?? [];
    /** @type {Event[]} */
    this.events = [...fight.step.events];
    /** Where in the log the last call's events begin; a fight taken up again shows the same as before. */
    this.fresh = Math.max(0, this.events.findLastIndex((event) => event.event === "turn" && this.view.ships[event.ship].side === "pilot"));
    /** @type {Plan} */
    this.plan = { stance: "standard", target: null, overheat: false };
    this.keys = localStorage.getItem("ongrid/keys") !== "off";
    this.whyOpen = false;
    this.moreOpen = false;
    this.message = "";
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.#key(event);
    document.addEventListener("keydown", this.onKey);
    this.#planTurn();
    this.render();
  }

  /** Leaves the screen. */
  close() {
    document.removeEventListener("keydown", this.onKey);
    this.fight.close();
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
    const share = (/** @type {Sight} */ sight) => sight.expected[at] / hitPoints(this.view.ships[sight.target]);
    const best = this.view.sights.reduce((best, sight) => (share(sight) > share(best) ? sight : best), this.view.sights[0]);
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
    const begin = performance.now();
    try {
      this.fight.call(call);
    } catch (no) {
      // The buttons offer only what is legal; what is refused all the same has changed nothing.
      this.message = `${/** @type {Error} */ (no).message}.`;
      announce(this.message);
      this.render();
      return;
    }
    this.view = this.fight.view();
    this.legal = this.fight.legal() ?? [];
    performance.measure("ongrid/step", { start: begin });
    this.message = "";
    this.calls += 1;
    this.onCall(call);
    const { events } = this.fight.step;
    this.fresh = this.events.length;
    this.events.push(...events);
    const loud = events.map((event) => narrate(event, this.view)).filter((told) => told?.loud);
    const turn = this.ship ? `Round ${this.view.round}. It is the turn of ${shipName(this.ship)}.` : "";
    announce([...loud.map((told) => told?.text), turn].join(" "));
    this.#planTurn();
    this.render();
    performance.measure("ongrid/show", { start: begin });
    if (this.view.turn === null) this.onOver();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { target } = event;
    const typing = target instanceof HTMLInputElement && !["radio", "checkbox"].includes(target.type);
    if (!this.keys || typing || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || !this.ship) return;
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
    const { view, guide, plan } = this;
    const changed = changes(this.events.slice(this.fresh));
    const cards = (/** @type {"pilot" | "hostile"} */ side) =>
      view.ships.filter((ship) => ship.side === side).map((ship) => {
        const aim = this.sight(ship.id) ? () => this.#choose({ target: ship.id }) : null;
        return craft(ship, { view, guide, change: changed.get(ship.id), aimed: plan.target === ship.id && this.ship !== null, aim });
      });
    fill(
      this.root,
      this.#clock(),
      this.#order(),
      h(
        "div",
        { class: "field" },
        h("section", { class: "fleet own", "aria-labelledby": "ours" }, h("h2", { id: "ours" }, "Your fleet"), cards("pilot")),
        h("div", { class: "middle" }, h("section", { class: "panel decide", "aria-labelledby": "turn" }, this.#turn()), this.#log()),
        h("section", { class: "fleet foe", "aria-labelledby": "theirs" }, h("h2", { id: "theirs", class: "foe" }, "Hostile fleet"), cards("hostile")),
      ),
    );
  }

  /** Round, overtime, hit points of both sides. */
  #clock() {
    const { view, guide } = this;
    const own = view.pilot.now / view.pilot.max;
    const foe = view.hostile.now / view.hostile.max;
    const overtime = view.overtime > 1 ? `Overtime: all damage × ${figure(view.overtime)}` : `overtime from round ${guide.figures.overtime_from + 1}`;
    return h(
      "div",
      { class: "rounds" },
      bar("own", own, `You ${percent(own)}`),
      h("p", {}, h("strong", { id: "round" }, `Round ${view.round}`), h("small", {}, `of ${view.last_round} · ${overtime}`)),
      bar("foe", foe, `They ${percent(foe)}`),
    );
  }

  /** The order of turns of this round. */
  #order() {
    const { view } = this;
    const item = (/** @type {number} */ id) => {
      const ship = view.ships[id];
      const jammed = ship.jam_until >= view.round;
      const waits = view.to_come.includes(id);
      const state = !ship.alive ? "destroyed" : id === view.turn ? "now" : waits ? "to-come" : "acted";
      const words = !ship.alive ? "destroyed" : id === view.turn ? "acts now" : !waits ? "has acted" : jammed ? "is jammed" : "is still to act";
      return h(
        "li",
        { class: `${ship.side === "pilot" ? "own" : "foe"} ${state}`, "aria-current": id === view.turn ? "step" : null },
        outline(this.guide.hullClass(ship.hull)),
        shipName(ship),
        h("span", { class: "aside" }, `, ${words}`),
        jammed && ship.alive ? h("span", { class: "mark" }, " jammed") : null,
      );
    };
    return h(
      "section",
      { class: "turns", "aria-labelledby": "order" },
      h("h2", { id: "order", class: "aside" }, "Order of turns"),
      h("ol", { class: "scroll", tabindex: "0", "aria-labelledby": "order" }, view.order.map(item)),
      view.turn === null ? null : h("p", { class: "hint" }, this.guide.orderMeans(view)),
    );
  }

  /** What the ship whose turn it is may do. */
  #turn() {
    const { ship, view, plan } = this;
    if (!ship) return h("h2", { id: "turn" }, "The fight is over");
    const target = plan.target === null ? null : view.ships[plan.target];
    return [
      h("h2", { id: "turn" }, `Your turn: ${shipName(ship)}`),
      this.message ? h("p", { class: "refused", role: "alert" }, this.message) : null,
      h("p", { class: "tip" }, this.guide.tip({ view, ship, target, plan, calls: this.calls, sight: this.sight(plan.target) })),
      this.#targets(ship),
      this.#fire(ship, target),
      this.#stances(ship),
      this.#modules(ship, target),
      h(
        "div",
        { class: "rest" },
        h("button", { type: "button", id: "hold", onclick: () => this.act({ do: "hold" }) }, "Hold", key(this.keys && KEYS.hold)),
        h("span", { class: "hint" }, `Let the turn pass. At the end of every round ${figure(ship.capacitor_recharge)} GJ come back and ${this.guide.figures.heat_shed} heat goes.`),
      ),
      h(
        "details",
        { class: "more", open: this.moreOpen, ontoggle: (/** @type {any} */ event) => (this.moreOpen = event.target.open) },
        h("summary", {}, "More"),
        h("label", {}, h("input", { type: "checkbox", id: "keys", checked: this.keys, onchange: () => this.#switchKeys() }), " Single keys: F fire, H hold, O overheat, S stance, 1–9 target"),
        h("button", { type: "button", id: "concede", class: "danger", onclick: () => this.#askConcede() }, "Give the fight up"),
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

  /** The enemies, with what a volley promises. @param {ShipView} ship */
  #targets(ship) {
    const { view, plan } = this;
    const at = STANCES.indexOf(plan.stance);
    const heat = plan.overheat ? this.guide.figures.overheat_damage : 1;
    const row = (/** @type {Sight} */ sight, /** @type {number} */ place) => {
      const enemy = view.ships[sight.target];
      const left = hitPoints(enemy);
      const hits = sight.groups.filter((chance) => chance.of !== "jam");
      const chances = [...new Set(hits.map((chance) => percent(chance.chance[at])))];
      const expected = sight.expected[at] * heat;
      const promise = hits.length === 0 ? "" : expected >= left ? "destroys it" : `−${figure(expected)}`;
      return h(
        "label",
        { class: `aim ${expected >= left ? "deadly" : ""}` },
        h("input", { type: "radio", name: "target", id: `target-${enemy.id}`, value: enemy.id, checked: plan.target === enemy.id, onchange: () => this.#choose({ target: enemy.id }) }),
        h("span", { class: "who" }, shipName(enemy), key(this.keys && place < 9 && String(place + 1))),
        h("span", { class: "chance" }, chances.join(" / "), h("span", { class: "aside" }, hits.length > 0 ? " chance or application," : "no weapons reach it")),
        h("span", { class: "promise" }, promise, h("span", { class: "aside" }, ` expected of ${figure(left)} left`)),
        h("span", { class: "left", style: { "--left": left / hitPoints({ left: enemy.max }), "--take": Math.min(1, expected / left) }, "aria-hidden": "true" }),
      );
    };
    const armed = ship.groups.some((group) => this.guide.isWeapon(group));
    return h(
      "fieldset",
      { class: "targets" },
      h("legend", {}, armed ? "Target: chance, expected damage" : "Target"),
      view.sights.map(row),
    );
  }

  /** @param {ShipView} ship @param {ShipView | null} target */
  #fire(ship, target) {
    const weapons = ship.groups.filter((group) => this.guide.isWeapon(group));
    if (weapons.length === 0) return h("p", { class: "hint" }, "This ship has no weapons.");
    const { figures } = this.guide;
    const sight = target && this.sight(target.id);
    const cost = weapons.reduce((sum, group) => sum + (group.cost ?? 0), 0);
    const none = !weapons.some((group) => group.ready);
    const reason = none ? `No weapon can pay: the capacitor has ${figure(ship.capacitor)} GJ.` : target ? "" : "Choose a target.";
    const overheat = this.plan.overheat ? { overheat: true } : {};
    return h(
      "div",
      { class: "fire" },
      h("button", { type: "button", id: "fire", class: "primary", disabled: reason !== "", onclick: () => this.act({ do: "fire", target: target?.id, ...overheat }) }, `Fire at ${target ? shipName(target) : "…"}`, key(this.keys && KEYS.fire)),
      reason ? h("p", { class: "hint" }, reason) : null,
      h(
        "label",
        { class: "tick" },
        h("input", { type: "checkbox", id: "overheat", checked: this.plan.overheat, disabled: ship.overheat_locked || none, onchange: () => this.#choose({ overheat: !this.plan.overheat }) }),
        h("span", {}, h("strong", {}, "Overheat"), key(this.keys && KEYS.overheat), ` damage × ${figure(figures.overheat_damage)} for ${figures.heat_overheat} heat. `, ship.overheat_locked ? `Locked: heat ${ship.heat} is above ${figures.heat_lock}.` : `Heat is ${ship.heat}; locked above ${figures.heat_lock}; ${figures.heat_shed} go each round.`),
      ),
      target && sight && sight.groups.length > 0
        ? h(
            "details",
            { class: "why", open: this.whyOpen, ontoggle: (/** @type {any} */ event) => (this.whyOpen = event.target.open) },
            h("summary", {}, "Why these chances?"),
            h("ul", {}, sight.groups.map((chance) => h("li", {}, h("strong", {}, this.guide.groupName(ship.groups[chance.group])), h("br", {}), this.guide.whyChance(ship, target, chance, this.plan.stance)))),
            cost > 0 ? h("p", { class: "hint" }, `A full volley costs ${figure(cost)} of ${figure(ship.capacitor)} GJ.`) : null,
          )
        : null,
    );
  }

  /** @param {ShipView} ship */
  #stances(ship) {
    const { stance: chosen } = this.plan;
    const option = (/** @type {Stance} */ stance) =>
      h(
        "label",
        { class: "stance" },
        h("input", { type: "radio", name: "stance", id: `stance-${stance}`, value: stance, checked: chosen === stance, "aria-describedby": "stance-means", onchange: () => this.#choose({ stance }) }),
        h("span", {}, stance),
      );
    return h(
      "fieldset",
      { class: "stances" },
      h("legend", {}, "Stance, free to switch", key(this.keys && KEYS.stance)),
      STANCES.map(option),
      h("p", { class: "hint", id: "stance-means" }, `${chosen === ship.stance ? "As now" : "Switches with your next action"}: ${figure(this.guide.speedIn(ship, chosen))} m/s; ${this.guide.stanceCost(chosen)}.`),
    );
  }

  /** @param {ShipView} ship @param {ShipView | null} target */
  #modules(ship, target) {
    const active = ship.groups.map((group, at) => ({ group, at })).filter(({ group }) => this.guide.isActive(group));
    if (active.length === 0) return null;
    const targetsOf = (/** @type {number} */ at) => this.legal.filter((call) => call.do === "activate" && call.group === at).map((call) => ("target" in call ? call.target : undefined));
    return h(
      "fieldset",
      { class: "modules" },
      h("legend", {}, "Or, instead of firing"),
      active.map(({ group, at }) => this.#module(ship, target, group, at, targetsOf(at))),
    );
  }

  /** @param {ShipView} ship @param {ShipView | null} target @param {GroupView} group @param {number} at @param {(number | undefined)[]} targets */
  #module(ship, target, group, at, targets) {
    const { guide, view } = this;
    const remote = guide.isRemote(group);
    const onSelf = targets.includes(undefined);
    const why = guide.whyNot(group, ship);
    const cost = group.uses === undefined ? `${figure(group.cost ?? 0)} GJ` : `${group.uses} charges left`;
    const running = view.effects.find((effect) => effect.number === group.effect);
    const choose = (/** @type {number | undefined} */ id) => this.act({ do: "activate", group: at, ...(id === undefined ? {} : { target: id }) });
    const hostile = !remote && !onSelf;
    const aimed = hostile && target && targets.includes(target.id) ? target : null;
    const jam = this.sight(aimed?.id ?? null)?.groups.find((chance) => chance.group === at && chance.of === "jam");
    return h(
      "div",
      { class: "module" },
      h(
        "div",
        { class: "buttons" },
        remote && targets.length > 0 ? h("span", {}, `${guide.deed(group)}:`) : null,
        remote
          ? targets.map((id) => this.#ally(group, view.ships[/** @type {number} */ (id)], at, () => choose(id)))
          : h("button", { type: "button", id: `group-${at}`, disabled: targets.length === 0 || (hostile && !aimed), onclick: () => choose(hostile ? aimed?.id : undefined) }, `${guide.deed(group)}${aimed ? ` ${shipName(aimed)}` : ""}`),
      ),
      h(
        "small",
        {},
        `${guide.groupName(group)}, ${cost}: ${guide.deedMeans(group)}.`,
        jam && aimed ? ` ${guide.whyChance(ship, aimed, jam, this.plan.stance)}.` : "",
        running ? ` Working on ${shipName(view.ships[running.target])} until the end of round ${running.last_round}; again, it starts anew.` : "",
        why ? ` Not now: ${why}.` : remote && targets.length === 0 ? " Not now: there is no ally." : "",
      ),
    );
  }

  /** The button that helps an ally, with how much of the layer it has. @param {GroupView} group @param {ShipView} ally @param {number} at @param {() => void} help */
  #ally(group, ally, at, help) {
    const layer = group.class === "remote-armor-repairer" ? "armor" : "shield";
    const share = ally.left[layer] / ally.max[layer];
    return h("button", { type: "button", id: `group-${at}-${ally.id}`, "aria-label": `${this.guide.deed(group)}: ${shipName(ally)}, ${percent(share)} left`, class: share < 1 ? "hurt" : "", onclick: help }, `${shipName(ally)} ${percent(share)}`);
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


/** The key of a button. @param {string | false} name */
function key(name) {
  return name ? h("kbd", { "aria-hidden": "true" }, name.toUpperCase()) : null;
}
