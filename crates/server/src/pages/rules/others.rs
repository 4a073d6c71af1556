//! The rulesets besides `ongrid-8`: told in their own words, with examples from their own formulas.

use ongrid_engine::Engine;
use ongrid_engine_empire::formula as empire;
use ongrid_engine_empire::{Burst, Empire};
use ongrid_engine_mecha::{MechaBattle, chance};
use ongrid_engine_minds::{Architecture, MindCombat};

use crate::pages::format::exact;
use crate::pages::rules::Section;

/// What an engine is, in a sentence.
pub fn about(tag: &str) -> &'static str {
    match tag {
        Empire::TAG => {
            "Forts, ships, land units, planes and mines: shells, bombs and blasts by the damage rules of Empire."
        }
        MindCombat::TAG => "Minds that rank by power: battles, conquests and raids of a strategy game.",
        MechaBattle::TAG => "Mecha and people on foot: the table-top rules of a battle, call by call.",
        _ => "",
    }
}

/// Worked examples of an engine.
pub fn sections(tag: &str) -> Vec<Section> {
    match tag {
        Empire::TAG => vec![shelling(), blasts(), wear()],
        MindCombat::TAG => MindCombat::new().map(|engine| minds(&engine)).unwrap_or_default(),
        MechaBattle::TAG => MechaBattle::new().map(|engine| mecha(&engine)).unwrap_or_default(),
        _ => Vec::new(),
    }
}

fn shelling() -> Section {
    let formula = "fort = guns × eff × (die(30) + 20) ÷ 7\nunit = guns × eff × (5 + die(6))\nship = guns × eff × (10 + die(6))\n\
                   depth charge = 2 × eff × (10 + die(6))\ntorpedo = 40 + die(40) + die(40)";
    Section::new("shelling", "Shelling, worked", formula)
        .example("a fort of 7 guns at full efficiency rolls 10", exact(empire::fort_damage(7, 1.0, 10)))
        .example(
            "an artillery unit of 4 guns at full efficiency rolls 6",
            exact(empire::unit_damage(4, 1.0, 6)),
        )
        .example("a ship of 3 guns at full efficiency rolls 1", exact(empire::ship_damage(3, 1.0, 1)))
        .example("a depth charge at half efficiency rolls 4", exact(empire::depth_damage(0.5, 4)))
        .example("a torpedo rolls 12 and 30", exact(empire::torpedo_damage(12, 30)))
}

fn blasts() -> Section {
    let formula = "ground burst = damage ÷ (distance + 1), reach ⅔ of the radius\nair burst = 0.75 × damage − 20 × distance, reach 1½ of it";
    let mut section = Section::new("blasts", "Blasts, worked", formula);
    for (name, damage, radius) in [("small", 80, 1), ("medium", 90, 2), ("large", 101, 3)] {
        for (burst, how) in [(Burst::Ground, "ground"), (Burst::Air, "air")] {
            let at = (0..=3).map(|distance| empire::nuke_damage(damage, radius, distance, burst).to_string());
            let figures = at.collect::<Vec<_>>().join(", ");
            section =
                section.example(format!("{name} device, {how} burst, at 0, 1, 2 and 3 sectors"), figures);
        }
    }
    section
}

fn wear() -> Section {
    let formula = "ship % = damage ÷ (1 + defence ÷ 100)\nnew efficiency = old × (1 − % ÷ 100)";
    Section::new("wear", "What damage does, worked", formula)
        .example(
            "60 damage on a ship of defence 40",
            format!("{} %", exact(empire::ship_percent(60.0, 40.0))),
        )
        .example("50 % efficiency after 10 % of damage", exact(empire::new_efficiency(50.0, 10.0)))
        .example("60 damage on a land unit of vulnerability 50, fortified 30", {
            format!("{} %", exact(empire::land_percent(60.0, 50, 30)))
        })
        .example("60 damage on a plane", format!("{} %", exact(empire::plane_percent(60.0))))
}

fn minds(engine: &MindCombat) -> Vec<Section> {
    let rules = engine.constants();
    let strength =
        |attack, u| rules.attacker_strength(attack, Architecture::Steward, Architecture::Accelerant, &[], u);
    let battle = |attacker: f64, defender: f64| {
        let outcome = rules.battle_outcome(attacker, defender);
        let winner = if outcome.attacker_won { "the attacker" } else { "the defender" };
        format!(
            "{winner} wins; attacker loses {} of its units, defender {}",
            exact(outcome.attacker_loss),
            exact(outcome.defender_loss)
        )
    };
    vec![
        Section::new("strength", "Strength, worked", "attack × opposing factor × effects × (0.85 + 0.3 × u)\ndefense × (1 + min(0.5, 0.015 × cores)) × effects")
            .example("1,000 attack against an opposite architecture, u = 0", exact(strength(1000, 0.0)))
            .example("the same, u = 0.5", exact(strength(1000, 0.5)))
            .example("1,000 defense with 4 cores", exact(rules.defender_strength(1000, 4, &[])))
            .example("1,000 defense with 40 cores", exact(rules.defender_strength(1000, 40, &[]))),
        Section::new("battle", "A battle, worked", "winner loses 0.12 ÷ ratio², loser min(0.35, 0.15 × ratio)")
            .example("strength 1,200 against 1,000", battle(1200.0, 1000.0))
            .example("strength 1,000 against 1,000", battle(1000.0, 1000.0))
            .example("strength 3,000 against 1,000", battle(3000.0, 1000.0)),
        Section::new("power", "Power, worked", "10 × territory + 5 × buildings + 0.13 × (attack + defense) + 300 × capability")
            .example("50 sectors, 20 buildings, 1,000 attack, 800 defense, capability 2", {
                rules.power(50, 20, 1000, 800, 2).to_string()
            })
            .example("a conquest of 100 sectors from a mind of half the power", {
                rules.conquest_sectors(100, rules.conquest_factor(500, 1000)).to_string()
            }),
    ]
}

fn mecha(engine: &MechaBattle) -> Vec<Section> {
    let rules = engine.rules();
    vec![
        Section::new("hits", "Hits, worked", "hit probability = product of all factors, kept within 0 … 1")
            .example("accuracy 0.5 at 100 m, fired at 200 m", exact(chance::weapon_accuracy(0.5, 100, 200.0)))
            .example(
                "skill 0.25, accuracy 0.5 at 100 m fired at 50 m, running 0.7, dodging 0.8, night 0.5",
                exact(chance::hitpro_of([0.25, chance::weapon_accuracy(0.5, 100, 50.0), 0.7, 0.8, 0.5])),
            )
            .example("25 shots at 0.1 with a draw of 0.4", chance::hits_from(0.1, 25, 0.4).to_string()),
        Section::new(
            "experience",
            "Experience, worked",
            "skill = start + (1 − exp(−kills ÷ 10)) × (1 − start)",
        )
        .example("a trained pilot (0.7) after 5 kills", exact(rules.experience_skill(0.7, 5)))
        .example("an untrained one (0.2) after 20 kills", exact(rules.experience_skill(0.2, 20))),
    ]
}
