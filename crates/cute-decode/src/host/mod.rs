//! Decodes host functions to programs of `cute-host`. An op that a host function must not contain
//! gets a diagnostic.

mod arithmetic;
mod map;

use std::collections::HashMap;

use crate::place::place;
use cute_ffi::{
    Severity,
    ir::{self, op_name},
    lowered::{MachineType, machine_type},
    ops::HostOp,
};
use melior::ir::{
    Attribute as MlirAttribute, AttributeLike, BlockLike, BlockRef, RegionLike, Type as MlirType, Value,
    attribute::{BoolAttribute, IntegerAttribute},
    operation::{OperationLike, OperationRef},
};

use cute_host::{
    attribute::LaunchAttribute,
    program::{ConfigId, Expr, Id, Kernel, Program, Step, StepSource},
    types::Type,
};

cute_rules::rules! {
    /// The rules of host functions.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum HostRule {
        /// The op is not one of a host function.
        Unsupported = "host-unsupported": "A host function only uses and passes machine integers, floats, addresses and \
            descriptors, with operations that its interpreter has.",
            "'..' op .. not supported in a host function", "Compute the value in another way, or pass it as an argument.";
    }
}

/// There is no program; the reason was reported to the context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reported;

type Decoded<T> = Result<T, Reported>;
type Op<'c, 'a> = OperationRef<'c, 'a>;

/// The program of a function that only uses and passes machine integers, floats and addresses.
///
/// # Errors
/// [`Reported`], after a diagnostic.
pub fn program(function: OperationRef<'_, '_>) -> Result<Program, Reported> {
    let Some(body) = ir::body(function) else { return Err(fail(function, "has no body")) };
    let mut decoder = Decoder {
        program: Program {
            name: ir::symbol_name(function).unwrap_or_default().to_owned(),
            parameters: 0,
            types: Vec::new(),
            configs: Vec::new(),
            kernels: Vec::new(),
            body: Vec::new(),
        },
        values: HashMap::new(),
        configs: HashMap::new(),
    };
    while let Some(argument) = ir::block_argument(function, decoder.program.parameters) {
        let id = decoder.define(function, argument)?;
        decoder.program.parameters += 1;
        // A program only knows the bytes of a vector, all of which are 0.
        if let Type::Zeros(_) = decoder.program.types[id] {
            let why = "has a vector as a parameter, which is not supported: a host function can only pass vectors of \
                       zeros, which are constants";
            return Err(fail(function, why));
        }
    }
    decoder.program.body = decoder.block(function, body)?;
    Ok(decoder.program)
}

/// Reports why an op is not allowed in a program.
fn fail(op: Op<'_, '_>, why: &str) -> Reported {
    cute_ffi::emit(ir::location(op), Severity::Error, &format!("'{}' op {why}", op_name(op)), &[]);
    Reported
}

fn site(op: Op<'_, '_>) -> StepSource {
    StepSource { op: op_name(op).to_owned(), location: place(ir::location(op)) }
}

/// The state while a function is decoded to a program.
struct Decoder {
    program: Program,
    values: HashMap<usize, Id>,
    configs: HashMap<usize, ConfigId>,
}

impl Decoder {
    /// The steps of a block. The block must be the only one of its region.
    fn block(&mut self, parent: Op<'_, '_>, block: BlockRef<'_, '_>) -> Decoded<Vec<Step>> {
        let blocks = parent
            .regions()
            .map(|region| std::iter::successors(region.first_block(), |b| b.next_in_region()).count());
        if blocks.max() > Some(1) {
            return Err(fail(parent, "branches between blocks, which is not supported in a host function"));
        }
        let mut steps = Vec::new();
        for op in ir::ops(block) {
            self.op(op, &mut steps)?;
        }
        Ok(steps)
    }

    fn op(&mut self, op: Op<'_, '_>, steps: &mut Vec<Step>) -> Decoded<()> {
        if let Some(kind) = HostOp::from_name(op_name(op)) {
            return self.host(kind, op, steps);
        }
        match op_name(op) {
            "scf.if" => steps.push(self.branch(op)?),
            // The enclosing op reads it.
            "scf.yield" => {}
            "func.return" => {
                let code = ir::operands(op).first().map(|code| self.value(op, *code)).transpose()?;
                steps.push(Step::Return { code, site: site(op) });
            }
            // It states a fact that holds anyway.
            "llvm.intr.assume" => {}
            name => {
                let Some(what) = self.expression(name, op)? else {
                    return Err(fail(op, "is not supported in a host function"));
                };
                self.make(op, what, steps)?;
            }
        }
        Ok(())
    }

