//! All mnemonics of PTX: those whose instructions run in the simulator, and those that it refuses
//! by name, with the reason.
//!
//! A mnemonic is the first word of an instruction, and words after it where they make another
//! instruction. It names each instruction that has its words in their order, unless a longer
//! mnemonic does.
//!
//! `mnemonics.txt` lists those of the PTX ISA, whatever becomes of them. The files of `rows` say
//! which of them do not run. All others have a row there, or are read beside the table.

use crate::keyword::Spelling;
use crate::rows;
use std::sync::LazyLock;

/// The state of a mnemonic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
    /// Its instructions run.
    Runs,
    /// They do not, for this reason.
    Refused(&'static str),
}

static MNEMONICS: LazyLock<Vec<(&'static str, Support)>> = LazyLock::new(|| {
    let refused = || rows::refused(Spelling::Ptx);
    let is_refused = |mnemonic: &str| refused().any(|(name, _)| name == mnemonic);
    let run = listed().filter(|mnemonic| !is_refused(mnemonic)).map(|mnemonic| (mnemonic, Support::Runs));
    run.chain(refused().map(|(mnemonic, reason)| (mnemonic, Support::Refused(reason)))).collect()
});

fn listed() -> impl Iterator<Item = &'static str> {
    include_str!("mnemonics.txt").lines()
}

/// Each mnemonic with its state: those that run before those that do not.
pub fn mnemonics() -> impl Iterator<Item = (&'static str, Support)> {
    MNEMONICS.iter().copied()
}

/// The mnemonic of an instruction, if PTX has it.
///
/// ```
/// use cute_ptx::mnemonics::{Support, mnemonic};
///
/// assert_eq!(mnemonic("add.cc.u32"), Some(("add.cc", Support::Runs)));
/// assert_eq!(mnemonic("tex.1d.v4.f32.s32"), Some(("tex", Support::Refused("a texture"))));
/// assert_eq!(mnemonic("twist.b32"), None);
/// ```
pub fn mnemonic(opcode: &str) -> Option<(&'static str, Support)> {
    // Refused ones are last, and the last one wins: what has the words of one does not run.
    let length = |(mnemonic, _): &(&str, Support)| mnemonic.split('.').count();
    mnemonics().filter(|(mnemonic, _)| names(mnemonic, opcode)).max_by_key(length)
}

/// Whether the opcode begins with the first word of the mnemonic, and has the others in order.
fn names(mnemonic: &str, opcode: &str) -> bool {
    let (mut words, mut all) = (mnemonic.split('.'), opcode.split('.'));
    words.next() == all.next() && words.all(|word| all.any(|other| other == word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Form;
    use std::collections::BTreeSet;

    /// Names of each form of the table, in PTX.
    fn forms() -> impl Iterator<Item = String> {
        let all =
            rows::rows().flat_map(|row| row.ptx).filter_map(|text| Form::parse(Spelling::Ptx, text).ok());
        // A form may have many names: some of them are enough.
        all.flat_map(|form| {
            let names = form.names();
            let step = names.len() / 100 + 1;
            names.into_iter().map(|(name, _)| name).step_by(step)
        })
    }

    #[test]
    fn a_mnemonic_has_one_state() {
        let mut seen = BTreeSet::new();
        for (mnemonic, _) in mnemonics() {
            assert!(seen.insert(mnemonic), "`{mnemonic}` is listed twice");
            let found = super::mnemonic(mnemonic).map(|(name, _)| name);
            assert_eq!(found, Some(mnemonic), "another mnemonic takes its instructions");
        }
        assert!(seen.len() > 220, "{}", seen.len());
    }

    #[test]
    fn the_list_is_sorted_and_has_each_mnemonic_that_a_family_names() {
        let all: Vec<&str> = listed().collect();
        assert!(all.is_sorted_by(|one, other| one < other), "each stands once, in order");
        let refused = rows::refused(Spelling::Ptx).map(|(mnemonic, _)| mnemonic);
        let unknown: Vec<&str> =
            refused.chain(rows::apart(Spelling::Ptx)).filter(|m| !all.contains(m)).collect();
        assert!(unknown.is_empty(), "not in mnemonics.txt: {unknown:?}");
    }

    #[test]
    fn a_mnemonic_that_runs_has_a_row_or_is_read_apart() {
        let of_rows: BTreeSet<&str> = forms()
            .map(|name| match mnemonic(&name) {
                Some((mnemonic, Support::Runs)) => mnemonic,
                other => panic!("`{name}` has a row, but its mnemonic is {other:?}"),
            })
            .collect();
        let apart: BTreeSet<&str> = rows::apart(Spelling::Ptx).collect();
        let both: Vec<_> = of_rows.intersection(&apart).collect();
        assert!(both.is_empty(), "these have rows, but are read apart: {both:?}");
        for (mnemonic, support) in mnemonics() {
            let is_read = of_rows.contains(mnemonic) || apart.contains(mnemonic);
            assert_eq!(is_read, support == Support::Runs, "`{mnemonic}`: {support:?}");
        }
    }
}
