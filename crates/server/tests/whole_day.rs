//! A whole day of 200 pilots, from the commitment to the secret's reveal, as a game's server, its pilots and an operator
//! live through it; on both stores. After each step the boards are held against the records and against a list that is
//! kept and sorted here.
//!
//! `cargo test -p ongrid --test whole_day` plays it alone.

mod common;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use common::{Answer, TestApp, wingman};
use hmac::{Hmac, KeyInit, Mac};
use ongrid_engine_ongrid::OnGrid;
use ongrid_store::{Board, Day, Micros, Month, Role};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use uuid::Uuid;

const MINUTE: i64 = 60_000_000;
const HOUR: i64 = 60 * MINUTE;
const PILOTS: usize = 200;

#[test]
fn on_sqlite() {
    play(&TestApp::sqlite(&[]));
}

#[test]
fn on_postgres() {
    play(&TestApp::postgres(&[]));
}

fn play(app: &TestApp) {
    let mut story = Story::begin(app);
    story.registration();
    story.fights(0..120);
    story.pages_while_rows_come(120..140);
    story.fights(140..160);
    story.everybody_names_the_same_rank();
    story.void_and_restore();
    story.ban_and_unban();
    story.practice();
    story.copies_are_listed();
    story.sealed();
    story.reset(160..PILOTS);
    story.reveal();
    story.the_day_after();
}

/// A pilot of the game.
struct Pilot {
    id: Uuid,
    token: String,
}

/// A ranked run that was verified.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Run {
    pilot: Uuid,
    fight: String,
    score: i64,
    rounds: i64,
    verified_at: String,
}

impl Run {
    /// The one order, written down once more.
    fn place(&self) -> (Reverse<i64>, i64, &str, &str) {
        (Reverse(self.score), self.rounds, &self.verified_at, &self.fight)
    }
}

struct Story<'a> {
    app: &'a TestApp,
    engine: OnGrid,
    backend: String,
    operator: String,
    /// The day as it was shown at its beginning.
    day: Value,
    opens: i64,
    commitments: BTreeMap<String, Value>,
    pilots: Vec<Pilot>,
    /// Runs that stand on the day's board.
    runs: Vec<Run>,
    /// Every attempt that was issued, with its pilot.
    attempts: Vec<(Uuid, Value)>,
    /// Who played a fleet and calls first, and in which fight.
    plays: BTreeMap<String, (Uuid, String)>,
    /// Fights that copy another pilot's, with the one they copy.
    copies: BTreeMap<String, String>,
}

impl<'a> Story<'a> {
    /// The commitments of today and the seven days to come are out; the secrets are not.
    fn begin(app: &'a TestApp) -> Self {
        let day = app.get("/v1/days/current").is(200);
        let opens = instant(&day["opens_at"]);
        app.app.clock.set(Micros(opens + HOUR));
        let first: Day = text(&day["day"]).parse().unwrap();
        let mut commitments = BTreeMap::new();
        for ahead in 0..=7 {
            let name = first.plus(ahead).to_string();
            let shown = app.get(&format!("/v1/days/{name}")).is(200);
            assert!(shown.get("secret").is_none(), "{shown}");
            commitments.insert(name, shown["commitment"].clone());
        }
        app.get(&format!("/v1/days/{}", first.plus(8))).is_problem(404, "not_found");
        let (backend, operator) = (app.token(Role::Backend), app.token(Role::Operator));
        Self {
            app,
            engine: OnGrid::new().unwrap(),
            backend,
            operator,
            day,
            opens,
            commitments,
            pilots: Vec::new(),
            runs: Vec::new(),
            attempts: Vec::new(),
            plays: BTreeMap::new(),
            copies: BTreeMap::new(),
        }
    }

