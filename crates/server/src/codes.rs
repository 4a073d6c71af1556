//! Every code that a problem may bear, with what it says: `/docs#<code>`, where the `type` of a problem leads.

/// Codes of one origin.
#[derive(Debug)]
pub struct Group {
    /// Its title.
    pub title: &'static str,
    /// Code and sentence.
    pub codes: &'static [(&'static str, &'static str)],
}

/// All codes, each once, by who refuses first.
pub const GROUPS: [Group; 6] = [
    Group {
        title: "The service",
        codes: &[
            ("archived", "The fights of that day were archived; boards, receipt and proof are still here."),
            ("attempt_expired", "The attempt was open longer than an attempt may be."),
            ("attempt_open", "An attempt with another setup is open: submit its replay or let it expire."),
            ("attempt_spent", "A replay was submitted to this attempt already."),
            ("banned", "The pilot is banned."),
            ("busy", "Too many submissions wait; try again in a moment."),
            ("content_encoding", "The body is compressed otherwise than by gzip."),
            ("day_begun", "The day has begun; its doctrine can no longer be set."),
            ("day_closed", "The day is closed."),
            (
                "engine_retired",
                "The engine of the fight is no longer in this build, so that it cannot be told again.",
            ),
            ("forbidden", "The token's role may not do this."),
            ("form", "The form is not of this session or comes from another site; load the page again."),
            ("internal", "Something went wrong in the service; nothing was stored."),
            ("label", "The label of a token is too long or holds characters that it may not."),
            ("media_type", "The body is of no type that this route reads."),
            ("method_not_allowed", "The route has no such method."),
            ("name", "A pilot's name does not keep to the rules of names."),
            ("name_taken", "Another pilot has this name."),
            ("no_attempt_left", "The pilot's attempts of the day are used up."),
            ("not_archivable", "The day cannot be archived."),
            ("not_found", "There is no such thing, or no such route."),
            ("not_leading", "Another replica appends to the log."),
            ("not_logged", "The receipt is not in the log yet; within 60 seconds it will be."),
            ("not_ready", "The service is stopping, or its database does not answer."),
            ("pilot_id", "The nil and the max UUID are no pilot's."),
            ("policy", "A figure of the day's policy is outside what it may be; `path` names it."),
            ("rate_limited", "Too many requests; `Retry-After` says when to come again."),
            ("reason", "The reason of an act of moderation is missing or too long."),
            ("same_state", "It is so already."),
            ("sealed", "The fight is sealed while its day is open."),
            ("setup_differs", "The replay is not of this attempt: its setup or its seed differs."),
            (
                "skills_not_registered",
                "The setup uses a skill above the level that is registered for the pilot.",
            ),
            ("timeout", "The request did not come in time."),
            ("token_taken", "Another token has this secret."),
            ("too_many_at_once", "Too many requests of one caller are under way at once."),
            ("unauthorized", "A token is needed, or the one sent is unknown or revoked."),
            (
                "unavailable",
                "The database cannot do it now, or the day is not drawn yet; try again in a moment.",
            ),
            ("wrong_doctrine", "The setup names another doctrine than the day's."),
        ],
    },
    Group {
        title: "Every engine",
        codes: &[
            ("format", "The document is not what it should be; `path` names the place, where there is one."),
            ("engine", "The tag is none of those in `known`, or not that of the attempt."),
            ("ruleset", "The digest is not that of the engine's data, which stands in `known`."),
            ("too_large", "The body is longer than 256 KiB, or whatever the route allows."),
            ("too_many_calls", "The replay has more calls than the engine takes."),
            (
                "limit",
                "A figure or a length is above its bound, or the battle asks for more work than one may.",
            ),
            (
                "bad_setup",
                "A figure, a name or the whole of a setup is against the engine's rules; `path` names it.",
            ),
            ("unknown_op", "There is no call of this name."),
        ],
    },
    Group {
        title: "ongrid-8",
        codes: &[
            ("unknown_doctrine", "There is no doctrine of this id."),
            ("fleet_size", "The fleet has no ship, or more than the doctrine allows."),
            ("unknown_hull", "There is no hull of this id."),
            ("fleet_points", "The hulls have more points than the doctrine allows."),
            ("unknown_skill", "There is no skill of this name."),
            ("skill_level", "The level of a skill is missing or above the highest."),
            ("unknown_module", "There is no module of this id."),
            ("count", "A group has no module, or more than a group may."),
            ("duplicate_group", "The same module with the same charge stands twice in a fit."),
            ("charge_required", "The module needs a charge."),
            ("charge_not_allowed", "The module takes no charge."),
            ("unknown_charge", "There is no charge of this id."),
            ("wrong_charge", "The module does not take this charge, by its kind or its size."),
            ("skill_gate", "The skill that the module needs is not trained far enough."),
            ("slots", "The fit takes more high, mid or low slots than the hull has."),
            ("turret_hardpoints", "The fit has more turrets than the hull mounts."),
            ("launcher_hardpoints", "The fit has more launchers than the hull mounts."),
            ("max_fitted", "The fit has more modules of a family than may be fitted."),
            ("cpu", "The fit needs more cpu than the ship gives."),
            ("power", "The fit needs more power than the ship gives."),
            ("wrong_ship", "It is the turn of another ship."),
            ("unknown_group", "The fit has no group of this index."),
            ("not_active", "The group is of modules that cannot be activated."),
            ("target_missing", "The module needs a target."),
            ("target_not_allowed", "The module takes no target."),
            ("unknown_target", "There is no ship of this id."),
            ("target_destroyed", "The target is destroyed."),
            ("target_side", "The target is on the wrong side, or is the ship itself."),
            ("no_weapons", "The ship has no weapons."),
            ("overheat_locked", "The ship is too hot to overheat."),
            ("no_weapon_ready", "The capacitor is too low for every group of weapons."),
            ("no_uses", "The group has no charges left."),
            ("capacitor", "The capacitor is too low."),
            ("trailing_calls", "The fight had ended before this call."),
            ("unfinished", "The calls stop before the fight is over."),
        ],
    },
    Group {
        title: "empire-damage-1, some of them of mecha-battle-1 and mind-combat-1 too",
        codes: &[
            ("battle_over", "The battle is over."),
            ("no_such_entity", "There is nothing of this id."),
            ("wrong_kind", "What has this id is of a kind that the call does not take."),
            ("destroyed", "It is destroyed."),
            ("not_yours", "It is not the player's."),
            ("already_acted", "It has acted in this round."),
            ("already_moved", "It has moved in this round."),
            ("own_target", "The target is the player's own, or on the player's side."),
            ("out_of_range", "The target is out of range."),
            ("bad_mode", "There is no mode of this name."),
            ("not_a_fort", "The sector is no fort."),
            ("no_guns", "It has no guns."),
            ("no_shells", "It has no shells left."),
            ("no_depth_charges", "The ship has no depth charges."),
            ("not_a_submarine", "Depth charges are for submarines alone."),
            ("no_torpedoes", "The ship has no torpedoes."),
            ("carries_nuke", "A plane that carries a nuclear device drops no bombs."),
            ("no_bombs", "The plane carries no bombs."),
            ("no_sorties", "The plane has no sorties left."),
            ("no_such_item", "There is no item of this name, or none is named where one must be."),
            ("bars_cannot_be_bombed", "Bars cannot be bombed."),
            ("bad_item", "An item is named where none is bombed."),
            ("wrong_terrain", "Ships sail on sea, all else moves on land."),
            ("not_adjacent", "The sector is not next to the unit's."),
            ("no_nuke", "The plane carries no nuclear device."),
            ("bad_burst", "A burst is on the ground or in the air."),
        ],
    },
    Group {
        title: "mecha-battle-1",
        codes: &[
            ("no_such_unit", "There is no unit of this id."),
            ("cannot_act", "The unit cannot act in this round."),
            ("bad_pace", "There is no pace of this name."),
            ("cannot_fly", "The unit cannot fly."),
            ("bad_facing", "The facing is 0, 0 or beyond the field."),
            ("bad_position", "The place is beyond the field."),
            ("too_far", "The place is farther than the unit comes at this pace."),
            ("already_attacked", "The unit has attacked in this round."),
            ("target_out", "The target is out of the battle."),
            ("no_such_weapon", "The unit has no weapon of this index."),
            ("weapon_lost", "The arm or hand that held the weapon is lost."),
            ("bad_shots", "The number of shots is not one that the weapon fires."),
            ("out_of_ammo", "The weapon has fewer shots left."),
            ("underwater_thrust_only", "Under water only thrust weapons work."),
            ("out_of_reach", "The target is beyond the weapon's reach."),
            ("no_such_part", "The target has no such part to aim at."),
            ("rapid_fire_cannot_aim", "Rapid fire cannot be aimed at a part."),
            ("too_far_to_aim", "Beyond half the weapon's range no part can be aimed at."),
            ("feint_needs_blade", "Only a blade can feint."),
            ("optical_aid_needed", "The target is too far to aim at by eye."),
        ],
    },
    Group {
        title: "mind-combat-1",
        codes: &[
            ("war_over", "The war is over."),
            ("time_goes_back", "The call is of an earlier minute than the one before."),
            ("after_the_end", "The call is of a minute after the end of the war."),
            ("no_such_mind", "There is no mind of this id."),
            ("deleted", "The mind is deleted."),
            ("unknown_program", "The mind has no program of this name."),
            ("out_of_cycles", "The mind has fewer cycles than the attack costs."),
            ("no_attack", "The mind has no attack."),
            ("no_compute", "The mind has less compute than the program costs."),
            ("bad_above", "The bound of a countermeasure is 0 to 2."),
        ],
    },
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Cases of the engines that are read as text, with every code they are refused by.
    const CASES: [&str; 5] = [
        include_str!("../../engine-ongrid/tests/cases/rejected.jsonl"),
        include_str!("../../engine-ongrid/tests/cases/vectors.jsonl"),
        include_str!("../../engine-empire/tests/cases/empire-damage.json"),
        include_str!("../../engine-mecha/tests/cases/mecha-battle.json"),
        include_str!("../../engine-minds/tests/cases/mind-combat.jsonl"),
    ];

    fn all() -> BTreeSet<&'static str> {
        GROUPS.iter().flat_map(|group| group.codes).map(|(code, _)| *code).collect()
    }

    #[test]
    fn each_stands_once() {
        let codes = GROUPS.iter().map(|group| group.codes.len()).sum::<usize>();
        assert_eq!(codes, all().len());
    }

    /// What the engines' cases are refused by.
    #[test]
    fn no_code_of_the_cases_is_missing() {
        let (all, mut seen) = (all(), BTreeSet::new());
        for case in CASES {
            for rest in case.split("\"code\"").skip(1) {
                let rest = rest.trim_start_matches([':', ' ']);
                let Some(code) = rest.strip_prefix('"').and_then(|rest| rest.split('"').next()) else {
                    continue;
                };
                assert!(all.contains(code), "{code}");
                seen.insert(code);
            }
        }
        assert!(seen.len() > 80, "{}", seen.len());
    }
}
