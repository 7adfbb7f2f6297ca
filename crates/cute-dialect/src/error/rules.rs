//! The rules of the dialect, with an id for each class of error.

use super::{Algebra, AtomError, Error};
use cute_ffi::rules::DECLARED;
use cute_rules::{Rule, by_message};

cute_rules::rules! {
    /// The class of an error of the dialect.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum OpRule {
        /// A sum or a product is too large.
        Overflow = "op-overflow": "The results of arithmetic on static integers fit 64 bits.",
            "'..' op .. does not fit 64 bits", "Choose smaller extents, or make one dynamic.";
        /// The domain policy.
        Domain = "op-domain": "Operands are in the domain where CuTe's result has a meaning.",
            "'..' op ..; set cute.domain = \"extend\" to accept it as CuTe does\n'..' op ..; cute.domain = \"extend\" does so by itself",
            "Correct the operands, or set `cute.domain = \"extend\"` on an op around this one.";
        /// The algebra rejects the operands.
        Layouts = "op-layouts": "The operation on layouts has a result for its operands.", "'..' op ..",
            "Correct the mode that the message names; docs/ops.md lists the rules of the op.";
        /// The number of operands.
        OperandCount = "op-operand-count": "An op has as many operands as it takes.",
            "'..' op expects .., found .. operands", "Pass the operands that docs/ops.md lists.";
        /// The kind of an operand.
        OperandKind = "op-operand-kind": "An operand is of the kind that the op takes.",
            "'..' op operand #.. must be .., found ..\n'..' op operand #.. must be .., but got ..",
            "Make or convert the value; the ops `cute.to_..` convert tuples.";
        /// The declared type of a result.
        ResultType = "op-result-type": "A written result type is the inferred one, or weaker: some of its facts may \
            be left out.",
            "'..' op result #..: declared .. is not a weakening of ..: ..",
            "Leave the type out, or correct the leaf that the message names.";
        /// The number of results.
        ResultCount = "op-result-count": "An op has as many results as it computes from its operands.",
            "'..' op has .. results, but computes .. from its operands", "Write one type per result.";
        /// An attribute has another value.
        Attribute = "op-attribute": "An attribute of an op has a value of its kind.",
            "'..' op attribute '..' must be ..", "Write the value that the message describes.";
        /// The kind of the result.
        ResultKind = "op-result-kind": "The declared type of the result is of a kind that the op returns.",
            "'..' op the result must be ..", "Declare a type of the kind that the message names.";
        /// The atom of the result.
        OtherAtom = "op-other-atom": "The result has the atom of the operand.",
            "'..' op the atom is not the one of the result type", "Write the type of the atom in the result.";
        /// A value that must be static.
        Dynamic = "op-dynamic": "A value that the op must know when it is compiled is static.",
            "'..' op the .. is dynamic..", "Write the value as a constant, or make it one by a pass.";
        /// The layout of a fragment.
        DynamicFragment = "op-dynamic-fragment": "A fragment, which lies in registers, has a static shape and layout.",
            "'..' op a fragment must have a static .., found ..", "Make the fragment from a tile of static extents.";
        /// A `_` in place of an index.
        Underscore = "op-underscore": "A coordinate of one element has no `_`.",
            "'..' op the coordinate .. has a `_`, but ..", "Write an index in place of `_`.";
        /// The space of memory.
        Space = "op-memory-space": "Memory is in a space that the op takes.", "'..' op the .. lies in ..",
            "Pass memory of the space that the message names.";
        /// Elements without a width.
        NoSize = "op-no-size": "Elements have a width where the op must know it.", "'..' op .. has no size, so ..",
            "Give the memory elements of a type with a width.";
        /// A layout composed with a layout.
        NotSwizzled = "op-not-swizzled": "A composed layout has a swizzle as its inner function where the op needs one.",
            "'..' op .. is composed with a layout: ..", "Compose with a swizzle, or compute the composition.";
        /// The width of a leaf.
        SlotWidth = "op-slot-width": "A dynamic leaf has the width of the place that it fills.",
            "'..' op leaf #.. is .. bits wide, but its slot `..` is .. bits wide: ..",
            "Convert the value, or write the other width in the type.";
        /// Another rule of one op.
        Own = "op-rule": "The op has rules of its own.", "'..' op ..",
            "docs/ops.md lists the rules of each op, with the way out.";
        /// A pass cannot lower the op.
        Lowering = "op-lowering": "The passes can lower the op for the target of the compilation.", "'..' op: ..",
            "Choose another target, or the op or atom that the message names.";
        /// The elements of an atom.
        AtomElements = "atom-elements": "The element types of an atom are ones that its instruction takes.",
            "element type .. has no size\n.. b is not a whole number of .. elements (.. b each)\nan fma of one thread .., not ..\n.. cannot be the type of matrix elements\na_neg and b_neg are for floats: the instruction does not negate ..\ntma_format = .. has .. bits, but an element .. has ..\nthe TMA does not store elements of ..: pack them in shared memory, and write tma_format = ..",
            "Write one of the types that docs/types.md lists for the atom.";
        /// The bits of a call.
        AtomBits = "atom-bits": "One call of a copy atom moves a number of bits that its instruction moves.",
            ".. b is not one of 8, 16, 32, 64, 128, 256\ncp.async copies 32, 64 or 128 b, not .. b\ncache = global copies 128 b, not .. b; cache = always copies 32, 64 or 128 b\ncp.async.bulk copies multiples of .. bytes, but copy_bits = .. is not such a multiple\ncopy_bits = .. are not those of ..: .. elements of .. bits have ..",
            "Write one of the numbers of bits that the message lists.";
        /// No instruction has these fields.
        NoInstruction = "atom-no-instruction": "The fields of an atom are those of an instruction.",
            "there is no ..; there are ..\nno .. has ..; there are ..\nno MMA has shape ..\nan fma of one thread has shape 1x1x1, not ..",
            "Choose among the instructions that the message lists; `cute-calc atoms` prints all.";
        /// The elements of a bulk reduction.
        AtomReduction = "atom-reduction": "A bulk reduction takes its elements in its memory.",
            ".. does not reduce elements of .. by .., only elements of ..", "Reduce elements of a type that the message lists.";
        /// The box of the TMA.
        AtomBox = "atom-box": "The box of a TMA atom is static, with the modes and extents that the TMA has.",
            "tma_gbasis must map a static box to modes, such as (64,128):(1@1,1@0), found ..\na box has .. modes, but tma_gbasis .. has ..\na box has 1 to 256 elements per mode, but mode .. of tma_gbasis .. has ..",
            "Divide the tile into boxes of at most 256 elements per mode.";
        /// An atom that cannot be called.
        NotExecutable = "atom-not-executable": "An atom that is called can be executed.",
            "..!.. has a descriptor and cannot be executed; cute_nvgpu.atom.make_exec_tma makes an atom that can",
            "Make the atom that can be executed with `cute_nvgpu.atom.make_exec_tma`.";
        /// The type of another atom.
        OtherType = "atom-other-type": "An MMA atom is written with the type that has it.",
            ".. is an atom of !.., not of !..\n.. is not an atom of !..; as a type it is not supported",
            "Write the type that the message names.";
    }
}

