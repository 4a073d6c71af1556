// Made by scripts/http from the OpenAPI document of the service; do not edit.

/** An act. */
export interface ActBody {
  /** `void`, `restore`, `ban`, `unban`, `erase`, `set_day` or `archive_day`. */
  action: string;
  /** The token that ordered it; none from the command line. */
  actor?: string | null;
  /** When. */
  at: string;
  /** The day concerned. */
  day?: string | null;
  /** The fight concerned. */
  fight?: string | null;
  /** Its id. */
  id: string;
  /** The pilot concerned. */
  pilot?: string | null;
  /** Why. */
  reason: string;
}

/** An active group as flown. */
export interface ActiveBody {
  /** GJ an activation costs. */
  capacitor: number;
  /** Its class. */
  class: string;
  /** `multiplies`, `jams`, `drains`, `leeches`, `repairs` or `boosts`. */
  does: string;
  /** Multipliers of each module, jam strengths (radar, ladar, magnetometric, gravimetric), or one amount. */
  figures: number[];
  /** The layer it repairs. */
  layer?: string | null;
  /** Activations it holds. */
  uses?: number | null;
}

/** An attempt. */
export interface AttemptBody {
  /** Its id. */
  attempt: string;
  /** The day that it counts for. */
  day: string;
  /** Engine tag that the replay must have. */
  engine: string;
  /** From when on it takes no replay. */
  expires_at: string;
  /** The fight that is its verdict. */
  fight?: string | null;
  /** When the seed was shown. */
  issued_at: string;
  /** `ranked` or `practice`. */
  kind: string;
  /** From 1, over all of the pilot's attempts of that day. */
  number: number;
  /** How many different replays may yet be refused. */
  rejected_left: number;
  /** Digest of the engine's ruleset data. */
  ruleset: string;
  /** The seed that the replay must have. */
  seed: string;
  /** The setup that the replay must have. */
  setup: Record<string, unknown>;
  /** SHA-256 of the canonical setup. */
  setup_digest: string;
  /** `open`, `spent` or `expired`. */
  state: string;
}

/** What of a fleet a pilot brings; what is left out is filled in. */
export interface AttemptRequest {
  /** Must be the day's, where it is named. */
  doctrine?: string;
  /** The ships; without them the standard issue, the doctrine's own t1 hulls. */
  fleet?: (Record<string, unknown>)[];
  /** Levels of the six skills, at most the registered ones; without them the registered ones. */
  skills?: Record<string, unknown>;
}

/** Acts of operators, latest first. */
export interface AuditBody {
  /** The acts. */
  items: ActBody[];
  /** `before` of the next page, where there may be one. */
  next?: string | null;
}

/** A page of a board. */
export interface BoardBody {
  /** When it was read. */
  as_of: string;
  /** The rows in order. */
  items: RowBody[];
  /** `after` of the next page, where there is one. */
  next?: string | null;
  /** How many stand on the board. */
  total: number;
}

/** What proves that one state of the log is the beginning of another. */
export interface ConsistencyBody {
  /** The earlier checkpoint, a signed note. */
  from: string;
  /** The proof, hex digits (RFC 6962, 2.1.2); empty where they are the same. */
  hashes: string[];
  /** The later one. */
  to: string;
}

/** Fights whose fleet and calls another pilot had played before. */
export interface CopiesBody {
  /** The fights; `copied_from` names the first of its kind. */
  items: FightBody[];
}

/** One file of ruleset data. */
export interface Data {
  /** Its length in bytes. */
  bytes: number;
  /** Its name. */
  name: string;
  /** SHA-256 of its bytes. */
  sha256: string;
  /** Where it is served. */
  url: string;
}

/** A day. */
export interface DayBody {
  /** The first instant after it. */
  closes_at: string;
  /** SHA-256 of the day's secret. */
  commitment: string;
  /** `YYYY-MM-DD` */
  day: string;
  /** What is fought. */
  doctrine: DoctrineBody;
  /** Engine tag. */
  engine: string;
  /** When secret and fights become public and the board final. */
  final_at: string;
  /** Now. */
  now: string;
  /** Its first instant. */
  opens_at: string;
  /** How it is fought. */
  policy: PolicyBody;
  /** Digest of the engine's ruleset data. */
  ruleset: string;
  /** The secret, once the day is final. */
  secret?: string | null;
}

