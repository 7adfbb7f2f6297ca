//! Kernels and host functions as a launch sees them.

use serde::{Deserialize, Serialize};

use crate::{
    argument::{self, Argument},
    expected::Expected,
    role::{Promise, Role},
};

/// The kernels of one PTX or cubin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of the compiler, such as `0.1.0`. Versions that agree in their first number that
    /// is not 0 only add fields.
    pub version: String,
    /// The GPU that the code is for, such as `sm_90a`.
    pub target: String,
    /// Every entry point.
    pub kernels: Vec<Kernel>,
}

/// An entry point. Sizes of a launch are x, y, z.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kernel {
    /// Name of the entry point.
    pub name: String,
    /// The arguments that the source declares. Each is passed as one parameter, several, or none.
    pub arguments: Vec<Argument>,
    /// The parameters, in the order in which the launch passes them.
    pub parameters: Vec<Parameter>,
    /// Shared memory of a block.
    pub shared_memory: SharedMemory,
    /// Threads per block, if the kernel requires a number (`nvvm.reqntid`, or `known_block_size` of
    /// `gpu.func`).
    pub block: Option<[i32; 3]>,
    /// The maximum threads per block (`nvvm.maxntid`).
    pub max_block: Option<[i32; 3]>,
    /// Blocks of a cluster (`nvvm.cluster_dim`).
    pub cluster: Option<[i32; 3]>,
    /// Whether a launch gives the grid in clusters (`.blocksareclusters` of PTX).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub grid_of_clusters: bool,
    /// Extents that must be equal, and the number of blocks.
    #[serde(default, skip_serializing_if = "Expected::is_empty")]
    pub expected: Expected,
}

/// A kernel parameter in PTX's layout of parameters: each begins at the next multiple of its
/// alignment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parameter {
    /// The name in PTX.
    pub name: String,
    /// Type in the `llvm` dialect.
    pub r#type: String,
    /// Its size in bytes.
    pub width: u64,
    /// Offset in bytes from the start of parameter space, or of the buffer of
    /// `CU_LAUNCH_PARAM_BUFFER_POINTER`.
    pub offset: u64,
    /// Alignment of the offset in bytes.
    pub alignment: u64,
    /// `pointer`; a scalar's type (`i32`, `f16`, ...); `struct`; `descriptor`, for a TMA descriptor
    /// passed by value; or `bytes`, for vectors and everything else that is passed by value.
    pub kind: String,
    /// The argument to which it belongs.
    pub argument: String,
    /// The part of the argument that it holds.
    #[serde(flatten)]
    pub holds: Holds,
}

/// The part of an argument that a parameter holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Holds {
    /// A single scalar.
    One(Leaf),
    /// All leaves, in a struct.
    Struct {
        /// The fields in order of their offsets.
        fields: Vec<Field>,
    },
}

/// A field of a parameter that is a struct.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// Type in the `llvm` dialect.
    pub r#type: String,
    /// Its size in bytes.
    pub width: u64,
    /// Offset in bytes from the start of the parameter.
    pub offset: u64,
    /// The kind, as for a parameter.
    pub kind: String,
    /// The scalar at this offset.
    #[serde(flatten)]
    pub leaf: Leaf,
}

/// A value that is passed at run time: an argument as a whole, or a part of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leaf {
    /// The part of the argument: `value` for the argument itself, otherwise `pointer`, `extent`,
    /// `stride` and so on.
    pub leaf: String,
    /// The mode path of an extent or stride.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mode: Vec<usize>,
    /// The type of the elements at the address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub element: Option<String>,
    /// The alignment of the address in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub align: Option<i64>,
    /// The number of which the integer must be a multiple.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub multiple_of: Option<i64>,
    /// The number of bits of an element at the address.
    #[serde(skip)]
    pub bits: Option<u32>,
    /// The properties that the argument's type guarantees.
    #[serde(skip)]
    pub promises: Vec<Promise>,
    /// Its text in messages: `parameter 'src': the stride of mode 0`.
    #[serde(skip)]
    pub text: String,
}

/// A leaf, and the place where a launch passes it.
#[derive(Debug, Clone, Default)]
pub struct Passed {
    /// The number of its parameter.
    pub parameter: usize,
    /// Offset in bytes from the start of the parameter.
    pub offset: u64,
    /// Its size in bytes.
    pub width: u64,
    /// Type in the `llvm` dialect.
    pub r#type: String,
    /// The kind, as for a parameter.
    pub kind: String,
    /// The argument to which it belongs.
    pub argument: String,
    /// The scalar that is passed.
    pub leaf: Leaf,
}

impl Kernel {
    /// The leaves that a launch passes, argument by argument and depth first in each. The order
    /// does not depend on the ABI.
    pub fn leaves(&self) -> Vec<Passed> {
        passed(&self.parameters)
    }

