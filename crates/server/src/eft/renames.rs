//! Names that modules and charges had before EVE renamed them.

/// Whole names that became others. All as [`super::names`] folds them.
const NAMES: &[(&str, &str)] = &[
    ("internal force field array i", "iffa compact damage control"),
    ("emergency damage control i", "iffa compact damage control"),
    ("f85 peripheral damage system i", "iffa compact damage control"),
    ("pseudoelectron containment field i", "iffa compact damage control"),
    ("counterbalanced weapon mounts i", "counterbalanced compact gyrostabilizer"),
    ("cross-lateral gyrostabilizer i", "counterbalanced compact gyrostabilizer"),
    ("pneumatic stabilization actuator i", "counterbalanced compact gyrostabilizer"),
    ("extruded heat sink i", "extruded compact heat sink"),
    ("magnetic vortex stabilizer i", "vortex compact magnetic field stabilizer"),
    ("cross-linked bolt array i", "crosslink compact ballistic control system"),
    ("muon coil bolt array i", "crosslink compact ballistic control system"),
    ("multiphasic bolt array i", "crosslink compact ballistic control system"),
    ("fourier transform tracking program", "fourier compact tracking enhancer"),
    ("optical tracking computer i", "optical compact tracking computer"),
    ("f-12 nonlinear tracking processor", "f-12 enduring tracking computer"),
    ("x5 prototype engine enervator", "x5 enduring stasis webifier"),
    ("'langour' drive disruptor i", "x5 enduring stasis webifier"),
    ("fleeting propulsion inhibitor i", "fleeting compact stasis webifier"),
    ("patterned stasis web i", "fleeting compact stasis webifier"),
    ("peripheral weapon navigation diameter", "peripheral compact target painter"),
    ("parallel weapon navigation transmitter", "parallel enduring target painter"),
    ("f-392 baker nunn tracking disruptor i", "baker nunn enduring tracking disruptor i"),
    ("balmer series tracking disruptor i", "balmer series compact tracking disruptor i"),
    ("ddo photometry tracking disruptor i", "ddo scoped tracking disruptor i"),
    ("low frequency sensor suppressor i", "lft enduring sensor dampener"),
    ("kapteyn sensor array inhibitor i", "kapteyn compact sensor dampener"),
    ("ecm - ion field projector i", "magnetometric ecm i"),
    ("ecm - ion field projector ii", "magnetometric ecm ii"),
    ("ecm - spatial destabilizer i", "gravimetric ecm i"),
    ("ecm - spatial destabilizer ii", "gravimetric ecm ii"),
    ("ecm - white noise generator i", "radar ecm i"),
    ("ecm - white noise generator ii", "radar ecm ii"),
    ("ecm - phase inverter i", "ladar ecm i"),
    ("ecm - phase inverter ii", "ladar ecm ii"),
    ("ecm - multispectral jammer i", "multispectral ecm i"),
    ("ecm - multispectral jammer ii", "multispectral ecm ii"),
    ("compulsive ion field ecm i", "aergia compact magnetometric ecm"),
    ("cz-4 concussive spatial destabilizer ecm", "cz-4 compact gravimetric ecm"),
    ("'shade' white noise ecm", "shade compact radar ecm"),
    ("halting phase inversion ecm i", "halting compact ladar ecm"),
    ("induced multispectral ecm i", "induced compact multispectral ecm"),
    ("dread guristas ecm multispectral jammer", "dread guristas multispectral ecm"),
    ("legion ecm ion field projector", "legion magnetometric ecm"),
    ("legion ecm spatial destabilizer", "legion gravimetric ecm"),
    ("legion ecm white noise generator", "legion radar ecm"),
    ("legion ecm phase inverter", "legion ladar ecm"),
    ("small 'gremlin' power core disruptor i", "small gremlin compact energy neutralizer"),
    ("medium 'gremlin' power core disruptor i", "medium gremlin compact energy neutralizer"),
    ("heavy 'gremlin' power core disruptor i", "heavy gremlin compact energy neutralizer"),
    ("small 'ghoul' energy siphon i", "small ghoul compact energy nosferatu"),
    ("medium 'ghoul' energy siphon i", "medium ghoul compact energy nosferatu"),
    ("heavy 'ghoul' energy siphon i", "heavy ghoul compact energy nosferatu"),
    ("small nosferatu i", "small energy nosferatu i"),
    ("small nosferatu ii", "small energy nosferatu ii"),
    ("medium nosferatu i", "medium energy nosferatu i"),
    ("medium nosferatu ii", "medium energy nosferatu ii"),
    ("heavy nosferatu i", "heavy energy nosferatu i"),
    ("heavy nosferatu ii", "heavy energy nosferatu ii"),
    ("small coaxial remote armor repairer", "small coaxial compact remote armor repairer"),
    ("medium coaxial remote armor repairer", "medium coaxial compact remote armor repairer"),
    ("large coaxial remote armor repairer", "large coaxial compact remote armor repairer"),
    ("medium 'solace' remote armor repairer", "medium solace scoped remote armor repairer"),
    ("small murky remote shield booster", "small murky compact remote shield booster"),
    ("medium murky remote shield booster", "medium murky compact remote shield booster"),
    ("large murky remote shield booster", "large murky compact remote shield booster"),
    ("large s95a remote shield booster", "large s95a scoped remote shield booster"),
    ("small f-rx prototype capacitor boost", "small f-rx compact capacitor booster"),
    ("medium f-rx prototype capacitor boost", "medium f-rx compact capacitor booster"),
    ("heavy f-rx prototype capacitor boost", "heavy f-rx compact capacitor booster"),
    ("small electrochemical capacitor booster i", "small f-rx compact capacitor booster"),
    ("medium electrochemical capacitor booster i", "medium f-rx compact capacitor booster"),
    ("heavy electrochemical capacitor booster i", "heavy f-rx compact capacitor booster"),
    ("c-ir compact guidance disruptor i", "c-ir compact guidance disruptor"),
    ("highstroke scoped guidance disruptor i", "highstroke scoped guidance disruptor"),
    ("a-211 enduring guidance disruptor i", "a-211 enduring guidance disruptor"),
    ("micro 'vigor' core augmentation", "vigor compact micro auxiliary power core"),
    ("navy micro auxiliary power core", "vigor compact micro auxiliary power core"),
    ("compact light missile launcher", "arbalest compact light missile launcher"),
];

