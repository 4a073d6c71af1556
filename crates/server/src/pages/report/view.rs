//! What a kill report shows, made of the record and, where the engine still runs here, of the story.

use ongrid_engine_ongrid::{Catalogue, Side};

use crate::pages::format::{one, percent, whole, words};
use crate::pages::report::chart::{Bar, HitPoints, outline, tone};
use crate::pages::report::record::{self, Outcome, Snapshot};
use crate::pages::report::story::{Round, Story, class_name, stance_name};

/// The scrubber: chart, and the round that is shown.
#[derive(Debug)]
pub struct Scrub {
    /// Hit points over the rounds.
    pub chart: HitPoints,
    /// The round shown.
    pub shown: RoundView,
}

/// A round shown.
#[derive(Debug)]
pub struct RoundView {
    /// Its number; 0 is the start.
    pub number: u32,
    /// The last round's.
    pub last: u32,
    /// The pilot's ships and the hostile ones.
    pub sides: Vec<SideView>,
    /// What happened.
    pub turns: Vec<TurnView>,
}

/// The ships of a side in a round.
#[derive(Debug)]
pub struct SideView {
    /// `own` or `foe`.
    pub tone: &'static str,
    /// Its name.
    pub title: &'static str,
    /// Hit points left of all.
    pub share: String,
    /// The ships.
    pub ships: Vec<Tile>,
}

/// A ship in a round.
#[derive(Debug)]
pub struct Tile {
    /// Its call sign.
    pub sign: String,
    /// Its hull.
    pub hull: &'static str,
    /// Outline of its class.
    pub outline: &'static str,
    /// What is left of it.
    pub bar: Bar,
    /// Hit points left, as a share.
    pub share: String,
    /// Its layers in words, for those who do not see the bar.
    pub layers: String,
    /// The round it was destroyed in.
    pub destroyed: Option<u32>,
    /// Its stance.
    pub stance: &'static str,
    /// What works on it.
    pub effects: Vec<String>,
}

/// A turn shown.
#[derive(Debug)]
pub struct TurnView {
    /// `own`, `foe` or empty.
    pub tone: &'static str,
    /// Whose.
    pub who: String,
    /// The stance, where it is not the standard one.
    pub stance: &'static str,
    /// What happened: tone and sentence.
    pub lines: Vec<(&'static str, String)>,
}

impl RoundView {
    /// The round with this index, or the last.
    pub fn new(story: &Story, index: usize) -> Self {
        let last = story.rounds.len() - 1;
        let round = &story.rounds[index.min(last)];
        let sides = [(Side::Pilot, "Pilot fleet"), (Side::Hostile, "Hostile fleet")];
        Self {
            number: round.number,
            last: story.rounds[last].number,
            sides: sides.into_iter().map(|(side, title)| SideView::new(story, round, side, title)).collect(),
            turns: round
                .turns
                .iter()
                .map(|turn| TurnView {
                    tone: turn.ship.map_or("", |ship| tone(story.side(ship))),
                    who: turn.ship.map(|ship| story.name(ship)).unwrap_or_default(),
                    stance: match turn.stance.map(stance_name) {
                        None | Some("standard") => "",
                        Some(stance) => stance,
                    },
                    lines: turn.lines.iter().map(|line| (line.tone, line.text.clone())).collect(),
                })
                .collect(),
        }
    }

    /// The round before, where there is one.
    pub fn before(&self) -> Option<u32> {
        self.number.checked_sub(1)
    }

