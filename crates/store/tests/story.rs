//! One story, told to both databases: what a store does, it does on either.

mod common;

use common::{Fresh, at_once, conflict, free, name, pilot, submission, today, verdict};
use ongrid_engine::Digest;
use ongrid_store::{Conflict, Error, Kind, Micros, NewToken, Play, Role, Store};
use uuid::Uuid;

on_both!(
    opening,
    pilots_and_tokens,
    a_fight_is_stored_and_read_back,
    the_same_replay_is_one_record,
    fifty_at_once_are_one_record,
    copied_play_is_marked,
    rulesets_never_change,
);

async fn opening(fresh: &Fresh) {
    let store = &fresh.store;
    store.check().await.unwrap();
    assert!(store.is_new().await.unwrap());
    // Replicas that start together.
    let others = at_once(8, |_| {
        let url = fresh.url.clone();
        async move {
            let store = Store::open(&url, &Default::default()).await.unwrap();
            store.migrate().await.unwrap();
            store.ensure_partitions(today(), today().plus(8)).await.unwrap();
            store.close().await;
        }
    });
    others.await;
    pilot(store, "Alpha").await;
    assert!(!store.is_new().await.unwrap());
    assert!(matches!(Store::open("mysql://x", &Default::default()).await, Err(Error::Address(_))));
}

