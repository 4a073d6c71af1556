//! The rules of `ongrid-8`, section by section; every example is computed by the engine's own formulas.

use ongrid_engine::{Seed, Stream};
use ongrid_engine_ongrid::pipeline::value;
use ongrid_engine_ongrid::{
    Act, DecidedBy, Fitted, HullTier, OnGrid, Rules, ShipSheet, Stance, Tier, Totals, Verdict, take_off,
};

use crate::pages::format::{exact, percent, whole, words};
use crate::pages::report::story::stance_name;
use crate::pages::rules::Section;

/// All sections, in order.
pub fn sections(engine: &OnGrid) -> Vec<Section> {
    let rules = &engine.catalogue().rules;
    vec![
        pipeline(rules),
        turrets(engine),
        quality(rules),
        missiles(engine),
        damage(rules),
        layers(),
        warfare(rules),
        stances(rules),
        heat(rules),
        clock(rules),
        fleet(engine),
        calibration(engine),
        skills(engine),
        score(rules),
        hostile(rules),
        draws(),
    ]
}

fn pipeline(rules: &Rules) -> Section {
    let penalties = rules.penalties();
    let rows = penalties.iter().enumerate();
    let rows = rows.map(|(index, penalty)| [format!("{}", index + 1), exact(*penalty)]).collect();
    Section::new("pipeline", "The modifier pipeline", "value = (base + Σ adds) × Π unpenalized × Π (1 + (mult − 1) × penalty[i])")
        .about("Every bonus is a modifier of one attribute and goes through this one function: hull, skills, modules, stance, timed effects, in that order. Flat adds come first and are never penalized. Bonuses of hulls, skills and stances are exempt. Penalized multipliers are sorted by how far they are from 1, the strongest first, and each keeps only its share.")
        .table("What the n-th strongest penalized multiplier keeps", ["n", "share"], rows)
        .example("1,000 with + 500 and × 1.25", exact(value(1000.0, &[500.0], &[1.25], &[], penalties)))
        .example("300 m/s under webs of 0.5 and 0.4", format!("{} m/s", exact(value(300.0, &[], &[], &[0.5, 0.4], penalties))))
        .example("the same webs in the other order", format!("{} m/s", exact(value(300.0, &[], &[], &[0.4, 0.5], penalties))))
        .example("a fourth web of 0.5 on top of three", {
            let three = value(300.0, &[], &[], &[0.5; 3], penalties);
            let four = value(300.0, &[], &[], &[0.5; 4], penalties);
            format!("{} m/s instead of {}", exact(four), exact(three))
        })
}

/// A well-known ship at baseline skills, to reckon with.
fn sample(engine: &OnGrid, hull: &str, fit: &[(&str, &str, u8)]) -> Option<ShipSheet> {
    let catalogue = engine.catalogue();
    let fit: Option<Vec<Fitted>> = fit
        .iter()
        .map(|(module, charge, count)| {
            let module = catalogue.module(module)?;
            Some(Fitted { module, charge: catalogue.charge(charge), count: *count })
        })
        .collect();
    let level = u8::try_from(catalogue.rules.baseline()).unwrap_or_default();
    Some(engine.sheet(catalogue.hull(hull)?, &fit?, [level; 6]))
}

/// Examples of a weapon against three hulls.
fn against(engine: &OnGrid, mut section: Section, hull: &str, weapon: (&str, &str, u8)) -> Section {
    let rules = &engine.catalogue().rules;
    let Some(shooter) = sample(engine, hull, &[weapon]) else { return section };
    let Some(Act::Weapon(guns)) = shooter.groups.first().map(|group| &group.act) else { return section };
    let name = shooter.groups[0].fitted.module.name;
    for (target, stance) in [
        ("rifter", Stance::Standard),
        ("rifter", Stance::Evasive),
        ("stabber", Stance::Standard),
        ("tempest", Stance::Standard),
    ] {
        let Some(ship) = sample(engine, target, &[]) else { continue };
        let (sig, speed) = (ship.signature, ship.velocity[stance as usize]);
        let aim = if guns.turret { "tracking" } else { "guidance" };
        section = section.example(
            format!(
                "{name} at a bare {} in {} stance: {aim} {}, {} m of {} m, {} m/s of {} m/s",
                ship.hull.name,
                stance_name(stance),
                exact(guns.aim[0]),
                exact(sig),
                exact(guns.ref_sig),
                exact(speed),
                exact(guns.ref_vel)
            ),
            exact(guns.against(rules, Stance::Standard, sig, speed)),
        );
    }
    section
}

