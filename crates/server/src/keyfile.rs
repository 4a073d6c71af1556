//! Files that hold secrets: whole or absent, however many processes make one at once.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use uuid::Uuid;

/// Makes a file that only its owner reads, unless there is one: whoever finds it finds all of it.
///
/// # Errors
/// Where directory or file cannot be made. That somebody else made it first is none.
pub fn make(path: &Path, content: &[u8]) -> io::Result<()> {
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory)?;
    }
    let beside = path.with_added_extension(Uuid::now_v7().to_string());
    let linked = write(&beside, content).and_then(|()| match fs::hard_link(&beside, path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        linked => linked,
    });
    let removed = fs::remove_file(&beside);
    linked.and(removed)
}

/// Writes a new file that only its owner reads.
///
/// # Errors
/// Where it is there, or cannot be written.
pub fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(content)?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_finds_a_file_finds_all_of_it() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("deep/key");
        let found: Vec<_> = std::thread::scope(|scope| {
            let makers: Vec<_> = (0..16)
                .map(|number: usize| {
                    let path = &path;
                    scope.spawn(move || {
                        make(path, number.to_string().repeat(5000).as_bytes()).unwrap();
                        fs::read_to_string(path).unwrap()
                    })
                })
                .collect();
            makers.into_iter().map(|maker| maker.join().unwrap()).collect()
        });
        assert!(found[0].len() >= 5000 && found.iter().all(|it| *it == found[0]));
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }
}
