//! Several at once: replicas on one database, callers that go away, rows that spoil a batch.

mod common;

use std::sync::Arc;
use std::time::Duration;

use common::{
    Fresh, at_once, attempted, day_record, fly, free, new_attempt, order, pilot, submission, today, verdict,
};
use ongrid_store::{Batching, Board, Conflict, Error, Options, Store};

on_both!(
    replicas_keep_one_board,
    moderation_and_submissions_mix,
    a_caller_that_goes_away_changes_nothing,
    a_full_queue_says_so,
    one_bad_submission_spoils_no_other,
    a_closed_store_has_written_everything,
);

async fn replicas_keep_one_board(fresh: &Fresh) {
    let stores = [fresh.store.clone(), fresh.replica().await];
    let day = today();
    fresh.store.ensure_day(&day_record(day, "rookies")).await.unwrap();
    let mut pilots = Vec::new();
    for index in 0..120 {
        pilots.push(pilot(&fresh.store, &format!("Pilot {index}")).await);
    }
    let pilots = Arc::new(pilots);
    // Every pilot from both replicas at once: one ranked attempt each, whoever issues and whoever takes the replay.
    let all = at_once(240, |index| {
        let (store, other) = (stores[index % 2].clone(), stores[(index / 2) % 2].clone());
        let pilot = pilots[index / 2];
        async move {
            let issued = store.issue_attempt(new_attempt(pilot, day, "fleet")).await.unwrap();
            let score = i64::try_from(index / 2 % 7).unwrap();
            // An attempt whose replay was faster than this call is followed by a practice: that is as it should be.
            let play = format!("{} {score}", issued.attempt.id);
            other.submit(attempted(&issued.attempt, &play, score, 3)).await.unwrap()
        }
    })
    .await;
    assert_eq!(all.iter().filter(|it| it.new && it.kind == ongrid_store::Kind::Ranked).count(), 120);
    for board in [
        Board::Day(day),
        Board::Season(day.month()),
        Board::Doctrine { engine: "ongrid-8".into(), doctrine: "rookies".into() },
    ] {
        let recount = fresh.store.recount(&board).await.unwrap();
        assert!(recount.agrees(), "{board:?}: {recount:?}");
        assert_eq!(recount.total, 120);
        let [one, other] = &stores;
        assert_eq!(one.top(&board, 500, None).await.unwrap(), other.top(&board, 500, None).await.unwrap());
    }
    stores[1].close().await;
}

async fn moderation_and_submissions_mix(fresh: &Fresh) {
    let stores = [fresh.store.clone(), fresh.replica().await];
    let day = today();
    for ahead in 0..4 {
        fresh.store.ensure_day(&day_record(day.plus(ahead), "rookies")).await.unwrap();
    }
    let mut pilots = Vec::new();
    for index in 0..12 {
        pilots.push(pilot(&fresh.store, &format!("Pilot {index}")).await);
    }
    let pilots = Arc::new(pilots);
    at_once(48, |index| {
        let (store, other) = (stores[index % 2].clone(), stores[(index + 1) % 2].clone());
        let pilots = pilots.clone();
        async move {
            let (pilot, day) = (pilots[index % 12], day.plus(i32::try_from(index / 12).unwrap()));
            let recorded = fly(&store, pilot, day, i64::try_from(index % 5).unwrap(), 1).await;
            match index % 3 {
                0 => other.void(recorded.fight, order("x"), false).await.unwrap(),
                // Somebody else may have done so: then it stays done.
                1 => drop(other.ban(pilots[(index * 7) % 12], order("x")).await),
                _ => drop(other.unban(pilots[(index * 5) % 12], order("x")).await),
            }
        }
    })
    .await;
    for board in [Board::Day(day), Board::Day(day.plus(3)), Board::Season(day.month())] {
        let recount = fresh.store.recount(&board).await.unwrap();
        assert!(recount.agrees(), "{board:?}: {recount:?}");
    }
    stores[1].close().await;
}

