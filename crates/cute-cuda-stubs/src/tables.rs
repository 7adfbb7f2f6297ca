//! The names of CUDA's functions, for the build script and for readers of the lists.

/// A function in a list of names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionName {
    /// Its name, as a linker sees it.
    pub name: &'static str,
    /// The versions of CUDA that have it: 12, 13 or both.
    pub versions: Vec<u32>,
}

/// The functions of the runtime.
pub fn runtime() -> Vec<FunctionName> {
    names(include_str!("../names/runtime.txt"))
}

/// The functions of the driver.
pub fn driver() -> Vec<FunctionName> {
    names(include_str!("../names/driver.txt"))
}

/// Reads a list: a name in each line, and the versions.
fn names(list: &'static str) -> Vec<FunctionName> {
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    let entry = |line: &'static str| {
        let mut words = line.split(' ');
        let name = words.next().expect("a line has a name");
        FunctionName {
            name,
            versions: words.map(|word| word.parse().expect("a version is a number")).collect(),
        }
    };
    lines.map(entry).collect()
}
