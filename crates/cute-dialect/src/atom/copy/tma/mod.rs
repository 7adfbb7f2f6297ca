//! TMA atoms: bulk copies of boxes of tensors, before and after they receive their descriptor and
//! barrier.

mod format;
mod syntax;

pub use format::format_of;

use cute_algebra::{self as algebra, Dim, Layout, Tuple};
use cute_arch::{
    atoms::{BulkAtom, BulkInstruction, BulkMode, BulkOperation, Reduction},
    tensor_map::{BOX_ALIGN, BulkReduction, MAX_BOX, MapElement},
};
use cute_ffi::{
    syntax::{ParseResult, Parser},
    types::{Kind, context_of},
};
use melior::ir::{Type, r#type::IntegerType};

use super::{CopyEnd, CopyEnds, CopyFamily};
use crate::{
    atom::{
        AtomError,
        state::{AtomState, StateFieldType},
    },
    scalars::bit_width,
    space::Space,
    syntax::named,
};

/// A copy of a box by the TMA.
#[derive(Debug, Clone, PartialEq)]
pub struct TmaCopy<'c> {
    /// The type of atom.
    pub kind: TmaKind,
    /// Element type.
    pub elem: Type<'c>,
    /// Bits of one instruction: of a box.
    pub bits: i64,
    /// Maps the modes of the box, the mode contiguous in memory first, to those of the tensor.
    pub basis: Layout<Dim>,
    /// For a load: the instruction it loads for, or the number of CTAs that signal one barrier.
    pub load: LoadMode,
    /// Whether a load reaches several CTAs.
    pub multicast: bool,
    /// The operation of a reduction.
    pub reduction: Reduction,
    /// The descriptor's name for the element type; the type of an executable atom does not contain
    /// it.
    pub format: Option<MapElement>,
    /// Strides of the tensor that an executable atom is given.
    pub strides: Tuple<Dim>,
}

named! {
    /// The instruction that issues a load, and the waits for it.
    LoadMode {
        Sm90 "sm_90",
        Sm90Multicast "sm_90_multicast",
        Pair "sm_100_2sm",
        PairMulticast "sm_100_2sm_multicast",
    }
}

/// The same names for gathers.
const GATHERS: &[(&str, LoadMode)] = &[
    ("sm_100", LoadMode::Sm90),
    ("sm_100_multicast", LoadMode::Sm90Multicast),
    ("sm_100_2sm", LoadMode::Pair),
    ("sm_100_2sm_multicast", LoadMode::PairMulticast),
];

impl LoadMode {
    /// CTAs that one barrier counts for.
    pub fn ctas(self) -> u32 {
        if matches!(self, Self::Pair | Self::PairMulticast) { 2 } else { 1 }
    }

    /// Whether several CTAs receive a box.
    pub fn is_multicast(self) -> bool {
        matches!(self, Self::Sm90Multicast | Self::PairMulticast)
    }
}

/// The types of TMA atoms. `NonExec` is the descriptor that the host makes. The others can be
/// executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TmaKind {
    NonExecLoad,
    NonExecStore,
    NonExecReduce,
    NonExecIm2colLoad,
    NonExecIm2colStore,
    NonExecGather4Load,
    NonExecScatter4Store,
    Load,
    Store,
    Reduce,
}

impl TmaKind {
    /// The kinds, in the order of this enum.
    pub const ALL: [Self; 10] = [
        Self::NonExecLoad,
        Self::NonExecStore,
        Self::NonExecReduce,
        Self::NonExecIm2colLoad,
        Self::NonExecIm2colStore,
        Self::NonExecGather4Load,
        Self::NonExecScatter4Store,
        Self::Load,
        Self::Store,
        Self::Reduce,
    ];

    /// The kind of type.
    pub fn kind(self) -> Kind {
        match self {
            Self::NonExecLoad => Kind::NonExecTiledTmaLoad,
            Self::NonExecStore => Kind::NonExecTiledTmaStore,
            Self::NonExecReduce => Kind::NonExecTiledTmaReduce,
            Self::NonExecIm2colLoad => Kind::NonExecIm2colTmaLoad,
            Self::NonExecIm2colStore => Kind::NonExecIm2colTmaStore,
            Self::NonExecGather4Load => Kind::NonExec2dGather4TmaLoad,
            Self::NonExecScatter4Store => Kind::NonExec2dScatter4TmaStore,
            Self::Load => Kind::TmaLoad,
            Self::Store => Kind::TmaStore,
            Self::Reduce => Kind::TmaReduce,
        }
    }

    /// The addressing mode.
    pub fn mode(self) -> BulkMode {
        match self {
            Self::NonExecIm2colLoad | Self::NonExecIm2colStore => BulkMode::Im2col,
            Self::NonExecGather4Load | Self::NonExecScatter4Store => BulkMode::Rows4,
            _ => BulkMode::Tiled,
        }
    }

