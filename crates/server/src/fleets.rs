//! What ranked days need of ongrid-8: doctrines, their standard issue, and setups that pilots bring.

use std::borrow::Cow;

use ongrid_engine::json::{Reader, once, unknown};
use ongrid_engine::{Digest, Engine, Rejection, canonical};
use ongrid_engine_ongrid::{Doctrine, OnGrid};

/// Ranked days are fought under this engine.
#[derive(Debug)]
pub struct Fleets {
    engine: OnGrid,
}

/// A setup found legal.
#[derive(Debug)]
pub struct Checked {
    /// Canonical JSON, complete.
    pub setup: Vec<u8>,
    /// Its digest.
    pub digest: Digest,
}

/// A pilot's setup as sent, with pieces left out.
#[derive(Debug, Default)]
struct Sent<'a> {
    doctrine: Option<Cow<'a, str>>,
    skills: Option<&'a str>,
    fleet: Option<&'a str>,
}

impl Fleets {
    /// Over the engine of ranked days.
    pub fn new(engine: OnGrid) -> Self {
        Self { engine }
    }

    /// The engine's tag.
    pub fn tag(&self) -> &'static str {
        OnGrid::TAG
    }

    /// Digest of the engine's data.
    pub fn ruleset(&self) -> Digest {
        Engine::ruleset(&self.engine).digest()
    }

    /// The engine.
    pub fn engine(&self) -> &OnGrid {
        &self.engine
    }

    /// All doctrines, in ruleset order.
    pub fn doctrines(&self) -> &'static [Doctrine] {
        &self.engine.catalogue().doctrines
    }

    /// The doctrine with this id.
    pub fn doctrine(&self, id: &str) -> Option<&'static Doctrine> {
        self.doctrines().iter().find(|doctrine| doctrine.id == id)
    }

    /// Completes and checks a setup for a day's doctrine: without fleet the standard issue, without skills the
    /// registered ones; a skill above the registered level is refused.
    ///
    /// # Errors
    /// `format`, `wrong_doctrine`, `skills_not_registered`, or the fleet's own code; paths start at the setup's root.
    pub fn complete(
        &self,
        text: &str,
        doctrine: &str,
        registered: &[(String, u32)],
    ) -> Result<Checked, Rejection> {
        let sent = Sent::read(text)?;
        if let Some(other) = sent.doctrine.as_deref().filter(|sent| *sent != doctrine) {
            let detail = format!("the day's doctrine is {doctrine}, not {other}");
            return Err(Rejection::new("wrong_doctrine", detail).with_path("/doctrine"));
        }
        let skills = match sent.skills {
            Some(skills) => skills.to_owned(),
            None => levels_json(&self.levels(registered)),
        };
        let fleet = match sent.fleet {
            Some(fleet) => fleet.to_owned(),
            None => self.standard_fleet(doctrine)?,
        };
        let setup = format!("{{\"doctrine\":{doctrine:?},\"skills\":{skills},\"fleet\":{fleet}}}");
        let mut json = Reader::new(&setup);
        let setup = self.engine.read_setup(&mut json)?;
        let legal = self.engine.check(setup)?;
        self.check_levels(&skills, registered).map_err(|no| no.under("skills"))?;
        let setup = canonical::to_vec(self.engine.setup(&legal));
        Ok(Checked { digest: Digest::of(&setup), setup })
    }

    /// The hostile fleet of a doctrine at level 0, canonical JSON in the shape of the snapshot's `hostile`.
    pub fn standard_issue(&self, doctrine: &Doctrine) -> Vec<u8> {
        canonical::to_vec(&self.engine.standard_issue(doctrine))
    }

    fn standard_fleet(&self, doctrine: &str) -> Result<String, Rejection> {
        let known = self.doctrine(doctrine);
        let known = known.ok_or_else(|| {
            Rejection::new("unknown_doctrine", format!("there is no doctrine {doctrine:?}"))
        })?;
        let fleet = canonical::to_vec(&self.engine.standard_fleet(known));
        Ok(String::from_utf8_lossy(&fleet).into_owned())
    }

    /// All six skills at the registered level, at the baseline where nothing is registered.
    fn levels(&self, registered: &[(String, u32)]) -> Vec<(&'static str, u32)> {
        let catalogue = self.engine.catalogue();
        let level = |id: &str| registered.iter().find(|(name, _)| name == id).map(|(_, level)| *level);
        let baseline = catalogue.rules.baseline();
        catalogue.skills.iter().map(|skill| (skill.id, level(skill.id).unwrap_or(baseline))).collect()
    }

    fn check_levels(&self, skills: &str, registered: &[(String, u32)]) -> Result<(), Rejection> {
        let allowed = self.levels(registered);
        Reader::new(skills).object(|json, key| {
            let level = json.u32()?;
            match allowed.iter().find(|(id, most)| *id == key && level > *most) {
                Some((id, most)) => {
                    let detail = format!("{id} is registered at level {most}, the setup uses {level}");
                    Err(Rejection::new("skills_not_registered", detail).with_path(""))
                }
                None => Ok(()),
            }
        })
    }

    /// Reads registered skills: an object of skill ids and levels from 0 to 5.
    ///
    /// # Errors
    /// `format`, `unknown_skill`, `skill_level`.
    pub fn read_registered(&self, text: &str) -> Result<Vec<(String, u32)>, Rejection> {
        let catalogue = self.engine.catalogue();
        let mut levels: Vec<(String, u32)> = Vec::new();
        let mut json = Reader::new(text);
        json.object(|json, key| {
            let level = json.u32()?;
            if catalogue.skills.iter().all(|skill| skill.id != key) {
                return Err(
                    Rejection::new("unknown_skill", format!("there is no skill {key:?}")).with_path("")
                );
            }
            if level > catalogue.rules.max_level() {
                return Err(
                    Rejection::new("skill_level", format!("{key} has no level {level}")).with_path("")
                );
            }
            if levels.iter().any(|(known, _)| known == key) {
                return Err(ongrid_engine::json::duplicate());
            }
            levels.push((key.to_owned(), level));
            Ok(())
        })?;
        json.end()?;
        levels.sort();
        Ok(levels)
    }
}

/// Levels as JSON, as the store keeps them.
pub fn levels_json<K: AsRef<str>>(levels: &[(K, u32)]) -> String {
    let members: Vec<String> =
        levels.iter().map(|(id, level)| format!("{:?}:{level}", id.as_ref())).collect();
    format!("{{{}}}", members.join(","))
}

impl<'a> Sent<'a> {
    fn read(text: &'a str) -> Result<Self, Rejection> {
        let mut sent = Self::default();
        let mut json = Reader::new(text);
        json.object(|json, key| match key {
            "doctrine" => once(&mut sent.doctrine, json.string()?),
            "skills" => once(&mut sent.skills, json.skip()?),
            "fleet" => once(&mut sent.fleet, json.skip()?),
            _ => Err(unknown()),
        })?;
        json.end()?;
        Ok(sent)
    }
}
