//! The list of engines. One line each; engine-wasm has the same list and a test holds the two equal.

use ongrid_engine::{Referee, Registry, RulesetError};
use ongrid_engine_empire::Empire;
use ongrid_engine_mecha::MechaBattle;
use ongrid_engine_minds::MindCombat;
use ongrid_engine_ongrid::OnGrid;

/// Every engine that this build has.
///
/// # Errors
/// Where the embedded data of one are not those that its tag stands for.
pub fn registry() -> Result<Registry, RulesetError> {
    let referees: Vec<Box<dyn Referee>> = vec![
        Box::new(OnGrid::new()?),
        Box::new(Empire::new()?),
        Box::new(MindCombat::new()?),
        Box::new(MechaBattle::new()?),
    ];
    Ok(Registry::new(referees))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Clients run the engines that the service has, with the same data.
    #[test]
    fn clients_have_the_same_engines() {
        let tags = |referee: &dyn Referee| (referee.tag(), referee.ruleset().digest());
        let ours = registry().unwrap();
        let ours: Vec<_> = ours.iter().map(tags).collect();
        let theirs = ongrid_engine_wasm::engines().unwrap();
        let theirs: Vec<_> = theirs.iter().map(|host| tags(&*host.referee())).collect();
        assert_eq!(ours, theirs);
    }
}