/// The rule that a diagnostic is about, by its message: that which `td/` declares for the op, or
/// else the class of the error.
pub fn rule_of(message: &str) -> Option<&'static Rule> {
    // Ops of other dialects have their own verifiers.
    let op = message.strip_prefix('\'').and_then(|rest| rest.split_once('.'));
    if op.is_some_and(|(dialect, _)| !["cute", "cute_nvgpu", "cuda"].contains(&dialect)) {
        return None;
    }
    let declared = DECLARED.iter().filter(|declared| declared.is_of_op()).map(|declared| &declared.rule);
    by_message(declared, message).or_else(|| by_message(OpRule::RULES, message))
}

impl AtomError {
    /// The class of the rule.
    pub fn rule(&self) -> OpRule {
        match self {
            Self::NoSize { .. }
            | Self::PartOfElement { .. }
            | Self::FormatWidth { .. }
            | Self::NotStored { .. }
            | Self::FmaTypes { .. }
            | Self::FmaElement { .. }
            | Self::MatrixElement { .. }
            | Self::Negated { .. } => OpRule::AtomElements,
            Self::UniversalBits { .. }
            | Self::AsyncBits { .. }
            | Self::GlobalBits { .. }
            | Self::BulkBits { .. }
            | Self::BoxBits { .. } => OpRule::AtomBits,
            Self::NoInstruction { .. }
            | Self::NoSuchAtom(_)
            | Self::MmaShape { .. }
            | Self::FmaShape { .. } => OpRule::NoInstruction,
            Self::Reduction { .. } => OpRule::AtomReduction,
            Self::Basis { .. } | Self::BoxModes { .. } | Self::BoxExtent { .. } => OpRule::AtomBox,
            Self::NotExecutable { .. } => OpRule::NotExecutable,
            Self::OtherType { .. } | Self::NoType { .. } => OpRule::OtherType,
        }
    }
}

