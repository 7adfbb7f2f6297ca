//! The modifiers of instructions: every meaning with its words in PTX, NVVM and intrinsics.

use crate::keyword::{Keyword, Spelling, Spellings, Table, keywords};
use cute_arch::atoms::{Broadcast, BulkMode, MatrixElement, Reduction, Tcgen05Group, Tcgen05Kind};
use cute_arch::space;
use cute_arch::tensor_map::MapField;
pub use cute_machine::collective::{BarrierVerdict, MatchKind, Redux, Shuffle, Vote};
use std::slice::from_ref;

keywords! {
    [Shuffle] "shuffle" "#nvvm<shfl_kind *>" {
        (Shuffle::Up) ["up"] ["up"] ["up"],
        (Shuffle::Down) ["down"] ["down"] ["down"],
        (Shuffle::Xor) ["bfly"] ["bfly"] ["bfly"],
        (Shuffle::Index) ["idx"] ["idx"] ["idx"],
    }

    [Vote] "vote" "#nvvm<vote_sync_kind *>" {
        (Vote::Any) ["any"] ["any"] ["any"],
        (Vote::All) ["all"] ["all"] ["all"],
        (Vote::Uniform) ["uni"] ["uni"] ["uni"],
        (Vote::Ballot) ["ballot"] ["ballot"] ["ballot"],
    }

    [BarrierVerdict] "verdict" "#nvvm.reduction<*>" {
        (BarrierVerdict::Count) ["popc"] ["popc"] ["popc"],
        (BarrierVerdict::All) ["and"] ["and"] ["and"],
        (BarrierVerdict::Any) ["or"] ["or"] ["or"],
    }

    [MatchKind] "match" "#nvvm<match_sync_kind *>" {
        (MatchKind::Any) ["any"] ["any"] ["any"],
        (MatchKind::All) ["all"] ["all"] ["all"],
    }

    /// The cache that a prefetch fills.
    Cache "cache" "#nvvm<prefetch_cache_level *>" {
        /// The cache of a multiprocessor.
        L1 ["L1"] ["L1"] ["L1"],
        /// The cache of the device.
        L2 ["L2"] ["L2"] ["L2"],
    }

    [Redux] "redux" "#nvvm<redux_kind *>" {
        (Redux::Add) ["add.s32" "add.u32"] ["add"] ["add"],
        (Redux::And) ["and.b32"] ["and"] ["and"],
        (Redux::Or) ["or.b32"] ["or"] ["or"],
        (Redux::Xor) ["xor.b32"] ["xor"] ["xor"],
        (Redux::MinS) ["min.s32"] ["min"] ["min"],
        (Redux::MaxS) ["max.s32"] ["max"] ["max"],
        (Redux::MinU) ["min.u32"] ["umin"] ["umin"],
        (Redux::MaxU) ["max.u32"] ["umax"] ["umax"],
    }

    /// The threads that a fence or an access orders.
    MemoryScope "scope" "#nvvm.mem_scope<*>" {
        /// Those of the block.
        Block ["cta"] ["cta"] ["cta" "scope.cta"],
        /// Those of the cluster.
        Cluster ["cluster"] ["cluster"] ["cluster" "scope.cluster"],
        /// Those of the device.
        Device ["gpu" "gl"] ["gpu"] ["gpu" "gl"],
        /// Those of the device and of the host.
        System ["sys"] ["sys"] ["sys"],
    }

    /// The direction in which a fence orders.
    FenceOrder "order" "#nvvm.mem_order<*>" {
        /// Both directions.
        AcquireRelease ["acq_rel"] ["acq_rel"] ["acq_rel"],
        /// Both, in one order for all threads.
        Sequential ["sc"] ["sc"] ["sc"],
        /// Later accesses stay behind it.
        Acquire ["acquire"] ["acquire"] ["acquire"],
        /// Earlier accesses stay before it.
        Release ["release"] ["release"] ["release"],
    }

    /// The accesses between which a fence of proxies orders.
    Proxy "proxy" "#nvvm.proxy_kind<*>" {
        /// The async proxy's to any memory.
        Async ["async"] ["async"] ["async"],
        /// Those to global memory.
        AsyncGlobal ["async.global"] ["async.global"] ["async.global"],
        /// Those to shared memory.
        AsyncShared
            ["async.shared::cta" "async.shared::cluster" "async::generic.release.sync_restrict::shared::cta.cluster"]
            ["async.shared"]
            ["async.shared_cta" "async.shared_cluster" "async_generic.release.sync_restrict.space.cta.scope.cluster"],
        /// Those by another address of the same memory.
        Alias ["alias"] ["alias"] ["alias"],
    }

    /// Whether later phases expect the thread's arrival.
    Arrive "arrive" "" {
        /// They do.
        Stays ["arrive"] ["arrive"] ["arrive"],
        /// They do not.
        Drops ["arrive_drop"] ["arrive_drop"] ["arrive.drop"],
    }

    /// How long a wait for a barrier takes.
    PhaseWait "wait" "" {
        /// It answers at once.
        Test ["test_wait"] ["test.wait"] ["test.wait"],
        /// It may wait for a limited time.
        Try ["try_wait"] ["try_wait"] ["try.wait"],
    }

    /// The direction in which a warpgroup's number of registers changes.
    Registers "registers" "#nvvm<action *>" {
        /// Up.
        Increase ["inc"] ["increase"] ["inc"],
        /// Down.
        Decrease ["dec"] ["decrease"] ["dec"],
    }

    /// The order of a grid and the grids before and after it.
    GridDependency "grid" "#nvvm<grid_dep_action *>" {
        /// It waits for those before.
        Wait ["wait"] ["wait"] ["wait"],
        /// It lets those after begin.
        Launch ["launch_dependents"] ["launch_dependents"] ["launch.dependents"],
    }

    /// The sign of a dot product's elements.
    Sign "sign" "#nvvm.dot_accumulate_type<*>" {
        /// With a sign.
        Signed ["s32"] ["signed"] ["s"],
        /// Without.
        Unsigned ["u32"] ["unsigned"] ["u"],
    }

    /// The bytes that `prmt` picks.
    PermuteMode "permute" "#nvvm.permute_mode<*>" {
        /// Each by a digit of the selector.
        Digits [] ["default"] [],
        /// Four bytes from byte c on.
        Forward ["f4e"] ["f4e"] ["f4e"],
        /// Four bytes from byte c on, downwards.
        Backward ["b4e"] ["b4e"] ["b4e"],
        /// Byte c four times.
        Replicate8 ["rc8"] ["rc8"] ["rc8"],
        /// The bytes below byte c are copies of it.
        ClampLeft ["ecl"] ["ecl"] ["ecl"],
        /// The bytes above byte c are copies of it.
        ClampRight ["ecr"] ["ecr"] ["ecr"],
        /// The half c twice.
        Replicate16 ["rc16"] ["rc16"] ["rc16"],
    }

    /// The memory that an address is of.
    StateSpace "space" "" {
        /// The block's shared memory.
        Shared ["shared::cta" "shared"] [] ["space.cta" "shared" "shared.cta"],
        /// The shared memory of the cluster.
        Cluster ["shared::cluster"] [] ["space.cluster" "shared.cluster"],
        /// Global memory.
        Global ["global"] [] ["global"],
        /// The thread's own memory.
        Local ["local"] [] ["local"],
        /// Constant memory.
        Constant ["const"] [] ["const"],
    }

    /// The rounding of a result.
    RoundingMode "rounding" "#nvvm.fp_rnd_mode<*>" {
        /// To the nearest, halves to the even one.
        NearestEven ["rn"] ["rn"] ["rn"],
        /// Towards zero.
        TowardZero ["rz"] ["rz"] ["rz"],
        /// Towards positive infinity.
        Up ["rp"] ["rp"] ["rp"],
        /// Towards negative infinity.
        Down ["rm"] ["rm"] ["rm"],
    }

    /// The rounding of a conversion of floats.
    ConversionRounding "conversion" "#nvvm.fp_rnd_mode<*>" {
        /// To the nearest, halves to the even one.
        NearestEven ["rn"] ["rn" "none"] ["rn"],
        /// To the nearest, halves away from zero.
        NearestAway ["rna"] ["rna"] ["rna"],
        /// Towards zero.
        TowardZero ["rz"] ["rz"] ["rz"],
        /// Towards positive infinity.
        Up ["rp"] ["rp"] ["rp"],
        /// Towards negative infinity.
        Down ["rm"] ["rm"] ["rm"],
        /// By random bits, which are an operand.
        Random ["rs"] ["rs"] ["rs"],
    }

    /// The whole number that a float becomes.
    WholeNumber "whole" "" {
        /// The nearest, and of two the even one.
        Nearest ["rni"] [] ["rn" "round"],
        /// The next towards zero.
        TowardZero ["rzi"] [] ["rz" "trunc"],
        /// The next above.
        Up ["rpi"] [] ["rp" "ceil"],
        /// The next below.
        Down ["rmi"] [] ["rm" "floor"],
    }

    /// A comparison.
    Compare "compare" "" {
        /// Equal.
        Eq ["eq"] [] [],
        /// Not equal.
        Ne ["ne"] [] [],
        /// Less; unsigned `lo`.
        Lt ["lt" "lo"] [] [],
        /// At most; unsigned `ls`.
        Le ["le" "ls"] [] [],
        /// Greater; unsigned `hi`.
        Gt ["gt" "hi"] [] [],
        /// At least; unsigned `hs`.
        Ge ["ge" "hs"] [] [],
    }

    /// A comparison of floats; `u` in front holds too if one of them is NaN.
    FloatCompare "float_compare" "" {
        /// Equal.
        Eq ["eq"] [] [],
        /// Not equal.
        Ne ["ne"] [] [],
        /// Less.
        Lt ["lt"] [] [],
        /// At most.
        Le ["le"] [] [],
        /// Greater.
        Gt ["gt"] [] [],
        /// At least.
        Ge ["ge"] [] [],
        /// Equal or unordered.
        Equ ["equ"] [] [],
        /// Not equal or unordered.
        Neu ["neu"] [] [],
        /// Less or unordered.
        Ltu ["ltu"] [] [],
        /// At most or unordered.
        Leu ["leu"] [] [],
        /// Greater or unordered.
        Gtu ["gtu"] [] [],
        /// At least or unordered.
        Geu ["geu"] [] [],
        /// Neither is NaN.
        Num ["num"] [] [],
        /// One is NaN.
        Nan ["nan"] [] [],
    }

    /// The operation that combines a comparison's result with another predicate.
    Combination "bool" "" {
        /// Each of the two holds.
        And ["and"] [] [],
        /// Either.
        Or ["or"] [] [],
        /// One alone.
        Xor ["xor"] [] [],
    }

    /// A class of floats.
    FloatClass "class" "" {
        /// Neither infinite nor NaN.
        Finite ["finite"] [] [],
        /// Infinite.
        Infinite ["infinite"] [] [],
        /// Not NaN.
        Number ["number"] [] [],
        /// NaN.
        NotANumber ["notanumber"] [] [],
        /// Finite and not subnormal: zero is normal.
        Normal ["normal"] [] [],
        /// Subnormal.
        Subnormal ["subnormal"] [] [],
    }

    /// The type that an instruction computes with.
    ScalarType "type" "" {
        /// A predicate.
        Pred ["pred"] [] [],
        /// 8 bits.
        B8 ["b8"] [] [],
        /// 16 bits.
        B16 ["b16"] [] [],
        /// 32 bits.
        B32 ["b32"] [] [],
        /// 64 bits.
        B64 ["b64"] [] [],
        /// 128 bits.
        B128 ["b128"] [] [],
        /// Unsigned, of 8 bits.
        U8 ["u8"] [] [],
        /// Unsigned, of 16 bits.
        U16 ["u16"] [] ["us"],
        /// Unsigned, of 32 bits.
        U32 ["u32"] [] ["ui"],
        /// Unsigned, of 64 bits.
        U64 ["u64"] [] ["ull"],
        /// Signed, of 8 bits.
        S8 ["s8"] [] [],
        /// Signed, of 16 bits.
        S16 ["s16"] [] ["s"],
        /// Signed, of 32 bits.
        S32 ["s32"] [] ["i32" "i"],
        /// Signed, of 64 bits.
        S64 ["s64"] [] ["i64" "ll"],
        /// Two unsigned integers of 16 bits.
        U16x2 ["u16x2"] [] [],
        /// Two signed integers of 16 bits.
        S16x2 ["s16x2"] [] [],
        /// Four unsigned integers of 8 bits.
        U8x4 ["u8x4"] [] [],
        /// Four signed integers of 8 bits.
        S8x4 ["s8x4"] [] [],
        /// Two numbers of half precision.
        F16x2 ["f16x2"] [] ["f16x2"],
        /// Two bfloat16.
        Bf16x2 ["bf16x2"] [] ["bf16x2"],
        /// Two numbers of single precision.
        F32x2 ["f32x2"] [] [],
        /// Four floats of 8 bits.
        E4m3x4 ["e4m3x4"] [] ["e4m3x4"],
        /// Four floats of 8 bits, of which 5 are the exponent.
        E5m2x4 ["e5m2x4"] [] ["e5m2x4"],
        /// Four floats of 6 bits, each in a byte, of which 2 are the exponent.
        E2m3x4 ["e2m3x4"] [] ["e2m3x4"],
        /// Four floats of 6 bits, each in a byte, of which 3 are the exponent.
        E3m2x4 ["e3m2x4"] [] ["e3m2x4"],
        /// Four floats of 4 bits.
        E2m1x4 ["e2m1x4"] [] ["e2m1x4"],
        /// Two floats of 8 bits.
        E4m3x2 ["e4m3x2"] [] ["e4m3x2"],
        /// Two floats of 8 bits, of which 5 are the exponent.
        E5m2x2 ["e5m2x2"] [] ["e5m2x2"],
        /// Two floats of 6 bits, each in a byte, of which 2 are the exponent.
        E2m3x2 ["e2m3x2"] [] ["e2m3x2"],
        /// Two floats of 6 bits, each in a byte, of which 3 are the exponent.
        E3m2x2 ["e3m2x2"] [] ["e3m2x2"],
        /// Two floats of 4 bits.
        E2m1x2 ["e2m1x2"] [] ["e2m1x2"],
        /// Two scales of 8 bits.
        Ue8m0x2 ["ue8m0x2"] [] ["ue8m0x2"],
        /// Two numbers of 8 bits, of which 6 are behind the point.
        S2f6x2 ["s2f6x2"] [] [],
        /// The upper 19 bits of single precision.
        Tf32 ["tf32"] [] [],
        /// Half precision.
        F16 ["f16"] [] ["f16"],
        /// bfloat16.
        Bf16 ["bf16"] [] ["bf16"],
        /// Single precision.
        F32 ["f32"] ["f"] ["f" "f32"],
        /// Double precision.
        F64 ["f64"] ["d"] ["d" "f64"],
    }

    /// A question about the answer to a request for a cluster.
    Query "query" "#nvvm<cluster_launch_control_query_type *>" {
        /// Will some cluster not run?
        IsCanceled ["is_canceled"] ["is_canceled"] ["is_canceled"],
        /// The first position of its first block.
        FirstX ["get_first_ctaid::x"] ["get_first_cta_id_x"] ["get_first_ctaid.x"],
        /// The second.
        FirstY ["get_first_ctaid::y"] ["get_first_cta_id_y"] ["get_first_ctaid.y"],
        /// The third.
        FirstZ ["get_first_ctaid::z"] ["get_first_cta_id_z"] ["get_first_ctaid.z"],
    }

    /// The accesses that `tcgen05.wait` waits for.
    TensorWait "tensor_wait" "#nvvm.tcgen05_wait<*>" {
        /// Loads.
        Load ["wait::ld"] ["load"] ["ld"],
        /// Stores.
        Store ["wait::st"] ["store"] ["st"],
    }

    /// The side of a synchronisation of threads on which `tcgen05.fence` stands.
    TensorFence "tensor_fence" "#nvvm.tcgen05_fence<*>" {
        /// Before it.
        Before ["fence::before_thread_sync"] ["before"] ["before.thread.sync"],
        /// After it.
        After ["fence::after_thread_sync"] ["after"] ["after.thread.sync"],
    }

    /// The part of tensor memory that a warp loads or stores, per repetition.
    TensorShape "tensor_shape" "#nvvm.tcgen05_ldst_shape<*>" {
        /// 16 lanes of 64 bits.
        Lanes16Bits64 ["16x64b"] ["shape_16x64b"] ["16x64b"],
        /// 16 lanes of 128 bits.
        Lanes16Bits128 ["16x128b"] ["shape_16x128b"] ["16x128b"],
        /// 16 lanes of 256 bits.
        Lanes16Bits256 ["16x256b"] ["shape_16x256b"] ["16x256b"],
        /// 32 lanes of 32 bits.
        Lanes32Bits32 ["32x32b"] ["shape_32x32b"] ["32x32b"],
        /// Twice 16 lanes of 32 bits, whose distance is an operand.
        Lanes16Bits32 ["16x32bx2"] ["shape_16x32bx2"] ["16x32bx2"],
    }

    /// The buffers of `tcgen05.mma` that keep a matrix.
    Collector "collector" "" {
        /// They change what is fast, and nothing else.
        Any
            [
                "collector::a::fill" "collector::a::use" "collector::a::lastuse" "collector::a::discard"
                "collector::b0::fill" "collector::b0::use" "collector::b0::lastuse" "collector::b0::discard"
                "collector::b1::fill" "collector::b1::use" "collector::b1::lastuse" "collector::b1::discard"
                "collector::b2::fill" "collector::b2::use" "collector::b2::lastuse" "collector::b2::discard"
                "collector::b3::fill" "collector::b3::use" "collector::b3::lastuse" "collector::b3::discard"
            ]
            []
            [],
    }

    /// The scale factors of blocks of A and B.
    ScaleVector "scale_vector" "#nvvm.tcgen05_mma_block_scale<*>" {
        /// As many as the kind has, if it says so.
        Default [] ["default"] [],
        /// One along K.
        X1 ["scale_vec::1X"] [] [],
        /// Two along K.
        X2 ["scale_vec::2X"] [] [],
        /// Four along K.
        X4 ["scale_vec::4X"] [] [],
        /// One for each 16 elements.
        Block16 ["block16"] ["block16"] ["block16"],
        /// One for each 32 elements.
        Block32 ["block32"] ["block32"] ["block32"],
    }

    /// The rows of a `tcgen05.cp`.
    RowShape "row_shape" "#nvvm.tcgen05_cp_shape<*>" {
        /// 128 rows of 256 bits.
        Rows128Bits256 ["128x256b"] ["shape_128x256b"] ["128x256b"],
        /// 128 rows of 128 bits.
        Rows128Bits128 ["128x128b"] ["shape_128x128b"] ["128x128b"],
        /// 4 rows of 256 bits.
        Rows4Bits256 ["4x256b"] ["shape_4x256b"] ["4x256b"],
        /// 64 rows of 128 bits.
        Rows64Bits128 ["64x128b"] ["shape_64x128b"] ["64x128b"],
        /// 32 rows of 128 bits.
        Rows32Bits128 ["32x128b"] ["shape_32x128b"] ["32x128b"],
    }

    [MapField] "field" "" {
        (MapField::GlobalAddress) ["global_address"] [] ["global.address"],
        (MapField::Rank) ["rank"] [] ["rank"],
        (MapField::BoxDim) ["box_dim"] [] ["box.dim"],
        (MapField::GlobalDim) ["global_dim"] [] ["global.dim"],
        (MapField::GlobalStride) ["global_stride"] [] ["global.stride"],
        (MapField::ElementStride) ["element_stride"] [] ["element.stride"],
        (MapField::Elemtype) ["elemtype"] [] ["elemtype"],
        (MapField::InterleaveLayout) ["interleave_layout"] [] ["interleave.layout"],
        (MapField::SwizzleMode) ["swizzle_mode"] [] ["swizzle.mode"],
        (MapField::FillMode) ["fill_mode"] [] ["fill.mode"],
    }

    /// The order of a strong access.
    AccessOrder "access" "" {
        /// None.
        Relaxed ["relaxed"] [] [],
        /// Later accesses stay behind it.
        Acquire ["acquire"] [] [],
        /// Earlier accesses stay before it.
        Release ["release"] [] [],
        /// In both directions.
        AcquireRelease ["acq_rel"] [] [],
    }

    /// A number of elements that an access moves.
    Vector "vector" "" {
        /// Two.
        Two ["v2"] [] [],
        /// Four.
        Four ["v4"] [] [],
        /// Eight.
        Eight ["v8"] [] [],
    }

    /// The caches that an access uses, what it evicts, and what it fetches besides.
    CacheHint "hint" "" {
        /// Hints change what is fast, and nothing else.
        Any
            [
                "ca" "cg" "cs" "lu" "cv" "wb" "wt" "nc"
                "L1::evict_normal" "L1::evict_unchanged" "L1::evict_first" "L1::evict_last" "L1::no_allocate"
                "L2::evict_normal" "L2::evict_first" "L2::evict_last" "L2::cache_hint"
                "L2::64B" "L2::128B" "L2::256B"
            ]
            []
            [],
    }

    /// The update of an atomic operation.
    AtomicUpdate "atomic" "" {
        /// The sum.
        Add ["add"] [] ["add"],
        /// The less of both.
        Min ["min"] [] ["min"],
        /// The greater of both.
        Max ["max"] [] ["max"],
        /// The bits of both.
        And ["and"] [] ["and"],
        /// The bits of either.
        Or ["or"] [] ["or"],
        /// The bits of one alone.
        Xor ["xor"] [] ["xor"],
        /// The operand.
        Exchange ["exch"] [] ["exch"],
        /// One more, or 0 above the limit.
        Increment ["inc"] [] ["inc"],
        /// One less, or the limit.
        Decrement ["dec"] [] ["dec"],
        /// The second operand, if the old value is the first.
        CompareExchange ["cas"] [] ["cas"],
    }

    /// The update of `red.async`.
    RemoteUpdate "update" "" {
        /// One more, or 0 above the limit.
        Increment ["inc.u32"] [] [],
        /// One less, or the limit.
        Decrement ["dec.u32"] [] [],
        /// The sum of words.
        Add32 ["add.u32" "add.s32"] [] [],
        /// The sum of two words each.
        Add64 ["add.u64"] [] [],
        /// The less of signed numbers.
        MinS ["min.s32"] [] [],
        /// The less of unsigned numbers.
        MinU ["min.u32"] [] [],
        /// The greater of signed numbers.
        MaxS ["max.s32"] [] [],
        /// The greater of unsigned numbers.
        MaxU ["max.u32"] [] [],
        /// The bits of both.
        And ["and.b32"] [] [],
        /// The bits of either.
        Or ["or.b32"] [] [],
        /// The bits of one alone.
        Xor ["xor.b32"] [] [],
    }

    [MatrixElement] "matrix" "#nvvm.ld_st_matrix_elt_type<*>" {
        (MatrixElement::B16) ["b16"] ["b16"] ["b16"],
        (MatrixElement::B8) ["b8"] ["b8"] ["b8"],
        (MatrixElement::B6x16P32) ["b8x16.b6x16_p32"] ["b8x16.b6x16_p32"] ["b8x16.b6x16_p32"],
        (MatrixElement::B4x16P64) ["b8x16.b4x16_p64"] ["b8x16.b4x16_p64"] ["b8x16.b4x16_p64"],
    }

    /// Whether matrices are transposed on the way.
    Transposition "transposition" "#nvvm.mma_layout<*>" {
        /// They are not.
        Straight [] ["row"] [],
        /// They are.
        Transposed ["trans"] ["col"] ["trans"],
    }

    /// The number of matrices that a warp moves.
    MatrixCount "matrices" "" {
        /// One.
        One ["x1"] [] ["x1"],
        /// Two.
        Two ["x2"] [] ["x2"],
        /// Four.
        Four ["x4"] [] ["x4"],
    }

    [Reduction] "reduction" "#nvvm.tma_redux_kind<*>" {
        (Reduction::Add) ["add"] ["add"] ["add"],
        (Reduction::Min) ["min"] ["min"] ["min"],
        (Reduction::Max) ["max"] ["max"] ["max"],
        (Reduction::Inc) ["inc"] ["inc"] ["inc"],
        (Reduction::Dec) ["dec"] ["dec"] ["dec"],
        (Reduction::And) ["and"] ["and"] ["and"],
        (Reduction::Or) ["or"] ["or"] ["or"],
        (Reduction::Xor) ["xor"] ["xor"] ["xor"],
    }

    // The modes that are modelled: `im2col::w` has no words here.
    [BulkMode] "mode" "" {
        (BulkMode::Tiled) ["tile"] ["tile"] ["tile"],
        (BulkMode::Im2col) ["im2col" "im2col_no_offs"] ["im2col"] ["im2col"],
        (BulkMode::Rows4)
            ["tile::gather4" "tile::scatter4"]
            ["tile_gather4" "tile_scatter4"]
            ["tile.gather4" "tile.scatter4"],
    }

    [Broadcast] "multicast" "#nvvm.tcgen05_cp_multicast<*>" {
        (Broadcast::Nothing) [] ["none"] [],
        (Broadcast::Lw0213) ["warpx2::02_13"] ["warpx2_02_13"] ["warpx2_02_13"],
        (Broadcast::Lw0123) ["warpx2::01_23"] ["warpx2_01_23"] ["warpx2_01_23"],
        (Broadcast::X4) ["warpx4"] ["warpx4"] ["warpx4"],
    }

    [Tcgen05Group] "ctas" "#nvvm.cta_group<*>" {
        (Tcgen05Group::One) ["cta_group::1"] ["cta_1"] ["cg1"],
        (Tcgen05Group::Pair) ["cta_group::2"] ["cta_2"] ["cg2"],
    }
}

