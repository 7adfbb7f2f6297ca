//! Elements of tensor maps.

use crate::{Availability, Target};
use std::fmt;

/// The element type of a tensor map, in the order of the driver's `CUtensorMapDataType`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[allow(missing_docs)]
pub enum MapElement {
    U8,
    U16,
    U32,
    S32,
    U64,
    S64,
    F16,
    F32,
    F64,
    Bf16,
    /// Subnormals are zero.
    F32Ftz,
    /// Rounded to tf32 by the copy.
    Tf32,
    /// The same, and subnormals are zero.
    Tf32Ftz,
    /// 16 of 4 bits in 8 bytes, in both memories.
    U4,
    /// 16 elements of 4 bits in 8 bytes of global memory, and in 16 bytes of shared memory, the
    /// last 8 of which have no meaning. They are only loaded.
    U4In8,
    /// 16 elements of 6 bits in 12 bytes of global memory, and in 16 bytes of shared memory: a load
    /// puts the 12 bytes there and pads them, a store takes the lower 6 bits of each byte.
    U6In8,
}

/// An element type as others name it.
struct Format {
    element: MapElement,
    /// The hardware's number, and whether values are rounded to tf32.
    number: (u64, bool),
    /// The suffix after `CU_TENSOR_MAP_DATA_TYPE_`.
    driver: &'static str,
    /// The keyword of `tma_format` in types of atoms.
    keyword: &'static str,
}

const FORMATS: [Format; 16] = {
    use MapElement as E;
    const fn of(
        element: MapElement,
        number: (u64, bool),
        driver: &'static str,
        keyword: &'static str,
    ) -> Format {
        Format { element, number, driver, keyword }
    }
    [
        of(E::U8, (0, false), "UINT8", "U8"),
        of(E::U16, (1, false), "UINT16", "U16"),
        of(E::U32, (2, false), "UINT32", "U32"),
        of(E::S32, (3, false), "INT32", "S32"),
        of(E::U64, (4, false), "UINT64", "U64"),
        of(E::S64, (5, false), "INT64", "S64"),
        of(E::F16, (6, false), "FLOAT16", "F16_RN"),
        of(E::F32, (7, false), "FLOAT32", "F32_RN"),
        of(E::F64, (9, false), "FLOAT64", "F64_RN"),
        of(E::Bf16, (10, false), "BFLOAT16", "BF16_RN"),
        of(E::F32Ftz, (8, false), "FLOAT32_FTZ", "F32_FTZ_RN"),
        of(E::Tf32, (7, true), "TFLOAT32", "TF32_RN"),
        of(E::Tf32Ftz, (8, true), "TFLOAT32_FTZ", "TF32_FTZ_RN"),
        of(E::U4, (11, false), "16U4_ALIGN8B", "U4"),
        of(E::U4In8, (12, false), "16U4_ALIGN16B", "U4_UNPACK_U8"),
        of(E::U6In8, (13, false), "16U6_ALIGN16B", "U6_UNPACK_U8"),
    ]
};

/// CuTe's name of an element in memory, its bits, and what maps call it, if they can.
const OF_CUTE: [(&str, u32, Option<MapElement>); 30] = {
    use MapElement as E;
    [
        ("u8", 8, Some(E::U8)),
        ("i8", 8, Some(E::U8)),
        ("e4m3", 8, Some(E::U8)),
        ("e5m2", 8, Some(E::U8)),
        ("ue8m0", 8, Some(E::U8)),
        ("f8dyn", 8, Some(E::U8)),
        ("ue4m3", 8, None),
        ("u16", 16, Some(E::U16)),
        ("i16", 16, None),
        ("u32", 32, Some(E::U32)),
        ("i32", 32, Some(E::S32)),
        ("u64", 64, Some(E::U64)),
        ("i64", 64, Some(E::S64)),
        ("f16", 16, Some(E::F16)),
        ("bf16", 16, Some(E::Bf16)),
        ("f32", 32, Some(E::F32)),
        ("tf32", 32, Some(E::Tf32)),
        ("f64", 64, Some(E::F64)),
        ("i4", 4, None),
        ("u4", 4, None),
        ("e2m1", 4, Some(E::U4)),
        ("f4dyn", 4, Some(E::U4)),
        ("e2m1_unpack", 4, Some(E::U4In8)),
        ("f4dyn_unpack", 4, Some(E::U4In8)),
        ("e2m3", 6, Some(E::U6In8)),
        ("e3m2", 6, Some(E::U6In8)),
        ("f6dyn", 6, Some(E::U6In8)),
        ("e2m3_unpack", 6, Some(E::U6In8)),
        ("e3m2_unpack", 6, Some(E::U6In8)),
        ("f6dyn_unpack", 6, Some(E::U6In8)),
    ]
};

impl MapElement {
    /// The bits of an element that CuTe names like this, and what maps call it, if they can.
    pub fn of_cute(name: &str) -> Option<(u32, Option<Self>)> {
        OF_CUTE.iter().find(|(own, ..)| *own == name).map(|(_, bits, element)| (*bits, *element))
    }

