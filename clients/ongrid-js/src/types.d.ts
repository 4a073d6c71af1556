// Made by `cargo run -p ongrid-engine-wasm --example types` from the Rust types; do not edit.

/** A call (ongrid-8 §6). */
export type Call =
  | { ship: number; do: "fire"; target: number; overheat?: boolean; stance?: Stance }
  | { ship: number; do: "activate"; group: number; target?: number; stance?: Stance }
  | { ship: number; do: "hold"; stance?: Stance }
  | { do: "concede" };

/** The six skills, 0 … 5. */
export interface Skills {
  gunnery: number;
  "motion-prediction": number;
  missiles: number;
  tank: number;
  navigation: number;
  electronics: number;
}

/** A setup (ongrid-8 §15). */
export interface Setup {
  doctrine: string;
  skills: Skills;
  fleet: { hull: string; name?: string; fit: { module: string; charge?: string; count: number }[] }[];
}

/** Something that happened (ongrid-8 §17), and the round it happened in. */
export type Event = What & { round: number };

/** A "no": a stable code, the place, a sentence. */
export interface Rejected {
  status: "rejected";
  code: string;
  /** Index of the call at fault, from 0. */
  call: number | null;
  /** JSON pointer from the replay's root. */
  path?: string;
  detail: { round?: number; ship?: number; group?: number; known?: string[] };
  message: string;
}

/** The verdict on a whole replay. */
export interface Verified {
  status: "verified";
  engine: string;
  ruleset: string;
  replay_digest: string;
  outcome_digest: string;
  outcome: Outcome;
  standing: Standing;
  snapshot?: Snapshot;
  desync?: Desync;
}

/** What boards rank by, given by every engine (http-api, "Kinds of fight"). */
export interface Standing {
  /** Whether the fight came to its end; unfinished ones never rank. */
  finished: boolean;
  /** Rounds (or turns) it took; fewer is better. */
  rounds: number;
  /** Points; more is better. */
  score: number;
}

/** An engine of this build. */
export interface EngineTag {
  /** The tag, matched exactly. */
  engine: string;
  /** Most calls of a replay. */
  max_calls: number;
  /** Digest of the ruleset data, 64 hex digits. */
  ruleset: string;
}

/** Where the client's checkpoints part from the engine's. */
export interface Desync {
  /** Index of the first call after which they differ. */
  call: number;
  /** The engine's last checkpoint. */
  checkpoint: string;
}

/** What happened since the last step. */
export interface Step {
  /** Calls applied so far. */
  calls: number;
  /** The last checkpoint, 16 hex digits. */
  checkpoint: string;
  /** Outcome and standing, where the replay could end here. */
  end: Close | null;
  /** In order of happening. */
  events: Event[];
}

/** How the replay would close here. */
export interface Close {
  /** The outcome of the ruleset. */
  outcome: Outcome;
  /** What boards rank by. */
  standing: Standing;
}

/** A fight that was opened. */
export interface Opened {
  /** Index of the first call after which the checkpoint in the replay differs from this engine's. */
  desync?: number;
  /** The engine's tag. */
  engine: string;
  /** What the fight is asked for by. */
  fight: number;
  /** Digest of the ruleset data. */
  ruleset: string;
  /** The canonical form, 64 hex digits. */
  seed: string;
  /** The canonical form. */
  setup: Setup;
  /** The audit of the fits, where the engine has one. */
  snapshot: Snapshot | null;
  /** What happened up to the player's turn. */
  step: Step;
}

/** The replay so far, ready to be submitted. */
export interface Replay {
  /** In order. */
  calls: Call[];
  /** c₁ first. */
  checkpoints: string[];
  /** The engine's tag. */
  engine: string;
  /** Digest of the ruleset data. */
  ruleset: string;
  /** 64 hex digits. */
  seed: string;
  /** The canonical form. */
  setup: Setup;
}

/** The state as a checkpoint sees it. */
export interface State {
  /** c₀ first. */
  checkpoints: string[];
  /** Hex digits. */
  state: string;
}

