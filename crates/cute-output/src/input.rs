//! Reads whole files, up to a limit: no file that is named may fill the memory, or be waited for
//! without end.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read},
    os::unix::fs::{MetadataExt, OpenOptionsExt},
    path::Path,
};

use rustix::fs::OFlags;

/// The error of opening a link itself, `ELOOP`.
const LINK: i32 = rustix::io::Errno::LOOP.raw_os_error();

/// The bytes of a regular file, which has at most `most`.
///
/// # Errors
/// Those of the system; that it is a pipe or a device; that it is larger.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let (file, facts) = opened(path, OFlags::empty())?;
    bytes(file, &facts, most)
}

/// The first bytes of a regular file, which has at most `most`.
///
/// # Errors
/// Those of [`read`].
pub fn read_start(path: &Path, most: u64, start: u64) -> io::Result<Vec<u8>> {
    let (file, facts) = opened(path, OFlags::empty())?;
    if facts.len() > most {
        return Err(too_large(most));
    }
    let mut bytes = Vec::new();
    file.take(start.min(most)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The same for a file of which only this user can have decided what is in it: it is at this path
/// itself, not behind a link, belongs to the user, and nobody else can write to it.
///
/// # Errors
/// Those of [`read`]; of the kind [`io::ErrorKind::PermissionDenied`] for a file of others.
pub fn read_own(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let (file, facts) = opened(path, OFlags::NOFOLLOW).map_err(|why| match why.raw_os_error() {
        Some(LINK) => io::Error::new(io::ErrorKind::PermissionDenied, "it is a link"),
        _ => why,
    })?;
    match foreign(facts.uid(), facts.mode(), rustix::process::geteuid().as_raw()) {
        Some(why) => Err(io::Error::new(io::ErrorKind::PermissionDenied, why)),
        None => bytes(file, &facts, most),
    }
}

/// Why others can have written a file with this owner and mode.
fn foreign(owner: u32, mode: u32, user: u32) -> Option<&'static str> {
    if owner != user {
        Some("it belongs to another user")
    } else {
        (mode & 0o022 != 0).then_some("other users can write to it")
    }
}

fn opened(path: &Path, flags: OFlags) -> io::Result<(File, fs::Metadata)> {
    // Without NONBLOCK, a pipe would be waited for.
    let flags = (OFlags::NONBLOCK | flags).bits() as i32;
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    let facts = file.metadata()?;
    if facts.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !facts.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    Ok((file, facts))
}

fn bytes(file: File, facts: &fs::Metadata, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if facts.len() <= most {
        // Without room for all of it, the bytes would be moved, and take more memory meanwhile.
        let room = usize::try_from(facts.len()).ok().and_then(|len| len.checked_add(1));
        room.and_then(|room| bytes.try_reserve_exact(room).ok()).ok_or(io::ErrorKind::OutOfMemory)?;
        // It may grow meanwhile; files of /proc have no size.
        file.take(most + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 <= most {
            return Ok(bytes);
        }
    }
    Err(too_large(most))
}

fn too_large(most: u64) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {most} bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs::Permissions, os::unix::fs::PermissionsExt};

    #[test]
    fn only_regular_files_of_some_size_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let [file, pipe, link] = ["file", "pipe", "link"].map(|name| folder.path().join(name));
        fs::write(&file, "text").unwrap();
        assert_eq!(read(&file, 4).unwrap(), b"text");
        assert_eq!(read(&file, 3).unwrap_err().to_string(), "it has more than 3 bytes");
        assert_eq!(read_start(&file, 4, 2).unwrap(), b"te");
        assert_eq!(read_start(&file, 3, 2).unwrap_err().to_string(), "it has more than 3 bytes");
        assert_eq!(read(Path::new("/dev/zero"), 3).unwrap_err().to_string(), "it is not a regular file");
        assert_eq!(read(folder.path(), 3).unwrap_err().kind(), io::ErrorKind::IsADirectory);
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::from_raw_mode(0o600)).unwrap();
        assert_eq!(read(&pipe, 3).unwrap_err().to_string(), "it is not a regular file");
        std::os::unix::fs::symlink(&file, &link).unwrap();
        assert_eq!(read(&link, 4).unwrap(), b"text");
        assert!(read_own(&link, 4).is_err());
    }

    #[test]
    fn an_own_file_is_one_that_others_cannot_change() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "text").unwrap();
        for (mode, is_own) in [(0o600, true), (0o644, true), (0o620, false), (0o602, false)] {
            fs::set_permissions(&file, Permissions::from_mode(mode)).unwrap();
            let read = read_own(&file, 4).map_err(|why| why.to_string());
            let expected =
                if is_own { Ok(b"text".to_vec()) } else { Err("other users can write to it".into()) };
            assert_eq!(read, expected, "{mode:o}");
        }
        assert_eq!(foreign(1000, 0o600, 1001), Some("it belongs to another user"));
        assert_eq!(foreign(1000, 0o644, 1000), None);
    }
}