    /// CuTe's names of elements in memory.
    pub fn cute_names() -> impl Iterator<Item = &'static str> {
        OF_CUTE.iter().map(|(name, ..)| *name)
    }

    /// Every one, by the driver's number.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        FORMATS.iter().map(|format| format.element)
    }

    /// The keyword of each in types of atoms, as in `tma_format = F16_RN`.
    pub const KEYWORDS: [(&str, Self); FORMATS.len()] = {
        let mut all = [("", Self::U8); FORMATS.len()];
        let mut i = 0;
        while i < FORMATS.len() {
            all[i] = (FORMATS[i].keyword, FORMATS[i].element);
            i += 1;
        }
        all
    };

    /// Its keyword in types of atoms.
    pub fn keyword(self) -> &'static str {
        self.facts().keyword
    }

    /// Its name in the driver: the suffix after `CU_TENSOR_MAP_DATA_TYPE_`.
    pub fn driver_name(self) -> &'static str {
        self.facts().driver
    }

    fn facts(self) -> &'static Format {
        &FORMATS[self.number() as usize]
    }

    /// The one that is displayed like this.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|element| element.to_string() == name)
    }

    /// The driver's number (`CUtensorMapDataType`).
    pub fn number(self) -> u32 {
        self as u32
    }

    /// Bits of an element in global memory.
    pub fn bits(self) -> u32 {
        match self {
            Self::U4 | Self::U4In8 => 4,
            Self::U6In8 => 6,
            _ => self.bits_in_shared_memory(),
        }
    }

    /// Bytes of a single element in global memory.
    pub fn bytes(self) -> u32 {
        self.bits().div_ceil(8)
    }

    /// Bits of an element in shared memory.
    pub fn bits_in_shared_memory(self) -> u32 {
        match self {
            Self::U4 => 4,
            Self::U8 | Self::U4In8 | Self::U6In8 => 8,
            Self::U16 | Self::F16 | Self::Bf16 => 16,
            Self::U32 | Self::S32 | Self::F32 | Self::F32Ftz | Self::Tf32 | Self::Tf32Ftz => 32,
            Self::U64 | Self::S64 | Self::F64 => 64,
        }
    }

    /// Whether it is a float, which can be a NaN.
    pub fn is_float(self) -> bool {
        use MapElement as E;
        matches!(self, E::F16 | E::F32 | E::F64 | E::Bf16 | E::F32Ftz | E::Tf32 | E::Tf32Ftz)
    }

    /// Whether 16 elements that are packed in global memory are padded in shared memory.
    pub fn is_unpacked(self) -> bool {
        matches!(self, Self::U4In8 | Self::U6In8)
    }

    /// Whether boxes are stored to global memory. Loads of elements of 6 bits pad 16 of them
    /// together; stores take each from a byte.
    ///
    /// Source: PTX ISA, restrictions on tensor copy instructions: `.b4x16_p64` is only loaded, and
    /// one format is `.b6x16_p32` for loads and `.b6p2x16` for stores.
    pub fn is_stored(self) -> bool {
        self != Self::U4In8
    }

    /// The targets whose TMA copies such elements to the shared memory of this CTA alone, or of
    /// several.
    ///
    /// Source: PTX ISA, restrictions on tensor copy instructions: on sm_120a, loads to
    /// `.shared::cluster` have no types of less than a byte.
    ///
    /// ```
    /// use cute_arch::{Target, tensor_map::MapElement};
    /// let of = |target, several| MapElement::U6In8.is_loaded_on(target, several);
    /// assert!(of(Target::Sm100a, true) && of(Target::Sm120a, false));
    /// assert!(!of(Target::Sm120a, true) && !of(Target::Sm90a, false));
    /// ```
    pub fn is_loaded_on(self, target: Target, several: bool) -> bool {
        let major = target.compute_capability().0;
        self.bits() >= 8 || Self::BELOW_A_BYTE.on(target) && !(several && major == 12)
    }

    /// The targets whose TMA copies elements of less than a byte.
    pub const BELOW_A_BYTE: Availability = Availability::From(10, 0);

    pub(super) fn format(self) -> (u64, bool) {
        self.facts().number
    }

    pub(super) fn of_format(number: u64, rounds: bool) -> Option<Self> {
        FORMATS.iter().find(|format| format.number == (number, rounds)).map(|format| format.element)
    }
}

impl fmt::Display for MapElement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::S32 => "s32",
            Self::U64 => "u64",
            Self::S64 => "s64",
            Self::F16 => "f16",
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::Bf16 => "bf16",
            Self::F32Ftz => "f32.ftz",
            Self::Tf32 => "tf32",
            Self::Tf32Ftz => "tf32.ftz",
            Self::U4 => "u4",
            Self::U4In8 => "u4 in 8 bits",
            Self::U6In8 => "u6 in 8 bits",
        })
    }
}
