//! Boards and what operators do to them, on both databases.

mod common;

use common::{Fresh, conflict, day_record, fly, name, order, pilot, submission, today, verdict};
use ongrid_store::{AheadBy, Board, Conflict, Day, Kind, Micros, Place, Play, Policy, Store};
use uuid::Uuid;

on_both!(
    everybody_agrees_on_the_order,
    a_cursor_skips_nothing_while_rows_come,
    seasons_and_doctrines_follow_the_days,
    the_best_of_several_counts,
    unfinished_and_practice_never_rank,
    scenarios_rank_free_fights,
    voids_and_bans_leave_no_trace_in_the_order,
    renamed_and_erased_pilots_keep_their_places,
    history_comes_by_pages,
    copied_fights_are_listed,
    a_closed_day_is_archived,
    ranks_hold_where_buckets_split,
);

/// Pilots who fly once each on a day, with these scores and rounds; answers them in the order of flying.
async fn flown(store: &Store, day: Day, runs: &[(i64, u32)]) -> Vec<(Uuid, Uuid)> {
    store.ensure_day(&day_record(day, "rookies")).await.unwrap();
    let mut all = Vec::new();
    for (index, (score, rounds)) in runs.iter().enumerate() {
        let pilot = pilot(store, &format!("{day} {index}")).await;
        all.push((pilot, fly(store, pilot, day, *score, *rounds).await.fight));
    }
    all
}

/// The pilots of a board from first to last, page by page; every other way of asking must say the same.
async fn order_of(store: &Store, board: &Board) -> Vec<Uuid> {
    let mut rows = Vec::new();
    let mut after: Option<Place> = None;
    loop {
        let page = store.top(board, 2, after.as_ref()).await.unwrap();
        rows.extend(page.rows);
        after = page.next;
        if after.is_none() {
            assert_eq!(usize::try_from(page.total).unwrap(), rows.len());
            break;
        }
    }
    let whole = store.top(board, 1000, None).await.unwrap();
    assert_eq!(whole.rows, rows);
    assert_eq!(whole.next, None);
    for (index, row) in rows.iter().enumerate() {
        assert_eq!(row.rank, i64::try_from(index).unwrap() + 1);
        let (alone, of) = store.standing(board, row.pilot).await.unwrap().unwrap();
        assert_eq!((&alone, of), (row, whole.total));
        let around = store.around(board, row.pilot, 1).await.unwrap();
        assert_eq!(around.rows, rows[index.saturating_sub(1)..(index + 2).min(rows.len())]);
        assert_eq!(around.next.is_some(), index + 2 < rows.len());
        assert_eq!(around.total, whole.total);
    }
    assert!(rows.windows(2).all(|pair| pair[0].place < pair[1].place));
    let recount = store.recount(board).await.unwrap();
    assert!(recount.agrees(), "{board:?}: {recount:?}");
    rows.into_iter().map(|row| row.pilot).collect()
}

fn pick(flown: &[(Uuid, Uuid)], order: &[usize]) -> Vec<Uuid> {
    order.iter().map(|index| flown[*index].0).collect()
}

async fn everybody_agrees_on_the_order(fresh: &Fresh) {
    let store = &fresh.store;
    let day = today();
    let flown = flown(store, day, &[(5, 9), (7, 9), (5, 8), (5, 9), (-1, 1), (7, 9)]).await;
    let board = Board::Day(day);
    assert_eq!(order_of(store, &board).await, pick(&flown, &[1, 5, 2, 0, 3, 4]));
    let rows = store.top(&board, 10, None).await.unwrap().rows;
    let ahead: Vec<_> = rows.windows(2).map(|pair| pair[0].place.ahead_by(&pair[1].place)).collect();
    assert_eq!(ahead, [AheadBy::Time, AheadBy::Score, AheadBy::Rounds, AheadBy::Time, AheadBy::Score]);
    assert_eq!(rows[0].pilot_name.as_deref(), Some(&*format!("{day} 1")));
    assert!(rows.iter().all(|row| row.elapsed.is_some()));
    let nowhere = Board::Day(day.plus(40));
    assert_eq!(order_of(store, &nowhere).await, [] as [Uuid; 0]);
    assert!(store.around(&nowhere, flown[0].0, 3).await.unwrap().rows.is_empty());
    assert!(store.rank(&nowhere, flown[0].0).await.unwrap().is_none());
    assert_eq!(store.boards("day", "", 10).await.unwrap(), [(board, 6)]);
}

