//! Decodes IR to [`Program`]: every kernel once, with registers assigned and branches resolved.
//! Anything without a model is an error here, before anything runs.
//!
//! Blocks are decoded in the order of `order`, so a value's definition precedes its uses, and
//! unreachable blocks are omitted. Operations that only rename bits (`extractvalue`, `bitcast`,
//! `zext`) produce no instruction: their result is their operand's registers.

//!
//! ```
//! use cute_sim::{Arg, Launch, Memory};
//! use melior::{Context, dialect::DialectRegistry, ir::Module, utility::register_all_dialects};
//!
//! let registry = DialectRegistry::new();
//! register_all_dialects(&registry);
//! let context = Context::new();
//! context.append_dialect_registry(&registry);
//! context.load_all_available_dialects();
//! let module = Module::parse(
//!     &context,
//!     r#"
//!     gpu.module @kernels {
//!       llvm.func @double(%data: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
//!         %i = nvvm.read.ptx.sreg.tid.x : i32
//!         %p = llvm.getelementptr %data[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
//!         %x = llvm.load %p : !llvm.ptr<1> -> f32
//!         %y = llvm.fadd %x, %x : f32
//!         llvm.store %y, %p : f32, !llvm.ptr<1>
//!         llvm.return
//!       }
//!     }"#,
//! )
//! .expect("the module parses");
//!
//! let program = cute_decode::decode(module.as_operation())?;
//! let mut memory = Memory::new();
//! let data = memory.upload(&[1.0f32, 2.0, 3.0]);
//! let report = program.run(&Launch::new("double", [1, 1, 1], [3, 1, 1]), &mut memory, &[Arg::Buffer(data)])?;
//! assert_eq!(memory.download::<f32>(data), [2.0, 4.0, 6.0]);
//! assert_eq!(report.stats.loads, 3);
//!
//! // One thread too many.
//! let error = program.run(&Launch::new("double", [1, 1, 1], [4, 1, 1]), &mut memory, &[Arg::Buffer(data)]);
//! assert!(error.unwrap_err().to_string().contains("4 bytes at byte 12 of buffer 0, which has 12 bytes"));
//! # Ok::<(), cute_sim::Error>(())
//! ```

#![deny(missing_docs)]
#![forbid(unsafe_code)]

mod aggregate;
mod arithmetic;
mod assembly;
mod atomic;
mod call;
mod calls;
mod control;
mod coordinates;
mod fences;
mod globals;
pub mod host;
mod ir;
mod math;
mod memory;
mod named;
mod nvvm;
mod order;
mod place;
mod tensor;
mod wgmma;
mod wmma;

use calls::{Callee, Functions};
use cute_assembler::{Assembler, Held};
use cute_ffi::lowered::{COORDINATES_ATTRIBUTE, TIE_ATTRIBUTE};
use cute_machine::types::{Scalar, Type};
use cute_ptx::{llvm, mnemonics::Support};
use cute_sim::program::{Kernel, Op, Param, Program, Site, Slot};
use cute_sim::{Error, Malformed, Unmodelled};
use globals::Global;
use melior::ir::block::BlockLike;
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{BlockRef, RegionLike, Value, ValueLike};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt::Display;
use std::ops::{Deref, DerefMut};

/// Decodes the kernels (functions with `gpu.kernel` or `nvvm.kernel`) of a `gpu.module`, or of a
/// module that contains some, in the LLVM and NVVM dialects (and `arith`, `cf`).
///
/// # Errors
///
/// Returns [`Error::Unmodelled`] for the first operation, type or attribute in a kernel that the
/// machine does not support, and [`Error::Malformed`] for IR that its own verifier would reject.
pub fn decode(op: OperationRef<'_, '_>) -> Result<Program, Error> {
    let mut kernels = Vec::new();
    module(op, &mut kernels)?;
    Ok(Program { kernels })
}

/// Decodes the kernels right below `op` and in the modules below it.
fn module(op: OperationRef<'_, '_>, kernels: &mut Vec<Kernel>) -> Result<(), Error> {
    let below: Vec<_> = op.regions().flat_map(blocks).flat_map(operations).collect();
    let globals: Vec<Global> = below.iter().filter_map(|op| Global::read(*op)).collect();
    let functions: Functions<'_, '_> = below.iter().filter_map(|op| calls::function(*op)).collect();
    for child in below {
        if ir::is_kernel(child) {
            let kernel = Decoder::kernel(child, &globals, &functions)?;
            if kernels.iter().any(|k| k.name == kernel.name) {
                return Err(malformed(
                    child,
                    Malformed::SecondName,
                    format!("a second kernel named `{}`", kernel.name),
                ));
            }
            kernels.push(kernel);
        } else if ir::is_symbol_table(child) {
            module(child, kernels)?;
        }
    }
    Ok(())
}

