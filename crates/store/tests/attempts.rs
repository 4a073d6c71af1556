//! Days and attempts, on both databases.

mod common;

use std::sync::Arc;
use std::time::Duration;

use common::{
    Fresh, at_once, attempted, conflict, day_record, fly, free, new_attempt, order, pilot, seed, submission,
    today, verdict,
};
use ongrid_engine::Digest;
use ongrid_store::{
    AttemptState, Board, Conflict, Kind, MOST_REJECTED, Micros, NewAttempt, Order, Play, Store,
};

on_both!(
    the_first_to_draw_a_day_wins,
    a_day_is_set_ahead_only,
    attempts_are_numbered_and_run_out,
    an_open_attempt_is_answered_again,
    attempts_expire_and_days_close,
    a_verdict_spends_the_attempt,
    a_replay_of_something_else_is_refused,
    the_tenth_rejection_spends_the_attempt,
    of_many_rejections_at_once_ten_count,
    a_free_fight_becomes_the_attempts,
    a_returned_attempt_is_had_again,
);

async fn the_first_to_draw_a_day_wins(fresh: &Fresh) {
    let replicas = [fresh.store.clone(), fresh.replica().await];
    let day = today().plus(7);
    let drawn = at_once(8, |index| {
        let store = replicas[index % 2].clone();
        let mut record = day_record(day, "rookies");
        record.secret = vec![u8::try_from(index).unwrap(); 32];
        async move { store.ensure_day(&record).await.unwrap() }
    })
    .await;
    assert!(drawn.iter().all(|it| it == &drawn[0]));
    assert_eq!(fresh.store.day(day).await.unwrap().as_ref(), Some(&drawn[0]));
    assert_eq!(fresh.store.days(day.plus(-1), day).await.unwrap().len(), 1);
    assert!(fresh.store.day(day.plus(1)).await.unwrap().is_none());
    assert!(!format!("{:?}", drawn[0]).contains("secret"));
    replicas[1].close().await;
}

async fn a_day_is_set_ahead_only(fresh: &Fresh) {
    let store = &fresh.store;
    let day = today().plus(7);
    let record = day_record(day, "rookies");
    assert_eq!(conflict(store.set_day(record.clone(), order("event")).await), Conflict::UnknownDay);
    store.ensure_day(&record).await.unwrap();
    let mut changed = record.clone();
    changed.doctrine = "veterans".into();
    changed.doctrine_set = true;
    changed.policy.ranked_attempts = 3;
    changed.secret = vec![9; 32];
    store.set_day(changed.clone(), order("event")).await.unwrap();
    changed.secret = record.secret.clone();
    assert_eq!(store.day(day).await.unwrap(), Some(changed.clone()));
    assert_eq!(
        conflict(store.set_day(changed, Order { at: record.opens_at, ..order("late") }).await),
        Conflict::DayBegun
    );
    let audit = store.audit(None, 10).await.unwrap();
    assert_eq!(audit.len(), 1);
    assert_eq!((&*audit[0].action, audit[0].day, &*audit[0].reason), ("set_day", Some(day), "event"));
}

async fn attempts_are_numbered_and_run_out(fresh: &Fresh) {
    let store = &fresh.store;
    let alpha = pilot(store, "Alpha").await;
    assert_eq!(
        conflict(store.issue_attempt(new_attempt(alpha, today(), "fleet")).await),
        Conflict::UnknownDay
    );
    store.ensure_day(&day_record(today(), "rookies")).await.unwrap();
    let mut kinds = Vec::new();
    for number in 1..=3 {
        let issued = store.issue_attempt(new_attempt(alpha, today(), "fleet")).await.unwrap();
        assert_eq!((issued.new, issued.attempt.number), (true, number));
        assert_eq!(issued.attempt.seed, seed(number));
        assert_eq!((&*issued.attempt.engine, &*issued.attempt.doctrine), ("ongrid-8", "rookies"));
        kinds.push(issued.attempt.kind);
        store.submit(attempted(&issued.attempt, &format!("play {number}"), 5, 5)).await.unwrap();
    }
    assert_eq!(kinds, [Kind::Ranked, Kind::Practice, Kind::Practice]);
    assert_eq!(
        conflict(store.issue_attempt(new_attempt(alpha, today(), "fleet")).await),
        Conflict::NoAttemptLeft
    );
    assert_eq!(store.attempts(alpha, today()).await.unwrap().len(), 3);
    let stranger = uuid::Uuid::now_v7();
    assert_eq!(
        conflict(store.issue_attempt(new_attempt(stranger, today(), "fleet")).await),
        Conflict::UnknownPilot
    );
}

