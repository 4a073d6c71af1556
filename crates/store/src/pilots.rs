//! Who fights.

use serde::Serialize;
use uuid::Uuid;

use crate::db::{Record, Row, values};
use crate::{Conflict, Micros, Result, Store, sql};

/// A pilot's name as it is shown and as it is compared. The rules of names are the server's; the store holds that no
/// two pilots have the same key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PilotName {
    /// As it is shown.
    pub shown: String,
    /// As it is compared: normalised, letters folded.
    pub key: String,
}

/// A pilot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Pilot {
    /// Its id.
    pub id: Uuid,
    /// Its name; none where it was erased.
    pub name: Option<String>,
    /// Its registered skills, JSON as the server wrote it.
    pub skills: Option<String>,
    /// When it was registered.
    pub created_at: Micros,
    /// Since when it is banned.
    pub banned_at: Option<Micros>,
    /// When it was erased.
    pub erased_at: Option<Micros>,
}

impl Record for Pilot {
    fn read(row: &mut Row) -> Result<Self> {
        Ok(Self {
            id: row.next()?,
            name: row.next()?,
            skills: row.next()?,
            created_at: row.next()?,
            banned_at: row.next()?,
            erased_at: row.next()?,
        })
    }
}

impl Store {
    /// Registers a pilot; answers its id.
    ///
    /// # Errors
    /// [`Conflict::NameTaken`].
    pub async fn add_pilot(&self, name: &PilotName, skills: Option<&str>, now: Micros) -> Result<Uuid> {
        let id = Uuid::now_v7();
        let values = values![id, &name.shown, &name.key, skills, now];
        self.db.execute(sql::INSERT_PILOT, values).await?;
        Ok(id)
    }

    /// Registers a pilot under the caller's id, or gives it another name and other skills; answers whether it is new.
    /// Fights and their digests stay.
    ///
    /// # Errors
    /// [`Conflict::NameTaken`]; [`Conflict::UnknownPilot`] where it was erased.
    pub async fn put_pilot(
        &self,
        id: Uuid,
        name: &PilotName,
        skills: Option<&str>,
        now: Micros,
    ) -> Result<bool> {
        let new = values![id, &name.shown, &name.key, skills, now];
        if self.db.execute(sql::INSERT_PILOT, new).await? > 0 {
            return Ok(true);
        }
        match self.db.execute(sql::CHANGE_PILOT, values![id, &name.shown, &name.key, skills]).await? {
            0 => Err(Conflict::UnknownPilot.into()),
            _ => Ok(false),
        }
    }

    /// The pilot with this id, erased ones too.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn pilot(&self, id: Uuid) -> Result<Option<Pilot>> {
        self.db.maybe(sql::PILOT, values![id]).await
    }

    /// The pilot whose name has this key.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn pilot_named(&self, key: &str) -> Result<Option<Pilot>> {
        self.db.maybe(sql::PILOT_BY_KEY, values![key]).await
    }

    /// The pilots by id after one, erased ones too.
    ///
    /// # Errors
    /// None but the database's.
    pub async fn pilots(&self, after: Uuid, limit: u32) -> Result<Vec<Pilot>> {
        self.db.all(sql::PILOTS, values![after, limit]).await
    }
}