/** What an operator sets of a day ahead. */
export interface DayRequest {
  /** Minutes until an attempt expires. */
  attempt_minutes?: number | null;
  /** Id of a doctrine. */
  doctrine?: string | null;
  /** Minutes of grace after the close. */
  grace_minutes?: number | null;
  /** Attempts after those. */
  practice_attempts?: number | null;
  /** Attempts that count for the board. */
  ranked_attempts?: number | null;
  /** Why; 1 to 500 characters. */
  reason: string;
  seed?: SeedPolicyName | null;
}

/** The first call after which the client's checkpoint differs; the outcome is the referee's all the same. */
export interface DesyncBody {
  /** The referee's state after it. */
  after?: Record<string, unknown> | null;
  /** The referee's state before the call, in the engine's own terms. */
  before?: Record<string, unknown> | null;
  /** Index of the call, from 0. */
  call: number;
  /** The round that it was called in, where the engine has rounds. */
  round?: number | null;
  /** The ship whose turn it was, where the engine has ships. */
  ship?: number | null;
}

/** A doctrine. */
export interface DoctrineBody {
  /** Its id. */
  id: string;
  /** Most ships of a pilot's fleet. */
  max_ships: number;
  /** Its name. */
  name: string;
  /** Most points of a pilot's fleet. */
  points: number;
  /** The hostile fleet at level 0, in the shape of the snapshot's `hostile`. */
  standard: (Record<string, unknown>)[];
}

/** A line that means nothing here. */
export interface Fault {
  /** The line, from 1. */
  line: number;
  /** What is wrong with it, in a sentence. */
  message: string;
  /** Known names that are nearest to it, the nearest first. */
  nearest: string[];
  /** What stands there, or the part of it that is meant. */
  text: string;
}

/** A stored fight in brief. */
export interface FightBody {
  /** The build that decided. */
  build: string;
  /** The first fight of another pilot with the same fleet and calls. */
  copied_from?: string | null;
  /** The day it counts for. */
  day: string;
  /** From the issue of the attempt to the submission, milliseconds. */
  elapsed_ms?: number | null;
  /** Engine tag. */
  engine: string;
  /** Its id. */
  fight: string;
  /** `free`, `practice` or `ranked`. */
  kind: string;
  /** Where its parts are. */
  links: Links;
  /** SHA-256 of the canonical outcome. */
  outcome_digest: string;
  /** Who fought. */
  pilot: PilotName;
  /** SHA-256 of the canonical replay. */
  replay_digest: string;
  /** Digest of the engine's ruleset data. */
  ruleset: string;
  /** What boards rank by. */
  standing: StandingBody;
  /** `sealed`, `public` or `void`. */
  state: string;
  /** When it was verified. */
  verified_at: string;
}

/** What the rules say of a fleet. */
export interface FitBody {
  /** Score, thresholds, level, dials and the hostile fleet: the snapshot that a fight would record. */
  calibration?: Record<string, unknown> | null;
  doctrine?: MetDoctrine | null;
  /** The fleet as fitting text. */
  eft: string;
  /** Engine tag. */
  engine: string;
  /** Lines of the text that mean nothing here; where there are some the fleet is not judged. */
  faults: Fault[];
  /** The hostile ships that it would meet, as flown. */
  hostile: ShipBody[];
  /** Whether the fleet may fight. */
  legal: boolean;
  /** Points of the fleet's hulls. */
  points: number;
  reason?: ReasonBody | null;
  /** Old names that were taken for those of today. */
  renamed: Renamed[];
  /** Digest of the engine's ruleset data. */
  ruleset: string;
  /** The setup, canonical without labels; ready for a replay. */
  setup?: Record<string, unknown> | null;
  /** The ships as flown, legal or not. */
  ships: ShipBody[];
  /** Lines of the text that this sim does not model, each with what becomes of it. */
  unmodelled: Note[];
}

/** A fleet to be judged: fitting text, or a whole setup. */
export interface FitRequest {
  /** With `eft`: the doctrine to meet; the first of the ruleset where it is left out. */
  doctrine?: string | null;
  /** One or more fits in the text form that EVE players use. */
  eft?: string | null;
  /** A setup as in a replay; instead of `eft`, `doctrine` and `skills`. */
  setup?: Record<string, unknown> | null;
  /** With `eft`: level of each skill; those of a pilot nobody has registered where it is left out. */
  skills?: Record<string, unknown> | null;
}