async fn an_open_attempt_is_answered_again(fresh: &Fresh) {
    let store = &fresh.store;
    let alpha = pilot(store, "Alpha").await;
    store.ensure_day(&day_record(today(), "rookies")).await.unwrap();
    let replicas = [fresh.store.clone(), fresh.replica().await];
    let all = at_once(20, |index| {
        let store = replicas[index % 2].clone();
        async move { store.issue_attempt(new_attempt(alpha, today(), "fleet")).await.unwrap() }
    })
    .await;
    assert_eq!(all.iter().filter(|it| it.new).count(), 1);
    assert!(all.iter().all(|it| it.attempt == all[0].attempt));
    assert_eq!(store.attempts(alpha, today()).await.unwrap(), [all[0].attempt.clone()]);
    assert_eq!(store.attempt(all[0].attempt.id).await.unwrap().as_ref(), Some(&all[0].attempt));
    assert_eq!(
        conflict(store.issue_attempt(new_attempt(alpha, today(), "other")).await),
        Conflict::AttemptOpen
    );
    replicas[1].close().await;
}

async fn attempts_expire_and_days_close(fresh: &Fresh) {
    let store = &fresh.store;
    let alpha = pilot(store, "Alpha").await;
    let record = store.ensure_day(&day_record(today(), "rookies")).await.unwrap();
    let first = store.issue_attempt(new_attempt(alpha, today(), "fleet")).await.unwrap().attempt;
    assert_eq!(first.expires_at, first.issued_at.plus(Duration::from_secs(120 * 60)));
    let at = |now: Micros| NewAttempt { now, ..new_attempt(alpha, today(), "other") };
    let submit_at = |submitted_at: Micros| {
        let mut late = attempted(&first, "late", 5, 5);
        late.submitted_at = submitted_at;
        store.submit(late)
    };
    assert_eq!(conflict(submit_at(first.expires_at).await), Conflict::AttemptExpired);
    assert_eq!(conflict(submit_at(record.final_at).await), Conflict::DayClosed);
    // The next one is practice: the ranked one was had.
    let second = store.issue_attempt(at(first.expires_at)).await.unwrap().attempt;
    assert_eq!((second.number, second.kind), (2, Kind::Practice));
    let known = store.attempt(first.id).await.unwrap().unwrap();
    assert_eq!(known.state, AttemptState::Expired);
    assert_eq!(conflict(submit_at(first.issued_at).await), Conflict::AttemptExpired);

    assert_eq!(conflict(store.issue_attempt(at(record.closes_at)).await), Conflict::DayClosed);
    let early = at(Micros(record.opens_at.0 - 1));
    assert_eq!(conflict(store.issue_attempt(early).await), Conflict::UnknownDay);
    assert_eq!(second.state_at(second.issued_at), AttemptState::Open);
    assert_eq!(second.state_at(second.expires_at), AttemptState::Expired);
}

