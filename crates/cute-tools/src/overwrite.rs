//! Which outputs would replace an input, or another output.

use std::{
    env,
    path::{Path, PathBuf},
};

use cute_output::Sink;

/// Whether a path leads to the file of an output; pipes and devices are written to, not replaced.
pub(crate) fn replaces(output: &Sink, file: &Path) -> bool {
    matches!(output, Sink::File(out) if place(out) == place(file))
}

/// Whether two outputs are one file.
pub(crate) fn collide(one: &Sink, other: &Sink) -> bool {
    matches!(other, Sink::File(file) if replaces(one, file))
}

/// The one path of a file that is there, or of one that is to be made in a folder that is there.
fn place(file: &Path) -> PathBuf {
    file.canonicalize().unwrap_or_else(|_| {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.map_or_else(env::current_dir, Path::canonicalize).unwrap_or_default();
        folder.join(file.file_name().unwrap_or_default())
    })
}