    /// The names of load kinds in its types, if it loads and its types have them.
    pub fn loads(self) -> Option<&'static [(&'static str, LoadMode)]> {
        match self {
            Self::NonExecLoad | Self::NonExecIm2colLoad => Some(LoadMode::ALL),
            Self::NonExecGather4Load => Some(GATHERS),
            _ => None,
        }
    }

    /// Whether it can be executed.
    pub fn is_executable(self) -> bool {
        matches!(self, Self::Load | Self::Store | Self::Reduce)
    }
}

impl<'c> TmaCopy<'c> {
    /// The bits that an element may have in shared memory. The type of an executable atom does not
    /// tell whether elements of 4 bits are padded.
    pub fn bits_in_shared_memory(&self) -> Vec<u32> {
        match (self.format, bit_width(self.elem)) {
            (Some(format), _) => vec![format.bits_in_shared_memory()],
            (None, Some(4)) => vec![4, 8],
            (None, Some(6)) => vec![8],
            (None, bits) => bits.into_iter().collect(),
        }
    }
}

impl TmaCopy<'_> {
    /// The copy in the form that a thread executes. Its type no longer describes how the descriptor
    /// was made. `None` for pixels or rows, for which no public type exists.
    pub fn executable(&self) -> Option<Self> {
        let kind = match self.kind {
            TmaKind::NonExecLoad => TmaKind::Load,
            TmaKind::NonExecStore => TmaKind::Store,
            TmaKind::NonExecReduce => TmaKind::Reduce,
            _ => return None,
        };
        let load = if self.load.ctas() == 2 { LoadMode::Pair } else { LoadMode::Sm90 };
        Some(Self { kind, load, format: None, ..self.clone() })
    }

    /// The row of the registry.
    pub fn bulk(&self) -> &'static BulkAtom {
        let operation = match self.kind {
            TmaKind::NonExecLoad
            | TmaKind::Load
            | TmaKind::NonExecIm2colLoad
            | TmaKind::NonExecGather4Load => BulkOperation::Load,
            TmaKind::NonExecStore
            | TmaKind::Store
            | TmaKind::NonExecIm2colStore
            | TmaKind::NonExecScatter4Store => BulkOperation::Store,
            TmaKind::NonExecReduce | TmaKind::Reduce => BulkOperation::Reduce(self.reduction),
        };
        let load = operation == BulkOperation::Load;
        let ctas = if load { self.load.ctas() } else { 1 };
        let (multicast, mode) = (load && self.multicast, self.kind.mode());
        BulkAtom::of(BulkInstruction { operation, mode, multicast, ctas })
            .expect("the registry has a row for each type of TMA atom")
    }
}

