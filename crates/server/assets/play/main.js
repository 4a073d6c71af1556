/**
 * The play page: the reference client of OnGrid.
 *
 * It loads the engine, keeps fights on the device, shows one screen at a time and hands finished fights to the
 * referee. The fight that is played is named after the `#` of the address, so that a reload comes back to it.
 *
 * - `ongrid/`: the client package, the same files as in `clients/ongrid-js`
 * - `guide.js`: names and explanations · `setup.js`: choosing a fleet · `battle.js`: the fight · `craft.js`: its ships
 * - `narrate.js`: its log
 * - `verdict.js`: the end, the submission, the verdict · `dom.js`: small helpers
 *
 * @import {Entry} from "./ongrid/journal.js"
 */

import { Battle } from "./battle.js";
import { announce, fill, h, lettering } from "./dom.js";
import { Guide } from "./guide.js";
import { SetupForm } from "./setup.js";
import { VerdictView } from "./verdict.js";
import { Client, Problem } from "./ongrid/client.js";
import { Engine, ModuleDiffers, NotAnEngine } from "./ongrid/engine.js";
import { Journal, NotKept, TakenOver, entryOf, newEntry, randomId, randomSeed, replayOf } from "./ongrid/journal.js";
import { MODULES } from "./ongrid/modules.js";

const TAG = "ongrid-8";
const TOKEN = "ongrid/token";
const MODULE = MODULES[TAG];

const screen = /** @type {HTMLElement} */ (document.getElementById("play"));
const notices = /** @type {HTMLElement} */ (document.getElementById("notices"));
const journal = new Journal(localStorage);

/** Filled by `start`. @type {{engine: Engine, guide: Guide, ruleset: string}} */
let loaded;
/** Today, once the service has told. @type {import("./ongrid/http.js").DayBody | null} */
let today = null;
/** What is on the screen. @type {{close?: () => void} | null} */
let shown = null;

// --- The start -------------------------------------------------------------------------------------------------------

async function start() {
  try {
    const engine = await load();
    const tag = engine.tags().find(({ engine }) => engine === TAG);
    loaded = { engine, guide: new Guide(engine), ruleset: tag?.ruleset ?? "" };
  } catch (error) {
    return show(h("section", { class: "panel" }, h("h1", {}, "The engine did not start"), h("p", { id: "failed" }, whyNoEngine(error)), h("p", {}, "Fights begun on this device are kept."), h("button", { type: "button", onclick: () => location.reload() }, "Load it again")));
  }
  window.addEventListener("hashchange", route);
  journal.onTaken = () => stop(new TakenOver());
  route();
  ask();
}

async function load() {
  const response = await fetch(new URL(MODULE.file, import.meta.url));
  if (!response.ok) throw new Error(`the service answered ${response.status} for the engine module`);
  return Engine.load(await response.arrayBuffer(), { sha256: MODULE.sha256, engine: TAG });
}

/** @param {unknown} error */
function whyNoEngine(error) {
  if (error instanceof ModuleDiffers) return "The engine that arrived is not the one this page was made for: it was changed on its way, or is left over from another version. It was not run.";
  if (error instanceof NotAnEngine) return "The engine that arrived is damaged, or this browser cannot run it. It was not run.";
  return `The engine could not be loaded: ${/** @type {Error} */ (error).message}.`;
}

/** Asks the service for today and for its engines; the page works without an answer. */
async function ask() {
  const client = clientNow();
  const [rulesets, day] = await Promise.allSettled([client.rulesets(), client.today()]);
  if (rulesets.status === "fulfilled") {
    const theirs = rulesets.value.items.find(({ engine }) => engine === TAG);
    if (!theirs) notice("stale", "bad", `The referee no longer knows the engine ${TAG} of this page. Practice here goes on; nothing flown with it can be submitted. Reload the page for a newer one.`);
    else if (theirs.ruleset !== loaded.ruleset) notice("stale", "bad", "The referee's rules have changed since this page was made. Reload the page for the new engine; fights begun with the old one stay on this device and can be downloaded.");
  }
  if (day.status === "fulfilled") {
    today = day.value;
    showDaily();
  }
}

/** A lasting word to the player, one for each matter. @param {string} id @param {string} tone @param {...any} words */
function notice(id, tone, ...words) {
  document.getElementById(`notice-${id}`)?.remove();
  notices.append(h("div", { class: `notice ${tone}`, id: `notice-${id}`, role: "status" }, h("p", {}, words)));
}

