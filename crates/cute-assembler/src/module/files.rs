//! The sources that a file of PTX names by `.file`.

use super::chain::{Name, Spot};
use cute_machine::place::{SourceFile, SourcePoint};
use cute_ptx::syntax::{DebugStrings, Module};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The sources, by number, and the names of functions.
pub(super) struct Files<'a> {
    files: FxHashMap<u32, SourceFile>,
    strings: Arc<DebugStrings<'a>>,
}

impl<'a> Files<'a> {
    /// Names in a folder, if one is given, are shown relative to it.
    pub(super) fn new(module: &Module<'a>, folder: Option<&str>) -> Self {
        let files = &module.files;
        let shown: Vec<String> = files.iter().map(|(_, name)| short(name, folder)).collect();
        let is_taken = |i: usize| {
            let others = shown.iter().zip(files).enumerate();
            { others }.any(|(j, (other, (_, name)))| j != i && *other == shown[i] && *name != files[i].1)
        };
        let name = |i: usize| if is_taken(i) { files[i].1.to_owned() } else { shown[i].clone() };
        let file = |(i, (number, whole)): (usize, &(u32, &str))| (*number, SourceFile::new(whole, &name(i)));
        Files { files: files.iter().enumerate().map(file).collect(), strings: module.strings.clone() }
    }

    pub(super) fn knows(&self, number: u32) -> bool {
        self.files.contains_key(&number)
    }

    /// A place. A file that is not declared has no name.
    pub(super) fn point(&self, (file, line, column): Spot) -> SourcePoint {
        let file = self.files.get(&file).cloned().unwrap_or_else(|| SourceFile::of(""));
        SourcePoint::new(file, line, Some(column))
    }

    /// The symbol of a function.
    pub(super) fn function(&self, (label, offset): Name<'_>) -> Option<Arc<str>> {
        self.strings.get(label, offset).map(Arc::from)
    }
}

/// The last components of a path that are kept where it is not below the current folder.
const KEPT: usize = 3;

/// A path relative to a folder that has it, otherwise as `#include` spells it, otherwise its end.
fn short(path: &str, folder: Option<&str>) -> String {
    let below = |folder: &str| path.strip_prefix(folder.trim_end_matches('/'))?.strip_prefix('/');
    if let Some(rest) = folder.filter(|folder| folder.len() > 1).and_then(below) {
        return rest.to_owned();
    }
    let included = path.rsplit_once("/include/").map(|(_, rest)| rest);
    let rest = included.unwrap_or(path);
    let parts: Vec<&str> = rest.split('/').collect();
    let (first, last) = (parts[0], parts.len().saturating_sub(KEPT));
    match included {
        Some(_) if last > 1 => format!("{first}/.../{}", parts[last + 1..].join("/")),
        None if path.starts_with('/') && last > 1 => format!(".../{}", parts[last..].join("/")),
        _ => rest.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_short() {
        let here = |path| short(path, Some("/home/me/project"));
        assert_eq!(here("/home/me/project/src/k.cu"), "src/k.cu");
        assert_eq!(here("k.cu"), "k.cu");
        assert_eq!(here("../a/b/c/d/k.cu"), "../a/b/c/d/k.cu");
        assert_eq!(here("/home/me/projects/k.cu"), ".../me/projects/k.cu");
        assert_eq!(here("/srv/x/k.cu"), "/srv/x/k.cu");
        assert_eq!(here("/usr/lib/python3/dist-packages/triton/language/standard.py"), {
            ".../triton/language/standard.py"
        });
        assert_eq!(here("/opt/cuda/include/cub/block/block_scan.cuh"), "cub/block/block_scan.cuh");
        assert_eq!(here("/x/include/cub/block/specializations/deep/warp.cuh"), "cub/.../deep/warp.cuh");
    }

    #[test]
    fn files_with_one_short_name_keep_their_whole_names() {
        let files = vec![(1, "/a/include/x.h"), (2, "/b/include/x.h"), (3, "/b/include/y.h")];
        let files = Files::new(&Module { files, ..Module::default() }, None);
        assert_eq!(files.point((1, 5, 2)).to_string(), "/a/include/x.h:5:2");
        assert_eq!(files.point((3, 5, 2)).to_string(), "y.h:5:2");
    }
}