async fn a_cursor_skips_nothing_while_rows_come(fresh: &Fresh) {
    let store = &fresh.store;
    let day = today();
    let board = Board::Day(day);
    let first = flown(store, day, &[(9, 1), (7, 1), (5, 1), (3, 1)]).await;
    let page = store.top(&board, 2, None).await.unwrap();
    // Before, at and after the cursor.
    for (index, score) in [8, 7, 4].into_iter().enumerate() {
        let late = pilot(store, &format!("late {index}")).await;
        fly(store, late, day, score, 1).await;
    }
    let next = store.top(&board, 10, page.next.as_ref()).await.unwrap();
    let seen: Vec<_> = page.rows.iter().chain(&next.rows).map(|row| row.pilot).collect();
    assert!(first.iter().all(|(pilot, _)| seen.iter().filter(|it| *it == pilot).count() == 1));
    assert_eq!(next.rows.iter().map(|row| row.rank).collect::<Vec<_>>(), [4, 5, 6, 7]);
    order_of(store, &board).await;
}

async fn seasons_and_doctrines_follow_the_days(fresh: &Fresh) {
    let store = &fresh.store;
    let month = "2028-02".parse::<ongrid_store::Month>().unwrap();
    let days: Vec<Day> = (-1..5).map(|number| month.first().plus(number)).collect();
    for (index, day) in days.iter().enumerate() {
        let doctrine = if index % 2 == 0 { "rookies" } else { "veterans" };
        store.ensure_day(&day_record(*day, doctrine)).await.unwrap();
    }
    let (alpha, beta) = (pilot(store, "Alpha").await, pilot(store, "Beta").await);
    let mut of_alpha = Vec::new();
    for (day, score) in days.iter().zip([50, 10, 20, 5, 7, 8]) {
        of_alpha.push(fly(store, alpha, *day, score, 2).await);
    }
    fly(store, beta, days[1], 30, 2).await;
    fly(store, beta, days[3], 20, 2).await;

    let season = Board::Season(month);
    // Both have 50 points, beta in fewer rounds.
    assert_eq!(order_of(store, &season).await, [beta, alpha]);
    let (row, _) = store.standing(&season, alpha).await.unwrap().unwrap();
    assert_eq!((row.place.score, row.place.rounds, row.place.fight), (50, 10, of_alpha[5].fight));
    assert_eq!((row.days, row.best_streak()), (0b11111, 5));
    let rookies = Board::Doctrine { engine: "ongrid-8".into(), doctrine: "rookies".into() };
    let veterans = Board::Doctrine { engine: "ongrid-8".into(), doctrine: "veterans".into() };
    assert_eq!(order_of(store, &rookies).await, [alpha]);
    assert_eq!(order_of(store, &veterans).await, [beta, alpha]);

    let totals = store.totals(alpha, days[5]).await.unwrap();
    assert_eq!((totals.days, totals.score, totals.streak, totals.best_streak), (6, 100, 6, 6));
    assert_eq!(
        totals.seasons.iter().map(|(month, score, _)| (month.to_string(), *score)).collect::<Vec<_>>(),
        [("2028-01".into(), 50), ("2028-02".into(), 50)]
    );
    assert_eq!(store.totals(alpha, days[5].plus(1)).await.unwrap().streak, 6);
    assert_eq!(store.totals(alpha, days[5].plus(2)).await.unwrap().streak, 0);

    // The best run against the rookies goes, and a day in the middle of the streak.
    store.void(of_alpha[0].fight, order("x"), false).await.unwrap();
    store.void(of_alpha[3].fight, order("x"), false).await.unwrap();
    assert_eq!(store.standing(&rookies, alpha).await.unwrap().unwrap().0.place.score, 20);
    let (row, _) = store.standing(&season, alpha).await.unwrap().unwrap();
    assert_eq!((row.place.score, row.days, row.best_streak()), (45, 0b11011, 2));
    assert_eq!(order_of(store, &season).await, [beta, alpha]);
    let totals = store.totals(alpha, days[5]).await.unwrap();
    assert_eq!((totals.days, totals.streak, totals.best_streak), (4, 2, 2));
}

