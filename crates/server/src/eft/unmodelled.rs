//! What EVE has and this sim has not, told apart by words of its names.

use serde::Serialize;

use crate::eft::names::Names;

/// What a line is that this sim does not model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A rig.
    Rig,
    /// A drone or a fighter.
    Drone,
    /// A microwarpdrive or a jump drive.
    Microwarpdrive,
    /// Something that holds a ship on the grid, or a defence against it.
    Tackle,
    /// A thing in the hold.
    Cargo,
    /// An implant.
    Implant,
    /// A combat drug.
    Booster,
    /// A subsystem.
    Subsystem,
    /// A script or a charge that the ruleset does not have.
    Charge,
    /// A weapon that the ruleset does not have.
    Weapon,
    /// A faction's, a deadspace or an officer's variant of a module that the ruleset has.
    Variant,
    /// Another module of EVE.
    Module,
    /// A module switched off.
    Offline,
    /// What a mutaplasmid changes.
    Mutation,
    /// A name cut to the length that labels have.
    Name,
}

impl Kind {
    /// What becomes of it, in a sentence.
    pub fn message(self) -> &'static str {
        match self {
            Self::Rig => "rigs are not modelled: flown without it",
            Self::Drone => "drones are not modelled: flown without them",
            Self::Microwarpdrive => "microwarpdrives are not modelled, afterburners are: flown without it",
            Self::Tackle => "there is no warp to stop here, webs are modelled: flown without it",
            Self::Cargo => "the hold is not modelled: what is not fitted is not flown",
            Self::Implant => "implants are not modelled; skills are",
            Self::Booster => "combat boosters are not modelled",
            Self::Subsystem => "subsystems are not modelled: flown without it",
            Self::Charge => "this script or charge is not modelled: flown unloaded",
            Self::Weapon => "this weapon is not in the ruleset: flown without it",
            Self::Variant => "this variant is not in the ruleset: flown without it",
            Self::Module => "this module is not modelled: flown without it",
            Self::Offline => "switched off in the text: flown without it",
            Self::Mutation => "mutations are not modelled: the plain module is flown",
            Self::Name => "a label has at most 64 visible characters: cut",
        }
    }
}

/// What a folded name is that is no module and no charge of the ruleset; `None` where it is nothing of EVE's, as far
/// as is known here.
pub(super) fn classify(folded: &str, names: &Names) -> Option<Kind> {
    if is_rig(folded) {
        return Some(Kind::Rig);
    }
    let has = |words: &&str| contains_word(folded, words);
    for (kind, words) in [
        (Kind::Drone, DRONES),
        (Kind::Microwarpdrive, MICROWARPDRIVES),
        (Kind::Tackle, TACKLE),
        (Kind::Implant, IMPLANTS),
        (Kind::Charge, CHARGES),
        (Kind::Module, MODULES),
        (Kind::Weapon, WEAPONS),
    ] {
        if words.iter().any(has) {
            return Some(kind);
        }
    }
    if folded.ends_with(" script") {
        return Some(Kind::Charge);
    }
    let drug = ["synth ", "standard ", "improved ", "strong ", "agency "];
    if folded.contains(" booster") && drug.iter().any(|drug| folded.starts_with(drug)) {
        return Some(Kind::Booster);
    }
    if SUBSYSTEMS.iter().any(|hull| folded.starts_with(hull)) && folded.contains(" - ") {
        return Some(Kind::Subsystem);
    }
    (is_of_a_faction(folded) && names.is_variant(folded)).then_some(Kind::Variant)
}

/// Whether the words stand in the text as whole words.
fn contains_word(text: &str, words: &str) -> bool {
    text.match_indices(words).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + words.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(|c| c.is_alphanumeric() && c != 's')
    })
}

fn is_rig(folded: &str) -> bool {
    let size = ["small ", "medium ", "large ", "capital "];
    let Some(rest) = size.iter().find_map(|size| folded.strip_prefix(size)) else { return false };
    let stem = rest.strip_suffix(" ii").or_else(|| rest.strip_suffix(" i"));
    stem.is_some_and(|stem| RIGS.contains(&stem))
}

