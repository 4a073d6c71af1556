//! The cross rules of a setup (spec §3), the fourth pass of conventions, "Setups": what no single key shows.

use std::collections::BTreeSet;

use ongrid_engine::{Rejection, Result};

use crate::setup::{Setup, Terrain};

/// Checks the cross rules in the order listed; each is finished before the next.
///
/// # Errors
/// `bad_setup`; the path starts at the setup's own root.
pub(crate) fn check(setup: &Setup) -> Result<()> {
    let rows = rows(setup);
    check_sides(setup)?;
    check_ids(&rows)?;
    check_owners(setup, &rows)?;
    check_places(setup, &rows)?;
    check_hexes(setup)?;
    check_values(setup, &rows)
}

/// A thing of any list, as the cross rules see it.
struct Row<'s> {
    list: &'static str,
    index: usize,
    id: &'s str,
    owner: Option<&'s str>,
    at: Option<&'s str>,
    /// What counts towards its owner's value (spec §4, "value").
    value: f64,
}

fn bad(message: String, path: String) -> Rejection {
    Rejection::new("bad_setup", message).with_path(path)
}

impl Row<'_> {
    fn bad(&self, key: &str, message: String) -> Rejection {
        bad(message, format!("/{}/{}/{key}", self.list, self.index))
    }
}

/// Every thing, in table order.
fn rows(setup: &Setup) -> Vec<Row<'_>> {
    let mut rows = Vec::new();
    for (index, it) in setup.sectors.iter().enumerate() {
        let value = if it.kind == Terrain::Sea { 0.0 } else { it.eff };
        rows.push(Row { list: "sectors", index, id: &it.id, owner: it.owner.as_deref(), at: None, value });
    }
    let mut push = |list, index, id, owner, at, value| {
        rows.push(Row { list, index, id, owner: Some(owner), at: Some(at), value });
    };
    for (index, it) in setup.ships.iter().enumerate() {
        push("ships", index, &*it.id, &*it.owner, &*it.at, it.eff);
    }
    for (index, it) in setup.lands.iter().enumerate() {
        push("lands", index, &it.id, &it.owner, &it.at, it.eff);
    }
    for (index, it) in setup.planes.iter().enumerate() {
        push("planes", index, &it.id, &it.owner, &it.at, it.eff);
    }
    for (index, it) in setup.convoys.iter().enumerate() {
        push("convoys", index, &it.id, &it.owner, &it.at, 0.0);
    }
    rows
}

fn check_sides(setup: &Setup) -> Result<()> {
    for (k, side) in setup.sides.iter().enumerate() {
        if setup.sides[..k].contains(side) {
            return Err(bad(format!("the side {side:?} is named twice"), format!("/sides/{k}")));
        }
    }
    if !setup.sides.contains(&setup.player) {
        return Err(bad(format!("the player {:?} is none of the sides", setup.player), "/player".to_owned()));
    }
    Ok(())
}

fn check_owners(setup: &Setup, rows: &[Row<'_>]) -> Result<()> {
    for row in rows {
        if let Some(owner) = row.owner
            && !setup.sides.iter().any(|side| side == owner)
        {
            return Err(row.bad("owner", format!("{owner:?} is none of the sides")));
        }
    }
    Ok(())
}

fn check_places(setup: &Setup, rows: &[Row<'_>]) -> Result<()> {
    for row in rows {
        let Some(at) = row.at else { continue };
        match setup.sectors.iter().find(|sector| sector.id == at) {
            None => return Err(row.bad("at", format!("there is no sector {at:?}"))),
            Some(sector) if row.list == "ships" && sector.kind != Terrain::Sea => {
                return Err(row.bad("at", format!("a ship cannot be at {at:?}, which is no sea")));
            }
            Some(_) => {}
        }
    }
    Ok(())
}

fn check_hexes(setup: &Setup) -> Result<()> {
    let mut taken = BTreeSet::new();
    for (i, sector) in setup.sectors.iter().enumerate() {
        let (x, y) = (sector.x, sector.y);
        let path = format!("/sectors/{i}/x");
        if (x + y) % 2 != 0 {
            return Err(bad(format!("{x},{y} is no hex: x + y is odd"), path));
        }
        if !taken.insert((x, y)) {
            return Err(bad(format!("the hex {x},{y} is taken"), path));
        }
    }
    Ok(())
}

fn check_values(setup: &Setup, rows: &[Row<'_>]) -> Result<()> {
    for (k, side) in setup.sides.iter().enumerate() {
        if !rows.iter().any(|row| row.owner == Some(side) && row.value > 0.0) {
            return Err(bad(
                format!("the side {side:?} has nothing of any efficiency"),
                format!("/sides/{k}"),
            ));
        }
    }
    Ok(())
}

fn check_ids(rows: &[Row<'_>]) -> Result<()> {
    let mut ids = BTreeSet::new();
    match rows.iter().find(|row| !ids.insert(row.id)) {
        Some(row) => Err(row.bad("id", format!("the id {:?} is used twice", row.id))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use ongrid_engine::json::Reader;

    use crate::setup;
    use crate::setup::tests::SMALL;

    #[test]
    fn cross_rules_each_alone_and_before_the_next() {
        let fault = |text: &str| {
            let no = setup::read(&mut Reader::new(text)).expect_err(text);
            format!("{} {}", no.code(), no.path().unwrap_or("none"))
        };
        let edits = [
            (r#""sides": ["red", "blue"]"#, r#""sides": ["red", "blue", "red"]"#, "/sides/2"),
            (r#""player": "blue""#, r#""player": "green""#, "/player"),
            (r#""id": "pl""#, r#""id": "bb""#, "/planes/0/id"),
            (r#"{"id": "cv", "owner": "red""#, r#"{"id": "cv", "owner": "pink""#, "/convoys/0/owner"),
            (
                r#""id": "jb", "owner": "blue", "at": "W""#,
                r#""id": "jb", "owner": "blue", "at": "X""#,
                "/planes/1/at",
            ),
            (r#""x": 2"#, r#""x": 1"#, "/sectors/1/x"),
        ];
        for (from, to, path) in edits {
            assert!(SMALL.contains(from), "{from}");
            assert_eq!(fault(&SMALL.replace(from, to)), format!("bad_setup {path}"));
        }
        for pair in edits.windows(2) {
            let both = SMALL.replace(pair[0].0, pair[0].1).replace(pair[1].0, pair[1].1);
            assert_eq!(fault(&both), format!("bad_setup {}", pair[0].2));
        }
        assert_eq!(fault(&SMALL.replace(r#""x": 2"#, r#""x": 0"#)), "bad_setup /sectors/1/x");
        assert_eq!(
            fault(
                &SMALL.replace(r#""bb", "owner": "blue", "at": "W""#, r#""bb", "owner": "blue", "at": "F""#)
            ),
            "bad_setup /ships/0/at"
        );
        let gone = SMALL
            .replace(r#""eff": 90"#, r#""eff": 0"#)
            .replace(r#""def": 50, "eff": 100"#, r#""def": 50, "eff": 0"#);
        assert_eq!(fault(&gone), "bad_setup /sides/1");
    }
}