/** A group as flown. */
export interface GroupBody {
  active?: ActiveBody | null;
  /** Id of its charge. */
  charge?: string | null;
  /** Number of modules. */
  count: number;
  /** Id of its module. */
  module: string;
  /** Tier of the module. */
  tier: string;
  weapon?: WeaponBody | null;
  /** What one module adds to the fit score. */
  weight: number;
}

/** How the service is. */
export interface Health {
  /** The build that answers. */
  build: string;
  /** `ok` */
  status: string;
}

/** A pilot's fights, latest first. */
export interface HistoryBody {
  /** The fights. */
  items: FightBody[];
  /** `after` of the next page, where there may be one. */
  next?: string | null;
}

/** A figure for each layer. */
export interface LayersBody {
  /** Armor. */
  armor: number;
  /** Hull. */
  hull: number;
  /** Shield. */
  shield: number;
}

/** Leaves of the log. */
export interface LeavesBody {
  /** Place of the first one. */
  from: number;
  /** The hashes, hex digits. */
  items: string[];
}

/** Where the parts of a fight are. */
export interface Links {
  /** The board of its scenario, where it counts for one. */
  board?: string | null;
  /** The replay as received. */
  replay: string;
  /** The kill report. */
  report: string;
  /** Every event. */
  timeline: string;
}

/** A doctrine and its bounds. */
export interface MetDoctrine {
  /** Its id. */
  id: string;
  /** Most ships of a pilot's fleet. */
  max_ships: number;
  /** Its name. */
  name: string;
  /** Most points of a pilot's fleet. */
  points: number;
}

/** A line that this sim does not model. */
export interface Note {
  /** What it is. */
  kind: string;
  /** The line, from 1. */
  line: number;
  /** What becomes of it, in a sentence. */
  message: string;
  /** What stands there, or the part of it that is meant. */
  text: string;
}

/** A pilot. */
export interface PilotBody {
  /** Most days in a row. */
  best_streak: number;
  /** When it was registered. */
  created_at: string;
  /** Ranked days that count. */
  days: number;
  /** The pilot's id. */
  id: string;
  /** The pilot's name; empty where it was erased. */
  name: string;
  /** Where the pilot stands. */
  ranks: Ranks;
  /** Sum of their scores. */
  score: number;
  /** The seasons, first to last. */
  seasons: SeasonBody[];
  /** `active`, `banned` or `erased`. */
  state: string;
  /** Days in a row up to today, or to yesterday while today has none yet. */
  streak: number;
}

/** Who fought. */
export interface PilotName {
  /** The pilot's id. */
  id: string;
  /** The pilot's name. */
  name: string;
}

/** What a backend registers. */
export interface PilotRequest {
  /** 1 to 32 visible characters, unique with letters folded. */
  name: string;
  /** Levels of skills, 0 to 5, in place of those registered before; a skill that is left out is at the baseline. */
  skills?: Record<string, unknown> | null;
}

/** Where in a fight a call was refused. */
export interface Place {
  /** Index of the group in the ship's fit. */
  group?: number | null;
  /** Round in progress, from 1. */
  round?: number | null;
  /** Ship id. */
  ship?: number | null;
}

/** How a day is fought. */
export interface PolicyBody {
  /** Minutes until an attempt expires. */
  attempt_minutes: number;
  /** Minutes after the close in which attempts issued before may be submitted. */
  grace_minutes: number;
  /** Attempts after those. */
  practice_attempts: number;
  /** Attempts that count for the board. */
  ranked_attempts: number;
  /** `pilot`: every pilot has own dice; `day`: the same dice for all. */
  seed: string;
}

/** The body of an error. */
export interface ProblemBody {
  at?: Place | null;
  /** Index of the call at fault, from 0. */
  call?: number | null;
  /** Stable code, snake_case. */
  code: string;
  /** One sentence for a person. */
  detail: string;
  /** The engine tags or ruleset digests known here. */
  known?: string[] | null;
  /** JSON pointer to the fault in the document that was sent. */
  path?: string | null;
  /** The HTTP status. */
  status: number;
  /** The status in words. */
  title: string;
  /** Where the code is explained. */
  type: string;
}

