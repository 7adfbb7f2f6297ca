//! The information that a program needs to launch the kernels of a module: the parameters, the
//! amount of shared memory, and the number of threads.

use std::collections::{HashMap, HashSet};

use cute_arch::Target;
use cute_dialect::{
    DYNAMIC_SHARED_MEMORY,
    parameters::{Abi, Promise, Role},
};
use cute_ffi::{
    ir,
    llvm::{Extent, LlvmModule, Place},
};
use melior::ir::{
    Attribute,
    attribute::{
        ArrayAttribute, DenseI32ArrayAttribute, FlatSymbolRefAttribute, IntegerAttribute, TypeAttribute,
    },
    operation::{OperationLike, OperationRef},
};
use serde::Serialize;

use crate::{
    Error, Result,
    signature::{self, Argument, Signatures, kind, symbol},
};

/// The kernels of one PTX or cubin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
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
}

/// A kernel parameter in PTX's layout of parameters: each begins at the next multiple of its
/// alignment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
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
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Leaf {
    /// The part of the argument: `value` for the argument itself, otherwise `pointer`, `extent`,
    /// `stride` and so on.
    pub leaf: &'static str,
    /// The mode path of an extent or stride.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mode: Vec<usize>,
    /// The type of the elements at the address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub element: Option<String>,
    /// The alignment of the address in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub align: Option<i64>,
    /// The number of which the integer must be a multiple.
    #[serde(skip_serializing_if = "Option::is_none")]
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
        self.parameters.iter().enumerate().flat_map(|(i, p)| p.leaves(i)).collect()
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SharedMemory {
    /// The number of bytes that the kernel declares, including alignment.
    pub r#static: u64,
    /// Whether the launch decides on an additional amount.
    pub dynamic: bool,
    /// The number of bytes that the launch must provide, if the kernel states it
    /// (`cute.dynamic_shared_memory`).
    #[serde(skip_serializing_if = "Option::is_none")]
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
    fn of(argument: &Argument, leaf: &signature::Leaf) -> Self {
        let is_pointer = leaf.role == Role::Pointer;
        let multiple = leaf.promises.iter().find_map(|p| match p {
            Promise::MultipleOf(n) => Some(*n),
            Promise::Positive => None,
        });
        let (align, multiple_of) = if is_pointer { (multiple, None) } else { (None, multiple) };
        Self {
            leaf: leaf.role.name(),
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

/// The manifest of a `gpu.module` and its translation. It reads the lowered `llvm.func`s, takes
/// sizes and alignments from LLVM's data layout, and takes the meaning of the parameters from the
/// source's signatures.
pub fn of(
    gpu_module: OperationRef<'_, '_>,
    code: &LlvmModule,
    target: Target,
    signatures: &Signatures,
) -> Manifest {
    let uses = Uses::of(gpu_module);
    let kernels = kernels(gpu_module).map(|f| kernel(f, code, &uses, signatures)).collect();
    Manifest { version: env!("CARGO_PKG_VERSION").to_owned(), target: target.to_string(), kernels }
}

/// The entry points of a `gpu.module`.
pub fn kernels<'c, 'a>(gpu_module: OperationRef<'c, 'a>) -> impl Iterator<Item = OperationRef<'c, 'a>> {
    // The lowered functions with this attribute become entry points in PTX.
    ir::functions(gpu_module).into_iter().filter(|f| f.has_attribute("nvvm.kernel"))
}

/// Whether an op has this name.
pub fn is_op(op: OperationRef<'_, '_>, name: &str) -> bool {
    op.name().as_string_ref().as_str().is_ok_and(|n| n == name)
}

fn kernel(f: OperationRef<'_, '_>, code: &LlvmModule, uses: &Uses, signatures: &Signatures) -> Kernel {
    let name = symbol(f);
    let places = code.parameters(&name);
    let abi = Abi::of(f).unwrap_or(Abi::Flat);
    let count = |arguments: &[Argument]| arguments.iter().map(|a| a.parameters(abi).len()).sum::<usize>();
    // The passes of other dialects split their types; the parts are then the arguments.
    let declared = signatures.get(&name).filter(|all| count(all) == places.len());
    let arguments = declared.cloned().unwrap_or_else(|| signature::arguments(f));
    let parameters = parameters(f, &name, &places, &arguments, abi);
    let shared = uses.shared(&name).into_iter().filter_map(|g| Some((g, code.global(g)?)));
    let (mut r#static, mut parts) = (0u64, Vec::new());
    for (symbol, Extent { size, align }) in shared {
        r#static = r#static.next_multiple_of(align.max(1)).saturating_add(size);
        parts.push(SharedPart { symbol: symbol.into(), size });
    }
    let dynamic = parts.iter().any(|p| p.size == 0);
    let dynamic_size = f.attribute(DYNAMIC_SHARED_MEMORY).ok().and_then(bytes);
    let shared_memory = SharedMemory { r#static, dynamic, dynamic_size, parts };
    let sizes = |attribute: &str| f.attribute(attribute).ok().and_then(three);
    Kernel {
        arguments,
        parameters,
        shared_memory,
        block: sizes("nvvm.reqntid").or_else(|| sizes("gpu.known_block_size")),
        max_block: sizes("nvvm.maxntid"),
        cluster: sizes("nvvm.cluster_dim"),
        name,
    }
}

/// The value of an attribute that counts bytes.
fn bytes(a: Attribute<'_>) -> Option<u64> {
    IntegerAttribute::try_from(a).ok()?.value().try_into().ok()
}

/// Rejects an attribute for dynamic shared memory that is not a number of bytes.
///
/// # Errors
/// [`Error::DynamicSharedMemory`].
pub fn check_dynamic_shared_memory(gpu_module: OperationRef<'_, '_>) -> Result<()> {
    for f in kernels(gpu_module) {
        if let Some(given) = f.attribute(DYNAMIC_SHARED_MEMORY).ok().filter(|a| bytes(*a).is_none()) {
            return Err(Error::DynamicSharedMemory { kernel: symbol(f), given: given.to_string() });
        }
    }
    Ok(())
}

fn parameters(
    f: OperationRef<'_, '_>,
    kernel: &str,
    places: &[Place],
    arguments: &[Argument],
    abi: Abi,
) -> Vec<Parameter> {
    if ir::body(f).is_none() {
        return Vec::new();
    }
    let attributes = f.attribute("arg_attrs").and_then(ArrayAttribute::try_from).ok();
    let passed = arguments.iter().flat_map(|a| a.parameters(abi).into_iter().map(move |leaves| (a, leaves)));
    let mut end = 0u64;
    let parameter = |(i, (place, (argument, leaves))): (usize, (&Place, (&Argument, &[signature::Leaf])))| {
        let value = ir::block_argument(f, i).expect("the translation has the parameters of the function");
        let t = ir::type_of(value);
        let by_value = attributes.and_then(|a| ir::dictionary_get(a.element(i).ok()?, "llvm.byval"));
        let by_value = by_value.and_then(|a| Some(TypeAttribute::try_from(a).ok()?.value()));
        let Extent { size, align } = place.extent;
        let offset = end.next_multiple_of(align.max(1));
        end = offset + size;
        let is_struct = argument.is_struct && abi == Abi::Dsl;
        Parameter {
            name: format!("{kernel}_param_{i}"),
            r#type: by_value.unwrap_or(t).to_string(),
            width: size,
            offset,
            alignment: align,
            kind: match by_value {
                _ if is_struct => "struct".into(),
                _ if leaves.iter().any(|leaf| leaf.role == Role::Descriptor) => "descriptor".into(),
                Some(_) => "bytes".into(),
                None => kind(t),
            },
            argument: argument.name.clone(),
            holds: match leaves {
                [one] if !is_struct => Holds::One(Leaf::of(argument, one)),
                leaves => Holds::Struct { fields: fields(argument, leaves, place) },
            },
        }
    };
    places.iter().zip(passed).enumerate().map(parameter).collect()
}

/// The parameters that are passed for the arguments of a host function.
pub fn of_host(arguments: &[Argument]) -> Vec<Passed> {
    let leaves = arguments.iter().flat_map(|a| a.leaves.iter().map(move |leaf| (a, leaf)));
    let passed = |(number, (argument, leaf)): (usize, (&Argument, &signature::Leaf))| Passed {
        parameter: number,
        width: width(&leaf.kind),
        r#type: leaf.kind.clone(),
        kind: leaf.kind.clone(),
        argument: argument.name.clone(),
        leaf: Leaf::of(argument, leaf),
        ..Passed::default()
    };
    leaves.enumerate().map(passed).collect()
}

fn fields(argument: &Argument, leaves: &[signature::Leaf], place: &Place) -> Vec<Field> {
    assert_eq!(
        leaves.len(),
        place.parts.len(),
        "the struct of '{}' has a field for each leaf",
        argument.name
    );
    let field = |(leaf, (offset, extent)): (&signature::Leaf, &(u64, Extent))| Field {
        r#type: leaf.stored.clone(),
        width: extent.size,
        offset: *offset,
        kind: leaf.stored_kind.clone(),
        leaf: Leaf::of(argument, leaf),
    };
    leaves.iter().zip(&place.parts).map(field).collect()
}

/// The bytes of a value of a host function: of a number, an address or a stream.
fn width(kind: &str) -> u64 {
    let digits = kind.trim_start_matches(|c: char| !c.is_ascii_digit());
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    digits[..end].parse().map_or(8, |bits: u64| bits.div_ceil(8))
}

/// x, y, z; missing extents are 1.
fn three(a: Attribute<'_>) -> Option<[i32; 3]> {
    let a = DenseI32ArrayAttribute::try_from(a).ok()?;
    Some([0, 1, 2].map(|i| a.element(i).unwrap_or(1)))
}

/// The address space of shared memory.
const SHARED: i64 = 3;

/// The functions and variables that each function of a module names.
struct Uses {
    functions: HashMap<String, Vec<String>>,
    /// Variables in shared memory, in order of declaration.
    shared: Vec<String>,
}

impl Uses {
    fn of(gpu_module: OperationRef<'_, '_>) -> Self {
        let mut uses = Self { functions: HashMap::new(), shared: Vec::new() };
        for op in ir::walk(gpu_module) {
            if ir::is_function(op) {
                let named = ir::walk(op).into_iter().flat_map(|op| {
                    let names = ["global_name", "callee"].map(|a| op.attribute(a).ok());
                    names.into_iter().flatten().filter_map(|a| FlatSymbolRefAttribute::try_from(a).ok())
                });
                uses.functions.insert(symbol(op), named.map(|s| s.value().to_string()).collect());
            }
            let space = || IntegerAttribute::try_from(op.attribute("addr_space").ok()?).ok();
            if is_op(op, "llvm.mlir.global") && space().is_some_and(|space| space.value() == SHARED) {
                uses.shared.push(symbol(op));
            }
        }
        uses
    }

    /// The shared variables that a function or its callees name.
    fn shared(&self, function: &str) -> Vec<&str> {
        let mut seen = HashSet::from([function]);
        let mut open = vec![function];
        while let Some(f) = open.pop() {
            let named = self.functions.get(f).into_iter().flatten();
            open.extend(named.map(String::as_str).filter(|n| seen.insert(n)));
        }
        self.shared.iter().map(String::as_str).filter(|s| seen.contains(s)).collect()
    }
}