fn turrets(engine: &OnGrid) -> Section {
    let turret = &engine.catalogue().rules.turret;
    let formula = format!(
        "hit = clamp(tracking × min(1, sig ÷ ref_sig) × (ref_vel ÷ speed), {}, {})",
        turret.min_hit, turret.max_hit
    );
    let section = Section::new("turrets", "Turrets", &formula)
        .about("How well the gun tracks, how large the target is, how fast it moves, all as flown: a web slows, a painter enlarges, a disruptor lessens tracking. The term of speed has no ceiling of its own, so a slow target is easier than one at the reference speed. A group makes two draws: a hit roll, which lands when it is below the chance, and a quality roll.");
    against(engine, section, "rifter", ("200mm-autocannon-i", "emp-s", 1))
}

fn quality(rules: &Rules) -> Section {
    let turret = &rules.turret;
    let formula = format!(
        "quality = {} if roll > {}, else {} + roll",
        turret.wrecking, turret.wrecking_above, turret.quality_floor
    );
    let next = f64::from_bits(turret.wrecking_above.to_bits() + 1);
    Section::new("quality", "Quality of a volley", &formula)
        .about(format!(
            "A turret volley that lands is multiplied by its quality: {} on average. Missiles have none.",
            exact(turret.mean_quality)
        ))
        .example("roll 0", exact(rules.quality(0.0)))
        .example("roll 0.5", exact(rules.quality(0.5)))
        .example(
            format!("roll {}, exactly", turret.wrecking_above),
            exact(rules.quality(turret.wrecking_above)),
        )
        .example("the next number above it", exact(rules.quality(next)))
}

fn missiles(engine: &OnGrid) -> Section {
    let missile = &engine.catalogue().rules.missile;
    let formula = format!(
        "application = clamp(min(1, sig ÷ ref_sig) × √(ref_vel ÷ speed) × guidance, {}, {})",
        exact(missile.min_application),
        exact(missile.max_application)
    );
    let section = Section::new("missiles", "Missiles", &formula)
        .about("Missiles always land and draw nothing; what varies is how much of the volley applies. Reference signature and velocity are those of the missile. Guidance may make good for speed and size, up to the ceiling.");
    against(engine, section, "caracal", ("heavy-missile-launcher-i", "scourge-heavy-missile", 1))
}

fn damage(rules: &Rules) -> Section {
    let scale = |quality: f64, heated: f64, application: f64, round: u32| {
        3.0 * 2.5 * 1.0 * quality * heated * application * rules.overtime(round)
    };
    let hot = rules.heat.overheat_damage;
    Section::new("damage", "Damage of a volley", "scale = count × damage × rate × quality × overheat × application × overtime\nraw[type] = charge[type] × type_damage × scale")
        .about("For each of em, thermal, kinetic and explosive. Quality is 1 for missiles, application 1 for turrets.")
        .example("3 guns of damage 2.5, quality 1.12, round 4: scale", exact(scale(1.12, 1.0, 1.0, 4)))
        .example("the same overheated", exact(scale(1.12, hot, 1.0, 4)))
        .example("the same overheated in round 20", exact(scale(1.12, hot, 1.0, 20)))
}

fn layers() -> Section {
    let resonance = [[1.0, 1.0, 0.6, 0.5], [1.0, 1.0, 0.75, 0.9], [1.0; 4]];
    let (left, lost) = take_off([30.0, 1000.0, 1000.0], &resonance, [0.0, 0.0, 20.0, 80.0]);
    let single = [[0.5; 4], [0.25; 4], [1.0; 4]];
    let (_, one) = take_off([100.0, 100.0, 100.0], &single, [500.0, 0.0, 0.0, 0.0]);
    Section::new("layers", "Damage into layers", "incoming = Σ raw[type] × resonance[layer][type]\nwhere it is less than what is left: left − incoming\nelse the layer breaks: raw[type] × (1 − left ÷ incoming) goes on")
        .about("Shield, then armor, then hull; a ship whose hull is at 0 is destroyed. What is left of a volley is taken back out of the broken layer's resonance before it meets the next one.")
        .example(
            "80 explosive and 20 kinetic on a shield of 30 (0.5 and 0.6), then armor (0.9 and 0.75)",
            format!("shield loses {}, armor {}; armor is left with {}", exact(lost[0]), exact(lost[1]), exact(left[1])),
        )
        .example("500 of one type on shield 100 at 0.5, armor at 0.25", format!("armor loses {}", exact(one[1])))
}

