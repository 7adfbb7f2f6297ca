//! Results of compilations, kept in a folder.
//!
//! The name of an entry depends on the text and its name, what is asked for, the target and
//! options, the version of the compiler and of LLVM, and for a cubin the version of ptxas. An entry
//! holds everything that was said on the way to it, too.

use std::path::Path;

use cute_driver::ptxas;
use cute_ffi::llvm;
use cute_import::ProducerProfile;

use crate::{
    error::Result,
    report::Report,
    request::{Product, Request},
    source::Source,
    store::{Name, Store, stamp},
};

/// Options of ptxas that name files with further options.
const OPTION_FILES: [&str; 2] = ["optf", "options-file"];

/// A folder with results of compilations.
#[derive(Debug, Clone)]
pub struct Cache(Store);

/// A result, and everything that was said on the way to it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) product: Product,
    pub(crate) reports: Vec<Report>,
}

impl Cache {
    /// The cache in a folder, as [`Store::open`] opens it.
    ///
    /// # Errors
    /// [`Error::Cache`](crate::Error::Cache).
    pub fn open(folder: &Path, compiler: &Path) -> Result<Self> {
        Ok(Self(Store::open(folder, compiler)?))
    }

    /// The option of a compilation that names a file, whose contents the name of an entry does not
    /// tell.
    pub(crate) fn reads_file(request: &Request) -> Option<&str> {
        let ptxas = request.ptxas.arguments.iter().filter(|_| request.emit.needs_ptxas());
        // LLVM resolves relative paths, but ptxas runs in a folder of its own.
        llvm::added_options().iter().chain(ptxas).map(String::as_str).find(|option| {
            let (name, value) = option.split_once('=').unwrap_or((option, option));
            OPTION_FILES.contains(&name.trim_start_matches('-')) || Path::new(value).exists()
        })
    }

    /// The name of the entry for a compilation; `None` if ptxas, on which it depends, does not say
    /// its version.
    pub(crate) fn key(&self, source: &Source, profile: ProducerProfile, request: &Request) -> Option<Name> {
        let Request { emit, domain, settings, ptxas } = request;
        // How ptxas is run, apart from what its version tells.
        let ptxas::Options { file: _, arguments, limit: _, beside_executable: _ } = ptxas;
        let assembler = match emit.needs_ptxas() {
            true => Some((ptxas.version().ok()?, stamp(&ptxas.executable().ok()?))),
            false => None,
        };
        Some(self.0.name(|field| {
            field(b"compilation");
            field(source.name.as_bytes());
            field(source.text.as_bytes());
            field(format!("{:?}", (emit, domain, profile)).as_bytes());
            settings.distinguish(&mut *field);
            field(format!("{:?}", llvm::added_options()).as_bytes());
            if let Some((version, stamp)) = assembler {
                field(format!("{arguments:?}").as_bytes());
                field(version.as_bytes());
                field(stamp.as_bytes());
            }
        }))
    }

    /// The entry of this name, if there is an undamaged one.
    ///
    /// # Errors
    /// The text of a warning, if there is a file that others may have put there.
    pub(crate) fn get(&self, key: &Name) -> std::result::Result<Option<Entry>, String> {
        Ok(self.0.get(key)?.and_then(|bytes| decode(&bytes)))
    }

    /// Writes an entry.
    ///
    /// # Errors
    /// [`Error::Cache`](crate::Error::Cache).
    pub(crate) fn put(&self, key: &Name, entry: &Entry) -> Result<()> {
        self.0.put(key, &encode(entry))
    }
}

/// Three sections, each after its length: the output, the manifest (empty if there is none), and
/// the reports as JSON.
fn encode(entry: &Entry) -> Vec<u8> {
    let Entry { product: Product { bytes, manifest }, reports } = entry;
    let reports = serde_json::to_vec(reports).expect("reports have a form in JSON");
    let mut all = Vec::new();
    for section in [bytes, manifest.as_deref().unwrap_or("").as_bytes(), &reports] {
        all.extend((section.len() as u64).to_le_bytes());
        all.extend(section);
    }
    all
}

fn decode(mut rest: &[u8]) -> Option<Entry> {
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
    use crate::{report::ReportSeverity, request::Emit};
    use cute_arch::Target;
    use cute_driver::libdevice::Libdevice;

    fn entry() -> Entry {
        let product = Product { bytes: b"ptx".to_vec(), manifest: Some("{}".into()) };
        Entry { product, reports: vec![Report::new(ReportSeverity::Warning, "slow".into())] }
    }

    #[test]
    fn a_part_of_an_entry_is_none() {
        let good = encode(&entry());
        assert_eq!(decode(&good), Some(entry()));
        for i in 0..good.len() {
            assert_eq!(decode(&good[..i]), None, "{i} bytes");
        }
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
            cache.key(&source, ProducerProfile::Auto, &request(change)).unwrap()
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
        let source = Source::of_text("a", "bc");
        assert_ne!(cache.key(&source, ProducerProfile::CuteRs, &request(|_| ())).as_ref(), Some(&key));
        assert_eq!(cache.get(&key), Ok(None));
        cache.put(&key, &entry()).unwrap();
        assert_eq!(cache.get(&key), Ok(Some(entry())));
        // A file beside it, or another build, does not change that.
        let other = Cache::open(&folder.path().join("new"), folder.path()).unwrap();
        assert_ne!(other.key(&source, ProducerProfile::Auto, &request(|_| ())), Some(key));
    }
}