/** A fight, seen. Serialises to canonical JSON. */
export interface View {
  /** Timed effects, by number. */
  effects: EffectView[];
  /** How the fight ended, once it has. */
  ended: Ended | null;
  /** Hit points of the hostile side. */
  hostile: Totals;
  /** The round after which points decide. */
  last_round: number;
  /** Ships of this round in the order of their turns, those destroyed since included (§5). */
  order: number[];
  /** What overtime multiplies damage by in this round. */
  overtime: number;
  /** Hit points of the pilot's side. */
  pilot: Totals;
  /** The round in progress, from 1. */
  round: number;
  /** Every ship, by id. */
  ships: ShipView[];
  /** What the ship whose turn it is can expect of each living enemy. */
  sights: Sight[];
  /** Ships of this round that are still to have a turn after the one at hand. */
  to_come: number[];
  /** The pilot ship whose turn it is; none once the fight is over. */
  turn: number | null;
}

/** How a fight ended. */
export interface Ended {
  /** By what. */
  decided_by: DecidedBy;
  /** For the pilot. */
  result: Verdict;
}

/** A timed effect (§9). */
export interface EffectView {
  /** The class of the group that projects it. */
  class: Class;
  /** That group's place in its ship's fit. */
  group: number;
  /** The last round it lasts. */
  last_round: number;
  /** One multiplier for each attribute it touches, projected once for each module of the group. */
  multipliers: number[];
  /** Its number. */
  number: number;
  /** Who projects it. */
  source: number;
  /** On whom. */
  target: number;
}

/** A ship in the fight. */
export interface ShipView {
  /** Whether it lives. */
  alive: boolean;
  /** GJ left. */
  capacitor: number;
  /** Most GJ it holds. */
  capacitor_max: number;
  /** GJ it gains at the end of a round. */
  capacitor_recharge: number;
  /** Hit points it took off others. */
  damage_dealt: number;
  /** Hit points others took off it. */
  damage_taken: number;
  /** The round it was destroyed in. */
  destroyed_round: number | null;
  /** Its groups, in fit order. */
  groups: GroupView[];
  /** Its heat; above the lock nothing may be overheated (§7). */
  heat: number;
  /** Id of its hull. */
  hull: string;
  /** Its ship id. */
  id: number;
  /** The last round it sits out; 0 where it was never jammed (§9). */
  jam_until: number;
  /** The last ship whose volley took more than 0 off it. */
  last_shooter: number | null;
  /** Hit points left. */
  left: Layers;
  /** Most hit points. */
  max: Layers;
  /** Its hull's name for people. */
  name: string;
  /** Whether it is too hot to overheat. */
  overheat_locked: boolean;
  /** What comes through each layer (shield, armor, hull), by type: em, thermal, kinetic, explosive. */
  resonance: [[number, number, number, number], [number, number, number, number], [number, number, number, number]];
  /** What it is for; pilot ships count as of the line. */
  role: Role;
  /** Strength of its sensors against jammers. */
  sensor_strength: number;
  /** Whose it is. */
  side: Side;
  /** Signature radius as flown, in metres. */
  signature: number;
  /** Speed as flown, in m/s. */
  speed: number;
  /** Its stance. */
  stance: Stance;
}

/** A group of modules in the fight. */
export interface GroupView {
  /** Tracking of turrets or guidance of launchers as flown. */
  aim?: number;
  /** Id of its charge. */
  charge?: string;
  /** Its class, where it has one. */
  class?: Class;
  /** GJ a volley or an activation costs. */
  cost?: number;
  /** Number of modules. */
  count: number;
  /** Number of its live effect. */
  effect?: number;
  /** Id of its module. */
  module: string;
  /** Its module's name for people. */
  name: string;
  /** Whether it could fire or be activated now: capacitor and uses suffice. */
  ready: boolean;
  /** Activations left, where they are counted. */
  uses?: number;
}

/** What the ship whose turn it is can expect of an enemy. */
export interface Sight {
  /** Hit points a volley is expected to take off its first standing layer, not overheated, by stance: standard, aggressive, evasive (§12's `expected`). */
  expected: [number, number, number];
  /** Its weapon groups and jammers against the enemy, in fit order. */
  groups: Chance[];
  /** The enemy. */
  target: number;
}