fn warfare(rules: &Rules) -> Section {
    let ewar = &rules.ewar;
    let rows = [
        ("stasis webifier", "one enemy", "count multipliers on velocity"),
        ("target painter", "one enemy", "count multipliers on signature"),
        ("tracking disruptor", "one enemy", "tracking of all its turrets"),
        ("guidance disruptor", "one enemy", "guidance of all its missiles"),
        ("sensor dampener", "one enemy", "tracking and guidance"),
        ("ecm", "one enemy", "count draws; a single success jams"),
        ("energy neutralizer", "one enemy", "its capacitor loses drain × strength × count"),
        ("nosferatu", "one enemy", "its capacitor moves to one's own, leech × strength × count"),
    ];
    let rows = rows.map(|row| <[&str; 3]>::from(row).map(str::to_owned)).to_vec();
    Section::new("ewar", "Electronic warfare", &format!("effect = max({}, 1 + (multiplier − 1) × strength)\njam chance = clamp(jam[sensors] × strength ÷ sensor strength, {}, {})", ewar.min_effect, ewar.min_jam, ewar.max_jam))
        .about(format!("Timed effects last {} rounds, the one they begin in included, and end at once when the ship that projects them is destroyed; a jam stays. Activating a group again moves its effect. Effects of several groups and ships stand in one stacking chain with the target's own modules.", ewar.rounds))
        .table("What it does", ["class", "on whom", "what"], rows)
        .example("a web of 0.5 at strength 1.15", exact(rules.effect_multiplier(0.5, 1.15)))
        .example("a web of 0.4 at strength 2", exact(rules.effect_multiplier(0.4, 2.0)))
        .example("jam strength 3.6 against 12 sensors", exact(rules.jam_chance(3.6, 12.0)))
        .example("jam strength 40 against 12 sensors", exact(rules.jam_chance(40.0, 12.0)))
}

fn stances(rules: &Rules) -> Section {
    let rows = Stance::ALL.map(|stance| {
        let index = stance as usize;
        [
            stance_name(stance).to_owned(),
            exact(rules.velocity_by_stance()[index]),
            exact(rules.tracking_by_stance()[index]),
            exact(rules.guidance_by_stance()[index]),
        ]
    });
    Section::new("stances", "Stances", "")
        .about("Switching is free and comes before whatever else a ship does in its turn. Velocity also sets who acts first: the faster ship, then the smaller signature, then the pilot's, then the lower number.")
        .table("Multipliers, exempt from stacking", ["stance", "velocity", "tracking", "guidance"], rows.to_vec())
}

fn heat(rules: &Rules) -> Section {
    let heat = &rules.heat;
    let mut now = 0_u16;
    let mut told = Vec::new();
    for _ in 0..8 {
        let hot = now <= heat.lock_above;
        told.push(if hot { "hot" } else { "locked" });
        now += if hot { heat.overheat_heat } else { 0 };
        now = now.saturating_sub(heat.shed_per_round);
    }
    Section::new("heat", "Heat", "")
        .about(format!(
            "Overheating is a way to fire: {} times the damage for {} heat. Above {} heat it is locked; {} heat is shed at the end of each round.",
            exact(heat.overheat_damage), heat.overheat_heat, heat.lock_above, heat.shed_per_round
        ))
        .example("overheating whenever it is allowed, from round 1", told.join(", "))
}

fn clock(rules: &Rules) -> Section {
    let clock = &rules.clock;
    let formula = format!("overtime = 1 + {} × max(0, round − {})", clock.overtime_step, clock.overtime_from);
    let mut section = Section::new("clock", "The clock", &formula).about(format!(
        "From round {} on every volley of both sides hits harder. After round {} the fleet with the larger share of its hit points wins on points.",
        clock.overtime_from + 1, clock.last_round
    ));
    for round in [clock.overtime_from - 1, clock.overtime_from, clock.overtime_from + 1, clock.last_round] {
        section = section.example(format!("round {round}"), exact(rules.overtime(round)));
    }
    section
}

