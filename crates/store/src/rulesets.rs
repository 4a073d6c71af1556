//! The rulesets that ever judged here.

use ongrid_engine::Digest;

use crate::db::values;
use crate::{Error, Micros, Result, Store, sql};

impl Store {
    /// Holds a ruleset of this build against the one that its tag has stood for in this database, and writes it down
    /// where the tag is new. The server calls it for every engine before it listens.
    ///
    /// # Errors
    /// [`Error::RulesetChanged`]: the server must not start.
    pub async fn register_ruleset(&self, tag: &str, digest: Digest, build: &str) -> Result<()> {
        self.db.execute(sql::INSERT_RULESET, values![tag, &digest, build, Micros::now()]).await?;
        let known: Digest = self.db.one(sql::RULESET, values![tag]).await?;
        if known == digest {
            Ok(())
        } else {
            Err(Error::RulesetChanged { tag: tag.to_owned(), known, found: digest })
        }
    }
}
