//! Circles of modules in a crate: those that name each other through `crate::`, `super::` and
//! `self::`, directly or by a name that a module between them exports.
//!
//! A folder is a level: its modules are compared with each other, and everything inside of one of
//! them belongs to it. What a module says of a parent, and a parent of its children, is no arrow.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

/// The names from the root of a crate to a module or an item.
type Names = Vec<String>;
/// The arrows between the modules of a folder.
pub type Arrows = BTreeMap<String, BTreeSet<String>>;

/// The folder of the families of instructions.
pub const FAMILIES: &str = "families";

/// How often a name may be exported further.
const EXPORTS: usize = 6;

/// The modules of a crate, with what each names.
pub struct Crate {
    modules: BTreeMap<Names, Vec<Names>>,
    /// What a module makes of a name that is not a child of it.
    imports: BTreeMap<Names, BTreeMap<String, Names>>,
}

impl Crate {
    /// Reads the sources below a folder, without tests.
    pub fn read(src: &Path) -> Self {
        let code: BTreeMap<Names, String> = super::sources(src)
            .into_iter()
            .filter_map(|file| {
                let names = module(file.strip_prefix(src).expect("below it"))?;
                Some((names, bare(&fs::read_to_string(&file).expect("a source"))))
            })
            .collect();
        Self::of(&code)
    }

    fn of(code: &BTreeMap<Names, String>) -> Self {
        let is_module = |names: &[String]| code.contains_key(names);
        let absolute = |own: &Names, path: &Names| match path[0].as_str() {
            "crate" => Some(path[1..].to_vec()),
            "self" => Some([own.as_slice(), &path[1..]].concat()),
            "super" => {
                let up = path.iter().take_while(|name| *name == "super").count();
                let kept = own.len().checked_sub(up)?;
                Some([&own[..kept], &path[up..]].concat())
            }
            child => {
                let names = [own.as_slice(), &[child.to_string()]].concat();
                is_module(&names).then(|| [own.as_slice(), path].concat())
            }
        };
        let named = |own: &Names, code: &str| -> Vec<Names> {
            let paths = paths(code);
            paths.iter().filter_map(|path| absolute(own, path)).filter(|names| !names.is_empty()).collect()
        };
        let modules: BTreeMap<_, _> =
            code.iter().map(|(own, code)| (own.clone(), named(own, code))).collect();
        let imports = modules.iter().map(|(own, named)| {
            let last = |names: &Names| (names.last().cloned().unwrap_or_default(), names.clone());
            (own.clone(), named.iter().map(last).collect())
        });
        let imports = imports.collect();
        Self { modules, imports }
    }

    /// The module that has an item, which others may export under its name.
    fn home(&self, names: &Names, left: usize) -> Names {
        let depth = (0..=names.len()).rev().find(|depth| self.modules.contains_key(&names[..*depth]));
        let depth = depth.unwrap_or(0);
        let module = names[..depth].to_vec();
        let imported = names.get(depth).and_then(|name| self.imports.get(&module)?.get(name));
        match imported {
            Some(other) if other != names && left > 0 => {
                self.home(&[other.as_slice(), &names[depth + 1..]].concat(), left - 1)
            }
            _ => module,
        }
    }

    /// The arrows in each folder, by its names.
    pub fn arrows(&self) -> BTreeMap<String, Arrows> {
        let mut found: BTreeMap<String, Arrows> = BTreeMap::new();
        for (own, named) in &self.modules {
            let own = &level(own.clone());
            for other in named.iter().map(|names| level(self.home(names, EXPORTS))) {
                let common = own.iter().zip(&other).take_while(|(a, b)| a == b).count();
                if let (Some(from), Some(to)) = (own.get(common), other.get(common)) {
                    let folder = found.entry(own[..common].join("::")).or_default();
                    folder.entry(from.clone()).or_default().insert(to.clone());
                }
            }
        }
        found
    }
}

/// The names by which a module is compared: each file of a family of instructions is a room of its
/// own, beside those that hold what families share.
fn level(names: Names) -> Names {
    if names.first().is_some_and(|first| first == FAMILIES) { vec![names.join("/")] } else { names }
}

