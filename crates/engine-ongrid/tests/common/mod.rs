//! Fleets and calls at random, legal ones and others.

use ongrid_engine::{Engine, Seed, Silent, Stream};
use ongrid_engine_ongrid::{Action, Call, Fight, Legal, OnGrid, Stance, view};
use serde_json::{Value, json};

/// Choices at random, from a number.
pub struct Dice(Stream);

impl Dice {
    pub fn new(number: u64) -> Self {
        Self(Stream::new(&Seed::from_u64(number)))
    }

    pub fn below(&mut self, sides: usize) -> usize {
        self.0.below(sides as u64) as usize
    }

    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

/// A fleet at random that is legal: ships are put in as long as the doctrine takes them, modules as long as the ship
/// does.
pub fn random_setup(engine: &OnGrid, dice: &mut Dice) -> Value {
    let catalogue = engine.catalogue();
    let doctrine = dice.pick(&catalogue.doctrines);
    let skills: serde_json::Map<String, Value> =
        catalogue.skills.iter().map(|skill| (skill.id.to_owned(), (3 + dice.below(3)).into())).collect();
    let mut setup = json!({"doctrine": doctrine.id, "skills": skills, "fleet": []});
    let ships = 1 + dice.below(doctrine.max_ships);
    for _ in 0..ships {
        let hull = dice.pick(&catalogue.hulls);
        let mut ship = json!({"hull": hull.id, "fit": []});
        let before = setup.clone();
        setup["fleet"].as_array_mut().unwrap().push(ship.clone());
        if engine.judge(&setup.to_string()).is_err() {
            setup = before;
            continue;
        }
        for _ in 0..30 {
            let module = dice.pick(&catalogue.modules);
            let mut group = json!({"module": module.id, "count": 1 + dice.below(3)});
            if !module.charge_groups.is_empty() {
                let fits: Vec<&str> = catalogue
                    .charges
                    .iter()
                    .filter(|charge| module.charge_groups.contains(&charge.group))
                    .filter(|charge| module.charge_size == 0 || module.charge_size == charge.size)
                    .map(|charge| charge.id)
                    .collect();
                group["charge"] = (*dice.pick(&fits)).into();
            }
            let mut more = ship.clone();
            more["fit"].as_array_mut().unwrap().push(group);
            let last = setup["fleet"].as_array().unwrap().len() - 1;
            setup["fleet"][last] = more.clone();
            if engine.judge(&setup.to_string()).is_ok() {
                ship = more;
            } else {
                setup["fleet"][last] = ship.clone();
            }
        }
    }
    if setup["fleet"].as_array().unwrap().is_empty() {
        setup["fleet"] = json!([{"hull": "rifter", "fit": []}]);
    }
    setup
}

/// One of the calls that are legal now, in a stance at random.
pub fn random_call(fight: &Fight, dice: &mut Dice) -> Option<Call> {
    let legal = view::legal_calls(fight);
    let calls: Vec<Call> = legal.into_iter().filter(|call| *call != Call::Concede).collect();
    let mut call = *calls.get(dice.below(calls.len().max(1)))?;
    if let Call::Turn { stance, .. } = &mut call {
        *stance =
            [None, Some(Stance::Standard), Some(Stance::Aggressive), Some(Stance::Evasive)][dice.below(4)];
    }
    Some(call)
}

/// A fight flown at random to its end.
pub fn random_calls(engine: &OnGrid, legal: &Legal, seed: &Seed, dice: &mut Dice) -> Vec<Call> {
    let mut fight = engine.start(legal, seed, &mut Silent);
    let mut calls = Vec::new();
    while let Some(call) = random_call(&fight, dice) {
        engine.apply(&mut fight, &call, &mut Silent).unwrap();
        calls.push(call);
    }
    calls
}

/// Every call of a small world: ids and groups from 0 to beyond what there is.
pub fn every_call(ships: u32, groups: u32) -> Vec<Call> {
    let mut actions = vec![Action::Hold];
    for target in 0..ships {
        actions.extend([false, true].map(|overheat| Action::Fire { target, overheat }));
    }
    for group in 0..groups {
        let targets = std::iter::once(None).chain((0..ships).map(Some));
        actions.extend(targets.map(|target| Action::Activate { group, target }));
    }
    (0..ships)
        .flat_map(|ship| actions.iter().map(move |action| Call::Turn { ship, stance: None, action: *action }))
        .collect()
}
