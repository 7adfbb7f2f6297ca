//! Folders of temporary files. A process that is killed leaves its folder behind, and the next one
//! that needs a folder removes it.

use std::{
    fs::{self, File, TryLockError},
    io,
    path::Path,
    time::Duration,
};

use tempfile::TempDir;

/// How the names of the folders begin.
const PREFIX: &str = "cute-ptxas-";

/// The age from which on a folder that nobody has locked is nobody's: long after it was locked by
/// the process that made it.
const AGE: Duration = Duration::from_secs(60);

/// A folder of this process, which is removed with its contents.
#[derive(Debug)]
pub struct Scratch {
    folder: TempDir,
    /// Locked as long as the process lives.
    _lock: File,
}

impl Scratch {
    /// A new folder in the folder of temporary files.
    ///
    /// # Errors
    /// Those of the system.
    pub fn new(parent: &Path) -> io::Result<Self> {
        sweep(parent);
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent)?;
        let lock = File::open(folder.path())?;
        // Without locks, as on some network drives, the folders of killed processes stay.
        let _ = lock.try_lock();
        Ok(Self { folder, _lock: lock })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Removes the folders of processes that have ended. What cannot be removed stays: it belongs to
/// somebody else, or somebody else removes it.
fn sweep(parent: &Path) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        let is_ours = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
        if is_ours && is_left(&entry) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn is_left(entry: &fs::DirEntry) -> bool {
    let Ok(facts) = entry.metadata() else { return false };
    let age = facts.modified().ok().and_then(|time| time.elapsed().ok());
    if !facts.is_dir() || age.is_none_or(|age| age < AGE) {
        return false;
    }
    let lock = File::open(entry.path()).map(|folder| folder.try_lock());
    !matches!(lock, Err(_) | Ok(Err(TryLockError::WouldBlock | TryLockError::Error(_))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::SystemTime;

    fn make_old(folder: &Path) {
        File::open(folder).unwrap().set_modified(SystemTime::now() - 2 * AGE).unwrap();
    }

    #[test]
    fn folders_of_ended_processes_are_removed() {
        let parent = tempfile::tempdir().unwrap();
        let path = |name: &str| parent.path().join(name);
        let [left, young, other] = ["cute-ptxas-left", "cute-ptxas-young", "other"].map(path);
        for folder in [&left, &young, &other] {
            fs::create_dir(folder).unwrap();
            fs::write(folder.join("kernel.ptx"), "").unwrap();
        }
        let live = Scratch::new(parent.path()).unwrap();
        for folder in [left.as_path(), &other, live.path()] {
            make_old(folder);
        }
        let own = Scratch::new(parent.path()).unwrap();
        assert!(!left.exists() && young.exists() && other.exists());
        assert!(live.path().exists() && own.path().exists());
        let gone = live.path().to_path_buf();
        drop(live);
        assert!(!gone.exists());
    }
}
