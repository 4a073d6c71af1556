//! Calls worth trying, for the engines that list no legal ones themselves: every call that can be put together from
//! the names in a setup. Which of them are legal the engine says, on a copy of the fight.
//!
//! What a call may say in as many ways as there are metres, minutes or percents is left out: moves of mecha-battle-1,
//! attacks of mind-combat-1 at a later minute and thresholds of its countermeasures. So are, of mecha-battle-1, feints
//! and the handling of weapons on foot, which go with any attack.

use ongrid_engine::canonical;
use ongrid_engine::json::{Reader, Value, integer};
use serde::Serialize;

use crate::stage::MOST_TRIED;

/// Hands a setup's canonical form over as a value.
fn with_setup<S: Serialize, T>(setup: &S, look: impl FnOnce(&Value<'_>) -> T) -> Option<T> {
    let bytes = canonical::to_vec(setup);
    let value = Reader::from_bytes(&bytes).and_then(|mut json| json.value()).ok()?;
    Some(look(&value))
}

fn member<'v, 'a>(value: &'v Value<'a>, name: &str) -> Option<&'v Value<'a>> {
    let Value::Object(members) = value else { return None };
    members.iter().find(|(key, _)| key == name).map(|(_, value)| value)
}

fn items<'v, 'a>(value: &'v Value<'a>, name: &str) -> &'v [Value<'a>] {
    if let Some(Value::Array(items)) = member(value, name) { items } else { &[] }
}

fn text<'v>(value: &'v Value<'_>, name: &str) -> &'v str {
    if let Some(Value::Text(text)) = member(value, name) { text } else { "" }
}

fn is_set(value: &Value<'_>, name: &str) -> bool {
    matches!(member(value, name), Some(Value::Bool(true)))
}

fn figure(value: &Value<'_>, name: &str) -> Option<i64> {
    if let Some(Value::Number(text)) = member(value, name) { integer(text) } else { None }
}

