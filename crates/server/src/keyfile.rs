//! Files that hold secrets: whole or absent, however many processes make one at once.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use uuid::Uuid;

/// Reads a file; where there is none it is made, for its owner alone, of what `content` gives. Of several that make it at
/// once one does, and all read that one's.
///
/// # Errors
/// Where directory or file cannot be made or read, and those of `content`.
pub fn load(path: &Path, content: impl FnOnce() -> Result<Vec<u8>>) -> Result<Vec<u8>> {
    if !path.exists() {
        make(path, &content()?).with_context(|| format!("cannot make {}", path.display()))?;
    }
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Puts another content in the place of a file's, for its owner alone.
///
/// # Errors
/// Where it cannot be written.
pub fn replace(path: &Path, content: &[u8]) -> Result<()> {
    let replaced = write_beside(path, content).and_then(|beside| fs::rename(beside, path));
    replaced.with_context(|| format!("cannot replace {}", path.display()))
}

fn make(path: &Path, content: &[u8]) -> io::Result<()> {
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory)?;
    }
    let beside = write_beside(path, content)?;
    let linked = match fs::hard_link(&beside, path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        linked => linked,
    };
    let removed = fs::remove_file(&beside);
    linked.and(removed)
}

/// The whole content in a file of its own, from where one step puts it in place.
fn write_beside(path: &Path, content: &[u8]) -> io::Result<PathBuf> {
    let beside = path.with_added_extension(Uuid::now_v7().to_string());
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&beside)?;
    file.write_all(content)?;
    file.sync_all()?;
    Ok(beside)
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
                        load(path, || Ok(number.to_string().repeat(5000).into_bytes())).unwrap()
                    })
                })
                .collect();
            makers.into_iter().map(|maker| maker.join().unwrap()).collect()
        });
        assert!(found[0].len() >= 5000 && found.iter().all(|it| *it == found[0]));
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
        replace(&path, b"another").unwrap();
        assert_eq!(load(&path, || unreachable!()).unwrap(), b"another");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }
}
