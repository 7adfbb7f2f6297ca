//! Tiles in shared memory that descriptors point at, for `wgmma` and `tcgen05.mma`: the places of
//! their units of 16 bytes, and their numbers.

use super::fragment::at_all;
use cute_arch::{Element, atoms::Major, smem::SmemDescriptor};
use cute_machine::format::decode;
use half::f16;

/// Bytes of the units of tiles in shared memory.
pub const UNIT: usize = cute_arch::smem::UNIT as usize / 8;

/// The common period in bytes of all swizzle patterns.
pub const PATTERN: i64 = 1024;

/// Where the runs of a tile count from: a multiple of the pattern, at or before its beginning.
pub fn origin_of(descriptor: &SmemDescriptor) -> i64 {
    descriptor.lowest() / PATTERN * PATTERN
}

/// A tile in shared memory, for one of its 1024 possible starts within the pattern of a swizzle.
#[derive(Debug)]
pub struct SmemTile {
    /// The start of each unit, from the last multiple of 1024 before the tile: along K within each
    /// element of MN, or along MN within each element of K, depending on the tile's major.
    units: Vec<u32>,
    /// The same bytes in ascending runs: the start and the length of each.
    runs: Vec<(u32, u32)>,
}

impl SmemTile {
    /// The tile (MN,K) of elements of `bits` that a descriptor points at.
    pub fn new(descriptor: &SmemDescriptor, major: Major, [mn, k]: [u32; 2], bits: u32) -> Option<Self> {
        let per_unit = 8 * UNIT as u32 / bits;
        let layout = descriptor.tile(major, [mn, k].map(i64::from), bits.into()).ok()?;
        let strides: Vec<_> = (0..2).filter_map(|mode| at_all(&layout.mode(mode).ok()?)).collect();
        let [of_mn, of_k] = &strides[..] else { return None };
        let (outer, inner, along, across) = match major {
            Major::K => (mn, k, of_k, of_mn),
            _ => (k, mn, of_mn, of_k),
        };
        let origin = origin_of(descriptor);
        let unit = |outer: u32, inner: u32| {
            let bytes = |elements: i64| elements * i64::from(bits) / 8;
            let place = descriptor.place_along(bytes(across[outer as usize]), bytes(along[inner as usize]));
            (place - origin) as u32
        };
        let units: Vec<u32> = (0..outer)
            .flat_map(|outer| (0..inner).step_by(per_unit as usize).map(move |inner| (outer, inner)))
            .map(|(outer, inner)| unit(outer, inner))
            .collect();
        let mut sorted = units.clone();
        sorted.sort_unstable();
        sorted.dedup();
        let mut runs: Vec<(u32, u32)> = Vec::new();
        for start in sorted {
            match runs.last_mut() {
                Some((from, bytes)) if *from + *bytes == start => *bytes += UNIT as u32,
                _ => runs.push((start, UNIT as u32)),
            }
        }
        Some(SmemTile { units, runs })
    }

    /// The bytes of a tile along K, row after row. `memory` begins where the runs count from.
    pub fn bytes(&self, memory: &[u8]) -> Vec<u8> {
        let unit = |start: &u32| &memory[*start as usize..*start as usize + UNIT];
        self.units.iter().flat_map(unit).copied().collect()
    }

    /// The runs of bytes, from the multiple of 1024 at or before the tile's beginning.
    pub fn runs(&self) -> &[(u32, u32)] {
        &self.runs
    }
}

/// Codes to numbers, which all are exact in f32.
#[derive(Debug)]
pub(crate) enum Decoder {
    Byte(Box<[f32; 256]>),
    /// Numbers of this width: 16 of them packed at the beginning of a unit.
    Padded(Box<[f32; 256]>, u32),
    /// Numbers of 4 bits, two in a byte.
    Packed(Box<[f32; 256]>),
    F16,
    Bf16,
    Tf32,
}

