//! What can be asked of the engines, as functions on bytes.

use ongrid_engine::{Chain, Digest, Envelope, Registry, Rejection, Result, RulesetError, Seed, canonical};
use serde::Serialize;

use crate::bout::Bout;
use crate::engines::{Host, engines};

/// Most fights that are open at once: a client that forgets to close them learns it here.
const MAX_FIGHTS: usize = 64;

/// The engines and the fights that are open on them.
pub struct Door {
    hosts: Vec<Box<dyn Host>>,
    registry: Registry,
    /// By handle; closed ones leave a gap that is used again.
    fights: Vec<Option<Box<dyn Bout>>>,
}

/// An engine of this build.
#[derive(Debug, Serialize)]
struct EngineTag {
    /// The tag, matched exactly.
    engine: &'static str,
    /// Most calls of a replay.
    max_calls: usize,
    /// Digest of the ruleset data, 64 hex digits.
    ruleset: Digest,
}

/// Where the client's checkpoints part from the engine's.
#[derive(Debug, Serialize)]
struct Desync {
    /// Index of the first call after which they differ.
    call: u32,
    /// The engine's last checkpoint.
    checkpoint: String,
}

impl Door {
    /// A door to every engine.
    ///
    /// # Errors
    /// Where the embedded data of one are not those that its tag stands for.
    pub fn new() -> std::result::Result<Self, RulesetError> {
        let hosts = engines()?;
        let registry = Registry::new(hosts.iter().map(|host| host.referee()).collect());
        Ok(Self { hosts, registry, fights: Vec::new() })
    }

    /// The engines: tag, digest of the ruleset data, most calls.
    pub fn tags(&self) -> Vec<u8> {
        let tags = self.hosts.iter().map(|host| EngineTag {
            engine: host.tag(),
            max_calls: host.max_calls(),
            ruleset: host.ruleset().digest(),
        });
        canonical::to_vec(&tags.collect::<Vec<_>>())
    }

    /// What the module was built from: the digest of the sources, 64 hex digits, as `scripts/source` of the package says
    /// it; `null` where the build did not tell.
    pub fn source(&self) -> Vec<u8> {
        canonical::to_vec(&option_env!("ONGRID_SOURCE"))
    }

    /// A file of an engine's ruleset, its bytes as they are hashed; `name` is `tag/file`.
    ///
    /// # Errors
    /// `engine` or `file` where there is none of that name.
    pub fn data(&self, name: &[u8]) -> Result<Vec<u8>> {
        let name = std::str::from_utf8(name).unwrap_or_default();
        let (tag, file) = name.split_once('/').unwrap_or((name, ""));
        let mut files = self.host(tag)?.ruleset().files().iter();
        let found = files
            .find(|known| known.name == file)
            .ok_or_else(|| Rejection::new("file", format!("the ruleset of {tag} has no file {file:?}")))?;
        Ok(found.bytes.to_vec())
    }

    /// What setups of an engine are put together from; `null` where the engine does not tell.
    ///
    /// # Errors
    /// `engine` where there is none of that tag.
    pub fn catalogue(&self, tag: &[u8]) -> Result<Vec<u8>> {
        Ok(self.host(std::str::from_utf8(tag).unwrap_or_default())?.catalogue())
    }

    fn host(&self, tag: &str) -> Result<&dyn Host> {
        let found = self.hosts.iter().find(|host| host.tag() == tag).map(|host| &**host);
        found.ok_or_else(|| {
            let known = self.registry.tags().into_iter().map(str::to_owned).collect();
            Rejection::new("engine", format!("there is no engine {tag:?} here")).with_known(known)
        })
    }

    /// The verdict on a whole replay: the verified result of conventions, the same as the command line prints.
    ///
    /// # Errors
    /// The rejection, with its place.
    pub fn verify(&self, replay: &[u8]) -> Result<Vec<u8>> {
        let verdict = self.registry.verify(replay)?;
        let desync = verdict
            .desync
            .map(|call| canonical::to_vec(&Desync { call, checkpoint: Chain::hex(verdict.checkpoint) }));
        // Put together by hand, in the order of the names: the pieces are canonical bytes already.
        let mut answer = Vec::with_capacity(verdict.outcome.len() + 1024);
        let mut member = |name: &str, value: &[u8]| {
            answer.extend_from_slice(if answer.is_empty() { b"{\"" } else { b",\"" });
            answer.extend_from_slice(name.as_bytes());
            answer.extend_from_slice(b"\":");
            answer.extend_from_slice(value);
        };
        if let Some(desync) = &desync {
            member("desync", desync);
        }
        member("engine", &canonical::to_vec(verdict.engine));
        member("outcome", &verdict.outcome);
        member("outcome_digest", &canonical::to_vec(&verdict.outcome_digest));
        member("replay_digest", &canonical::to_vec(&verdict.replay_digest));
        member("ruleset", &canonical::to_vec(&verdict.ruleset));
        if let Some(snapshot) = &verdict.snapshot {
            member("snapshot", snapshot);
        }
        member("standing", &canonical::to_vec(&verdict.standing));
        member("status", b"\"verified\"");
        answer.push(b'}');
        Ok(answer)
    }

