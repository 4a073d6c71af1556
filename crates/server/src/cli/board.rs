//! `ongrid board`: boards held against the records, and mended.

use std::collections::HashSet;
use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;
use ongrid_engine::Engine;
use ongrid_engine_ongrid::OnGrid;
use ongrid_store::{Board, Day, Difference, Micros, Recount, Store};

use crate::cli::serve::open_existing;
use crate::config::{Config, Reset};
use crate::day::day_of;

/// What can be done. A board is named as under `/v1/boards`.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Count boards again from the records and mend what is different: exit code 0 all are equal or mended, with --check
    /// 2 some are different
    Recount {
        /// days/YYYY-MM-DD, seasons/YYYY-MM, doctrines/ID, doctrines/ID?engine=TAG or scenarios/TAG/DIGEST
        #[arg(value_name = "BOARD", value_parser = parse, required_unless_present = "all", conflicts_with = "all")]
        boards: Vec<Board>,
        /// Every board there is
        #[arg(long)]
        all: bool,
        /// Only compare
        #[arg(long)]
        check: bool,
    },
    /// Make the buckets that a board's ranks are counted from anew; its entries stay
    Rebuild {
        /// As of recount
        #[arg(value_parser = parse)]
        board: Board,
    },
}

/// Does it.
pub async fn run(config: Config, command: Command) -> Result<ExitCode> {
    let store = open_existing(&config).await?;
    let mut code = ExitCode::SUCCESS;
    match command {
        Command::Recount { boards, all, check } => {
            for board in if all { every(&store, config.day.reset).await? } else { boards } {
                match if check { store.recount(&board).await } else { store.mend(&board).await } {
                    Ok(found) => {
                        tell(&board, &found, check);
                        if check && !found.agrees() && code == ExitCode::SUCCESS {
                            code = ExitCode::from(2);
                        }
                    }
                    // Its neighbours are looked at all the same.
                    Err(error) => {
                        eprintln!("{}  cannot be counted: {error}", name(&board));
                        code = ExitCode::FAILURE;
                    }
                }
            }
        }
        Command::Rebuild { board } => {
            store.rebuild_ranks(&board).await?;
            println!("{}  ranks are counted anew, of {}", name(&board), store.total(&board).await?);
        }
    }
    store.close().await;
    Ok(code)
}

async fn every(store: &Store, reset: Reset) -> Result<Vec<Board>> {
    let mut all: Vec<Board> = Vec::new();
    for kind in ["day", "season", "doctrine", "scenario"] {
        let mut after = String::new();
        loop {
            let page = store.boards(kind, &after, 1000).await?;
            let Some((last, _)) = page.last() else { break };
            after = last.name();
            all.extend(page.into_iter().map(|(board, _)| board));
        }
    }
    // A board whose own row is lost has its fights all the same.
    let mut known: HashSet<Board> = all.iter().cloned().collect();
    for day in store.days(Day(i32::MIN), day_of(Micros::now(), reset)).await? {
        let doctrine = Board::Doctrine { engine: day.engine, doctrine: day.doctrine };
        for board in [Board::Day(day.day), Board::Season(day.day.month()), doctrine] {
            if known.insert(board.clone()) {
                all.push(board);
            }
        }
    }
    Ok(all)
}

/// Says a line for each difference, and one for the board.
fn tell(board: &Board, found: &Recount, check: bool) {
    let name = name(board);
    for Difference { pilot, stands, should } in &found.differences {
        let what = match (stands, should) {
            (Some(stands), None) => format!("{stands} stands, none should"),
            (None, Some(should)) => format!("none stands, {should} should"),
            (Some(stands), Some(should)) if stands != should => format!("{stands} stands, {should} should"),
            (stands, _) => format!("{} stands with other figures", stands.unwrap_or_default()),
        };
        println!("{name}  pilot {pilot}: {what}");
    }
    let state = match (found.agrees(), check) {
        (true, _) => "equal",
        (false, true) => "different",
        (false, false) => "mended",
    };
    let ranks = if found.ranks_agree() { "" } else { ", ranks were counted wrong" };
    println!("{name}  {state}: {} entries, {} differences{ranks}", found.entries, found.differences.len());
}

/// The board's path under `/v1/boards`.
fn name(board: &Board) -> String {
    match board {
        Board::Day(day) => format!("days/{day}"),
        Board::Season(month) => format!("seasons/{month}"),
        Board::Doctrine { engine, doctrine } => format!("doctrines/{doctrine}?engine={engine}"),
        Board::Scenario { .. } => format!("scenarios/{}", board.name()),
    }
}

fn parse(text: &str) -> Result<Board, String> {
    let named = || {
        let (kind, rest) = text.split_once('/')?;
        let named = |kind, name: &str| Board::named(kind, name).ok();
        match kind {
            "days" => named("day", rest),
            "seasons" => named("season", rest),
            "scenarios" => named("scenario", rest),
            "doctrines" => {
                let (id, engine) = rest.split_once("?engine=").unwrap_or((rest, OnGrid::TAG));
                named("doctrine", &format!("{engine}/{id}"))
            }
            _ => None,
        }
    };
    named().ok_or_else(|| "no board is named so".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_named_as_the_interface_names_them() {
        let digest = "5e".repeat(32);
        for (text, whole) in [
            ("days/2026-12-01", "days/2026-12-01"),
            ("seasons/2026-12", "seasons/2026-12"),
            ("doctrines/caldari-line", "doctrines/caldari-line?engine=ongrid-8"),
            ("doctrines/caldari-line?engine=ongrid-7", "doctrines/caldari-line?engine=ongrid-7"),
            (&*format!("scenarios/mecha-battle-1/{digest}"), &*format!("scenarios/mecha-battle-1/{digest}")),
        ] {
            assert_eq!(name(&parse(text).unwrap()), whole);
            assert_eq!(parse(whole), parse(text));
        }
        for text in [
            "",
            "days",
            "days/today",
            "day/2026-12-01",
            "seasons/2026-12-01",
            "scenarios/mecha-battle-1",
            "years/2026",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
