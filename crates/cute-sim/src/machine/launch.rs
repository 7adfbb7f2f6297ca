//! The description of a launch, and its check against the kernel.

use super::stop::Stop;
use crate::error::Error;
use crate::events::Watcher;
use crate::finding::Place;
use crate::memory::address::{GLOBAL, MAX_ALLOCATIONS, SHARED_BASE, of_host, pointer};
use crate::memory::{Buffer, Memory};
use crate::order::Stream;
use crate::program::{Constant, Kept, Kernel, Param};
use crate::schedule::{Election, Schedule};
use crate::tensor::Sums;
use cute_arch::Target;
use cute_arch::launch::{Compiled, Extents};
use cute_machine::int::mask;
use cute_machine::types::{Leaf, Scalar};
use half::{bf16, f16};
use std::num::NonZero;
use std::sync::Arc;

/// One launch of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// The kernel's name.
    pub kernel: String,
    /// Blocks in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y, z.
    pub block: [u32; 3],
    /// The GPU, whose limits are checked.
    pub target: Target,
    /// Blocks of a cluster in x, y, z. Without it, those that the kernel was compiled for;
    /// otherwise each block is a cluster.
    pub cluster: Option<[u32; 3]>,
    /// The order of events where the hardware leaves it open.
    pub schedule: Schedule,
    /// The lane that `elect.sync` elects; without it, the one of the
    /// [schedule](Schedule::election).
    pub elect: Option<Election>,
    /// The positions of blocks in the grid, of which only the clusters run: they are the sample of
    /// the [report](crate::Report::sample). Without it, all blocks run.
    pub only_blocks: Option<Arc<[[u32; 3]]>>,
    /// How tensor cores add floats.
    pub sums: Sums,
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u32,
    /// Instructions that all threads together may execute.
    pub budget: u64,
    /// Instructions that the warps of a cluster together may execute without changing shared or
    /// global memory, before the kernel is assumed to hang. A kernel that provably hangs is found
    /// earlier.
    pub idle: u64,
    /// Whether an `nsw` or `nuw` operation that wraps is an error. In LLVM its result is poison,
    /// and only an error if it matters.
    pub check_overflow: bool,
    /// Whether to check for races. Without that, shared memory is still checked for uninitialised
    /// reads.
    pub check_races: bool,
    /// Whether to report [notes](crate::Grade::Note): violations of the instruction set that widely
    /// used kernels contain and that generated code cannot show. Without it, the report counts
    /// those that it holds back.
    pub pedantic: bool,
    /// Whether what the instruction set forbids is an error even where widely used libraries rely
    /// on it: a [`Portability`](crate::Grade::Portability) finding becomes an error. The run goes
    /// on all the same.
    pub strict_isa: bool,
    /// The stream of the launch, one of those of [`Memory::order`].
    pub stream: Stream,
    /// Whether the launch is cooperative: all blocks are resident at once, and have memory in which
    /// they can meet.
    pub cooperative: bool,
    /// Whether this launch may begin before the launch before it in its stream has ended, with
    /// programmatic stream serialization. Its accesses are checked against those of earlier
    /// launches that it may run beside and that are [`is_overlapped`](Self::is_overlapped). They
    /// are executed one after the other all the same.
    pub begins_early: bool,
    /// Whether a later operation in the same [`Memory`] may run beside this launch: the next one in
    /// its stream if it [`begins_early`](Self::begins_early), or one in another stream.
    pub is_overlapped: bool,
    /// The number of host threads that run it; without it, one for each core. The order of the
    /// blocks is that of the schedule on one thread only, which matters to kernels that
    /// [update](crate::Program::has_updates) memory.
    pub host_threads: Option<NonZero<usize>>,
    /// Stops the launch before its end.
    pub stop: Stop,
    /// Whether to count the words of each bank of shared memory, for the report's
    /// [`buffers`](crate::Report::buffers).
    pub count_banks: bool,
    /// Loads, by the numbers of their instructions in order, whose values are followed: a race of
    /// such a load with a store of its size is an error once the value is used, and otherwise a
    /// note. Without it, such a race is an error, and the load is one of
    /// [`Report::racy_loads`](crate::Report::racy_loads).
    pub followed_loads: Arc<[u32]>,
    /// Sees the events of the launch.
    pub watcher: Option<Watcher>,
}

