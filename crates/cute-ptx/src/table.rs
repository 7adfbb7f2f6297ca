//! The search among the rows.

use crate::form::{Form, FoundModifiers, Operand, OperandShape, OwnType};
use crate::keyword::{Keyword, Spelling};
use crate::operation::Operation as O;
use crate::role::Role;
use crate::row::Row;
use crate::rows::Vector;
use crate::takes::{Takes, has_registers};
use crate::words::{ScalarType, ScalarType as S};
use std::collections::HashMap;
use std::sync::LazyLock;

/// An instruction as it is written somewhere.
#[derive(Debug, Clone)]
pub struct Instruction {
    /// The instruction in all spellings.
    pub row: &'static Row,
    /// The form that its name has.
    pub form: &'static Form,
    /// The words of its name beside the form.
    pub found: FoundModifiers,
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

    /// Bits of a number that is written in the place of an operand. They are those of the operand's
    /// own type, which need not be the instruction's: the amount of `shl.b16` has 32 bits. A
    /// conversion reads a number of the type that it names last.
    pub fn bits_of(&self, operand: &Operand, role: Role) -> u32 {
        let ty = || self.keyword::<ScalarType>().or_else(|| self.named("from"));
        let bits = |ty: Option<ScalarType>| ty.map_or(WORD, |ty| ty.bits().min(SLOT));
        match operand.own {
            Some(OwnType::Fixed(own)) => bits(Some(own)),
            Some(OwnType::Named(label)) => bits(self.named(label)),
            Some(OwnType::Wide) => 2 * bits(ty()),
            Some(OwnType::Bits) => WORD,
            Some(OwnType::Pointer) => SLOT,
            None => role.bits().unwrap_or_else(|| bits(ty())),
        }
    }
}

impl Instruction {
    /// The registers that an operand takes in this part; `None` if it takes any.
    pub fn takes(&self, operand: &Operand, role: Option<Role>) -> Option<Takes> {
        let operation = self.row.operation;
        let named = |label| self.named::<ScalarType>(label);
        let wider = match self.form.first() {
            Some("ld" | "ldu" | "st") => {
                matches!(operation, O::Load | O::Store) && !self.form.text.starts_with("st.async")
            }
            Some("cvt") => [named("to"), named("from")].into_iter().flatten().all(has_registers),
            _ => false,
        };
        let vector = self.keyword::<Vector>().is_some();
        let typed = |ty: ScalarType| Takes::Typed { ty, wider, vector };
        // Beside another type, a number of this one is an integer.
        let other = |ty: ScalarType| if ty == S::Bf16 { Takes::Integer(16) } else { typed(ty) };
        let own = |ty: ScalarType| match ty {
            S::U16 | S::U32 | S::U64 => Takes::Integer(ty.bits()),
            ty => typed(ty),
        };
        match (operand.shape, role) {
            (OperandShape::Address(_), _) if operand.own.is_none() => return Some(Takes::Address),
            (OperandShape::Box(_), Some(Role::COORDINATES)) => return Some(Takes::Integer(32)),
            (OperandShape::Box(_) | OperandShape::Number, _) => return None,
            (OperandShape::Pair(of), _) if Some(of) == role => return Some(own(S::Pred)),
            _ => {}
        }
        let ty = || self.keyword::<ScalarType>().or_else(|| named("from"));
        Some(match operand.own {
            Some(OwnType::Fixed(ty)) => own(ty),
            Some(OwnType::Named(label)) => other(named(label)?),
            Some(OwnType::Wide) => typed(ty()?.twice()?),
            Some(OwnType::Bits) => Takes::Bits(WORD),
            Some(OwnType::Pointer) => Takes::Address,
            None => match role?.ty() {
                Some(_) if operation == O::AsyncCopy && role == Some(Role::BYTES) => Takes::Bytes,
                Some(ty) => own(ty),
                None if role == Some(Role::RESULT) => match (named("to"), ty()) {
                    (Some(to), Some(_)) if operation == O::CompareToNumber => other(to),
                    (to, ty) => typed(to.or(ty).unwrap_or(S::B32)),
                },
                None => typed(ty().unwrap_or(S::B32)),
            },
        })
    }
}

/// Bits of a number whose instruction names no type.
const WORD: u32 = 32;

/// A number has no more bits than this.
const SLOT: u32 = 64;

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
    crate::rows::rows()
}

/// The names of instructions that are read beside the table, because they follow from an atom, name
/// a register, or have an operand that no form has, such as a label; `*` stands for one word or
/// several, outside of PTX.
pub fn apart(spelling: Spelling) -> impl Iterator<Item = &'static str> {
    crate::rows::apart(spelling)
}

