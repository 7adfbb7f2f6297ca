//! All intrinsics of LLVM 22 for NVVM, and all ops of its NVVM dialect: those that run in the
//! simulator, and those that it refuses by name, with the reason, as
//! [`mnemonics`](crate::mnemonics) does for PTX.
//!
//! The files of `rows` say which are refused. All others have a form there, or are read beside the
//! table. The names are those of the installed LLVM's td files, from which `./dev names` writes
//! `intrinsics.txt` and `ops.txt`. A line of the former has a name, its parameters, and its
//! results:
//!
//! ```text
//! add.rn.f 2*f32 -> f32                                      two parameters, one result
//! setmaxnreg.inc.sync.aligned.u32 #24:i32                    a constant that is 24 at least
//! tcgen05.ld.16x128b.x1 ptr6 #:i1 -> 2xi32                   a pointer to space 6, a vector
//! atomic.add.gen.i.cta anyptr anyint -> anyint               types that the name ends with
//! ```

use crate::keyword::Spelling;
use crate::mnemonics::Support;
use crate::rows;
use std::collections::HashMap;
use std::sync::LazyLock;

/// An intrinsic of LLVM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intrinsic {
    /// The name after `llvm.nvvm.`, without the types of an overloaded one.
    pub name: &'static str,
    /// The types of its parameters, as the list has them.
    pub parameters: Vec<&'static str>,
    /// The types of its results.
    pub results: Vec<&'static str>,
}

impl Intrinsic {
    fn read(line: &'static str) -> Self {
        let (name, types) = line.split_once(' ').unwrap_or((line, ""));
        let (parameters, results) = types.split_once("->").unwrap_or((types, ""));
        Intrinsic { name, parameters: repeated(parameters), results: repeated(results) }
    }

    /// Whether it has types that its name ends with.
    pub fn is_overloaded(&self) -> bool {
        self.parameters.iter().chain(&self.results).any(|ty| ty.starts_with("any"))
    }

    /// Whether it runs.
    pub fn support(&self) -> Support {
        support(Spelling::Intrinsic, self.name)
    }
}

/// Types, of which `2*f32` is two.
fn repeated(types: &'static str) -> Vec<&'static str> {
    let each = |ty: &'static str| match ty.split_once('*') {
        Some((count, ty)) => vec![ty; count.parse().unwrap_or_default()],
        None => vec![ty],
    };
    types.split_whitespace().flat_map(each).collect()
}

static INTRINSICS: LazyLock<HashMap<&'static str, Intrinsic>> = LazyLock::new(|| {
    include_str!("intrinsics.txt").lines().map(Intrinsic::read).map(|one| (one.name, one)).collect()
});

/// The intrinsics of LLVM for NVVM, in no order.
pub fn intrinsics() -> impl Iterator<Item = &'static Intrinsic> {
    INTRINSICS.values()
}

/// The intrinsic that a name after `llvm.nvvm.` is one of.
///
/// ```
/// use cute_ptx::{llvm, mnemonics::Support};
///
/// let state = |name| llvm::intrinsic(name).map(|one| (one.name, one.support()));
/// assert_eq!(state("fabs.ftz.v2f16"), Some(("fabs.ftz", Support::Runs)));
/// assert_eq!(state("txq.width"), Some(("txq.width", Support::Refused("a texture"))));
/// assert_eq!(state("twist.i32"), None);
/// ```
pub fn intrinsic(name: &str) -> Option<&'static Intrinsic> {
    if let Some(exact) = INTRINSICS.get(name) {
        return Some(exact);
    }
    let ends = name.match_indices('.').map(|(at, _)| at).rev();
    let mut shorter = ends.filter_map(|end| INTRINSICS.get(&name[..end]));
    shorter.next().filter(|intrinsic| intrinsic.is_overloaded())
}

/// The ops of the NVVM dialect, after `nvvm.`.
pub fn ops() -> impl Iterator<Item = &'static str> {
    include_str!("ops.txt").lines()
}

/// The state of an op of the NVVM dialect, if it has it.
pub fn op(name: &str) -> Option<Support> {
    ops().any(|op| op == name).then(|| support(Spelling::Nvvm, name))
}

fn support(spelling: Spelling, name: &str) -> Support {
    let mut refused = rows::refused(spelling);
    let reason = refused.find(|(pattern, _)| matches(pattern, name));
    reason.map_or(Support::Runs, |(_, reason)| Support::Refused(reason))
}

/// Whether a pattern stands for a name: `*` is one word or several.
fn matches(pattern: &str, name: &str) -> bool {
    fn words(pattern: &[&str], name: &[&str]) -> bool {
        match (pattern.split_first(), name.split_first()) {
            (None, None) => true,
            (Some((&"*", rest)), Some((_, name))) => words(rest, name) || words(pattern, name),
            (Some((word, pattern)), Some((first, name))) => word == first && words(pattern, name),
            _ => false,
        }
    }
    words(&pattern.split('.').collect::<Vec<_>>(), &name.split('.').collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find;
    use std::collections::BTreeSet;

    /// Checks that each name is refused, is read apart, or has a form; each pattern is used.
    fn check<'n>(spelling: Spelling, names: impl Iterator<Item = &'n str>) {
        let refused: Vec<&str> = rows::refused(spelling).map(|(pattern, _)| pattern).collect();
        let apart: Vec<&str> = rows::apart(spelling).collect();
        let (mut wrong, mut used) = (BTreeSet::new(), BTreeSet::<&str>::new());
        for name in names {
            let all = refused.iter().chain(&apart).copied();
            let patterns: Vec<&str> = all.filter(|pattern| matches(pattern, name)).collect();
            // A form of a name that is refused has it beside others.
            if patterns.is_empty() && find(spelling, name).is_empty() {
                wrong.insert(name.to_owned());
            }
            used.extend(patterns);
        }
        assert!(wrong.is_empty(), "neither refused nor read: {wrong:#?}");
        let unused: Vec<_> =
            refused.iter().chain(&apart).filter(|pattern| !used.contains(*pattern)).collect();
        assert!(unused.is_empty(), "no name is one of {unused:?}");
    }

    #[test]
    fn an_intrinsic_runs_or_is_refused() {
        check(Spelling::Intrinsic, intrinsics().map(|one| one.name));
        assert!(intrinsics().count() > 2500);
    }

    #[test]
    fn an_op_runs_or_is_refused() {
        check(Spelling::Nvvm, ops());
        assert!(ops().count() > 180);
    }

    /// Each product that is not refused has an atom.
    #[test]
    fn a_product_has_an_atom() {
        let mut without = BTreeSet::new();
        for one in intrinsics().filter(|one| one.support() == Support::Runs) {
            let words: Vec<&str> = one.name.split('.').collect();
            let is_known = match words[..] {
                ["mma", ref rest @ ..] => rows::mma::read(rest).is_some_and(|query| query.find().is_ok()),
                ["wmma", ref rest @ ..] => rows::wmma::Wmma::of_intrinsic(rest).is_some(),
                _ => true,
            };
            if !is_known {
                without.insert(one.name);
            }
        }
        assert!(without.is_empty(), "{without:#?}");
    }
}