const KINDS: usize = Tcgen05Kind::ALL.len();

/// The words of `tcgen05`'s kinds are in the table of the kinds.
impl Keyword for Tcgen05Kind {
    const TABLE: &'static Table = &Table {
        name: "tensor_kind",
        attribute: "#nvvm.tcgen05_mma_kind<*>",
        rows: &{
            let mut rows = [Spellings::NONE; KINDS];
            let mut i = 0;
            while i < rows.len() {
                let row = Tcgen05Kind::ALL[i].row();
                let name = from_ref(&row.name);
                rows[i] = Spellings { ptx: from_ref(&row.keyword), nvvm: name, intrinsic: name };
                i += 1;
            }
            rows
        },
    };
    const ALL: &'static [Self] = &Tcgen05Kind::ALL;

    /// Kinds with scale factors belong to ops of their own, and so to an attribute of their own.
    fn nvvm_attribute(self) -> String {
        let attribute = if self.is_scaled() { "#nvvm.block_scale_kind<*>" } else { Self::TABLE.attribute };
        attribute.replace('*', self.row().name)
    }
}

impl ScaleVector {
    /// Factors along K of an instruction of this kind; `None` if the kind determines them.
    pub fn count(self, kind: Tcgen05Kind) -> Option<u32> {
        Some(match self {
            Self::Default => return None,
            Self::X1 => 1,
            Self::X2 => 2,
            Self::X4 => 4,
            Self::Block16 => kind.k() / 16,
            Self::Block32 => kind.k() / 32,
        })
    }
}

