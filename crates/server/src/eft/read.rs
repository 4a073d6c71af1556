//! Reading EFT text.

use ongrid_engine_ongrid::{Charge, MAX_LABEL};

use crate::eft::names::{Names, fold};
use crate::eft::unmodelled::{Kind, classify};
use crate::eft::{Fault, Fleet, Group, MAX_BYTES, MAX_LINES, Note, Renamed, Ship};

/// How many faults are told with the names nearest to them; finding those takes a while.
const SEARCHES: usize = 40;
/// Longest piece of a line that an answer repeats, in characters.
const MAX_TOLD: usize = 120;

/// Reads a text of any number of fits. A text that is too long is one fault.
pub fn read(names: &Names, text: &str) -> Fleet {
    let mut reader = Reader { names, fleet: Fleet::default(), line: 0, searches: 0, in_mutation: false };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    if text.len() > MAX_BYTES || text.lines().count() > MAX_LINES {
        reader.line = 1;
        let message = format!("a fleet is at most {} KiB and {MAX_LINES} lines", MAX_BYTES / 1024);
        reader.fault("", message, Vec::new());
        return reader.fleet;
    }
    for line in text.lines() {
        reader.line += 1;
        reader.read_line(line);
    }
    if reader.fleet.ships.is_empty() && reader.fleet.faults.is_empty() {
        reader.line = reader.line.max(1);
        reader.fault("", "there is no fit here; one begins with a line [Hull, Name]".to_owned(), Vec::new());
    }
    reader.fleet
}

struct Reader<'a> {
    names: &'a Names,
    fleet: Fleet,
    line: usize,
    searches: usize,
    /// Whether the lines of a mutation's footnote go on.
    in_mutation: bool,
}

/// A line that names a module, taken apart.
struct Item<'a> {
    name: &'a str,
    charge: Option<&'a str>,
    quantity: Option<u32>,
    offline: bool,
    mutated: bool,
}