async fn the_best_of_several_counts(fresh: &Fresh) {
    let store = &fresh.store;
    let day = today();
    let mut record = day_record(day, "rookies");
    record.policy = Policy { ranked_attempts: 4, ..record.policy };
    store.ensure_day(&record).await.unwrap();
    let (alpha, beta) = (pilot(store, "Alpha").await, pilot(store, "Beta").await);
    fly(store, beta, day, 6, 1).await;
    let season = Board::Season(day.month());
    let mut ranks = Vec::new();
    let mut flights = Vec::new();
    for score in [5, 4, 7, 7] {
        let recorded = fly(store, alpha, day, score, 1).await;
        ranks.push(recorded.rank.map(|rank| (rank.rank, rank.of)));
        flights.push(recorded.fight);
    }
    // A run that is not better leaves the pilot where it was.
    assert_eq!(ranks, [Some((2, 2)), Some((2, 2)), Some((1, 2)), Some((1, 2))]);
    let standing =
        |board: Board| async move { store.standing(&board, alpha).await.unwrap().unwrap().0.place };
    assert_eq!(standing(Board::Day(day)).await.fight, flights[2]);
    assert_eq!(standing(season.clone()).await.score, 7);
    store.void(flights[2], order("x"), false).await.unwrap();
    assert_eq!(standing(Board::Day(day)).await.fight, flights[3]);
    store.void(flights[3], order("x"), false).await.unwrap();
    assert_eq!(
        (standing(Board::Day(day)).await.fight, standing(season.clone()).await.score),
        (flights[0], 5)
    );
    store.restore(flights[2], order("y")).await.unwrap();
    assert_eq!(
        (standing(Board::Day(day)).await.fight, standing(season.clone()).await.score),
        (flights[2], 7)
    );
    assert_eq!(order_of(store, &season).await, [alpha, beta]);
    assert_eq!(order_of(store, &Board::Day(day)).await, [alpha, beta]);
}

async fn unfinished_and_practice_never_rank(fresh: &Fresh) {
    let store = &fresh.store;
    let day = today();
    store.ensure_day(&day_record(day, "rookies")).await.unwrap();
    let alpha = pilot(store, "Alpha").await;
    let attempt = store.issue_attempt(common::new_attempt(alpha, day, "fleet")).await.unwrap().attempt;
    let mut unfinished = common::attempted(&attempt, "play", 99, 1);
    unfinished.verdict.standing.finished = false;
    let recorded = store.submit(unfinished).await.unwrap();
    assert_eq!((recorded.kind, recorded.rank), (Kind::Ranked, None));
    let practice = fly(store, alpha, day, 99, 1).await;
    assert_eq!((practice.kind, practice.rank), (Kind::Practice, None));
    assert_eq!(order_of(store, &Board::Day(day)).await, [] as [Uuid; 0]);
    assert_eq!(order_of(store, &Board::Season(day.month())).await, [] as [Uuid; 0]);
    store.void(practice.fight, order("x"), false).await.unwrap();
    store.restore(practice.fight, order("x")).await.unwrap();
    assert_eq!(order_of(store, &Board::Day(day)).await, [] as [Uuid; 0]);
}