impl<'c> CopyFamily<'c> for TmaCopy<'c> {
    fn parse(p: &Parser<'c>, kind: Kind) -> Option<ParseResult<Self>> {
        let kind = TmaKind::ALL.into_iter().find(|k| k.kind() == kind)?;
        Some(syntax::parse(p, kind))
    }

    fn print(&self, out: &mut String) {
        syntax::print(out, self);
    }

    fn begins_with_element(&self) -> bool {
        self.kind.loads().is_none() && self.kind != TmaKind::NonExecReduce
    }

    fn kind(&self) -> Kind {
        self.kind.kind()
    }

    fn elem(&self) -> Type<'c> {
        self.elem
    }

    fn state(&self) -> Option<AtomState<'c>> {
        let barrier = IntegerType::new(context_of(self.elem), 64).into();
        let cache = ("cache_policy", StateFieldType::Integer(64));
        let strides = ("g_stride", StateFieldType::IntTuple(self.strides.clone()));
        let descriptor = ("tma_descriptor_ptr", StateFieldType::Descriptor);
        let host = || vec![("tma_desc", StateFieldType::Descriptor)];
        let (attribute, fields) = match self.kind {
            TmaKind::Load => (
                "atom_copy_field_tmaload",
                vec![
                    descriptor,
                    ("tma_bar", StateFieldType::Pointer(barrier, Space::Smem)),
                    ("mcast_mask", StateFieldType::Integer(16)),
                    cache,
                    strides,
                ],
            ),
            TmaKind::Store => ("atom_copy_field_tmastore", vec![descriptor, cache, strides]),
            TmaKind::Reduce => ("atom_copy_field_tmareduce", vec![descriptor, cache, strides]),
            TmaKind::NonExecLoad | TmaKind::NonExecIm2colLoad | TmaKind::NonExecGather4Load => {
                ("atom_copy_field_non_exec_tma_load", host())
            }
            TmaKind::NonExecStore | TmaKind::NonExecIm2colStore | TmaKind::NonExecScatter4Store => {
                ("atom_copy_field_non_exec_tma_store", host())
            }
            TmaKind::NonExecReduce => ("atom_copy_field_non_exec_tma_reduce", host()),
        };
        Some(AtomState { attribute, fields, is_made_unset: false })
    }

    fn bits(&self) -> i64 {
        self.bits
    }

    fn ends(&self) -> Result<CopyEnds, AtomError> {
        let (block, coordinates) = (CopyEnd::Block(Space::Smem, BOX_ALIGN), CopyEnd::Coordinates);
        let (name, src, dst) = match self.kind {
            TmaKind::Load => ("a TMA load", coordinates, block),
            TmaKind::Store => ("a TMA store", block, coordinates),
            TmaKind::Reduce => ("a TMA reduction", block, coordinates),
            _ => {
                return Err(AtomError::NotExecutable { name: self.kind.kind().name() });
            }
        };
        Ok(CopyEnds { name, src, dst, otherwise: None })
    }

    fn prefetches(&self) -> Option<CopyEnd> {
        (self.kind == TmaKind::Load).then_some(CopyEnd::Coordinates)
    }

    fn is_elected(&self) -> bool {
        self.kind == TmaKind::Load
    }

    fn swizzles_itself(&self) -> Option<&'static str> {
        Some("a bulk copy")
    }

    fn rule(&self) -> Result<(), AtomError> {
        let basis = &self.basis;
        if !basis.is_static() || !basis.has_basis() {
            return Err(AtomError::Basis { basis: basis.to_string() });
        }
        let ranks = self.kind.mode().ranks().expect("the TMA finds what it moves by a tensor");
        if !ranks.contains(&basis.rank()) {
            let (least, most) = (ranks.start(), ranks.end());
            let modes = if least == most { most.to_string() } else { format!("{least} to {most}") };
            return Err(AtomError::BoxModes { modes, basis: basis.to_string(), rank: basis.rank() });
        }
        for (mode, extent) in basis.shape().modes().enumerate() {
            let extent = algebra::product(extent).ok().and_then(|n| n.as_static()).unwrap_or(0);
            if !(1..=i64::from(MAX_BOX)).contains(&extent) {
                return Err(AtomError::BoxExtent { mode, basis: basis.to_string(), extent });
            }
        }
        let elem = bit_width(self.elem).expect("the elements of an atom have a size");
        if let Some(format) = self.format
            && format.bits() != elem
        {
            let (format, bits) = (format.keyword(), format.bits());
            return Err(AtomError::FormatWidth { format, bits, elem: self.elem.to_string(), width: elem });
        }
        if let Some(format) = self.format
            && self.bulk().instruction.operation == BulkOperation::Store
            && !format.is_stored()
        {
            let elem = format.to_string();
            return Err(AtomError::NotStored { elem, instead: MapElement::U4.keyword() });
        }
        if let BulkOperation::Reduce(reduction) = self.bulk().instruction.operation {
            let own = format_of(self.elem);
            let elements = [own, self.format].into_iter().flatten();
            let refused = |element: &_| !BulkReduction::Tensor.takes(reduction, *element);
            if let Some(element) = elements.into_iter().find(refused) {
                let taken = BulkReduction::Tensor.elements(reduction).map(|e| e.to_string());
                return Err(AtomError::Reduction {
                    reducer: "the TMA",
                    elem: element.to_string(),
                    place: String::new(),
                    by: reduction.name(),
                    taken: taken.collect::<Vec<_>>().join(", "),
                });
            }
        }
        let size = algebra::size(basis).ok().and_then(|n| n.as_static()).unwrap_or(0);
        let (boxes, what) =
            if self.kind.mode() == BulkMode::Rows4 { (4, "four boxes") } else { (1, "a box") };
        let bits = size.saturating_mul(i64::from(elem)).saturating_mul(boxes);
        if bits != self.bits {
            let elements = size.saturating_mul(boxes);
            return Err(AtomError::BoxBits { written: self.bits, what, elements, width: elem, bits });
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
                .bulk()
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
        let gathers =
            LoadMode::ALL.iter().map(|(_, load)| row(TmaKind::NonExecGather4Load, *load, Reduction::Add));
        let expected = [
            "SM100_TMA_LOAD_2D_GATHER4",
            "SM100_TMA_LOAD_MULTICAST_2D_GATHER4",
            "SM100_TMA_2SM_LOAD_2D_GATHER4",
            "SM100_TMA_2SM_LOAD_MULTICAST_2D_GATHER4",
        ];
        assert_eq!(gathers.collect::<Vec<_>>(), expected);
        let pixels =
            LoadMode::ALL.iter().map(|(_, load)| row(TmaKind::NonExecIm2colLoad, *load, Reduction::Add));
        let expected = [
            "SM90_TMA_LOAD_IM2COL",
            "SM90_TMA_LOAD_IM2COL_MULTICAST",
            "SM100_TMA_2SM_LOAD_IM2COL",
            "SM100_TMA_2SM_LOAD_IM2COL_MULTICAST",
        ];
        assert_eq!(pixels.collect::<Vec<_>>(), expected);
        let one = |kind| row(kind, LoadMode::Sm90, Reduction::Add);
        assert_eq!(one(TmaKind::NonExecIm2colStore), "SM90_TMA_STORE_IM2COL");
        assert_eq!(one(TmaKind::NonExecScatter4Store), "SM100_TMA_STORE_2D_SCATTER4");
        for (name, reduction) in Reduction::ALL {
            for kind in [TmaKind::NonExecReduce, TmaKind::Reduce] {
                assert_eq!(row(kind, LoadMode::Sm90, *reduction), format!("SM90_TMA_REDUCE_{name}"));
            }
        }
    }
}
