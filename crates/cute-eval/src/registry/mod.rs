//! The functions by name, in one table that evaluation, help and errors share.

mod args;
mod arithmetic;
mod bases;
mod coords;
mod fixed;
mod inverses;
mod layouts;
mod modes;
mod predicates;
mod results;
mod scales;
mod sizes;
mod tiling;
mod tilings;

use std::{collections::HashMap, sync::OnceLock};

pub use args::{Arg, Args, Role};
pub use fixed::{Fixed, Number};
pub use results::Kind;

use crate::{error::Result, value::Value};

/// A function of the calculator.
pub struct Function {
    /// The established name.
    pub name: &'static str,
    /// Other names of the same function.
    pub aliases: &'static [&'static str],
    /// Its parameters, `?` after the optional ones, `...` after one that repeats.
    pub parameters: &'static str,
    /// A description in one line.
    pub doc: &'static str,
    /// An example call.
    pub example: &'static str,
    /// Computes the value.
    pub run: fn(&Args) -> Result<Value>,
    /// The check of the strict domain policy on the arguments.
    pub strict: Option<fn(&Args) -> Result<()>>,
    /// The same function of static operands.
    pub fixed: Option<Fixed>,
}

impl Function {
    const fn new(
        name: &'static str,
        parameters: &'static str,
        doc: &'static str,
        example: &'static str,
        run: fn(&Args) -> Result<Value>,
    ) -> Self {
        Self { name, aliases: &[], parameters, doc, example, run, strict: None, fixed: None }
    }

    const fn aliases(mut self, aliases: &'static [&'static str]) -> Self {
        self.aliases = aliases;
        self
    }

    const fn strict(mut self, strict: fn(&Args) -> Result<()>) -> Self {
        self.strict = Some(strict);
        self
    }

    const fn fixed(mut self, fixed: Fixed) -> Self {
        self.fixed = Some(fixed);
        self
    }

    /// The kind of its values.
    pub fn result(&self) -> Kind {
        results::of(self.name)
    }

    /// `name(parameters)`.
    pub fn signature(&self) -> String {
        format!("{}({})", self.name, self.parameters)
    }

    /// The minimum number of arguments, and the maximum unless one repeats.
    pub fn arity(&self) -> (usize, Option<usize>) {
        let parameters = self.parameters.split(", ").filter(|p| !p.is_empty());
        let optional = |p: &&str| p.contains('?') || p.ends_with("...");
        let count = parameters.clone().count();
        let least = parameters.filter(|p| !optional(p)).count();
        (least, (!self.parameters.ends_with("...")).then_some(count))
    }
}

/// The families, in the order in which they are listed. A `static`, since a constant would be
/// compiled again, with all functions of the tables, in each crate that mentions it.
pub static FAMILIES: [(&str, &[Function]); 11] = [
    ("sizes", sizes::TABLE),
    ("arithmetic on tuples", arithmetic::TABLE),
    ("predicates", predicates::TABLE),
    ("coordinates and slices", coords::TABLE),
    ("modes", modes::TABLE),
    ("making and simplifying layouts", layouts::TABLE),
    ("composition and inverses", inverses::TABLE),
    ("layouts of coordinates", bases::TABLE),
    ("tiling, partitioning and recasting", tiling::TABLE),
    ("tiled MMAs and tiled copies", tilings::TABLE),
    ("scale factors of block-scaled MMAs", scales::TABLE),
];

/// Every function, family by family.
pub fn functions() -> impl Iterator<Item = &'static Function> {
    FAMILIES.iter().flat_map(|(_, table)| table.iter())
}

/// Every name, aliases included.
pub fn names() -> impl Iterator<Item = &'static str> {
    functions().flat_map(|f| std::iter::once(f.name).chain(f.aliases.iter().copied()))
}

/// The function with that name.
pub fn find(name: &str) -> Option<&'static Function> {
    static ALL: OnceLock<HashMap<&str, &Function>> = OnceLock::new();
    let all = || functions().flat_map(|f| f.aliases.iter().chain([&f.name]).map(move |name| (*name, f)));
    ALL.get_or_init(|| all().collect()).get(name).copied()
}

/// The expression in `words`: a single word is the expression; several words are a function and its
/// arguments.
pub fn expression(words: &[&str]) -> Option<String> {
    match words {
        [text] => Some(text.to_string()),
        [name, args @ ..] if find(name).is_some() => Some(format!("{name}({})", args.join(", "))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use cute_algebra::Domain;

    use super::*;
    use crate::eval::Session;

    #[test]
    fn names_are_unique_and_examples_have_values() {
        let mut seen = BTreeSet::new();
        for name in names() {
            assert!(seen.insert(name), "{name} is there twice");
        }
        for function in functions() {
            let value = Session::new(Domain::Strict).statement(function.example);
            assert!(
                value.is_ok(),
                "{}: {}",
                function.example,
                value.err().map_or(String::new(), |e| e.to_string())
            );
            assert!(function.example.contains(&format!("{}(", function.name)), "{}", function.name);
            let value = value.expect("it has a value");
            assert!(function.result().has(&value), "{}: {:?}", function.example, function.result());
        }
    }

    #[test]
    fn every_operation_of_the_algebra_has_a_name() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../cute-algebra/src/ops/mod.rs");
        let source = std::fs::read_to_string(path).expect("the list of operations");
        let known: BTreeSet<_> = names().collect();
        // `table` prints what `offsets` lists; each relation has its own function, and `explain`
        // shows why one fails; the outer divides reverse tilers; the operations of another compiler
        // are for messages only.
        let by_other_means =
            ["offsets", "relate", "reverse_tiler", "divide_uncoalesced", "complement_uncoalesced"];
        let mut missing = Vec::new();
        for export in source.split("\npub use ").skip(1).filter_map(|s| s.split(';').next()) {
            let (_, names) = export.rsplit_once("::").expect("a path");
            for name in names.split(|c: char| !(c.is_alphanumeric() || c == '_')) {
                let function = name.starts_with(|c: char| c.is_lowercase());
                if function && !known.contains(name) && !by_other_means.contains(&name) {
                    missing.push(name.to_string());
                }
            }
        }
        assert!(missing.is_empty(), "not in the table: {missing:?}");
    }
}
