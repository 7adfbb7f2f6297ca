//! Results of compilations, kept in a folder.
//!
//! An entry is a file, whose name is the SHA-256 of everything that its contents depend on: the
//! text and its name, what is asked for, the target and options, the version of the compiler and of
//! LLVM, and for a cubin the version of ptxas. Several processes may share a folder: a file appears
//! as a whole, and a checksum in it shows whether it still is. A file that was damaged, or that an
//! incompatible version wrote, counts as missing. Files can be removed at any time; nothing else
//! removes them.

use std::{
    fs, io,
    io::Write,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use cute_driver::libdevice::Libdevice;
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
const FORMAT: &[u8] = b"cute cache 1\n";

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
        fs::create_dir_all(folder).map_err(failed)?;
        let version = env!("CARGO_PKG_VERSION");
        let compiler = format!("cute {version}, LLVM {}, {}", llvm::version(), stamp(compiler));
        Ok(Self { folder: folder.to_owned(), compiler })
    }

    /// The name of the entry for a compilation; `None` if ptxas, on which it depends, does not say
    /// its version.
    pub(crate) fn key(&self, source: &Source, request: &Request) -> Option<Key> {
        let Request { emit, domain, settings, ptxas } = request;
        let cute_driver::Options { target, runtime_checks, fast_math, fmad, libdevice, lineinfo, abi } =
            settings;
        let mut all = Sha256::new();
        // With its length in front, a field cannot continue in the next one.
        let mut field = |bytes: &[u8]| {
            all.update((bytes.len() as u64).to_le_bytes());
            all.update(bytes);
        };
        field(self.compiler.as_bytes());
        field(source.name.as_bytes());
        field(source.text.as_bytes());
        let facts = (emit, domain, target.name(), runtime_checks, fast_math, fmad, lineinfo, abi);
        field(format!("{facts:?}").as_bytes());
        if let Some(Libdevice { file, bitcode }) = libdevice {
            field(file.as_os_str().as_encoded_bytes());
            field(bitcode);
        }
        field(format!("{:?}", llvm::added_options()).as_bytes());
        if *emit == Emit::Cubin {
            field(format!("{:?} {}", ptxas.arguments, ptxas.lineinfo).as_bytes());
            field(ptxas.version().ok()?.as_bytes());
            field(stamp(&ptxas.executable().ok()?).as_bytes());
        }
        Some(Key(hexadecimal(&all.finalize())))
    }

    /// The entry of this name, if there is an undamaged one.
    pub(crate) fn get(&self, key: &Key) -> Option<Entry> {
        decode(&fs::read(self.folder.join(&key.0)).ok()?)
    }

    /// Writes an entry.
    ///
    /// # Errors
    /// [`Error::Cache`].
    pub(crate) fn put(&self, key: &Key, entry: &Entry) -> Result<()> {
        let written = || -> io::Result<()> {
            let mut file = tempfile::Builder::new().prefix(".cute-").tempfile_in(&self.folder)?;
            file.write_all(&encode(entry))?;
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

/// The format, the SHA-256 of the rest, and three sections, each after its length: the
/// output, the manifest (empty if there is none), and the reports as JSON.
fn encode(entry: &Entry) -> Vec<u8> {
    let Entry { product: Product { bytes, manifest }, reports } = entry;
    let reports = serde_json::to_vec(reports).expect("reports have a form in JSON");
    let mut rest = Vec::new();
    for section in [bytes, manifest.as_deref().unwrap_or("").as_bytes(), &reports] {
        rest.extend((section.len() as u64).to_le_bytes());
        rest.extend(section);
    }
    [FORMAT, &Sha256::digest(&rest), &rest].concat()
}

fn decode(file: &[u8]) -> Option<Entry> {
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
    use cute_driver::ptxas;

    fn entry() -> Entry {
        let product = Product { bytes: b"ptx".to_vec(), manifest: Some("{}".into()) };
        Entry { product, reports: vec![Report::new(Severity::Warning, "slow".into())] }
    }

    #[test]
    fn a_damaged_entry_is_none() {
        let good = encode(&entry());
        assert_eq!(decode(&good), Some(entry()));
        for i in 0..good.len() {
            let mut bad = good.clone();
            bad[i] ^= 1;
            assert_eq!(decode(&bad), None, "byte {i}");
            assert_eq!(decode(&good[..i]), None, "{i} bytes");
        }
        assert_eq!(decode(&[&good[..], b"x"].concat()), None);
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
        assert_eq!(cache.get(&key), None);
        cache.put(&key, &entry()).unwrap();
        assert_eq!(cache.get(&key), Some(entry()));
        // A file beside it, or another build, does not change that.
        let other = Cache::open(&folder.path().join("new"), folder.path()).unwrap();
        assert_ne!(other.key(&Source::of_text("a", "bc"), &request(|_| ())), Some(key));
    }
}
