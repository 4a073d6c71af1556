/**
 * After the fight: what it came to, and the referee's verdict beside what this device reckoned.
 *
 * @import {Outcome, Verified} from "./ongrid/types.js"
 * @import {Entry} from "./ongrid/journal.js"
 * @import {VerdictBody} from "./ongrid/http.js"
 */

import { outline } from "./craft.js";
import { announce, figure, fill, h, lettering, percent, points } from "./dom.js";
import { hitPoints } from "./guide.js";
import { ended } from "./narrate.js";
import { Problem } from "./ongrid/client.js";
import { TakenOver, replayOf, submit } from "./ongrid/journal.js";

/** What a refusal means to the player, where the service's sentence does not say what to do. */
const ADVICE = {
  attempt_spent: "This attempt has its verdict already, from another device or tab. The replay kept here changes nothing any more; it is still yours to download.",
  attempt_expired: "The attempt ran out of time before the replay arrived. It does not count, and the fight is still yours to download.",
  day_closed: "The day closed before the replay arrived. The fight is still yours to download.",
  engine: "The referee plays by a newer engine than the one this fight was flown with. Reload the page for the new one; this fight can be downloaded.",
  ruleset: "The referee's rules have other figures than those this fight was flown with. Reload the page for the new ones; this fight can be downloaded.",
  setup_differs: "The replay is not of the fleet and the dice that the attempt froze.",
  not_found: "The referee knows no such attempt of yours: perhaps it is another pilot's. Log in as the pilot who began it.",
};

/** The end of a fight on the screen. */
export class VerdictView {
  /**
   * @param {object} parts
   * @param {HTMLElement} parts.root
   * @param {Verified} parts.verified what the engine here says of the whole replay
   * @param {Entry} parts.entry
   * @param {import("./guide.js").Guide} parts.guide
   * @param {() => import("./ongrid/client.js").Client} parts.client
   * @param {import("./ongrid/journal.js").Journal} parts.journal
   * @param {() => void} parts.onAgain
   * @param {() => void} parts.onLeave
   */
  constructor({ root, verified, entry, guide, client, journal, onAgain, onLeave }) {
    this.root = root;
    this.verified = verified;
    this.entry = entry;
    this.guide = guide;
    this.client = client;
    this.journal = journal;
    this.onAgain = onAgain;
    this.onLeave = onLeave;
    /** What goes on, in words. */
    this.status = "";
    /** @type {AbortController | null} */
    this.sending = null;
    this.render();
  }

  /** Leaves the screen; what is being sent is sent again another time. */
  close() {
    this.sending?.abort(new DOMException("left", "AbortError"));
  }

  /** Hands the fight to the referee. */
  async send() {
    this.close();
    const sending = new AbortController();
    this.sending = sending;
    this.#say("The replay is on its way to the referee.");
    try {
      await submit(this.client(), this.journal, this.entry, {
        signal: sending.signal,
        onWait: (reason, seconds) => this.#say(`${sentence(reason)} Your fight is kept on this device; it is tried again in ${Math.round(seconds)} s.`),
      });
      this.#say(this.entry.verdict ? "The referee has answered." : "The referee refuses the replay.");
    } catch (error) {
      if (sending.signal.aborted) return;
      if (error instanceof Problem && error.status === 401) this.#say("The token is not valid. Log in again with a valid one, then submit; the fight is kept on this device.");
      else if (error instanceof Problem && error.status === 403) this.#say(`${sentence(error)} The fight is kept on this device.`);
      else if (error instanceof TakenOver) this.#say("This fight goes on in another tab. Look there for the verdict.");
      else this.#say(`${sentence(/** @type {Error} */ (error))} The fight is kept on this device.`);
    } finally {
      if (this.sending === sending) this.sending = null;
      this.render();
    }
  }