    /// The game's server registers its pilots, every fifth with skills, and hands out their tokens.
    fn registration(&mut self) {
        for number in 0..PILOTS {
            let (id, path) = pilot_path();
            let mut body = json!({"name": format!("Pilot {number}")});
            if number % 5 == 2 {
                body["skills"] = json!({"gunnery": 5, "missiles": 4});
            }
            assert_eq!(self.order("PUT", &path, &self.backend, &body).status, 201);
            let token = self.order("POST", &format!("{path}/tokens"), &self.backend, &json!({})).is(201);
            self.pilots.push(Pilot { id, token: text(&token["token"]).to_owned() });
        }
        let taken = json!({"name": "PILOT 7"});
        self.order("PUT", &pilot_path().1, &self.backend, &taken).is_problem(409, "name_taken");
        let renamed = json!({"name": "Pilot Six"});
        let path = format!("/v1/pilots/{}", self.pilots[6].id);
        assert_eq!(self.order("PUT", &path, &self.backend, &renamed).status, 204);
        self.order("PUT", &path, &self.pilots[6].token, &renamed).is_problem(403, "forbidden");
    }

    /// Pilots take attempts and fly them; some replays are refused first, some are sent again.
    fn fights(&mut self, numbers: Range<usize>) {
        for number in numbers {
            let attempt = self.issue(number);
            self.fly(number, &attempt);
        }
        self.boards_are_right();
    }

    /// A pilot's next attempt: the standard issue, a fleet of its own, or skills as registered, by number.
    fn issue(&mut self, number: usize) -> Value {
        let pilot = &self.pilots[number];
        let token = &pilot.token;
        let setup = match number % 5 {
            1 => self.small_fleet(),
            2 => json!({"setup": {"skills": {"gunnery": 5, "missiles": 4, "motion-prediction": 3, "tank": 3,
                "navigation": 2, "electronics": 0}}}),
            _ => json!({}),
        };
        let attempt = self.order("POST", "/v1/attempts", token, &setup).is(201);
        let again = self.order("POST", "/v1/attempts", token, &setup).is(200);
        assert_eq!((&again["attempt"], &again["seed"]), (&attempt["attempt"], &attempt["seed"]));
        if number % 5 == 2 {
            assert_eq!(attempt["setup"]["skills"]["gunnery"], 5);
            let above = json!({"setup": {"skills": {"gunnery": 5, "missiles": 5, "motion-prediction": 3, "tank": 3,
                "navigation": 3, "electronics": 3}}});
            let no = self.order("POST", "/v1/attempts", token, &above);
            assert_eq!(no.is_problem(422, "skills_not_registered")["path"], "/setup/skills/missiles");
        }
        self.attempts.push((pilot.id, attempt.clone()));
        attempt
    }

    /// The standard issue of the day without its last ship.
    fn small_fleet(&self) -> Value {
        let known = self.attempts.iter().map(|(_, attempt)| &attempt["setup"]["fleet"]);
        let mut fleet = known.max_by_key(|fleet| fleet.as_array().map(Vec::len)).cloned().unwrap();
        fleet.as_array_mut().unwrap().pop();
        json!({"setup": {"fleet": fleet}})
    }

    /// Every fourth gives up at once, so that there are ties; the others fight to the end.
    fn replay(&self, number: usize, attempt: &Value) -> Value {
        let calls = match number % 4 {
            3 => json!([{"do": "concede"}]),
            _ => json!(wingman::fly(&self.engine, &attempt["setup"], text(&attempt["seed"]), number % 3)),
        };
        json!({"engine": attempt["engine"], "seed": attempt["seed"], "setup": attempt["setup"], "calls": calls})
    }

    fn submit(&self, number: usize, attempt: &Value, replay: &Value) -> Answer {
        let path = format!("/v1/attempts/{}/replay", text(&attempt["attempt"]));
        self.app.post(&path, &self.pilots[number].token, replay.to_string().as_bytes())
    }

