//! The setup of a replay: doctrine, skills and the pilot's fleet (§15).

use std::borrow::Cow;
use std::ops::Range;

use ongrid_engine::json::{self, Reader, Word, once, required, unknown, word};
use ongrid_engine::{Rejection, Result, Seed};
use serde::Serialize;
use serde::ser::{SerializeMap, SerializeSeq, Serializer};

use crate::catalogue::{Catalogue, Charge, Doctrine, Hull, Module};
use crate::rules::SKILLS;

/// Most groups a ship may list (http-api, "Limits"); no hull has as many slots.
pub const MAX_GROUPS: usize = 24;
/// Longest label, in Unicode scalar values (§15).
pub const MAX_LABEL: usize = 64;

/// What an id on the wire stands for.
#[derive(Debug)]
pub(crate) enum Named<T: 'static> {
    /// In the catalogue.
    Known(&'static T),
    /// Not in the catalogue: its place among the setup's strangers.
    Unknown(usize),
}

impl<T> Clone for Named<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Named<T> {}

/// The number of what is not in the catalogue; ids are fewer.
const UNKNOWN: u64 = 0xFFFF;

impl<T> Named<T> {
    fn number(self, of: impl Fn(&T) -> usize) -> u64 {
        match self {
            Self::Known(known) => of(known) as u64,
            Self::Unknown(_) => UNKNOWN,
        }
    }
}

/// A setup as read: its shape is right, its legality is judged by [`ongrid_engine::Engine::check`]. Labels are
/// checked and left out.
#[derive(Clone, Debug)]
pub struct Setup {
    pub(crate) catalogue: &'static Catalogue,
    pub(crate) doctrine: Named<Doctrine>,
    pub(crate) skills: [Option<u32>; SKILLS],
    /// The first skill that is none of the six.
    pub(crate) unknown_skill: Option<Box<str>>,
    pub(crate) ships: Vec<SetupShip>,
    pub(crate) groups: Vec<SetupGroup>,
    /// Ids that are not in the catalogue.
    pub(crate) strangers: Vec<Box<str>>,
}

/// A ship of a setup.
#[derive(Clone, Debug)]
pub(crate) struct SetupShip {
    pub hull: Named<Hull>,
    /// Its groups among all of the setup's.
    pub groups: Range<usize>,
}

/// A group of a setup.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SetupGroup {
    pub module: Named<Module>,
    pub charge: Option<Named<Charge>>,
    pub count: u32,
}

impl Setup {
    /// Reads a setup; faults carry the path from the setup's root.
    pub(crate) fn read(catalogue: &'static Catalogue, json: &mut Reader<'_>) -> Result<Self> {
        let mut setup = Self {
            catalogue,
            doctrine: Named::Unknown(0),
            skills: [None; SKILLS],
            unknown_skill: None,
            ships: Vec::with_capacity(8),
            groups: Vec::with_capacity(64),
            strangers: Vec::new(),
        };
        let (mut doctrine, mut skills, mut fleet) = (None, None, None);
        json.object(|json, key| match key {
            "doctrine" => once(&mut doctrine, setup.read_doctrine(json)?),
            "skills" => once(&mut skills, setup.read_skills(json)?),
            "fleet" => once(&mut fleet, json.array(|json, _| setup.read_ship(json))?),
            _ => Err(unknown()),
        })?;
        setup.doctrine = required(doctrine, "doctrine")?;
        required(skills, "skills")?;
        required(fleet, "fleet")?;
        Ok(setup)
    }

    fn read_doctrine(&mut self, json: &mut Reader<'_>) -> Result<Named<Doctrine>> {
        let id = json.string()?;
        Ok(self.named(self.catalogue.doctrine(&id), id))
    }

    fn read_skills(&mut self, json: &mut Reader<'_>) -> Result<()> {
        let mut strangers: Vec<Box<str>> = Vec::new();
        json.object(|json, key| {
            let level = json.u32()?;
            match self.catalogue.skill(key) {
                Some(skill) => once(&mut self.skills[skill], level),
                None => {
                    strangers.push(key.into());
                    Ok(())
                }
            }
        })?;
        json::no_duplicates(strangers.iter().map(|name| &**name))?;
        self.unknown_skill = strangers.into_iter().next();
        Ok(())
    }

    fn read_ship(&mut self, json: &mut Reader<'_>) -> Result<()> {
        let (mut hull, mut label, mut fit) = (None, None, None);
        json.fields(|json, key| match key {
            HULL => {
                let id = json.string()?;
                once(&mut hull, self.named(self.catalogue.hull(&id), id))
            }
            FIT => {
                let first = self.groups.len();
                json.array(|json, index| self.read_group(json, index))?;
                once(&mut fit, first..self.groups.len())
            }
            NAME => once(&mut label, check_label(&json.string()?)?),
            _ => Err(unknown()),
        })?;
        self.ships.push(SetupShip { hull: required(hull, "hull")?, groups: required(fit, "fit")? });
        Ok(())
    }