/// The modifier that forms call so.
pub(crate) fn table(name: &str) -> Option<&'static Table> {
    let all: &[&'static Table] = &[
        Shuffle::TABLE,
        Vote::TABLE,
        BarrierVerdict::TABLE,
        MatchKind::TABLE,
        Cache::TABLE,
        Redux::TABLE,
        MemoryScope::TABLE,
        FenceOrder::TABLE,
        Proxy::TABLE,
        Arrive::TABLE,
        PhaseWait::TABLE,
        Registers::TABLE,
        GridDependency::TABLE,
        Sign::TABLE,
        PermuteMode::TABLE,
        StateSpace::TABLE,
        RoundingMode::TABLE,
        ConversionRounding::TABLE,
        WholeNumber::TABLE,
        Compare::TABLE,
        FloatCompare::TABLE,
        Combination::TABLE,
        FloatClass::TABLE,
        ScalarType::TABLE,
        Query::TABLE,
        TensorWait::TABLE,
        TensorFence::TABLE,
        MapField::TABLE,
        RemoteUpdate::TABLE,
        AccessOrder::TABLE,
        Vector::TABLE,
        CacheHint::TABLE,
        AtomicUpdate::TABLE,
        TensorShape::TABLE,
        Collector::TABLE,
        ScaleVector::TABLE,
        RowShape::TABLE,
        Tcgen05Kind::TABLE,
        Broadcast::TABLE,
        MatrixElement::TABLE,
        Transposition::TABLE,
        MatrixCount::TABLE,
        Reduction::TABLE,
        BulkMode::TABLE,
        Tcgen05Group::TABLE,
    ];
    all.iter().find(|table| table.name == name).copied()
}

