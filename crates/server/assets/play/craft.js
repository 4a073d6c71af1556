/**
 * A ship on the screen: what it has left, how it flies, what others do to it.
 *
 * @import {ShipView, View} from "./ongrid/types.js"
 */

import { figure, h, percent } from "./dom.js";
import { shipName } from "./guide.js";

const LAYERS = /** @type {const} */ (["shield", "armor", "hull"]);
const SVG = "http://www.w3.org/2000/svg";

/** The site's own drawings of hulls, bow to the right. */
const OUTLINES = {
  frigate: "M6 8L19 12L6 16L9 12Z",
  destroyer: "M3 9L21 12L3 15L6 12Z",
  cruiser: "M3 7H12L21 12L12 17H3L7 12Z",
  battlecruiser: "M2 5L10 4L22 12L10 20L2 19L7 12Z",
  battleship: "M2 4H13L22 10V14L13 20H2L5 15V9Z",
};

/** What an effect makes of a ship, by the class of what projects it. */
const STATES = {
  "stasis-webifier": "webbed",
  "target-painter": "painted",
  "tracking-disruptor": "tracking disrupted",
  "guidance-disruptor": "guidance disrupted",
  "sensor-dampener": "dampened",
};

/** The drawing of a class of hulls. @param {string} kind */
export function outline(kind) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "ship");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", OUTLINES[/** @type {keyof typeof OUTLINES} */ (kind)] ?? "M12 4L20 12L12 20L4 12Z");
  svg.append(path);
  return svg;
}

/** A bar with its figure in words. @param {string} kind @param {number} share @param {any} words */
export function bar(kind, share, words) {
  return h("div", { class: `gauge ${kind}`, style: { "--share": Math.max(0, Math.min(1, share)) } }, h("span", {}, words));
}

/**
 * The card of a ship.
 * @param {ShipView} ship
 * @param {object} parts
 * @param {View} parts.view
 * @param {import("./guide.js").Guide} parts.guide
 * @param {number} [parts.change] hit points that the last call and what followed took off it, or gave it
 * @param {boolean} parts.aimed
 * @param {(() => void) | null} parts.aim makes it the target; a shortcut for what the list of targets offers
 */
export function craft(ship, { view, guide, change, aimed, aim }) {
  const head = h(
    "h3",
    {},
    outline(guide.hullClass(ship.hull)),
    h("span", {}, shipName(ship)),
    ship.role === "line" ? null : h("span", { class: "tag" }, ship.role),
    change ? h("span", { class: `change ${change < 0 ? "loss" : "gain"}` }, `${change < 0 ? "−" : "+"}${figure(Math.abs(change))}`) : null,
  );
  if (!ship.alive) {
    return h("article", { class: "craft destroyed", id: `ship-${ship.id}` }, head, h("p", {}, `Destroyed in round ${ship.destroyed_round}.`));
  }
  const { heat_lock: lock } = guide.figures;
  return h(
    "article",
    { class: `craft ${ship.id === view.turn ? "acting" : ""} ${aimed ? "aimed" : ""} ${aim ? "takes-aim" : ""}`, id: `ship-${ship.id}`, onclick: aim && ((/** @type {any} */ event) => event.target.closest("details") ?? aim()) },
    head,
    h("div", { class: "layers" }, LAYERS.map((layer) => bar(layer, ship.left[layer] / ship.max[layer], [layer, " ", h("b", {}, figure(ship.left[layer])), h("span", { class: "aside" }, ` of ${figure(ship.max[layer])}`)]))),
    h(
      "div",
      { class: "layers" },
      bar("capacitor", ship.capacitor / ship.capacitor_max, ["capacitor ", h("b", {}, figure(ship.capacitor)), h("span", { class: "aside" }, ` of ${figure(ship.capacitor_max)}`), " GJ"]),
      bar(ship.overheat_locked ? "heat locked" : "heat", ship.heat / (lock + guide.figures.heat_overheat), ["heat ", h("b", {}, ship.heat), ship.overheat_locked ? " locked" : ""]),
    ),
    h("p", { class: "now-facts" }, `${figure(ship.speed)} m/s · signature ${figure(ship.signature)} m · `, h("span", { class: `in-${ship.stance}` }, ship.stance)),
    states(ship, view),
    h(
      "details",
      { class: "fit" },
      h("summary", {}, "Fit and resistances", h("span", { class: "aside" }, ` of ${shipName(ship)}`)),
      h("ul", {}, ship.groups.map((group) => h("li", {}, guide.groupName(group)))),
      h("p", {}, `Gains ${figure(ship.capacitor_recharge)} GJ a round.`),
      resistances(ship),
    ),
  );
}

/** Jam and effects on a ship, each with its timer. @param {ShipView} ship @param {View} view */
function states(ship, view) {
  const lasts = (/** @type {number} */ round) => (round === view.round ? "this round" : `${round - view.round + 1} rounds`);
  const on = view.effects.filter((effect) => effect.target === ship.id).map((effect) => {
    const source = view.ships[effect.source];
    const { count } = source.groups[effect.group];
    const factors = effect.multipliers.map((factor) => `× ${figure(factor)}${count > 1 ? `, ${count} times` : ""}`).join(" and ");
    const state = STATES[/** @type {keyof typeof STATES} */ (effect.class)] ?? effect.class;
    return h("li", {}, `${state} `, h("b", {}, lasts(effect.last_round)), h("small", {}, ` ${factors}, by ${shipName(source)}`));
  });
  if (ship.jam_until >= view.round) on.unshift(h("li", { class: "jammed" }, "jammed ", h("b", {}, lasts(ship.jam_until))));
  return on.length > 0 ? h("ul", { class: "states" }, on) : null;
}

/** What each layer resists of each type of damage. @param {ShipView} ship */
function resistances(ship) {
  const types = ["EM", "Thermal", "Kinetic", "Explosive"];
  return h(
    "table",
    {},
    h("caption", {}, "Damage resisted"),
    h("thead", {}, h("tr", {}, h("td", {}), types.map((type) => h("th", { scope: "col" }, h("abbr", { title: type }, type.slice(0, 3)))))),
    h("tbody", {}, LAYERS.map((layer, at) => h("tr", {}, h("th", { scope: "row" }, layer), ship.resonance[at].map((passes) => h("td", {}, percent(1 - passes)))))),
  );
}
