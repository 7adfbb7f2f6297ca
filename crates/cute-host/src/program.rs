//! The steps of a host function: values, each defined once, and launches in order.

use std::collections::HashMap;

use cute_arch::tensor_map::TensorMap;
use cute_machine::place::SourcePlace;
use serde::{Deserialize, Serialize};

use crate::{
    arithmetic::{BinaryOp, Compare, Convert, UnaryOp},
    attribute::LaunchAttribute,
    types::Type,
};

/// A value of a program, by its number. The first are its parameters.
pub type Id = usize;

/// A launch configuration of a program, by its number.
pub type ConfigId = usize;

/// The source of a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepSource {
    /// The op's full name.
    pub op: String,
    /// The place in the source.
    pub location: SourcePlace,
}

/// A host function.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Program {
    /// The symbol of the host function.
    pub name: String,
    /// The number of values that the caller passes.
    pub parameters: usize,
    /// The type of each value.
    pub types: Vec<Type>,
    /// The attributes that each launch configuration has room for.
    pub configs: Vec<usize>,
    /// The kernels that it launches.
    pub kernels: Vec<Kernel>,
    /// The steps, in the order of the function's ops.
    pub body: Vec<Step>,
}

/// A kernel that is launched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kernel {
    /// The symbol of the kernel.
    pub name: String,
    /// Whether the kernel may use all the shared memory that the device has.
    pub opts_in_shared_memory: bool,
    /// Whether clusters may have more blocks than the portable limit.
    pub allows_large_clusters: bool,
}

/// A step of a program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Step {
    /// Makes a value.
    Let {
        /// Where the value is kept.
        result: Id,
        /// How the value is computed.
        what: Expr,
        /// The source of the step.
        site: StepSource,
    },
    /// Makes a descriptor of the TMA.
    Map {
        /// Where the descriptor is kept.
        result: Id,
        /// The template of the descriptor, with 0 for each number that follows here.
        of: Box<TensorMap>,
        /// The address of the tensor.
        address: Id,
        /// The extents of its modes.
        extents: Vec<Id>,
        /// The strides of its modes, in bytes.
        strides: Vec<Id>,
        /// The source of the step.
        site: StepSource,
    },
    /// Takes one of two branches.
    If {
        /// The first branch is taken if this is true.
        condition: Id,
        /// The two branches.
        ways: [Vec<Step>; 2],
        /// Results, with their values on each branch.
        results: Vec<(Id, [Id; 2])>,
        /// The source of the step.
        site: StepSource,
    },
    /// Begins a launch configuration, without attributes.
    Configure {
        /// The configuration.
        config: ConfigId,
        /// Blocks in x, y, z.
        grid: [Id; 3],
        /// Threads of a block in x, y, z.
        block: [Id; 3],
        /// Bytes of dynamic shared memory.
        shared: Id,
        /// The stream on which the kernel is launched.
        stream: Id,
        /// The source of the step.
        site: StepSource,
    },
    /// Sets an attribute of a configuration.
    Set {
        /// The configuration.
        config: ConfigId,
        /// The attribute to set, with its value.
        attribute: LaunchAttribute<Id>,
        /// The source of the step.
        site: StepSource,
    },
    /// Launches a kernel.
    Launch {
        /// The configuration.
        config: ConfigId,
        /// The kernel, by its number.
        kernel: usize,
        /// The leaves of its arguments.
        arguments: Vec<Id>,
        /// The code that the driver returns.
        result: Id,
        /// The source of the step.
        site: StepSource,
    },
    /// Returns a code unless it is 0.
    ReturnIfError {
        /// The status to check, a `cudaError_t`.
        code: Id,
        /// The source of the step.
        site: StepSource,
    },
    /// Ends the program.
    Return {
        /// The code; `None` stands for 0.
        code: Option<Id>,
        /// The source of the step.
        site: StepSource,
    },
}

/// A launch, as far as its numbers are constants of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConstantLaunch<'p> {
    /// The symbol of the kernel.
    pub kernel: &'p str,
    /// Threads of a block in x, y, z.
    pub block: Option<[u64; 3]>,
    /// Bytes of dynamic shared memory.
    pub shared: Option<u64>,
}