fn blocks<'c: 'a, 'a>(region: melior::ir::RegionRef<'c, 'a>) -> impl Iterator<Item = BlockRef<'c, 'a>> {
    std::iter::successors(region.first_block(), |b| b.next_in_region())
}

fn operations<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> impl Iterator<Item = OperationRef<'c, 'a>> {
    std::iter::successors(block.first_operation(), |op| op.next_in_block())
}

fn unmodelled(op: OperationRef<'_, '_>, rule: Unmodelled, what: impl Display) -> Error {
    Error::Unmodelled {
        op: ir::name(op),
        location: place::place(op.location()),
        rule,
        what: what.to_string(),
    }
}

fn malformed(op: OperationRef<'_, '_>, rule: Malformed, what: impl Display) -> Error {
    Error::Malformed { op: ir::name(op), location: place::place(op.location()), rule, what: what.to_string() }
}

fn site(op: OperationRef<'_, '_>) -> Site {
    Site { op: ir::name(op).into(), location: place::place(op.location()) }
}

/// The decoder of one kernel.
struct Decoder<'g> {
    assembler: Assembler,
    globals: &'g [Global],
    values: HashMap<usize, Held>,
    block_numbers: HashMap<usize, u32>,
    /// Pointers of globals, by name.
    addresses: HashMap<String, u64>,
    /// Device functions that the kernel calls, by name.
    callees: HashMap<String, Callee>,
    /// Whether a device function is being decoded.
    inside: bool,
    places: place::Places,
    /// The values that the kernel itself uses, if there are marks beside it.
    used: Option<HashSet<usize>>,
    uncounted: BTreeSet<u32>,
}

impl Deref for Decoder<'_> {
    type Target = Assembler;

    fn deref(&self) -> &Assembler {
        &self.assembler
    }
}

impl DerefMut for Decoder<'_> {
    fn deref_mut(&mut self) -> &mut Assembler {
        &mut self.assembler
    }
}

impl<'g> Decoder<'g> {
    fn kernel(
        function: OperationRef<'_, '_>,
        globals: &'g [Global],
        functions: &Functions<'_, '_>,
    ) -> Result<Kernel, Error> {
        let name = ir::str_attr(function, "sym_name")
            .ok_or_else(|| malformed(function, Malformed::Attribute, "no name"))?;
        let body: Vec<BlockRef> = function.regions().flat_map(blocks).collect();
        let Some(&entry) = body.first() else {
            return Err(malformed(function, Malformed::Structure, "a kernel without a body"));
        };
        let mut decoder = Decoder {
            assembler: Assembler::default(),
            globals,
            values: HashMap::new(),
            block_numbers: HashMap::new(),
            addresses: HashMap::new(),
            callees: HashMap::new(),
            inside: false,
            places: place::Places::default(),
            used: None,
            uncounted: BTreeSet::new(),
        };
        let called = calls::called(&body, functions);
        let all: Vec<_> = called.iter().flat_map(|(_, f)| f.regions().flat_map(blocks)).collect();
        decoder.used = coordinates::used(all.iter().chain(&body).flat_map(|block| operations(*block)));
        decoder.place_shared(function, &[all, body.clone()].concat())?;
        decoder.callees(&called)?;
        let start = decoder.code.len() as u32;
        decoder.arguments(function, &body)?;
        let params = decoder.params(function, entry)?;
        decoder.body(function, &body)?;
        Ok(Kernel {
            required_block: dimensions(function, &["nvvm.reqntid", "gpu.known_block_size"])?,
            required_cluster: dimensions(function, &["nvvm.cluster_dim", "gpu.known_cluster_size"])?,
            min_blocks: number(function, "nvvm.minctasm")?,
            registers_at_launch: number(function, "nvvm.maxnreg")?,
            max_threads: dimensions(function, &["nvvm.maxntid"])?
                .map(|n| n.iter().fold(1u64, |n, d| n.saturating_mul(u64::from(*d)))),
            uncounted: decoder.uncounted,
            ..decoder.assembler.kernel(name, start, params)
        })
    }