/// The modules of a folder that reach each other, in groups.
pub fn circles(arrows: &Arrows) -> BTreeSet<BTreeSet<String>> {
    let reached = |from: &String| {
        let (mut seen, mut left) = (BTreeSet::new(), vec![from]);
        while let Some(next) = left.pop() {
            left.extend(arrows.get(next).into_iter().flatten().filter(|other| seen.insert((*other).clone())));
        }
        seen
    };
    let all: BTreeMap<_, _> = arrows.keys().map(|name| (name, reached(name))).collect();
    let group = |(name, reached): (&&String, &BTreeSet<String>)| {
        let back = |other: &&String| all.get(other).is_some_and(|others| others.contains(*name));
        let group: BTreeSet<_> = reached.iter().filter(back).cloned().collect();
        (group.len() > 1).then_some(group)
    };
    all.iter().filter_map(group).collect()
}

/// The names of the module in a file below `src`, unless it is a test or a program.
fn module(file: &Path) -> Option<Names> {
    let mut names: Names =
        file.with_extension("").iter().map(|name| name.to_string_lossy().into_owned()).collect();
    let is_other = |name: &String| name == "tests" || name == "bin" || name.ends_with("_tests");
    if names.iter().any(is_other) {
        return None;
    }
    if ["mod", "lib", "main"].contains(&names.last()?.as_str()) {
        names.pop();
    }
    Some(names)
}

/// The code of a file without comments, the contents of texts, and tests.
fn bare(text: &str) -> String {
    let before_tests = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let lines = before_tests.lines().map(|line| line.split("//").next().unwrap_or_default());
    let code = lines.collect::<Vec<_>>().join("\n");
    // Every second part is inside of quotes.
    code.split('"').step_by(2).collect::<Vec<_>>().join("\"\"")
}

/// The paths of a piece of code: those of its `use`s, and others from `crate`, `super` and `self`.
fn paths(code: &str) -> Vec<Names> {
    let mut found = Vec::new();
    let mut others = String::new();
    let mut rest = code;
    while let Some(at) = rest.find("use ") {
        let begins = rest[..at].chars().next_back().is_none_or(|c| c.is_whitespace());
        let (before, after) = (&rest[..at], &rest[at + "use ".len()..]);
        others.push_str(before);
        match after.split_once(';') {
            Some((tree, behind)) if begins => {
                spread(tree, &[], &mut found);
                rest = behind;
            }
            _ => rest = after,
        }
    }
    others.push_str(rest);
    for start in ["crate::", "super::", "self::"] {
        for (at, _) in others.match_indices(start) {
            let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
            if others[..at].ends_with(is_path) {
                continue;
            }
            let path: String = others[at..].chars().take_while(|c| is_path(*c)).collect();
            found.push(path.split("::").filter(|name| !name.is_empty()).map(String::from).collect());
        }
    }
    found
}

/// The paths of a tree of `use`.
fn spread(tree: &str, head: &[String], found: &mut Vec<Names>) {
    let tree = tree.trim();
    let (path, group) = tree.split_once('{').map_or((tree, None), |(path, group)| (path, Some(group)));
    let path = path.split(" as ").next().unwrap_or_default();
    let own = path.split("::").map(str::trim).filter(|name| !name.is_empty()).map(String::from);
    let names: Names = head.iter().cloned().chain(own).collect();
    let Some(group) = group else {
        found.extend((!names.is_empty()).then_some(names));
        return;
    };
    let (mut depth, mut begin) = (0, 0);
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                spread(&group[begin..at], &names, found);
                return;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                spread(&group[begin..at], &names, found);
                begin = at + 1;
            }
            _ => {}
        }
    }
}

#[test]
fn circles_are_found_through_parents_and_exports() {
    let names =
        |text: &str| -> Names { text.split("::").filter(|n| !n.is_empty()).map(String::from).collect() };
    let code = [
        ("", "mod a; mod b; mod c; pub use b::Thing;"),
        ("a", "mod inner; mod other; use crate::Thing;"),
        ("a::inner", "use super::other::{One, deep::{Two}}; fn f() { super::super::c::go() }"),
        ("a::other", "let x = super::inner::y;"),
        ("b", "use crate::{c, c::go}; use std::fmt;"),
        ("c", "fn go() -> crate::a::Made {}"),
    ];
    let code = code.map(|(at, code)| (names(at), code.to_string())).into();
    let arrows = Crate::of(&code).arrows();
    let group = |list: &[&str]| list.iter().map(|name| name.to_string()).collect::<BTreeSet<_>>();
    assert_eq!(circles(&arrows[""]), [group(&["a", "b", "c"])].into());
    assert_eq!(circles(&arrows["a"]), [group(&["inner", "other"])].into());
}
