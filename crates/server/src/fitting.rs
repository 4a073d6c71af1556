//! The fitting bay: what the rules say of a fleet before it is flown. One judgement for the page, the HTTP interface
//! and the command line.

use ongrid_engine::json::Reader;
use ongrid_engine::{Engine, Rejection, RulesetError};
use ongrid_engine_ongrid::{Catalogue, Doctrine, Fitted, Legal, OnGrid, ShipSheet, Snapshot};
use serde_json::{Value, json};

use crate::eft::{self, Names, Ship};

/// How many skills there are.
pub const SKILLS: usize = 6;

/// The engine and the names of its catalogue.
#[derive(Debug)]
pub struct Bay {
    engine: OnGrid,
    names: Names,
}

/// What is to be judged.
#[derive(Debug)]
pub struct Question {
    /// The fleet.
    pub fleet: Source,
    /// The doctrine it is to meet.
    pub doctrine: String,
    /// Level of each skill by its id, a JSON object; `None`: the level of a pilot nobody has registered.
    pub skills: Option<Value>,
}

/// Where a fleet comes from.
#[derive(Debug)]
pub enum Source {
    /// Fitting text.
    Eft(String),
    /// A whole setup as JSON; its own doctrine and skills count.
    Setup(String),
}

/// What the rules say of a fleet.
#[derive(Debug)]
pub struct Judgement {
    /// The fleet as read: ships, and for a text what of it was not understood or is not modelled.
    pub fleet: eft::Fleet,
    /// The doctrine, where it is known.
    pub doctrine: Option<&'static Doctrine>,
    /// Levels of the skills, in rules order.
    pub levels: [u8; SKILLS],
    /// The setup, canonical JSON without labels; `None` where a name in the text means nothing.
    pub setup: Option<Value>,
    /// Legal, or the first reason why not; `None` where a name in the text means nothing.
    pub legality: Option<Result<Legal, Rejection>>,
    /// What calibration makes of it, where it is legal.
    pub snapshot: Option<Snapshot>,
    /// The ships as flown, legal or not; those with a known hull.
    pub flown: Vec<ShipSheet>,
    /// The hostile ships it would meet, where it is legal.
    pub hostile: Vec<ShipSheet>,
}

impl Judgement {
    /// Whether the fleet may fight.
    pub fn is_legal(&self) -> bool {
        matches!(self.legality, Some(Ok(_)))
    }

    /// The first reason why it may not.
    pub fn rejection(&self) -> Option<&Rejection> {
        self.legality.as_ref()?.as_ref().err()
    }

    /// The line of the text that the rejection is about.
    pub fn rejected_line(&self) -> Option<usize> {
        let at = self.rejection()?.at();
        let ship = self.fleet.ships.get(at.ship? as usize)?;
        let group = at.group.and_then(|group| ship.groups.get(group as usize));
        Some(group.map_or(ship.line, |group| group.line)).filter(|line| *line > 0)
    }

    /// Points of the fleet's hulls.
    pub fn points(&self) -> u32 {
        self.fleet.ships.iter().filter_map(|ship| ship.hull).map(|hull| hull.points).sum()
    }
}

impl Bay {
    /// The bay of the ruleset.
    ///
    /// # Errors
    /// Where the embedded data are not those of the tag.
    pub fn new() -> Result<Self, RulesetError> {
        let engine = OnGrid::new()?;
        let names = Names::new(engine.catalogue());
        Ok(Self { engine, names })
    }

    /// The engine.
    pub fn engine(&self) -> &OnGrid {
        &self.engine
    }