// --- Screens ---------------------------------------------------------------------------------------------------------

/** Shows a screen in place of the last. @param {...any} content */
function show(...content) {
  shown?.close?.();
  shown = null;
  fill(screen, ...content);
}

/** Shows what the address names. */
function route() {
  const id = decodeURIComponent(location.hash.slice(1));
  const entry = id ? journal.get(id) : null;
  if (entry) takeUp(entry);
  else home();
}

/** Goes to a fight, or home. @param {string} [id] */
function go(id = "") {
  if (location.hash.slice(1) === id) route();
  else if (id) location.hash = id;
  else {
    history.pushState(null, "", location.pathname);
    route();
  }
}

function home() {
  journal.release();
  const practice = h("div", {});
  show(
    h("section", { class: "hero", "aria-labelledby": "title" }, h("div", { class: "hero-main" }, h("p", { class: "kicker" }, `Play · ${TAG}`), h("h1", { id: "title", class: "big" }, lettering("Fly the fight")), h("p", { class: "lead" }, "Your fleet against a doctrine's, turn by turn. You decide what each ship does; the same engine runs here and at the referee, so both see the same dice fall."))),
    saved(),
    h("section", { class: "panel", "aria-labelledby": "practice" }, h("h2", { id: "practice" }, "Practice"), h("p", { class: "dim" }, "Any doctrine, any level, no account, as often as you like. What is chosen is a fair fight: just begin, the fight explains itself."), practice, h("p", { class: "links" }, h("button", { type: "button", id: "begin", onclick: () => beginPractice(form) }, "Begin a practice fight"))),
    h("section", { class: "panel", "aria-labelledby": "daily" }, h("h2", { id: "daily" }, "Today's fight"), h("div", { id: "today" })),
  );
  const form = new SetupForm({ root: practice, engine: loaded.engine, guide: loaded.guide, client: clientNow(), fixed: null });
  showDaily();
}

/** Shows today's fight, where its place is on the screen. */
function showDaily() {
  const place = document.getElementById("today");
  if (place) fill(place, ...dailyPanel({ engine: loaded.engine, guide: loaded.guide }));
}

/** Fights on this device. */
function saved() {
  const entries = journal.list();
  if (entries.length === 0) return null;
  const states = { fighting: "not finished", over: "not submitted", acknowledged: "has its verdict", refused: "refused" };
  const row = (/** @type {Entry} */ entry) => {
    const doctrine = loaded.guide.doctrine(entry.setup.doctrine)?.name ?? entry.setup.doctrine;
    const kind = entry.kind === "attempt" ? `${entry.attempt?.kind ?? ""} attempt of ${entry.attempt?.day ?? ""}` : "practice";
    const verb = entry.state === "fighting" ? "Continue" : entry.state === "over" ? "Submit" : "Look";
    return h(
      "li",
      {},
      h("span", {}, h("strong", {}, `Against ${doctrine}`), ` · ${kind} · ${entry.calls.length} calls · ${states[entry.state]}`, h("br", {}), h("small", {}, `begun ${new Date(entry.begun_at).toLocaleString()}`)),
      h("span", { class: "links" }, h("button", { type: "button", id: `go-${entry.id}`, onclick: () => go(entry.id) }, verb), h("button", { type: "button", class: "quiet", "aria-label": `Forget the fight against ${doctrine}`, onclick: () => forget(entry) }, "Forget")),
    );
  };
  return h("section", { class: "panel", "aria-labelledby": "saved" }, h("h2", { id: "saved" }, "On this device"), h("ul", { class: "entries" }, entries.map(row)));
}

/** @param {Entry} entry */
function forget(entry) {
  const unsent = entry.state === "fighting" || entry.state === "over";
  if (unsent && !confirm("This fight has no verdict yet. Forget it for good?")) return;
  journal.remove(entry.id);
  home();
}