/// Parts of names that became others, in the order in which they are tried; a name may need several.
const PARTS: &[(&str, &str)] = &[
    ("thermic", "thermal"),
    // Shield hardeners were "fields" of several makes.
    ("limited 'anointed' em ward field", "compact em shield hardener"),
    ("limited adaptive invulnerability field i", "compact multispectrum shield hardener"),
    ("limited kinetic deflection field i", "compact kinetic shield hardener"),
    ("limited explosive deflection field i", "compact explosive shield hardener"),
    ("limited thermal dissipation field i", "compact thermal shield hardener"),
    ("adaptive invulnerability field", "multispectrum shield hardener"),
    ("adaptive invulnerability shield hardener", "multispectrum shield hardener"),
    ("em ward field", "em shield hardener"),
    ("kinetic deflection field", "kinetic shield hardener"),
    ("explosive deflection field", "explosive shield hardener"),
    ("thermal dissipation field", "thermal shield hardener"),
    ("invulnerability field", "multispectrum shield hardener"),
    ("photon scattering field", "em shield hardener"),
    ("ballistic deflection field", "kinetic shield hardener"),
    ("explosion dampening field", "explosive shield hardener"),
    ("heat dissipation field", "thermal shield hardener"),
    ("anti-em shield hardener", "em shield hardener"),
    ("anti-kinetic shield hardener", "kinetic shield hardener"),
    ("anti-explosive shield hardener", "explosive shield hardener"),
    ("anti-thermal shield hardener", "thermal shield hardener"),
    ("em ward amplifier", "em shield amplifier"),
    ("kinetic deflection amplifier", "kinetic shield amplifier"),
    ("explosive deflection amplifier", "explosive shield amplifier"),
    ("thermal dissipation amplifier", "thermal shield amplifier"),
    // Armor.
    ("prototype armor em hardener", "prototype compact em armor hardener"),
    ("prototype armor kinetic hardener", "prototype compact kinetic armor hardener"),
    ("prototype armor explosive hardener", "prototype compact explosive armor hardener"),
    ("prototype armor thermal hardener", "prototype compact thermal armor hardener"),
    ("experimental armor kinetic hardener", "experimental enduring kinetic armor hardener"),
    ("experimental armor thermal hardener", "experimental enduring thermal armor hardener"),
    ("armor em hardener", "em armor hardener"),
    ("armor kinetic hardener", "kinetic armor hardener"),
    ("armor explosive hardener", "explosive armor hardener"),
    ("armor thermal hardener", "thermal armor hardener"),
    ("energized adaptive nano membrane", "multispectrum energized membrane"),
    ("energized em membrane", "em energized membrane"),
    ("energized kinetic membrane", "kinetic energized membrane"),
    ("energized explosive membrane", "explosive energized membrane"),
    ("energized thermal membrane", "thermal energized membrane"),
    ("adaptive nano plating", "multispectrum coating"),
    ("em plating", "em coating"),
    ("kinetic plating", "kinetic coating"),
    ("explosive plating", "explosive coating"),
    ("thermal plating", "thermal coating"),
    ("reinforced rolled tungsten plates i", "rolled tungsten compact plates"),
    ("reinforced crystalline carbonide plates i", "crystalline carbonide restrained plates"),
    ("reinforced steel plates", "steel plates"),
    // Logistics and launchers.
    ("shield transporter", "remote shield booster"),
    ("remote armor repair system", "remote armor repairer"),
    ("standard missile launcher", "light missile launcher"),
    ("siege missile launcher", "torpedo launcher"),
    // What an entry above made of a prototype.
    ("prototype multispectrum energized membrane i", "compact multispectrum energized membrane"),
    ("prototype em energized membrane i", "compact em energized membrane"),
    ("prototype kinetic energized membrane i", "compact kinetic energized membrane"),
    ("prototype explosive energized membrane i", "compact explosive energized membrane"),
    ("prototype thermal energized membrane i", "compact thermal energized membrane"),
];