async fn scenarios_rank_free_fights(fresh: &Fresh) {
    let store = &fresh.store;
    let (alpha, beta) = (pilot(store, "Alpha").await, pilot(store, "Beta").await);
    let send = |pilot, scenario, play: &'static str, score| {
        store.submit(submission(pilot, Play::Free { day: today(), scenario }, verdict(play, score, 1)))
    };
    let board = Board::Scenario { engine: "ongrid-8".into(), setup: verdict("x", 0, 0).setup_digest };
    assert!(send(alpha, false, "off", 100).await.unwrap().rank.is_none());
    let first = send(alpha, true, "one", 5).await.unwrap();
    let best = send(alpha, true, "two", 9).await.unwrap();
    send(beta, true, "three", 7).await.unwrap();
    assert_eq!(order_of(store, &board).await, [alpha, beta]);
    store.void(best.fight, order("x"), false).await.unwrap();
    assert_eq!(order_of(store, &board).await, [beta, alpha]);
    store.void(first.fight, order("x"), false).await.unwrap();
    assert_eq!(order_of(store, &board).await, [beta]);
    store.restore(best.fight, order("x")).await.unwrap();
    store.restore(first.fight, order("x")).await.unwrap();
    assert_eq!(order_of(store, &board).await, [alpha, beta]);
    assert_eq!(store.standing(&board, alpha).await.unwrap().unwrap().0.place.fight, best.fight);
}

async fn voids_and_bans_leave_no_trace_in_the_order(fresh: &Fresh) {
    let store = &fresh.store;
    let day = today();
    let board = Board::Day(day);
    let flown = flown(store, day, &[(5, 9), (7, 9), (5, 8), (5, 9)]).await;
    let before = store.top(&board, 10, None).await.unwrap();

    let actor = Uuid::now_v7();
    let by = ongrid_store::Order { actor: Some(actor), ..order("looked odd") };
    store.void(flown[2].1, by, false).await.unwrap();
    assert_eq!(order_of(store, &board).await, pick(&flown, &[1, 0, 3]));
    let fight = store.fight(flown[2].1).await.unwrap().unwrap();
    assert_eq!(fight.void.map(|void| void.reason).as_deref(), Some("looked odd"));
    assert_eq!(conflict(store.void(flown[2].1, order("again"), false).await), Conflict::SameState);
    store.restore(flown[2].1, order("was fine")).await.unwrap();
    assert_eq!(conflict(store.restore(flown[2].1, order("again")).await), Conflict::SameState);
    assert_eq!(store.top(&board, 10, None).await.unwrap(), before);
    let audit = store.audit_of_fight(flown[2].1).await.unwrap();
    assert_eq!(
        audit.iter().map(|row| (&*row.action, row.actor, &*row.reason)).collect::<Vec<_>>(),
        [("void", Some(actor), "looked odd"), ("restore", None, "was fine")]
    );
    assert_eq!(conflict(store.void(Uuid::now_v7(), order("x"), false).await), Conflict::UnknownFight);

    let banned = flown[1].0;
    store.ban(banned, order("cheat")).await.unwrap();
    assert_eq!(order_of(store, &board).await, pick(&flown, &[2, 0, 3]));
    assert_eq!(order_of(store, &Board::Season(day.month())).await.len(), 3);
    assert!(store.pilot(banned).await.unwrap().unwrap().banned_at.is_some());
    // Whatever becomes of its fights behind the boards stays behind them.
    store.ensure_day(&day_record(day.plus(1), "rookies")).await.unwrap();
    let hidden = fly(store, banned, day.plus(1), 9, 9).await;
    assert_eq!((hidden.kind, hidden.rank), (Kind::Ranked, None));
    assert_eq!(order_of(store, &Board::Day(day.plus(1))).await, [] as [Uuid; 0]);
    store.void(flown[1].1, order("x"), false).await.unwrap();
    store.restore(flown[1].1, order("x")).await.unwrap();
    assert_eq!(order_of(store, &board).await, pick(&flown, &[2, 0, 3]));
    assert_eq!(conflict(store.ban(banned, order("x")).await), Conflict::SameState);
    store.unban(banned, order("mistake")).await.unwrap();
    assert_eq!(store.top(&board, 10, None).await.unwrap(), before);
    assert_eq!(order_of(store, &Board::Day(day.plus(1))).await, [banned]);
    assert_eq!(conflict(store.unban(banned, order("x")).await), Conflict::SameState);
    assert_eq!(conflict(store.ban(Uuid::now_v7(), order("x")).await), Conflict::UnknownPilot);
    assert_eq!(store.audit_of_pilot(banned).await.unwrap().len(), 4);
    assert_eq!(store.audit(None, 3).await.unwrap()[0].action, "unban");
}