async fn a_caller_that_goes_away_changes_nothing(fresh: &Fresh) {
    let store = &fresh.store;
    let day = today();
    store.ensure_day(&day_record(day, "rookies")).await.unwrap();
    let mut sent = Vec::new();
    for index in 0..40 {
        let pilot = pilot(store, &format!("Pilot {index}")).await;
        let attempt = store.issue_attempt(new_attempt(pilot, day, "fleet")).await.unwrap().attempt;
        sent.push((attempt.clone(), attempted(&attempt, &format!("play {index}"), 5, 5)));
    }
    for (index, (_, submission)) in sent.iter().enumerate() {
        let wait = Duration::from_micros(200 * u64::try_from(index).unwrap());
        let _ = tokio::time::timeout(wait, store.submit(submission.clone())).await;
    }
    // Whole or absent, whichever; and everything goes on.
    for (attempt, submission) in sent {
        let known = store.attempt(attempt.id).await.unwrap().unwrap();
        let recorded = store.submit(submission).await.unwrap();
        assert!(known.fight.is_none_or(|fight| fight == recorded.fight));
        assert!(store.documents(recorded.fight).await.unwrap().is_some());
    }
    let recount = store.recount(&Board::Day(day)).await.unwrap();
    assert!(recount.agrees() && recount.total == 40, "{recount:?}");
}

async fn a_full_queue_says_so(fresh: &Fresh) {
    let batching = Batching { queue: 4, most: 1, ..Batching::default() };
    let narrow = Store::open(&fresh.url, &Options { batching, ..Options::default() }).await.unwrap();
    let mut pilots = Vec::new();
    for index in 0..60 {
        pilots.push(pilot(&fresh.store, &format!("Pilot {index}")).await);
    }
    let pilots = Arc::new(pilots);
    let all = at_once(60, |index| {
        let (store, pilot) = (narrow.clone(), pilots[index]);
        async move { store.submit(submission(pilot, free(), verdict(&format!("{index}"), 1, 1))).await }
    })
    .await;
    assert!(all.iter().any(|it| matches!(it, Err(Error::Busy))));
    assert!(all.iter().all(|it| it.as_ref().map_or_else(Error::is_retryable, |it| it.new)));
    narrow.close().await;
}

async fn one_bad_submission_spoils_no_other(fresh: &Fresh) {
    // A batch that waits, so that all are in one.
    let batching = Batching { wait: Duration::from_millis(200), ..Batching::default() };
    let slow = Store::open(&fresh.url, &Options { batching, ..Options::default() }).await.unwrap();
    let mut pilots = Vec::new();
    for index in 0..10 {
        pilots.push(pilot(&fresh.store, &format!("Pilot {index}")).await);
    }
    let pilots = Arc::new(pilots);
    let all = at_once(12, |index| {
        let (store, pilots) = (slow.clone(), pilots.clone());
        async move {
            let pilot = pilots.get(index).copied().unwrap_or_else(uuid::Uuid::now_v7);
            let mut sent = submission(pilot, free(), verdict(&format!("{index}"), 1, 1));
            if index == 3 {
                // No text of either database holds a NUL: the whole statement fails on Postgres.
                sent.build = "a\0b".into();
            }
            store.submit(sent).await
        }
    })
    .await;
    for (index, answer) in all.iter().enumerate() {
        match (index, answer) {
            (10.., Err(Error::Conflict(Conflict::UnknownPilot))) => {}
            (3, Err(Error::Corrupt(_))) if fresh.store.kind() == "postgres" => {}
            (3, Ok(_)) if fresh.store.kind() == "sqlite" => {}
            (_, Ok(recorded)) => assert!(recorded.new),
            other => panic!("{other:?}"),
        }
    }
    slow.close().await;
}

async fn a_closed_store_has_written_everything(fresh: &Fresh) {
    let store = fresh.replica().await;
    let mut pilots = Vec::new();
    for index in 0..20 {
        pilots.push(pilot(&fresh.store, &format!("Pilot {index}")).await);
    }
    let sending: Vec<_> = pilots
        .iter()
        .map(|pilot| {
            let (store, sent) =
                (store.clone(), submission(*pilot, free(), verdict(&pilot.to_string(), 1, 1)));
            tokio::spawn(async move { store.submit(sent).await })
        })
        .collect();
    tokio::task::yield_now().await;
    store.close().await;
    let mut stored = 0;
    for (pilot, sending) in pilots.iter().zip(sending) {
        let known = fresh.store.fights_of(*pilot, today(), 5, None).await.unwrap().fights;
        match sending.await.unwrap() {
            Ok(recorded) => assert_eq!(known[0].id, recorded.fight),
            Err(fault) => assert!(fault.is_retryable() && known.is_empty(), "{fault}"),
        }
        stored += known.len();
    }
    assert!(stored <= 20);
    let late = submission(pilots[0], free(), verdict("late", 1, 1));
    assert!(matches!(store.submit(late).await, Err(Error::Busy)));
}