    /// Registers for the arguments of all blocks.
    fn arguments(&mut self, function: OperationRef<'_, '_>, body: &[BlockRef<'_, '_>]) -> Result<(), Error> {
        for block in body {
            for i in 0..block.argument_count() {
                let argument = block
                    .argument(i)
                    .map_err(|e| malformed(function, Malformed::Structure, e.to_string()))?;
                self.define(function, argument.into())?;
            }
        }
        Ok(())
    }

    fn params(
        &mut self,
        function: OperationRef<'_, '_>,
        entry: BlockRef<'_, '_>,
    ) -> Result<Vec<Param>, Error> {
        let mut params = Vec::new();
        for i in 0..entry.argument_count() {
            let argument =
                entry.argument(i).map_err(|e| malformed(function, Malformed::Structure, e.to_string()))?;
            let held = self.held(function, argument.into())?;
            if let Some(ty) = ir::by_value(function, i) {
                let ty = ty.map_err(|what| unmodelled(function, Unmodelled::Type, what))?;
                params.push(self.by_value(function, i, held, &ty)?);
                continue;
            }
            let scalars = held.ty.scalars().into_iter().zip(held.slot..);
            params.extend(scalars.map(|(scalar, slot)| Param::Scalar { scalar, slot }));
        }
        Ok(params)
    }

    /// All blocks that the entry, the first one, reaches.
    fn body(&mut self, function: OperationRef<'_, '_>, blocks: &[BlockRef<'_, '_>]) -> Result<(), Error> {
        self.block_numbers = blocks.iter().zip(0..).map(|(b, n)| (ir::block_key(*b), n)).collect();
        let first_edge = self.edges.len();
        let number = |b: BlockRef<'_, '_>| Some(*self.block_numbers.get(&ir::block_key(b))? as usize);
        let successors: Vec<Vec<usize>> = blocks
            .iter()
            .map(|b| {
                operations(*b).flat_map(|op| op.successors().collect::<Vec<_>>()).filter_map(number).collect()
            })
            .collect();
        let mut starts = vec![0; blocks.len()];
        for block in order::order(&successors) {
            starts[block] = self.code.len() as u32;
            for op in operations(blocks[block]) {
                self.operation(op)?;
            }
            if !self.code.last().is_some_and(Op::is_terminator) {
                return Err(malformed(function, Malformed::Structure, "a block without a terminator"));
            }
        }
        self.resolve(first_edge, &starts);
        Ok(())
    }

    fn operation(&mut self, op: OperationRef<'_, '_>) -> Result<(), Error> {
        let first = self.code.len() as u32;
        self.decoded(op)?;
        if self.used.as_ref().is_some_and(|used| !coordinates::is_used(op, used)) {
            let end = self.code.len() as u32;
            self.uncounted.extend(first..end);
        }
        Ok(())
    }

    fn decoded(&mut self, op: OperationRef<'_, '_>) -> Result<(), Error> {
        // A tie stands for no instruction.
        if op.has_attribute(TIE_ATTRIBUTE) {
            return Ok(());
        }
        if let Some(text) = ir::str_attr(op, COORDINATES_ATTRIBUTE) {
            return self.coordinates(op, &text);
        }
        let name = ir::name(op);
        let known = self.arithmetic(&name, op)?
            || self.aggregate(&name, op)?
            || self.memory(&name, op)?
            || self.control(&name, op)?
            || self.atomic(&name, op)?
            || self.tensor(&name, op)?
            || self.named(&name, op)?
            || self.nvvm(&name, op)?;
        if known {
            return Ok(());
        }
        Err(match name.strip_prefix("nvvm.").and_then(llvm::op) {
            Some(Support::Refused(reason)) => {
                unmodelled(op, Unmodelled::Instruction, format!("the operation ({reason})"))
            }
            _ => unmodelled(op, Unmodelled::Unknown, "the operation"),
        })
    }

    fn emit(&mut self, op: OperationRef<'_, '_>, instruction: impl Into<Op>) {
        let site = self.places.site(op);
        self.assembler.push(site, instruction);
    }

