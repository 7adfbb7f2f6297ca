//! The information that a program needs to launch the kernels of a module: the parameters, the
//! amount of shared memory, and the number of threads.

use std::collections::{HashMap, HashSet};

use cute_arch::Target;
use cute_dialect::{DYNAMIC_SHARED_MEMORY, parameters::Abi};
use cute_ffi::{
    ir,
    llvm::{LlvmModule, ParameterPlace, SizeAndAlign},
};
use cute_manifest::argument;
pub use cute_manifest::{
    Argument, Field, Holds, Kernel, Leaf, Manifest, Parameter, Role, SharedMemory, SharedPart,
};
use melior::ir::{
    Attribute,
    attribute::{
        ArrayAttribute, DenseI32ArrayAttribute, FlatSymbolRefAttribute, IntegerAttribute, TypeAttribute,
    },
    operation::{OperationLike, OperationRef},
};

use crate::{
    Error, Result, expected,
    signature::{self, Signatures, kind, symbol},
};

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
    let count =
        |arguments: &[Argument]| arguments.iter().map(|a| signature::passed(a, abi).len()).sum::<usize>();
    // The passes of other dialects split their types; the parts are then the arguments.
    let declared = signatures.get(&name).filter(|all| count(all) == places.len());
    let arguments = declared.cloned().unwrap_or_else(|| signature::arguments(f));
    let parameters = parameters(f, &name, &places, &arguments, abi);
    let shared = uses.shared(&name).into_iter().filter_map(|g| Some((g, code.global(g)?)));
    let (mut r#static, mut parts) = (0u64, Vec::new());
    for (symbol, SizeAndAlign { size, align }) in shared {
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
        grid_of_clusters: f.attribute("nvvm.blocksareclusters").is_ok(),
        // Texts that cannot be read are an error before.
        expected: expected::of(f).unwrap_or_default(),
        name,
    }
}

/// Rejects expectations that are not of their form, or about extents that no argument has.
///
/// # Errors
/// [`Error::Expected`].
pub fn check_expected(gpu_module: OperationRef<'_, '_>, signatures: &Signatures) -> Result<()> {
    for f in kernels(gpu_module) {
        let kernel = symbol(f);
        let refused = |why| Error::Expected { kernel: kernel.clone(), why };
        let expected = expected::of(f).map_err(refused)?;
        // Without the source's arguments, they are those of LLVM, which have no extents.
        let Some(arguments) = signatures.get(&kernel) else { continue };
        expected::check(&expected, arguments).map_err(refused)?;
    }
    Ok(())
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
    places: &[ParameterPlace],
    arguments: &[Argument],
    abi: Abi,
) -> Vec<Parameter> {
    if ir::body(f).is_none() {
        return Vec::new();
    }
    let attributes = f.attribute("arg_attrs").and_then(ArrayAttribute::try_from).ok();
    let passed =
        arguments.iter().flat_map(|a| signature::passed(a, abi).into_iter().map(move |leaves| (a, leaves)));
    let mut end = 0u64;
    let parameter =
        |(i, (place, (argument, leaves))): (usize, (&ParameterPlace, (&Argument, &[argument::Leaf])))| {
            let value = ir::block_argument(f, i).expect("the translation has the parameters of the function");
            let t = ir::type_of(value);
            let by_value = attributes.and_then(|a| ir::dictionary_get(a.element(i).ok()?, "llvm.byval"));
            let by_value = by_value.and_then(|a| Some(TypeAttribute::try_from(a).ok()?.value()));
            let SizeAndAlign { size, align } = place.extent;
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

fn fields(argument: &Argument, leaves: &[argument::Leaf], place: &ParameterPlace) -> Vec<Field> {
    assert_eq!(
        leaves.len(),
        place.parts.len(),
        "the struct of '{}' has a field for each leaf",
        argument.name
    );
    let field = |(leaf, (offset, extent)): (&argument::Leaf, &(u64, SizeAndAlign))| Field {
        r#type: leaf.stored.clone(),
        width: extent.size,
        offset: *offset,
        kind: leaf.stored_kind.clone(),
        leaf: Leaf::of(argument, leaf),
    };
    leaves.iter().zip(&place.parts).map(field).collect()
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
