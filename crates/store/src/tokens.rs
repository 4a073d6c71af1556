//! Who asks: bearer tokens, of which the store has only the hash.

use ongrid_engine::Digest;
use serde::Serialize;
use uuid::Uuid;

use crate::db::{Record, Row, columns_by, values};
use crate::{Conflict, Error, Micros, Result, Store, sql};

/// What a token allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Plays as one pilot.
    Pilot,
    /// The game's server: registers pilots.
    Backend,
    /// Moderates and sets days.
    Operator,
}

impl Role {
    /// `pilot`, `backend` or `operator`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pilot => "pilot",
            Self::Backend => "backend",
            Self::Operator => "operator",
        }
    }
}

columns_by! {
    Role as String, |text| match text.as_str() {
        "pilot" => Ok(Role::Pilot),
        "backend" => Ok(Role::Backend),
        "operator" => Ok(Role::Operator),
        _ => Err(Error::Corrupt(format!("{text:?} is no role"))),
    };
}

/// A token to be issued.
#[derive(Clone, Copy, Debug)]
pub struct NewToken<'a> {
    /// What it allows.
    pub role: Role,
    /// Whose it is; exactly the role `pilot` has one.
    pub pilot: Option<Uuid>,
    /// What it is for, in the operator's words.
    pub label: &'a str,
    /// SHA-256 of the secret.
    pub secret_hash: &'a Digest,
}

/// A token, without its secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Token {
    /// Its id.
    pub id: Uuid,
    /// What it allows.
    pub role: Role,
    /// Whose it is.
    pub pilot: Option<Uuid>,
    /// What it is for.
    pub label: String,
    /// When it was issued.
    pub created_at: Micros,
    /// When it was last used, to the hour.
    pub last_used_at: Option<Micros>,
    /// When it was revoked.
    pub revoked_at: Option<Micros>,
}

impl Record for Token {
    fn read(row: &mut Row) -> Result<Self> {
        Ok(Self {
            id: row.next()?,
            role: row.next()?,
            pilot: row.next()?,
            label: row.next()?,
            created_at: row.next()?,
            last_used_at: row.next()?,
            revoked_at: row.next()?,
        })
    }
}

/// Whom a token speaks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Principal {
    /// The token.
    pub token: Uuid,
    /// What it allows.
    pub role: Role,
    /// The pilot, for the role `pilot`.
    pub pilot: Option<Uuid>,
    /// The pilot's name.
    pub name: Option<String>,
    /// The pilot's registered skills.
    pub skills: Option<String>,
    /// Since when the pilot is banned.
    pub banned_at: Option<Micros>,
    /// When the token was last known to be used.
    pub(crate) last_used_at: Option<Micros>,
}

impl Record for Principal {
    fn read(row: &mut Row) -> Result<Self> {
        Ok(Self {
            token: row.next()?,
            role: row.next()?,
            last_used_at: row.next()?,
            pilot: row.next()?,
            name: row.next()?,
            skills: row.next()?,
            banned_at: row.next()?,
        })
    }
}

impl Store {
    /// Issues a token; answers its id.
    ///
    /// # Errors
    /// [`Conflict::UnknownPilot`], [`Conflict::TokenTaken`]; [`Error::Corrupt`] where role and pilot do not go together.
    pub async fn issue_token(&self, token: &NewToken<'_>) -> Result<Uuid> {
        if let Some(pilot) = token.pilot
            && self.pilot(pilot).await?.is_none_or(|pilot| pilot.erased_at.is_some())
        {
            return Err(Conflict::UnknownPilot.into());
        }
        let id = Uuid::now_v7();
        let values =
            values![id, token.role.as_str(), token.pilot, token.label, token.secret_hash, Micros::now()];
        self.db.execute(sql::INSERT_TOKEN, values).await?;
        Ok(id)
    }

    /// Whom the token with this hash speaks for; none where there is no such token, it was revoked, or its pilot
    /// was erased.
    ///
    /// # Errors
    /// [`Error::Busy`], and the database's.
    pub async fn principal(&self, secret_hash: &Digest) -> Result<Option<Principal>> {
        self.callers.ask(*secret_hash).await
    }

    /// Revokes a token.
    ///
    /// # Errors
    /// [`Conflict::UnknownToken`] where there is none, or it was revoked before.
    pub async fn revoke_token(&self, id: Uuid) -> Result<()> {
        match self.db.execute(sql::REVOKE_TOKEN, values![id, Micros::now()]).await? {
            0 => Err(Conflict::UnknownToken.into()),
            _ => Ok(()),
        }
    }

    /// The token with this id.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn token(&self, id: Uuid) -> Result<Option<Token>> {
        self.db.maybe(sql::TOKEN, values![id]).await
    }

    /// The tokens of a pilot, or of everybody, oldest first.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn tokens(&self, pilot: Option<Uuid>) -> Result<Vec<Token>> {
        match pilot {
            Some(pilot) => self.db.all(sql::TOKENS_OF, values![pilot]).await,
            None => self.db.all(sql::TOKENS, &[]).await,
        }
    }
}