/// Missiles had a name for each size and damage.
const MISSILES: &[(&str, &str)] = &[
    ("bloodclaw", "scourge"),
    ("flameburst", "inferno"),
    ("sabretooth", "mjolnir"),
    ("piranha", "nova"),
    ("thorn", "scourge"),
    ("foxfire", "inferno"),
    ("gremlin", "mjolnir"),
    ("phalanx", "nova"),
    ("widowmaker", "inferno"),
    ("thunderbolt", "mjolnir"),
    ("havoc", "nova"),
    ("wrath", "scourge"),
    ("cataclysm", "inferno"),
    ("paradise", "mjolnir"),
    ("devastator", "nova"),
];

/// The name that something has today, of an old one, both folded; `known` says whether a name is one of today's.
pub(super) fn today(old: &str, known: impl Fn(&str) -> bool) -> Option<String> {
    if let Some((_, name)) = NAMES.iter().find(|(name, _)| *name == old)
        && known(name)
    {
        return Some((*name).to_owned());
    }
    let mut name = old.to_owned();
    for (part, today) in PARTS.iter().chain(MISSILES) {
        if let Some(at) = name.find(part) {
            name.replace_range(at..at + part.len(), today);
            if known(&name) {
                return Some(name);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eft::names::fold;
    use ongrid_engine_ongrid::OnGrid;

    #[test]
    fn every_rename_leads_to_a_name_of_today() {
        let engine = OnGrid::new().unwrap();
        let catalogue = engine.catalogue();
        let names = catalogue.modules.iter().map(|module| module.name);
        let names: Vec<String> =
            names.chain(catalogue.charges.iter().map(|charge| charge.name)).map(fold).collect();
        for (old, name) in NAMES {
            assert!(names.iter().any(|known| known == name), "{old}: nothing is called {name}");
            assert!(!names.iter().any(|known| known == old), "{old} is a name of today");
        }
        for (old, part) in PARTS.iter().chain(MISSILES) {
            assert!(names.iter().any(|known| known.contains(part)), "{old}: nothing has {part} in its name");
        }
    }
}