impl Error {
    /// The class of the rule.
    pub fn rule(&self) -> OpRule {
        match self {
            Self::Algebra(Algebra::Overflow { .. }) => OpRule::Overflow,
            Self::Algebra(Algebra::Domain { .. }) => OpRule::Domain,
            Self::Algebra(_) | Self::Placement(_) => OpRule::Layouts,
            Self::OperandCount { .. } => OpRule::OperandCount,
            Self::OperandKind { .. } => OpRule::OperandKind,
            Self::ResultType { .. } => OpRule::ResultType,
            Self::ResultCount { .. } => OpRule::ResultCount,
            Self::Attribute { .. } => OpRule::Attribute,
            Self::ResultKind { .. } => OpRule::ResultKind,
            Self::OtherAtom => OpRule::OtherAtom,
            Self::Dynamic { .. } => OpRule::Dynamic,
            Self::DynamicFragment { .. } => OpRule::DynamicFragment,
            Self::Underscore { .. } => OpRule::Underscore,
            Self::Space { .. } => OpRule::Space,
            Self::NoSize { .. } => OpRule::NoSize,
            Self::NotSwizzled { .. } => OpRule::NotSwizzled,
            Self::SlotWidth { .. } => OpRule::SlotWidth,
            Self::Atom(why) => why.rule(),
            Self::Rule(_) => OpRule::Own,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cute_arch::Element;

    #[test]
    fn the_message_of_an_error_leads_to_its_rule() {
        let atoms = [
            AtomError::PartOfElement { bits: 24, elem: "f16".into(), width: 16 },
            AtomError::AsyncBits { bits: 16 },
            AtomError::UniversalBits { bits: 7 },
            AtomError::FmaShape { shape: [1, 2, 3] },
            AtomError::Negated { elem: Element::S32 },
            AtomError::NoInstruction { asked: "ldmatrix".into(), legal: " some".into() },
            AtomError::NotExecutable { name: "a" },
            AtomError::Basis { basis: "1:1".into() },
            AtomError::NoType { atom: "a".into(), own: "b" },
            AtomError::Reduction {
                reducer: "the TMA",
                elem: "f64".into(),
                place: " in smem".into(),
                by: "add",
                taken: "f32".into(),
            },
        ];
        for error in atoms {
            let found = by_message(OpRule::RULES, &error.to_string());
            assert_eq!(found.map(|rule| rule.id), Some(error.rule().id()), "{error}");
        }
        let errors = [
            Error::OperandCount { expected: "two".into(), found: 1 },
            Error::OperandKind { index: 1, expected: "a shape", found: "a tile".into() },
            Error::ResultCount { declared: 1, inferred: 2 },
            Error::Attribute { name: "proj", expected: "a coordinate" },
            Error::Algebra(Algebra::Overflow { op: "*", lhs: 1, rhs: 2 }),
            Error::Algebra(Algebra::Domain { what: "divide", why: "3 does not divide 8".into() }),
            Error::OtherAtom,
        ];
        for error in errors {
            let found = by_message(OpRule::RULES, &format!("'cute.copy' op {error}"));
            assert_eq!(found.map(|rule| rule.id), Some(error.rule().id()), "{error}");
        }
        assert_eq!(by_message(OpRule::RULES, "something else"), None);
    }

    #[test]
    fn a_declared_rule_of_the_op_comes_before_the_class() {
        let id = |message: &str| rule_of(message).map(|rule| rule.id);
        let mixed = "'cute.tuple_add' op operands must be of one kind, found !cute.int_tuple and !cute.shape";
        assert_eq!(id(mixed), Some("tuple-add.both-operands-one-kind"));
        assert_eq!(id("'cute.copy' op expects two, found 1 operands"), Some("op-operand-count"));
        assert_eq!(id("'cute.copy' op: sm_80 has no such atom"), Some("op-lowering"));
        assert_eq!(id("'llvm.add' op expects two, found 1 operands"), None);
        assert_eq!(id("custom op 'cute.nothing' is unknown"), None);
    }
}