fn fleet(engine: &OnGrid) -> Section {
    let catalogue = engine.catalogue();
    let fitting = &catalogue.rules.fitting;
    let rows = catalogue.doctrines.iter().map(|doctrine| {
        [doctrine.name.to_owned(), doctrine.points.to_string(), doctrine.max_ships.to_string()]
    });
    let section = Section::new("fleet", "A legal fleet", "output = pipeline(hull's figure, crew's multiplier first)\nneed = Σ need × factor × count, legal when need ≤ output")
        .about("Points of the hulls and number of ships are the doctrine's. A ship keeps to its slots and hardpoints; modules with a limit of a family keep to it; charges must fit their module; each module asks for a level of a skill.")
        .about(format!(
            "Crews are trained to fit: cpu × {}, power × {}; weapons need {} of their cpu and {} of their power, shield extenders {} of their power. A group has at most {} modules.",
            exact(fitting.cpu_output), exact(fitting.power_output), exact(fitting.weapon_cpu), exact(fitting.weapon_power), exact(fitting.shield_extender_power), fitting.max_count
        ))
        .table("Doctrines", ["doctrine", "points", "ships"], rows.collect());
    let fit = [("200mm-autocannon-i", "emp-s", 3), ("small-shield-extender-i", "", 1)];
    match sample(engine, "rifter", &fit) {
        None => section,
        Some(ship) => section.example(
            "a Rifter with 3 200mm AutoCannon I and a Small Shield Extender I",
            format!(
                "cpu {} of {}, power {} of {}",
                exact(ship.cpu.used),
                exact(ship.cpu.of),
                exact(ship.power.used),
                exact(ship.power.of)
            ),
        ),
    }
}

fn calibration(engine: &OnGrid) -> Section {
    let rules = &engine.catalogue().rules;
    let calibration = &rules.calibration;
    let tiers = [("t1", Tier::T1), ("meta", Tier::Meta), ("t2", Tier::T2), ("faction", Tier::Faction)];
    let name = |tier: Tier| tiers.iter().find(|(_, other)| *other == tier).map_or("", |(name, _)| *name);
    let levels = calibration.racks.iter().enumerate().map(|(level, rack)| {
        let from = level.checked_sub(1).map_or(0, |index| calibration.thresholds[index]);
        [
            level.to_string(),
            from.to_string(),
            rack.clone(),
            name(rules.rack_tier(level, true)).to_owned(),
            name(rules.rack_tier(level, false)).to_owned(),
            if level >= calibration.faction_charges_from { "faction" } else { "t1" }.to_owned(),
        ]
    });
    let weights = tiers.map(|(name, tier)| [name.to_owned(), rules.tier_weight(tier).to_string()]);
    let hulls = [("t1", HullTier::T1), ("navy", HullTier::Navy), ("t2", HullTier::T2)];
    let floors = hulls.map(|(name, tier)| [name.to_owned(), rules.hull_floor(tier).to_string()]);
    let score: u32 = 3 * rules.tier_weight(Tier::T2)
        + 2 * rules.tier_weight(Tier::Meta)
        + rules.tier_weight(Tier::Faction);
    Section::new("calibration", "Calibration", "fit score = Σ count × tier weight over all fitted modules\nlevel = how many thresholds the score has reached")
        .about("The hostile fleet scales to what is brought. Its racks: a ship wants a list of families, takes the best module the level asks for, and walks the last one down to a cheaper of the family, or drops it, while cpu or power is over. No level flies a weaker rack than the level below. Charges and hulls do not count.")
        .about("Its hulls: in each class the doctrine flies the highest hull tier the pilot brings in that class, and such a hull's rack level has a floor.")
        .table("Levels", ["level", "from score", "racks", "weapons", "other modules", "charges"], levels.collect())
        .table("Weight of a module's tier", ["tier", "weight"], weights.to_vec())
        .table("Lowest rack level of a hull's tier", ["tier", "level"], floors.to_vec())
        .example("3 modules of t2, 2 meta, 1 faction", format!("score {score}, level {}", rules.level(score)))
        .example("score 4", format!("level {}", rules.level(4)))
        .example("score 5", format!("level {}", rules.level(5)))
}