/** What a group can do to an enemy. */
export interface Chance {
  /** Turrets: chance to hit; launchers: how much applies; jammers: chance of each draw. By stance: standard, aggressive, evasive. */
  chance: [number, number, number];
  /** What it is made of. */
  factors: Factors;
  /** The group's place in the fit. */
  group: number;
  /** What the chance is of. */
  of: ChanceOf;
}

/** What a chance is made of: turrets `aim × size × pace`, launchers `size × pace × aim`, jammers `jam ÷ sensors`, kept within the bounds (§7, §9). */
export interface Factors {
  /** Tracking of the turret or guidance of the launcher as flown, by stance: standard, aggressive, evasive. */
  aim?: [number, number, number];
  /** The least and the most that the chance can be. */
  bounds: [number, number];
  /** Strength of the jammer against the enemy's kind of sensors. */
  jam?: number;
  /** Turrets: the weapon's reference speed ÷ the enemy's speed; launchers: the square root of that. */
  pace?: number;
  /** Strength of the enemy's sensors. */
  sensors?: number;
  /** The enemy's signature ÷ the weapon's reference size, at most 1. */
  size?: number;
}

/** What a chance is of. */
export type ChanceOf =
  /** A turret's hit. */
  | "hit"
  /** A missile's application; always lands. */
  | "application"
  /** One draw of a jammer. */
  | "jam";

/** How the fight ended for the pilot. */
export type Verdict =
  /** Won. */
  | "victory"
  /** Lost. */
  | "defeat"
  /** Neither. */
  | "draw";

/** What decided it. */
export type DecidedBy =
  /** One side has no living ship. */
  | "destruction"
  /** Hit points after the last round. */
  | "points"
  /** The pilot gave up. */
  | "concession";

/** Hit points of a side. */
export interface Totals {
  /** Most there can be, of ships destroyed too. */
  max: number;
  /** Left. */
  now: number;
}

/** A figure for each layer. */
export interface Layers {
  /** Armor. */
  armor: number;
  /** Hull. */
  hull: number;
  /** Shield. */
  shield: number;
}

/** What became of a ship. */
export interface ShipOutcome {
  /** Hit points it took off others. */
  damage_dealt: number;
  /** Hit points others took off it. */
  damage_taken: number;
  /** The round it was destroyed in. */
  destroyed_round: number | null;
  /** Id of its hull. */
  hull: string;
  /** Its ship id. */
  id: number;
  /** The last ship whose volley took more than 0 off it. */
  last_shooter: number | null;
  /** Hit points left. */
  left: Layers;
  /** Whose it was. */
  side: Side;
}

/** The outcome of a fight (§15). */
export interface Outcome {
  /** Calls applied. */
  calls: number;
  /** The final checkpoint, 16 hex digits. */
  checkpoint: string;
  /** What decided it. */
  decided_by: DecidedBy;
  /** Hit points of the hostile side. */
  hostile: Totals;
  /** Hit points of the pilot's side. */
  pilot: Totals;
  /** How it ended for the pilot. */
  result: Verdict;
  /** 32-bit words drawn. */
  rng_words: number;
  /** The round it ended in. */
  rounds: number;
  /** Points. */
  score: number;
  /** By ship id. */
  ships: ShipOutcome[];
}

/** The fit snapshot (§3, §15): what both sides flew, and why. */
export interface Snapshot {
  /** The highest hull tier the pilot brings, by class. */
  dials: Partial<Record<HullClass, HullTier>>;
  /** The hostile fleet. */
  hostile: HostileShip[];
  /** The calibration level, 0 … 4. */
  level: number;
  /** The pilot's fleet. */
  pilot: PilotShip[];
  /** Name of the level's racks. */
  rack: string;
  /** Σ count × tier weight. */
  score: number;
  /** The thresholds that the score has reached. */
  thresholds_passed: number[];
}

/** A hostile ship of the snapshot. */
export interface HostileShip {
  /** Its groups. */
  fit: FittedGroup[];
  /** The level of the rack it flies. */
  flown_level: number;
  /** Id of its hull. */
  hull: string;
  /** The level of the rack it was allowed. */
  rack_level: number;
  /** What it is for. */
  role: Role;
  /** The hull's tier. */
  tier: HullTier;
  /** What cpu and power cost it. */
  walk_down: WalkedDown[];
}

