//! Results of compilations, kept in a folder.
//!
//! An entry is a file, whose name is the SHA-256 of everything that its contents depend on: the
//! text and its name, what is asked for, the target and options, the version of the compiler and of
//! LLVM, and for a cubin the version of ptxas. Several processes may share a folder: a file appears
//! as a whole, and a checksum in it shows whether it still is. A file that was damaged, or that an
//! incompatible version wrote, counts as missing. Files can be removed at any time; nothing else
//! removes them.
//!
//! Only entries of the same user are read, because an entry may be code that is going to run. An
//! entry holds its name, so that another one cannot be put in its place.

use std::{
    fs, io,
    io::Write,
    os::unix::fs::{DirBuilderExt, PermissionsExt},
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use cute_driver::ptxas;
use cute_ffi::llvm;
use cute_output::plain;
use sha2::{Digest, Sha256};

use crate::{
    error::{Error, Result},
    report::Report,
    request::{Emit, Product, Request},
    source::Source,
};

/// The first line of an entry.
const FORMAT: &[u8] = b"cute cache 2\n";

/// The largest size of an entry in bytes. A larger result is not kept.
const MOST_BYTES: u64 = 1 << 30;

/// Options of ptxas that name files with further options.
const OPTION_FILES: [&str; 2] = ["optf", "options-file"];

/// A folder with results.
#[derive(Debug, Clone)]
pub struct Cache {
    folder: PathBuf,
    /// The compiler that writes and reads.
    compiler: String,
}

/// A result, and everything that was said on the way to it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) product: Product,
    pub(crate) reports: Vec<Report>,
}

/// The name of an entry.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Key(String);

impl Cache {
    /// The cache in a folder, which is created if it is not there. `compiler` is the file of the
    /// executable or library that compiles: another build of the same version has other entries.
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

    /// The option of a compilation that names a file, whose contents the name of an entry does not
    /// tell.
    pub(crate) fn reads_file(request: &Request) -> Option<&str> {
        let ptxas = request.ptxas.arguments.iter().filter(|_| request.emit == Emit::Cubin);
        // LLVM resolves relative paths, but ptxas runs in a folder of its own.
        llvm::added_options().iter().chain(ptxas).map(String::as_str).find(|option| {
            let (name, value) = option.split_once('=').unwrap_or((option, option));
            OPTION_FILES.contains(&name.trim_start_matches('-')) || Path::new(value).exists()
        })
    }

    /// The name of the entry for a compilation; `None` if ptxas, on which it depends, does not say
    /// its version.
    pub(crate) fn key(&self, source: &Source, request: &Request) -> Option<Key> {
        let Request { emit, domain, settings, ptxas } = request;
        // How ptxas is run, apart from what its version tells.
        let ptxas::Options { file: _, arguments, limit: _, beside_executable: _ } = ptxas;
        let mut all = Sha256::new();
        // With its length in front, a field cannot continue in the next one.
        let mut field = |bytes: &[u8]| {
            all.update((bytes.len() as u64).to_le_bytes());
            all.update(bytes);
        };
        field(self.compiler.as_bytes());
        field(source.name.as_bytes());
        field(source.text.as_bytes());
        field(format!("{:?}", (emit, domain)).as_bytes());
        settings.distinguish(&mut field);
        field(format!("{:?}", llvm::added_options()).as_bytes());
        if *emit == Emit::Cubin {
            field(format!("{arguments:?}").as_bytes());
            field(ptxas.version().ok()?.as_bytes());
            field(stamp(&ptxas.executable().ok()?).as_bytes());
        }
        Some(Key(hexadecimal(&all.finalize())))
    }

    /// The entry of this name, if there is an undamaged one.
    ///
    /// # Errors
    /// The text of a warning, if there is a file that others may have put there.
    pub(crate) fn get(&self, key: &Key) -> std::result::Result<Option<Entry>, String> {
        let file = self.folder.join(&key.0);
        match cute_output::read_own(&file, MOST_BYTES) {
            Ok(bytes) => Ok(decode(key, &bytes)),
            Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(why) => {
                Err(format!("the entry '{}' of the cache is not used: {}", file.display(), plain(&why)))
            }
        }
    }

    /// Writes an entry.
    ///
    /// # Errors
    /// [`Error::Cache`].
    pub(crate) fn put(&self, key: &Key, entry: &Entry) -> Result<()> {
        let bytes = encode(key, entry);
        if bytes.len() as u64 > MOST_BYTES {
            return Ok(());
        }
        let written = || -> io::Result<()> {
            let mut file = tempfile::Builder::new().prefix(".cute-").tempfile_in(&self.folder)?;
            file.write_all(&bytes)?;
            file.persist(self.folder.join(&key.0))?;
            Ok(())
        };
        written().map_err(|why| Error::Cache { folder: self.folder.clone(), why: plain(&why) })
    }
}

