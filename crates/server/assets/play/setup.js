/**
 * Choosing a fleet: a doctrine's own at one of five levels, or one's own, pasted. The engine judges it while it is
 * chosen, and says what the doctrine would bring against it.
 *
 * @import {Setup, Snapshot} from "./ongrid/types.js"
 */

import { announce, fill, h } from "./dom.js";
import { outline } from "./craft.js";
import { titled } from "./guide.js";

const LEVELS = [0, 1, 2, 3, 4];
const KEPT = "ongrid/fleet";

/** What is chosen. @typedef {{doctrine: string, hulls: string, level: number, skill: number, own: string}} Choice */

/** The choice of a fleet on the screen. */
export class SetupForm {
  /**
   * @param {object} parts
   * @param {HTMLElement} parts.root
   * @param {import("./ongrid/engine.js").Engine} parts.engine
   * @param {import("./guide.js").Guide} parts.guide
   * @param {import("./ongrid/client.js").Client} parts.client for fitting text, which the service reads
   * @param {string | null} parts.fixed the doctrine of the day, where it is not for the player to choose
   */
  constructor({ root, engine, guide, client, fixed }) {
    this.root = root;
    this.engine = engine;
    this.guide = guide;
    this.client = client;
    this.fixed = fixed;
    const first = fixed ?? guide.catalogue.doctrines[0].id;
    /** @type {Choice} */
    this.choice = { doctrine: first, hulls: first, level: 0, skill: guide.figures.max_skill, own: "", ...kept() };
    if (fixed) this.choice.doctrine = fixed;
    if (!guide.doctrine(this.choice.doctrine)) this.choice.doctrine = first;
    if (!guide.doctrine(this.choice.hulls)) this.choice.hulls = first;
    /** What is wrong with the pasted text, in words. */
    this.fault = "";
    this.ownOpen = this.choice.own !== "";
    this.render();
  }

  /** The setup as chosen; skills are left out where the pilot's registered ones are used. @returns {Setup} */
  setup() {
    const { doctrine, hulls, level, skill, own } = this.choice;
    const fleet = own === "" ? this.guide.doctrine(hulls)?.fleets[level] : fleetOf(own);
    const skills = /** @type {any} */ (Object.fromEntries(this.guide.catalogue.skills.map(({ id }) => [id, skill])));
    return { doctrine, skills, fleet: /** @type {any} */ (fleet) };
  }

  /** What the engine says of the choice. @returns {{snapshot: Snapshot, problem: null} | {snapshot: null, problem: string}} */
  judge() {
    try {
      const fight = this.engine.open({ engine: "ongrid-8", seed: "0", setup: this.setup() });
      const snapshot = /** @type {Snapshot} */ (fight.opened.snapshot);
      fight.close();
      return { snapshot, problem: null };
    } catch (no) {
      return { snapshot: null, problem: inWords(/** @type {any} */ (no)) };
    }
  }

