//! Any text is a fleet with what is wrong in it named; what is written of the fleet is read again as it was.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use ongrid_engine_ongrid::OnGrid;

#[allow(dead_code)]
#[path = "../../crates/server/src/eft/mod.rs"]
mod eft;

static NAMES: LazyLock<eft::Names> =
    LazyLock::new(|| eft::Names::new(OnGrid::new().expect("the data are the tag's").catalogue()));

fuzz_target!(|text: &str| {
    let fleet = eft::read(&NAMES, text);
    assert!(!fleet.ships.is_empty() || !fleet.faults.is_empty());
    let lines = text.lines().count().max(text.split(['\r', '\n']).count());
    assert!(
        fleet
            .faults
            .iter()
            .all(|fault| (1..=lines.max(1)).contains(&fault.line) && !fault.message.is_empty())
    );
    assert!(fleet.notes.iter().all(|note| (1..=lines.max(1)).contains(&note.line)));
    let written = eft::write(&fleet.ships);
    let again = eft::read(&NAMES, &written);
    // Text that grew past what is read is not read again.
    if written.len() <= eft::MAX_BYTES && written.lines().count() <= eft::MAX_LINES && !written.is_empty() {
        assert_eq!(again.faults, [], "{written}");
        assert_eq!(eft::write(&again.ships), written);
    }
});