async fn pilots_and_tokens(fresh: &Fresh) {
    let store = &fresh.store;
    let alpha = store.add_pilot(&name("Alpha"), Some("{\"gunnery\":4}"), Micros(0)).await.unwrap();
    assert_eq!(conflict(store.add_pilot(&name("ALPHA"), None, Micros(0)).await), Conflict::NameTaken);
    let found = store.pilot_named("alpha").await.unwrap().unwrap();
    assert_eq!(
        (found.id, found.name.as_deref(), found.skills.as_deref()),
        (alpha, Some("Alpha"), Some("{\"gunnery\":4}"))
    );

    let beta = Uuid::now_v7();
    assert!(store.put_pilot(beta, &name("Beta"), None, Micros(1)).await.unwrap());
    assert!(!store.put_pilot(beta, &name("Bêta"), Some("{}"), Micros(2)).await.unwrap());
    assert_eq!(conflict(store.put_pilot(beta, &name("alpha"), None, Micros(2)).await), Conflict::NameTaken);
    assert_eq!(store.pilot(beta).await.unwrap().unwrap().name.as_deref(), Some("Bêta"));

    let hash = Digest::of(b"secret");
    let token = NewToken { role: Role::Pilot, pilot: Some(alpha), label: "phone", secret_hash: &hash };
    let id = store.issue_token(&token).await.unwrap();
    assert_eq!(conflict(store.issue_token(&token).await), Conflict::TokenTaken);
    let strange = NewToken { pilot: Some(Uuid::now_v7()), secret_hash: &Digest::of(b"x"), ..token };
    assert_eq!(conflict(store.issue_token(&strange).await), Conflict::UnknownPilot);
    let principal = store.principal(&hash).await.unwrap().unwrap();
    assert_eq!((principal.token, principal.role, principal.pilot), (id, Role::Pilot, Some(alpha)));
    assert_eq!(principal.name.as_deref(), Some("Alpha"));
    // Uses are written down a moment later, for many at once.
    while store.token(id).await.unwrap().unwrap().last_used_at.is_none() {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert!(store.principal(&Digest::of(b"another")).await.unwrap().is_none());

    let operator = Digest::of(b"operator");
    let token = NewToken { role: Role::Operator, pilot: None, label: "desk", secret_hash: &operator };
    store.issue_token(&token).await.unwrap();
    assert_eq!(store.principal(&operator).await.unwrap().unwrap().role, Role::Operator);
    assert_eq!(store.tokens(None).await.unwrap().len(), 2);
    assert_eq!(store.tokens(Some(alpha)).await.unwrap().len(), 1);

    store.revoke_token(id).await.unwrap();
    assert!(store.principal(&hash).await.unwrap().is_none());
    assert_eq!(conflict(store.revoke_token(id).await), Conflict::UnknownToken);
}

async fn a_fight_is_stored_and_read_back(fresh: &Fresh) {
    let store = &fresh.store;
    store.ensure_partitions(today(), today().plus(1)).await.unwrap();
    let alpha = pilot(store, "Alpha").await;
    let verdict = verdict("fire", i64::MIN, u32::MAX);
    let sent = submission(alpha, free(), verdict.clone());
    let recorded = store.submit(sent.clone()).await.unwrap();
    assert!(recorded.new && !recorded.void);
    assert_eq!((recorded.kind, recorded.day, recorded.copied_from), (Kind::Free, today(), None));

    let fight = store.fight(recorded.fight).await.unwrap().unwrap();
    assert_eq!((fight.pilot, fight.pilot_name.as_deref(), fight.kind), (alpha, Some("Alpha"), Kind::Free));
    assert_eq!((&*fight.engine, fight.ruleset, &*fight.build), ("ongrid-8", verdict.ruleset, "test"));
    assert_eq!(fight.standing, verdict.standing);
    assert_eq!(fight.replay_digest, verdict.replay_digest);
    assert_eq!((fight.setup_digest, fight.play_digest), (verdict.setup_digest, verdict.play_digest));
    assert_eq!(
        (fight.outcome_digest, fight.snapshot_digest),
        (verdict.outcome_digest, verdict.snapshot_digest)
    );
    assert_eq!((fight.calls, fight.checkpoint, fight.rng_words, fight.desync), (1, u64::MAX - 1, 12, None));
    assert_eq!(
        (fight.submitted_at, fight.verified_at, fight.verify_time),
        (sent.submitted_at, sent.verified_at, sent.verify_time)
    );
    assert_eq!((fight.issued_at, fight.elapsed(), fight.void), (None, None, None));

    let documents = store.documents(recorded.fight).await.unwrap().unwrap();
    assert_eq!(
        (documents.replay, documents.outcome, documents.snapshot),
        (verdict.replay.into(), verdict.outcome.into(), verdict.snapshot.map(Into::into))
    );
    assert_eq!(store.received(recorded.fight).await.unwrap().unwrap(), sent.received);
    assert!(store.fight(Uuid::now_v7()).await.unwrap().is_none());
    assert!(store.fight(Uuid::from_u128(7)).await.unwrap().is_none());
    assert!(store.documents(Uuid::nil()).await.unwrap().is_none());

    let stranger = submission(Uuid::now_v7(), free(), common::verdict("hold", 1, 1));
    assert_eq!(conflict(store.submit(stranger).await), Conflict::UnknownPilot);
}

async fn the_same_replay_is_one_record(fresh: &Fresh) {
    let store = &fresh.store;
    let (alpha, beta) = (pilot(store, "Alpha").await, pilot(store, "Beta").await);
    let send = |pilot, day, play| {
        store.submit(submission(pilot, Play::Free { day, scenario: false }, verdict(play, 5, 5)))
    };
    let first = send(alpha, today(), "fire").await.unwrap();
    let again = send(alpha, today(), "fire").await.unwrap();
    assert!(first.new && !again.new);
    assert_eq!((first.fight, first.verified_at), (again.fight, again.verified_at));
    for (pilot, day, play) in
        [(beta, today(), "fire"), (alpha, today().plus(-1), "fire"), (alpha, today(), "hold")]
    {
        let other = send(pilot, day, play).await.unwrap();
        assert!(other.new && other.fight != first.fight);
    }
}

async fn fifty_at_once_are_one_record(fresh: &Fresh) {
    let alpha = pilot(&fresh.store, "Alpha").await;
    let replica = fresh.replica().await;
    let stores = [fresh.store.clone(), replica.clone()];
    let all = at_once(50, |index| {
        let store = stores[index % 2].clone();
        async move { store.submit(submission(alpha, free(), verdict("fire", 5, 5))).await.unwrap() }
    })
    .await;
    assert_eq!(all.iter().filter(|it| it.new).count(), 1);
    assert!(all.iter().all(|it| it.fight == all[0].fight && it.verified_at == all[0].verified_at));
    replica.close().await;
}

async fn copied_play_is_marked(fresh: &Fresh) {
    let store = &fresh.store;
    let (alpha, beta) = (pilot(store, "Alpha").await, pilot(store, "Beta").await);
    let send = |pilot, day, play| {
        store.submit(submission(pilot, Play::Free { day, scenario: false }, verdict(play, 5, 5)))
    };
    let first = send(alpha, today(), "fire").await.unwrap();
    let own = send(alpha, today().plus(1), "fire").await.unwrap();
    let copy = send(beta, today(), "fire").await.unwrap();
    assert_eq!((first.copied_from, own.copied_from, copy.copied_from), (None, None, Some(first.fight)));
    assert_eq!(store.fight(copy.fight).await.unwrap().unwrap().copied_from, Some(first.fight));
    assert_eq!(send(beta, today(), "fire").await.unwrap().copied_from, Some(first.fight));
}

async fn rulesets_never_change(fresh: &Fresh) {
    let store = &fresh.store;
    let digest = Digest::of(b"figures");
    store.register_ruleset("ongrid-8", digest, "one").await.unwrap();
    store.register_ruleset("ongrid-8", digest, "two").await.unwrap();
    store.register_ruleset("mecha-battle-1", Digest::of(b"other"), "two").await.unwrap();
    let changed = store.register_ruleset("ongrid-8", Digest::of(b"figures!"), "three").await;
    assert!(matches!(changed, Err(Error::RulesetChanged { known, .. }) if known == digest));
}