    fn host(&mut self, kind: HostOp, op: Op<'_, '_>, steps: &mut Vec<Step>) -> Decoded<()> {
        let operands = ir::operands(op);
        let site = site(op);
        match kind {
            HostOp::LaunchCfgCreate => {
                let ids = operands.iter().map(|v| self.value(op, *v)).collect::<Decoded<Vec<_>>>()?;
                let [bx, by, bz, shared, gx, gy, gz, stream] = ids[..] else {
                    return Err(fail(op, "has eight operands"));
                };
                let made = ir::result(op, 0).expect("MLIR has verified that it makes a configuration");
                let room = ir::max_launch_attributes(ir::type_of(made)).unwrap_or(0);
                let config = self.program.configs.len();
                self.program.configs.push(room as usize);
                self.configs.insert(ir::identity(made), config);
                let (grid, block) = ([gx, gy, gz], [bx, by, bz]);
                steps.push(Step::Configure { config, grid, block, shared, stream, site });
            }
            HostOp::LaunchCfgClusterDim
            | HostOp::LaunchCfgPreferredClusterDim
            | HostOp::LaunchCfgProgrammatic
            | HostOp::LaunchCfgCooperative
            | HostOp::LaunchCfgCompletionEvent
            | HostOp::LaunchCfgProgrammaticEvent => {
                let config = self.config(op)?;
                let given = operands[1..].iter().map(|v| self.value(op, *v)).collect::<Decoded<Vec<_>>>()?;
                let attribute = match (kind, &given[..]) {
                    (HostOp::LaunchCfgClusterDim, [x, y, z]) => LaunchAttribute::Cluster([*x, *y, *z]),
                    (HostOp::LaunchCfgPreferredClusterDim, [x, y, z]) => {
                        LaunchAttribute::PreferredCluster([*x, *y, *z])
                    }
                    (HostOp::LaunchCfgProgrammatic, [flag]) => LaunchAttribute::Programmatic(*flag),
                    (HostOp::LaunchCfgCooperative, [flag]) => LaunchAttribute::Cooperative(*flag),
                    (HostOp::LaunchCfgCompletionEvent, [event, flags]) => {
                        LaunchAttribute::CompletionEvent { event: *event, flags: *flags }
                    }
                    (HostOp::LaunchCfgProgrammaticEvent, [event, flags, at_start]) => {
                        LaunchAttribute::ProgrammaticEvent {
                            event: *event,
                            flags: *flags,
                            at_start: *at_start,
                        }
                    }
                    _ => return Err(fail(op, "has other operands than MLIR verifies")),
                };
                steps.push(Step::Set { config, attribute, site });
            }
            HostOp::LaunchEx => {
                let config = self.config(op)?;
                let kernel = self.kernel(op)?;
                let arguments = operands[1..].iter().map(|v| self.known(op, *v)).collect::<Decoded<_>>()?;
                let result = ir::result(op, 0).expect("MLIR has verified that it has a result");
                let result = self.define(op, result)?;
                steps.push(Step::Launch { config, kernel, arguments, result, site });
            }
            HostOp::TensorMap => steps.push(self.map(op)?),
            HostOp::Cast => {
                let from = self.value(op, operands[0])?;
                self.make(op, Expr::Same(from), steps)?;
            }
            HostOp::ReturnIfError => {
                let code = self.value(op, operands[0])?;
                steps.push(Step::ReturnIfError { code, site });
            }
            HostOp::Kernel | HostOp::Return => return Err(fail(op, "is not part of a host function")),
        }
        Ok(())
    }

    /// `scf.if`.
    fn branch(&mut self, op: Op<'_, '_>) -> Decoded<Step> {
        let condition = self.value(op, ir::operands(op)[0])?;
        let mut ways = [Vec::new(), Vec::new()];
        let mut yielded = [Vec::new(), Vec::new()];
        for (i, region) in op.regions().enumerate().take(2) {
            let Some(block) = region.first_block() else { continue };
            ways[i] = self.block(op, block)?;
            if let Some(end) = block.terminator() {
                let values = ir::operands(end);
                yielded[i] = values.into_iter().map(|v| self.known(end, v)).collect::<Decoded<_>>()?;
            }
        }
        let [yes, no] = yielded;
        let mut results = Vec::new();
        for (i, (yes, no)) in yes.into_iter().zip(no).enumerate() {
            let result = ir::result(op, i).expect("MLIR has verified that it has the results that it yields");
            let id = self.define(op, result)?;
            let is_map = [yes, no].map(|id| self.program.types[id] == Type::TensorMap);
            match is_map {
                [true, true] => self.program.types[id] = Type::TensorMap,
                [false, false] => {}
                _ => return Err(fail(op, "yields a descriptor on one branch only, which is not supported")),
            }
            results.push((id, [yes, no]));
        }
        Ok(Step::If { condition, ways, results, site: site(op) })
    }

