//! The parts that operands play in an instruction.

use crate::words::ScalarType;

macro_rules! roles {
    ($($(#[doc = $doc:literal])* $role:ident $name:literal,)*) => {
        /// The part that an operand plays in an instruction, whatever its position in a spelling.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Role { $($(#[doc = $doc])* $role,)* }

        impl Role {
            /// The role that a form abbreviates so.
            pub fn named(name: &str) -> Option<Self> {
                match name { $($name => Some(Self::$role),)* _ => None }
            }

            /// Its name in forms.
            pub fn name(self) -> &'static str {
                match self { $(Self::$role => $name,)* }
            }
        }
    };
}

roles! {
    /// The destination.
    Result "d",
    /// The predicate beside the result.
    Flag "p",
    /// The result of a reduction of the elements of the destination.
    Reduced "reduced",
    /// The first source.
    A "a",
    /// The second source.
    B "b",
    /// The third source.
    C "c",
    /// The predicate that is read.
    Condition "q",
    /// The lanes, or blocks, that take part.
    Mask "mask",
    /// The lane, or the distance to it.
    Offset "offset",
    /// The limit of a shuffle's lanes.
    Clamp "clamp",
    /// The memory that the instruction is about.
    Address "at",
    /// The memory that is read, of two.
    Source "from",
    /// The `mbarrier` that counts.
    Barrier "barrier",
    /// A number of arrivals, registers or groups.
    Count "count",
    /// A number of bytes.
    Bytes "bytes",
    /// A parity, or a token of a phase.
    Phase "phase",
    /// A limit of time, which is not modelled.
    Ticks "ticks",
    /// The number of a barrier.
    Id "id",
    /// A number of threads.
    Threads "threads",
    /// The rank of a block.
    Rank "rank",
    /// A tensor map.
    Map "map",
    /// The coordinates of a box. In intrinsics, the offsets of an im2col load are behind them.
    Coordinates "coordinates",
    /// The offsets of an im2col load.
    Offsets "offsets",
    /// Whether a mask counts.
    Masked "masked",
    /// Columns of B that count as zero: a descriptor.
    Columns "columns",
    /// A number of blocks that share a barrier.
    Ctas "ctas",
    /// LLVM's number of the kind of a product.
    Kind "kind",
    /// Values that go together.
    Values "values",
    /// The entry of a field that has several.
    Ordinal "ordinal",
    /// Whether the instruction runs at all.
    Guard "guard",
    /// The scale factors of the first matrix.
    ScalesOfA "scales_a",
    /// The scale factors of the second matrix.
    ScalesOfB "scales_b",
}

impl Role {
    /// Bits of a number in its place; `None` if the instruction's type determines them.
    pub fn bits(self) -> Option<u32> {
        self.ty().map(ScalarType::bits)
    }

    /// The type in its place; `None` if it is the instruction's.
    pub fn ty(self) -> Option<ScalarType> {
        match self {
            Self::Condition | Self::Flag | Self::Guard => Some(ScalarType::Pred),
            Self::Mask
            | Self::Offset
            | Self::Clamp
            | Self::Count
            | Self::Bytes
            | Self::Ticks
            | Self::Id
            | Self::Threads
            | Self::Rank
            | Self::Coordinates
            | Self::Masked
            | Self::Ctas
            | Self::Kind
            | Self::Ordinal => Some(ScalarType::U32),
            Self::Offsets => Some(ScalarType::U16),
            Self::Address
            | Self::Source
            | Self::Barrier
            | Self::Map
            | Self::Phase
            | Self::Columns
            | Self::ScalesOfA
            | Self::ScalesOfB => Some(ScalarType::U64),
            Self::Result | Self::Reduced | Self::A | Self::B | Self::C | Self::Values => None,
        }
    }
}
