//! A disk that takes no more.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::audit::audit;
use crate::load::{Load, agent, await_ready, free_fight, post, register, status};
use crate::service::{Place, Service, free_address};

/// The embedded database may not grow beyond a limit: to the service it is a full disk. Then there is room again.
#[test]
fn the_disk_is_full_for_a_while() {
    let place = Place::sqlite();
    let players = register(&place, 4);
    let blocks = std::fs::metadata(place.directory.path().join("ongrid.db")).unwrap().len() / 1024 + 200;
    let mut command = Command::new("sh");
    let limited = format!("trap '' XFSZ; ulimit -S -f {blocks}; exec \"$@\"");
    command.args(["-c", &limited, "sh", env!("CARGO_BIN_EXE_ongrid")]);
    let service = Service::spawn(command, &place, &free_address(), &["log.filter=off,ongrid=warn"]);
    service.await_listening();
    let load = Load::start(&players, std::slice::from_ref(&service.url));
    let (url, agent) = (format!("{}/v1/fights", service.url), agent());
    let end = Instant::now() + Duration::from_secs(120);
    for seed in 1_000_000.. {
        let (code, problem) = post(&agent, &url, &players[0].token, &free_fight(seed));
        if code == 503 {
            assert_eq!(problem["code"], "unavailable", "{problem}");
            break;
        }
        assert!(matches!(code, 200 | 201), "a full disk is told as 503: {code} {problem}");
        assert!(Instant::now() < end, "the disk does not fill");
    }
    assert_eq!(status(&format!("{}/healthz", service.url)), 200);
    let mut room = Command::new("prlimit");
    room.args(["--fsize=unlimited", "--pid"]).arg(service.child.id().to_string());
    assert!(room.status().unwrap().success());
    await_ready(&service.url);
    load.await_more(20);
    audit(&place.database, &players, &load.end());
}

/// Where the data directory cannot be made, the service says which and ends.
#[test]
fn a_data_directory_that_cannot_be_is_named() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("file"), "").unwrap();
    let data = directory.path().join("file").join("data");
    let output = Command::new(env!("CARGO_BIN_EXE_ongrid")).arg("--data").arg(&data).output().unwrap();
    assert!(!output.status.success());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains(&data.display().to_string()), "{said}");
}