/** A group of a hostile ship. */
export interface FittedGroup {
  /** Id of its charge. */
  charge?: string;
  /** Number of modules. */
  count: number;
  /** Id of its module. */
  module: string;
}

/** One step of the walk down. */
export interface WalkedDown {
  /** The module taken down. */
  from: string;
  /** `cpu` or `power`: what was over. */
  reason: string;
  /** What took its place; nothing where the family has nothing cheaper. */
  to: string | null;
}

/** A pilot ship of the snapshot. */
export interface PilotShip {
  /** Its groups. */
  fit: WeighedGroup[];
  /** Id of its hull. */
  hull: string;
  /** The hull's tier. */
  tier: HullTier;
}

/** A group of a pilot ship. */
export interface WeighedGroup {
  /** Id of its charge. */
  charge?: string;
  /** Number of modules. */
  count: number;
  /** Id of its module. */
  module: string;
  /** The module's tier. */
  tier: Tier;
  /** What one module adds to the score. */
  weight: number;
}

/** What happened (§17). On the wire the variant's name is the member `event`. */
export type What =
  /** A round began. */
  | {
      event: "round_started";
      /** The living ships in the order of their turns. */
      order: number[];
    }
  /** A ship's turn began. */
  | {
      event: "turn";
      /** Whose turn it is. */
      ship: number;
      /** Its stance, a switch in the same call included. */
      stance: Stance;
    }
  /** A jammed ship had no turn. */
  | {
      event: "sat_out";
      /** The ship. */
      ship: number;
      /** The last round it sits out. */
      jam_until: number;
    }
  /** A weapon group fired. */
  | {
      event: "fired";
      /** The shooter. */
      ship: number;
      /** Its group. */
      group: number;
      /** Whom it fired at. */
      target: number;
      /** Whether the call was overheated. */
      overheat: boolean;
      /** Chance of a turret to hit. */
      chance?: number;
      /** How much of a missile volley applied. */
      application?: number;
      /** A turret's first draw. */
      hit_roll?: number;
      /** A turret's second draw. */
      quality_roll?: number;
      /** Whether it landed. */
      landed: boolean;
      /** Quality of a turret volley that landed. */
      quality?: number;
      /** Damage by type before resonances: em, thermal, kinetic, explosive. */
      raw: [number, number, number, number];
      /** What each layer lost. */
      lost: Layers;
      /** Layers that broke. */
      broke: Layer[];
    }
  /** A weapon group could not pay. */
  | {
      event: "silent";
      /** The ship. */
      ship: number;
      /** Its group. */
      group: number;
    }
  /** A timed effect began. */
  | {
      event: "effect_started";
      /** Its number. */
      number: number;
      /** Who projects it. */
      source: number;
      /** With which group. */
      group: number;
      /** On whom. */
      target: number;
      /** The group's class. */
      class: Class;
      /** One multiplier for each attribute it touches; a group of n projects each n times. */
      multipliers: number[];
      /** The last round it lasts. */
      last_round: number;
    }
  /** A timed effect ended. */
  | {
      event: "effect_ended";
      /** Its number. */
      number: number;
      /** Why. */
      why: Why;
    }
  /** A jammer worked. */
  | {
      event: "jam";
      /** Who jams. */
      source: number;
      /** With which group. */
      group: number;
      /** Whom. */
      target: number;
      /** Chance of each draw. */
      chance: number;
      /** The draws. */
      rolls: number[];
      /** The last round the target sits out; none where every draw failed. */
      jam_until?: number;
    }
  /** An enemy's capacitor was drained. */
  | {
      event: "drained";
      /** Who drained it. */
      source: number;
      /** With which group. */
      group: number;
      /** Whose capacitor. */
      target: number;
      /** GJ lost. */
      amount: number;
    }
  /** An enemy's capacitor was moved into the own. */
  | {
      event: "leeched";
      /** Who leeched it. */
      source: number;
      /** With which group. */
      group: number;
      /** Whose capacitor. */
      target: number;
      /** GJ the enemy lost. */
      amount: number;
    }
  /** A layer was repaired. */
  | {
      event: "repaired";
      /** Who repaired it. */
      source: number;
      /** With which group. */
      group: number;
      /** Whose layer. */
      target: number;
      /** Which. */
      layer: Layer;
      /** Hit points gained. */
      amount: number;
      /** Hit points above the maximum, lost. */
      wasted: number;
    }
  /** A capacitor charge was used. */
  | {
      event: "boosted";
      /** The ship. */
      ship: number;
      /** Its group. */
      group: number;
      /** GJ gained. */
      amount: number;
      /** GJ above the maximum, lost. */
      wasted: number;
      /** Activations left. */
      uses: number;
    }
  /** A ship did nothing. */
  | {
      event: "held";
      /** The ship. */
      ship: number;
    }
  /** A ship was destroyed. */
  | {
      event: "destroyed";
      /** The ship. */
      ship: number;
      /** Who destroyed it. */
      by: number;
      /** With which group. */
      group: number;
    }
  /** A round ended. */
  | {
      event: "round_ended";
    }
  /** The fight ended. */
  | {
      event: "ended";
      /** For the pilot. */
      result: Verdict;
      /** By what. */
      decided_by: DecidedBy;
    };