/** Today's fight: the doctrine, the token, the fleet. @param {{engine: Engine, guide: Guide}} parts */
function dailyPanel(parts) {
  if (!today) return [h("p", { class: "dim" }, "The service has not told yet what is fought today.")];
  const { doctrine, policy, closes_at: closes } = today;
  const lead = h("p", {}, h("strong", {}, doctrine.name), `, until ${new Date(closes).toLocaleString()}. Your first ${policy.ranked_attempts === 1 ? "attempt counts" : `${policy.ranked_attempts} attempts count`}; after that ${policy.practice_attempts} more may be flown. The fleet is frozen first, then the dice are shown, and from then on you have ${policy.attempt_minutes} minutes.`);
  if (today.engine !== TAG) return [lead, h("p", { class: "bad" }, `Today is fought with ${today.engine}, which this page does not play.`)];
  if (!token()) return [lead, loginForm()];
  const root = h("div", {});
  const form = new SetupForm({ root, ...parts, client: clientNow(), fixed: doctrine.id });
  return [
    lead,
    h("p", { class: "links" }, "You are logged in on this device.", h("button", { type: "button", class: "quiet", id: "logout", onclick: logOut }, "Log out")),
    root,
    h("p", { id: "daily-fault", class: "bad", role: "alert" }),
    h("p", { class: "links" }, h("button", { type: "button", id: "issue", onclick: () => beginAttempt(form) }, "Freeze the fleet and see the dice")),
  ];
}

// --- The token: on the device, in the Authorization header, nowhere else ---------------------------------------------

function token() {
  return sessionStorage.getItem(TOKEN) ?? localStorage.getItem(TOKEN);
}

function clientNow() {
  return new Client({ token: token() });
}

function loginForm() {
  const input = h("input", { type: "password", id: "token", name: "token", autocomplete: "current-password", required: true });
  const remember = h("input", { type: "checkbox", id: "remember" });
  const logIn = (/** @type {Event} */ event) => {
    event.preventDefault();
    (remember.checked ? localStorage : sessionStorage).setItem(TOKEN, input.value.trim());
    home();
    announce("Logged in on this device.");
    document.getElementById("issue")?.focus();
  };
  return h("form", { onsubmit: logIn, class: "login" }, h("input", { type: "text", name: "username", autocomplete: "username", value: "pilot", hidden: true }), h("label", { for: "token" }, "Your pilot's token"), input, h("label", {}, remember, " Remember it on this device"), h("button", { type: "submit", id: "login" }, "Log in"));
}

function logOut() {
  sessionStorage.removeItem(TOKEN);
  localStorage.removeItem(TOKEN);
  home();
}

// --- Fights ----------------------------------------------------------------------------------------------------------

/** @param {SetupForm} form */
function beginPractice(form) {
  if (form.judge().problem) return document.getElementById("judged")?.scrollIntoView();
  begin(newEntry({ id: randomId(), kind: "practice", engine: TAG, ruleset: loaded.ruleset, seed: randomSeed(), setup: form.setup() }));
}

/** Freezes a fleet with the referee; asked again with the same fleet it gives the same attempt. @param {SetupForm} form */
async function beginAttempt(form) {
  const fault = document.getElementById("daily-fault");
  const button = /** @type {HTMLButtonElement} */ (document.getElementById("issue"));
  button.disabled = true;
  try {
    const { doctrine, fleet } = form.setup();
    const attempt = await clientNow().issue({ doctrine, fleet });
    const { engine, ruleset } = attempt;
    const known = journal.get(attempt.attempt);
    if (known) return go(known.id);
    if (engine !== TAG || ruleset !== loaded.ruleset) {
      throw new Error("the attempt is of another engine than this page's: reload the page, the attempt stays open");
    }
    begin(entryOf(attempt));
  } catch (error) {
    const text = whyNoAttempt(/** @type {Error} */ (error));
    if (fault) fault.textContent = text;
  } finally {
    button.disabled = false;
  }
}

/** @param {Error} error */
function whyNoAttempt(error) {
  const code = error instanceof Problem ? error.code : "";
  if (code === "unauthorized") return "The token is not valid. Log out and in again with a valid one.";
  if (code === "attempt_open") {
    const open = journal.list().find((entry) => entry.kind === "attempt" && ["fighting", "over"].includes(entry.state));
    return open ? "An attempt with another fleet is open: it is under “On this device” above. Fly and submit it first." : "An attempt with another fleet is open, perhaps on another device. Submit it there, or wait until it expires.";
  }
  if (code === "no_attempt_left") return "You have no attempt left today. Practice is always open.";
  if (code === "day_closed") return "The day has just closed. Reload the page for the next one.";
  return `${error.message}. Nothing is lost: with the same fleet you get the same attempt.`;
}

/** @param {Entry} entry */
function begin(entry) {
  journal.take(entry);
  go(entry.id);
}