impl MatrixCount {
    /// As an integer: 1, 2 or 4.
    pub fn number(self) -> u32 {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Four => 4,
        }
    }
}

impl Vector {
    /// As an integer: 2, 4 or 8.
    pub fn number(self) -> u32 {
        match self {
            Self::Two => 2,
            Self::Four => 4,
            Self::Eight => 8,
        }
    }
}

impl StateSpace {
    /// The space that PTX calls so.
    pub fn of_ptx(word: &str) -> Option<Self> {
        Self::read(Spelling::Ptx, word)
    }

    /// LLVM's address space.
    pub fn address_space(self) -> u32 {
        match self {
            Self::Shared => space::SHARED,
            Self::Cluster => space::CLUSTER,
            Self::Global => space::GLOBAL,
            Self::Local => space::LOCAL,
            Self::Constant => space::CONSTANT,
        }
    }
}

impl TensorShape {
    /// Lanes, bits of a lane, and registers of a thread, per repetition.
    pub fn extents(self) -> (u32, u32, u32) {
        match self {
            Self::Lanes16Bits64 => (16, 64, 1),
            Self::Lanes16Bits128 => (16, 128, 2),
            Self::Lanes16Bits256 => (16, 256, 4),
            Self::Lanes32Bits32 => (32, 32, 1),
            Self::Lanes16Bits32 => (16, 32, 1),
        }
    }

