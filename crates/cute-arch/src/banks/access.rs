//! Accesses of threads to a tile in shared memory, and their cost. This module contains
//! thread-value layouts and the layout of the tile.

use std::fmt;

use cute_algebra::{AnyLayout, Crd, Error, Layout, LayoutLike, Stride, Swizzle, Tuple, crd2idx, size};

use super::{crowd, passes};
use crate::sectors::units;

/// The largest number of elements of all threads of an access together.
const MOST: i64 = 1 << 20;
const LANES: usize = crate::WARP as usize;
/// Bits that a lane accesses at most with one instruction.
pub(super) const WIDEST: i64 = 128;

/// The access of a block's threads to a tile, with one kind of instruction.
#[derive(Debug, Clone, PartialEq)]
pub struct Access {
    /// Its name in errors and reports.
    pub name: String,
    /// `(threads, values) -> index` into the tile, as in a tiled copy.
    pub layout: Layout<i64>,
    /// Contiguous values per instruction of a thread. By default as many as are contiguous and
    /// aligned, up to 128 bits.
    pub vector: Option<i64>,
}

impl Access {
    /// The number of threads, and by value, then thread, where each element lies on a tile with
    /// this layout.
    ///
    /// Returns an error if the access is not a layout of threads and values or leaves the tile, if
    /// offsets are not integers, or if threads have more than 2^20 values together.
    pub fn offsets(&self, tile: &AnyLayout<i64>) -> Result<(usize, Vec<i64>), Error> {
        if self.layout.rank() != 2 {
            return Err(error(self, format!("{} is not a layout of (threads, values)", self.layout)));
        }
        let threads = size(&self.layout.mode(0)?)?;
        let values = size(&self.layout.mode(1)?)?;
        if threads.checked_mul(values).is_none_or(|n| n > MOST) {
            let why = format!("{threads} threads of {values} values, more than {MOST} together");
            return Err(error(self, why));
        }
        let domain = size(tile.outer())?;
        let mut offsets = Vec::with_capacity((threads * values) as usize);
        for value in 0..values {
            for thread in 0..threads {
                let own = Tuple::from_modes([Tuple::leaf(Crd::Int(thread)), Tuple::leaf(Crd::Int(value))]);
                let index = leaf(&self.layout, &own)?;
                if !(0..domain).contains(&index) {
                    let why =
                        format!("value {value} of thread {thread} is element {index} of a tile of {domain}");
                    return Err(error(self, why));
                }
                offsets.push(leaf(tile, &Tuple::leaf(Crd::Int(index)))?);
            }
        }
        Ok((threads as usize, offsets))
    }
}

/// The cost of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Conflicts {
    /// Instructions, of all warps.
    pub instructions: u64,
    /// The passes they take.
    pub passes: u64,
    /// The minimum number of passes for the same lanes.
    pub ideal: u64,
    /// The instruction with the most passes above the ideal: its first thread, its first value and
    /// the passes.
    pub worst: Option<(i64, i64, u64)>,
}

impl Conflicts {
    /// Passes that other banks would save.
    pub fn excess(&self) -> u64 {
        self.passes.saturating_sub(self.ideal)
    }
}

impl fmt::Display for Conflicts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { instructions, passes, ideal, worst } = self;
        let count =
            |n: u64, noun: &str, plural: &str| format!("{n} {noun}{}", if n == 1 { "" } else { plural });
        let passes_of = |n| count(n, "pass", "es");
        write!(f, "{}: {} (minimum {ideal})", count(*instructions, "instruction", "s"), passes_of(*passes))?;
        match worst {
            Some((thread, value, passes)) => {
                write!(f, "; worst: {}, starting at thread {thread}, value {value}", passes_of(*passes))
            }
            None => Ok(()),
        }
    }
}

/// The lanes of one instruction that need different words of one bank, which therefore follow one
/// another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crowd {
    /// The bank that they need.
    pub bank: u64,
    /// A thread for each of the words, and the byte address at which its access begins.
    pub lanes: Vec<(i64, u64)>,
}

/// An access of a tile that lies somewhere: the offset of each thread's vectors before any swizzle.
#[derive(Debug, Clone)]
pub struct Traffic {
    bits: i64,
    vector: i64,
    threads: usize,
    /// By first value, then thread: the offset of the vector's first element.
    offsets: Vec<i64>,
}

fn error(access: &Access, why: String) -> Error {
    Error::Unsupported { what: "bank analysis", why: format!("access {}: {why}", access.name) }
}

