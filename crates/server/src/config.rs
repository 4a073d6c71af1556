//! Settings: defaults, file, environment, flags, in one documented precedence (config/server.toml).

// What each setting means, with its unit, stands once: in config/server.toml.
#![allow(missing_docs)]

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use toml::{Table, Value};

/// The commented defaults, embedded.
pub const DEFAULTS: &str = include_str!("../../../config/server.toml");

/// Every setting; the comments are in config/server.toml.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    pub listen: SocketAddr,
    pub data: PathBuf,
    pub database_url: Secret,
    pub http: Http,
    pub verify: Verify,
    pub rate: Rate,
    pub store: Store,
    pub day: Day,
    pub receipts: Receipts,
    pub log: Log,
    pub metrics: Metrics,
    pub shutdown: Shutdown,
}

/// A setting that must not be logged.
#[derive(Clone, Default, Deserialize)]
#[serde(transparent)]
pub struct Secret(pub String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() { "(empty)" } else { "(secret)" })
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Http {
    pub body_limit: usize,
    pub header_timeout: u64,
    pub request_timeout: u64,
    pub max_connections: usize,
    pub trusted_proxies: Vec<IpAddr>,
    pub cors_origins: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Verify {
    pub workers: usize,
    pub queue: usize,
    pub per_token: usize,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rate {
    pub per_address: u32,
    pub per_token: u32,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Store {
    pub connections: u32,
    pub batch: usize,
    pub batch_wait: u64,
    pub in_flight: usize,
    pub queue: usize,
    pub acquire_timeout: u64,
    pub statement_timeout: u64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Day {
    pub reset: Reset,
    pub grace_minutes: u32,
    pub attempt_minutes: u32,
    pub seed: SeedPolicy,
    pub ranked_attempts: u32,
    pub practice_attempts: u32,
    pub secret_key: Secret,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Receipts {
    pub keys: String,
    pub origin: String,
    pub append_every: u64,
}

/// Whose dice an attempt gets (http-api, "Seeds of the day").
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum SeedPolicy {
    Pilot,
    Day,
}

/// When a day begins: minutes after midnight UTC, written `HH:MM`.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(try_from = "String")]
pub struct Reset(pub u32);

impl TryFrom<String> for Reset {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let parsed = text.split_once(':').filter(|(hours, minutes)| hours.len() == 2 && minutes.len() == 2);
        let parsed = parsed.and_then(|(h, m)| Some((h.parse::<u32>().ok()?, m.parse::<u32>().ok()?)));
        match parsed {
            Some((hours, minutes)) if hours < 24 && minutes < 60 => Ok(Self(hours * 60 + minutes)),
            _ => Err(format!("{text:?} is no time of day like \"05:30\"")),
        }
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Log {
    pub format: LogFormat,
    pub filter: String,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    Pretty,
    Json,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Metrics {
    pub listen: MaybeAddress,
}

/// An address, or empty for "off".
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct MaybeAddress(pub Option<SocketAddr>);

impl TryFrom<String> for MaybeAddress {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if text.is_empty() {
            return Ok(Self(None));
        }
        text.parse()
            .map(|address| Self(Some(address)))
            .map_err(|_| format!("{text:?} is no address like \"127.0.0.1:9464\""))
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shutdown {
    pub drain: u64,
    pub grace: u64,
}

/// Where settings come from besides the defaults.
#[derive(Debug, Default)]
pub struct Sources {
    /// Path of a file.
    pub file: Option<PathBuf>,
    /// The environment's variables.
    pub environment: Vec<(String, String)>,
    /// `key=value` from flags, the strongest.
    pub flags: Vec<(String, String)>,
}

impl Config {
    /// Puts the sources together.
    ///
    /// # Errors
    /// Names the source and the key of whatever is unknown or not of the right form.
    pub fn load(sources: &Sources) -> Result<Self> {
        settings(sources)?.try_into().context("settings").and_then(Self::checked)
    }

    fn checked(self) -> Result<Self> {
        for (key, value) in [
            ("verify.queue", self.verify.queue),
            ("verify.per_token", self.verify.per_token),
            ("store.batch", self.store.batch),
            ("store.in_flight", self.store.in_flight),
            ("store.queue", self.store.queue),
            ("store.connections", self.store.connections as usize),
            ("http.max_connections", self.http.max_connections),
        ] {
            if value == 0 {
                bail!("{key} must be at least 1");
            }
        }
        // With the time in which another takes over, a receipt is in the log within a minute.
        if !(1..=10).contains(&self.receipts.append_every) {
            bail!("receipts.append_every must be from 1 to 10");
        }
        Ok(self)
    }

    /// The database's URL, with the default worked out.
    pub fn database_url(&self) -> String {
        if self.database_url.0.is_empty() {
            return format!("sqlite://{}", self.data.join("ongrid.db").display());
        }
        self.database_url.0.clone()
    }
}

/// The defaults with what the other sources say laid over them.
fn settings(sources: &Sources) -> Result<Table> {
    let defaults: Table = toml::from_str(DEFAULTS).context("config/server.toml")?;
    let mut settings = defaults.clone();
    if let Some(path) = &sources.file {
        let text =
            std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let file: Table = toml::from_str(&text).with_context(|| format!("{} is not TOML", path.display()))?;
        overlay(&mut settings, file, "").with_context(|| format!("in {}", path.display()))?;
    }
    for key in leaves(&defaults, "") {
        let name = variable(&key);
        if let Some((_, text)) = sources.environment.iter().find(|(known, _)| *known == name) {
            set(&mut settings, &key, text).with_context(|| format!("environment variable {name}"))?;
        }
    }
    for (key, text) in &sources.flags {
        set(&mut settings, key, text).with_context(|| format!("flag for {key}"))?;
    }
    Ok(settings)
}

/// The settings that would be used, as a settings file; of secrets only whether there are any.
///
/// # Errors
/// As of [`Config::load`].
pub fn shown(sources: &Sources) -> Result<String> {
    let mut settings = settings(sources)?;
    let day = settings.get_mut("day").and_then(Value::as_table_mut).and_then(|day| day.get_mut("secret_key"));
    hide(day);
    hide(settings.get_mut("database_url"));
    Ok(toml::to_string(&settings)?)
}

fn hide(secret: Option<&mut Value>) {
    if let Some(Value::String(text)) = secret.filter(|secret| secret.as_str() != Some("")) {
        *text = "(secret)".to_owned();
    }
}

/// The variable of a key.
fn variable(key: &str) -> String {
    if key == "database_url" {
        return "DATABASE_URL".to_owned();
    }
    format!("ONGRID_{}", key.to_uppercase().replace('.', "_"))
}

fn leaves(table: &Table, under: &str) -> Vec<String> {
    let mut keys = Vec::new();
    for (key, value) in table {
        let key = join(under, key);
        match value {
            Value::Table(inner) => keys.extend(leaves(inner, &key)),
            _ => keys.push(key),
        }
    }
    keys
}

fn join(under: &str, key: &str) -> String {
    if under.is_empty() { key.to_owned() } else { format!("{under}.{key}") }
}

fn overlay(settings: &mut Table, file: Table, under: &str) -> Result<()> {
    for (key, value) in file {
        let name = join(under, &key);
        match (settings.get_mut(&key), value) {
            (None, _) => bail!("there is no setting {name}"),
            (Some(Value::Table(known)), Value::Table(inner)) => overlay(known, inner, &name)?,
            (Some(known), value) if known.same_type(&value) => *known = value,
            (Some(known), value) => bail!("{name} is {}, it must be {}", value.type_str(), known.type_str()),
        }
    }
    Ok(())
}

/// Sets a key from text, by the type of its default; lists are written with commas.
fn set(settings: &mut Table, key: &str, text: &str) -> Result<()> {
    let mut steps: Vec<&str> = key.split('.').collect();
    let last = steps.pop().unwrap_or_default();
    let mut table = settings;
    for step in steps {
        match table.get_mut(step) {
            Some(Value::Table(inner)) => table = inner,
            _ => bail!("there is no setting {key}"),
        }
    }
    let Some(known) = table.get_mut(last) else { bail!("there is no setting {key}") };
    *known = match known {
        Value::Integer(_) => {
            Value::Integer(text.parse().with_context(|| format!("{key}: {text:?} is no whole number"))?)
        }
        Value::Boolean(_) => {
            Value::Boolean(text.parse().with_context(|| format!("{key}: {text:?} is not true or false"))?)
        }
        Value::Array(_) => {
            let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
            Value::Array(items.map(|item| Value::String(item.to_owned())).collect())
        }
        Value::String(_) => Value::String(text.to_owned()),
        _ => bail!("{key} is a table"),
    };
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(environment: &[(&str, &str)], flags: &[(&str, &str)]) -> Result<Config> {
        let owned =
            |pairs: &[(&str, &str)]| pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        Config::load(&Sources { file: None, environment: owned(environment), flags: owned(flags) })
    }

    #[test]
    fn defaults_are_sound_and_flags_win() {
        let config =
            with(&[("ONGRID_LISTEN", "127.0.0.1:1"), ("ONGRID_HTTP_TRUSTED_PROXIES", "10.0.0.1, ::1")], &[])
                .unwrap();
        assert_eq!(config.listen.port(), 1);
        assert_eq!(config.http.trusted_proxies.len(), 2);
        assert_eq!(config.database_url(), "sqlite://./data/ongrid.db");
        let config = with(&[("ONGRID_LISTEN", "127.0.0.1:1")], &[("listen", "127.0.0.1:2")]).unwrap();
        assert_eq!(config.listen.port(), 2);
    }

    #[test]
    fn errors_name_the_key() {
        for (environment, flags, says) in [
            (vec![("ONGRID_VERIFY_QUEUE", "many")], vec![], "verify.queue"),
            (vec![], vec![("verify.size", "1")], "verify.size"),
            (vec![], vec![("day.reset", "25:00")], "25:00"),
            (vec![], vec![("verify.queue", "0")], "verify.queue"),
            (vec![], vec![("metrics.listen", "here")], "here"),
            (vec![], vec![("receipts.append_every", "11")], "receipts.append_every"),
        ] {
            let error = format!("{:#}", with(&environment, &flags).unwrap_err());
            assert!(error.contains(says), "{error}");
        }
    }

    #[test]
    fn secrets_stay_out_of_logs() {
        let config =
            with(&[("DATABASE_URL", "postgres://u:hunter2@h/d"), ("ONGRID_DAY_SECRET_KEY", "hunter2")], &[])
                .unwrap();
        assert!(!format!("{config:?}").contains("hunter2"));
    }
}