    /// The catalogue.
    pub fn catalogue(&self) -> &'static Catalogue {
        self.engine.catalogue()
    }

    /// The names of the catalogue.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// Judges a fleet.
    ///
    /// # Errors
    /// Where a setup given as JSON is not even one: `format`, `limit`. What is illegal about a fleet is part of the
    /// judgement.
    pub fn judge(&self, question: &Question) -> Result<Judgement, Rejection> {
        let (fleet, setup) = match &question.fleet {
            Source::Eft(text) => {
                let fleet = eft::read(&self.names, text);
                let setup = fleet.faults.is_empty().then(|| self.compose(&fleet.ships, question));
                (fleet, setup)
            }
            Source::Setup(text) => {
                self.read_setup(text)?;
                let setup: Value = serde_json::from_str(text)
                    .map_err(|error| Rejection::format(format!("the setup is no JSON: {error}")))?;
                (eft::Fleet { ships: self.ships_of(&setup), ..eft::Fleet::default() }, Some(setup))
            }
        };
        let doctrine = setup
            .as_ref()
            .map_or(&question.doctrine[..], |setup| setup["doctrine"].as_str().unwrap_or(&question.doctrine));
        let skills = setup.as_ref().map(|setup| &setup["skills"]).or(question.skills.as_ref());
        let mut judgement = Judgement {
            doctrine: self.catalogue().doctrine(doctrine),
            levels: self.levels(skills),
            fleet,
            setup: None,
            legality: None,
            snapshot: None,
            flown: Vec::new(),
            hostile: Vec::new(),
        };
        if let Some(setup) = setup {
            match self.read_setup(&setup.to_string()) {
                Ok(setup) => {
                    judgement.setup = serde_json::to_value(&setup).ok();
                    judgement.legality = Some(self.engine.check(setup));
                }
                Err(no) => judgement.legality = Some(Err(no)),
            }
        }
        if let Some(Ok(legal)) = &judgement.legality {
            judgement.snapshot = self.engine.snapshot(legal);
            judgement.flown = self.engine.pilot_sheets(legal);
            judgement.hostile = self.engine.hostile_sheets(legal);
        } else {
            judgement.flown = self.sheets(&judgement.fleet.ships, judgement.levels);
        }
        Ok(judgement)
    }

    fn read_setup(&self, text: &str) -> Result<<OnGrid as Engine>::Setup, Rejection> {
        let mut json = Reader::new(text);
        let setup = self.engine.read_setup(&mut json).map_err(|no| no.under("setup"))?;
        json.end()?;
        Ok(setup)
    }

    /// The setup of ships that were read from a text.
    fn compose(&self, ships: &[Ship], question: &Question) -> Value {
        let fleet: Vec<Value> = ships.iter().map(ship_json).collect();
        let skills = question.skills.clone().unwrap_or_else(|| self.baseline());
        json!({ "doctrine": question.doctrine, "skills": skills, "fleet": fleet })
    }

    /// The levels of a pilot nobody has registered.
    pub fn baseline(&self) -> Value {
        let level = self.catalogue().rules.baseline();
        self.catalogue().skills.iter().map(|skill| (skill.id.to_owned(), Value::from(level))).collect()
    }

    fn levels(&self, skills: Option<&Value>) -> [u8; SKILLS] {
        let catalogue = self.catalogue();
        let (baseline, highest) = (catalogue.rules.baseline(), catalogue.rules.max_level());
        let mut levels = [0; SKILLS];
        for (level, skill) in levels.iter_mut().zip(&catalogue.skills) {
            let given = skills.and_then(|skills| skills[skill.id].as_u64());
            let given = given.map_or(baseline, |given| u32::try_from(given).unwrap_or(highest).min(highest));
            *level = u8::try_from(given).unwrap_or_default();
        }
        levels
    }

    /// The ships of a setup, their names looked up; groups that are not in the catalogue are left out.
    pub fn ships_of(&self, setup: &Value) -> Vec<Ship> {
        let catalogue = self.catalogue();
        let ships = setup["fleet"].as_array().into_iter().flatten().map(|ship| {
            let groups = ship["fit"].as_array().into_iter().flatten().filter_map(|group| {
                Some(eft::Group {
                    line: 0,
                    module: catalogue.module(group["module"].as_str()?)?,
                    charge: group["charge"].as_str().and_then(|charge| catalogue.charge(charge)),
                    count: u32::try_from(group["count"].as_u64()?).ok()?,
                })
            });
            Ship {
                line: 0,
                hull: ship["hull"].as_str().and_then(|hull| catalogue.hull(hull)),
                name: ship["name"].as_str().unwrap_or_default().to_owned(),
                groups: groups.collect(),
            }
        });
        ships.collect()
    }

    fn sheets(&self, ships: &[Ship], levels: [u8; SKILLS]) -> Vec<ShipSheet> {
        let known = ships.iter().filter_map(|ship| Some((ship.hull?, &ship.groups)));
        known
            .map(|(hull, groups)| {
                let fit: Vec<Fitted> = groups.iter().map(fitted).collect();
                self.engine.sheet(hull, &fit, levels)
            })
            .collect()
    }
}