/** Why a timed effect ended. */
export type Why =
  /** Its last round is over. */
  | "expired"
  /** Its group was activated again. */
  | "replaced"
  /** Who projected it is destroyed. */
  | "source_destroyed"
  /** Whom it was on is destroyed. */
  | "target_destroyed";

/** A class of weapons or active modules: what the `for` of a modifier names (§0). */
export type Class =
  /** Small autocannons and artillery. */
  | "small-projectile"
  /** Medium autocannons and artillery. */
  | "medium-projectile"
  /** Large autocannons and artillery. */
  | "large-projectile"
  /** Small blasters and railguns. */
  | "small-hybrid"
  /** Medium blasters and railguns. */
  | "medium-hybrid"
  /** Large blasters and railguns. */
  | "large-hybrid"
  /** Small lasers. */
  | "small-energy"
  /** Medium lasers. */
  | "medium-energy"
  /** Large lasers. */
  | "large-energy"
  /** Rocket launchers. */
  | "rocket"
  /** Light missile launchers. */
  | "light-missile"
  /** Heavy assault missile launchers. */
  | "heavy-assault-missile"
  /** Heavy missile launchers. */
  | "heavy-missile"
  /** Cruise missile launchers. */
  | "cruise-missile"
  /** Torpedo launchers. */
  | "torpedo"
  /** Slows an enemy. */
  | "stasis-webifier"
  /** Makes an enemy's signature larger. */
  | "target-painter"
  /** Lessens the tracking of an enemy's turrets. */
  | "tracking-disruptor"
  /** Lessens the guidance of an enemy's missiles. */
  | "guidance-disruptor"
  /** Lessens both. */
  | "sensor-dampener"
  /** Jams an enemy. */
  | "ecm"
  /** Drains an enemy's capacitor. */
  | "energy-neutralizer"
  /** Moves an enemy's capacitor into one's own. */
  | "nosferatu"
  /** Repairs the own shield. */
  | "shield-booster"
  /** Repairs the own shield from capacitor charges. */
  | "ancillary-shield-booster"
  /** Repairs the own armor. */
  | "armor-repairer"
  /** Repairs an ally's shield. */
  | "remote-shield-booster"
  /** Repairs an ally's armor. */
  | "remote-armor-repairer"
  /** Fills the own capacitor from charges. */
  | "capacitor-booster";

/** The three layers, outermost first. */
export type Layer =
  /** Taken first. */
  | "shield"
  /** Taken next. */
  | "armor"
  /** At 0 the ship is destroyed. */
  | "hull";

/** One stance of the three (§6). */
export type Stance =
  /** Changes nothing. */
  | "standard"
  /** Slower, tracks better. */
  | "aggressive"
  /** Faster, tracks worse. */
  | "evasive";

