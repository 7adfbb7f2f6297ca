//! Small numbers that depend on the thread, as arithmetic on its number.

/// The largest number of threads that masks can distinguish.
const MASKED: usize = 32;

/// A number for each thread of a block, or each lane of a warp. Threads that do not matter may have
/// any number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Table {
    /// The XOR of fields of the thread's number and a constant.
    Linear {
        /// The bits of the thread's number that are combined.
        fields: Vec<ThreadBits>,
        /// The number of thread 0.
        constant: u32,
    },
    /// Bit `i` of the number is bit `thread` of `masks[i]`; for 32 threads at most.
    Masks(Vec<u32>),
}

/// Bits of the thread's number, shifted: `(thread & mask) << shift`, or to the right if the shift
/// is negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThreadBits {
    /// The bits that are taken.
    pub mask: u32,
    /// The shift to the left.
    pub shift: i32,
}

impl Table {
    /// The table of `values`; a thread without a value may have any. `None` if more than 32 threads
    /// have numbers that are not XORs.
    pub fn new(values: &[Option<usize>]) -> Option<Self> {
        let values: Option<Vec<_>> =
            values.iter().map(|value| value.map(u32::try_from).transpose().ok()).collect();
        let values = &values?;
        affine(values).or_else(|| (values.len() <= MASKED).then(|| masks(values)))
    }

    /// The number of a thread.
    pub fn at(&self, thread: u32) -> u32 {
        match self {
            Self::Linear { fields, constant } => fields.iter().fold(*constant, |sum, field| {
                let bits = thread & field.mask;
                sum ^ if field.shift < 0 { bits >> -field.shift } else { bits << field.shift }
            }),
            Self::Masks(masks) => (0..)
                .zip(masks)
                .fold(0, |sum, (bit, mask)| sum | (mask.checked_shr(thread).unwrap_or(0) & 1) << bit),
        }
    }
}

/// The values as a constant and the images of the thread's bits, if XOR of these yields all of
/// them.
fn affine(values: &[Option<u32>]) -> Option<Table> {
    // Any value is correct for threads without one. So start at the first thread that has a value,
    // and try the bits in turn.
    let known = || (0u32..).zip(values).filter_map(|(thread, value)| Some((thread, (*value)?)));
    let (origin, at_origin) = known().next()?;
    let mut images = [0u32; 32];
    let mut determined = 0u32;
    // Each thread that differs from determined ones in one more bit determines that bit.
    for (thread, value) in known() {
        let difference = thread ^ origin;
        let unknown = difference & !determined;
        let sum = image(&images, difference & determined) ^ at_origin;
        match unknown.count_ones() {
            0 if sum == value => {}
            0 => return None,
            1 => {
                *images.get_mut(unknown.trailing_zeros() as usize)? = sum ^ value;
                determined |= unknown;
            }
            // This does not happen if whole warps have values; masks are used then.
            _ => return None,
        }
    }
    let constant = at_origin ^ image(&images, origin);
    let mut fields: Vec<ThreadBits> = Vec::new();
    for (bit, image) in (0i32..).zip(images) {
        for to in (0..32).filter(|to| image >> to & 1 != 0) {
            let shift = to - bit;
            match fields.iter_mut().find(|field| field.shift == shift) {
                Some(field) => field.mask |= 1 << bit,
                None => fields.push(ThreadBits { mask: 1 << bit, shift }),
            }
        }
    }
    Some(Table::Linear { fields, constant })
}

fn image(images: &[u32], bits: u32) -> u32 {
    (0..).zip(images).filter(|(bit, _)| bits >> bit & 1 != 0).fold(0, |sum, (_, image)| sum ^ image)
}

fn masks(values: &[Option<u32>]) -> Table {
    let largest = values.iter().flatten().max().copied().unwrap_or(0);
    let bits = u32::BITS - largest.leading_zeros();
    let mask = |bit: u32| {
        let set = |(thread, value): (u32, &Option<u32>)| {
            u32::from(value.is_some_and(|v| v >> bit & 1 != 0)) << thread
        };
        (0u32..).zip(values).map(set).sum()
    };
    Table::Masks((0..bits).map(mask).collect())
}
