//! Players: each submits one fight after another, says everything again until it has an answer, and remembers what it
//! was told.

use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use ongrid::auth::Token;
use ongrid::{clock::Clock, pilots};
use ongrid_store::{Options, Store};
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use uuid::Uuid;

use crate::service::Place;

/// A pilot of the story.
#[derive(Clone)]
pub struct Player {
    pub id: Uuid,
    pub token: Token,
}

/// What a player was told: this fight stands for this replay.
#[derive(Clone, Debug)]
pub struct Told {
    pub pilot: Uuid,
    pub fight: Uuid,
    pub replay_digest: String,
}

/// Registers players, before any service runs.
pub fn register(place: &Place, count: usize) -> Vec<Player> {
    let work = async {
        let store = Store::open(&place.database, &Options::default()).await.unwrap();
        store.migrate().await.unwrap();
        let mut players = Vec::new();
        for number in 0..count {
            let name = format!("Pilot {number}");
            let (id, token) = pilots::add(&store, &name, "test", Clock::default().now()).await.unwrap();
            players.push(Player { id, token });
        }
        store.close().await;
        players
    };
    Runtime::new().unwrap().block_on(work)
}

/// An agent whose requests end, one way or the other, within ten seconds.
pub fn agent() -> ureq::Agent {
    let config = ureq::Agent::config_builder().http_status_as_error(false);
    config.timeout_global(Some(Duration::from_secs(10))).build().into()
}

/// The status (0: no answer) and the body.
pub fn post(agent: &ureq::Agent, url: &str, token: &Token, body: &Value) -> (u16, Value) {
    let request = agent.post(url).header("authorization", format!("Bearer {}", token.reveal()));
    let answer = request.header("content-type", "application/json").send(body.to_string().as_bytes());
    let Ok(mut answer) = answer else { return (0, Value::Null) };
    let mut text = String::new();
    let whole = answer.body_mut().as_reader().read_to_string(&mut text).is_ok();
    match serde_json::from_str(&text) {
        Ok(body) if whole => (answer.status().as_u16(), body),
        _ => (0, Value::Null),
    }
}

/// The status of a GET; 0 without an answer.
pub fn status(url: &str) -> u16 {
    agent().get(url).call().map_or(0, |answer| answer.status().as_u16())
}

/// Waits until the service is ready.
#[track_caller]
pub fn await_ready(url: &str) {
    let end = Instant::now() + Duration::from_secs(60);
    while status(&format!("{url}/readyz")) != 200 {
        assert!(Instant::now() < end, "{url} does not recover by itself");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// A free fight that is over as soon as it begins; every seed is another.
pub fn free_fight(seed: u64) -> Value {
    let golden = include_str!("../../../../examples/victory.json");
    let mut replay: Value = serde_json::from_str(golden).unwrap();
    replay["seed"] = json!(seed.to_string());
    replay["calls"] = json!([{"do": "concede"}]);
    replay.as_object_mut().unwrap().remove("checkpoints");
    replay
}

/// Players at work.
pub struct Load {
    stop: Arc<AtomicBool>,
    told: Arc<AtomicU64>,
    players: Vec<JoinHandle<Vec<Told>>>,
}

impl Load {
    /// Each player has a thread; the services are asked in turn.
    pub fn start(players: &[Player], urls: &[String]) -> Self {
        let (stop, told) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let begin = |(index, player): (usize, &Player)| {
            let play = Play {
                player: player.clone(),
                urls: urls.to_vec(),
                turn: index,
                agent: agent(),
                stop: stop.clone(),
                count: told.clone(),
                told: Vec::new(),
            };
            std::thread::spawn(move || play.on())
        };
        let players = players.iter().enumerate().map(begin).collect();
        Self { stop, told, players }
    }

    /// Waits until so many more verdicts were acknowledged.
    #[track_caller]
    pub fn await_more(&self, more: u64) {
        let (until, end) =
            (self.told.load(Ordering::Relaxed) + more, Instant::now() + Duration::from_secs(60));
        while self.told.load(Ordering::Relaxed) < until {
            assert!(Instant::now() < end, "the service answers no submissions any more");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Ends the players; answers everything that they were told.
    pub fn end(self) -> Vec<Told> {
        self.stop.store(true, Ordering::Relaxed);
        self.players
            .into_iter()
            .flat_map(|it| it.join().expect("a player was told something wrong"))
            .collect()
    }
}

struct Play {
    player: Player,
    urls: Vec<String>,
    turn: usize,
    agent: ureq::Agent,
    stop: Arc<AtomicBool>,
    count: Arc<AtomicU64>,
    told: Vec<Told>,
}

impl Play {
    fn on(mut self) -> Vec<Told> {
        for number in 0.. {
            if self.stop.load(Ordering::Relaxed) {
                break;
            }
            if number % 2 == 0 {
                self.submit("/v1/fights", &free_fight(number));
                continue;
            }
            let Some(attempt) = self.insist("/v1/attempts", &json!({})) else { break };
            let replay = json!({
                "engine": attempt["engine"], "seed": attempt["seed"], "setup": attempt["setup"],
                "calls": [{"do": "concede"}],
            });
            self.submit(&format!("/v1/attempts/{}/replay", attempt["attempt"].as_str().unwrap()), &replay);
        }
        self.told
    }

    fn submit(&mut self, path: &str, replay: &Value) {
        let Some(verdict) = self.insist(path, replay) else { return };
        let fight = verdict["fight"].as_str().unwrap().parse().unwrap();
        let replay_digest = verdict["replay_digest"].as_str().unwrap().to_owned();
        self.told.push(Told { pilot: self.player.id, fight, replay_digest });
        self.count.fetch_add(1, Ordering::Relaxed);
        // Now and then what has its answer is sent once more.
        if self.told.len().is_multiple_of(7)
            && let Some(again) = self.insist(path, replay)
        {
            assert_eq!(again["fight"], verdict["fight"], "the same replay has one record");
        }
    }

    /// Asks until there is an answer; whoever cannot answer says so by 503, 408, 429 or not at all. None where the story
    /// ends meanwhile.
    fn insist(&mut self, path: &str, body: &Value) -> Option<Value> {
        loop {
            self.turn += 1;
            let url = format!("{}{path}", self.urls[self.turn % self.urls.len()]);
            match post(&self.agent, &url, &self.player.token, body) {
                (200 | 201, body) => return Some(body),
                (0 | 503 | 408 | 429, _) => std::thread::sleep(Duration::from_millis(20)),
                (status, body) => panic!("{path}: {status} {body}"),
            }
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
        }
    }
}