impl Launch {
    /// A launch for `sm_90a` without dynamic shared memory, with a budget of 10^10 instructions
    /// (10^8 without an effect), and all checks.
    pub fn new(kernel: &str, grid: [u32; 3], block: [u32; 3]) -> Self {
        let kernel = kernel.to_owned();
        Launch {
            kernel,
            grid,
            block,
            target: Target::Sm90a,
            cluster: None,
            schedule: Schedule::default(),
            elect: None,
            only_blocks: None,
            sums: Sums::from(Target::Sm90a),
            dynamic_shared: 0,
            budget: 10_000_000_000,
            idle: 100_000_000,
            check_overflow: true,
            check_races: true,
            pedantic: false,
            strict_isa: false,
            stream: Stream::LEGACY,
            cooperative: false,
            begins_early: false,
            is_overlapped: false,
            host_threads: None,
            stop: Stop::default(),
            count_banks: false,
            followed_loads: Arc::new([]),
            watcher: None,
        }
    }

    /// Blocks of a cluster in x, y, z.
    pub(crate) fn cluster(&self, kernel: &Kernel) -> [u32; 3] {
        self.cluster.or(kernel.required_cluster).unwrap_or([1; 3])
    }

    /// The lane that `elect.sync` elects.
    pub(crate) fn election(&self) -> Election {
        self.elect.unwrap_or_else(|| self.schedule.election())
    }

    /// The initial state of the threads of this launch.
    pub(crate) fn give(
        &self,
        kernel: &Kernel,
        memory: &Memory,
        args: &[Arg],
        variables: &[Buffer],
    ) -> Result<Given, Error> {
        let refuse = |what: String| Error::Launch { kernel: kernel.name.clone(), what };
        if [self.grid, self.block, self.cluster(kernel)].iter().any(|extents| extents.contains(&0)) {
            return Err(refuse(format!("an empty grid {:?}, block {:?} or cluster", self.grid, self.block)));
        }
        if self.grid.iter().try_fold(1u32, |n, d| n.checked_mul(*d)).is_none() {
            return Err(refuse(format!("a grid {:?} of more than {} blocks", self.grid, u32::MAX)));
        }
        let extents = Extents {
            grid: self.grid,
            block: self.block,
            cluster: self.cluster,
            // A kernel that names no dynamic memory has its bytes nevertheless.
            shared_memory: kernel.shared_end(0) - SHARED_BASE + u64::from(self.dynamic_shared),
        };
        let compiled = Compiled {
            block: kernel.required_block,
            max_threads: kernel.max_threads,
            cluster: kernel.required_cluster,
            registers: kernel.bounded_registers(),
        };
        if let Some(why) = self.target.misfit(&extents, &compiled) {
            return Err(refuse(why));
        }
        if let Some(blocks) = &self.only_blocks {
            let is_outside =
                |block: &&[u32; 3]| block.iter().zip(&self.grid).any(|(at, extent)| at >= extent);
            if let Some(block) = blocks.iter().find(is_outside) {
                return Err(refuse(format!("block {block:?}, which is not in the grid {:?}", self.grid)));
            }
            if blocks.is_empty() {
                return Err(refuse("a sample without blocks".into()));
            }
        }
        if memory.buffers.len() > MAX_ALLOCATIONS as usize {
            return Err(refuse(format!("{} buffers", memory.buffers.len())));
        }
        let mut given = arguments(kernel, memory, args).map_err(refuse)?;
        for constant in &mut given.constants {
            if let Place::Constant(symbol) = &constant.place
                && let Some(bytes) = memory.constant(symbol, constant.bytes.len())
            {
                constant.bytes = bytes;
            }
        }
        for (slot, variable, byte) in &kernel.addressed {
            let start = memory.address(variables[*variable as usize]).unwrap_or_default();
            given.registers[*slot as usize] = start + *byte;
        }
        Ok(given)
    }
}

