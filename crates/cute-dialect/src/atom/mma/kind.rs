//! The kinds of MMA atoms: one row each with the properties of the kind.

use cute_arch::atoms::{self, Generation, Instruction, MmaUnit};
use cute_ffi::types::Kind;

use super::TypeField;
use crate::space::Space;

/// The types of MMA atoms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MmaKind {
    /// One multiplication and addition of a thread.
    UniversalFma,
    /// Volta's `mma.sync` of quad pairs.
    Sm70,
    /// Turing's `mma.sync`.
    Sm75,
    /// `mma.sync` of Ampere and the f64 shapes of Hopper.
    Sm80,
    /// `mma.sync` on 8-bit floats.
    Sm89,
    /// `mma.sync` on floats of 8, 6 and 4 bits.
    Sm120,
    /// Hopper's wgmma.
    Sm90,
    /// Blackwell's tcgen05.mma.
    Sm100,
    /// The same with scale factors.
    Sm100Scaled,
    /// `mma.sync` with scales.
    Sm120Scaled,
    /// `mma.sp.sync` of Ampere.
    Sm80Sparse,
    /// tcgen05.mma.sp.
    Sm100Sparse,
    /// The same with scale factors.
    Sm100SparseScaled,
}

/// The properties of a kind.
struct MmaKindRow {
    kind: Kind,
    /// Generations of its atoms.
    generations: &'static [Generation],
    /// The instruction of its atoms, for one CTA.
    instruction: Instruction,
    /// The fields of the body, in order.
    fields: &'static [TypeField],
    /// The attribute that names a field of the run-time state, and the flags among these.
    state: Option<(&'static str, &'static [&'static str])>,
}

impl MmaKind {
    /// The kinds, in the order of this enum.
    pub const ALL: [Self; 13] = [
        Self::UniversalFma,
        Self::Sm70,
        Self::Sm75,
        Self::Sm80,
        Self::Sm89,
        Self::Sm120,
        Self::Sm90,
        Self::Sm100,
        Self::Sm100Scaled,
        Self::Sm120Scaled,
        Self::Sm80Sparse,
        Self::Sm100Sparse,
        Self::Sm100SparseScaled,
    ];

    fn row(self) -> MmaKindRow {
        use TypeField::*;
        const UMMA: &[&str] = &["accum_c", "neg_a", "neg_b"];
        let fma = MmaKindRow {
            kind: Kind::UniversalFma,
            generations: &[Generation::Universal],
            instruction: Instruction::FMA,
            fields: &[Function],
            state: None,
        };
        let sync = MmaKindRow {
            kind: Kind::Sm80Mma,
            generations: &[Generation::Sm80, Generation::Sm90],
            instruction: Instruction::MMA_SYNC,
            fields: &[Elements, Space, Operation],
            state: None,
        };
        let umma = MmaKindRow {
            kind: Kind::Sm100Mma,
            generations: &[Generation::Sm100],
            instruction: Instruction::TCGEN05,
            fields: &[NumCta, Majors, Elements, Frag, ScaleExponent, LaneMask],
            state: Some(("atom_mma_field_sm100", UMMA)),
        };
        match self {
            Self::UniversalFma => fma,
            Self::Sm70 => MmaKindRow {
                kind: Kind::Sm70Mma,
                generations: &[Generation::Sm70],
                fields: &[Majors, Elements, Space, Operation],
                ..sync
            },
            Self::Sm75 => MmaKindRow { kind: Kind::Sm75Mma, generations: &[Generation::Sm75], ..sync },
            Self::Sm80 => sync,
            Self::Sm89 => MmaKindRow { kind: Kind::Sm89Mma, generations: &[Generation::Sm89], ..sync },
            Self::Sm120 => MmaKindRow { kind: Kind::Sm120Mma, generations: &[Generation::Sm120], ..sync },
            Self::Sm90 => MmaKindRow {
                kind: Kind::Sm90Mma,
                generations: &[Generation::Sm90],
                instruction: Instruction::WGMMA,
                fields: &[Majors, Elements, Frag, Operation, Negation],
                state: Some(("atom_mma_field_sm90", &["accum_c"])),
            },
            Self::Sm100 => umma,
            Self::Sm100Scaled => MmaKindRow {
                kind: Kind::Sm100MmaBs,
                generations: &[Generation::Sm100, Generation::Sm103],
                instruction: Instruction::TCGEN05.scaled(),
                fields: &[NumCta, Majors, Elements, ScaleType, Frag, ScaleVector, Promotion],
                state: Some(("atom_mma_field_sm100_block_scaled", UMMA)),
            },
            Self::Sm120Scaled => MmaKindRow {
                kind: Kind::Sm120MmaBs,
                generations: &[Generation::Sm120],
                instruction: Instruction::MMA_SYNC.scaled(),
                fields: &[ScaleVector, Elements, ScaleType, ScaleLayout],
                state: Some(("atom_mma_field_sm120_block_scaled", &[])),
            },
            Self::Sm80Sparse => MmaKindRow {
                kind: Kind::Sm80SparseMma,
                generations: &[Generation::Sm80],
                instruction: Instruction::MMA_SYNC.sparse(),
                fields: &[Elements, MetadataOrder, Operation, Space],
                state: Some(("atom_mma_field_sm80_sparse", &[])),
            },
            Self::Sm100Sparse => MmaKindRow {
                kind: Kind::Sm100MmaSp,
                instruction: Instruction::TCGEN05.sparse(),
                fields: &[NumCta, Majors, Elements, MetadataType, MetadataFormat, Frag, ScaleExponent],
                state: Some(("atom_mma_field_sm100_sparse", UMMA)),
                ..umma
            },
            Self::Sm100SparseScaled => MmaKindRow {
                kind: Kind::Sm100MmaBsSp,
                instruction: Instruction::TCGEN05.sparse().scaled(),
                fields: &[NumCta, Majors, Elements, ScaleType, MetadataFormat, Frag, ScaleVector],
                state: Some(("atom_mma_field_sm100_block_scaled_sparse", UMMA)),
                ..umma
            },
        }
    }

    /// The kind of type.
    pub fn kind(self) -> Kind {
        self.row().kind
    }

    /// The fields of the body, in order.
    pub fn fields(self) -> &'static [TypeField] {
        self.row().fields
    }

    /// The instruction that its atoms are made of.
    pub(super) fn instruction(self, num_cta: i64) -> Instruction {
        let one = self.row().instruction;
        if one.unit == MmaUnit::Tcgen05 && num_cta == 2 { one.pair() } else { one }
    }

    /// Whether the atom is of this type, given that it uses its instruction.
    pub(super) fn has(self, atom: &atoms::MmaAtom) -> bool {
        self.row().generations.contains(&atom.generation)
    }

    /// Its run-time state: the attribute that names a field, the flags, and the space of scales and
    /// metadata.
    pub(super) fn state(self) -> Option<(&'static str, &'static [&'static str], Space)> {
        let MmaKindRow { state, instruction, .. } = self.row();
        let space = if instruction.unit == MmaUnit::Tcgen05 { Space::Tmem } else { Space::Rmem };
        state.map(|(attribute, flags)| (attribute, flags, space))
    }
}
