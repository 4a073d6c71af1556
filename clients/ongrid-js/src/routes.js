// Made by scripts/http from the OpenAPI document of the service; do not edit.

/** Method and path of every operation of /v1. */
export const ROUTES = /** @type {const} */ ({
  /** Freezes a setup and shows the seed. The open attempt is answered again where the setup is the same. */
  issue: ["POST", "/v1/attempts"],
  /** An attempt of the pilot's own. */
  attempt: ["GET", "/v1/attempts/{id}"],
  /** Takes the replay of an attempt. The same canonical replay again gets the same verdict. */
  submit_replay: ["POST", "/v1/attempts/{id}/replay"],
  /** What operators did, latest first. */
  audit: ["GET", "/v1/audit"],
  /** The board of a day: each pilot's ranked run. */
  of_day: ["GET", "/v1/boards/days/{day}"],
  /** The board of a doctrine: the best of each pilot's days against it. */
  of_doctrine: ["GET", "/v1/boards/doctrines/{id}"],
  /** The board of a scenario: the best of each pilot's free fights from one and the same setup. */
  of_scenario: ["GET", "/v1/boards/scenarios/{engine}/{setup}"],
  /** The board of a season: the sum of each pilot's days in a month. */
  of_season: ["GET", "/v1/boards/seasons/{month}"],
  /** Fights whose fleet and calls another pilot had played before, by day. */
  copies: ["GET", "/v1/copies"],
  /** Today. */
  current: ["GET", "/v1/days/current"],
  /** A day: past ones with their secret, future ones as far as they are drawn. */
  day: ["GET", "/v1/days/{day}"],
  /** Sets a day ahead, before it opens. What is left out stays as it is. */
  set: ["PUT", "/v1/days/{day}"],
  /** Verifies a replay and stores it for the pilot, never ranked. The same replay again gives the same record. */
  submit_fight: ["POST", "/v1/fights"],
  /** A fight in brief. */
  fight: ["GET", "/v1/fights/{id}"],
  /** Proof that the receipt of a fight is in the log. Archived fights keep theirs. */
  proof: ["GET", "/v1/fights/{id}/proof"],
  /** The replay, byte for byte as it was received. */
  replay: ["GET", "/v1/fights/{id}/replay"],
  /** The kill report: outcome and the audit of the fits, as they were stored. */
  report: ["GET", "/v1/fights/{id}/report"],
  /** Lets a voided fight count again, in the place that it had. */
  restore: ["POST", "/v1/fights/{id}/restore"],
  /** Every event of the fight, made by running the stored replay again. */
  timeline: ["GET", "/v1/fights/{id}/timeline"],
  /** Voids a fight: it leaves the boards at once, its record and audit stay. */
  void: ["POST", "/v1/fights/{id}/void"],
  /** Judges a fleet: what its text means, whether it may fight, its figures, and the hostile fleet it would meet. */
  check: ["POST", "/v1/fits/check"],
  /** The checkpoint of a day, a signed note. */
  checkpoint: ["GET", "/v1/log/checkpoint"],
  /** Proof that the log of a later day continues that of an earlier one. */
  consistency: ["GET", "/v1/log/consistency"],
  /** Leaves of the log in order, 1,000 at most: with them anybody can build the tree. */
  leaves: ["GET", "/v1/log/leaves"],
  /** A pilot: name, totals, streak, ranks. */
  pilot: ["GET", "/v1/pilots/{id}"],
  /** Registers a pilot under an id that the backend chose, or gives it another name and other skills. */
  put: ["PUT", "/v1/pilots/{id}"],
  /** Erases a pilot: name, skills and tokens go, fights and their digests stay. */
  erase: ["DELETE", "/v1/pilots/{id}"],
  /** Bans a pilot: its runs leave all boards. */
  ban: ["POST", "/v1/pilots/{id}/ban"],
  /** A pilot's fights, latest first. */
  history: ["GET", "/v1/pilots/{id}/fights"],
  /** Issues a token for a pilot; its text is in this answer only. */
  issue_token: ["POST", "/v1/pilots/{id}/tokens"],
  /** Revokes a token of a pilot. */
  revoke_token: ["DELETE", "/v1/pilots/{id}/tokens/{token}"],
  /** Ends a ban: the pilot's runs stand in the exact order as before. */
  unban: ["POST", "/v1/pilots/{id}/unban"],
  /** The engines known here. */
  list: ["GET", "/v1/rulesets"],
  /** One engine. */
  ruleset: ["GET", "/v1/rulesets/{tag}"],
  /** A data file, as it went into the ruleset's digest. It never changes under its tag. */
  data: ["GET", "/v1/rulesets/{tag}/data/{file}"],
  /** Verifies a replay of any engine and stores nothing. */
  verify: ["POST", "/v1/verify"],
});