/// How the threads of a launch begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Start {
    /// Registers at entry, of the first block of a cluster.
    pub registers: Vec<u64>,
    /// The bytes of constant memory, by allocation: constant globals, and parameters.
    pub constants: Vec<Vec<u8>>,
}

/// The initial state of all threads.
pub(crate) struct Given {
    /// Registers at entry.
    pub(crate) registers: Vec<u64>,
    pub(crate) constants: Vec<Constant>,
}

/// The kernel's registers and constants with these arguments, or the reason why they do not fit.
fn arguments(kernel: &Kernel, memory: &Memory, args: &[Arg]) -> Result<Given, String> {
    let mut given = Given { registers: kernel.registers.clone(), constants: kernel.constants.clone() };
    let count = || format!("{} arguments for {} parameters", args.len(), kernel.params.len());
    let scalar = |left: &mut &[Arg], ty: Scalar| {
        let number = args.len() - left.len();
        let arg = left.split_off_first().ok_or_else(count)?;
        arg.bits(ty, memory).ok_or_else(|| format!("argument {number} is {arg:?}, not {ty:?}"))
    };
    let mut left = args;
    for param in &kernel.params {
        match param {
            Param::Scalar { scalar: ty, slot } => given.registers[*slot as usize] = scalar(&mut left, *ty)?,
            Param::Value { size, scalars, kept } => {
                let Some(Arg::Bytes(bytes)) = left.first() else {
                    for (ty, leaf) in scalars {
                        given.set(*kept, leaf, &scalar(&mut left, *ty)?.to_le_bytes()[..leaf.bytes as usize]);
                    }
                    continue;
                };
                if bytes.len() as u64 != *size {
                    let (number, n) = (args.len() - left.len(), bytes.len());
                    return Err(format!("argument {number} has {n} bytes, but its parameter has {size}"));
                }
                for (_, leaf) in scalars {
                    given.set(*kept, leaf, &bytes[leaf.offset as usize..][..leaf.bytes as usize]);
                }
                left = &left[1..];
            }
        }
    }
    if left.is_empty() { Ok(given) } else { Err(count()) }
}

impl Given {
    /// Sets a scalar of a parameter by value.
    fn set(&mut self, kept: Kept, leaf: &Leaf, bytes: &[u8]) {
        match kept {
            Kept::Constant(number) => {
                self.constants[number as usize].bytes[leaf.offset as usize..][..bytes.len()]
                    .copy_from_slice(bytes);
            }
            Kept::Registers(first) => {
                let bits = bytes.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte));
                self.registers[(first + leaf.slot) as usize] = bits & mask(leaf.bits);
            }
        }
    }
}