    /// Every event of a whole replay.
    ///
    /// # Errors
    /// As [`Door::verify`].
    pub fn timeline(&self, replay: &[u8]) -> Result<Vec<u8>> {
        self.registry.timeline(replay)
    }

    /// Lets the engine's autopilot fly the setup of a replay under its seed, from the first call on; the whole replay.
    ///
    /// # Errors
    /// Why the setup is not legal.
    pub fn fly(&self, replay: &[u8]) -> Result<Vec<u8>> {
        let referee = self.registry.referee_of(replay)?;
        let envelope = Envelope::scan(replay)?;
        let seed = envelope.read("seed", |json| Seed::parse(&json.string()?))?;
        referee.fly(envelope.member("setup").unwrap_or("null"), &seed)
    }

    /// Opens a fight from a replay; its `calls` may stop anywhere, so that a fight is taken up again by its calls.
    ///
    /// # Errors
    /// As [`Door::verify`], but for a fight that is not over; `fights` where too many are open.
    pub fn open(&mut self, replay: &[u8]) -> Result<Vec<u8>> {
        let tag = self.registry.referee_of(replay)?.tag();
        let handle = self.fights.iter().position(Option::is_none).unwrap_or(self.fights.len());
        if handle >= MAX_FIGHTS {
            return Err(Rejection::new("fights", format!("{MAX_FIGHTS} fights are open; close some")));
        }
        let mut bout = self.host(tag)?.open(replay)?;
        let opened = bout.opened(u32::try_from(handle).unwrap_or(u32::MAX));
        if handle == self.fights.len() {
            self.fights.push(None);
        }
        self.fights[handle] = Some(bout);
        Ok(opened)
    }

    /// Applies a call; what happened up to the player's next turn or the end.
    ///
    /// # Errors
    /// As [`Door::verify`] for the replay with this call at its end; nothing has changed then. `fight` where the handle is
    /// none.
    pub fn call(&mut self, fight: u32, call: &[u8]) -> Result<Vec<u8>> {
        let slot = usize::try_from(fight).ok().and_then(|at| self.fights.get_mut(at));
        let bout = slot.and_then(Option::as_mut).ok_or_else(no_fight)?;
        bout.call(call)?;
        Ok(bout.step())
    }

    /// The fight as a player sees it; `null` where the engine shows none.
    ///
    /// # Errors
    /// `fight` where the handle is none.
    pub fn view(&self, fight: u32) -> Result<Vec<u8>> {
        Ok(self.bout(fight)?.view())
    }

    /// The calls that would be legal now; `null` where they cannot be listed. Of ongrid-8 all, without stances, which any
    /// of them may carry; of the others those that `candidates` says.
    ///
    /// # Errors
    /// `fight` where the handle is none.
    pub fn legal(&self, fight: u32) -> Result<Vec<u8>> {
        Ok(self.bout(fight)?.legal())
    }

    /// The bytes of the state and the checkpoints.
    ///
    /// # Errors
    /// `fight` where the handle is none.
    pub fn state(&self, fight: u32) -> Result<Vec<u8>> {
        Ok(self.bout(fight)?.state())
    }

    /// The replay so far, ready to be submitted.
    ///
    /// # Errors
    /// `fight` where the handle is none.
    pub fn replay(&self, fight: u32) -> Result<Vec<u8>> {
        Ok(self.bout(fight)?.replay())
    }

    /// Forgets a fight.
    ///
    /// # Errors
    /// `fight` where the handle is none.
    pub fn close(&mut self, fight: u32) -> Result<Vec<u8>> {
        self.bout(fight)?;
        self.fights[fight as usize] = None;
        Ok(b"null".to_vec())
    }

    fn bout(&self, fight: u32) -> Result<&dyn Bout> {
        let slot = usize::try_from(fight).ok().and_then(|at| self.fights.get(at));
        slot.and_then(Option::as_deref).ok_or_else(no_fight)
    }
}

#[cold]
fn no_fight() -> Rejection {
    Rejection::new("fight", "no fight is open under that handle")
}