async fn a_verdict_spends_the_attempt(fresh: &Fresh) {
    let store = &fresh.store;
    let (alpha, beta) = (pilot(store, "Alpha").await, pilot(store, "Beta").await);
    store.ensure_day(&day_record(today(), "rookies")).await.unwrap();
    let attempt = store.issue_attempt(new_attempt(alpha, today(), "fleet")).await.unwrap().attempt;
    let mut foreign = attempted(&attempt, "play", 5, 5);
    foreign.pilot = beta;
    assert_eq!(conflict(store.submit(foreign).await), Conflict::UnknownAttempt);

    let replica = fresh.replica().await;
    let stores = [store.clone(), replica.clone()];
    let sent = Arc::new(attempted(&attempt, "play", 5, 5));
    let all = at_once(50, |index| {
        let (store, sent) = (stores[index % 2].clone(), sent.clone());
        async move { store.submit((*sent).clone()).await.unwrap() }
    })
    .await;
    assert_eq!(all.iter().filter(|it| it.new).count(), 1);
    let first = &all[0];
    assert!(all.iter().all(|it| (it.fight, it.kind, it.rank) == (first.fight, Kind::Ranked, first.rank)));
    assert_eq!((first.attempt, first.day), (Some(attempt.id), today()));
    assert_eq!(first.rank.map(|it| (it.rank, it.of, it.percentile())), Some((1, 1, 100.0)));
    let fight = store.fight(first.fight).await.unwrap().unwrap();
    assert_eq!(
        (fight.issued_at, fight.attempt, fight.doctrine.as_deref()),
        (Some(attempt.issued_at), Some(attempt.id), Some("rookies"))
    );
    assert!(fight.elapsed().is_some());

    let known = store.attempt(attempt.id).await.unwrap().unwrap();
    assert_eq!((known.state, known.fight), (AttemptState::Spent, Some(first.fight)));
    assert_eq!(conflict(store.submit(attempted(&attempt, "another", 9, 1)).await), Conflict::AttemptSpent);
    // Also long after its time.
    let mut late = (*sent).clone();
    late.submitted_at = attempt.final_at;
    assert_eq!(store.submit(late).await.unwrap().fight, first.fight);
    replica.close().await;
}

async fn a_replay_of_something_else_is_refused(fresh: &Fresh) {
    let store = &fresh.store;
    let alpha = pilot(store, "Alpha").await;
    store.ensure_day(&day_record(today(), "rookies")).await.unwrap();
    let attempt = store.issue_attempt(new_attempt(alpha, today(), "fleet")).await.unwrap().attempt;
    let right = attempted(&attempt, "play", 5, 5);
    let mut seed = right.clone();
    seed.verdict.seed = ongrid_engine::Seed::from_u64(1);
    let mut setup = right.clone();
    setup.verdict.setup_digest = Digest::of(b"another fleet");
    let mut engine = right.clone();
    engine.verdict.engine = "mecha-battle-1";
    for wrong in [seed, setup, engine] {
        assert_eq!(conflict(store.submit(wrong).await), Conflict::AttemptDiffers);
    }
    let unknown = submission(alpha, Play::Attempt(uuid::Uuid::now_v7()), verdict("play", 5, 5));
    assert_eq!(conflict(store.submit(unknown).await), Conflict::UnknownAttempt);
    assert!(store.submit(right).await.unwrap().new);
}

async fn of_many_rejections_at_once_ten_count(fresh: &Fresh) {
    let alpha = pilot(&fresh.store, "Alpha").await;
    fresh.store.ensure_day(&day_record(today(), "rookies")).await.unwrap();
    let id = fresh.store.issue_attempt(new_attempt(alpha, today(), "fleet")).await.unwrap().attempt.id;
    let stores = [fresh.store.clone(), fresh.replica().await];
    let digest = |number: usize| Digest::of(&number.to_be_bytes());
    let rejected = at_once(60, |index| {
        let store = stores[index % 2].clone();
        async move { (index, store.reject(id, alpha, digest(index), "unfinished").await.unwrap()) }
    })
    .await;
    let counted: Vec<_> = rejected.iter().filter(|(_, it)| it.counted).collect();
    assert_eq!(counted.len(), MOST_REJECTED as usize);
    assert!(rejected.iter().all(|(_, it)| it.counted || it.attempt.state == AttemptState::Spent));
    // Those that count still do when they come again, those that came too late still do not.
    for (index, it) in &rejected {
        let again = fresh.store.reject(id, alpha, digest(*index), "unfinished").await.unwrap();
        assert_eq!((again.counted, again.attempt.rejected), (it.counted, MOST_REJECTED));
    }
    stores[1].close().await;
}

