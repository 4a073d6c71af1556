//! The one shape of every "no": a stable code, the place, a sentence (conventions, "Result").

use std::fmt::{self, Write};

use serde::Serialize;

/// Result of everything that can reject a replay.
pub type Result<T, E = Rejection> = std::result::Result<T, E>;

/// Where in the fight a call was refused; http-api's `at`, the command line's `detail`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct At {
    /// Round in progress, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<u32>,
    /// Ship whose turn it was, or which is at fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ship: Option<u32>,
    /// Index of the group of modules in that ship's fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<u32>,
    /// The tags or digests known here, where an unknown one was sent.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<String>,
}

/// Why a replay or a setup is refused. Boxed, so that the way of success stays light.
#[derive(Clone, PartialEq, Eq)]
pub struct Rejection(Box<Parts>);

#[derive(Clone, PartialEq, Eq)]
struct Parts {
    code: &'static str,
    call: Option<u32>,
    path: Option<String>,
    at: At,
    message: String,
}

impl Rejection {
    /// A rejection with a stable snake_case `code` and one sentence for a person.
    #[cold]
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self(Box::new(Parts { code, call: None, path: None, at: At::default(), message: message.into() }))
    }

    /// A `format` fault at the place being read; callers add the path with [`Rejection::under`].
    #[cold]
    pub fn format(message: impl Into<String>) -> Self {
        let mut it = Self::new("format", message);
        it.0.path = Some(String::new());
        it
    }

    /// Puts one step in front of the path (a key or an index), as the reading unwinds.
    #[cold]
    pub fn under(mut self, step: impl fmt::Display) -> Self {
        let step = step.to_string().replace('~', "~0").replace('/', "~1");
        let rest = self.0.path.take().unwrap_or_default();
        self.0.path = Some(format!("/{step}{rest}"));
        self
    }

    /// Sets the whole path, a JSON pointer from the replay's root.
    pub fn with_path(mut self, path: impl Into<String>) -> Self {
        self.0.path = Some(path.into());
        self
    }

    /// Names the call at fault, counted from 0.
    pub fn with_call(mut self, call: usize) -> Self {
        self.0.call = Some(u32::try_from(call).unwrap_or(u32::MAX));
        self
    }

    /// Names the round in progress.
    pub fn with_round(mut self, round: u32) -> Self {
        self.0.at.round = Some(round);
        self
    }

    /// Names the ship at fault.
    pub fn with_ship(mut self, ship: u32) -> Self {
        self.0.at.ship = Some(ship);
        self
    }

    /// Names the group at fault.
    pub fn with_group(mut self, group: u32) -> Self {
        self.0.at.group = Some(group);
        self
    }

    /// Lists what would have been known.
    pub fn with_known(mut self, known: Vec<String>) -> Self {
        self.0.at.known = known;
        self
    }

    /// The stable code.
    pub fn code(&self) -> &'static str {
        self.0.code
    }

    /// Index of the call at fault.
    pub fn call(&self) -> Option<u32> {
        self.0.call
    }

    /// JSON pointer from the replay's root, for faults of format and setup.
    pub fn path(&self) -> Option<&str> {
        self.0.path.as_deref()
    }

    /// Round, ship and group at fault.
    pub fn at(&self) -> &At {
        &self.0.at
    }

    /// One sentence for a person.
    pub fn message(&self) -> &str {
        &self.0.message
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut place = String::new();
        if let Some(call) = self.0.call {
            let _ = write!(place, ", call {call}");
        }
        if let Some(round) = self.0.at.round {
            let _ = write!(place, ", round {round}");
        }
        if let Some(ship) = self.0.at.ship {
            let _ = write!(place, ", ship {ship}");
        }
        if let Some(group) = self.0.at.group {
            let _ = write!(place, ", group {group}");
        }
        if let Some(path) = self.0.path.as_deref().filter(|path| !path.is_empty()) {
            let _ = write!(place, ", at {path}");
        }
        write!(f, "{}{place}: {}", self.0.code, self.0.message)
    }
}

impl fmt::Debug for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rejection({self})")
    }
}

impl std::error::Error for Rejection {}

/// Serialised as the rejected result of conventions: `{"status", "code", "call", "path"?, "detail", "message"}`.
impl Serialize for Rejection {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Rejected<'a> {
            status: &'static str,
            code: &'static str,
            call: Option<u32>,
            #[serde(skip_serializing_if = "Option::is_none")]
            path: Option<&'a str>,
            detail: &'a At,
            message: &'a str,
        }
        Rejected {
            status: "rejected",
            code: self.code(),
            call: self.call(),
            path: self.path(),
            detail: self.at(),
            message: self.message(),
        }
        .serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_grows_from_the_inside_and_escapes() {
        let no = Rejection::format("x").under(3).under("a/b~c").under("setup");
        assert_eq!(no.path(), Some("/setup/a~1b~0c/3"));
    }

    #[test]
    fn wire_form() {
        let no = Rejection::new("wrong_ship", "not its turn").with_call(7).with_round(2).with_ship(0);
        assert_eq!(
            serde_json::to_string(&no).unwrap(),
            r#"{"status":"rejected","code":"wrong_ship","call":7,"detail":{"round":2,"ship":0},"message":"not its turn"}"#
        );
        assert_eq!(no.to_string(), "wrong_ship, call 7, round 2, ship 0: not its turn");
    }
}