    fn read_group(&mut self, json: &mut Reader<'_>, index: usize) -> Result<()> {
        if index >= MAX_GROUPS {
            return Err(too_many_groups());
        }
        let (mut module, mut charge, mut count) = (None, None, None);
        json.fields(|json, key| match key {
            MODULE => {
                let id = json.string()?;
                once(&mut module, self.named(self.catalogue.module(&id), id))
            }
            CHARGE => {
                let id = json.string()?;
                once(&mut charge, self.named(self.catalogue.charge(&id), id))
            }
            COUNT => once(&mut count, json.u32()?),
            _ => Err(unknown()),
        })?;
        self.groups.push(SetupGroup {
            module: required(module, "module")?,
            charge,
            count: required(count, "count")?,
        });
        Ok(())
    }

    #[inline]
    fn named<T>(&mut self, known: Option<&'static T>, id: Cow<'_, str>) -> Named<T> {
        match known {
            Some(known) => Named::Known(known),
            None => {
                self.strangers.push(id.into());
                Named::Unknown(self.strangers.len() - 1)
            }
        }
    }

    /// The text of an id that is not in the catalogue.
    pub(crate) fn stranger(&self, number: usize) -> &str {
        self.strangers.get(number).map_or("", |id| id)
    }

    /// The id of the doctrine.
    pub fn doctrine(&self) -> &str {
        match self.doctrine {
            Named::Known(doctrine) => doctrine.id,
            Named::Unknown(number) => self.stranger(number),
        }
    }

    /// The skills that are given, as id and level, in rules order.
    pub fn skills(&self) -> impl Iterator<Item = (&'static str, u32)> {
        self.catalogue.skills.iter().zip(self.skills).filter_map(|(skill, level)| Some((skill.id, level?)))
    }

    /// The content of the setup as numbers: equal for setups that are equal but for labels, and for a legal setup equal
    /// to those of no other.
    pub(crate) fn words(&self) -> impl Iterator<Item = u64> {
        let skills = self.skills.map(|level| level.map_or(u64::MAX, u64::from).min(0xFF));
        let skills = skills.into_iter().fold(0, |word, level| word << 8 | level);
        // Unknown skills and ids are legal nowhere; their words need only differ from those of the known.
        let doctrine =
            if self.unknown_skill.is_some() { UNKNOWN } else { self.doctrine.number(|it| it.number) };
        let ships = self.ships.iter().flat_map(|ship| {
            let groups = &self.groups[ship.groups.clone()];
            let hull = ship.hull.number(|it| it.number) << 16 | groups.len() as u64;
            std::iter::once(hull).chain(groups.iter().map(|group| {
                let charge = group.charge.map_or(UNKNOWN - 1, |charge| charge.number(|it| it.number));
                group.module.number(|it| it.number) << 48 | charge << 32 | u64::from(group.count)
            }))
        });
        std::iter::once(doctrine << 48 | skills).chain(ships)
    }

    /// Appends the canonical JSON of the setup, doctrine, fleet and skills: what serialising a legal setup gives, put
    /// together from the text that the catalogue holds ready. Answers where the fleet stands.
    fn write_canonical(&self, out: &mut Vec<u8>) -> Range<usize> {
        out.extend_from_slice(b"{\"doctrine\":\"");
        out.extend_from_slice(self.doctrine().as_bytes());
        out.extend_from_slice(b"\"");
        out.extend_from_slice(TO_FLEET);
        let fleet = out.len();
        out.push(b'[');
        for (index, ship) in self.ships.iter().enumerate() {
            out.extend_from_slice(if index == 0 { b"{\"fit\":[" } else { b",{\"fit\":[" });
            for (index, group) in self.groups[ship.groups.clone()].iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                match group.charge {
                    Some(Named::Known(charge)) => charge.canonical.push_to(out),
                    _ => out.push(b'{'),
                }
                out.extend_from_slice(b"\"count\":");
                push_integer(out, group.count);
                if let Named::Known(module) = group.module {
                    module.canonical.push_to(out);
                }
            }
            out.extend_from_slice(b"],\"hull\":\"");
            if let Named::Known(hull) = ship.hull {
                out.extend_from_slice(hull.id.as_bytes());
            }
            out.extend_from_slice(b"\"}");
        }
        out.push(b']');
        let fleet = fleet..out.len();
        out.extend_from_slice(b",\"skills\":");
        let mut comma: &[u8] = b"{\"";
        for skill in BY_NAME {
            if let Some(level) = self.skills[skill] {
                out.extend_from_slice(comma);
                out.extend_from_slice(self.catalogue.skills[skill].id.as_bytes());
                out.extend_from_slice(b"\":");
                push_integer(out, level);
                comma = b",\"";
            }
        }
        out.extend_from_slice(if comma == b",\"" { b"}}" } else { b"{}}" });
        fleet
    }
}

