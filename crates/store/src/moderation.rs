//! What operators do to fights, pilots and days, and the audit of it.

use serde::Serialize;
use uuid::Uuid;

use crate::db::{Database, Record, Row, Tx, values};
use crate::fights::days_of;
use crate::ladder::Ladders;
use crate::place::Board;
use crate::standings::{Entry, Kept, Move, Run, Standings, better};
use crate::store::transact;
use crate::writing::{lock_pilot, resettle};
use crate::{Conflict, Day, Fight, Kind, Micros, Result, Store, sql};

/// An act that changes boards.
#[derive(Clone, Debug)]
pub(crate) struct Act {
    by: Order,
    what: What,
}

#[derive(Clone, Copy, Debug)]
enum What {
    Void { fight: Uuid, return_attempt: bool },
    Restore { fight: Uuid },
    Ban { pilot: Uuid },
    Unban { pilot: Uuid },
}

/// Who orders something, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// The token; none from the command line.
    pub actor: Option<Uuid>,
    /// The reason, in the operator's words.
    pub reason: String,
    /// When.
    pub at: Micros,
}

/// An act that was done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AuditRow {
    /// Its id, a UUIDv7.
    pub id: Uuid,
    /// When.
    pub at: Micros,
    /// The token that ordered it; none from the command line.
    pub actor: Option<Uuid>,
    /// `void`, `restore`, `ban`, `unban`, `erase`, `set_day` or `archive_day`.
    pub action: String,
    /// The pilot concerned.
    pub pilot: Option<Uuid>,
    /// The fight concerned.
    pub fight: Option<Uuid>,
    /// The day concerned.
    pub day: Option<Day>,
    /// Why.
    pub reason: String,
}

impl Record for AuditRow {
    fn read(row: &mut Row) -> Result<Self> {
        Ok(Self {
            id: row.next()?,
            at: row.next()?,
            actor: row.next()?,
            action: row.next()?,
            pilot: row.next()?,
            fight: row.next()?,
            day: row.next()?,
            reason: row.next()?,
        })
    }
}

impl Store {
    /// Voids a fight: it leaves the boards, its record stays. The attempt is returned only where the order says so:
    /// then the pilot has one more of its kind.
    ///
    /// # Errors
    /// [`Conflict::UnknownFight`] (archived ones too), [`Conflict::SameState`] where it is void.
    pub async fn void(&self, fight: Uuid, by: Order, return_attempt: bool) -> Result<()> {
        self.act(Act { by, what: What::Void { fight, return_attempt } }).await
    }

    /// Lets a voided fight count again, in the place that it had. A returned attempt stays returned.
    ///
    /// # Errors
    /// [`Conflict::UnknownFight`], [`Conflict::SameState`] where it is not void.
    pub async fn restore(&self, fight: Uuid, by: Order) -> Result<()> {
        self.act(Act { by, what: What::Restore { fight } }).await
    }

    /// Bans a pilot: its runs leave all boards. They are kept up behind them, so that an unban has nothing to guess.
    ///
    /// # Errors
    /// [`Conflict::UnknownPilot`], [`Conflict::SameState`] where it is banned.
    pub async fn ban(&self, pilot: Uuid, by: Order) -> Result<()> {
        self.act(Act { by, what: What::Ban { pilot } }).await
    }

    /// Ends a ban: the pilot's runs stand where they would stand had it never been.
    ///
    /// # Errors
    /// [`Conflict::UnknownPilot`], [`Conflict::SameState`] where it is not banned.
    pub async fn unban(&self, pilot: Uuid, by: Order) -> Result<()> {
        self.act(Act { by, what: What::Unban { pilot } }).await
    }

    /// Erases a pilot: name, skills and tokens go, fights, digests and places stay.
    ///
    /// # Errors
    /// [`Conflict::UnknownPilot`], also where it was erased before.
    pub async fn erase_pilot(&self, pilot: Uuid, by: Order) -> Result<()> {
        self.transact(move |tx| {
            let by = by.clone();
            Box::pin(async move {
                if tx.execute(sql::ERASE_PILOT, values![pilot, by.at]).await? == 0 {
                    return Err(Conflict::UnknownPilot.into());
                }
                tx.execute(sql::REVOKE_TOKENS_OF, values![pilot, by.at]).await?;
                audit(tx, &by, "erase", Some(pilot), None, None).await
            })
        })
        .await
    }