/** What proves that a receipt is in the log. */
export interface ProofBody {
  /** The signed note (C2SP tlog-checkpoint). */
  checkpoint: string;
  /** The path to the root, hex digits (RFC 6962, 2.1.1). */
  hashes: string[];
  /** The leaf's place in the log, from 0. */
  index: number;
  receipt?: Receipt | null;
  /** How many leaves the checkpoint covers. */
  size: number;
}

/** A public key as it is published. */
export interface PublishedKey {
  /** From when on it signed. */
  from: string;
  /** The first 16 hex digits of its SHA-256. */
  id: string;
  /** The key, 64 hex digits. */
  public: string;
  /** When it was retired: it signs nothing that happened later. */
  until?: string | null;
}

/** A place on a board. */
export interface RankBody {
  /** How many are on the board. */
  of: number;
  /** 100 × (of − rank + 1) ÷ of, one decimal. */
  percentile: number;
  /** From 1. */
  rank: number;
}

/** Where a pilot stands. */
export interface Ranks {
  day?: RankBody | null;
  season?: RankBody | null;
}

/** Why a fleet may not fight. */
export interface ReasonBody {
  /** Stable code of the rules. */
  code: string;
  /** Group at fault in that ship's fit. */
  group?: number | null;
  /** Line of the text that it is about, from 1. */
  line?: number | null;
  /** One sentence for a person. */
  message: string;
  /** JSON pointer to the fault in `setup`, under `/setup`. */
  path?: string | null;
  /** Ship at fault. */
  ship?: number | null;
}

/** An operator's reason. */
export interface ReasonRequest {
  /** 1 to 500 characters. */
  reason: string;
}

/** A signed receipt. */
export interface Receipt {
  /** What it states. */
  body: ReceiptBody;
  /** Id of the key. */
  key: string;
  /** 128 hex digits: Ed25519 over the canonical JSON of `body`. */
  signature: string;
}

/** What a receipt states. Fields stand in canonical order. */
export interface ReceiptBody {
  /** When the engine was done. */
  at: string;
  /** The build that decided. */
  build: string;
  /** The day that the fight counts for. */
  day: string;
  /** Engine tag. */
  engine: string;
  /** The fight. */
  fight: string;
  /** `free`, `practice` or `ranked`. */
  kind: string;
  /** SHA-256 of the canonical outcome. */
  outcome_digest: string;
  /** Who fought. */
  pilot: string;
  /** SHA-256 of the canonical replay. */
  replay_digest: string;
  /** Digest of the engine's ruleset data. */
  ruleset: string;
  /** 1. */
  v: number;
}

/** An old name that was taken for a new one. */
export interface Renamed {
  /** The name that stands there. */
  from: string;
  /** The line, from 1. */
  line: number;
  /** The name it has today. */
  to: string;
}

/** The kill report. */
export interface ReportBody {
  /** The first fight of another pilot with the same fleet and calls. */
  copied_from?: string | null;
  /** From the issue of the attempt to the submission, milliseconds. */
  elapsed_ms?: number | null;
  /** Engine tag. */
  engine: string;
  /** The fight's id. */
  fight: string;
  /** When the seed was given out; for free fights when it was submitted. */
  issued_at: string;
  /** `free`, `practice` or `ranked`. */
  kind: string;
  /** The outcome, in the engine's own terms; not while it is sealed. */
  outcome?: Record<string, unknown> | null;
  /** Who fought. */
  pilot: PilotName;
  rank?: RankBody | null;
  /** Until when it is sealed. */
  sealed_until?: string | null;
  /** The audit of the fits, where the engine has one. */
  snapshot?: Record<string, unknown> | null;
  /** What boards rank by. */
  standing: StandingBody;
  /** `sealed`, `public` or `void`. */
  state: string;
  /** When the replay came in. */
  submitted_at: string;
  /** What happened, in the engine's own terms; not while it is sealed, nor where this build lacks the engine. */
  summary?: Record<string, unknown> | null;
  /** Where every event is. */
  timeline_url: string;
  void?: VoidBody | null;
}

/** What passes, for each layer: em, thermal, kinetic, explosive. */
export interface ResonanceBody {
  /** Armor. */
  armor: number[];
  /** Hull. */
  hull: number[];
  /** Shield. */
  shield: number[];
}