/// The forms that a name has: `redux.sync.min.u32`, or of NVVM and the intrinsics the name after
/// their prefix. Forms of the same name differ in their operands. The modifiers of PTX may come in
/// another order than in the ISA, as for ptxas: CUDA's headers have `atom.add.acquire.cta.u32`,
/// CUTLASS `ldmatrix.sync.aligned.x4.m8n8.shared.b16`.
pub fn find(spelling: Spelling, name: &str) -> Vec<Instruction> {
    let words: Vec<&str> = name.split('.').collect();
    let index = &TABLE[spelling as usize];
    let candidates = || [words[0], ""].into_iter().filter_map(|first| index.get(first)).flatten();
    let read =
        |words: &[&str], row, form: &'static Form| Some(Instruction { row, form, found: form.read(words)? });
    let all: Vec<_> = candidates().filter_map(|(row, form)| read(&words, row, form)).collect();
    if spelling != Spelling::Ptx || !all.is_empty() {
        return all;
    }
    candidates().filter_map(|(row, form)| read(&form.in_order(&words)?, row, form)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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

    /// Two rows never have the same name with operands of the same shapes and the same attributes:
    /// a reader would have to guess.
    #[test]
    fn a_name_means_one_operation() {
        for row in rows() {
            for spelling in Spelling::ALL {
                for text in row.forms(spelling) {
                    let form = Form::parse(spelling, text).unwrap();
                    for (name, _) in form.names() {
                        let shapes = |form: &Form| {
                            let of_operand = |o: &Operand| (o.shape, o.optional);
                            let operands: Vec<(OperandShape, bool)> =
                                form.operands.iter().map(of_operand).collect();
                            (operands, format!("{:?}", form.attributes))
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
        assert!(find(Spelling::Ptx, "atom.global.gpu.acq_rel.sum.u32").is_empty());
        assert!(find(Spelling::Ptx, "atom.global.gpu.acq_rel.gpu.add.u32").is_empty());
    }

    /// The types of the PTX ISA, where they are not the instruction's.
    #[test]
    fn a_number_has_the_width_of_its_operand() {
        for (name, expected) in [
            ("add.u16", &[16, 16, 16][..]),
            ("shl.b16", &[16, 16, 32]),
            ("shr.s64", &[64, 64, 32]),
            ("bfe.u64", &[64, 64, 32, 32]),
            ("bfi.b64", &[64, 64, 64, 32, 32]),
            ("mad.wide.u32", &[64, 32, 32, 64]),
            ("mad.wide.s16", &[32, 16, 16, 32]),
            ("slct.b16.s32", &[16, 16, 16, 32]),
            ("slct.f64.f32", &[64, 64, 64, 32]),
            ("selp.f64", &[64, 64, 64, 1]),
            ("set.lt.f32.s64", &[64, 64, 64]),
            ("fma.rn.f32.bf16", &[32, 16, 16, 32]),
            ("cvt.rn.f32.s64", &[64, 64]),
            ("cvt.rs.satfinite.e4m3x4.f32", &[32, 32, 32]),
            ("mbarrier.pending_count.b64", &[32, 64]),
            ("tcgen05.cp.cta_group::1.128x256b", &[32, 64]),
        ] {
            let [one, ..] = &find(Spelling::Ptx, name)[..] else { panic!("{name}") };
            let bits = one.form.operands.iter().map(|operand| one.bits_of(operand, operand.role.unwrap()));
            assert_eq!(bits.collect::<Vec<_>>(), expected, "{name}");
        }
        let remote = "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add";
        for (ty, bits) in [("u64", 64), ("u32", 32), ("s32", 32)] {
            let [one] = &find(Spelling::Ptx, &format!("{remote}.{ty}"))[..] else { panic!("{ty}") };
            assert_eq!(one.bits_of(&one.form.operands[1], Role::VALUES), bits, "{ty}");
        }
    }

    #[test]
    fn modifiers_may_come_in_any_order() {
        for (other, own) in [
            ("atom.add.acquire.cta.u32", "atom.acquire.cta.add.u32"),
            ("atom.u32.global.add", "atom.global.add.u32"),
            ("red.add.relaxed.gpu.global.u32", "red.relaxed.gpu.global.add.u32"),
            (
                "ldmatrix.sync.aligned.x4.trans.m8n8.shared.b16",
                "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16",
            ),
            ("ld.global.u32.v2", "ld.global.v2.u32"),
            ("ld.global.L1::no_allocate.nc.v2.u32", "ld.global.nc.L1::no_allocate.v2.u32"),
            ("cvt.sat.f16.rn.f32", "cvt.rn.sat.f16.f32"),
            ("cp.async.shared.global.ca", "cp.async.ca.shared.global"),
            ("mbarrier.arrive.shared.release.cta.b64", "mbarrier.arrive.release.cta.shared.b64"),
        ] {
            let read = |name| find(Spelling::Ptx, name).into_iter().map(|one| (one.form.text, one.found));
            let own: Vec<_> = read(own).collect();
            assert!(!own.is_empty(), "{other}");
            assert_eq!(read(other).collect::<Vec<_>>(), own, "{other}");
        }
    }
}
