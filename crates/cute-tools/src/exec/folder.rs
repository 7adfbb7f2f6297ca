//! The folder with the libraries of CUDA's names, in the user's cache.

use std::{
    env, fs,
    hash::{DefaultHasher, Hash, Hasher},
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process,
};

use cute_cuda_stubs::{LINKS, STUBS};
use cute_output::Sink;

use crate::{error::Result, exec_error::Error};

/// The library behind those of CUDA's names.
const LIBRARY: &str = "libcute_cuda.so";

/// Writes the libraries, unless they are there, and returns their folder. Its name has their hash,
/// so it belongs to this version alone. Each file appears in one step, with the same contents for
/// whoever writes it.
///
/// # Errors
/// There is no folder to write to.
pub(super) fn ready() -> Result<PathBuf> {
    if STUBS.iter().any(|stub| stub.contents.is_empty()) {
        return Err(Error::NoStubs.into());
    }
    let mut hash = DefaultHasher::new();
    STUBS.iter().for_each(|stub| (stub.path, stub.contents).hash(&mut hash));
    LINKS.hash(&mut hash);
    let name = format!("cuda-{}-{:016x}", env!("CARGO_PKG_VERSION"), hash.finish());
    let folder = cache().ok_or(Error::NoCache)?.join(name);
    let text = folder.to_string_lossy();
    if let Some(sign) = text.chars().find(|sign| [':', ';', ' ', '$'].contains(sign)) {
        return Err(Error::Split { folder, sign }.into());
    }
    let failed = |why| Error::Cache { folder: folder.clone(), why };
    fs::create_dir_all(folder.join("12")).map_err(failed)?;
    let mut absent = Vec::new();
    for stub in STUBS {
        let path = folder.join(stub.path);
        if !fs::read(&path).is_ok_and(|found| found == stub.contents) {
            absent.push((Sink::File(path), stub.contents));
        }
    }
    cute_output::write(&absent)?;
    for (link, to) in LINKS {
        let link = folder.join(link);
        if !fs::read_link(&link).is_ok_and(|found| found == Path::new(to)) {
            // A link that is moved over another one replaces it in one step.
            let part = link.with_extension(process::id().to_string());
            fs::remove_file(&part).ok();
            symlink(to, &part).and_then(|()| fs::rename(&part, &link)).map_err(failed)?;
        }
    }
    Ok(folder)
}

/// The user's cache of this project, as the XDG base directories have it.
fn cache() -> Option<PathBuf> {
    let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache")));
    cache.map(|cache| cache.join("cute-mlir"))
}

/// The library behind those of CUDA's names. It is beside the executable, or in an installation in
/// `../lib`. Cargo keeps the one of the last build in `deps`; the one beside may be older.
///
/// # Errors
/// It is in none of these.
pub(super) fn library() -> Result<PathBuf> {
    let failed = |why| Error::System { step: "find the file of cutec", why };
    let own = env::current_exe().and_then(fs::canonicalize).map_err(failed)?;
    let beside = own.parent().unwrap_or(Path::new("/"));
    let places = ["deps", ".", "../lib"].map(|folder| beside.join(folder).join(LIBRARY));
    let found = places.into_iter().find(|path| path.is_file());
    found.ok_or_else(|| Error::NoLibrary { library: LIBRARY, beside: beside.into() }.into())
}