impl Reader<'_> {
    fn read_line(&mut self, line: &str) {
        let indented = line.starts_with([' ', '\t']);
        let text = line.trim();
        if text.is_empty() {
            self.in_mutation = false;
        } else if let Some(inside) = text.strip_prefix('[') {
            self.read_bracket(text, inside);
        } else if self.in_mutation && (indented || text.contains("Mutaplasmid")) {
            self.note(text, Kind::Mutation);
        } else if self.fleet.ships.is_empty() {
            let message = "this stands before the first line [Hull, Name]".to_owned();
            self.fault(text, message, Vec::new());
        } else {
            self.in_mutation = false;
            self.read_item(text, &split(text));
        }
    }

    /// `[Hull, Name]`, `[Empty High slot]` or a mutation's footnote, `[1] Module`.
    fn read_bracket(&mut self, text: &str, inside: &str) {
        let number = inside.split(']').next().unwrap_or_default();
        if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) {
            self.in_mutation = true;
            return self.note(text, Kind::Mutation);
        }
        self.in_mutation = false;
        let Some(inside) = inside.strip_suffix(']') else {
            return self.fault(text, "a header ends with ]".to_owned(), Vec::new());
        };
        let folded = fold(inside);
        if folded.starts_with("empty ") && folded.ends_with(" slot") && !inside.contains(',') {
            if self.fleet.ships.is_empty() {
                let message = "this stands before the first line [Hull, Name]".to_owned();
                self.fault(text, message, Vec::new());
            }
            return;
        }
        let (hull, name) = inside.split_once(',').unwrap_or((inside, ""));
        let known = self.names.hull(hull);
        if known.is_none() {
            let nearest = self.search(|names| names.nearest_hulls(hull));
            self.fault(hull.trim(), "there is no such hull in this ruleset".to_owned(), nearest);
        }
        let name = self.label(name.trim());
        self.fleet.ships.push(Ship { line: self.line, hull: known, name, groups: Vec::new() });
    }

    /// A name as a label may be (ongrid-8 §15).
    fn label(&mut self, name: &str) -> String {
        let label: String = name.chars().filter(|letter| !letter.is_control()).take(MAX_LABEL).collect();
        // Where it was cut there may be a space.
        let label = label.trim().to_owned();
        if label != name {
            self.note(name, Kind::Name);
        }
        label
    }

    fn read_item(&mut self, text: &str, item: &Item<'_>) {
        let fitted = item.quantity.is_none() || item.charge.is_some();
        if !fitted {
            // A quantity without a charge is what EVE writes for drones and for the hold.
            let kind = classify(&fold(item.name), self.names).filter(|kind| *kind == Kind::Drone);
            return self.note(text, kind.unwrap_or(Kind::Cargo));
        }
        let Some((module, renamed)) = self.names.module(item.name) else {
            return self.read_stranger(text, item);
        };
        if renamed {
            self.renamed(item.name, module.name);
        }
        if item.offline {
            return self.note(text, Kind::Offline);
        }
        if item.mutated {
            self.note(text, Kind::Mutation);
        }
        let charge = item.charge.and_then(|charge| self.read_charge(charge));
        let (line, count) = (self.line, item.quantity.unwrap_or(1));
        let Some(ship) = self.fleet.ships.last_mut() else { return };
        Group { line, module, charge, count }.put_into(&mut ship.groups);
    }

    /// A name that is no module: a loose charge, something not modelled, or nothing.
    fn read_stranger(&mut self, text: &str, item: &Item<'_>) {
        if self.names.charge(item.name).is_some() || self.names.hull(item.name).is_some() {
            return self.note(text, Kind::Cargo);
        }
        if let Some(kind) = classify(&fold(item.name), self.names) {
            return self.note(text, kind);
        }
        let nearest = self.search(|names| names.nearest_items(item.name));
        self.fault(item.name, "there is no such module or charge in this ruleset".to_owned(), nearest);
    }

    fn read_charge(&mut self, name: &str) -> Option<&'static Charge> {
        if let Some((charge, renamed)) = self.names.charge(name) {
            if renamed {
                self.renamed(name, charge.name);
            }
            return Some(charge);
        }
        if classify(&fold(name), self.names).is_some() {
            self.note(name, Kind::Charge);
            return None;
        }
        let nearest = self.search(|names| names.nearest_charges(name));
        self.fault(name, "there is no such charge in this ruleset".to_owned(), nearest);
        None
    }

    fn search(&mut self, nearest: impl FnOnce(&Names) -> Vec<&'static str>) -> Vec<&'static str> {
        self.searches += 1;
        if self.searches > SEARCHES { Vec::new() } else { nearest(self.names) }
    }

    fn note(&mut self, text: &str, kind: Kind) {
        let (line, message) = (self.line, kind.message().to_owned());
        self.fleet.notes.push(Note { line, text: told(text), kind, message });
    }

    fn renamed(&mut self, from: &str, to: &'static str) {
        self.fleet.renamed.push(Renamed { line: self.line, from: told(from), to });
    }

    fn fault(&mut self, text: &str, message: String, nearest: Vec<&'static str>) {
        self.fleet.faults.push(Fault { line: self.line, text: told(text), message, nearest });
    }
}

/// Takes `Module, Charge /OFFLINE [1]` and `Thing x5` apart; the text is trimmed.
fn split(text: &str) -> Item<'_> {
    let (mut rest, mut offline, mut mutated, mut quantity) = (text, false, false, None);
    loop {
        rest = rest.trim_end();
        if let Some((head, tail)) = rest.rsplit_once(char::is_whitespace) {
            if tail.eq_ignore_ascii_case("/offline") {
                (offline, rest) = (true, head);
                continue;
            }
            let number = tail.strip_prefix('[').and_then(|tail| tail.strip_suffix(']'));
            if number.is_some_and(|number| number.parse::<u32>().is_ok()) {
                (mutated, rest) = (true, head);
                continue;
            }
            let number = tail.strip_prefix(['x', 'X']).filter(|number| !number.is_empty());
            if quantity.is_none()
                && let Some(number) = number
                && number.bytes().all(|byte| byte.is_ascii_digit())
            {
                quantity = Some(number.parse().unwrap_or(u32::MAX));
                rest = head;
                continue;
            }
        }
        break;
    }
    let (name, charge) = match rest.split_once(',') {
        Some((name, charge)) => (name.trim(), Some(charge.trim()).filter(|charge| !charge.is_empty())),
        None => (rest, None),
    };
    Item { name, charge, quantity, offline, mutated }
}

fn told(text: &str) -> String {
    match text.char_indices().nth(MAX_TOLD) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