/// The ids of a list, in setup order.
fn ids<'v>(things: &'v [Value<'_>]) -> impl Iterator<Item = &'v str> + Clone {
    things.iter().map(|thing| text(thing, "id"))
}

/// Calls of empire-damage-1.
pub(crate) fn empire(setup: &ongrid_engine_empire::Setup) -> Option<Vec<ongrid_engine_empire::Call>> {
    use ongrid_engine_empire::{Call, Item};

    with_setup(setup, |setup| {
        let player = text(setup, "player");
        let own = |list: &str| items(setup, list).iter().filter(|thing| text(thing, "owner") == player);
        let [sectors, ships, lands, planes] =
            ["sectors", "ships", "lands", "planes"].map(|list| items(setup, list));
        let mut calls = Vec::new();
        let gunners = own("sectors").chain(own("ships")).chain(own("lands"));
        for from in gunners.filter(|gunner| figure(gunner, "guns") > Some(0)).map(|gunner| text(gunner, "id"))
        {
            let targets = ids(ships).chain(ids(sectors)).chain(ids(lands));
            calls.extend(targets.map(|at| Call::Fire { from: from.to_owned(), at: at.to_owned() }));
        }
        for ship in own("ships") {
            let from = text(ship, "id");
            for at in ids(ships).filter(|at| *at != from) {
                let (from, at) = (from.to_owned(), at.to_owned());
                match (is_set(ship, "torp"), is_set(ship, "dch")) {
                    (true, true) => calls.extend([
                        Call::Torpedo { from: from.clone(), at: at.clone() },
                        Call::Depth { from, at },
                    ]),
                    (true, false) => calls.push(Call::Torpedo { from, at }),
                    (false, true) => calls.push(Call::Depth { from, at }),
                    (false, false) => {}
                }
            }
        }
        for from in ids_of(own("planes")) {
            let bomb = |at: &str, mode: &str, item: Option<&str>| Call::Bomb {
                from: from.to_owned(),
                at: at.to_owned(),
                mode: mode.to_owned(),
                item: item.map(str::to_owned),
            };
            calls.extend(ids(ships).chain(ids(planes)).chain(ids(lands)).map(|at| bomb(at, "pin", None)));
            for at in ids(sectors) {
                calls.extend(Item::NAMES.iter().map(|item| bomb(at, "pin", Some(item))));
                calls.push(bomb(at, "strategic", None));
                calls.extend(["ground", "air"].map(|burst| Call::Detonate {
                    from: from.to_owned(),
                    at: at.to_owned(),
                    burst: burst.to_owned(),
                }));
            }
        }
        for unit in ids_of(own("ships").chain(own("lands")).chain(own("convoys"))) {
            calls.extend(ids(sectors).map(|to| Call::Enter { unit: unit.to_owned(), to: to.to_owned() }));
        }
        calls.push(Call::NextRound);
        calls
    })
}

fn ids_of<'v, 'a: 'v>(things: impl Iterator<Item = &'v Value<'a>>) -> impl Iterator<Item = &'v str> {
    things.map(|thing| text(thing, "id"))
}

/// Calls of mind-combat-1 at the minute at hand.
pub(crate) fn minds(war: &ongrid_engine_minds::War) -> Vec<ongrid_engine_minds::Call> {
    use ongrid_engine_minds::{Attack, Call, Mode, SetCountermeasure};

    let (minds, player) = (war.setup().minds(), war.setup().player());
    let Some(own) = minds.get(player) else { return Vec::new() };
    let t = i64::from(war.minute());
    let programs = || std::iter::once(None).chain(own.programs.iter().map(|(name, _)| Some(name.to_owned())));
    let mut calls = Vec::new();
    for target in minds.iter().filter(|mind| mind.id != own.id) {
        for mode in [Mode::Conquest, Mode::Raid] {
            calls.extend(programs().map(|program| {
                Call::Attack(Attack { mode: mode.clone(), program, t, target: target.id.clone() })
            }));
        }
    }
    calls.extend(
        programs().map(|program| Call::SetCountermeasure(SetCountermeasure { above: 0.0, program, t })),
    );
    calls.push(Call::End);
    calls
}

/// Attacks and the end of the round of mecha-battle-1; of shots one and as many as the weapon has.
pub(crate) fn mecha(
    setup: &ongrid_engine_mecha::setup::Setup,
) -> Option<Vec<ongrid_engine_mecha::call::Call>> {
    use ongrid_engine_mecha::call::{Attack, Call, Named};
    use ongrid_engine_mecha::words::{Mode, Part, Word};

    with_setup(setup, |setup| {
        let player = text(setup, "player");
        let (own, enemies): (Vec<_>, Vec<_>) =
            items(setup, "units").iter().partition(|unit| text(unit, "side") == player);
        let mut calls = Vec::new();
        for unit in own {
            for (weapon, about) in (0..).zip(items(unit, "weapons")) {
                if calls.len() > MOST_TRIED {
                    return calls;
                }
                for (target, mode) in
                    enemies.iter().flat_map(|it| Mode::ALL.iter().map(move |mode| (it, mode)))
                {
                    let rate = figure(about, "rate").unwrap_or(1);
                    let most =
                        if *mode == Mode::Rapid { figure(about, "rapid").unwrap_or(rate) } else { rate };
                    let parts = Part::ALL.iter().filter(|_| *mode == Mode::Aim).map(|part| Some(*part));
                    let shots = if most > 1 { [Some(1), Some(most)] } else { [Some(1), None] };
                    for part in std::iter::once(None).chain(parts) {
                        calls.extend(shots.into_iter().flatten().map(|shots| {
                            Call::Attack(Attack {
                                unit: text(unit, "id").to_owned(),
                                weapon,
                                target: text(target, "id").to_owned(),
                                shots,
                                mode: Named::Known(*mode),
                                part: part.map(Named::Known),
                                feint: false,
                                fast_draw: false,
                                weak_hand: false,
                            })
                        }));
                    }
                }
            }
        }
        calls.push(Call::EndRound);
        calls
    })
}