fn is_of_a_faction(folded: &str) -> bool {
    FACTIONS.iter().any(|faction| folded.starts_with(faction))
        || folded.contains("-type ")
        || folded.contains(" modified ")
}

const RIGS: &[&str] = &[
    "algid energy administrations unit",
    "algid hybrid administrations unit",
    "ancillary current router",
    "anti-em pump",
    "anti-em screen reinforcer",
    "anti-explosive pump",
    "anti-explosive screen reinforcer",
    "anti-kinetic pump",
    "anti-kinetic screen reinforcer",
    "anti-thermal pump",
    "anti-thermal screen reinforcer",
    "anti-thermic pump",
    "auxiliary nano pump",
    "auxiliary thrusters",
    "bay loading accelerator",
    "capacitor control circuit",
    "cargohold optimization",
    "command processor",
    "core defense capacitor safeguard",
    "core defense charge economizer",
    "core defense field extender",
    "core defense field purger",
    "core defense operational solidifier",
    "drone control range augmentor",
    "drone durability enhancer",
    "drone mining augmentor",
    "drone repair augmentor",
    "drone scope chip",
    "drone speed augmentor",
    "dynamic fuel valve",
    "egress port maximizer",
    "em armor reinforcer",
    "em shield reinforcer",
    "emission scope sharpener",
    "energy ambit extension",
    "energy burst aerator",
    "energy collision accelerator",
    "energy discharge elutriation",
    "energy locus coordinator",
    "energy metastasis adjuster",
    "engine thermal shielding",
    "explosive armor reinforcer",
    "explosive shield reinforcer",
    "gravity capacitor upgrade",
    "higgs anchor",
    "hybrid ambit extension",
    "hybrid burst aerator",
    "hybrid collision accelerator",
    "hybrid discharge elutriation",
    "hybrid locus coordinator",
    "hybrid metastasis adjuster",
    "hydraulic bay thrusters",
    "hyperspatial velocity optimizer",
    "inverted signal field projector",
    "ionic field projector",
    "kinetic armor reinforcer",
    "kinetic shield reinforcer",
    "liquid cooled electronics",
    "low friction nozzle joints",
    "memetic algorithm bank",
    "nanobot accelerator",
    "particle dispersion augmentor",
    "particle dispersion projector",
    "polycarbon engine housing",
    "powergrid subroutine maximizer",
    "processor overclocking unit",
    "projectile ambit extension",
    "projectile burst aerator",
    "projectile cache distributor",
    "projectile collision accelerator",
    "projectile consumption elutriator",
    "projectile locus coordinator",
    "projectile metastasis adjuster",
    "remote repair augmentor",
    "rocket fuel cache partition",
    "salvage tackle",
    "semiconductor memory cell",
    "sentry damage augmentor",
    "signal disruption amplifier",
    "signal focusing kit",
    "stasis drone augmentor",
    "targeting system subcontroller",
    "targeting systems stabilizer",
    "thermal armor reinforcer",
    "thermal shield reinforcer",
    "tracking diagnostic subroutines",
    "transverse bulkhead",
    "trimark armor pump",
    "warhead calefaction catalyst",
    "warhead flare catalyst",
    "warhead rigor catalyst",
    "warp core optimizer",
];

const DRONES: &[&str] = &[
    "acolyte",
    "infiltrator",
    "praetor",
    "curator",
    "hobgoblin",
    "hammerhead",
    "ogre",
    "garde",
    "hornet",
    "vespa",
    "wasp",
    "warden",
    "warrior",
    "valkyrie",
    "berserker",
    "bouncer",
    "gecko",
    "maintenance bot",
    "mining drone",
    "salvage drone",
    "harvester mining drone",
    "templar",
    "dragonfly",
    "firbolg",
    "einherji",
    "equite",
    "locust",
    "satyr",
];

const MICROWARPDRIVES: &[&str] =
    &["microwarpdrive", "micro jump drive", "micro jump field generator", "microwarp drive"];

const TACKLE: &[&str] = &[
    "warp scrambler",
    "warp disruptor",
    "warp disruption field generator",
    "warp disrupt probe",
    "stasis grappler",
    "interdiction sphere launcher",
    "warp core stabilizer",
    "interdiction nullifier",
];