/// What stands before the fleet of a canonical setup.
const TO_FLEET: &[u8] = b",\"fleet\":";

/// The canonical form of a legal setup, and where in it the fleet stands.
#[derive(Debug)]
pub(crate) struct Canonical {
    bytes: Vec<u8>,
    fleet: Range<usize>,
}

impl Canonical {
    pub fn new(setup: &Setup) -> Self {
        let mut bytes = Vec::with_capacity(2048);
        let fleet = setup.write_canonical(&mut bytes);
        Self { bytes, fleet }
    }

    /// The whole form.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Appends the fleet.
    pub fn write_fleet(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.bytes[self.fleet.clone()]);
    }

    /// Appends what `c₀` is computed over (§14): the canonical JSON of doctrine, engine, fleet, seed and skills.
    pub fn write_start(&self, seed: &Seed, out: &mut Vec<u8>) {
        let (head, rest) = self.bytes.split_at(self.fleet.start.saturating_sub(TO_FLEET.len()));
        let (fleet, skills) = rest.split_at(self.fleet.end - head.len());
        out.extend_from_slice(head);
        out.extend_from_slice(b",\"engine\":\"ongrid-8\"");
        out.extend_from_slice(fleet);
        out.extend_from_slice(b",\"seed\":\"");
        seed.write_hex(out);
        out.push(b'"');
        out.extend_from_slice(skills);
    }
}

const HULL: Word = word("hull");
const FIT: Word = word("fit");
const NAME: Word = word("name");
const MODULE: Word = word("module");
const CHARGE: Word = word("charge");
const COUNT: Word = word("count");

/// The skills in the order of their ids.
const BY_NAME: [usize; SKILLS] = [5, 0, 2, 1, 4, 3];

fn push_integer(out: &mut Vec<u8>, integer: u32) {
    if let Ok(digit) = u8::try_from(integer)
        && digit < 10
    {
        out.push(b'0' + digit);
    } else {
        out.extend_from_slice(integer.to_string().as_bytes());
    }
}

/// A label has at most 64 Unicode scalar values and none of category Cc (§15).
fn check_label(label: &str) -> Result<()> {
    if label.chars().count() > MAX_LABEL {
        return Err(Rejection::format(format!("a label has at most {MAX_LABEL} characters")));
    }
    if label.chars().any(char::is_control) {
        return Err(Rejection::format("a label has no control characters"));
    }
    Ok(())
}

#[cold]
fn too_many_groups() -> Rejection {
    Rejection::new("limit", format!("a ship lists at most {MAX_GROUPS} groups")).with_path("")
}

/// Canonical form: members in the order of their names, without labels.
impl Serialize for Setup {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("doctrine", self.doctrine())?;
        map.serialize_entry("fleet", &Fleet(self))?;
        map.serialize_entry("skills", &Skills(self))?;
        map.end()
    }
}

struct Fleet<'a>(&'a Setup);

impl Serialize for Fleet<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(Some(self.0.ships.len()))?;
        for ship in &self.0.ships {
            seq.serialize_element(&Ship(self.0, ship))?;
        }
        seq.end()
    }
}

struct Ship<'a>(&'a Setup, &'a SetupShip);

impl Serialize for Ship<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(setup, ship) = self;
        let mut map = serializer.serialize_map(Some(2))?;
        let groups = setup.groups.get(ship.groups.clone()).unwrap_or_default();
        map.serialize_entry("fit", &Groups(setup, groups))?;
        match ship.hull {
            Named::Known(hull) => map.serialize_entry("hull", hull.id)?,
            Named::Unknown(number) => map.serialize_entry("hull", setup.stranger(number))?,
        }
        map.end()
    }
}

struct Groups<'a>(&'a Setup, &'a [SetupGroup]);

impl Serialize for Groups<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(Some(self.1.len()))?;
        for group in self.1 {
            seq.serialize_element(&Group(self.0, group))?;
        }
        seq.end()
    }
}

struct Group<'a>(&'a Setup, &'a SetupGroup);

impl Serialize for Group<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(setup, group) = self;
        let mut map = serializer.serialize_map(None)?;
        match group.charge {
            None => {}
            Some(Named::Known(charge)) => map.serialize_entry("charge", charge.id)?,
            Some(Named::Unknown(number)) => map.serialize_entry("charge", setup.stranger(number))?,
        }
        map.serialize_entry("count", &group.count)?;
        match group.module {
            Named::Known(module) => map.serialize_entry("module", module.id)?,
            Named::Unknown(number) => map.serialize_entry("module", setup.stranger(number))?,
        }
        map.end()
    }
}

struct Skills<'a>(&'a Setup);

impl Serialize for Skills<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for skill in BY_NAME {
            if let Some(level) = self.0.skills[skill] {
                map.serialize_entry(self.0.catalogue.skills[skill].id, &level)?;
            }
        }
        map.end()
    }
}