impl Decoder {
    /// Reads numbers of this type that take `bits` in a tile.
    pub(crate) fn new(element: Element, bits: u32) -> Option<Self> {
        let byte = |code: usize| match element {
            Element::S8 => f32::from(code as u8 as i8),
            Element::U8 => code as f32,
            _ => decode(element, code as u64).unwrap_or(0.0) as f32,
        };
        Some(match element {
            Element::F16 => Decoder::F16,
            Element::Bf16 => Decoder::Bf16,
            Element::Tf32 => Decoder::Tf32,
            Element::S8 | Element::U8 | Element::E4m3 | Element::E5m2 => {
                Decoder::Byte(Box::new(std::array::from_fn(byte)))
            }
            Element::E2m1 if bits == 4 => Decoder::Packed(Box::new(std::array::from_fn(byte))),
            Element::E2m3 | Element::E3m2 | Element::E2m1 => {
                Decoder::Padded(Box::new(std::array::from_fn(byte)), element.bits())
            }
            _ => return None,
        })
    }

    /// Elements of a unit.
    fn per_unit(&self) -> usize {
        match self {
            Decoder::Packed(_) => 2 * UNIT,
            Decoder::Byte(_) | Decoder::Padded(..) => UNIT,
            Decoder::F16 | Decoder::Bf16 => UNIT / 2,
            Decoder::Tf32 => UNIT / 4,
        }
    }

    pub(crate) fn number(&self, code: u32) -> f32 {
        match self {
            Decoder::Byte(table) | Decoder::Padded(table, _) | Decoder::Packed(table) => {
                table[code as usize & 255]
            }
            Decoder::F16 => f16::from_bits(code as u16).to_f32(),
            Decoder::Bf16 => f32::from_bits(code << 16),
            Decoder::Tf32 => f32::from_bits(code & !0x1fff),
        }
    }

    /// The numbers of a unit.
    fn unit(&self, bytes: &[u8], mut give: impl FnMut(usize, f32)) {
        if let Decoder::Padded(table, width) = self {
            let all = bytes.iter().rev().fold(0, |all, byte| all << 8 | u128::from(*byte));
            let code = |i: usize| (all >> (i as u32 * width)) as usize & ((1 << width) - 1);
            return (0..UNIT).for_each(|i| give(i, table[code(i)]));
        }
        if let Decoder::Packed(table) = self {
            let codes = bytes.iter().flat_map(|byte| [byte & 15, byte >> 4]);
            return codes.enumerate().for_each(|(i, code)| give(i, table[code as usize]));
        }
        for (i, code) in bytes.chunks_exact(UNIT / self.per_unit()).enumerate() {
            let code = match *code {
                [a] => a.into(),
                [a, b] => u16::from_le_bytes([a, b]).into(),
                [a, b, c, d] => u32::from_le_bytes([a, b, c, d]),
                _ => 0,
            };
            give(i, self.number(code));
        }
    }
}

/// The number, or with `negate` its negative.
pub(crate) fn sign(x: f32, negate: bool) -> f32 {
    if negate { -x } else { x }
}

/// Gives each number of a tile (MN,K) with its place in it.
pub(crate) fn gather(
    decoder: &Decoder,
    tile: &SmemTile,
    memory: &[u8],
    [mn, k]: [usize; 2],
    major: Major,
    mut give: impl FnMut(usize, usize, f32),
) {
    let per_unit = decoder.per_unit();
    let inner = if major == Major::K { k } else { mn } / per_unit;
    for (outer, units) in tile.units.chunks_exact(inner).enumerate() {
        for (unit, first) in units.iter().zip((0..).step_by(per_unit)) {
            let bytes = &memory[*unit as usize..*unit as usize + UNIT];
            match major {
                Major::K => decoder.unit(bytes, |i, x| give(outer, first + i, x)),
                _ => decoder.unit(bytes, |i, x| give(first + i, outer, x)),
            }
        }
    }
}