    /// Registers for a value that an instruction writes.
    fn define(&mut self, op: OperationRef<'_, '_>, value: Value<'_, '_>) -> Result<Held, Error> {
        let ty = ir::machine_type(value.r#type()).map_err(|what| unmodelled(op, Unmodelled::Type, what))?;
        let slot = self.allocate(op, &ty)?;
        let held = Held { slot, ty };
        self.values.insert(ir::value_key(value), held.clone());
        Ok(held)
    }

    fn allocate(&mut self, op: OperationRef<'_, '_>, ty: &Type) -> Result<Slot, Error> {
        self.assembler.reserve(ty).map_err(|what| unmodelled(op, Unmodelled::Size, what))
    }

    /// Registers for the operation's only result.
    fn result(&mut self, op: OperationRef<'_, '_>) -> Result<Held, Error> {
        let value = self.result_value(op)?;
        self.define(op, value)
    }

    /// Registers for all results.
    fn results(&mut self, op: OperationRef<'_, '_>) -> Result<Vec<Held>, Error> {
        let values = (0..op.result_count())
            .map(|i| op.result(i).map_err(|e| malformed(op, Malformed::Structure, e.to_string())));
        values.map(|value| self.define(op, value?.into())).collect()
    }

    fn result_value<'c: 'a, 'a>(&self, op: OperationRef<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        if op.result_count() != 1 {
            return Err(malformed(
                op,
                Malformed::OperandCount,
                format!("{} results for 1", op.result_count()),
            ));
        }
        Ok(op.result(0).map_err(|e| malformed(op, Malformed::Structure, e.to_string()))?.into())
    }

    fn result_type(&self, op: OperationRef<'_, '_>) -> Result<Type, Error> {
        ir::machine_type(self.result_value(op)?.r#type())
            .map_err(|what| unmodelled(op, Unmodelled::Type, what))
    }

    /// The result is already in these registers.
    fn alias(&mut self, op: OperationRef<'_, '_>, slot: Slot) -> Result<(), Error> {
        let ty = self.result_type(op)?;
        let value = self.result_value(op)?;
        self.values.insert(ir::value_key(value), Held { slot, ty });
        Ok(())
    }

    fn held(&self, op: OperationRef<'_, '_>, value: Value<'_, '_>) -> Result<Held, Error> {
        let held = self.values.get(&ir::value_key(value)).cloned();
        held.ok_or_else(|| malformed(op, Malformed::Structure, "an operand is used before it is defined"))
    }

    fn operand(&self, op: OperationRef<'_, '_>, index: usize) -> Result<Held, Error> {
        let value = op
            .operand(index)
            .map_err(|_| malformed(op, Malformed::OperandCount, format!("no operand {index}")))?;
        self.held(op, value)
    }

    /// The only slot of a scalar operand.
    fn scalar_operand(&self, op: OperationRef<'_, '_>, index: usize) -> Result<(Slot, Scalar), Error> {
        match self.operand(op, index)? {
            Held { slot, ty: Type::Scalar(scalar) } => Ok((slot, scalar)),
            Held { ty, .. } => {
                Err(unmodelled(op, Unmodelled::Operand, format!("operand {index} of type {ty:?}")))
            }
        }
    }

    /// Registers that hold these bits from the start.
    fn constant(&mut self, op: OperationRef<'_, '_>, bits: Vec<u64>) -> Result<Slot, Error> {
        self.assembler.hold(bits).map_err(|what| unmodelled(op, Unmodelled::Size, what))
    }
}

/// A positive number in an attribute of a function.
fn number(function: OperationRef<'_, '_>, name: &str) -> Result<Option<u32>, Error> {
    if !function.has_attribute(name) {
        return Ok(None);
    }
    let given = ir::int_attr(function, name).and_then(|n| u32::try_from(n).ok()).filter(|n| *n > 0);
    let bad = || {
        malformed(
            function,
            Malformed::Attribute,
            format!("an attribute {name} that is not a positive number"),
        )
    };
    given.map(Some).ok_or_else(bad)
}

/// The first of some attributes that a function has, completed with missing dimensions.
fn dimensions(function: OperationRef<'_, '_>, names: &[&str]) -> Result<Option<[u32; 3]>, Error> {
    let Some(name) = names.iter().find(|name| function.has_attribute(name)) else { return Ok(None) };
    let bad = || {
        malformed(
            function,
            Malformed::Attribute,
            format!("an attribute {name} that is not one to three positive numbers"),
        )
    };
    let given = ir::ints_attr(function, name).filter(|n| n.len() <= 3).ok_or_else(bad)?;
    let mut all = [1; 3];
    for (extent, given) in all.iter_mut().zip(given) {
        *extent = u32::try_from(given).ok().filter(|n| *n > 0).ok_or_else(bad)?;
    }
    Ok(Some(all))
}