    /// Fights whose fleet and calls another pilot had played before, of some days, by id, after one.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn copied_fights(
        &self,
        first: Day,
        last: Day,
        after: Option<Uuid>,
        limit: u32,
    ) -> Result<Vec<Fight>> {
        let after = after.unwrap_or_default();
        self.db.all(sql::COPIED_FIGHTS, values![first, last, after, limit]).await
    }

    /// The audit, latest first, before one.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn audit(&self, before: Option<Uuid>, limit: u32) -> Result<Vec<AuditRow>> {
        self.db.all(sql::AUDIT, values![before.unwrap_or(Uuid::max()), limit]).await
    }

    /// The audit of a pilot, first to last.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn audit_of_pilot(&self, pilot: Uuid) -> Result<Vec<AuditRow>> {
        self.db.all(sql::AUDIT_OF_PILOT, values![pilot]).await
    }

    /// The audit of a fight, first to last.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn audit_of_fight(&self, fight: Uuid) -> Result<Vec<AuditRow>> {
        self.db.all(sql::AUDIT_OF_FIGHT, values![fight]).await
    }
}

/// Writes down who did what, when and why.
pub(crate) async fn audit(
    tx: &mut Tx,
    by: &Order,
    action: &str,
    pilot: Option<Uuid>,
    fight: Option<Uuid>,
    day: Option<Day>,
) -> Result<()> {
    let row = values![Uuid::now_v7(), by.at, by.actor, action, pilot, fight, day, &by.reason];
    tx.execute(sql::INSERT_AUDIT, row).await.map(drop)
}

/// Performs an act in a transaction of its own.
pub(crate) async fn perform(db: &Database, ladders: &std::sync::Arc<Ladders>, act: Act) -> Result<()> {
    let shared = ladders.clone();
    let kept = transact(db, &move |tx| {
        let (act, ladders) = (act.clone(), shared.clone());
        Box::pin(async move {
            let mut standings = Standings::new(&ladders);
            match act.what {
                What::Void { fight, return_attempt } => {
                    let fight = void(tx, &mut standings, fight, &act.by).await?;
                    if let Some(attempt) = fight.attempt.filter(|_| return_attempt) {
                        tx.execute(sql::RETURN_ATTEMPT, values![attempt]).await?;
                    }
                }
                What::Restore { fight } => restore(tx, &mut standings, fight, &act.by).await?,
                What::Ban { pilot } => bench(tx, &mut standings, pilot, true, &act.by).await?,
                What::Unban { pilot } => bench(tx, &mut standings, pilot, false, &act.by).await?,
            }
            Ok::<Kept, _>(standings.keep())
        })
    })
    .await?;
    for (board, revision, ladder) in kept {
        ladders.put(board, revision, ladder);
    }
    Ok(())
}

/// The fight, with its pilot locked until the commit; whether the pilot is banned.
async fn lock_fight(tx: &mut Tx, id: Uuid) -> Result<(Fight, bool)> {
    let (first, last) = days_of(id);
    let found: Option<Fight> = tx.maybe(sql::FIGHT, values![id, first, last]).await?;
    let pilot = found.ok_or(Conflict::UnknownFight)?.pilot;
    let banned = lock_pilot(tx, pilot).await?.banned;
    // Once more, now that nobody else can change it.
    let fight: Option<Fight> = tx.maybe(sql::FIGHT, values![id, first, last]).await?;
    Ok((fight.ok_or(Conflict::UnknownFight)?, banned))
}

async fn void(tx: &mut Tx, standings: &mut Standings<'_>, id: Uuid, by: &Order) -> Result<Fight> {
    let (fight, benched) = lock_fight(tx, id).await?;
    if fight.void.is_some() {
        return Err(Conflict::SameState.into());
    }
    let mark = values![id, fight.day, fight.pilot, by.at, &by.reason];
    tx.execute(sql::VOID_FIGHT, mark).await?;
    settle_fight(tx, standings, &fight, benched, false).await?;
    audit(tx, by, "void", Some(fight.pilot), Some(id), Some(fight.day)).await?;
    Ok(fight)
}

