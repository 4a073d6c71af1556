//! Any settings file is read or refused with a reason.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[allow(dead_code)]
#[path = "../../crates/server/src/config.rs"]
mod config;

use config::{Config, DEFAULTS};

fuzz_target!(|text: &str| {
    for value in text.split('\n') {
        let flag = value.split_once('=').map(|(key, value)| (key.to_owned(), value.to_owned()));
        let sources = config::Sources { flags: flag.into_iter().collect(), ..Default::default() };
        if let Err(error) = Config::load(&sources) {
            assert!(!error.to_string().is_empty());
        }
    }
    assert!(!DEFAULTS.is_empty());
});
