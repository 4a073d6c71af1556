//! What the bay says of a fleet.

use ongrid_engine::Rejection;
use ongrid_engine_ongrid::{
    Act, ActiveSheet, Catalogue, OnGrid, Share, ShipSheet, Stance, WeaponSheet, WorkSheet,
};

use crate::eft::{Fault, Note, Renamed};
use crate::fitting::{Judgement, SKILLS};
use crate::pages::format::{exact, one, percent, whole, words};
use crate::pages::report::chart::{Bar, outline};
use crate::pages::report::story::{class_name, layer_name};
use crate::pages::report::view::class_id;

/// What the rules say of a fleet.
#[derive(Debug)]
pub struct Verdict {
    /// `good` or `bad`.
    pub tone: &'static str,
    /// Legal, or the reason why not.
    pub headline: String,
    /// The rule's code and the line it is about.
    pub detail: String,
    /// Lines that mean nothing here.
    pub faults: Vec<Fault>,
    /// Lines that this sim does not model.
    pub notes: Vec<Note>,
    /// Old names that were taken for new ones.
    pub renamed: Vec<Renamed>,
    /// Points used, and points allowed.
    pub points: (u32, u32),
    /// Ships flown, and ships allowed.
    pub ships: (usize, usize),
    /// The ships as flown.
    pub flown: Vec<FlownView>,
    /// What calibration makes of it.
    pub calibration: Option<CalibrationView>,
    /// Chances against the hostile ships.
    pub against_hostile: Option<Table>,
    /// Chances against a bare hull of each class.
    pub against_classes: Option<Table>,
    /// The fleet as fitting text.
    pub text: String,
    /// The setup as JSON.
    pub setup: String,
}

/// What calibration makes of a fleet.
#[derive(Debug)]
pub struct CalibrationView {
    /// The fit score.
    pub score: u32,
    /// The level.
    pub level: usize,
    /// Name of the level's racks.
    pub rack: String,
    /// Thresholds, and whether the score has reached them.
    pub thresholds: Vec<(u32, bool)>,
    /// What would raise the level next, in a sentence.
    pub next: String,
    /// The hostile fleet.
    pub hostile: Vec<FlownView>,
}