impl Traffic {
    /// The traffic of `access` on a tile of elements of `bits` bits with the layout `tile`.
    ///
    /// Returns an error if a vector of the access is not contiguous, not aligned, or wider than 128
    /// bits, if offsets are not integers, or if threads have more than 2^20 values together.
    pub fn new(access: &Access, tile: &Layout<i64>, bits: i64) -> Result<Self, Error> {
        Self::behind(access, &AnyLayout::Plain(tile.clone()), bits)
    }

    /// The traffic on a tile whose layout may be swizzled.
    pub fn behind(access: &Access, tile: &AnyLayout<i64>, bits: i64) -> Result<Self, Error> {
        if !(1..=WIDEST).contains(&bits) {
            return Err(error(access, format!("elements of {bits} bits")));
        }
        let (threads, offsets) = access.offsets(tile)?;
        Self::of_vectors(threads, offsets, bits, access.vector).map_err(|why| error(access, why))
    }

    /// The traffic of single elements of `bits` bits: by value, then thread, where each lies.
    pub fn of_elements(threads: usize, offsets: Vec<i64>, bits: i64) -> Self {
        Self { bits, vector: 1, threads, offsets }
    }

    /// The traffic of elements of `bits` bits, by value, then thread, with `vector` values per
    /// instruction, or as many as are contiguous and aligned. Returns an error if `vector` values
    /// are not.
    pub fn of_vectors(
        threads: usize,
        offsets: Vec<i64>,
        bits: i64,
        vector: Option<i64>,
    ) -> Result<Self, String> {
        let all = Self::of_elements(threads, offsets, bits);
        let values = all.offsets.len().checked_div(threads).unwrap_or(0) as i64;
        let vector = vector.unwrap_or_else(|| all.widest(values));
        all.widened(vector)
    }

    /// Values of a thread's instruction.
    pub fn vector(&self) -> i64 {
        self.vector
    }

    /// The width of the vectors that a thread's elements form.
    fn widest(&self, values: i64) -> i64 {
        let powers = std::iter::successors(Some(2), |w| Some(w * 2));
        let wide: Vec<i64> = powers.take_while(|w| w * self.bits <= WIDEST && values % w == 0).collect();
        wide.into_iter().rev().find(|w| self.clone().widened(*w).is_ok()).unwrap_or(1)
    }

    /// The same elements, with `vector` per instruction.
    fn widened(mut self, vector: i64) -> Result<Self, String> {
        let bits = vector.checked_mul(self.bits).filter(|bits| (8..=WIDEST).contains(bits));
        if bits.is_none_or(|bits| bits.count_ones() != 1) {
            let own = self.bits;
            return Err(format!(
                "{vector} elements of {own} bits; an instruction takes 8, 16, 32, 64 or 128 bits"
            ));
        }
        let values = self.offsets.len().checked_div(self.threads).unwrap_or(0);
        if values as i64 % vector != 0 {
            return Err(format!("{values} values do not form vectors of {vector}"));
        }
        let (threads, width) = (self.threads, vector as usize);
        let mut firsts = Vec::with_capacity(self.offsets.len() / width);
        for (n, group) in self.offsets.chunks(threads * width).enumerate() {
            for thread in 0..threads {
                let mut own = group.iter().skip(thread).step_by(threads);
                let first = *own.next().expect("each thread has as many values");
                if let Some((i, next)) = (1..).zip(own).find(|(i, next)| **next != first + i) {
                    let value = n * width;
                    return Err(format!(
                        "values {value} and {} of thread {thread} have the offsets {first} and {next}; {vector} side by side are needed",
                        value + i as usize
                    ));
                }
                if first.rem_euclid(vector) != 0 {
                    return Err(format!(
                        "value {} of thread {thread} has the offset {first}, which is not a multiple of {vector}",
                        n * width
                    ));
                }
                firsts.push(first);
            }
        }
        (self.vector, self.offsets) = (vector, firsts);
        Ok(self)
    }

    /// The costs if `place` maps offsets to places.
    pub fn conflicts(&self, place: impl Fn(i64) -> i64) -> Conflicts {
        let mut sum = Conflicts::default();
        self.each(place, |thread, value, count, ideal| {
            sum.instructions += 1;
            sum.passes += count;
            sum.ideal += ideal;
            if count > ideal && sum.worst.is_none_or(|(_, _, most)| count > most) {
                sum.worst = Some((thread, value, count));
            }
            true
        });
        sum
    }

    /// Whether every instruction takes the minimum number of passes.
    pub(super) fn is_free(&self, place: impl Fn(i64) -> i64) -> bool {
        self.each(place, |_, _, count, ideal| count == ideal)
    }

