//! What must hold after every story.

use std::collections::HashMap;

use ongrid_engine::Digest;
use ongrid_store::{AttemptState, Board, Day, Fight, Micros, Options, Store};
use tokio::runtime::Runtime;
use uuid::Uuid;

use crate::load::{Player, Told};

/// Holds what players were told against the records, each record against itself, and the boards against a recount.
/// Answers how many fights there are.
#[track_caller]
pub fn audit(database: &str, players: &[Player], told: &[Told]) -> usize {
    assert!(!told.is_empty(), "nobody was told anything");
    Runtime::new().unwrap().block_on(async {
        let store = Store::open(database, &Options::default()).await.unwrap();
        let mut ids: HashMap<Uuid, Fight> = HashMap::new();
        for player in players {
            let fights = fights_of(&store, player.id).await;
            let mut digests: Vec<_> = fights.iter().map(|it| (it.replay_digest.hex(), it.day)).collect();
            digests.sort_unstable();
            digests.dedup();
            assert_eq!(digests.len(), fights.len(), "a replay has two records");
            for fight in fights {
                whole(&store, &fight).await;
                ids.insert(fight.id, fight);
            }
        }
        for it in told {
            let fight =
                ids.get(&it.fight).unwrap_or_else(|| panic!("{it:?} was acknowledged and is not there"));
            assert_eq!((fight.pilot, fight.replay_digest.hex()), (it.pilot, it.replay_digest.clone()));
        }
        attempts_agree(&store, players, &ids).await;
        boards_agree(&store, &ids).await;
        store.close().await;
        ids.len()
    })
}

async fn fights_of(store: &Store, pilot: Uuid) -> Vec<Fight> {
    let (mut fights, mut after) = (Vec::new(), None);
    loop {
        let page = store.fights_of(pilot, Day::of(Micros::now()), 1000, after).await.unwrap();
        fights.extend(page.fights);
        after = page.next;
        if after.is_none() {
            return fights;
        }
    }
}

/// A record has all its documents, and they are those that its digests say.
async fn whole(store: &Store, fight: &Fight) {
    let documents = store.documents(fight.id).await.unwrap().expect("a fight has its documents");
    assert_eq!(Digest::of(&documents.replay), fight.replay_digest);
    assert_eq!(Digest::of(&documents.outcome), fight.outcome_digest);
    assert_eq!(documents.snapshot.as_deref().map(Digest::of), fight.snapshot_digest);
    assert!(store.received(fight.id).await.unwrap().is_some_and(|it| !it.is_empty()));
}

/// An attempt is spent exactly where its fight is stored.
async fn attempts_agree(store: &Store, players: &[Player], fights: &HashMap<Uuid, Fight>) {
    let today = Day::of(Micros::now());
    for player in players {
        for attempt in store.attempts(player.id, today).await.unwrap() {
            let fight =
                attempt.fight.map(|id| fights.get(&id).expect("the fight of a spent attempt is there"));
            assert_eq!(attempt.state == AttemptState::Spent, fight.is_some(), "{attempt:?}");
            assert!(fight.is_none_or(|fight| fight.attempt == Some(attempt.id)));
        }
    }
}

async fn boards_agree(store: &Store, fights: &HashMap<Uuid, Fight>) {
    let mut boards: Vec<Board> = Vec::new();
    for day in fights.values().filter(|it| it.attempt.is_some()).map(|it| it.day) {
        for board in [Board::Day(day), Board::Season(day.month())] {
            if !boards.contains(&board) {
                boards.push(board);
            }
        }
    }
    assert!(!boards.is_empty());
    for board in &boards {
        let recount = store.recount(board).await.unwrap();
        assert!(recount.agrees() && recount.entries > 0, "{board:?}: {recount:?}");
    }
}
