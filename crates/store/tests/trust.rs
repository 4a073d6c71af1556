//! The log of receipts and the parts of a re-verification, on both databases.

mod common;

use common::{Fresh, conflict, free, instant, order, pilot, submission, today, verdict};
use ongrid_engine::Digest;
use ongrid_store::{Checkpoint, Conflict, Growth, LogHead, Micros, Play, Recorded, Scope, Store};
use uuid::Uuid;

on_both!(
    one_leads_and_the_log_only_grows,
    what_is_not_logged_is_found,
    parts_are_taken_once_and_again_when_left,
    what_is_archived_comes_back_with_its_trail,
);

async fn fly(store: &Store, pilot: Uuid, play: &str) -> Recorded {
    store.submit(submission(pilot, free(), verdict(play, 1, 1))).await.unwrap()
}

fn growth(before: LogHead, subjects: &[Uuid]) -> Growth {
    let leaves: Vec<_> = subjects.iter().map(|subject| (Digest::of(subject.as_bytes()), *subject)).collect();
    let hashes = leaves.iter().flat_map(|(leaf, _)| leaf.0).collect();
    let checkpoint = Checkpoint {
        day: today(),
        size: before.size + leaves.len() as u64,
        root: Digest::of(b"root"),
        at: Micros(7),
        note: "note".into(),
    };
    let complete = (*subjects.last().unwrap(), before.acts);
    Growth { before, leaves, tiles: vec![(0, 0, hashes)], checkpoint, complete, unqueued: vec![] }
}

async fn one_leads_and_the_log_only_grows(fresh: &Fresh) {
    let store = &fresh.store;
    let (a, b) = (Uuid::now_v7(), Uuid::now_v7());
    let head = store.lead_log(a, Micros(100), Micros(200)).await.unwrap().unwrap();
    assert_eq!(head, LogHead { size: 0, fights: Uuid::nil(), acts: Uuid::nil() });
    assert!(store.lead_log(b, Micros(150), Micros(250)).await.unwrap().is_none());
    assert!(store.lead_log(a, Micros(150), Micros(300)).await.unwrap().is_some());
    let subjects = [Uuid::now_v7(), Uuid::now_v7()];
    store.grow_log(a, growth(head, &subjects)).await.unwrap();
    assert_eq!(
        conflict(store.grow_log(a, growth(head, &subjects)).await),
        Conflict::NotLeading,
        "grown since"
    );
    let head = store.lead_log(b, Micros(301), Micros(400)).await.unwrap().unwrap();
    assert_eq!((head.size, head.fights), (2, subjects[1]));
    assert_eq!(conflict(store.grow_log(a, growth(head, &[a])).await), Conflict::NotLeading, "another leads");
    store.grow_log(b, growth(head, &[a])).await.unwrap();
    assert_eq!(store.log_head().await.unwrap().size, 3);
    let leaf = store.leaf_of(subjects[1]).await.unwrap().unwrap();
    assert_eq!((leaf.position, leaf.hash), (1, Digest::of(subjects[1].as_bytes())));
    assert_eq!(store.leaves(1, 10).await.unwrap().len(), 2);
    assert_eq!(store.log_tile(0, 0).await.unwrap().unwrap().len(), 32);
    assert_eq!(store.checkpoint(today().plus(3)).await.unwrap().unwrap().size, 3);
    assert!(store.checkpoint(today().plus(-1)).await.unwrap().is_none());
    store.leave_log(b).await.unwrap();
    assert!(store.lead_log(a, Micros(302), Micros(400)).await.unwrap().is_some());
}