/** A row of a board. */
export interface RowBody {
  /** What this row is ahead of the next one by: `score`, `rounds`, `time` or `id`. */
  ahead_by?: string | null;
  /** Season: most days in a row. */
  best_streak?: number | null;
  /** Season: how many days count. */
  days?: number | null;
  /** From the issue of the attempt to the submission, milliseconds. */
  elapsed_ms?: number | null;
  /** The fight; on a season's board the last one that counts. */
  fight: string;
  /** Who. */
  pilot: PilotName;
  /** From 1, the best. */
  rank: number;
  /** Rounds; on a season's board the sum. */
  rounds: number;
  /** Points; on a season's board the sum. */
  score: number;
  /** When it was verified. */
  verified_at: string;
}

/** One engine. */
export interface Ruleset {
  /** The data files. */
  data: Data[];
  /** The tag that a replay names, matched exactly. */
  engine: string;
  /** Most calls a replay may have. */
  max_calls: number;
  /** The rules and the shape of calls in the project's own words, Markdown. */
  rules: string;
  /** SHA-256 over the ruleset's data files in order. */
  ruleset: string;
  /** Setups that come with the engine. */
  scenarios: ScenarioBody[];
}

/** The engines known here. */
export interface Rulesets {
  /** In the order of the registry. */
  items: Ruleset[];
}

/** A setup that comes with an engine. */
export interface ScenarioBody {
  /** What it is about. */
  about: string;
  /** Its name. */
  name: string;
}

/** A pilot's season. */
export interface SeasonBody {
  /** Days that count. */
  days: number;
  /** Sum of the days' scores. */
  score: number;
  /** `YYYY-MM` */
  season: string;
}

/** Whose dice. */
export type SeedPolicyName = "pilot" | "day";

/** How much is used and how much there is. */
export interface ShareBody {
  /** At hand. */
  of: number;
  /** Used. */
  used: number;
}

/** A ship as flown, without timed effects. */
export interface ShipBody {
  /** Capacitor, GJ. */
  capacitor: number;
  /** GJ the capacitor gains a round. */
  capacitor_recharge: number;
  /** Cpu, tf. */
  cpu: ShareBody;
  /** Its groups in fit order. */
  groups: GroupBody[];
  /** Hit points. */
  hit_points: LayersBody;
  /** Id of its hull. */
  hull: string;
  /** Launcher hardpoints. */
  launchers: ShareBody;
  /** Points of its hull. */
  points: number;
  /** Power, MW. */
  power: ShareBody;
  /** What passes, by layer and type of damage, 0 to 1. */
  resonance: ResonanceBody;
  /** Strength of its sensors. */
  sensor_strength: number;
  /** Signature radius, m. */
  signature_radius: number;
  /** High, mid and low slots. */
  slots: ShareBody[];
  /** Turret hardpoints. */
  turrets: ShareBody;
  /** Velocity by stance, m/s. */
  velocity: StancesBody;
}

/** A figure for each stance. */
export interface StancesBody {
  /** Aggressive. */
  aggressive: number;
  /** Evasive. */
  evasive: number;
  /** Standard. */
  standard: number;
}

/** What boards rank by. */
export interface StandingBody {
  /** Whether the fight came to its end; unfinished ones never rank. */
  finished: boolean;
  /** Rounds it took. */
  rounds: number;
  /** Points. */
  score: number;
}

/** Every event of a fight. */
export interface TimelineBody {
  /** Engine tag. */
  engine: string;
  /** The fight's id. */
  fight: string;
  /** The events in order, in the engine's own terms. */
  items: (Record<string, unknown>)[];
}

/** A token that was issued; its text is shown only now. */
export interface TokenBody {
  /** Its id, by which it is revoked. */
  id: string;
  /** Its text. */
  token: string;
}

/** A token to be issued. */
export interface TokenRequest {
  /** What it is for, at most 64 characters. */
  label?: string;
}

/** What the referee says of a replay. */
export interface VerdictBody {
  /** The attempt that the fight was. */
  attempt?: string | null;
  /** The build that decided. */
  build: string;
  desync?: DesyncBody | null;
  /** Engine tag. */
  engine: string;
  /** The stored fight; absent where nothing is stored. */
  fight?: string | null;
  /** `free`, `practice` or `ranked`; absent where nothing is stored. */
  kind?: string | null;
  /** The outcome, in the engine's own terms. */
  outcome: Record<string, unknown>;
  /** SHA-256 of the canonical outcome. */
  outcome_digest: string;
  rank?: RankBody | null;
  receipt?: Receipt | null;
  /** SHA-256 of the canonical replay. */
  replay_digest: string;
  /** Digest of the engine's ruleset data. */
  ruleset: string;
  /** The audit of the fits, where the engine has one. */
  snapshot?: Record<string, unknown> | null;
  /** What boards rank by. */
  standing: StandingBody;
  /** `verified` */
  status: string;
}

