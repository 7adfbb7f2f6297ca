//! Writes results: either all of them or none.

use std::{
    fs,
    io::{self, Write},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

use crate::{Error, stdout::stdout};

/// The destination of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sink {
    /// Standard output.
    Stdout,
    /// A file that appears, or is replaced, in one step.
    File(PathBuf),
    /// An existing destination that is not a plain file (a pipe, `/dev/null`) and so cannot be
    /// replaced.
    Stream(PathBuf),
}

impl Sink {
    /// The sink that `-o` names. A link stands for its target.
    pub fn of(path: Option<&Path>) -> Self {
        let Some(path) = path.filter(|p| *p != Path::new("-")) else { return Self::Stdout };
        match fs::metadata(path) {
            Ok(m) if m.is_file() => Self::File(fs::canonicalize(path).unwrap_or_else(|_| path.into())),
            // A folder fails later, when the file is moved into its place, with the system's own
            // message.
            Ok(m) if !m.is_dir() => Self::Stream(path.into()),
            _ => Self::File(pointed_at(path)),
        }
    }
}

/// Resolves a link whose target does not exist yet; any other path is returned unchanged.
fn pointed_at(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    // The limit is the number of links that Linux follows.
    for _ in 0..40 {
        let Ok(to) = fs::read_link(&path) else { break };
        path = path.parent().map_or_else(|| to.clone(), |folder| folder.join(&to));
    }
    path
}

/// Writes a result that need not be whole in memory.
pub type Writing<'p> = &'p dyn Fn(&mut dyn Write) -> io::Result<()>;

/// Writes every result to its sink. Files are first written next to their destination, and moved
/// there when all are complete.
///
/// # Errors
/// If a file cannot be written, no file has changed, unless the system fails while the files are
/// moved.
pub fn write(results: &[(Sink, &[u8])]) -> Result<(), Error> {
    let whole = results.iter().map(|(_, bytes)| move |to: &mut dyn Write| to.write_all(bytes));
    let whole: Vec<_> = whole.collect();
    let parts = results.iter().zip(&whole).map(|((sink, _), whole)| (sink.clone(), whole as Writing<'_>));
    write_parts(&parts.collect::<Vec<_>>())
}

/// Like [`write`], for results that are written part by part.
///
/// # Errors
/// Those of [`write`].
pub fn write_parts(results: &[(Sink, Writing<'_>)]) -> Result<(), Error> {
    let mut files = Vec::new();
    for (sink, parts) in results {
        if let Sink::File(path) = sink {
            files.push((beside(path, parts).map_err(|why| failed(path, why))?, path));
        }
    }
    for (file, path) in files {
        file.persist(path).map_err(|e| failed(path, e.error))?;
    }
    for (sink, parts) in results {
        match sink {
            Sink::File(_) => {}
            Sink::Stream(path) => {
                let written = fs::File::create(path).and_then(|mut file| parts(&mut file));
                written.map_err(|why| failed(path, why))?;
            }
            Sink::Stdout => {
                let written = stdout().and_then(|mut out| parts(&mut out).and_then(|()| out.flush()));
                written.map_err(|why| Error { file: "standard output".into(), why })?;
            }
        }
    }
    Ok(())
}

fn beside(path: &Path, parts: Writing<'_>) -> io::Result<NamedTempFile> {
    if path.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let old = replaced(path)?;
    // The permissions of any new file: 0666 without the bits of the umask. No one who cannot read
    // the old file can read the new one while it is written.
    let mode = fs::Permissions::from_mode(old.unwrap_or(0o666));
    let mut file = tempfile::Builder::new().prefix(".cute-").permissions(mode.clone()).tempfile_in(folder)?;
    parts(file.as_file_mut())?;
    if old.is_some() {
        file.as_file().set_permissions(mode)?;
    }
    file.flush()?;
    Ok(file)
}

/// The permissions of the file that is replaced, if there is one.
fn replaced(path: &Path) -> io::Result<Option<u32>> {
    let mode = match fs::metadata(path) {
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(None),
        facts => facts?.permissions().mode() & 0o777,
    };
    // To replace a file takes write access to its folder only. Root has access to every file.
    if mode & 0o222 == 0 {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is read-only"));
    }
    fs::OpenOptions::new().write(true).open(path)?;
    Ok(Some(mode))
}

fn failed(path: &Path, why: io::Error) -> Error {
    Error { file: path.display().to_string(), why }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_failure_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let good = folder.path().join("k.ptx");
        let bad = folder.path().join("missing/k.json");
        assert!(write(&[(Sink::of(Some(&good)), b"1"), (Sink::of(Some(&bad)), b"2")]).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_replaced_file_keeps_its_permissions() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("k.ptx");
        let sink = Sink::of(Some(&file));
        for mode in [0o600, 0o640, 0o666, 0o755] {
            fs::write(&file, "old").unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
            write(&[(sink.clone(), b"new")]).unwrap();
            let now = fs::metadata(&file).unwrap().permissions().mode();
            assert_eq!((fs::read(&file).unwrap(), now & 0o7777), (b"new".to_vec(), mode));
        }
        fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
        let error = write(&[(sink, b"newer")]).unwrap_err().to_string();
        assert_eq!(error, format!("cannot write '{}': it is read-only", file.display()));
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_link_to_nothing_yet_is_followed() {
        let folder = tempfile::tempdir().unwrap();
        let [first, second, file] = ["first", "second", "file"].map(|n| folder.path().join(n));
        std::os::unix::fs::symlink(&second, &first).unwrap();
        std::os::unix::fs::symlink("file", &second).unwrap();
        write(&[(Sink::of(Some(&first)), b"1")]).unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"1");
        assert!(first.is_symlink() && second.is_symlink() && !file.is_symlink());
    }

    #[test]
    fn a_device_is_written_to_and_stays() {
        let null = Path::new("/dev/null");
        assert_eq!(Sink::of(Some(null)), Sink::Stream(null.into()));
        write(&[(Sink::of(Some(null)), b"1")]).unwrap();
        assert!(!fs::metadata(null).unwrap().is_file());
    }
}