  /** @param {Partial<Choice>} change */
  #choose(change) {
    Object.assign(this.choice, change);
    this.fault = "";
    try {
      localStorage.setItem(KEPT, JSON.stringify(this.choice));
    } catch {
      // What is not kept is chosen again; nothing else depends on it.
    }
    this.render();
    announce(this.judge().problem ?? "The fleet is legal.");
  }

  /** Takes a pasted text: JSON as it is, fitting text by way of the service. @param {string} text */
  async #paste(text) {
    if (text.trim() === "" || looksLikeJson(text)) return this.#choose({ own: text.trim() });
    try {
      const skills = { ...this.setup().skills };
      const judged = await this.client.ask("check", { body: { eft: text, doctrine: this.choice.doctrine, skills } });
      if (!judged.setup) {
        const fault = judged.faults[0];
        this.fault = fault ? `Line ${fault.line}: ${fault.message ?? fault.text}` : (judged.reason?.message ?? "The text is no fleet.");
        return this.render();
      }
      this.#choose({ own: JSON.stringify(judged.setup.fleet, null, 1) });
    } catch (error) {
      this.fault = `Fitting text is read by the service: ${/** @type {Error} */ (error).message}.`;
      this.render();
    }
  }

  render() {
    const { guide, choice, fixed } = this;
    const doctrines = guide.catalogue.doctrines;
    const met = guide.doctrine(choice.doctrine);
    const options = (/** @type {string} */ chosen) => doctrines.map(({ id, name }) => h("option", { value: id, selected: id === chosen }, name));
    const { snapshot, problem } = this.judge();
    fill(
      this.root,
      h(
        "div",
        { class: "choices" },
        fixed
          ? h("p", { class: "dim" }, `You meet ${met?.name}: at most ${met?.max_ships} ships and ${met?.points} points of hulls.`)
          : h("div", {}, h("label", { for: "doctrine" }, "You meet"), h("select", { id: "doctrine", onchange: (/** @type {any} */ event) => this.#choose({ doctrine: event.target.value, hulls: choice.own === "" && choice.hulls === choice.doctrine ? event.target.value : choice.hulls }) }, options(choice.doctrine)), h("small", {}, `At most ${met?.max_ships} ships and ${met?.points} points of hulls.`)),
        h("div", {}, h("label", { for: "hulls" }, "You fly the hulls of"), h("select", { id: "hulls", onchange: (/** @type {any} */ event) => this.#choose({ hulls: event.target.value, own: "" }) }, options(choice.hulls))),
        h("div", {}, h("label", { for: "level" }, "With"), h("select", { id: "level", onchange: (/** @type {any} */ event) => this.#choose({ level: Number(event.target.value), own: "" }) }, LEVELS.map((level) => h("option", { value: level, selected: level === choice.level }, `${titled(guide.figures.racks[level])} (level ${level})`)))),
        fixed
          ? h("p", { class: "dim" }, "Your registered skills are flown.")
          : h("div", {}, h("label", { for: "skill" }, "Crews trained to"), h("select", { id: "skill", onchange: (/** @type {any} */ event) => this.#choose({ skill: Number(event.target.value) }) }, LEVELS.concat(guide.figures.max_skill).map((level) => h("option", { value: level, selected: level === choice.skill }, `level ${level}`)))),
      ),
      h(
        "details",
        { open: this.ownOpen, ontoggle: (/** @type {any} */ event) => (this.ownOpen = event.target.open) },
        h("summary", {}, choice.own === "" ? "Or paste a fleet of your own" : "You fly a fleet of your own"),
        h("label", { for: "own" }, "EVE fitting text, or JSON as in a replay's setup; empty: the fleet chosen above"),
        h("textarea", { id: "own", rows: 6, spellcheck: "false", value: choice.own, "aria-describedby": "own-fault", onchange: (/** @type {any} */ event) => this.#paste(event.target.value) }),
        h("p", { id: "own-fault", class: "bad" }, this.fault),
      ),
      problem === null ? this.#legal(snapshot) : h("div", { class: "notice bad", id: "judged" }, h("p", {}, `This fleet may not fight. ${problem}`)),
    );
  }

  /** @param {Snapshot} snapshot */
  #legal(snapshot) {
    const { guide } = this;
    const fleet = (/** @type {{hull: string, fit: any[]}[]} */ ships) =>
      h("ul", { class: "lines" }, ships.map(({ hull, fit }) => h("li", {}, h("strong", {}, guide.hullName(hull)), " ", h("small", {}, fit.map((group) => guide.groupName(group)).join(", ")))));
    const line = (/** @type {string} */ side, /** @type {string} */ name, /** @type {{hull: string}[]} */ ships) =>
      h("div", { class: side }, h("strong", {}, name), h("ul", {}, ships.map(({ hull }) => h("li", {}, outline(guide.hullClass(hull)), guide.hullName(hull)))));
    const walked = snapshot.hostile.flatMap(({ walk_down: steps }) => steps).length;
    return h(
      "div",
      { id: "judged" },
      h("div", { class: "lineup" }, line("own", "You", snapshot.pilot), line("foe", "They", snapshot.hostile)),
      h("p", {}, guide.calibration(snapshot).join(" "), walked > 0 ? ` ${walked} of its modules were taken down a tier or left out, because hulls have only so much cpu and power.` : ""),
      h(
        "details",
        {},
        h("summary", {}, "What each ship carries"),
        h("div", { class: "both" }, h("div", { class: "own" }, h("h3", {}, "You"), fleet(snapshot.pilot)), h("div", { class: "foe" }, h("h3", {}, "They"), fleet(snapshot.hostile))),
      ),
    );
  }
}

/** The choice of last time. @returns {Partial<Choice>} */
function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "{}");
  } catch {
    return {};
  }
}

/** @param {string} text */
const looksLikeJson = (text) => /^\s*[{[]\s*["{\]}]/.test(text);

/** The fleet in a JSON text: the list itself, a setup, or a replay. @param {string} text */
function fleetOf(text) {
  const read = JSON.parse(text);
  return Array.isArray(read) ? read : (read.setup?.fleet ?? read.fleet ?? read);
}

/** Why a fleet may not fight. @param {{message: string, detail?: {ship?: number, group?: number}, path?: string}} no */
function inWords({ message, detail, path }) {
  const place = [];
  if (detail?.ship !== undefined) place.push(`ship ${detail.ship + 1}`);
  if (detail?.group !== undefined) place.push(`group ${detail.group + 1}`);
  const where = place.join(", ") || path;
  return where ? `${message} (${where}).` : `${message}.`;
}
