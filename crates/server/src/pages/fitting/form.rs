//! The bay's form: what was filled in, and the slots to fill.

use std::fmt::Write;

use ongrid_engine_ongrid::{Catalogue, Hull, Module, Slot};
use serde_json::Value;

/// What was filled in.
#[derive(Debug)]
pub struct Filled {
    /// Fitting text.
    pub fleet: String,
    /// Id of the doctrine to meet.
    pub doctrine: String,
    /// Levels of the skills, in rules order.
    pub levels: Vec<u32>,
    /// Id of the hull to build on.
    pub hull: String,
    /// The built ship's name.
    name: String,
    /// Modules and their charges, as filled in.
    modules: Vec<(String, String)>,
    /// Whether the built ship is to join the fleet.
    add: bool,
}

/// The slots of a hull, to be filled.
#[derive(Debug)]
pub struct Builder {
    /// The hull.
    pub hull: &'static Hull,
    /// Its kinds of slots.
    pub racks: Vec<Rack>,
    /// Names of charges.
    pub charges: Vec<&'static str>,
}

/// Slots of a kind.
#[derive(Debug)]
pub struct Rack {
    /// `low`, `mid` or `high`.
    pub id: &'static str,
    /// How many there are.
    pub slots: u32,
    /// Whether its modules take charges.
    pub charged: bool,
    /// What fits.
    pub modules: Vec<&'static str>,
}

impl Filled {
    /// An empty form.
    pub fn empty(catalogue: &Catalogue) -> Self {
        Self {
            fleet: String::new(),
            doctrine: catalogue.doctrines.first().map_or("", |doctrine| doctrine.id).to_owned(),
            levels: vec![catalogue.rules.baseline(); catalogue.skills.len()],
            hull: String::new(),
            name: String::new(),
            modules: Vec::new(),
            add: false,
        }
    }

    /// The form as sent; fields that it does not have are passed over.
    pub fn read(fields: Vec<(String, String)>, catalogue: &Catalogue) -> Self {
        let mut form = Self::empty(catalogue);
        for (name, value) in fields {
            match &*name {
                "fleet" => form.fleet = value,
                "doctrine" => form.doctrine = value,
                "hull" => form.hull = value,
                "name" => form.name = value,
                "module" => form.modules.push((value, String::new())),
                "charge" => {
                    if let Some((_, charge)) = form.modules.last_mut() {
                        *charge = value;
                    }
                }
                "do" => form.add = value == "add",
                _ => form.read_skill(&name, &value, catalogue),
            }
        }
        form
    }

    fn read_skill(&mut self, name: &str, value: &str, catalogue: &Catalogue) {
        let skill = name.strip_prefix("skill-").and_then(|id| catalogue.skill(id));
        if let (Some(skill), Ok(level)) = (skill, value.parse()) {
            self.levels[skill] = level;
        }
    }

    /// Takes over the setup of a stored fight.
    pub fn load(&mut self, setup: &Value, fleet: String, catalogue: &Catalogue) {
        self.fleet = fleet;
        if let Some(doctrine) = setup["doctrine"].as_str() {
            self.doctrine = doctrine.to_owned();
        }
        for (level, skill) in self.levels.iter_mut().zip(&catalogue.skills) {
            if let Some(known) = setup["skills"][skill.id].as_u64() {
                *level = u32::try_from(known).unwrap_or(*level);
            }
        }
    }

    /// The skills as a setup has them.
    pub fn skills(&self, catalogue: &Catalogue) -> Value {
        let levels = catalogue.skills.iter().zip(&self.levels);
        levels.map(|(skill, level)| (skill.id.to_owned(), Value::from(*level))).collect()
    }

    /// Writes the built ship under the fleet, where that was asked for.
    pub fn add_built(&mut self, catalogue: &Catalogue) {
        let Some(hull) = catalogue.hull(&self.hull).filter(|_| self.add) else { return };
        let one_line = |text: &str| text.replace(['\r', '\n'], " ").trim().to_owned();
        let name = one_line(&self.name);
        let mut text = self.fleet.trim_end().to_owned();
        if !text.is_empty() {
            text.push_str("\n\n");
        }
        let _ = writeln!(text, "[{}, {}]", hull.name, if name.is_empty() { hull.name } else { &name });
        for (module, charge) in &self.modules {
            let (module, charge) = (one_line(module), one_line(charge));
            let _ = match (&*module, &*charge) {
                ("", _) => Ok(()),
                (module, "") => writeln!(text, "{module}"),
                (module, charge) => writeln!(text, "{module}, {charge}"),
            };
        }
        self.fleet = text;
        self.modules.clear();
        self.hull.clear();
    }
}

impl Builder {
    /// The slots of a hull.
    pub fn of(hull: &str, catalogue: &'static Catalogue) -> Option<Self> {
        let hull = catalogue.hull(hull)?;
        let rack = |id, slot: Slot| {
            let fits = |module: &&Module| {
                module.slot == slot && module.hardpoint.is_none_or(|point| hull.hardpoints(point) > 0)
            };
            let modules = catalogue.modules.iter().filter(fits);
            Rack {
                id,
                slots: hull.slots[slot as usize],
                charged: modules.clone().any(|module| !module.charge_groups.is_empty()),
                modules: modules.map(|module| module.name).collect(),
            }
        };
        Some(Self {
            hull,
            racks: vec![rack("high", Slot::High), rack("mid", Slot::Mid), rack("low", Slot::Low)],
            charges: catalogue.charges.iter().map(|charge| charge.name).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ongrid_engine_ongrid::OnGrid;

    #[test]
    fn a_built_ship_joins_the_fleet() {
        let catalogue = OnGrid::new().unwrap().catalogue();
        let fields = [
            ("fleet", "[Slasher, a]\r\nDamage Control I\r\n"),
            ("doctrine", "minmatar-line"),
            ("skill-tank", "5"),
            ("skill-nothing", "5"),
            ("hull", "rifter"),
            ("name", "b\nEvil Module"),
            ("module", "200mm AutoCannon I"),
            ("charge", "EMP S"),
            ("module", ""),
            ("charge", ""),
            ("module", "Damage Control I"),
            ("do", "add"),
        ];
        let fields = fields.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        let mut form = Filled::read(fields, catalogue);
        assert_eq!((form.levels[3], form.levels[0], &*form.doctrine), (5, 3, "minmatar-line"));
        form.add_built(catalogue);
        assert_eq!(
            form.fleet,
            "[Slasher, a]\r\nDamage Control I\n\n[Rifter, b Evil Module]\n200mm AutoCannon I, EMP S\nDamage Control I\n"
        );
        assert!(form.hull.is_empty());
    }

    #[test]
    fn only_what_can_be_mounted_is_offered() {
        let catalogue = OnGrid::new().unwrap().catalogue();
        let unarmed = catalogue.hulls.iter().find(|hull| hull.turrets == 0).unwrap();
        let builder = Builder::of(unarmed.id, catalogue).unwrap();
        assert!(!builder.racks[0].modules.iter().any(|name| name.contains("AutoCannon")));
        assert!(builder.racks[0].modules.contains(&"Large Remote Armor Repairer I"));
        assert!(!builder.racks[2].charged && builder.racks[1].charged);
        assert!(Builder::of("rifter2", catalogue).is_none());
    }
}