/** Takes up a fight where it was left. @param {Entry} entry */
async function takeUp(entry) {
  if (entry.id !== journal.playing && (await journal.isElsewhere(entry.id))) return elsewhere(entry);
  if (entry.engine !== TAG || entry.ruleset !== loaded.ruleset) return outdated(entry);
  journal.take(entry);
  let fight;
  try {
    fight = loaded.engine.open(replayOf(entry));
  } catch (no) {
    return damaged(entry, `${/** @type {Error} */ (no).message}.`);
  }
  if (fight.opened.desync !== undefined) {
    return damaged(entry, `From call ${fight.opened.desync + 1} on the engine reckons something else than when it was played.`);
  }
  if (fight.view().turn === null) {
    fight.close();
    return over(entry);
  }
  const root = h("div", { class: "battle" });
  const limit = h("p", { id: "limit" });
  show(heading(entry, limit), root, explanation(entry, fight));
  const deadline = entry.attempt && countDown(limit, entry.attempt.expires_at);
  const battle = new Battle({
    root,
    fight,
    guide: loaded.guide,
    calls: entry.calls.length,
    onCall: (call) => {
      record(entry, call, fight.step.checkpoint);
      deadline?.tell();
    },
    onOver: () => finish(entry),
  });
  shown = {
    close: () => {
      deadline?.stop();
      battle.close();
    },
  };
  document.getElementById("turn")?.scrollIntoView({ block: "nearest" });
}

/** Whom one fights, and until when. @param {Entry} entry @param {HTMLElement} limit */
function heading(entry, limit) {
  const doctrine = loaded.guide.doctrine(entry.setup.doctrine)?.name ?? entry.setup.doctrine;
  const kind = entry.attempt ? `${entry.attempt.kind} attempt of ${entry.attempt.day}` : "practice";
  return h(
    "div",
    { class: "heading" },
    h("h1", {}, `Against ${doctrine}`, h("small", {}, kind)),
    limit,
    h("button", { type: "button", class: "quiet", id: "leave", onclick: () => go() }, "Leave", h("span", { class: "aside" }, "; the fight is kept")),
  );
}

/**
 * Shows how long an attempt still takes its replay. Browsers let the clocks of hidden pages run late: it is looked at
 * again when the page is shown, and with every call.
 * @param {HTMLElement} limit @param {string} expires
 */
function countDown(limit, expires) {
  const tell = () => {
    const seconds = Math.ceil((Date.parse(expires) - Date.now()) / 1000);
    if (seconds > 0) {
      const minutes = Math.floor(seconds / 60);
      return fill(limit, `Submit within ${minutes > 0 ? `${minutes} min` : `${seconds} s`}`);
    }
    end();
    fill(limit);
    notice("expired", "bad", "The time of this attempt is over: the referee takes its replay no more. You may fly the fight to its end; it stays on this device.");
  };
  const clock = setInterval(tell, 1000);
  const end = () => {
    clearInterval(clock);
    document.removeEventListener("visibilitychange", tell);
  };
  const stop = () => {
    end();
    document.getElementById("notice-expired")?.remove();
  };
  document.addEventListener("visibilitychange", tell);
  tell();
  return { tell, stop };
}

/** How a fight goes, below it. @param {Entry} entry @param {import("./ongrid/engine.js").Fight} fight */
function explanation(entry, fight) {
  const { guide } = loaded;
  const { figures } = guide;
  const part = (/** @type {string} */ name, /** @type {string} */ text) => h("p", {}, h("strong", {}, name), " ", text);
  return h(
    "details",
    { class: "brief" },
    h("summary", {}, "How a fight goes"),
    part("Turns.", "Each round every ship has one turn, the fastest first, of equally fast ones the smaller. When it is the turn of one of yours the fight waits for you."),
    part("Damage", "goes through shield, armor and hull, and each resists each type of damage differently. A turret's chance falls with the target's speed and grows with its size; missiles always land, but apply less to small and fast ships."),
    part("Heat.", `An overheated volley does ${Math.round((figures.overheat_damage - 1) * 100)} % more damage and adds ${figures.heat_overheat} heat; above ${figures.heat_lock} overheating is locked; ${figures.heat_shed} go at the end of each round.`),
    part("Electronic warfare", `lasts ${figures.effect_rounds} rounds, ends with the ship that projects it, and adds up, each further one with less effect. Being jammed outlives the jammer.`),
    part("The end.", `Destroy the hostile fleet, or have the larger share of hit points left after round ${figures.last_round}. From round ${figures.overtime_from + 1} on all damage grows.`),
    part("What they bring.", guide.calibration(fight.opened.snapshot).join(" ")),
    h("p", {}, h("a", { href: "/rules/ongrid-8" }, "All the rules"), `. What is thrown comes from one stream of dice that the seed ${entry.seed.slice(0, 8)}… fixes: the referee throws the same.`),
  );
}

