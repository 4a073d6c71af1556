//! `ongrid receipt`: receipts checked without a service, keys rotated, the whole log checked.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail};
use clap::Subcommand;
use ongrid_engine::json::Reader;
use ongrid_engine::{Digest, canonical};
use ongrid_store::Micros;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::cli::serve::open_existing;
use crate::config::Config;
use crate::receipts::{self, KeyRing, Receipt};
use crate::routes::proof::ProofBody;
use crate::translog;

/// What can be done.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check a receipt, that the answer which holds it says what was signed, and with --proof that it is in the log: exit
    /// code 0 sound, 2 not, 1 a file cannot be read
    Verify {
        /// A receipt, or an answer that holds one
        file: PathBuf,
        /// Answer of /v1/fights/{id}/proof
        #[arg(long)]
        proof: Option<PathBuf>,
        /// Answer of /.well-known/ongrid-keys.json; the keys of the data directory where it is left out
        #[arg(long)]
        keys: Option<PathBuf>,
        /// The fight that it must be of
        #[arg(long)]
        fight: Option<uuid::Uuid>,
    },
    /// End the key in use and begin a new one; replicas get the file and are started again
    Rotate {
        /// Forget the old secret: repeated submissions of its time are then signed with the new key
        #[arg(long)]
        forget: bool,
    },
    /// Hold the whole log against its checkpoints and the records: exit code 0 sound, 2 not
    CheckLog,
}

/// Does it.
pub async fn run(config: Config, command: Command) -> Result<ExitCode> {
    match command {
        Command::Verify { file, proof, keys, fight } => {
            let ring = match keys {
                Some(keys) => KeyRing::published(read(&keys)?)?,
                None => ring(&config).context("without --keys")?,
            };
            let proof: Option<Value> = proof.as_deref().map(read).transpose()?;
            let checked = verify(&read(&file)?, proof.as_ref(), &ring, fight);
            match &checked {
                Ok(said) => println!("sound: {said}"),
                Err(error) => println!("not sound: {error:#}"),
            }
            Ok(if checked.is_ok() { ExitCode::SUCCESS } else { ExitCode::from(2) })
        }
        Command::Rotate { forget } => {
            let path = receipts::path(&config.receipts, &config.data);
            let mut ring = ring(&config)?;
            ring.rotate(&path, Micros::now(), !forget)?;
            println!("{} keys in {}", ring.list().len(), path.display());
            Ok(ExitCode::SUCCESS)
        }
        Command::CheckLog => {
            let ring = ring(&config)?;
            let (size, faults) = translog::check(&open_existing(&config).await?, &ring).await?;
            for fault in &faults {
                println!("{fault}");
            }
            println!("{size} leaves, {} faults", faults.len());
            Ok(if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(2) })
        }
    }
}

fn ring(config: &Config) -> Result<KeyRing> {
    let path = receipts::path(&config.receipts, &config.data);
    if !path.exists() {
        bail!("there are no keys in {}", path.display());
    }
    KeyRing::load(&config.receipts, &config.data, Micros::now())
}

fn verify(
    document: &Value,
    proof: Option<&Value>,
    ring: &KeyRing,
    fight: Option<uuid::Uuid>,
) -> Result<String> {
    let answer = document.get("receipt").map(|_| document);
    let receipt = answer.map_or(document, |answer| &answer["receipt"]);
    let receipt = Receipt::deserialize(receipt).context("there is no receipt in it")?;
    ring.check(&receipt)?;
    if let Some(answer) = answer {
        says_what_was_signed(answer, &receipt)?;
    }
    let body = &receipt.body;
    if let Some(fight) = fight.filter(|fight| *fight != body.fight) {
        bail!("the receipt is of fight {}, not of {fight}", body.fight);
    }
    let mut said = format!(
        "fight {} of {} on {} by pilot {}, outcome {}, signed with {}",
        body.fight, body.engine, body.day, body.pilot, body.outcome_digest, receipt.key
    );
    if let Some(proof) = proof {
        let proof = ProofBody::deserialize(proof).context("the proof is not what it should be")?;
        proof.check(ring, &receipt)?;
        said.push_str(&format!(", leaf {} of {}", proof.index, proof.size));
    }
    Ok(said)
}

/// Holds an answer against the receipt in it: what both of them name, and the outcome against its digest.
fn says_what_was_signed(answer: &Value, receipt: &Receipt) -> Result<()> {
    let signed = serde_json::to_value(&receipt.body)?;
    for (key, value) in signed.as_object().into_iter().flatten() {
        if let Some(said) = answer.get(key).filter(|said| *said != value) {
            bail!("the answer says {key} {said}, and {value} was signed");
        }
    }
    let Some(outcome) = answer.get("outcome") else { return Ok(()) };
    let text = outcome.to_string();
    let canonical = canonical::to_vec(&Reader::new(&text).value().map_err(|no| anyhow!("/outcome: {no}"))?);
    if Digest::of(&canonical).hex() != receipt.body.outcome_digest {
        bail!("the outcome in the answer is not the one that was signed");
    }
    // What boards rank by is a part of the outcome.
    for key in ["score", "rounds"] {
        let said = answer.get("standing").and_then(|standing| standing.get(key));
        let judged = outcome.get(key);
        if let (Some(said), Some(judged)) = (said, judged)
            && said != judged
        {
            bail!("the answer says standing/{key} {said}, and the outcome that was signed says {judged}");
        }
    }
    Ok(())
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<T> {
    let text = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_slice(&text).with_context(|| format!("{} is not what it should be", path.display()))
}