    /// Flies an attempt and keeps what must be on the board; answers the fight.
    fn fly(&mut self, number: usize, attempt: &Value) -> String {
        let replay = self.replay(number, attempt);
        if number.is_multiple_of(8) {
            self.refusals(number, attempt, &replay);
        }
        let verdict = match number % 6 {
            5 => self.at_once(number, attempt, &replay),
            _ => self.submit(number, attempt, &replay).is(201),
        };
        let again = self.submit(number, attempt, &replay).is(200);
        for same in ["fight", "rank", "outcome_digest", "replay_digest"] {
            assert_eq!(again[same], verdict[same], "{same}");
        }
        if number % 7 == 1 && number % 4 != 3 {
            let mut other = replay.clone();
            other["calls"] = json!([{"do": "concede"}]);
            self.submit(number, attempt, &other).is_problem(409, "attempt_spent");
        }
        let fight = text(&verdict["fight"]).to_owned();
        self.remember_play(self.pilots[number].id, &fight, &replay);
        if verdict["kind"] == "ranked" {
            let brief = self.app.get(&format!("/v1/fights/{fight}")).is(200);
            let run = Run {
                pilot: self.pilots[number].id,
                fight: fight.clone(),
                score: verdict["standing"]["score"].as_i64().unwrap(),
                rounds: verdict["standing"]["rounds"].as_i64().unwrap(),
                verified_at: text(&brief["verified_at"]).to_owned(),
            };
            if brief["day"] == self.day["day"] {
                self.runs.push(run);
                self.runs.sort_by(|one, other| one.place().cmp(&other.place()));
                assert_eq!(verdict["rank"], self.rank_of(&fight), "the first answer has the rank");
            }
        } else {
            assert!(verdict.get("rank").is_none(), "practice has no rank");
        }
        fight
    }

    /// Replays that are refused leave the attempt open; the same one again counts once.
    fn refusals(&self, number: usize, attempt: &Value, replay: &Value) {
        let mut refused = 0;
        let calls = replay["calls"].as_array().unwrap();
        let mut wrong = replay.clone();
        wrong["calls"] = json!([{"ship": 60, "do": "hold"}]);
        self.submit(number, attempt, &wrong).is_problem(422, "wrong_ship");
        self.submit(number, attempt, &wrong).is_problem(422, "wrong_ship");
        refused += 1;
        if calls.len() > 1 {
            wrong["calls"] = json!(calls[..calls.len() - 1]);
            self.submit(number, attempt, &wrong).is_problem(422, "unfinished");
            refused += 1;
        }
        let mut wrong = replay.clone();
        wrong["seed"] = json!("7");
        wrong["calls"] = json!([{"do": "concede"}]);
        self.submit(number, attempt, &wrong).is_problem(409, "setup_differs");
        refused += 1;
        let path = format!("/v1/attempts/{}", text(&attempt["attempt"]));
        let now = self.app.get_as(&path, &self.pilots[number].token).is(200);
        assert_eq!((&now["state"], &now["rejected_left"]), (&json!("open"), &json!(10 - refused)));
    }

