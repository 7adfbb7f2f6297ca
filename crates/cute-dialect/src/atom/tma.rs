//! TMA atoms as values: bulk copies of boxes of tensors, before and after they are given their descriptor and barrier.

use cute_algebra::{self as algebra, Dim, Layout, Tuple};
use cute_arch::atoms::{BulkAtom, BulkInstruction, BulkMode, BulkOperation, Reduction};
use cute_ffi::types::Kind;
use melior::ir::Type;

use super::copy::CopyFamily;
use crate::scalars::bit_width;

/// A copy of a box by the TMA.
#[derive(Debug, Clone, PartialEq)]
pub struct TmaCopy<'c> {
    /// Which type of atom.
    pub kind: TmaKind,
    /// Element type.
    pub elem: Type<'c>,
    /// Bits of one instruction: of a box.
    pub bits: i64,
    /// From the modes of the box, the contiguous one of memory first, to those of the tensor.
    pub basis: Layout<Dim>,
    /// Of a load: for which instruction, or how many CTAs signal one barrier.
    pub load: LoadMode,
    /// Whether a load reaches several CTAs.
    pub multicast: bool,
    /// What a reduction computes.
    pub reduction: Reduction,
    /// How the descriptor names the elements; the type of an executable atom does not say.
    pub format: Option<TmaFormat>,
    /// Strides of the tensor that an executable atom is given.
    pub strides: Tuple<Dim>,
}

macro_rules! named {
    ($(#[$doc:meta])* $name:ident { $($case:ident $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[allow(missing_docs)]
        pub enum $name { $($case),* }

        impl $name {
            /// All of them, with their keywords in types.
            pub const ALL: &[(&'static str, Self)] = &[$(($text, Self::$case)),*];

            /// The keyword in a type.
            pub fn name(self) -> &'static str {
                match self { $(Self::$case => $text),* }
            }
        }
    };
}

named! {
    /// What issues a load and waits for it.
    LoadMode {
        Sm90 "sm_90",
        Sm90Multicast "sm_90_multicast",
        Pair "sm_100_2sm",
        PairMulticast "sm_100_2sm_multicast",
    }
}

impl LoadMode {
    /// CTAs that one barrier counts for.
    pub fn ctas(self) -> u32 {
        if matches!(self, Self::Pair | Self::PairMulticast) { 2 } else { 1 }
    }
}

named! {
    /// Element formats of descriptors.
    TmaFormat {
        U8 "U8", U16 "U16", U32 "U32", S32 "S32", U64 "U64", S64 "S64", F16 "F16_RN", F32 "F32_RN",
        F32Ftz "F32_FTZ_RN", F64 "F64_RN", Bf16 "BF16_RN", U4 "U4", U4In8 "U4_UNPACK_U8", U6In8 "U6_UNPACK_U8",
        Tf32 "TF32_RN", Tf32Ftz "TF32_FTZ_RN",
    }
}

impl TmaFormat {
    /// The format of an element type.
    pub fn of(elem: Type<'_>) -> Option<Self> {
        Some(match (elem.to_string().as_str(), bit_width(elem)?) {
            ("f16", _) => Self::F16,
            ("bf16", _) => Self::Bf16,
            ("f32", _) => Self::F32,
            ("tf32", _) => Self::Tf32,
            ("f64", _) => Self::F64,
            ("si32", _) => Self::S32,
            ("si64", _) => Self::S64,
            (_, 4) => Self::U4,
            (_, 1..=8) => Self::U8,
            (_, 16) => Self::U16,
            (_, 32) => Self::U32,
            (_, 64) => Self::U64,
            _ => return None,
        })
    }

    /// Bits of an element in memory and in a box.
    fn bits(self) -> u32 {
        match self {
            Self::U4 => 4,
            Self::U8 | Self::U4In8 | Self::U6In8 => 8,
            Self::U16 | Self::F16 | Self::Bf16 => 16,
            Self::U32 | Self::S32 | Self::F32 | Self::F32Ftz | Self::Tf32 | Self::Tf32Ftz => 32,
            Self::U64 | Self::S64 | Self::F64 => 64,
        }
    }
}

/// The types of TMA atoms. `NonExec` is what the host makes: a descriptor. The others can be executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TmaKind {
    NonExecLoad,
    NonExecStore,
    NonExecReduce,
    Load,
    Store,
    Reduce,
}

impl TmaKind {
    /// All kinds.
    pub const ALL: [Self; 6] =
        [Self::NonExecLoad, Self::NonExecStore, Self::NonExecReduce, Self::Load, Self::Store, Self::Reduce];

    /// The kind of type.
    pub fn kind(self) -> Kind {
        match self {
            Self::NonExecLoad => Kind::NonExecTiledTmaLoad,
            Self::NonExecStore => Kind::NonExecTiledTmaStore,
            Self::NonExecReduce => Kind::NonExecTiledTmaReduce,
            Self::Load => Kind::TmaLoad,
            Self::Store => Kind::TmaStore,
            Self::Reduce => Kind::TmaReduce,
        }
    }

    /// Whether it can be executed.
    pub fn is_executable(self) -> bool {
        matches!(self, Self::Load | Self::Store | Self::Reduce)
    }
}

impl TmaCopy<'_> {
    /// The row of the registry.
    pub fn row(&self) -> &'static BulkAtom {
        let operation = match self.kind {
            TmaKind::NonExecLoad | TmaKind::Load => BulkOperation::Load,
            TmaKind::NonExecStore | TmaKind::Store => BulkOperation::Store,
            TmaKind::NonExecReduce | TmaKind::Reduce => BulkOperation::Reduce(self.reduction),
        };
        let load = operation == BulkOperation::Load;
        let ctas = if load { self.load.ctas() } else { 1 };
        let multicast = load && self.multicast;
        let instruction = BulkInstruction { operation, mode: BulkMode::Tiled, multicast, ctas };
        BulkAtom::of(instruction).expect("the registry has every tiled load, store and reduction")
    }
}