/** The two sides. */
export type Side =
  /** The player's. */
  | "pilot"
  /** The doctrine's. */
  | "hostile";

/** A hull's class; the dials of calibration are set for each (§3). */
export type HullClass =
  /** In the order of their names, as the snapshot lists them. */
  | "battlecruiser"
  /** The largest. */
  | "battleship"
  /** Middling. */
  | "cruiser"
  /** Small, many guns. */
  | "destroyer"
  /** The smallest. */
  | "frigate";

/** A hull's tier; t1 < navy < t2. */
export type HullTier =
  /** Standard. */
  | "t1"
  /** Navy issue. */
  | "navy"
  /** Tech two. */
  | "t2";

/** A module's tier; t1 < meta < t2 < faction. */
export type Tier =
  /** Standard. */
  | "t1"
  /** Named. */
  | "meta"
  /** Tech two. */
  | "t2"
  /** Of a navy or a pirate faction. */
  | "faction";

/** What a doctrine's ship is for; it changes its stance (§12). */
export type Role =
  /** Fights in the line. */
  | "line"
  /** Electronic warfare. */
  | "ewar"
  /** Remote repair. */
  | "logistics";

/** A ship as a setup has it (§15). */
export interface FleetShip {
  /** Its groups. */
  fit: FittedGroup[];
  /** Id of its hull. */
  hull: string;
}

/** What setups of ongrid-8 are put together from. Hulls, modules and charges are files of the ruleset. */
export interface Catalogue {
  /** In ruleset order. */
  doctrines: DoctrineEntry[];
  /** The figures of the rules that a client shows. */
  figures: Figures;
  /** In rules order. */
  skills: SkillEntry[];
}

/** A doctrine: whom one fights, and the bounds of one's own fleet. */
export interface DoctrineEntry {
  /** Its own t1 hulls with the racks of each level, 0 … 4, as the fleet of a setup. */
  fleets: FleetShip[][];
  /** Its id on the wire. */
  id: string;
  /** Most ships a pilot's fleet may have. */
  max_ships: number;
  /** Its name for people. */
  name: string;
  /** Most hull points a pilot's fleet may have. */
  points: number;
}

/** A skill. */
export interface SkillEntry {
  /** Its id on the wire. */
  id: string;
  /** Its name for people. */
  name: string;
}

/** Figures of the rules. What stands by stance is of standard, aggressive, evasive. */
export interface Figures {
  /** Rounds that a timed effect lasts, that of its begin included (§9). */
  effect_rounds: number;
  /** What stances multiply the guidance of missiles by. */
  guidance_by_stance: [number, number, number];
  /** Heat above which nothing may be overheated (§7). */
  heat_lock: number;
  /** Heat that an overheated volley adds. */
  heat_overheat: number;
  /** Heat that a ship sheds at the end of a round. */
  heat_shed: number;
  /** The last round (§5). */
  last_round: number;
  /** Highest application of a missile. */
  max_application: number;
  /** Highest chance of a turret to hit. */
  max_hit: number;
  /** Highest level of a skill. */
  max_skill: number;
  /** Lowest application of a missile. */
  min_application: number;
  /** Lowest chance of a turret to hit. */
  min_hit: number;
  /** What overheating multiplies damage by. */
  overheat_damage: number;
  /** The last round without overtime. */
  overtime_from: number;
  /** What each round of overtime adds to damage. */
  overtime_step: number;
  /** Names of the racks, by level (§3). */
  racks: string[];
  /** Points (§11). */
  score: ScoreFigures;
  /** Scores from which on the next level is met (§3). */
  thresholds: number[];
  /** What stances multiply the tracking of turrets by. */
  tracking_by_stance: [number, number, number];
  /** What stances multiply speed by. */
  velocity_by_stance: [number, number, number];
}

/** Points of the score (§11). */
export interface ScoreFigures {
  /** For the whole hostile fleet's hit points. */
  damage: number;
  /** For a draw. */
  draw: number;
  /** For each level, unless lost. */
  per_level: number;
  /** For each round left, where won by destruction. */
  per_round_left: number;
  /** For the whole own fleet's hit points. */
  survival: number;
  /** For a victory. */
  victory: number;
}