/// A ship as flown.
#[derive(Debug)]
pub struct FlownView {
    /// Its call sign.
    pub sign: String,
    /// Its hull.
    pub hull: &'static str,
    /// Id of the hull's tier.
    pub tier: String,
    /// What it is for, and the rack it flies; of hostile ships.
    pub role: String,
    /// Outline of its class.
    pub outline: &'static str,
    /// Hit points in all.
    pub hit_points: String,
    /// Hit points against each type of damage, even through all layers.
    pub effective: [String; 4],
    /// Name, hit points, and what is resisted of each type, by layer.
    pub layers: Vec<(&'static str, String, [String; 4])>,
    /// Figures by name.
    pub figures: Vec<(&'static str, String)>,
    /// Cpu, power, slots, hardpoints: name, figures, whether over, bar.
    pub shares: Vec<(&'static str, String, bool, Bar)>,
    /// Its groups: number, module, charge, tier, what it does.
    pub groups: Vec<GroupView>,
}

/// A group as flown.
#[derive(Debug)]
pub struct GroupView {
    /// Number of modules.
    pub count: u8,
    /// Its module.
    pub module: &'static str,
    /// Its charge.
    pub charge: &'static str,
    /// The module's tier.
    pub tier: String,
    /// What it adds to the score.
    pub weight: u32,
    /// What it does, in words.
    pub deed: String,
}

/// A table of chances.
#[derive(Debug)]
pub struct Table {
    /// Names of the targets, and what they are.
    pub targets: Vec<(String, String)>,
    /// Ship and weapon, whether turrets, and a figure for each target: standing still in its stance, and evasive.
    pub rows: Vec<(String, &'static str, Vec<Chances>)>,
}

/// Against a target standing still in its stance, against it evasive, and how good the first is.
pub type Chances = (String, String, u8);

impl Verdict {
    /// What the bay says of a judgement.
    pub fn new(judgement: &Judgement, engine: &OnGrid) -> Self {
        let catalogue = engine.catalogue();
        let rejection = judgement.rejection();
        let (tone, headline) = match (judgement.is_legal(), rejection) {
            (true, _) => ("good", "Legal: this fleet may fight".to_owned()),
            (false, Some(no)) => ("bad", format!("Not legal: {}", no.message())),
            (false, None) => ("bad", "Not judged: some lines mean nothing here".to_owned()),
        };
        let doctrine = judgement.doctrine;
        let signs = |letter: char| move |index: usize| format!("{letter}{}", index + 1);
        let own = signs('P');
        let flown = judgement.flown.iter().enumerate();
        Self {
            tone,
            headline,
            detail: rejection.map(|no| detail(no, judgement.rejected_line())).unwrap_or_default(),
            faults: judgement.fleet.faults.clone(),
            notes: judgement.fleet.notes.clone(),
            renamed: judgement.fleet.renamed.clone(),
            points: (judgement.points(), doctrine.map_or(0, |doctrine| doctrine.points)),
            ships: (judgement.fleet.ships.len(), doctrine.map_or(0, |doctrine| doctrine.max_ships)),
            calibration: CalibrationView::new(judgement, catalogue),
            against_hostile: (!judgement.hostile.is_empty())
                .then(|| Table::new(&judgement.flown, &judgement.hostile, signs('H'), catalogue)),
            against_classes: (!judgement.flown.is_empty())
                .then(|| Table::new(&judgement.flown, &bare_hulls(engine), |_| String::new(), catalogue)),
            flown: flown
                .map(|(index, sheet)| FlownView::new(own(index), sheet, String::new(), catalogue))
                .collect(),
            text: crate::eft::write(&judgement.fleet.ships),
            setup: judgement
                .setup
                .as_ref()
                .and_then(|setup| serde_json::to_string_pretty(setup).ok())
                .unwrap_or_default(),
        }
    }
}

fn detail(no: &Rejection, line: Option<usize>) -> String {
    match line {
        Some(line) => format!("code {}, line {line}", no.code()),
        None => format!("code {}", no.code()),
    }
}

/// A bare hull of each class, flown by a crew at the baseline: what one typically shoots at.
fn bare_hulls(engine: &OnGrid) -> Vec<ShipSheet> {
    let catalogue = engine.catalogue();
    let level = u8::try_from(catalogue.rules.baseline()).unwrap_or_default();
    let hulls = ["rifter", "thrasher", "stabber", "hurricane", "tempest"];
    let known = hulls.into_iter().filter_map(|id| catalogue.hull(id));
    known.map(|hull| engine.sheet(hull, &[], [level; SKILLS])).collect()
}

impl CalibrationView {
    fn new(judgement: &Judgement, catalogue: &Catalogue) -> Option<Self> {
        let snapshot = judgement.snapshot.as_ref()?;
        let thresholds = catalogue.rules.calibration.thresholds;
        let next = thresholds.iter().find(|threshold| **threshold > snapshot.score);
        let hostile = judgement.hostile.iter().zip(&snapshot.hostile).enumerate();
        Some(Self {
            score: snapshot.score,
            level: snapshot.level,
            rack: snapshot.rack.clone(),
            thresholds: thresholds.map(|threshold| (threshold, snapshot.score >= threshold)).to_vec(),
            next: match next {
                Some(threshold) => {
                    format!("{} more points of fit score bring the next level", threshold - snapshot.score)
                }
                None => "this is the highest level".to_owned(),
            },
            hostile: hostile
                .map(|(index, (sheet, ship))| {
                    let role = format!("{}, rack level {}", class_id(ship.role), ship.flown_level);
                    FlownView::new(format!("H{}", index + 1), sheet, role, catalogue)
                })
                .collect(),
        })
    }
}

impl FlownView {
    fn new(sign: String, sheet: &ShipSheet, role: String, catalogue: &Catalogue) -> Self {
        let layers = ["shield", "armor", "hull"].into_iter().zip(sheet.max).zip(sheet.resonance);
        let [standard, aggressive, evasive] = sheet.velocity.map(whole);
        let effective = [0, 1, 2, 3].map(|kind| {
            let through = |layer: usize| {
                let passes = sheet.resonance[layer][kind];
                if passes > 0.0 { sheet.max[layer] / passes } else { f64::INFINITY }
            };
            whole((0..3).map(through).sum())
        });
        Self {
            sign,
            hull: sheet.hull.name,
            tier: class_id(sheet.hull.tier),
            role,
            outline: outline(&class_id(sheet.hull.class)),
            hit_points: whole(sheet.max.iter().sum()),
            effective,
            layers: layers
                .map(|((name, max), passes)| (name, whole(max), passes.map(|passes| percent(1.0 - passes))))
                .collect(),
            figures: vec![
                ("Velocity", format!("{standard} m/s, aggressive {aggressive}, evasive {evasive}")),
                ("Signature", format!("{} m", whole(sheet.signature))),
                ("Capacitor", format!("{} GJ, {} a round", whole(sheet.capacitor), one(sheet.recharge))),
                ("Sensors", format!("{} {}", one(sheet.sensor_strength), class_id(sheet.hull.sensor))),
                ("Hull points", sheet.hull.points.to_string()),
            ],
            shares: shares(sheet),
            groups: sheet
                .groups
                .iter()
                .map(|group| GroupView {
                    count: group.fitted.count,
                    module: group.fitted.module.name,
                    charge: group.fitted.charge.map_or("", |charge| charge.name),
                    tier: class_id(group.fitted.module.tier),
                    weight: u32::from(group.fitted.count)
                        * catalogue.rules.tier_weight(group.fitted.module.tier),
                    deed: match &group.act {
                        Act::Passive => String::new(),
                        Act::Weapon(weapon) => weapon_text(weapon),
                        Act::Active(active) => active_text(active),
                    },
                })
                .collect(),
        }
    }
}

fn shares(sheet: &ShipSheet) -> Vec<(&'static str, String, bool, Bar)> {
    let [high, mid, low] = sheet.slots;
    let [turrets, launchers] = sheet.hardpoints;
    let rows = [
        ("Cpu", sheet.cpu, "tf"),
        ("Power", sheet.power, "MW"),
        ("High slots", high, ""),
        ("Mid slots", mid, ""),
        ("Low slots", low, ""),
        ("Turrets", turrets, ""),
        ("Launchers", launchers, ""),
    ];
    let shown = rows.into_iter().filter(|(_, share, _)| share.of > 0.0 || share.used > 0.0);
    shown
        .map(|(name, share, unit)| {
            let figures = format!("{} of {} {unit}", exact(tenths(share.used)), exact(tenths(share.of)));
            (name, figures.trim_end().to_owned(), share.is_over(), share_bar(share))
        })
        .collect()
}

fn tenths(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

fn share_bar(share: Share) -> Bar {
    let mut bar = Bar::default();
    let tone = if share.is_over() { "foe" } else { "own" };
    let part = if share.of > 0.0 { share.used / share.of } else { 1.0 };
    bar.push(part, tone, String::new());
    bar
}

fn weapon_text(weapon: &WeaponSheet) -> String {
    let types = ["em", "thermal", "kinetic", "explosive"].into_iter().zip(weapon.volley);
    let dealt: Vec<String> = types
        .filter(|(_, damage)| *damage > 0.0)
        .map(|(name, damage)| format!("{} {name}", one(damage)))
        .collect();
    let total: f64 = weapon.volley.iter().sum();
    let aim = if weapon.turret { "tracking" } else { "guidance" };
    let cost = if weapon.cost > 0.0 { format!(", {} GJ a volley", one(weapon.cost)) } else { String::new() };
    format!("volley {} ({}), {aim} {}{cost}", one(total), dealt.join(" + "), exact(weapon.aim[0]))
}

fn active_text(active: &ActiveSheet) -> String {
    let work = match active.work {
        WorkSheet::Multiplies(multipliers) => {
            let changed = multipliers.into_iter().filter(|multiplier| *multiplier != 1.0).map(exact);
            format!("multiplies by {}", changed.collect::<Vec<_>>().join(" and "))
        }
        WorkSheet::Jams([radar, ladar, magnetometric, gravimetric]) => format!(
            "jam strength radar {}, ladar {}, magnetometric {}, gravimetric {}",
            one(radar),
            one(ladar),
            one(magnetometric),
            one(gravimetric)
        ),
        WorkSheet::Drains(amount) => format!("drains {} GJ", one(amount)),
        WorkSheet::Leeches(amount) => format!("leeches {} GJ", one(amount)),
        WorkSheet::Repairs(layer, amount) => format!("repairs {} {}", one(amount), layer_name(layer)),
        WorkSheet::Boosts(amount) => format!("gives {} GJ", one(amount)),
    };
    let cost = if active.cost > 0.0 { format!(", {} GJ", one(active.cost)) } else { String::new() };
    let uses = active.uses.map(|uses| format!(", {uses} uses")).unwrap_or_default();
    format!("{}: {work}{cost}{uses}", words(&class_name(active.class)))
}

impl Table {
    fn new(
        flown: &[ShipSheet],
        targets: &[ShipSheet],
        sign: impl Fn(usize) -> String,
        catalogue: &Catalogue,
    ) -> Self {
        let mut rows = Vec::new();
        for (index, ship) in flown.iter().enumerate() {
            for group in &ship.groups {
                let Act::Weapon(weapon) = &group.act else { continue };
                let load = group.fitted.charge.map_or("", |charge| charge.name);
                let name = format!("P{} {}, {load}", index + 1, group.fitted.module.name);
                let kind = if weapon.turret { "hits" } else { "applies" };
                let cells = targets.iter().map(|target| {
                    let against = |stance: Stance| {
                        let speed = target.velocity[stance as usize];
                        weapon.against(&catalogue.rules, Stance::Standard, target.signature, speed)
                    };
                    let (standard, evasive) = (against(Stance::Standard), against(Stance::Evasive));
                    (percent(standard), percent(evasive), (standard * 5.0).ceil() as u8)
                });
                rows.push((name, kind, cells.collect()));
            }
        }
        let targets = targets.iter().enumerate().map(|(index, target)| {
            let name = format!("{} {}", sign(index), target.hull.name).trim().to_owned();
            (name, format!("{} m, {} m/s", whole(target.signature), whole(target.velocity[0])))
        });
        Self { targets: targets.collect(), rows }
    }
}