    /// The shape with this number of lanes, and of bits in each.
    pub fn of(lanes: i64, bits: i64) -> Option<Self> {
        let extents = |shape: Self| (shape.extents().0.into(), shape.extents().1.into());
        Self::ALL.iter().copied().find(|shape| extents(*shape) == (lanes, bits))
    }
}

impl RowShape {
    /// Rows, and bits of a row.
    pub fn extents(self) -> (u32, u32) {
        match self {
            Self::Rows128Bits256 => (128, 256),
            Self::Rows128Bits128 => (128, 128),
            Self::Rows4Bits256 => (4, 256),
            Self::Rows64Bits128 => (64, 128),
            Self::Rows32Bits128 => (32, 128),
        }
    }

    /// Lanes of tensor memory from a row to the next.
    pub fn step(self) -> u32 {
        if self == Self::Rows4Bits256 { 32 } else { 1 }
    }

    /// Whether the rows may be repeated so: those that fill no warp's lanes must be.
    pub fn takes(self, broadcast: Broadcast) -> bool {
        match self {
            Self::Rows64Bits128 => matches!(broadcast, Broadcast::Lw0213 | Broadcast::Lw0123),
            Self::Rows32Bits128 => broadcast == Broadcast::X4,
            _ => broadcast == Broadcast::Nothing,
        }
    }