    /// Calls `see` with each instruction: its first thread and value, its passes and the minimum.
    /// Stops if `see` returns false.
    fn each(&self, place: impl Fn(i64) -> i64, mut see: impl FnMut(i64, i64, u64, u64) -> bool) -> bool {
        for (n, group) in self.offsets.chunks(self.threads.max(1)).enumerate() {
            for (warp, lanes) in group.chunks(LANES).enumerate() {
                let (addresses, bytes) = self.addresses(lanes, &place);
                let active = u32::MAX >> (LANES - lanes.len());
                let (count, ideal) = passes(&addresses, active, bytes);
                if !see((warp * LANES) as i64, n as i64 * self.vector, count, ideal) {
                    return false;
                }
            }
        }
        true
    }

    /// The most crowded bank of the instruction that starts at this thread and this value, if
    /// `place` maps offsets to places; `None` if there is no such instruction.
    pub fn crowd(&self, thread: i64, value: i64, place: impl Fn(i64) -> i64) -> Option<Crowd> {
        let (first, number) = (usize::try_from(thread).ok()?, usize::try_from(value / self.vector).ok()?);
        let group = self.offsets.chunks(self.threads.max(1)).nth(number)?;
        let lanes = group.get(first..group.len().min(first + LANES))?;
        let (addresses, bytes) = self.addresses(lanes, place);
        let (bank, lanes) = crowd(&addresses[..lanes.len()], bytes);
        let lanes = lanes.into_iter().map(|(lane, address)| (thread + lane as i64, address)).collect();
        Some(Crowd { bank, lanes })
    }

    /// The byte addresses of lanes with these offsets, and the bytes of each lane.
    fn addresses(&self, lanes: &[i64], place: impl Fn(i64) -> i64) -> ([u64; LANES], u64) {
        let mut addresses = [0; LANES];
        for (address, offset) in addresses.iter_mut().zip(lanes) {
            *address = (place(*offset) * self.bits).div_euclid(8).cast_unsigned();
        }
        (addresses, (self.vector * self.bits / 8).cast_unsigned())
    }

    /// Instructions of all warps.
    pub fn instructions(&self) -> u64 {
        self.offsets.chunks(self.threads.max(1)).map(|group| group.chunks(LANES).len() as u64).sum()
    }

    /// Units of `unit` bytes of global memory that the accesses touch, such as sectors, if offsets
    /// count elements from a unit's start.
    pub fn touched(&self, unit: u64) -> u64 {
        let mut sum = 0;
        for lanes in self.offsets.chunks(self.threads.max(1)).flat_map(|group| group.chunks(LANES)) {
            let (addresses, bytes) = self.addresses(lanes, |offset| offset);
            sum += units(&addresses, u32::MAX >> (LANES - lanes.len()), bytes, unit).0;
        }
        sum
    }

    /// The costs under a swizzle.
    pub fn swizzled(&self, swizzle: Swizzle) -> Conflicts {
        self.conflicts(|offset| place(swizzle, offset))
    }
}

/// Applies a swizzle to an offset.
pub(super) fn place(swizzle: Swizzle, offset: i64) -> i64 {
    swizzle.apply(&offset).expect("XOR of 64-bit integers cannot fail")
}

fn leaf<L: LayoutLike<Leaf = i64>>(layout: &L, coordinate: &cute_algebra::Coord<i64>) -> Result<i64, Error> {
    crd2idx(coordinate, layout)?.expect_int("bank analysis").copied()
}

/// `layout` with `elements` of padding after each `period`: strides that are multiples of the
/// period grow by `elements` for each. `None` if the smaller strides reach past the period.
///
/// ```
/// use cute_algebra::parse_layout;
/// let rows = parse_layout("(32,64):(64,1)").unwrap().to_const().unwrap();
/// let padded = cute_arch::banks::padded(&rows, 64, 8).unwrap();
/// assert_eq!(padded.to_string(), "(32,64):(72,1)");
/// ```
pub fn padded(layout: &Layout<i64>, period: i64, elements: i64) -> Option<Layout<i64>> {
    let mut below = 0;
    for (extent, stride) in layout.flat() {
        let stride = stride.as_static()?;
        if stride < period {
            below = (extent - 1).checked_mul(stride)?.checked_add(below)?;
        }
    }
    let whole = layout.flat().all(|(_, d)| d.as_static().is_some_and(|d| d < period || d % period == 0));
    if below >= period || !whole {
        return None;
    }
    let longer = |d: &Stride<i64>| {
        let d = d.as_static()?;
        let more = if d < period { 0 } else { (d / period).checked_mul(elements)? };
        Some(Stride::int(d.checked_add(more)?))
    };
    let stride = layout.stride().try_map(|d| longer(d).ok_or(())).ok()?;
    Some(Layout::new(layout.shape().clone(), stride).expect("the trees are those of a layout"))
}