    /// The round after, where there is one.
    pub fn after(&self) -> Option<u32> {
        (self.number < self.last).then_some(self.number + 1)
    }
}

impl SideView {
    fn new(story: &Story, round: &Round, side: Side, title: &'static str) -> Self {
        let (left, most) = story.totals(round, side);
        let share = if most > 0.0 { left.iter().sum::<f64>() / most } else { 0.0 };
        let ships = (0..story.ships.len()).filter(|ship| story.side(*ship) == side);
        Self {
            tone: tone(side),
            title,
            share: percent(share),
            ships: ships.map(|ship| Tile::new(story, round, ship)).collect(),
        }
    }
}

impl Tile {
    fn new(story: &Story, round: &Round, ship: usize) -> Self {
        let (sheet, state) = (&story.ships[ship], &round.ships[ship]);
        let most: f64 = sheet.max.iter().sum();
        let [shield, armor, hull] = state.left.map(whole);
        let mut effects: Vec<String> = state
            .effects
            .iter()
            .map(|effect| format!("{} by {}", class_name(effect.class), story.sign(effect.source)))
            .collect();
        if state.jam_until > round.number && state.destroyed.is_none() {
            effects.push(format!("jammed until {}", state.jam_until));
        }
        Self {
            sign: story.sign(ship),
            hull: sheet.hull.name,
            outline: outline(&class_id(sheet.hull.class)),
            bar: Bar::of_layers(state.left, sheet.max),
            share: percent(state.left.iter().sum::<f64>() / most),
            layers: format!("shield {shield}, armor {armor}, hull {hull}"),
            destroyed: state.destroyed,
            stance: stance_name(state.stance),
            effects,
        }
    }
}

/// The id of a serialisable name: hull classes, tiers.
pub fn class_id(name: impl serde::Serialize) -> String {
    serde_json::to_value(name).ok().and_then(|id| id.as_str().map(str::to_owned)).unwrap_or_default()
}

/// A fleet with its fits.
#[derive(Debug)]
pub struct FleetView {
    /// `own` or `foe`.
    pub tone: &'static str,
    /// Its name.
    pub title: &'static str,
    /// Its ships.
    pub ships: Vec<Card>,
}

/// A ship with its fit and what became of it.
#[derive(Debug)]
pub struct Card {
    /// Its ship id.
    pub id: usize,
    /// Its call sign.
    pub sign: String,
    /// Its hull.
    pub hull: String,
    /// The hull's tier.
    pub tier: String,
    /// What it is for; of hostile ships.
    pub role: String,
    /// Outline of its class.
    pub outline: &'static str,
    /// What became of it, in a sentence.
    pub fate: String,
    /// Whether it was destroyed.
    pub destroyed: bool,
    /// Hit points it took off others.
    pub dealt: String,
    /// Hit points others took off it.
    pub taken: String,
    /// Its groups.
    pub groups: Vec<Row>,
    /// What its modules add to the score; of pilot ships.
    pub weight: u32,
    /// Who took how much off it, and which share of all.
    pub attackers: Vec<Attacker>,
}

/// A group of a fit.
#[derive(Debug)]
pub struct Row {
    /// Number of modules.
    pub count: u32,
    /// Its module.
    pub module: String,
    /// Its charge.
    pub charge: String,
    /// The module's tier.
    pub tier: String,
    /// What the group adds to the score; of pilot ships.
    pub weight: Option<u32>,
    /// What it did, in words.
    pub deed: String,
}

/// Who took hit points off a ship.
#[derive(Debug)]
pub struct Attacker {
    /// Whom.
    pub name: String,
    /// How much.
    pub damage: String,
    /// Which share of all that was taken.
    pub share: String,
    /// Whether the final blow was its.
    pub final_blow: bool,
}

/// Names of a catalogue by id; what is not in it goes by its id.
#[derive(Clone, Copy, Debug)]
pub struct Lookup(pub &'static Catalogue);

impl Lookup {
    /// The name of a hull.
    pub fn hull(self, id: &str) -> String {
        self.0.hull(id).map_or(id, |hull| hull.name).to_owned()
    }

    fn outline(self, id: &str) -> &'static str {
        outline(&self.0.hull(id).map(|hull| class_id(hull.class)).unwrap_or_default())
    }

    /// The name of a module.
    pub fn module(self, id: &str) -> String {
        self.0.module(id).map_or(id, |module| module.name).to_owned()
    }

    fn charge(self, id: Option<&str>) -> String {
        id.map(|id| self.0.charge(id).map_or(id, |charge| charge.name).to_owned()).unwrap_or_default()
    }
}

/// Both fleets.
pub fn fleets(
    outcome: &Outcome,
    snapshot: &Snapshot,
    story: Option<&Story>,
    names: Lookup,
) -> Vec<FleetView> {
    let own = snapshot.pilot.len();
    let card = |id: usize, hull: &str, tier: &str, role: &str, fit: &[record::Group]| {
        Card::new(id, own, hull, tier, role, fit, outcome, story, names)
    };
    let pilot = snapshot.pilot.iter().enumerate();
    let hostile = snapshot.hostile.iter().enumerate();
    vec![
        FleetView {
            tone: "own",
            title: "Pilot fleet",
            ships: pilot.map(|(id, ship)| card(id, &ship.hull, &ship.tier, "", &ship.fit)).collect(),
        },
        FleetView {
            tone: "foe",
            title: "Hostile fleet",
            ships: hostile
                .map(|(place, ship)| card(own + place, &ship.hull, &ship.tier, &ship.role, &ship.fit))
                .collect(),
        },
    ]
}

/// A ship's call sign: `P1`, `H3`.
fn sign(id: usize, own: usize) -> String {
    match id.checked_sub(own) {
        None => format!("P{}", id + 1),
        Some(place) => format!("H{}", place + 1),
    }
}

impl Card {
    // A card is made of everything that the record says of a ship.
    #[allow(clippy::too_many_arguments)]
    fn new(
        id: usize,
        own: usize,
        hull: &str,
        tier: &str,
        role: &str,
        fit: &[record::Group],
        outcome: &Outcome,
        story: Option<&Story>,
        names: Lookup,
    ) -> Self {
        let ship = outcome.ships.get(id);
        let name_of = |id: usize| {
            let hull = outcome.ships.get(id).map(|ship| names.hull(&ship.hull)).unwrap_or_default();
            format!("{} {hull}", sign(id, own))
        };
        let destroyed = ship.and_then(|ship| ship.destroyed_round);
        let shooter = ship.and_then(|ship| ship.last_shooter);
        let fate = match (ship, destroyed, shooter) {
            (_, Some(round), Some(by)) => {
                format!("destroyed in round {round}, final blow by {}", name_of(by))
            }
            (_, Some(round), None) => format!("destroyed in round {round}"),
            (Some(ship), ..) => {
                let left = ship.left.shield + ship.left.armor + ship.left.hull;
                format!("survived with {} hit points", whole(left))
            }
            (None, ..) => String::new(),
        };
        let groups: Vec<Row> =
            fit.iter().enumerate().map(|(index, group)| Row::new(id, index, group, story, names)).collect();
        Self {
            id,
            sign: sign(id, own),
            hull: names.hull(hull),
            tier: tier.to_owned(),
            role: role.to_owned(),
            outline: names.outline(hull),
            fate,
            destroyed: destroyed.is_some(),
            dealt: whole(ship.map_or(0.0, |ship| ship.damage_dealt)),
            taken: whole(ship.map_or(0.0, |ship| ship.damage_taken)),
            weight: groups.iter().filter_map(|row| row.weight).sum(),
            groups,
            attackers: story
                .map(|story| attackers(story, id, destroyed.and(shooter), &name_of))
                .unwrap_or_default(),
        }
    }
}

fn attackers(
    story: &Story,
    id: usize,
    final_blow: Option<usize>,
    name_of: &dyn Fn(usize) -> String,
) -> Vec<Attacker> {
    let damage = |from: usize| story.dealt[from].get(id).copied().unwrap_or_default();
    let all: f64 = (0..story.dealt.len()).map(damage).sum();
    let mut from: Vec<usize> = (0..story.dealt.len()).filter(|from| damage(*from) > 0.0).collect();
    from.sort_by(|a, b| damage(*b).total_cmp(&damage(*a)));
    from.into_iter()
        .map(|from| Attacker {
            name: name_of(from),
            damage: whole(damage(from)),
            share: percent(damage(from) / all),
            final_blow: final_blow == Some(from),
        })
        .collect()
}

impl Row {
    fn new(ship: usize, index: usize, group: &record::Group, story: Option<&Story>, names: Lookup) -> Self {
        let tier = group.tier.clone();
        let tier = tier.or_else(|| names.0.module(&group.module).map(|module| class_id(module.tier)));
        let tally = story.and_then(|story| story.groups.get(ship)?.get(index)).copied().unwrap_or_default();
        let deed = if tally.repaired > 0.0 {
            format!("{} repaired, {} ×", whole(tally.repaired), tally.used)
        } else if tally.damage > 0.0 || tally.landed > 0 {
            format!("{} damage, {} of {} landed", whole(tally.damage), tally.landed, tally.used)
        } else if tally.used > 0 {
            format!("{} ×", tally.used)
        } else {
            String::new()
        };
        Self {
            count: group.count,
            module: names.module(&group.module),
            charge: names.charge(group.charge.as_deref()),
            tier: tier.unwrap_or_default(),
            weight: group.weight.map(|weight| weight * group.count),
            deed,
        }
    }
}

/// Damage by source: who dealt how much with what, and to whom.
#[derive(Debug)]
pub struct DamageView {
    /// Shooters, most damage first.
    pub sources: Vec<Source>,
    /// Call signs of all ships, the columns of the table.
    pub columns: Vec<(String, &'static str)>,
}

/// A shooter.
#[derive(Debug)]
pub struct Source {
    /// Call sign and hull.
    pub name: String,
    /// Its call sign.
    pub sign: String,
    /// `own` or `foe`.
    pub tone: &'static str,
    /// Hit points in all.
    pub total: String,
    /// By weapon group, as parts of the greatest total.
    pub bar: Bar,
    /// What dealt it, in words.
    pub with: String,
    /// By target: figure and strength of its cell, 0 … 5.
    pub cells: Vec<(String, u8)>,
}

impl DamageView {
    /// The damage of a fight.
    pub fn new(story: &Story) -> Self {
        let total = |ship: usize| story.dealt[ship].iter().sum::<f64>();
        let mut order: Vec<usize> = (0..story.ships.len()).collect();
        order.sort_by(|a, b| total(*b).total_cmp(&total(*a)));
        let most = order.first().map_or(0.0, |ship| total(*ship)).max(1.0);
        let hottest = story.dealt.iter().flatten().copied().fold(1.0, f64::max);
        let shades = ["a", "b", "c", "d"];
        let sources = order.into_iter().map(|ship| {
            let mut bar = Bar::default();
            let mut with = Vec::new();
            let groups = story.groups[ship].iter().zip(&story.ships[ship].groups);
            for (tally, group) in groups.filter(|(tally, _)| tally.damage > 0.0) {
                let title = format!("{} {}", group.fitted.module.name, whole(tally.damage));
                bar.push(tally.damage / most, shades[bar.parts.len() % shades.len()], title.clone());
                with.push(title);
            }
            let cells = story.dealt[ship].iter().map(|damage| {
                let heat = (damage / hottest * 5.0).ceil();
                (if *damage > 0.0 { whole(*damage) } else { String::new() }, heat as u8)
            });
            Source {
                name: story.name(ship),
                sign: story.sign(ship),
                tone: tone(story.side(ship)),
                total: whole(total(ship)),
                bar,
                with: with.join(", "),
                cells: cells.collect(),
            }
        });
        Self {
            sources: sources.collect(),
            columns: (0..story.ships.len()).map(|ship| (story.sign(ship), tone(story.side(ship)))).collect(),
        }
    }
}

/// The audit of the calibration.
#[derive(Debug)]
pub struct Audit {
    /// The fit score.
    pub score: u32,
    /// The level.
    pub level: usize,
    /// Name of the level's racks.
    pub rack: String,
    /// Thresholds, and whether the score has reached them.
    pub thresholds: Vec<(u32, bool)>,
    /// Hull classes and the tiers they were met with.
    pub dials: Vec<(String, String)>,
    /// How the score came about, ship by ship.
    pub parts: Vec<(String, String, u32)>,
    /// The hostile ships' racks.
    pub racks: Vec<RackView>,
}

/// The rack of a hostile ship.
#[derive(Debug)]
pub struct RackView {
    /// Call sign and hull.
    pub name: String,
    /// The hull's tier.
    pub tier: String,
    /// The level it was allowed.
    pub allowed: usize,
    /// The level it flew.
    pub flown: usize,
    /// Steps of the walk down, in words.
    pub steps: Vec<String>,
}

impl Audit {
    /// The audit of a snapshot.
    pub fn new(snapshot: &Snapshot, thresholds: &[u32], names: Lookup) -> Self {
        let own = snapshot.pilot.len();
        let parts = snapshot.pilot.iter().enumerate().map(|(id, ship)| {
            let weighed = ship.fit.iter().filter(|group| group.weight.is_some_and(|weight| weight > 0));
            let sum: Vec<String> = weighed
                .clone()
                .map(|group| {
                    let weight = group.weight.unwrap_or_default();
                    format!("{} × {weight} {}", group.count, names.module(&group.module))
                })
                .collect();
            let total = weighed.map(|group| group.count * group.weight.unwrap_or_default()).sum();
            (format!("{} {}", sign(id, own), names.hull(&ship.hull)), sum.join(" + "), total)
        });
        let racks = snapshot.hostile.iter().enumerate().map(|(place, ship)| RackView {
            name: format!("{} {}", sign(own + place, own), names.hull(&ship.hull)),
            tier: ship.tier.clone(),
            allowed: ship.rack_level,
            flown: ship.flown_level,
            steps: ship.walk_down.iter().map(|step| step_text(step, names)).collect(),
        });
        Self {
            score: snapshot.score,
            level: snapshot.level,
            rack: snapshot.rack.clone(),
            thresholds: thresholds
                .iter()
                .map(|threshold| (*threshold, snapshot.thresholds_passed.contains(threshold)))
                .collect(),
            dials: snapshot.dials.iter().map(|(class, tier)| (words(class), tier.clone())).collect(),
            parts: parts.collect(),
            racks: racks.collect(),
        }
    }
}

fn step_text(step: &record::Step, names: Lookup) -> String {
    let from = names.module(&step.from);
    match &step.to {
        Some(to) => format!("{} over: {from} down to {}", step.reason, names.module(to)),
        None => format!("{} over: {from} dropped", step.reason),
    }
}

/// Both sides' hit points at the end.
pub fn shares(outcome: &Outcome) -> Vec<(&'static str, &'static str, String, String, Bar)> {
    let side = |tone, title, totals: &record::Totals| {
        let mut bar = Bar::default();
        bar.push(totals.share(), tone, String::new());
        let figures = format!("{} of {}", one(totals.now), one(totals.max));
        (tone, title, percent(totals.share()), figures, bar)
    };
    vec![side("own", "Pilot fleet", &outcome.pilot), side("foe", "Hostile fleet", &outcome.hostile)]
}
