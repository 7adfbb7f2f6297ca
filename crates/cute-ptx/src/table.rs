//! The search among the rows.

use crate::form::{Form, Found};
use crate::keyword::{Keyword, Spelling};
use crate::row::Row;
use std::collections::HashMap;
use std::sync::LazyLock;

/// An instruction as it is written somewhere.
#[derive(Debug, Clone)]
pub struct Instruction {
    /// The instruction in all spellings.
    pub row: &'static Row,
    /// The form that its name has.
    pub form: &'static Form,
    /// Its modifiers.
    pub found: Found,
}

impl Instruction {
    /// The meaning of a modifier, if the instruction has it.
    pub fn keyword<K: Keyword>(&self) -> Option<K> {
        self.named(K::TABLE.name)
    }

    /// The meaning of the modifier that the form calls `label`.
    pub fn named<K: Keyword>(&self, label: &str) -> Option<K> {
        let (_, row) = self.found.keywords.iter().find(|(name, _)| *name == label)?;
        K::ALL.get(*row).copied()
    }

    /// Whether it has this flag.
    pub fn has(&self, flag: &str) -> bool {
        self.found.flags.contains(&flag)
    }
}

/// The forms of one spelling, by their first word; by none if that may be one of several.
type Index = HashMap<&'static str, Vec<(&'static Row, Form)>>;

static TABLE: LazyLock<[Index; 3]> = LazyLock::new(|| {
    Spelling::ALL.map(|spelling| {
        let mut index = Index::new();
        for row in rows() {
            for text in row.forms(spelling) {
                let form = Form::parse(spelling, text)
                    .unwrap_or_else(|part| panic!("`{text}` has no meaning at `{part}`"));
                index.entry(form.first().unwrap_or_default()).or_default().push((row, form));
            }
        }
        index
    })
});

/// The instructions of the table.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    crate::rows::ALL.iter().copied().flatten()
}

/// The forms that a name has: `redux.sync.min.u32`, or of NVVM and the intrinsics the name after
/// their prefix. Forms of the same name differ in their operands.
pub fn find(spelling: Spelling, name: &str) -> Vec<Instruction> {
    let words: Vec<&str> = name.split('.').collect();
    let all = found(spelling, &words);
    if spelling != Spelling::Ptx || !all.is_empty() {
        return all;
    }
    match in_order(&words) {
        Some(words) => found(spelling, &words),
        None => all,
    }
}

/// The words of an atomic update in the order of the ISA: order, scope, space. ptxas takes them in
/// any, and Triton writes `atom.global.gpu.acq_rel.add.u32`.
fn in_order<'w>(words: &[&'w str]) -> Option<Vec<&'w str>> {
    const GROUPS: [&[&str]; 3] = [
        &["relaxed", "acquire", "release", "acq_rel"],
        &["cta", "cluster", "gpu", "sys"],
        &["global", "shared", "shared::cta", "shared::cluster"],
    ];
    let (first, rest) = words.split_first().filter(|(first, _)| matches!(**first, "atom" | "red"))?;
    let group = |word: &str| GROUPS.iter().position(|group| group.contains(&word));
    let count = rest.iter().take_while(|word| group(word).is_some()).count();
    let mut ordered = rest[..count].to_vec();
    ordered.sort_by_key(|word| group(word));
    Some([&[*first], &ordered[..], &rest[count..]].concat())
}

fn found(spelling: Spelling, words: &[&str]) -> Vec<Instruction> {
    let index = &TABLE[spelling as usize];
    let candidates = [words[0], ""].into_iter().filter_map(|first| index.get(first)).flatten();
    candidates.filter_map(|(row, form)| Some(Instruction { row, form, found: form.read(words)? })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::Shape;

    #[test]
    fn every_form_can_be_parsed_and_finds_itself_under_each_of_its_names() {
        let mut count = 0;
        for row in rows() {
            for spelling in Spelling::ALL {
                for text in row.forms(spelling) {
                    let form = Form::parse(spelling, text).unwrap_or_else(|part| panic!("{text}: {part}"));
                    for (name, found) in form.names() {
                        let all = find(spelling, &name);
                        assert!(
                            all.iter().any(|one| one.row.operation == row.operation && one.found == found),
                            "{name}: {all:?}"
                        );
                        count += 1;
                    }
                }
            }
        }
        assert!(count > 1000, "{count}");
    }

    /// Two rows never have the same name with operands of the same shapes: a reader would have to
    /// guess.
    #[test]
    fn a_name_means_one_operation() {
        for row in rows() {
            for spelling in Spelling::ALL {
                for text in row.forms(spelling) {
                    let form = Form::parse(spelling, text).unwrap();
                    for (name, _) in form.names() {
                        let shapes = |form: &Form| {
                            form.operands
                                .iter()
                                .map(|o| (o.shape, o.optional))
                                .collect::<Vec<(Shape, bool)>>()
                        };
                        for other in find(spelling, &name) {
                            assert!(
                                other.row.operation == row.operation || shapes(other.form) != shapes(&form),
                                "{name} is {:?} and {:?}",
                                row.operation,
                                other.row.operation
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn modifiers_are_read() {
        let [with_flag, without] = &find(Spelling::Ptx, "shfl.sync.down.b32")[..] else {
            panic!("two forms")
        };
        assert_eq!([with_flag, without].map(|one| one.keyword()), [Some(crate::Shuffle::Down); 2]);
        assert!(find(Spelling::Ptx, "shfl.sync.sideways.b32").is_empty());
        let [update] = &find(Spelling::Ptx, "atom.global.gpu.acq_rel.add.u32")[..] else {
            panic!("one form")
        };
        assert_eq!(update.keyword(), Some(crate::StateSpace::Global));
        assert!(find(Spelling::Ptx, "atom.add.global.u32").is_empty());
    }
}
