//! Results in a folder, each in a file of its own.
//!
//! The name of a file is the SHA-256 of everything that its contents depend on, the compiler among
//! it. Several processes may share a folder: a file appears as a whole, and a checksum in it shows
//! whether it still is. A file that was damaged, or that an incompatible version wrote, counts as
//! missing. Files can be removed at any time; nothing else removes them.
//!
//! Only files of the same user are read, because one may hold code that is going to run. A file
//! holds its name, so that another one cannot be put in its place.

use std::{
    fs, io,
    io::Write,
    os::unix::fs::{DirBuilderExt, PermissionsExt},
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use cute_ffi::llvm;
use cute_output::plain;
use sha2::{Digest, Sha256};

use crate::error::{Error, Result};

/// The first line of a file.
const FORMAT: &[u8] = b"cute cache 3\n";

/// The largest size of a file in bytes. A larger result is not kept.
const MOST_BYTES: u64 = 1 << 30;

/// A folder with results.
#[derive(Debug, Clone)]
pub struct Store {
    folder: PathBuf,
    /// The compiler that writes and reads.
    compiler: String,
}

/// The name of a result.
#[derive(Debug, PartialEq, Eq)]
pub struct Name(String);

impl Store {
    /// A folder, which is created if it is not there. `compiler` is the file of the executable or
    /// library that compiles: another build of the same version has other results.
    ///
    /// # Errors
    /// [`Error::Cache`].
    pub fn open(folder: &Path, compiler: &Path) -> Result<Self> {
        let failed = |why: io::Error| Error::Cache { folder: folder.to_owned(), why: plain(&why) };
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(failed)?;
        let mode = fs::metadata(folder).map_err(failed)?.permissions().mode();
        // In a sticky folder, others cannot rename or remove what is ours.
        if mode & 0o1002 == 0o002 {
            let why = format!("every user can write to it (mode {:o}); use 'chmod o-w'", mode & 0o7777);
            return Err(Error::Cache { folder: folder.to_owned(), why });
        }
        let version = env!("CARGO_PKG_VERSION");
        let compiler = format!("cute {version}, LLVM {}, {}", llvm::version(), stamp(compiler));
        Ok(Self { folder: folder.to_owned(), compiler })
    }

    /// The name of a result that depends on the compiler and on these fields, which `give` passes
    /// one after the other. The first one says what kind of result it is.
    pub fn name(&self, give: impl FnOnce(&mut dyn FnMut(&[u8]))) -> Name {
        let mut all = Sha256::new();
        // With its length in front, a field cannot continue in the next one.
        let mut field = |bytes: &[u8]| {
            all.update((bytes.len() as u64).to_le_bytes());
            all.update(bytes);
        };
        field(self.compiler.as_bytes());
        give(&mut field);
        Name(all.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// The result of this name, if there is an undamaged one.
    ///
    /// # Errors
    /// The text of a warning, if there is a file that others may have put there.
    pub fn get(&self, name: &Name) -> std::result::Result<Option<Vec<u8>>, String> {
        let file = self.folder.join(&name.0);
        match cute_output::read_own(&file, MOST_BYTES) {
            Ok(bytes) => Ok(decode(name, &bytes)),
            Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(why) => {
                Err(format!("the entry '{}' of the cache is not used: {}", file.display(), plain(&why)))
            }
        }
    }

    /// Writes a result.
    ///
    /// # Errors
    /// [`Error::Cache`].
    pub fn put(&self, name: &Name, result: &[u8]) -> Result<()> {
        let bytes = encode(name, result);
        if bytes.len() as u64 > MOST_BYTES {
            return Ok(());
        }
        let written = || -> io::Result<()> {
            let mut file = tempfile::Builder::new().prefix(".cute-").tempfile_in(&self.folder)?;
            file.write_all(&bytes)?;
            file.persist(self.folder.join(&name.0))?;
            Ok(())
        };
        written().map_err(|why| Error::Cache { folder: self.folder.clone(), why: plain(&why) })
    }
}

/// The size and time of a file, which differ between builds.
pub(crate) fn stamp(file: &Path) -> String {
    let Ok(facts) = fs::metadata(file) else { return String::new() };
    let age = facts.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    format!("{} bytes of {:?}", facts.len(), age)
}

/// The format, the SHA-256 of the rest, the name, and the result.
fn encode(name: &Name, result: &[u8]) -> Vec<u8> {
    let rest = [name.0.as_bytes(), result].concat();
    [FORMAT, &Sha256::digest(&rest), &rest].concat()
}

fn decode(name: &Name, file: &[u8]) -> Option<Vec<u8>> {
    let (sum, rest) = file.strip_prefix(FORMAT)?.split_first_chunk::<32>()?;
    if Sha256::digest(rest)[..] != sum[..] {
        return None;
    }
    rest.strip_prefix(name.0.as_bytes()).map(<[u8]>::to_vec)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_result_is_none() {
        let name = &Name("ab".into());
        let good = encode(name, b"result");
        assert_eq!(decode(name, &good).as_deref(), Some(&b"result"[..]));
        assert_eq!(decode(&Name("cd".into()), &good), None, "it is the result of another name");
        for i in 0..good.len() {
            let mut bad = good.clone();
            bad[i] ^= 1;
            assert_eq!(decode(name, &bad), None, "byte {i}");
            assert_eq!(decode(name, &good[..i]), None, "{i} bytes");
        }
        assert_eq!(decode(name, &[&good[..], b"x"].concat()), None);
    }

    #[test]
    fn a_result_is_found_by_its_fields_and_the_compiler() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("new"), Path::new("/nowhere")).unwrap();
        let name = |store: &Store, fields: &[&str]| {
            store.name(|field| fields.iter().for_each(|text| field(text.as_bytes())))
        };
        let own = name(&store, &["a", "bc"]);
        assert_eq!(own, name(&store, &["a", "bc"]));
        assert_ne!(own, name(&store, &["ab", "c"]));
        assert_eq!(store.get(&own), Ok(None));
        store.put(&own, b"result").unwrap();
        assert_eq!(store.get(&own), Ok(Some(b"result".to_vec())));
        let other = Store::open(&folder.path().join("new"), folder.path()).unwrap();
        assert_ne!(own, name(&other, &["a", "bc"]), "another build has other results");
    }
}
