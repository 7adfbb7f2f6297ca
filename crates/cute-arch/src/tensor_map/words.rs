//! The 128 bytes of a tensor map, as 16 words.
//!
//! | word | bits | what |
//! |---|---|---|
//! | 0 | 0 to 56 | the address, a multiple of 16 |
//! | 1 | 0 to 3 | 2 for boxes; 0 in a map that a kernel makes from zeros |
//! | 1 | 4 to 6 | the rank less 1 |
//! | 1 | 7 to 10, 16 | the element, and whether it is rounded to tf32 |
//! | 1 | 11, 12 | the interleave |
//! | 1 | 13 to 15 | the swizzle: how long rows are |
//! | 1 | 17, 18 | how much is fetched into L2 |
//! | 1 | 21 | whether the tensor spans 131072 bytes or more |
//! | 1 to 3 | 32 each | strides of modes 1 to 4, in units of 16 bytes |
//! | 3 | 32 to 47 | the upper 4 bits of each of them |
//! | 4 to 6 | 32 each | extents less 1 |
//! | 6, 7 | 8 each, from 56 | boxes less 1 |
//!
//! The driver does not document its encoding; this is the encoding that its compilers write.
//! [`TensorMap::assumed`] names the fields whose place is only inferred from the pattern.
//!
//! Where a field has no known encoding, [`TensorMap::simulated_words`] adds the last word, which is
//! 0 otherwise: [`MARK`] in its upper half, then the numbers of the swizzle (3 bits) and of the
//! fill (1 bit), and the steps less 1 (3 bits each). The three words before it are those of
//! the [form](super::MapForm) of the map. No device reads such words as the map.

use super::{
    Fill, Interleave, MAX_RANK, MapElement, MapForm, MapMode, MapSwizzle, Promotion, TensorMap, rules::Broken,
};

/// Words of 64 bits in an encoded map.
pub const WORDS: usize = 16;

/// The rules that guarantee that values fit their places in the words.
const NOT_ENCODED: [&str; 8] = [
    "rank_range",
    "address_alignment",
    "address_range",
    "extent_range",
    "inner_stride_not_1",
    "stride_alignment",
    "stride_ge_2p40",
    "box_gt_256",
];

/// The rule that a map breaks which has no known encoding: only the driver can encode it.
pub const ENCODING_UNKNOWN: &str = "encoding_unknown";

const TILED: u64 = 2;
/// The upper half of the last word of a map that only the simulator reads.
const MARK: u64 = 0x6375_7465;
/// The greatest step of a mode is 8.
const STEP_BITS: u32 = 3;
/// From this number of bytes on, the map has the flag of large tensors.
const LARGE: u64 = 131_072;