async fn restore(tx: &mut Tx, standings: &mut Standings<'_>, id: Uuid, by: &Order) -> Result<()> {
    let (fight, benched) = lock_fight(tx, id).await?;
    if fight.void.is_none() {
        return Err(Conflict::SameState.into());
    }
    let none: (Option<Micros>, Option<&str>) = (None, None);
    tx.execute(sql::VOID_FIGHT, values![id, fight.day, fight.pilot, none.0, none.1]).await?;
    settle_fight(tx, standings, &fight, benched, true).await?;
    audit(tx, by, "restore", Some(fight.pilot), Some(id), Some(fight.day)).await
}

/// Brings the boards after a fight that came or went.
async fn settle_fight(
    tx: &mut Tx,
    standings: &mut Standings<'_>,
    fight: &Fight,
    benched: bool,
    came: bool,
) -> Result<()> {
    let pilot = fight.pilot;
    match fight.kind {
        Kind::Practice => Ok(()),
        Kind::Ranked => {
            let doctrine = fight.doctrine.clone().unwrap_or_default();
            let series = Board::Doctrine { engine: fight.engine.clone(), doctrine };
            let (day, season) = (Board::Day(fight.day), Board::Season(fight.day.month()));
            standings.hold(tx, [day.clone(), season, series]).await?;
            let old = standings.entry(tx, pilot, day.id()).await?;
            let runs: Vec<Run> = tx.all(sql::DAY_RUNS_OF, values![pilot, fight.day]).await?;
            let new = runs.iter().fold(None, |best, run| better(best, Some(run.on_day(benched))));
            if old == new {
                return Ok(());
            }
            standings.shift(tx, &[Move { board: day.id(), pilot, old, new }]).await?;
            let series = [old, new].into_iter().flatten().filter_map(|entry| entry.series);
            resettle(tx, standings, pilot, fight.day, series).await
        }
        Kind::Free => {
            // Only the board of a scenario can know of it, and only if it was meant to.
            let board = Board::Scenario { engine: fight.engine.clone(), setup: fight.setup_digest };
            let known: Option<(String, String)> = tx.maybe(sql::BOARD, values![board.id()]).await?;
            if known.is_none() {
                return Ok(());
            }
            standings.hold(tx, [board.clone()]).await?;
            let old = standings.entry(tx, pilot, board.id()).await?;
            if !came && old.is_none_or(|old| old.place.fight != fight.id) {
                return Ok(());
            }
            let runs: Vec<Run> = tx.all(sql::SCENARIO_RUNS_OF, values![pilot, board.id()]).await?;
            let new = runs.iter().fold(None, |best, run| better(best, Some(run.on_scenario(benched))));
            // A better run of a day that is archived by now still stands.
            let new = if came { better(old, new) } else { new };
            standings.settle(tx, pilot, board.id(), new).await
        }
    }
}

/// Takes the entries of a pilot off all boards, or puts them back.
async fn bench(
    tx: &mut Tx,
    standings: &mut Standings<'_>,
    pilot: Uuid,
    benched: bool,
    by: &Order,
) -> Result<()> {
    if lock_pilot(tx, pilot).await?.banned == benched {
        return Err(Conflict::SameState.into());
    }
    tx.execute(sql::BAN_PILOT, values![pilot, benched.then_some(by.at)]).await?;
    let boards: Vec<(Uuid, String, String)> = tx.all(sql::BOARDS_OF_PILOT, values![pilot]).await?;
    let named = boards.iter().map(|(_, kind, name)| Board::named(kind, name));
    standings.hold(tx, named.collect::<Result<Vec<_>>>()?).await?;
    let entries: Vec<(Uuid, Entry)> = tx.all(sql::ENTRIES_OF_PILOT, values![pilot]).await?;
    let moves: Vec<Move> = entries
        .into_iter()
        .map(|(board, old)| Move { board, pilot, old: Some(old), new: Some(Entry { benched, ..old }) })
        .collect();
    standings.shift(tx, &moves).await?;
    audit(tx, by, if benched { "ban" } else { "unban" }, Some(pilot), None, None).await
}