impl<'c> CopyFamily<'c> for TmaCopy<'c> {
    fn elem(&self) -> Type<'c> {
        self.elem
    }

    fn kind(&self) -> Kind {
        self.kind.kind()
    }

    fn begins_with_element(&self) -> bool {
        !matches!(self.kind, TmaKind::NonExecLoad | TmaKind::NonExecReduce)
    }

    fn bits(&self) -> i64 {
        self.bits
    }

    fn check(&self) -> Result<(), String> {
        let basis = &self.basis;
        if !basis.is_static() || !basis.has_basis() {
            return Err(format!(
                "tma_gbasis maps a static box to modes, such as (64,128):(1@1,1@0), found {basis}"
            ));
        }
        if !(1..=5).contains(&basis.rank()) {
            return Err(format!("a box has 1 to 5 modes, tma_gbasis {basis} has {}", basis.rank()));
        }
        for (i, extent) in basis.shape().modes().enumerate() {
            let n = algebra::product(extent).ok().and_then(|n| n.as_static()).unwrap_or(0);
            if !(1..=256).contains(&n) {
                return Err(format!(
                    "a box has 1 to 256 elements a mode, mode {i} of tma_gbasis {basis} has {n}"
                ));
            }
        }
        let elem = bit_width(self.elem).unwrap_or(0);
        if let Some(format) = self.format
            && format.bits() != elem
            && !matches!(format, TmaFormat::U4In8 | TmaFormat::U6In8)
        {
            let (name, bits) = (format.name(), format.bits());
            return Err(format!(
                "tma_format = {name} is of {bits} bits, an element {} has {elem}",
                self.elem
            ));
        }
        let size = algebra::size(basis).ok().and_then(|n| n.as_static()).unwrap_or(0);
        let bits = size.saturating_mul(i64::from(elem));
        if bits != self.bits {
            return Err(format!(
                "copy_bits = {} are not those of a box: {size} elements of {elem} bits have {bits}",
                self.bits
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use melior::Context;

    #[test]
    fn every_type_of_tma_atom_names_its_row() {
        let context = Context::new();
        let elem = Type::parse(&context, "f16").expect("f16 is a type");
        let row = |kind, load, reduction| {
            let multicast = matches!(load, LoadMode::Sm90Multicast | LoadMode::PairMulticast);
            let (basis, strides) = (Layout::unit(), Tuple::from_modes([]));
            TmaCopy { kind, elem, bits: 16, basis, load, multicast, reduction, format: None, strides }
                .row()
                .name
        };
        for kind in [TmaKind::NonExecLoad, TmaKind::Load] {
            let names = LoadMode::ALL.iter().map(|(_, load)| row(kind, *load, Reduction::Add));
            let expected = [
                "SM90_TMA_LOAD",
                "SM90_TMA_LOAD_MULTICAST",
                "SM100_TMA_2SM_LOAD",
                "SM100_TMA_2SM_LOAD_MULTICAST",
            ];
            assert_eq!(names.collect::<Vec<_>>(), expected);
        }
        for kind in [TmaKind::NonExecStore, TmaKind::Store] {
            assert_eq!(row(kind, LoadMode::Sm90, Reduction::Add), "SM90_TMA_STORE");
        }
        for (name, reduction) in Reduction::ALL {
            for kind in [TmaKind::NonExecReduce, TmaKind::Reduce] {
                assert_eq!(row(kind, LoadMode::Sm90, *reduction), format!("SM90_TMA_REDUCE_{name}"));
            }
        }
    }
}