async fn the_tenth_rejection_spends_the_attempt(fresh: &Fresh) {
    let store = &fresh.store;
    let (alpha, beta) = (pilot(store, "Alpha").await, pilot(store, "Beta").await);
    store.ensure_day(&day_record(today(), "rookies")).await.unwrap();
    let attempt = store.issue_attempt(new_attempt(alpha, today(), "fleet")).await.unwrap().attempt;
    let replica = fresh.replica().await;
    let stores = [store.clone(), replica.clone()];
    let reject = |store: Store, number: u32| async move {
        store.reject(attempt.id, alpha, Digest::of(&number.to_be_bytes()), "no_target").await.unwrap().attempt
    };
    // Each of nine three times, from two replicas.
    at_once(27, |index| reject(stores[index % 2].clone(), u32::try_from(index).unwrap() % 9)).await;
    let known = store.attempt(attempt.id).await.unwrap().unwrap();
    assert_eq!((known.state, known.rejected_left()), (AttemptState::Open, 1));
    assert_eq!(
        conflict(store.reject(attempt.id, beta, Digest::of(b""), "x").await),
        Conflict::UnknownAttempt
    );
    let last = reject(store.clone(), MOST_REJECTED - 1).await;
    assert_eq!((last.state, last.rejected_left()), (AttemptState::Spent, 0));
    assert_eq!(reject(store.clone(), 99).await.rejected, MOST_REJECTED);
    assert_eq!(conflict(store.submit(attempted(&attempt, "play", 5, 5)).await), Conflict::AttemptSpent);
    assert_eq!(
        store.issue_attempt(new_attempt(alpha, today(), "fleet")).await.unwrap().attempt.kind,
        Kind::Practice
    );
    replica.close().await;
}

async fn a_free_fight_becomes_the_attempts(fresh: &Fresh) {
    let store = &fresh.store;
    let alpha = pilot(store, "Alpha").await;
    store.ensure_day(&day_record(today(), "rookies")).await.unwrap();
    let attempt = store.issue_attempt(new_attempt(alpha, today(), "fleet")).await.unwrap().attempt;
    let sent = attempted(&attempt, "play", 5, 5);
    let tried = store.submit(ongrid_store::Submission { play: free(), ..sent.clone() }).await.unwrap();
    assert_eq!((tried.kind, tried.new, tried.rank), (Kind::Free, true, None));
    let ranked = store.submit(sent.clone()).await.unwrap();
    assert_eq!(
        (ranked.fight, ranked.kind, ranked.new, ranked.rank.map(|it| it.rank)),
        (tried.fight, Kind::Ranked, false, Some(1)),
        "the record was there: it counts from now on"
    );
    let again = store.submit(ongrid_store::Submission { play: free(), ..sent }).await.unwrap();
    assert_eq!((again.fight, again.kind, again.new), (tried.fight, Kind::Ranked, false));
    assert_eq!(store.fight(tried.fight).await.unwrap().unwrap().attempt, Some(attempt.id));
    assert!(store.recount(&Board::Day(today())).await.unwrap().agrees());
}

async fn a_returned_attempt_is_had_again(fresh: &Fresh) {
    let store = &fresh.store;
    let alpha = pilot(store, "Alpha").await;
    store.ensure_day(&day_record(today(), "rookies")).await.unwrap();
    let first = fly(store, alpha, today(), 5, 5).await;
    store.void(first.fight, order("the server was wrong"), true).await.unwrap();
    let second = fly(store, alpha, today(), 3, 5).await;
    assert_eq!((second.kind, second.rank.map(|it| it.of)), (Kind::Ranked, Some(1)));
    store.void(second.fight, order("so it was"), false).await.unwrap();
    assert_eq!(fly(store, alpha, today(), 4, 5).await.kind, Kind::Practice);
    assert!(store.standing(&Board::Day(today()), alpha).await.unwrap().is_none());
}