    /// The bytes of each parameter, made from the words of each of [`Self::leaves`]: one word per 8
    /// bytes, rounded up. Padding between fields is 0.
    pub fn pack(&self, words: &[u64]) -> Vec<Vec<u8>> {
        let mut bytes: Vec<_> = self.parameters.iter().map(|p| vec![0; p.width as usize]).collect();
        let mut words = words.iter();
        for passed in self.leaves() {
            let room = &mut bytes[passed.parameter][passed.offset as usize..][..passed.width as usize];
            for (to, word) in room.chunks_mut(8).zip(&mut words) {
                to.copy_from_slice(&word.to_le_bytes()[..to.len()]);
            }
        }
        bytes
    }
}

impl Parameter {
    fn leaves(&self, parameter: usize) -> Vec<Passed> {
        let passed = |offset, width, r#type: &str, kind: &str, leaf: &Leaf| Passed {
            parameter,
            offset,
            width,
            r#type: r#type.into(),
            kind: kind.into(),
            argument: self.argument.clone(),
            leaf: leaf.clone(),
        };
        match &self.holds {
            Holds::One(leaf) => vec![passed(0, self.width, &self.r#type, &self.kind, leaf)],
            Holds::Struct { fields } => {
                let fields = fields.iter();
                fields.map(|f| passed(f.offset, f.width, &f.r#type, &f.kind, &f.leaf)).collect()
            }
        }
    }
}

/// Shared memory of a block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedMemory {
    /// The number of bytes that the kernel declares, including alignment.
    pub r#static: u64,
    /// Whether the launch decides on an additional amount.
    pub dynamic: bool,
    /// The number of bytes that the launch must provide, if the kernel states it
    /// (`cute.dynamic_shared_memory`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dynamic_size: Option<u64>,
    /// The variables that the kernel declares.
    #[serde(skip)]
    pub parts: Vec<SharedPart>,
}

/// A variable in shared memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedPart {
    /// The symbol of the global that holds this part.
    pub symbol: String,
    /// Its size in bytes; 0 for dynamic shared memory.
    pub size: u64,
}

impl Leaf {
    /// A leaf of an argument, as a parameter holds it.
    pub fn of(argument: &Argument, leaf: &argument::Leaf) -> Self {
        let is_pointer = leaf.role == Role::Pointer;
        let multiple = leaf.promises.iter().find_map(|p| match p {
            Promise::MultipleOf(n) => Some(*n),
            Promise::Positive => None,
        });
        let (align, multiple_of) = if is_pointer { (multiple, None) } else { (None, multiple) };
        Self {
            leaf: leaf.role.name().into(),
            mode: leaf.mode.clone(),
            element: argument.element.clone().filter(|_| is_pointer),
            align,
            multiple_of,
            bits: argument.bits,
            promises: leaf.promises.clone(),
            text: match leaf.role {
                Role::Value => format!("parameter '{}'", argument.name),
                _ => format!("parameter '{}': {}", argument.name, leaf.text),
            },
        }
    }
}

impl Manifest {
    /// JSON, ending in a new line.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("texts and numbers have a form in JSON");
        text.push('\n');
        text
    }
}

/// A function that launches kernels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Function {
    /// Its symbol.
    pub name: String,
    /// The arguments that the source declares.
    pub arguments: Vec<Argument>,
    /// The values that it is passed, one for each leaf.
    pub parameters: Vec<Parameter>,
    /// Extents that must be equal.
    #[serde(default, skip_serializing_if = "Expected::is_empty")]
    pub expected: Expected,
}

impl Function {
    /// The function of this name with these arguments.
    pub fn new(name: String, arguments: Vec<Argument>, expected: Expected) -> Self {
        let leaves = arguments.iter().flat_map(|a| a.leaves.iter().map(move |leaf| (a, leaf)));
        let parameter = |(argument, leaf): (&Argument, &argument::Leaf)| Parameter {
            name: name_of(argument, leaf),
            r#type: leaf.kind.clone(),
            width: width(&leaf.kind),
            offset: 0,
            alignment: width(&leaf.kind),
            kind: leaf.kind.clone(),
            argument: argument.name.clone(),
            holds: Holds::One(Leaf::of(argument, leaf)),
        };
        let parameters = leaves.map(parameter).collect();
        Self { name, arguments, parameters, expected }
    }

    /// The leaves that it is passed, in order.
    pub fn leaves(&self) -> Vec<Passed> {
        passed(&self.parameters)
    }
}

/// `x`, or `x_extent_0_1`.
fn name_of(argument: &Argument, leaf: &argument::Leaf) -> String {
    let mut name = argument.name.clone();
    if !matches!(leaf.role, Role::Value | Role::Pointer) {
        name += &format!("_{}", leaf.role.name());
    }
    leaf.mode.iter().for_each(|i| name += &format!("_{i}"));
    name
}

/// The bytes of a value of a host function: of a number, an address or a stream.
fn width(kind: &str) -> u64 {
    let digits = kind.trim_start_matches(|c: char| !c.is_ascii_digit());
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    digits[..end].parse().map_or(8, |bits: u64| bits.div_ceil(8))
}

fn passed(parameters: &[Parameter]) -> Vec<Passed> {
    parameters.iter().enumerate().flat_map(|(i, p)| p.leaves(i)).collect()
}