impl Program {
    /// Visits every step, outer before inner.
    pub fn walk<'p>(&'p self, visit: &mut impl FnMut(&'p Step)) {
        fn walk<'p>(steps: &'p [Step], visit: &mut impl FnMut(&'p Step)) {
            for step in steps {
                visit(step);
                if let Step::If { ways, .. } = step {
                    ways.iter().for_each(|way| walk(way, visit));
                }
            }
        }
        walk(&self.body, visit);
    }
}

impl Program {
    /// The launches, in order.
    pub fn constant_launches(&self) -> Vec<ConstantLaunch<'_>> {
        let (mut constants, mut configs, mut launches) = (HashMap::new(), HashMap::new(), Vec::new());
        self.walk(&mut |step| match step {
            Step::Let { result, what: Expr::Constant(value), .. } => {
                constants.insert(*result, *value);
            }
            Step::Let { result, what: Expr::Same(of), .. } => {
                let value = constants.get(of).copied();
                constants.extend(value.map(|value| (*result, value)));
            }
            Step::Configure { config, block, shared, .. } => {
                let known = |id: &Id| constants.get(id).copied();
                let block = known(&block[0]).zip(known(&block[1])).zip(known(&block[2]));
                configs.insert(*config, (block.map(|((x, y), z)| [x, y, z]), known(shared)));
            }
            Step::Launch { config, kernel, .. } => {
                let (block, shared) = configs.get(config).copied().unwrap_or_default();
                launches.push(ConstantLaunch { kernel: &self.kernels[*kernel].name, block, shared });
            }
            _ => {}
        });
        launches
    }
}

impl Step {
    /// The values that the step uses, without those of nested steps.
    pub fn uses(&self) -> Vec<Id> {
        match self {
            Self::Let { what, .. } => what.uses(),
            Self::Map { address, extents, strides, .. } => {
                std::iter::once(address).chain(extents).chain(strides).copied().collect()
            }
            Self::If { condition, results, .. } => {
                let yielded = results.iter().flat_map(|(_, each)| *each);
                std::iter::once(*condition).chain(yielded).collect()
            }
            Self::Configure { grid, block, shared, stream, .. } => {
                grid.iter().chain(block).chain([shared, stream]).copied().collect()
            }
            Self::Set { attribute, .. } => attribute.values(),
            Self::Launch { arguments, .. } => arguments.clone(),
            Self::ReturnIfError { code, .. } => vec![*code],
            Self::Return { code, .. } => code.iter().copied().collect(),
        }
    }
}

impl Expr {
    /// The values that the expression uses.
    pub fn uses(&self) -> Vec<Id> {
        match *self {
            Self::Constant(_) | Self::Undefined => Vec::new(),
            Self::Same(a) | Self::Unary(_, a) | Self::Convert(_, a) | Self::Offset { base: a, .. } => vec![a],
            Self::Binary(_, a, b) | Self::Compare(_, a, b) | Self::Element { base: a, index: b, .. } => {
                vec![a, b]
            }
            Self::Select(a, b, c) => vec![a, b, c],
        }
    }
}

/// An expression that defines a value.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Expr {
    /// These bits.
    Constant(u64),
    /// An undefined value; using it is an error.
    Undefined,
    /// The same bits as another type.
    Same(Id),
    /// An operation on one value.
    Unary(UnaryOp, Id),
    /// An operation on two values of one type.
    Binary(BinaryOp, Id, Id),
    /// Whether two values of one type compare like this.
    Compare(Compare, Id, Id),
    /// The second if the first is true, else the third.
    Select(Id, Id, Id),
    /// A conversion to another type.
    Convert(Convert, Id),
    /// An address plus a number of bytes.
    Offset {
        /// The address to which the offset is added.
        base: Id,
        /// The number of bytes, which may be negative.
        bytes: u64,
    },
    /// `base + index * bytes`.
    Element {
        /// The address to which the offset is added.
        base: Id,
        /// A signed integer.
        index: Id,
        /// The size of an element in bytes.
        bytes: u64,
    },
}