/** @param {Entry} entry @param {object} call @param {string} checkpoint */
function record(entry, call, checkpoint) {
  entry.calls.push(call);
  entry.checkpoints.push(checkpoint);
  keep(entry);
}

/** Writes a fight down; a device that keeps nothing does not stop the fight. @param {Entry} entry */
function keep(entry) {
  try {
    journal.save(entry);
  } catch (error) {
    if (error instanceof TakenOver) return stop(error);
    if (error instanceof NotKept) return notice("kept", "bad", "This device keeps nothing for this page (no room, or a private window). Do not reload before you have submitted the fight, or it is gone.");
    throw error;
  }
}

/** @param {Entry} entry */
function finish(entry) {
  entry.state = "over";
  keep(entry);
  if (journal.playing === entry.id) over(entry);
}

/** The end of a fight. @param {Entry} entry */
function over(entry) {
  if (entry.state === "fighting") entry.state = "over";
  const verified = loaded.engine.verify(replayOf(entry));
  const root = h("div", {});
  show(root);
  shown = new VerdictView({
    root,
    verified,
    entry,
    guide: loaded.guide,
    client: clientNow,
    journal,
    onAgain: () => (entry.kind === "practice" ? begin(newEntry({ ...start_of(entry), id: randomId(), seed: randomSeed() })) : go()),
    onLeave: () => go(),
  });
  document.getElementById("result")?.focus();
}

/** @param {Entry} entry */
function start_of({ kind, engine, ruleset, setup }) {
  return { kind, engine, ruleset, setup };
}

// --- What can go wrong with a fight ----------------------------------------------------------------------------------

/** @param {Entry} entry */
function elsewhere(entry) {
  show(
    h("section", { class: "panel" }, h("h1", { tabindex: "-1", id: "elsewhere" }, "This fight is open in another tab"), h("p", {}, "A fight is flown in one tab at a time, so that no call is made twice. Go on over there, or take it over: the other tab stops, and nothing is lost."), h("p", { class: "links" }, h("button", { type: "button", id: "take", onclick: () => takeOver(entry) }, "Go on here"), h("button", { type: "button", class: "quiet", onclick: () => go() }, "Leave it there"))),
  );
  document.getElementById("elsewhere")?.focus();
}

/** @param {Entry} entry */
function takeOver(entry) {
  journal.take(journal.get(entry.id) ?? entry);
  route();
}

/** Another tab has the fight now. @param {Error} _reason */
function stop(_reason) {
  journal.release();
  show(h("section", { class: "panel" }, h("h1", {}, "The fight goes on in another tab"), h("p", { id: "taken" }, "It was taken over there. Every call made here is part of it."), h("button", { type: "button", onclick: () => go() }, "Back")));
  announce("The fight goes on in another tab.");
}

/** The engine is another than the fight was begun with. @param {Entry} entry */
function outdated(entry) {
  show(
    h(
      "section",
      { class: "panel" },
      h("h1", {}, "The engine has changed since this fight began"),
      h("p", { id: "outdated" }, `It was begun with ${entry.engine}, ruleset ${entry.ruleset.slice(0, 12)}; this page has ${TAG}, ruleset ${loaded.ruleset.slice(0, 12)}. Played on with other rules it would be another fight, so it is left as it is: ${entry.calls.length} calls, all kept.`),
      h("p", { class: "links" }, downloadLink(entry), h("button", { type: "button", class: "quiet", onclick: () => go() }, "Back")),
    ),
  );
}

/** The record does not give the fight that it says. @param {Entry} entry @param {string} why */
function damaged(entry, why) {
  show(
    h("section", { class: "panel" }, h("h1", {}, "This fight cannot be taken up"), h("p", { id: "damaged" }, `${why} The record on this device was changed, or the engine was. It is left as it is.`), h("p", { class: "links" }, downloadLink(entry), h("button", { type: "button", class: "quiet", onclick: () => go() }, "Back"))),
  );
}

/** @param {Entry} entry */
function downloadLink(entry) {
  const blob = new Blob([JSON.stringify(replayOf(entry))], { type: "application/json" });
  return h("a", { href: URL.createObjectURL(blob), download: `ongrid-${entry.id}.json` }, "Download the replay");
}

start();
