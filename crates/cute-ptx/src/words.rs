//! The modifiers that several families of instructions have: every meaning with its words in PTX,
//! NVVM and intrinsics. Those of one family are beside its rows.

use crate::keyword::{Keyword, Spelling, keywords};
use cute_arch::atoms::Tcgen05Group;
use cute_arch::space;

keywords! {
    pub(crate) const WORDS;

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

    /// The operation that combines a comparison's result with another predicate.
    Combination "bool" "" {
        /// Each of the two holds.
        And ["and"] [] [],
        /// Either.
        Or ["or"] [] [],
        /// One alone.
        Xor ["xor"] [] [],
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

    [Tcgen05Group] "ctas" "#nvvm.cta_group<*>" {
        (Tcgen05Group::One) ["cta_group::1"] ["cta_1"] ["cg1"],
        (Tcgen05Group::Pair) ["cta_group::2"] ["cta_2"] ["cg2"],
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
