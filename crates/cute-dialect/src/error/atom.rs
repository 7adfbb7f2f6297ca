//! Why the type of an atom does not name an instruction, as data.

use cute_arch::{Element, atoms::NoSuchAtom, tensor_map::MAX_BOX};

/// The rule that the type of an atom breaks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the message explains each field")]
pub enum AtomError {
    /// The width of the elements is unknown.
    #[error("element type {elem} has no size")]
    NoSize { elem: String },
    /// A call copies a part of an element.
    #[error("{bits} b is not a whole number of {elem} elements ({width} b each)")]
    PartOfElement { bits: i64, elem: String, width: i64 },
    /// The bits of a plain copy.
    #[error("{bits} b is not one of 8, 16, 32, 64, 128, 256")]
    UniversalBits { bits: i64 },
    /// The bits of a `cp.async`.
    #[error("cp.async copies 32, 64 or 128 b, not {bits} b")]
    AsyncBits { bits: i64 },
    /// The bits of a `cp.async` past L1.
    #[error("cache = global copies 128 b, not {bits} b; cache = always copies 32, 64 or 128 b")]
    GlobalBits { bits: i64 },
    /// The bits of a bulk copy.
    #[error("cp.async.bulk copies multiples of {unit} bytes, but copy_bits = {bits} is not such a multiple")]
    BulkBits { unit: i64, bits: i64 },
    /// There is no such instruction.
    #[error("there is no {asked}; there are{legal}")]
    NoInstruction {
        asked: String,
        /// Those that exist, after a space or a comma.
        legal: String,
    },
    /// No MMA has these fields.
    #[error(transparent)]
    NoSuchAtom(#[from] NoSuchAtom),
    /// A type of elements that the reduction does not take.
    #[error("{reducer} does not reduce elements of {elem}{place} by {by}, only elements of {taken}")]
    Reduction {
        /// The instruction or the unit that reduces.
        reducer: &'static str,
        elem: String,
        /// The memory space after `in`, if it matters.
        place: String,
        by: &'static str,
        taken: String,
    },
    /// An atom that only holds a descriptor.
    #[error(
        "!{name} has a descriptor and cannot be executed; cute_nvgpu.atom.make_exec_tma makes an atom that can"
    )]
    NotExecutable { name: &'static str },
    /// The box of the TMA is not known.
    #[error("tma_gbasis must map a static box to modes, such as (64,128):(1@1,1@0), found {basis}")]
    Basis { basis: String },
    /// The number of modes of a box.
    #[error("a box has {modes} modes, but tma_gbasis {basis} has {rank}")]
    BoxModes { modes: String, basis: String, rank: usize },
    /// The extent of a mode of a box.
    #[error("a box has 1 to {MAX_BOX} elements per mode, but mode {mode} of tma_gbasis {basis} has {extent}")]
    BoxExtent { mode: usize, basis: String, extent: i64 },
    /// The bits of a box.
    #[error("copy_bits = {written} are not those of {what}: {elements} elements of {width} bits have {bits}")]
    BoxBits { written: i64, what: &'static str, elements: i64, width: u32, bits: i64 },
    /// The format of the descriptor has another width than the elements.
    #[error("tma_format = {format} has {bits} bits, but an element {elem} has {width}")]
    FormatWidth { format: &'static str, bits: u32, elem: String, width: u32 },
    /// Elements that the TMA only loads.
    #[error(
        "the TMA does not store elements of {elem}: pack them in shared memory, and write tma_format = {instead}"
    )]
    NotStored { elem: String, instead: &'static str },
    /// The fma of one thread has one shape.
    #[error("an fma of one thread has shape 1x1x1, not {}", extents(.shape))]
    FmaShape { shape: [i64; 3] },
    /// The fma of one thread has one type.
    #[error("an fma of one thread has one type of numbers, not ({a}, {b}) -> {c}")]
    FmaTypes { a: String, b: String, c: String },
    /// The type of the fma of one thread.
    #[error("an fma of one thread computes with f64, f32, f16, bf16 or i32, not {elem}")]
    FmaElement { elem: String },
    /// A type that is not one of numbers.
    #[error("{elem} cannot be the type of matrix elements")]
    MatrixElement { elem: String },
    /// Negation of integers.
    #[error("a_neg and b_neg are for floats: the instruction does not negate {elem}")]
    Negated { elem: Element },
    /// A shape with an extent that no instruction has.
    #[error("no MMA has shape {}", extents(.shape))]
    MmaShape { shape: [i64; 3] },
    /// The atom belongs to another type.
    #[error("{atom} is an atom of !{other}, not of !{own}")]
    OtherType { atom: String, other: &'static str, own: &'static str },
    /// The atom belongs to no type.
    #[error("{atom} is not an atom of !{own}; as a type it is not supported")]
    NoType { atom: String, own: &'static str },
}

fn extents([m, n, k]: &[i64; 3]) -> String {
    format!("{m}x{n}x{k}")
}