/// The size and time of a file, which differ between builds.
fn stamp(file: &Path) -> String {
    let Ok(facts) = fs::metadata(file) else { return String::new() };
    let age = facts.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    format!("{} bytes of {:?}", facts.len(), age)
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The format, the SHA-256 of the rest, and four sections, each after its length: the name of the
/// entry, the output, the manifest (empty if there is none), and the reports as JSON.
fn encode(key: &Key, entry: &Entry) -> Vec<u8> {
    let Entry { product: Product { bytes, manifest }, reports } = entry;
    let reports = serde_json::to_vec(reports).expect("reports have a form in JSON");
    let mut rest = Vec::new();
    for section in [key.0.as_bytes(), bytes, manifest.as_deref().unwrap_or("").as_bytes(), &reports] {
        rest.extend((section.len() as u64).to_le_bytes());
        rest.extend(section);
    }
    [FORMAT, &Sha256::digest(&rest), &rest].concat()
}

fn decode(key: &Key, file: &[u8]) -> Option<Entry> {
    let (sum, mut rest) = file.strip_prefix(FORMAT)?.split_first_chunk::<32>()?;
    if Sha256::digest(rest)[..] != sum[..] {
        return None;
    }
    let mut section = || {
        let (length, after) = rest.split_first_chunk::<8>()?;
        let (section, after) = after.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
        rest = after;
        Some(section)
    };
    if section()? != key.0.as_bytes() {
        return None;
    }
    let bytes = section()?.to_vec();
    let manifest = String::from_utf8(section()?.to_vec()).ok()?;
    let reports = serde_json::from_slice(section()?).ok()?;
    let manifest = (!manifest.is_empty()).then_some(manifest);
    Some(Entry { product: Product { bytes, manifest }, reports })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Severity;
    use cute_arch::Target;
    use cute_driver::libdevice::Libdevice;

    fn entry() -> Entry {
        let product = Product { bytes: b"ptx".to_vec(), manifest: Some("{}".into()) };
        Entry { product, reports: vec![Report::new(Severity::Warning, "slow".into())] }
    }

    #[test]
    fn a_damaged_entry_is_none() {
        let key = &Key("ab".into());
        let good = encode(key, &entry());
        assert_eq!(decode(key, &good), Some(entry()));
        assert_eq!(decode(&Key("cd".into()), &good), None, "it is the entry of another name");
        for i in 0..good.len() {
            let mut bad = good.clone();
            bad[i] ^= 1;
            assert_eq!(decode(key, &bad), None, "byte {i}");
            assert_eq!(decode(key, &good[..i]), None, "{i} bytes");
        }
        assert_eq!(decode(key, &[&good[..], b"x"].concat()), None);
    }

    #[test]
    fn an_entry_is_found_by_all_that_it_depends_on() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(&folder.path().join("new"), Path::new("/nowhere")).unwrap();
        let request = |change: fn(&mut Request)| {
            let settings = cute_driver::Options::new(Target::Sm90a);
            let ptxas = ptxas::Options::default();
            let mut request = Request { emit: Emit::Ptx, domain: None, settings, ptxas };
            change(&mut request);
            request
        };
        let of = |name: &str, text: &str, change: fn(&mut Request)| {
            let source = Source::of_text(name, text);
            cache.key(&source, &request(change)).unwrap()
        };
        let key = of("a", "bc", |_| ());
        assert_eq!(key, of("a", "bc", |_| ()));
        let library = |r: &mut Request| {
            r.settings.libdevice = Some(Libdevice { file: "a".into(), bitcode: b"BC".to_vec() });
        };
        let others = [
            of("ab", "c", |_| ()),
            of("a", "bd", |_| ()),
            of("a", "bc", |r| r.emit = Emit::Llvm),
            of("a", "bc", |r| r.domain = Some(cute_algebra::Domain::Extend)),
            of("a", "bc", |r| r.settings.target = Target::Sm80),
            of("a", "bc", |r| r.settings.runtime_checks = true),
            of("a", "bc", |r| r.settings.fast_math = true),
            of("a", "bc", |r| r.settings.fmad = false),
            of("a", "bc", |r| r.settings.lineinfo = true),
            of("a", "bc", |r| r.settings.abi = Some(cute_dialect::parameters::Abi::Dsl)),
            of("a", "bc", library),
        ];
        for (i, other) in others.iter().enumerate() {
            assert!(*other != key && !others[..i].contains(other), "{i}");
        }
        assert_eq!(cache.get(&key), Ok(None));
        cache.put(&key, &entry()).unwrap();
        assert_eq!(cache.get(&key), Ok(Some(entry())));
        // A file beside it, or another build, does not change that.
        let other = Cache::open(&folder.path().join("new"), folder.path()).unwrap();
        assert_ne!(other.key(&Source::of_text("a", "bc"), &request(|_| ())), Some(key));
    }
}