const IMPLANTS: &[&str] = &[
    "zainou",
    "eifyr and co.",
    "inherent implants",
    "hardwiring",
    "low-grade",
    "mid-grade",
    "high-grade",
    "mindlink",
    "genolution",
    "limited ocular filter",
    "social adaptation chip",
    "cybernetic subprocessor",
    "neural boost",
    "memory augmentation",
    "ocular filter",
];

const CHARGES: &[&str] = &[
    "nanite repair paste",
    "nuclear",
    "proton",
    "depleted uranium",
    "lead charge",
    "uranium charge",
    "tungsten charge",
    "iridium charge",
    "microwave",
    "infrared",
    "gamma",
    "ultraviolet",
    "auto-targeting",
    "defender missile",
    "core scanner probe",
    "combat scanner probe",
    "command burst charge",
    "interdiction probe",
];

const WEAPONS: &[&str] = &[
    "electron blaster",
    "electron blaster cannon",
    "gatling",
    "125mm railgun",
    "125mm",
    "dual 180mm",
    "650mm artillery cannon",
    "1200mm artillery cannon",
    "350mm railgun",
    "dual 250mm railgun",
    "200mm railgun",
    "dual 150mm railgun",
    "quad light beam",
    "dual light beam",
    "focused medium beam",
    "dual heavy beam",
    "rapid light missile launcher",
    "rapid heavy missile launcher",
    "rapid torpedo launcher",
    "defender launcher",
    "vorton projector",
    "entropic disintegrator",
    "bomb launcher",
    "smartbomb",
    "energy vampire",
    "breacher pod launcher",
    "mining laser",
    "miner",
    "strip miner",
    "harvester",
];

const MODULES: &[&str] = &[
    "burst jammer",
    "sensor booster",
    "signal amplifier",
    "eccm",
    "remote tracking computer",
    "target spectrum breaker",
    "reactive armor hardener",
    "reactive shield hardener",
    "layered coating",
    "layered energized membrane",
    "energized armor layering membrane",
    "layered plating",
    "ancillary armor repairer",
    "ancillary remote armor repairer",
    "ancillary remote shield booster",
    "hull repairer",
    "assault damage control",
    "multispectrum shield amplifier",
    "shield recharger",
    "shield power relay",
    "shield flux coil",
    "cap battery",
    "capacitor battery",
    "capacitor flux coil",
    "capacitor power relay",
    "remote capacitor transmitter",
    "drone damage amplifier",
    "drone link augmentor",
    "drone navigation computer",
    "omnidirectional tracking link",
    "omnidirectional tracking enhancer",
    "drone control unit",
    "fighter support unit",
    "command burst",
    "warfare link",
    "command processor",
    "cloaking device",
    "probe launcher",
    "salvager",
    "tractor beam",
    "analyzer",
    "cargo scanner",
    "ship scanner",
    "survey scanner",
    "cynosural field generator",
    "jump portal generator",
    "clone vat bay",
    "auto targeting system",
    "automated targeting unit",
    "passive targeter",
    "expanded cargohold",
    "inertial stabilizers",
    "hyperspatial accelerator",
    "entosis link",
    "festival launcher",
    "bastion module",
    "siege module",
    "triage module",
    "industrial core",
    "emergency hull energizer",
    "scan acquisition array",
    "scan rangefinding array",
    "scan pinpointing array",
    "data analyzer",
    "relic analyzer",
    "mutadaptive remote",
    "mining upgrade",
    "ice harvester upgrade",
    "phenomena generator",
];

const SUBSYSTEMS: &[&str] = &["legion ", "tengu ", "proteus ", "loki "];

const FACTIONS: &[&str] = &[
    "'basic' ",
    "basic ",
    "civilian ",
    "ammatar navy ",
    "angel ",
    "ardishapur ",
    "blood ",
    "caldari navy ",
    "concord ",
    "dark blood ",
    "domination ",
    "dread guristas ",
    "federation navy ",
    "guristas ",
    "imperial navy ",
    "khanid navy ",
    "legion ",
    "mordu's ",
    "republic fleet ",
    "sansha ",
    "serpentis ",
    "shadow serpentis ",
    "sentient ",
    "syndicate ",
    "thukker ",
    "true sansha ",
];