    /// The same replay four times at once: one record, one 201.
    fn at_once(&self, number: usize, attempt: &Value, replay: &Value) -> Value {
        let answers: Vec<Answer> = std::thread::scope(|scope| {
            let send = || self.submit(number, attempt, replay);
            let all: Vec<_> = (0..4).map(|_| scope.spawn(send)).collect();
            all.into_iter().map(|one| one.join().unwrap()).collect()
        });
        let mut statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 200, 200, 201]);
        let bodies: Vec<Value> = answers.iter().map(Answer::json).collect();
        assert!(bodies.iter().all(|body| body["fight"] == bodies[0]["fight"]));
        bodies[0].clone()
    }

    fn remember_play(&mut self, pilot: Uuid, fight: &str, replay: &Value) {
        let play = format!("{}{}", replay["setup"]["fleet"], replay["calls"]);
        let (first, original) = self.plays.entry(play).or_insert_with(|| (pilot, fight.to_owned()));
        if *first != pilot {
            self.copies.insert(fight.to_owned(), original.clone());
        }
    }

    fn rank_of(&self, fight: &str) -> Value {
        let place = self.runs.iter().position(|run| run.fight == fight).unwrap();
        let (rank, of) = (place + 1, self.runs.len());
        let percentile = (1000.0 * (of - rank + 1) as f64 / of as f64).round() / 10.0;
        json!({"rank": rank, "of": of, "percentile": percentile})
    }

    fn board_path(&self) -> String {
        format!("/v1/boards/days/{}", text(&self.day["day"]))
    }

    /// All rows of a board, page by page; what is ahead by what is checked within each page.
    fn rows(&self, path: &str, limit: usize) -> Vec<Value> {
        let (mut rows, mut after) = (Vec::new(), String::new());
        loop {
            let page = self.app.get(&format!("{path}?limit={limit}{after}")).is(200);
            let items = page["items"].as_array().unwrap();
            for pair in items.windows(2) {
                let differs = |key: &str| pair[0][key] != pair[1][key];
                let by = match () {
                    () if differs("score") => "score",
                    () if differs("rounds") => "rounds",
                    () if differs("verified_at") => "time",
                    () => "id",
                };
                assert_eq!(pair[0]["ahead_by"], by);
            }
            rows.extend(items.iter().cloned());
            match page["next"].as_str() {
                Some(next) => after = format!("&after={next}"),
                None => {
                    assert_eq!(page["total"], rows.len());
                    return rows;
                }
            }
        }
    }

    fn recounts_agree(&self, day: Day) {
        let doctrine = text(&self.day["doctrine"]["id"]).to_owned();
        let doctrine = Board::Doctrine { engine: "ongrid-8".to_owned(), doctrine };
        let month: Month = day.month();
        for board in [Board::Day(day), Board::Season(month), doctrine] {
            let recount = self.app.runtime.block_on(self.app.app.store.recount(&board)).unwrap();
            assert!(recount.agrees(), "{board:?}: {recount:?}");
        }
    }

    /// The day's board is the sorted list, and what the records say.
    fn boards_are_right(&self) {
        let rows = self.rows(&self.board_path(), 37);
        let found: Vec<Run> = rows.iter().map(run).collect();
        assert_eq!(found, self.runs);
        for (index, row) in rows.iter().enumerate() {
            assert_eq!(row["rank"], index + 1);
            assert!(row["elapsed_ms"].is_u64(), "{row}");
        }
        self.recounts_agree(text(&self.day["day"]).parse().unwrap());
    }

    /// A reader turns pages while pilots submit: no row twice, none of those that were there skipped.
    fn pages_while_rows_come(&mut self, numbers: Range<usize>) {
        let before: BTreeSet<String> = self.runs.iter().map(|run| run.fight.clone()).collect();
        let (mut seen, mut after) = (Vec::new(), String::new());
        let mut coming = numbers.clone();
        loop {
            let page = self.app.get(&format!("{}?limit=7{after}", self.board_path())).is(200);
            seen.extend(page["items"].as_array().unwrap().iter().map(|row| text(&row["fight"]).to_owned()));
            if let Some(number) = coming.next() {
                let attempt = self.issue(number);
                self.fly(number, &attempt);
            }
            match page["next"].as_str() {
                Some(next) => after = format!("&after={next}"),
                None => break,
            }
        }
        let once: BTreeSet<String> = seen.iter().cloned().collect();
        assert_eq!(once.len(), seen.len(), "a row twice");
        assert!(before.is_subset(&once), "a row skipped");
        assert!(coming.start > numbers.start + 10, "pages came to an end too early");
        self.fights(coming);
    }

    /// Submit, top, around, pilot page and report say the same rank; there are ties, and time decides them.
    fn everybody_names_the_same_rank(&self) {
        let tied = self
            .runs
            .windows(2)
            .filter(|pair| (pair[0].score, pair[0].rounds) == (pair[1].score, pair[1].rounds));
        assert!(tied.count() >= 10, "hardly a tie");
        for (index, run) in self.runs.iter().enumerate().step_by(9) {
            let (rank, path) = (self.rank_of(&run.fight), self.board_path());
            let around = self.app.get(&format!("{path}?around={}&limit=6", run.pilot)).is(200);
            let fights: Vec<&str> =
                around["items"].as_array().unwrap().iter().map(|row| text(&row["fight"])).collect();
            let expected = &self.runs[index.saturating_sub(3)..(index + 4).min(self.runs.len())];
            assert_eq!(fights, expected.iter().map(|run| &*run.fight).collect::<Vec<_>>());
            let own = around["items"].as_array().unwrap().iter().find(|row| row["fight"] == run.fight);
            assert_eq!(own.unwrap()["rank"], rank["rank"]);
            let pilot = self.app.get(&format!("/v1/pilots/{}", run.pilot)).is(200);
            assert_eq!(pilot["ranks"]["day"], rank);
            let report = self.app.get(&format!("/v1/fights/{}/report", run.fight)).is(200);
            assert_eq!(report["rank"], rank);
        }
    }

    fn void_and_restore(&mut self) {
        let before = self.runs.clone();
        let number = 150;
        let gone = self.runs.iter().position(|run| run.pilot == self.pilots[number].id).unwrap();
        let gone = self.runs.remove(gone);
        let act = |what: &str| format!("/v1/fights/{}/{what}", gone.fight);
        let reason = json!({"reason": "looks bought"});
        self.order("POST", &act("void"), &self.backend, &reason).is_problem(403, "forbidden");
        self.order("POST", &act("void"), &self.operator, &json!({"reason": " "})).is_problem(422, "reason");
        assert_eq!(self.order("POST", &act("void"), &self.operator, &reason).status, 204);
        self.order("POST", &act("void"), &self.operator, &reason).is_problem(409, "same_state");
        self.boards_are_right();
        let report = self.app.get(&act("report")).is(200);
        assert_eq!((&report["state"], &report["void"]["reason"]), (&json!("void"), &json!("looks bought")));
        assert!(report.get("rank").is_none());
        let next = self.order("POST", "/v1/attempts", &self.pilots[number].token, &json!({})).is(201);
        assert_eq!(next["kind"], "practice", "a void gives no attempt back unless the operator says so");
        self.attempts.push((gone.pilot, next));
        self.runs = before;
        assert_eq!(
            self.order("POST", &act("restore"), &self.operator, &json!({"reason": "it was not"})).status,
            204
        );
        self.boards_are_right();
        self.audit_says(&["restore", "void"]);
    }

    fn ban_and_unban(&mut self) {
        let before = self.runs.clone();
        let gone = self.runs.remove(before.len() / 2);
        let act = |what: &str| format!("/v1/pilots/{}/{what}", gone.pilot);
        let token = &self.pilots.iter().find(|pilot| pilot.id == gone.pilot).unwrap().token;
        assert_eq!(self.order("POST", &act("ban"), &self.operator, &json!({"reason": "a bot"})).status, 204);
        self.boards_are_right();
        self.order("POST", "/v1/attempts", token, &json!({})).is_problem(403, "banned");
        let pilot = self.app.get(&format!("/v1/pilots/{}", gone.pilot)).is(200);
        assert_eq!((&pilot["state"], &pilot["ranks"]), (&json!("banned"), &json!({})));
        self.runs = before;
        assert_eq!(
            self.order("POST", &act("unban"), &self.operator, &json!({"reason": "no bot"})).status,
            204
        );
        self.boards_are_right();
        self.audit_says(&["unban", "ban", "restore", "void"]);
    }

    fn audit_says(&self, acts: &[&str]) {
        let audit = self.app.get_as("/v1/audit", &self.operator).is(200);
        let items = audit["items"].as_array().unwrap();
        assert_eq!(items.iter().map(|act| text(&act["action"])).collect::<Vec<_>>(), acts);
        assert!(items.iter().all(|act| act["actor"].is_string() && act["at"].is_string()));
        self.app.get_as("/v1/audit", &self.backend).is_problem(403, "forbidden");
    }

    /// Second attempts never touch the board.
    fn practice(&mut self) {
        for number in [0, 1, 2, 3] {
            let attempt = self.issue(number);
            assert_eq!((&attempt["kind"], &attempt["number"]), (&json!("practice"), &json!(2)));
            self.fly(number, &attempt);
        }
        self.boards_are_right();
    }

    fn copies_are_listed(&self) {
        let listed = self.app.get_as("/v1/copies?limit=200", &self.operator).is(200);
        let items = listed["items"].as_array().unwrap().iter();
        let listed: BTreeMap<_, _> = items
            .map(|fight| (text(&fight["fight"]).to_owned(), text(&fight["copied_from"]).to_owned()))
            .collect();
        assert!(listed.len() >= 10);
        assert_eq!(listed, self.copies);
        self.app.get_as("/v1/copies", &self.pilots[0].token).is_problem(403, "forbidden");
    }

    /// While the day is open its fights are their pilots' and operators' own.
    fn sealed(&self) {
        let run = &self.runs[0];
        let path = |part: &str| format!("/v1/fights/{}/{part}", run.fight);
        let own = &self.pilots.iter().find(|pilot| pilot.id == run.pilot).unwrap().token;
        let other = &self.pilots.iter().find(|pilot| pilot.id != run.pilot).unwrap().token;
        for part in ["replay", "timeline"] {
            for stranger in ["", other, &self.backend] {
                self.app.get_as(&path(part), stranger).is_problem(403, "sealed");
            }
            for knows in [own, &self.operator] {
                assert_eq!(self.app.get_as(&path(part), knows).status, 200);
            }
        }
        let report = self.app.get_as(&path("report"), other).is(200);
        assert_eq!((&report["state"], &report["sealed_until"]), (&json!("sealed"), &self.day["final_at"]));
        assert!(report.get("outcome").is_none() && report.get("snapshot").is_none());
    }

    /// Fights begun before the reset count for their day while its grace lasts, and not a moment longer.
    fn reset(&mut self, numbers: Range<usize>) {
        let closes = instant(&self.day["closes_at"]);
        self.app.app.clock.set(Micros(closes - 30 * MINUTE));
        let late: Vec<(usize, Value)> = numbers.clone().map(|number| (number, self.issue(number))).collect();
        let (in_time, too_late) = late.split_at(late.len() - 3);
        self.app.app.clock.set(Micros(closes + 5 * MINUTE));
        for (number, attempt) in in_time {
            self.fly(*number, attempt);
        }
        self.boards_are_right();
        self.sealed();
        let today = self.app.get("/v1/days/current").is(200);
        assert_eq!(today["day"], day_after(&self.day));
        let token = &self.pilots[0].token;
        let next = self.order("POST", "/v1/attempts", token, &json!({})).is(201);
        assert_eq!(
            (&next["day"], &next["kind"], &next["number"]),
            (&today["day"], &json!("ranked"), &json!(1))
        );
        self.attempts.push((self.pilots[0].id, next));
        let last = Micros(instant(&self.day["final_at"]));
        self.app.app.clock.set(Micros(last.0 - 30_000_000));
        assert!(
            self.app.get(&format!("/v1/days/{}", text(&self.day["day"]))).is(200).get("secret").is_none()
        );
        self.app.app.clock.set(last);
        for (number, attempt) in too_late {
            let replay = self.replay(*number, attempt);
            self.submit(*number, attempt, &replay).is_problem(410, "day_closed");
        }
        self.boards_are_right();
    }

    /// The secret is out: anybody can check the commitment, the doctrine and every seed; all fights are public.
    fn reveal(&self) {
        let name = text(&self.day["day"]);
        let day = self.app.get(&format!("/v1/days/{name}")).is(200);
        let secret = bytes(&day["secret"]);
        assert_eq!(hex(&Sha256::digest(&secret)), self.commitments[name], "the secret that was committed to");
        assert_eq!(day["commitment"], self.commitments[name]);

        let data = self.app.get("/v1/rulesets/ongrid-8/data/doctrines.toml").text;
        let data: toml::Table = toml::from_str(&data).unwrap();
        let doctrines = data.values().find_map(toml::Value::as_array).unwrap();
        let drawn = mac(&secret, &format!("ongrid-doctrine-1\0{name}"));
        let drawn = u64::from_be_bytes(drawn[..8].try_into().unwrap()) % doctrines.len() as u64;
        assert_eq!(doctrines[drawn as usize]["id"].as_str(), day["doctrine"]["id"].as_str());

        let of_day = self.attempts.iter().filter(|(_, attempt)| attempt["day"] == name);
        let mut checked = 0;
        for (pilot, attempt) in of_day {
            let (engine, number) = (text(&attempt["engine"]), &attempt["number"]);
            let seed = mac(&secret, &format!("ongrid-seed-1\0{engine}\0{name}\0{pilot}\0{number}"));
            assert_eq!(hex(&seed), attempt["seed"]);
            checked += 1;
        }
        assert_eq!(checked, PILOTS + 5);
        for run in self.runs.iter().step_by(20) {
            let report = self.app.get(&format!("/v1/fights/{}/report", run.fight)).is(200);
            assert_eq!(report["state"], "public");
            assert!(report["outcome"].is_object() && report["snapshot"].is_object());
            let replay = self.app.get(&format!("/v1/fights/{}/replay", run.fight)).is(200);
            let again = self.app.post("/v1/verify", "", replay.to_string().as_bytes()).is(200);
            assert_eq!(again["outcome"], report["outcome"], "anybody comes to the same outcome");
        }
    }

    /// The closed day stays as it was while the next one goes on; season and streak follow both.
    fn the_day_after(&mut self) {
        let closed = self.rows(&self.board_path(), 100);
        self.app.app.clock.set(Micros(self.opens + 30 * HOUR));
        let number = 2;
        let attempt = self.issue(number);
        assert_eq!(attempt["kind"], "ranked");
        self.fly(number, &attempt);
        assert_eq!(self.rows(&self.board_path(), 100), closed);
        self.boards_are_right();
        let (pilot, next) = (self.pilots[number].id, day_after(&self.day));
        self.recounts_agree(next.parse().unwrap());
        let page = self.app.get(&format!("/v1/pilots/{pilot}")).is(200);
        assert_eq!((&page["days"], &page["streak"], &page["best_streak"]), (&json!(2), &json!(2), &json!(2)));
        assert_eq!(page["ranks"]["day"], json!({"rank": 1, "of": 1, "percentile": 100.0}));
        let own = |row: &&Value| row["pilot"]["id"] == pilot.to_string();
        let months: BTreeSet<&str> = [text(&self.day["day"]), &next].map(|day| &day[..7]).into();
        let season_rows =
            months.iter().flat_map(|month| self.rows(&format!("/v1/boards/seasons/{month}"), 200));
        let season_rows: Vec<Value> = season_rows.collect();
        let sum: i64 = season_rows.iter().filter(own).map(|row| row["score"].as_i64().unwrap()).sum();
        assert_eq!(page["score"], sum);
        let doctrine = text(&self.day["doctrine"]["id"]);
        let best = self.rows(&format!("/v1/boards/doctrines/{doctrine}"), 200);
        assert!(best.len() >= closed.len());
        let history = self.app.get(&format!("/v1/pilots/{pilot}/fights")).is(200);
        let kinds: Vec<&str> =
            history["items"].as_array().unwrap().iter().map(|fight| text(&fight["kind"])).collect();
        assert_eq!(kinds, ["ranked", "practice", "ranked"]);
    }

    fn order(&self, method: &str, path: &str, token: &str, body: &Value) -> Answer {
        self.app.send(method, path, token, body.to_string().as_bytes())
    }
}

fn pilot_path() -> (Uuid, String) {
    let id = Uuid::now_v7();
    (id, format!("/v1/pilots/{id}"))
}

fn run(row: &Value) -> Run {
    Run {
        pilot: text(&row["pilot"]["id"]).parse().unwrap(),
        fight: text(&row["fight"]).to_owned(),
        score: row["score"].as_i64().unwrap(),
        rounds: row["rounds"].as_i64().unwrap(),
        verified_at: text(&row["verified_at"]).to_owned(),
    }
}

#[track_caller]
fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text"))
}

fn instant(value: &Value) -> i64 {
    Micros::from(text(value).parse::<jiff::Timestamp>().unwrap()).0
}

fn day_after(day: &Value) -> String {
    text(&day["day"]).parse::<Day>().unwrap().plus(1).to_string()
}

fn mac(secret: &[u8], message: &str) -> Vec<u8> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).unwrap();
    mac.update(message.as_bytes());
    mac.finalize().into_bytes().to_vec()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes(hex: &Value) -> Vec<u8> {
    let digits = text(hex).as_bytes().chunks(2);
    digits.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}
