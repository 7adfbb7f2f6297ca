//! `tcgen05.cp` as a value: shared memory to tensor memory.

use cute_arch::atoms;
use melior::ir::Type;

/// What arrives more than once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Broadcast {
    /// Nothing.
    None,
    /// 64 lanes in the order 0, 2, 1, 3 of their quarters, twice.
    Lw0213,
    /// 64 lanes in the order of their quarters, each twice.
    Lw0123,
    /// 32 lanes, to all four windows of a warp.
    X4,
}

impl Broadcast {
    /// The keywords of types.
    pub const ALL: [(&'static str, Self); 4] =
        [("none", Self::None), ("lw_0213", Self::Lw0213), ("lw_0123", Self::Lw0123), ("x4", Self::X4)];

    /// The keyword.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, own)| *own == self).map_or("none", |(name, _)| name)
    }
}

/// A shape of tensor memory that is filled from shared memory.
#[derive(Debug, Clone, PartialEq)]
pub struct S2tCopy<'c> {
    /// Element type.
    pub elem: Type<'c>,
    /// Lanes of tensor memory that are given: CuTe's data paths.
    pub lanes: i64,
    /// Bits of a lane.
    pub bits: i64,
    /// CTAs that it fills tensor memory of.
    pub ctas: i64,
    /// What arrives more than once.
    pub broadcast: Broadcast,
    /// Whether K is contiguous in shared memory, where the type says so: `sm100_s2t_copy_v2` does.
    pub k_major: Option<bool>,
}

/// The shapes there are: lanes, bits of a lane, what is repeated, and the registry's word for them.
const SHAPES: [(i64, i64, Broadcast, &str); 6] = [
    (128, 256, Broadcast::None, "128dp256bit"),
    (128, 128, Broadcast::None, "128dp128bit"),
    (4, 256, Broadcast::None, "4dp256bit"),
    (32, 128, Broadcast::X4, "4x32dp128bit"),
    (64, 128, Broadcast::Lw0123, "2x64dp128bitlw0123"),
    (64, 128, Broadcast::Lw0213, "2x64dp128bitlw0213"),
];

impl S2tCopy<'_> {
    /// The row of the registry; otherwise what there is.
    pub fn entry(&self) -> Result<&'static atoms::CopyAtom, String> {
        let Self { lanes, bits, ctas, broadcast, .. } = self;
        let shape = SHAPES.iter().find(|(l, b, r, _)| (l, b, r) == (lanes, bits, broadcast));
        let row =
            shape.and_then(|(.., name)| atoms::CopyAtom::by_name(&format!("SM100_UTCCP_{name}_{ctas}cta")));
        row.ok_or_else(|| {
            let text = |lanes: &i64, bits: &i64, broadcast: &Broadcast| match broadcast {
                Broadcast::None => format!("{lanes} DP, {bits} bit"),
                repeated => format!("{lanes} DP, {bits} bit, {}", repeated.name()),
            };
            let legal = SHAPES.iter().map(|(l, b, r, _)| text(l, b, r)).collect::<Vec<_>>().join("; ");
            format!(
                "there is no tcgen05.cp of {}, {ctas} cta; there are, of 1 or 2 cta, {legal}",
                text(lanes, bits, broadcast)
            )
        })
    }
}