async fn renamed_and_erased_pilots_keep_their_places(fresh: &Fresh) {
    let store = &fresh.store;
    let day = today();
    let flown = flown(store, day, &[(5, 9), (7, 9)]).await;
    let fight = store.fight(flown[1].1).await.unwrap().unwrap();
    store.put_pilot(flown[1].0, &name("Renamed"), None, Micros(0)).await.unwrap();
    let top =
        |store: Store| async move { store.top(&Board::Day(day), 1, None).await.unwrap().rows.remove(0) };
    assert_eq!(top(store.clone()).await.pilot_name.as_deref(), Some("Renamed"));
    store.erase_pilot(flown[1].0, order("asked to")).await.unwrap();
    let row = top(store.clone()).await;
    assert_eq!((row.pilot, row.pilot_name, row.place.fight), (flown[1].0, None, flown[1].1));
    let after = store.fight(flown[1].1).await.unwrap().unwrap();
    assert_eq!((after.replay_digest, after.pilot_name), (fight.replay_digest, None));
    assert_eq!(conflict(store.erase_pilot(flown[1].0, order("x")).await), Conflict::UnknownPilot);
    assert_eq!(
        conflict(store.put_pilot(flown[1].0, &name("Back"), None, Micros(0)).await),
        Conflict::UnknownPilot
    );
    assert_eq!(
        conflict(store.issue_attempt(common::new_attempt(flown[1].0, day, "fleet")).await),
        Conflict::UnknownPilot
    );
    // The name is free again, and the erased pilot's fights can still be voided.
    store.add_pilot(&name("Renamed"), None, Micros(0)).await.unwrap();
    store.void(flown[1].1, order("x"), false).await.unwrap();
    assert_eq!(order_of(store, &Board::Day(day)).await, pick(&flown, &[0]));
}