fn skills(engine: &OnGrid) -> Section {
    let catalogue = engine.catalogue();
    let text = std::str::from_utf8(
        ongrid_engine::Engine::ruleset(engine).files().first().map_or(&b""[..], |file| file.bytes),
    );
    let table: toml::Table = toml::from_str(text.unwrap_or_default()).unwrap_or_default();
    let mut rows = Vec::new();
    for skill in table.get("skill").and_then(toml::Value::as_array).into_iter().flatten() {
        let name = skill.get("name").and_then(toml::Value::as_str).unwrap_or_default();
        for effect in skill.get("effects").and_then(toml::Value::as_array).into_iter().flatten() {
            let part = |key: &str| effect.get(key).and_then(toml::Value::as_str).unwrap_or_default();
            let level = |level: usize| {
                let figure = effect.get("levels").and_then(|levels| levels.get(level));
                exact(figure.and_then(toml::Value::as_float).unwrap_or_default())
            };
            let what = format!("{} {}", words(part("attr")), words(part("for")));
            rows.push([
                name.to_owned(),
                what.trim().to_owned(),
                level(0),
                level(1),
                level(2),
                level(3),
                level(4),
                level(5),
            ]);
        }
    }
    Section::new("skills", "Skills", "")
        .about(format!("Six skills, levels 0 to {}, exempt from stacking. Hostile fleets fly every skill at {}, and so does a pilot nobody has registered.", catalogue.rules.max_level(), catalogue.rules.baseline()))
        .table("What a level multiplies by", ["skill", "attribute", "0", "1", "2", "3", "4", "5"], rows)
}

fn score(rules: &Rules) -> Section {
    let points = &rules.score;
    let full = Totals { now: 10_000.0, max: 10_000.0 };
    let half = Totals { now: 5_000.0, max: 10_000.0 };
    let none = Totals { now: 0.0, max: 10_000.0 };
    let formula = format!(
        "score = ⌊{} × (1 − hostile now ÷ max)⌋ + ⌊{} × pilot now ÷ max⌋\n      + {} for a victory or {} for a draw\n      + {} for each round left, won by destruction\n      + {} for each level, won or drawn",
        whole(points.damage),
        whole(points.survival),
        whole(points.victory as f64),
        whole(points.draw as f64),
        points.per_round_left,
        points.per_level
    );
    let of = |result, by, round, level, pilot, hostile| {
        whole(rules.score(result, by, round, level, pilot, hostile) as f64)
    };
    Section::new("score", "The end and the score", &formula)
        .about("A side without a living ship loses. After the last round the larger share of hit points wins, destroyed ships counting none of theirs. A concession scores 0.")
        .example("victory by destruction in round 12 at level 3, half the own hit points left", of(Verdict::Victory, DecidedBy::Destruction, 12, 3, half, none))
        .example("victory on points at level 0, unharmed, half the hostile hit points left", of(Verdict::Victory, DecidedBy::Points, 30, 0, full, half))
        .example("defeat in round 9, half the hostile hit points left", of(Verdict::Defeat, DecidedBy::Destruction, 9, 4, none, half))
        .example("a concession", of(Verdict::Defeat, DecidedBy::Concession, 9, 4, full, half))
}

fn hostile(rules: &Rules) -> Section {
    let pilot = &rules.hostile;
    Section::new("hostile", "The hostile pilot", "")
        .about(format!("It draws nothing. Stance first: evasive below {} of its hit points and always for support, aggressive from {} on, else standard.", percent(pilot.evasive_below), percent(pilot.aggressive_from)))
        .about(format!("Then the first that applies: remote repair of the weakest ally that misses half a repair or more; a capacitor booster below {} of its capacitor; a repair of its own below {} of its hit points; electronic warfare that is not yet on a target; fire at the enemy of whom the greatest share would go; hold.", percent(pilot.booster_below), percent(pilot.repair_below)))
        .about(format!("It neutralizes in even rounds, leeches below {} of its capacitor, and overheats when cold or when that would finish a target.", percent(pilot.leech_below)))
}

fn draws() -> Section {
    let mut section = Section::new("draws", "Seeds and draws", "unit draw = (next_u64 >> 11) × 2⁻⁵³\nseed → 32 key bytes of ChaCha8, stream 0, from word 0")
        .about("A fight is a seed and an ordered list of calls; replaying them gives the same fight bit for bit. Draws happen only for turret volleys (hit, quality) and jams. A seed is 64 hex digits, or a decimal number that is expanded.");
    for text in ["0", "1", "18446744073709551615"] {
        if let Ok(seed) = Seed::parse(text) {
            let mut stream = Stream::new(&seed);
            let rolls = [stream.unit(), stream.unit(), stream.unit()].map(exact).join(", ");
            section = section
                .example(format!("seed {text}: key {}", seed.hex()), format!("first unit draws {rolls}"));
        }
    }
    section
}