  /** @param {string} text */
  #say(text) {
    this.status = text;
    announce(text);
    this.render();
  }

  render() {
    const { verified, entry } = this;
    const outcome = /** @type {Outcome} */ (verified.outcome);
    const tone = outcome.result === "victory" ? "own" : outcome.result === "defeat" ? "foe" : "even";
    fill(
      this.root,
      h(
        "section",
        { class: `hero ${tone}`, "aria-labelledby": "result" },
        h("div", { class: "hero-main" }, h("p", { class: "kicker" }, entry.kind === "attempt" ? `Attempt ${entry.attempt?.number ?? ""} · ${entry.attempt?.kind ?? ""}` : "Practice"), h("h1", { id: "result", class: "big", tabindex: "-1" }, lettering({ victory: "Victory", defeat: "Defeat", draw: "Draw" }[outcome.result])), h("p", { class: "lead" }, `${ended(outcome.result, outcome.decided_by)} ${outcome.rounds} rounds, ${outcome.calls} calls.`)),
        h("div", { class: "hero-side" }, h("p", { class: "score" }, h("span", { class: "label" }, "Score"), h("strong", { class: "points-big" }, points(outcome.score)))),
      ),
      h("div", { class: "ending" }, this.#score(outcome), this.#submission()),
      entry.verdict ? this.#comparison(entry.verdict) : null,
      this.#ships(outcome),
      h(
        "p",
        { class: "links" },
        h("button", { type: "button", class: "quiet", id: "again", onclick: this.onAgain }, entry.kind === "attempt" ? "Fly another" : "Fly it again, other dice"),
        h("button", { type: "button", class: "quiet", id: "leave", onclick: this.onLeave }, "Back"),
        this.#download(),
      ),
    );
  }

  /** Where the points come from (§11). @param {Outcome} outcome */
  #score(outcome) {
    const { score: figures, last_round: last } = this.guide.figures;
    const { pilot, hostile, result, decided_by: by } = outcome;
    const level = this.verified.snapshot?.level ?? 0;
    const rows = /** @type {[string, number][]} */ ([]);
    if (by === "concession") rows.push(["A concession scores nothing", 0]);
    else {
      rows.push([`Damage: ${percent(1 - hostile.now / hostile.max)} of the hostile fleet's hit points`, Math.floor(figures.damage * (1 - hostile.now / hostile.max))]);
      rows.push([`Survival: ${percent(pilot.now / pilot.max)} of your own`, Math.floor((figures.survival * pilot.now) / pilot.max)]);
      if (result !== "defeat") rows.push([result === "victory" ? "Victory" : "Draw", result === "victory" ? figures.victory : figures.draw]);
      if (result === "victory" && by === "destruction") rows.push([`${last - outcome.rounds} rounds left`, figures.per_round_left * (last - outcome.rounds)]);
      if (result !== "defeat") rows.push([`Level ${level} of the calibration`, figures.per_level * level]);
    }
    return h(
      "section",
      { class: "panel", "aria-labelledby": "score" },
      h("h2", { id: "score" }, "Score"),
      h("table", { class: "sum" }, h("tbody", {}, rows.map(([what, value]) => h("tr", {}, h("th", { scope: "row" }, what), h("td", { class: "n" }, points(value)))), h("tr", { class: "total" }, h("th", { scope: "row" }, "In all"), h("td", { class: "n" }, points(outcome.score))))),
    );
  }

  /** What each ship did, and what became of it. @param {Outcome} outcome */
  #ships({ ships }) {
    const fate = (/** @type {Outcome["ships"][number]} */ ship) => (ship.destroyed_round === null ? `${figure(hitPoints(ship))} left` : `lost in round ${ship.destroyed_round}`);
    const row = (/** @type {Outcome["ships"][number]} */ ship) =>
      h("tr", { class: `${ship.side === "pilot" ? "own" : "foe"} ${ship.destroyed_round === null ? "" : "lost"}` }, h("th", { scope: "row" }, outline(this.guide.hullClass(ship.hull)), `${this.guide.hullName(ship.hull)} ${ship.id + 1}`), h("td", { class: "n" }, figure(ship.damage_dealt)), h("td", { class: "n" }, figure(ship.damage_taken)), h("td", { class: "n" }, fate(ship)));
    return h(
      "section",
      { class: "panel", "aria-labelledby": "deeds" },
      h("h2", { id: "deeds" }, "What each ship did"),
      h("table", { class: "deeds" }, h("thead", {}, h("tr", {}, ["Ship", "dealt", "taken", "hit points"].map((name, at) => h("th", { scope: "col", class: at ? "n" : "" }, name)))), h("tbody", {}, ships.map(row))),
    );
  }

  #submission() {
    const { entry } = this;
    const what = entry.kind === "attempt" ? "The referee replays your calls with the same dice and decides. Its verdict is what counts." : "The referee replays your calls and says what it makes of them. Practice is stored nowhere.";
    const done = entry.state === "acknowledged";
    const advice = entry.problem ? (ADVICE[/** @type {keyof typeof ADVICE} */ (entry.problem.code)] ?? "The replay is kept on this device and can be downloaded.") : "";
    return h(
      "section",
      { class: "panel", "aria-labelledby": "referee" },
      h("h2", { id: "referee" }, "The referee"),
      entry.problem ? h("div", { class: "notice bad", id: "problem" }, h("p", {}, h("strong", {}, `Refused: ${entry.problem.detail}.`)), h("p", {}, advice)) : null,
      done ? null : h("p", {}, what),
      this.status ? h("p", { id: "status", class: "status" }, this.status) : null,
      done ? null : h("button", { type: "button", id: "submit", onclick: () => this.send() }, this.sending ? "Try now" : entry.problem ? "Submit again" : "Submit to the referee"),
      entry.verdict?.rank ? h("p", { class: "lead", id: "rank" }, `Rank ${points(entry.verdict.rank.rank)} of ${points(entry.verdict.rank.of)} on the day's board, ahead of or level with ${entry.verdict.rank.percentile} %.`) : null,
      entry.verdict?.fight ? h("p", { class: "links" }, h("a", { href: `/fights/${entry.verdict.fight}` }, "The fight as it was stored"), entry.attempt ? h("a", { href: `/boards/days/${entry.attempt.day}` }, "The day's board") : null) : null,
    );
  }

  /** The verdict beside what this device reckoned. @param {VerdictBody} verdict */
  #comparison(verdict) {
    const { verified, entry } = this;
    const ours = /** @type {Outcome} */ (verified.outcome);
    const theirs = /** @type {Outcome} */ (/** @type {unknown} */ (verdict.outcome));
    const rows = [
      ["Result", ours.result, theirs.result],
      ["Score", points(ours.score), points(theirs.score)],
      ["Rounds", ours.rounds, theirs.rounds],
      ["Last checkpoint", ours.checkpoint, theirs.checkpoint],
      ["Words drawn from the dice", ours.rng_words, theirs.rng_words],
      ["Digest of the outcome", verified.outcome_digest.slice(0, 16), verdict.outcome_digest.slice(0, 16)],
      ["Digest of the replay", verified.replay_digest.slice(0, 16), verdict.replay_digest.slice(0, 16)],
    ];
    const all = entry.checkpoints.length;
    const same = verdict.desync === undefined || verdict.desync === null;
    const told = same
      ? `All ${all} checkpoints of this device are the referee's own, bit for bit: both played the same fight.`
      : `After call ${(verdict.desync?.call ?? 0) + 1} of ${all} this device reckoned something else than the referee. The referee's verdict counts; please report it with the replay.`;
    return h(
      "section",
      { class: "panel", "aria-labelledby": "beside" },
      h("h2", { id: "beside" }, "Side by side"),
      h("p", { id: "checkpoints", class: same ? "good" : "bad" }, told),
      h(
        "table",
        { class: "compare" },
        h("thead", {}, h("tr", {}, h("td", {}), h("th", { scope: "col" }, "This device"), h("th", { scope: "col" }, "The referee"))),
        h("tbody", {}, rows.map(([what, here, there]) => h("tr", { class: here === there ? "same" : "differs" }, h("th", { scope: "row" }, what), h("td", {}, here), h("td", {}, there, h("span", { class: "mark" }, here === there ? " ✓" : " ✗"), h("span", { class: "aside" }, here === there ? " the same" : " differs"))))),
      ),
      h("details", {}, h("summary", {}, `The ${all} checkpoints`), h("ol", { class: "checkpoints" }, entry.checkpoints.map((checkpoint, at) => h("li", { class: !same && at >= (verdict.desync?.call ?? 0) ? "differs" : "" }, h("code", {}, checkpoint))))),
    );
  }

  /** The replay as a file. */
  #download() {
    const blob = new Blob([JSON.stringify(replayOf(this.entry))], { type: "application/json" });
    return h("a", { id: "download", href: URL.createObjectURL(blob), download: `ongrid-${this.entry.id}.json` }, "Download the replay");
  }
}

/** @param {Error} error */
function sentence({ message }) {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}