/** When and why a fight was voided. */
export interface VoidBody {
  /** When. */
  at: string;
  /** Why. */
  reason: string;
}

/** Why a fight is voided. */
export interface VoidRequest {
  /** 1 to 500 characters. */
  reason: string;
  /** Whether the pilot gets the attempt back. */
  return_attempt?: boolean;
}

/** A weapon group as flown. */
export interface WeaponBody {
  /** Against each hostile ship, by its stance, one's own standard: chance to hit, or share that applies. */
  against: StancesBody[];
  /** Tracking (turrets) or guidance (launchers) by stance. */
  aim: StancesBody;
  /** GJ a volley costs. */
  capacitor: number;
  /** `turret` or `launcher`. */
  hardpoint: string;
  /** Reference signature, m. */
  ref_sig: number;
  /** Reference velocity, m/s. */
  ref_vel: number;
  /** Damage of a volley: em, thermal, kinetic, explosive; quality and application 1. */
  volley: number[];
}

/** What every operation of /v1 is asked with, and what it answers. */
export interface Operations {
  issue: { body: AttemptRequest; answer: AttemptBody; };
  attempt: { path: { id: string; }; answer: AttemptBody; };
  submit_replay: { path: { id: string; }; body: object | string; answer: VerdictBody; };
  audit: { query?: { limit?: number; before?: string; }; answer: AuditBody; };
  of_day: { path: { day: string; }; query?: { limit?: number; after?: string; around?: string; }; answer: BoardBody; };
  of_doctrine: { path: { id: string; }; query?: { engine?: string; limit?: number; after?: string; around?: string; }; answer: BoardBody; };
  of_scenario: { path: { engine: string; setup: string; }; query?: { limit?: number; after?: string; around?: string; }; answer: BoardBody; };
  of_season: { path: { month: string; }; query?: { limit?: number; after?: string; around?: string; }; answer: BoardBody; };
  copies: { query?: { from?: string; to?: string; after?: string; limit?: number; }; answer: CopiesBody; };
  current: { answer: DayBody; };
  day: { path: { day: string; }; answer: DayBody; };
  set: { path: { day: string; }; body: DayRequest; answer: DayBody; };
  submit_fight: { body: object | string; answer: VerdictBody; };
  fight: { path: { id: string; }; answer: FightBody; };
  proof: { path: { id: string; }; answer: ProofBody; };
  replay: { path: { id: string; }; answer: Record<string, unknown>; };
  report: { path: { id: string; }; answer: ReportBody; };
  restore: { path: { id: string; }; body: ReasonRequest; answer: unknown; };
  timeline: { path: { id: string; }; answer: TimelineBody; };
  void: { path: { id: string; }; body: VoidRequest; answer: unknown; };
  check: { body: FitRequest; answer: FitBody; };
  checkpoint: { query?: { day?: string; }; answer: unknown; };
  consistency: { query: { from: string; to?: string; }; answer: ConsistencyBody; };
  leaves: { query?: { from?: number; }; answer: LeavesBody; };
  pilot: { path: { id: string; }; answer: PilotBody; };
  put: { path: { id: string; }; body: PilotRequest; answer: unknown; };
  erase: { path: { id: string; }; body: ReasonRequest; answer: unknown; };
  ban: { path: { id: string; }; body: ReasonRequest; answer: unknown; };
  history: { path: { id: string; }; query?: { limit?: number; after?: string; }; answer: HistoryBody; };
  issue_token: { path: { id: string; }; body: TokenRequest; answer: TokenBody; };
  revoke_token: { path: { id: string; token: string; }; answer: unknown; };
  unban: { path: { id: string; }; body: ReasonRequest; answer: unknown; };
  list: { answer: Rulesets; };
  ruleset: { path: { tag: string; }; answer: Ruleset; };
  data: { path: { tag: string; file: string; }; answer: unknown; };
  verify: { body: object | string; answer: VerdictBody; };
}