async fn history_comes_by_pages(fresh: &Fresh) {
    let store = &fresh.store;
    let (alpha, beta) = (pilot(store, "Alpha").await, pilot(store, "Beta").await);
    let mut sent = Vec::new();
    for (index, day) in [0, -1, 0, -2, 1].into_iter().enumerate() {
        let play = Play::Free { day: today().plus(day), scenario: false };
        let recorded =
            store.submit(submission(alpha, play, verdict(&format!("{index}"), 1, 1))).await.unwrap();
        sent.push((today().plus(day), recorded.fight));
        store.submit(submission(beta, play, verdict(&format!("{index}"), 1, 1))).await.unwrap();
    }
    sent.sort_unstable();
    sent.reverse();
    let (mut seen, mut after) = (Vec::new(), None);
    loop {
        let page = store.fights_of(alpha, today(), 2, after).await.unwrap();
        seen.extend(page.fights.iter().map(|fight| (fight.day, fight.id)));
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    assert_eq!(seen, sent);
    assert!(store.fights_of(Uuid::now_v7(), today(), 5, None).await.unwrap().fights.is_empty());
}

async fn copied_fights_are_listed(fresh: &Fresh) {
    let store = &fresh.store;
    let (alpha, beta) = (pilot(store, "Alpha").await, pilot(store, "Beta").await);
    for pilot in [alpha, beta] {
        for play in ["one", "two"] {
            store.submit(submission(pilot, common::free(), verdict(play, 1, 1))).await.unwrap();
        }
    }
    let first = store.copied_fights(today(), today(), None, 1).await.unwrap();
    let rest = store.copied_fights(today(), today(), Some(first[0].id), 5).await.unwrap();
    assert_eq!((first.len(), rest.len()), (1, 1));
    assert!(first.iter().chain(&rest).all(|fight| fight.pilot == beta && fight.copied_from.is_some()));
    assert!(store.copied_fights(today().plus(1), today().plus(9), None, 5).await.unwrap().is_empty());
}

async fn a_closed_day_is_archived(fresh: &Fresh) {
    let store = &fresh.store;
    let day = today();
    store.ensure_partitions(day, day.plus(1)).await.unwrap();
    let flown = flown(store, day, &[(5, 9), (7, 9)]).await;
    let run = |play: &str, score| {
        submission(flown[0].0, Play::Free { day, scenario: true }, verdict(play, score, 3))
    };
    let scenario = Board::Scenario {
        engine: run("one", 1).verdict.engine.to_owned(),
        setup: run("one", 1).verdict.setup_digest,
    };
    store.submit(run("one", 1)).await.unwrap();
    let record = store.day(day).await.unwrap().unwrap();
    let archive = |at: Micros| store.archive_day(day, ongrid_store::Order { at, ..order("old") });
    assert_eq!(conflict(archive(Micros(record.final_at.0 - 1)).await), Conflict::NotArchivable);
    if store.kind() == "sqlite" {
        assert_eq!(conflict(archive(record.final_at).await), Conflict::NotArchivable);
        return;
    }
    assert_eq!(
        archive(record.final_at).await.unwrap(),
        format!("fights_{}", day.to_string().replace('-', "_"))
    );
    assert_eq!(conflict(archive(record.final_at).await), Conflict::NotArchivable);
    assert!(store.fight(flown[0].1).await.unwrap().is_none());
    for board in [Board::Day(day), Board::Season(day.month())] {
        assert_eq!(order_of(store, &board).await, pick(&flown, &[1, 0]));
    }
    // What stands of an archived day has no record any more; nothing is mended there.
    assert_eq!(order_of(store, &scenario).await, pick(&flown, &[0]));
    assert!(store.mend(&scenario).await.unwrap().agrees());
    assert_eq!(order_of(store, &scenario).await, pick(&flown, &[0]));
    store.ensure_partitions(day, day.plus(1)).await.unwrap();
}

/// Most have the same score, so that only the instants tell them apart.
async fn ranks_hold_where_buckets_split(fresh: &Fresh) {
    let store = &fresh.store;
    let (day, board) = (today(), Board::Day(today()));
    store.ensure_day(&day_record(day, "rookies")).await.unwrap();
    let mut pilots = Vec::new();
    for index in 0..420 {
        pilots.push(pilot(store, &format!("Pilot {index}")).await);
    }
    let (shared, all) = (std::sync::Arc::new(store.clone()), std::sync::Arc::new(pilots.clone()));
    common::at_once(420, |index| {
        let (store, pilot) = (shared.clone(), all[index]);
        async move { fly(&store, pilot, day, if index % 5 == 0 { 1 } else { 2 }, 3).await }
    })
    .await;
    let check = async |gone: usize| {
        let recount = store.recount(&board).await.unwrap();
        assert!(recount.agrees(), "{recount:?}");
        let rows = store.top(&board, 1000, None).await.unwrap().rows;
        assert_eq!(rows.len(), 420 - gone);
        for row in rows.iter().step_by(37) {
            assert_eq!(store.rank(&board, row.pilot).await.unwrap().unwrap().rank, row.rank);
        }
    };
    check(0).await;
    for banned in &pilots[..300] {
        store.ban(*banned, order("x")).await.unwrap();
    }
    check(300).await;
    store.rebuild_ranks(&board).await.unwrap();
    for banned in &pilots[..300] {
        store.unban(*banned, order("x")).await.unwrap();
    }
    check(0).await;
}