/// An argument of a launch. A parameter of struct type takes one for each of its scalars.
///
/// A parameter by value (`llvm.byval`) takes [`Arg::Bytes`]. That is how a tensor map of a buffer
/// is passed, to a kernel that declares `%map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>,
/// llvm.align = 64, nvvm.grid_constant}`. The map's address is that of the buffer,
/// [`Memory::address`], which fits the 57 bits of a map.
///
/// ```
/// use cute_arch::tensor_map::{MapElement, MapMode, MapSwizzle, TensorMap};
/// use cute_sim::{Arg, Memory};
///
/// let mut memory = Memory::new();
/// let tile = memory.upload(&[1.0f32; 64 * 32]);
/// let address = memory.address(tile).expect("the memory has the buffer");
/// let modes = vec![
///     MapMode { extent: 32, stride: 4, boxed: 32, step: 1 },
///     MapMode { extent: 64, stride: 128, boxed: 8, step: 1 },
/// ];
/// let map = TensorMap { swizzle: MapSwizzle::B128, ..TensorMap::new(MapElement::F32, address, modes) };
/// let words = map.words()?;
/// let argument = Arg::words(&words);
/// # assert!(matches!(argument, Arg::Bytes(bytes) if bytes.len() == 128));
/// # Ok::<(), cute_arch::tensor_map::Broken>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Arg {
    /// A pointer to the start of a buffer.
    Buffer(Buffer),
    /// A pointer to a byte of a buffer.
    BufferAt(Buffer, u64),
    /// The null pointer.
    Null,
    /// An `i1`.
    Bool(bool),
    /// An `i8`.
    I8(i8),
    /// An `i16`.
    I16(i16),
    /// An `i32`.
    I32(i32),
    /// An `i64`, or an `index`.
    I64(i64),
    /// An `f16`.
    F16(f16),
    /// A `bf16`.
    Bf16(bf16),
    /// An `f32`.
    F32(f32),
    /// An `f64`.
    F64(f64),
    /// The lowest bits of a word, for any type; for a pointer, an address of the memory.
    Bits(u64),
    /// A parameter by value: its bytes in memory. A `grid_constant` is at an address that is a
    /// multiple of 256.
    Bytes(Vec<u8>),
}

impl Arg {
    /// The bytes of words, lowest first: those of a tensor map.
    pub fn words(words: &[u64]) -> Self {
        Arg::Bytes(words.iter().flat_map(|word| word.to_le_bytes()).collect())
    }

    /// The register that holds the argument as this type.
    fn bits(&self, ty: Scalar, memory: &Memory) -> Option<u64> {
        Some(match (self, ty) {
            (Arg::Buffer(buffer), Scalar::Ptr(0 | GLOBAL)) => buffer_pointer(*buffer, 0, memory)?,
            (Arg::BufferAt(buffer, byte), Scalar::Ptr(0 | GLOBAL)) => buffer_pointer(*buffer, *byte, memory)?,
            // PTX does not say which numbers are addresses.
            (Arg::Buffer(buffer), Scalar::Int(64)) => buffer_pointer(*buffer, 0, memory)?,
            (Arg::BufferAt(buffer, byte), Scalar::Int(64)) => buffer_pointer(*buffer, *byte, memory)?,
            (Arg::Null, Scalar::Ptr(_) | Scalar::Int(64)) => 0,
            (Arg::Bool(v), Scalar::Int(1)) => (*v).into(),
            (Arg::I8(v), Scalar::Int(8)) => (*v as u8).into(),
            (Arg::I16(v), Scalar::Int(16)) => (*v as u16).into(),
            (Arg::I32(v), Scalar::Int(32)) => (*v as u32).into(),
            (Arg::I64(v), Scalar::Int(64)) => *v as u64,
            (Arg::F16(v), Scalar::F16) => v.to_bits().into(),
            (Arg::Bf16(v), Scalar::Bf16) => v.to_bits().into(),
            (Arg::F32(v), Scalar::F32) => v.to_bits().into(),
            (Arg::F64(v), Scalar::F64) => v.to_bits(),
            (Arg::Bits(word), Scalar::Ptr(_)) => *word,
            (Arg::Bits(word), ty) => *word & (u64::MAX >> (64 - ty.bits())),
            _ => return None,
        })
    }
}

impl Memory {
    /// The address of the buffer's first byte, as kernels see it; `None` for a buffer that this
    /// memory does not have.
    pub fn address(&self, buffer: Buffer) -> Option<u64> {
        buffer_pointer(buffer, 0, self)
    }
}

fn buffer_pointer(buffer: Buffer, byte: u64, memory: &Memory) -> Option<u64> {
    let bytes = memory.buffers.get(buffer.0 as usize)?;
    let start = match bytes.is_shared() {
        true => of_host(buffer.0)?,
        false => pointer(GLOBAL, buffer.0, 0),
    };
    (byte <= bytes.len() as u64).then(|| start + byte)
}