async fn what_is_not_logged_is_found(fresh: &Fresh) {
    let store = &fresh.store;
    let alpha = pilot(store, "Alpha").await;
    let mut flown = Vec::new();
    for play in ["a", "b", "c"] {
        flown.push(fly(store, alpha, play).await.fight);
    }
    // Ids of one millisecond are in no order.
    flown.sort();
    let all = store.unlogged_fights(Uuid::nil(), Uuid::max(), 10).await.unwrap();
    assert!(all.is_empty(), "an id of no time is near no day");
    let last = Uuid::from_u128(flown[2].as_u128() + 1);
    let all = store.unlogged_fights(Uuid::nil(), last, 10).await.unwrap();
    assert_eq!(all.iter().map(|it| it.fight).collect::<Vec<_>>(), flown);
    let stored = store.fight(flown[0]).await.unwrap().unwrap();
    assert_eq!(all[0], (&stored).into());
    let head = store.lead_log(alpha, Micros(1), Micros(2)).await.unwrap().unwrap();
    store.grow_log(alpha, growth(head, &flown[1..2])).await.unwrap();
    let rest = store.unlogged_fights(Uuid::nil(), last, 10).await.unwrap();
    assert_eq!(rest.iter().map(|it| it.fight).collect::<Vec<_>>(), [flown[0], flown[2]]);
    store.void(flown[0], order("why"), false).await.unwrap();
    let acts = store.unlogged_acts(Uuid::nil(), Uuid::max(), 10).await.unwrap();
    assert_eq!((acts.len(), &*acts[0].action, acts[0].fight), (1, "void", Some(flown[0])));
    assert_eq!(store.audit_row(acts[0].id).await.unwrap().as_ref(), Some(&acts[0]));

    // A free fight that turns out to be an attempt's has another receipt.
    store.ensure_day(&common::day_record(today(), "rookies")).await.unwrap();
    let issued = store.issue_attempt(common::new_attempt(alpha, today(), "fleet")).await.unwrap().attempt;
    let attempted = common::attempted(&issued, "d", 1, 1);
    let mut before = attempted.clone();
    before.play = Play::Free { day: today(), scenario: false };
    before.submitted_at = instant(today());
    let free = store.submit(before).await.unwrap();
    assert!(store.queued_fights(10).await.unwrap().is_empty());
    assert_eq!(store.submit(attempted).await.unwrap().fight, free.fight);
    let queued = store.queued_fights(10).await.unwrap();
    assert_eq!((queued.len(), queued[0].fight, queued[0].kind.as_str()), (1, free.fight, "ranked"));
}

async fn parts_are_taken_once_and_again_when_left(fresh: &Fresh) {
    let store = &fresh.store;
    let alpha = pilot(store, "Alpha").await;
    let mut fights = [fly(store, alpha, "a").await.fight, fly(store, alpha, "b").await.fight];
    fights.sort();
    let run = store
        .begin_reverify("build", "all", Scope::Days(today().plus(-1), today()), Micros(1))
        .await
        .unwrap();
    let (one, two) = (Uuid::now_v7(), Uuid::now_v7());
    let part = store.claim_part(run, one, Micros(10), Micros(20)).await.unwrap().unwrap();
    assert_eq!((part.day, part.fights, part.last), (today(), 2, fights[1]));
    assert!(store.claim_part(run, two, Micros(15), Micros(25)).await.unwrap().is_none());
    assert_eq!(store.claim_part(run, two, Micros(21), Micros(30)).await.unwrap(), Some(part), "left");
    assert!(!store.finish_part(run, one, part, 2, vec![], Micros(22)).await.unwrap(), "too late");
    assert!(!store.keep_part(run, one, part, Micros(40)).await.unwrap(), "not one's own any more");
    assert!(store.keep_part(run, two, part, Micros(40)).await.unwrap());
    assert!(store.claim_part(run, one, Micros(39), Micros(50)).await.unwrap().is_none(), "kept");
    assert!(store.keep_part(run, two, part, Micros(0)).await.unwrap());
    assert_eq!(store.claim_part(run, one, Micros(23), Micros(50)).await.unwrap(), Some(part), "given back");
    assert!(store.finish_part(run, one, part, 2, vec![], Micros(23)).await.unwrap());
    assert!(!store.keep_part(run, one, part, Micros(60)).await.unwrap(), "done is done");
    let progress = store.reverify_progress(run).await.unwrap();
    assert_eq!((progress.fights, progress.parts_left, progress.same), (2, 0, 2));
    let page = store.archived(&part, part.after, 1, true).await.unwrap();
    assert_eq!(page[0].id, fights[0]);
    assert_eq!(store.archived(&part, page[0].id, 10, false).await.unwrap().len(), 1);
    let one = store.begin_reverify("build", "one", Scope::Fight(fights[1]), Micros(2)).await.unwrap();
    let part = store.claim_part(one, two, Micros(10), Micros(20)).await.unwrap().unwrap();
    assert_eq!(store.archived(&part, part.after, 9, false).await.unwrap().len(), 1);
    assert_eq!(store.last_reverify().await.unwrap(), Some(one));
}

async fn what_is_archived_comes_back_with_its_trail(fresh: &Fresh) {
    let store = &fresh.store;
    let alpha = pilot(store, "Alpha").await;
    let mut judged = verdict("a", 1, 1);
    judged.trail = vec![1, 2, 3, 4];
    let fight = store.submit(submission(alpha, free(), judged)).await.unwrap().fight;
    assert_eq!(store.documents(fight).await.unwrap().unwrap().trail[..], [1, 2, 3, 4]);
}
