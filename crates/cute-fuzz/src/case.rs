//! The input of a tool in one case: more words for its command line, its standard input, and files.

use std::{fs, io, os::unix, path::Path, process::Command};

#[derive(Debug, Clone, Default)]
pub struct Case {
    /// They follow the command of the campaign.
    pub words: Vec<String>,
    /// Standard input.
    pub input: String,
    /// Files in the folder that the tool runs in, by their paths.
    pub files: Vec<(String, File)>,
}

/// A file, or something in its place.
#[derive(Debug, Clone)]
pub(crate) enum File {
    Bytes(Vec<u8>),
    Folder,
    Link(&'static str),
    /// A pipe with a name, to which nobody writes.
    Pipe,
}

impl Case {
    /// A case that is standard input alone.
    pub fn input(input: String) -> Self {
        Self { input, ..Self::default() }
    }

    /// Puts the files into a folder, instead of what is there.
    pub fn prepare(&self, folder: &Path) -> io::Result<()> {
        for (path, file) in &self.files {
            let path = folder.join(path);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent)?;
            }
            match file {
                File::Bytes(bytes) => fs::write(path, bytes)?,
                File::Folder => fs::create_dir_all(path)?,
                File::Link(to) => unix::fs::symlink(to, path)?,
                File::Pipe => {
                    Command::new("mkfifo").arg(path).status()?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::FileTypeExt;

    #[test]
    fn files_are_what_they_are_called() {
        let folder = tempfile::tempdir().expect("a folder");
        let files =
            [("a/b", File::Bytes(vec![7])), ("c", File::Folder), ("d", File::Pipe), ("e", File::Link("a/b"))];
        let files = files.map(|(path, file)| (path.to_string(), file)).to_vec();
        Case { files, ..Case::default() }.prepare(folder.path()).expect("the files");
        let at = |path| folder.path().join(path);
        assert_eq!((fs::read(at("a/b")).ok(), fs::read(at("e")).ok()), (Some(vec![7]), Some(vec![7])));
        assert!(at("c").is_dir() && fs::metadata(at("d")).is_ok_and(|d| d.file_type().is_fifo()));
    }
}