    /// The shape with this number of rows, and of bits in each.
    pub fn of(rows: i64, bits: i64) -> Option<Self> {
        let extents = |shape: Self| (shape.extents().0.into(), shape.extents().1.into());
        Self::ALL.iter().copied().find(|shape| extents(*shape) == (rows, bits))
    }
}

impl ScalarType {
    /// Bits of a register of this type.
    pub fn bits(self) -> u32 {
        use ScalarType::*;
        match self {
            Pred => 1,
            B8 | U8 | S8 | E2m1x2 => 8,
            B16 | U16 | S16 | F16 | Bf16 | E4m3x2 | E5m2x2 | E2m3x2 | E3m2x2 | Ue8m0x2 | E2m1x4 | S2f6x2 => {
                16
            }
            B32 | U32 | S32 | F32 | Tf32 | U16x2 | S16x2 | U8x4 | S8x4 | F16x2 | Bf16x2 | E4m3x4 | E5m2x4
            | E2m3x4 | E3m2x4 => 32,
            B64 | U64 | S64 | F64 | F32x2 => 64,
            B128 => 128,
        }
    }

    /// The integer with twice as many bits.
    pub fn twice(self) -> Option<Self> {
        use ScalarType::*;
        Some(match self {
            U8 => U16,
            S8 => S16,
            U16 => U32,
            S16 => S32,
            U32 => U64,
            S32 => S64,
            _ => return None,
        })
    }

    /// Whether its numbers have a sign.
    pub fn is_signed(self) -> bool {
        use ScalarType::*;
        matches!(self, S8 | S16 | S32 | S64 | S16x2 | S8x4)
    }

    /// Whether its numbers are floats.
    pub fn is_float(self) -> bool {
        use ScalarType::*;
        matches!(self, F16 | Bf16 | F32 | F64 | F16x2 | Bf16x2 | F32x2 | E4m3x4 | E5m2x4)
    }
}