fn fitted(group: &eft::Group) -> Fitted {
    // No legal group has as many; the figures of an illegal one may stop there.
    let count = u8::try_from(group.count).unwrap_or(u8::MAX);
    Fitted { module: group.module, charge: group.charge, count }
}

fn ship_json(ship: &Ship) -> Value {
    let fit = ship.groups.iter().map(|group| match group.charge {
        Some(charge) => json!({ "module": group.module.id, "charge": charge.id, "count": group.count }),
        None => json!({ "module": group.module.id, "count": group.count }),
    });
    let hull = ship.hull.map_or("", |hull| hull.id);
    match &*ship.name {
        "" => json!({ "hull": hull, "fit": fit.collect::<Vec<_>>() }),
        name => json!({ "hull": hull, "name": name, "fit": fit.collect::<Vec<_>>() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(text: &str) -> Judgement {
        let fleet = Source::Eft(text.to_owned());
        let question = Question { fleet, doctrine: "minmatar-skirmish".to_owned(), skills: None };
        Bay::new().unwrap().judge(&question).unwrap()
    }

    const RIFTER: &str = "[Rifter, x]\nDamage Control II\nGyrostabilizer II\n\n1MN Afterburner II\n\n\
                          200mm AutoCannon II, EMP S\n200mm AutoCannon II, EMP S\n200mm AutoCannon II, EMP S\n";

    #[test]
    fn a_legal_fleet_is_calibrated() {
        let judgement = judge(RIFTER);
        assert!(judgement.is_legal(), "{:?}", judgement.rejection());
        let snapshot = judgement.snapshot.as_ref().unwrap();
        assert_eq!((snapshot.score, snapshot.level), (12, 3));
        assert_eq!((judgement.flown.len(), judgement.hostile.len(), judgement.points()), (1, 5, 1));
        assert_eq!(judgement.levels, [3; 6]);
    }

    #[test]
    fn the_reason_names_the_line() {
        for (text, code, line) in [
            ("[Rifter, x]\n\n1600mm Steel Plates I", "power", Some(1)),
            ("[Rifter, x]\n\n200mm AutoCannon I", "charge_required", Some(3)),
            ("[Rifter, x]\n[Rifter, y]\n200mm AutoCannon I, EMP M", "wrong_charge", Some(3)),
            ("[Abaddon, x]\n[Abaddon, x]", "fleet_points", None),
        ] {
            let judgement = judge(text);
            assert_eq!(judgement.rejection().map(Rejection::code), Some(code), "{text}");
            assert_eq!(judgement.rejected_line(), line, "{text}");
            assert!(!judgement.flown.is_empty() && judgement.hostile.is_empty());
        }
    }

    #[test]
    fn a_text_with_a_fault_is_not_judged_in_part() {
        let judgement = judge("[Rifter, x]\nDamage Control II\nDamage Controll II");
        assert!(judgement.legality.is_none() && !judgement.is_legal());
        assert_eq!((judgement.fleet.faults.len(), judgement.flown.len()), (1, 1));
    }

    #[test]
    fn a_setup_in_json_is_judged_alike() {
        let bay = Bay::new().unwrap();
        let setup = judge(RIFTER).setup.unwrap();
        let fleet = Source::Setup(setup.to_string());
        let judgement = bay.judge(&Question { fleet, doctrine: String::new(), skills: None }).unwrap();
        assert_eq!(judgement.setup, Some(setup));
        assert_eq!(judgement.snapshot.unwrap().score, 12);
        assert_eq!(eft::write(&judgement.fleet.ships).lines().next(), Some("[Rifter, Rifter]"));
        let fleet = Source::Setup(r#"{"doctrine": 3}"#.to_owned());
        let no = bay.judge(&Question { fleet, doctrine: String::new(), skills: None }).unwrap_err();
        assert_eq!((no.code(), no.path()), ("format", Some("/setup/doctrine")));
    }
}