    /// Records the expression for the only result of an op.
    fn make(&mut self, op: Op<'_, '_>, what: Expr, steps: &mut Vec<Step>) -> Decoded<()> {
        let Some(result) = ir::result(op, 0) else { return Err(fail(op, "has no result")) };
        let result = self.define(op, result)?;
        steps.push(Step::Let { result, what, site: site(op) });
        Ok(())
    }

    fn define(&mut self, op: Op<'_, '_>, value: Value<'_, '_>) -> Decoded<Id> {
        let t = self.type_of(op, value)?;
        let id = self.program.types.len();
        self.program.types.push(t);
        self.values.insert(ir::identity(value), id);
        Ok(id)
    }

    fn type_of(&self, op: Op<'_, '_>, value: Value<'_, '_>) -> Decoded<Type> {
        let t = ir::type_of(value);
        machine(t).ok_or_else(|| {
            fail(op, &format!("has a value of type {t}, which is not supported in a host function"))
        })
    }

    /// The number of a value that is an operand of an op.
    fn known(&self, op: Op<'_, '_>, value: Value<'_, '_>) -> Decoded<Id> {
        let known = self.values.get(&ir::identity(value)).copied();
        known.ok_or_else(|| fail(op, "is given a value that is not supported in a host function"))
    }

    /// Like `known`, for an op that computes with the value.
    fn value(&self, op: Op<'_, '_>, value: Value<'_, '_>) -> Decoded<Id> {
        let id = self.known(op, value)?;
        match self.program.types[id] {
            Type::TensorMap => Err(fail(op, "is given a descriptor, which can only be passed to kernels")),
            Type::Zeros(_) => Err(fail(op, "is given a vector, which can only be passed to kernels")),
            _ => Ok(id),
        }
    }

    /// The configuration that is an op's first operand.
    fn config(&self, op: Op<'_, '_>) -> Decoded<ConfigId> {
        let given = ir::operands(op).first().and_then(|v| self.configs.get(&ir::identity(*v)).copied());
        given.ok_or_else(|| fail(op, "must be given the result of cuda.launch_cfg.create"))
    }

    /// The kernel that a launch names.
    fn kernel(&mut self, launch: Op<'_, '_>) -> Decoded<usize> {
        let callee = launch.attribute("callee").ok().and_then(|callee| ir::resolve(launch, callee));
        let Some(callee) = callee else {
            return Err(fail(launch, "launches a kernel that is not in this module"));
        };
        let driver = callee.attribute("cu_attrs").ok();
        let entry = |name: &str| driver.and_then(|all| ir::dictionary_get(all, name));
        let kernel = Kernel {
            name: ir::symbol_name(callee).unwrap_or_default().to_owned(),
            opts_in_shared_memory: entry("max_dynamic_shared_size_bytes").is_some(),
            allows_large_clusters: entry("non_portable_cluster_size_allowed")
                .and_then(integer)
                .is_some_and(|n| n != 0),
        };
        let known = self.program.kernels.iter().position(|k| k.name == kernel.name);
        Ok(known.unwrap_or_else(|| {
            self.program.kernels.push(kernel);
            self.program.kernels.len() - 1
        }))
    }
}

/// The machine type for a type of the IR.
fn machine(t: MlirType<'_>) -> Option<Type> {
    if ir::is_cuda_type(t, "stream") {
        return Some(Type::Stream);
    }
    if ir::is_cuda_type(t, "event") {
        return Some(Type::Event);
    }
    if ir::is_cuda_type(t, "result") {
        return Some(Type::Status);
    }
    Some(match machine_type(t)? {
        MachineType::Integer(bits @ (1 | 8 | 16 | 32 | 64)) => Type::Int(bits),
        MachineType::Index => Type::Int(64),
        MachineType::F16 => Type::F16,
        MachineType::Bf16 => Type::Bf16,
        MachineType::F32 => Type::F32,
        MachineType::F64 => Type::F64,
        MachineType::Pointer(_) => Type::Address,
        MachineType::Vector(count, element) => match machine(element)? {
            Type::Int(32) if 4 * count <= Type::MOST_ZEROS => Type::Zeros(4 * count),
            _ => return None,
        },
        _ => return None,
    })
}

/// The number in an attribute that holds one, with its machine type.
fn integer(a: MlirAttribute<'_>) -> Option<i64> {
    if let Ok(flag) = BoolAttribute::try_from(a) {
        return Some(flag.value().into());
    }
    // A wider integer does not fit 64 bits.
    let number = IntegerAttribute::try_from(a).ok()?;
    machine(number.r#type()).map(|_| number.value())
}