/// Why words are not a tensor map of boxes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum Unreadable {
    #[error("word 1 is {0:#x}: its lowest four bits are 2 in a map of boxes")]
    Kind(u64),
    #[error("word 1 is {word:#x}: {what} {value} does not exist")]
    Unknown { word: u64, what: &'static str, value: u64 },
    #[error("word {index} is {found:#x}, but a map with these fields has {expected:#x}")]
    Rest { index: usize, found: u64, expected: u64 },
    #[error(transparent)]
    Broken(#[from] Broken),
}

/// Bits `from` to `from + count` of a word.
fn bits(word: u64, from: u32, count: u32) -> u64 {
    (word >> from) & ((1 << count) - 1)
}

/// The last word of a map that only the simulator reads.
fn own(words: &[u64; WORDS]) -> Option<u64> {
    Some(words[WORDS - 1]).filter(|own| own >> 32 == MARK)
}

fn rank(words: &[u64; WORDS]) -> usize {
    bits(words[1], 4, 3) as usize + 1
}

/// The form of the map with these words.
pub(super) fn form(words: &[u64; WORDS]) -> MapForm {
    let [.., a, b, c, _] = *words;
    own(words).map_or(MapForm::Tiled, |_| MapForm::of_words([a, b, c], rank(words)))
}

impl TensorMap {
    /// The words of the map.
    ///
    /// # Errors
    /// Returns a rule that it breaks, or a field whose encoding is not known.
    pub fn words(&self) -> Result<[u64; WORDS], Broken> {
        self.check()?;
        self.encode()
    }

    /// The words of a map that may break rules unrelated to the encoding, such as the multiple of a
    /// box's extents.
    ///
    /// # Errors
    /// Returns a field whose encoding is not known, or that does not fit its place.
    pub fn encode(&self) -> Result<[u64; WORDS], Broken> {
        let fits = |broken: &Broken| !NOT_ENCODED.contains(&broken.name);
        if let Some(broken) = self.broken().into_iter().find(|broken| !fits(broken)) {
            return Err(broken);
        }
        let unknown = |field: &str, value: String| {
            let (field, rule) = (field.into(), "how the driver encodes it is not known".into());
            Err(Broken { name: ENCODING_UNKNOWN, field, value, rule })
        };
        if let Some(name) = self.form.not_encoded() {
            return unknown("the mode", name.into());
        }
        if self.swizzle as u64 > MapSwizzle::B128 as u64 {
            return unknown("the swizzle", self.swizzle.to_string());
        }
        if self.fill == Fill::Nan {
            return unknown("the fill", "NaN".into());
        }
        if let Some((i, mode)) = self.modes.iter().enumerate().find(|(_, mode)| mode.step != 1) {
            return unknown(&format!("the step of mode {i}"), mode.step.to_string());
        }
        Ok(self.known())
    }

    /// The words of the map for the simulator, which can read more than the driver's encoding as
    /// far as that is known. They are those of [`words`](Self::words) where these exist.
    ///
    /// # Errors
    /// Returns a rule that the map breaks.
    pub fn simulated_words(&self) -> Result<[u64; WORDS], Broken> {
        match self.words() {
            Err(broken) if broken.name == ENCODING_UNKNOWN => {}
            words => return words,
        }
        let mut words = self.known();
        words[WORDS - 1] = MARK << 32 | self.swizzle as u64 | (self.fill as u64) << STEP_BITS;
        for (i, mode) in (0..).zip(&self.modes) {
            words[WORDS - 1] |= u64::from(mode.step - 1) << (4 + STEP_BITS * i);
        }
        let of_form = self.form.words();
        words[WORDS - 1 - of_form.len()..WORDS - 1].copy_from_slice(&of_form);
        Ok(words)
    }

    /// The words, as far as the encoding of the fields is known.
    fn known(&self) -> [u64; WORDS] {
        let swizzle = (self.swizzle as u64).min(MapSwizzle::B128 as u64);
        let rank = self.modes.len();
        let one = MapMode { extent: 1, stride: 0, boxed: 1, step: 1 };
        let mode = |i: usize| self.modes.get(i).copied().unwrap_or(one);
        let stride = |i: usize| mode(i).stride >> 4;
        let extent = |i: usize| mode(i).extent - 1;
        let boxed = |i: usize| u64::from(mode(i).boxed - 1);
        let (format, rounds) = self.element.format();
        let large = self.span().is_none_or(|span| span >= LARGE);

        let mut words = [0; WORDS];
        words[0] = self.address;
        words[1] = TILED
            | (rank as u64 - 1) << 4
            | format << 7
            | (self.interleave as u64) << 11
            | swizzle << 13
            | u64::from(rounds) << 16
            | (self.promotion as u64) << 17
            | u64::from(large) << 21
            | bits(stride(1), 0, 32) << 32;
        words[2] = bits(stride(2), 0, 32) | bits(stride(3), 0, 32) << 32;
        words[3] = bits(stride(4), 0, 32);
        for i in 1..MAX_RANK {
            words[3] |= bits(stride(i), 32, 4) << (28 + 4 * i);
        }
        words[4] = extent(0) | extent(1) << 32;
        words[5] = extent(2) | extent(3) << 32;
        words[6] = extent(4) | boxed(0) << 56;
        for i in 1..MAX_RANK {
            words[7] |= boxed(i) << (8 * (i - 1));
        }
        words
    }

    /// The map that words encode.
    ///
    /// # Errors
    /// What of them is not the encoding of a map.
    pub fn from_words(words: &[u64; WORDS]) -> Result<Self, Unreadable> {
        // No field that a kernel can replace has these bits, and kernels make maps from zeros.
        let mut words = *words;
        if bits(words[1], 0, 4) == 0 {
            words[1] |= TILED;
        }
        let word = words[1];
        if bits(word, 0, 4) != TILED {
            return Err(Unreadable::Kind(word));
        }
        let unknown = |what, value| Unreadable::Unknown { word, what, value };
        let (format, rounds) = (bits(word, 7, 4), bits(word, 16, 1) == 1);
        let element = MapElement::of_format(format, rounds).ok_or_else(|| unknown("element", format))?;
        let interleave = match bits(word, 11, 2) {
            0 => Interleave::None,
            1 => Interleave::B16,
            2 => Interleave::B32,
            n => return Err(unknown("interleave", n)),
        };
        let swizzle = match bits(word, 13, 3) {
            n @ 0..=3 => MapSwizzle::ALL[n as usize],
            n => return Err(unknown("swizzle", n)),
        };
        // Fields that only the simulator reads.
        let own = own(&words);
        let swizzle = match own.map(|own| bits(own, 0, 3) as usize) {
            Some(number) => *MapSwizzle::ALL.get(number).ok_or_else(|| unknown("swizzle", number as u64))?,
            None => swizzle,
        };
        let fill = if own.is_some_and(|own| bits(own, STEP_BITS, 1) == 1) { Fill::Nan } else { Fill::Zero };
        let step = |i: usize| own.map_or(1, |own| bits(own, 4 + STEP_BITS * i as u32, STEP_BITS) as u32 + 1);
        let promotion = Promotion::ALL[bits(word, 17, 2) as usize];
        let rank = rank(&words);
        if rank > MAX_RANK {
            return Err(unknown("rank", rank as u64));
        }
        let halves = [word >> 32, words[2] & 0xffff_ffff, words[2] >> 32, words[3] & 0xffff_ffff];
        let stride = |i: usize| (halves[i - 1] | bits(words[3], 28 + 4 * i as u32, 4) << 32) << 4;
        let extent = |i: usize| bits(words[4 + i / 2], 32 * (i as u32 % 2), 32) + 1;
        let boxed = |i: usize| match i {
            0 => bits(words[6], 56, 8) as u32 + 1,
            _ => bits(words[7], 8 * (i as u32 - 1), 8) as u32 + 1,
        };
        let mode = |i: usize| MapMode {
            extent: extent(i),
            stride: if i == 0 { element.bytes().into() } else { stride(i) },
            boxed: boxed(i),
            step: step(i),
        };
        let modes = (0..rank).map(mode).collect();
        let form = form(&words);
        let map = Self { element, address: words[0], modes, interleave, swizzle, promotion, fill, form };
        let mut again = map.simulated_words()?;
        // The flag of large tensors is ignored: drivers differ, and a kernel replaces extents
        // without it.
        again[1] = again[1] & !(1 << 21) | word & 1 << 21;
        match words.iter().zip(&again).position(|(a, b)| a != b) {
            Some(index) => Err(Unreadable::Rest { index, found: words[index], expected: again[index] }),
            None => Ok(map),
        }
    }

    /// The fields of this map whose place or number in the words is assumed, without confirmation
    /// by a map that was read.
    pub fn assumed(&self) -> Vec<&'static str> {
        use MapElement as E;
        let confirmed = matches!(self.element, E::U8 | E::F16 | E::F32 | E::Bf16 | E::Tf32);
        let boxed = |i: usize| self.modes.get(i).is_some_and(|mode| mode.boxed != 1);
        let fields = [
            ("element", !confirmed),
            ("interleave", self.interleave != Interleave::None),
            ("swizzle", !matches!(self.swizzle, MapSwizzle::None | MapSwizzle::B64 | MapSwizzle::B128)),
            ("promotion", self.promotion != Promotion::B128),
            ("box 2", boxed(2)),
            ("box 3", boxed(3)),
            ("box 4", boxed(4)),
        ];
        fields.into_iter().filter(|(_, is_assumed)| *is_assumed).map(|(name, _)| name).collect()
    }
}
