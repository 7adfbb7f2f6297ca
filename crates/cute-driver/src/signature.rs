//! The arguments of kernels as their source declares them. They are read before lowering splits the
//! types.

use std::collections::HashMap;

use cute_algebra::{AnyLayout, Dim, Stride, product};
use cute_dialect::{
    atom::TmaCopy,
    ops::{Attributes, Call, OpKind, tma::describe},
    parameters::{self, Abi, Nest, nested},
    types::{bit_width, value_of},
    value::{Ptr, Value},
};
use cute_ffi::{ir, place::place};
use cute_manifest::{Argument, Expected, LayoutMode, Tma, argument::Leaf};
use melior::ir::{
    Module, Type, TypeLike,
    operation::{OperationLike, OperationRef},
};

use crate::expected;

/// The name of a symbol; empty for an op that is not a symbol.
pub fn symbol(op: OperationRef<'_, '_>) -> String {
    ir::symbol_name(op).unwrap_or_default().to_string()
}

/// The kind of a type's values from the viewpoint of the caller.
pub fn kind(t: Type<'_>) -> String {
    match () {
        () if ir::is_cuda_type(t, "stream") => "stream".into(),
        () if ir::is_cuda_type(t, "event") => "event".into(),
        () if ir::is_llvm_pointer(t) => "pointer".into(),
        () if t.is_integer() || t.is_float() => t.to_string(),
        () => "bytes".into(),
    }
}

/// The leaves in each parameter of the compiled kernel.
pub(crate) fn passed(argument: &Argument, abi: Abi) -> Vec<&[Leaf]> {
    match argument.leaves.as_slice() {
        [] => Vec::new(),
        all if argument.is_struct && abi == Abi::Dsl => vec![all],
        each => each.chunks(1).collect(),
    }
}

/// The arguments of each kernel of a module, by its name.
pub type Signatures = HashMap<String, Vec<Argument>>;

/// The arguments of a function that launches kernels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostSignature {
    /// The function's name.
    pub name: String,
    /// Its arguments, in order.
    pub arguments: Vec<Argument>,
    /// The extents that must be equal, or why they cannot be read.
    pub expected: Result<Expected, String>,
}

/// The signatures of a module that has just been parsed. Parameters that have no name of their own
/// are named after the source: `spelled` gives the name that is spelled at a line and column.
pub fn of<'s>(module: &Module<'_>, spelled: impl Fn(&str, usize, usize) -> Option<&'s str>) -> Signatures {
    let kernels = ir::walk(module.as_operation()).into_iter().filter(|op| ir::is_kernel(*op));
    let named = kernels.map(|f| {
        name(f, &spelled);
        (symbol(f), arguments(f))
    });
    let mut signatures: Signatures = named.collect();
    for launch in
        ir::walk(module.as_operation()).into_iter().filter(|op| ir::op_name(*op) == "cuda.launch_ex")
    {
        descriptors(launch, &mut signatures);
    }
    signatures
}

/// Adds the fact that only the launch has: the swizzle of the descriptor's tiles in shared memory.
fn descriptors(launch: OperationRef<'_, '_>, signatures: &mut Signatures) {
    let kernel = launch.attribute("callee").ok().and_then(|callee| ir::resolve(launch, callee));
    let arguments = kernel.and_then(|kernel| signatures.get_mut(&symbol(kernel)));
    // The first operand is the launch configuration.
    let passed = ir::operands(launch).into_iter().skip(1);
    for (argument, value) in arguments.into_iter().flatten().zip(passed) {
        if let (Some(tma), Some(swizzle)) = (&mut argument.tma, ir::definer(value).and_then(swizzle)) {
            tma.swizzle = Some(swizzle);
        }
    }
}

/// The swizzle of the descriptor that an op makes.
fn swizzle(op: OperationRef<'_, '_>) -> Option<String> {
    let kind = OpKind::from_name(ir::op_name(op))?;
    let makes = [
        OpKind::MakeNonExecTiledTmaLoad,
        OpKind::MakeNonExecTiledTmaStore,
        OpKind::MakeNonExecTiledTmaReduce,
    ];
    let operands: Vec<_> = ir::operands(op).into_iter().map(|v| value_of(ir::type_of(v))).collect();
    let (attributes, context) = (&Attributes::of(op), ir::context(op));
    let call = Call::<Dim> { kind, operands: &operands, attributes, declared: &[], context };
    makes.contains(&kind).then(|| Some(describe(&call).ok()?.plan.swizzle.to_string())).flatten()
}

/// The functions of a module that launch kernels, in order; names are found as for kernels.
pub fn hosts<'s>(
    module: &Module<'_>,
    spelled: impl Fn(&str, usize, usize) -> Option<&'s str>,
) -> Vec<HostSignature> {
    let hosts = ir::walk(module.as_operation()).into_iter().filter(|op| cute_lower::hosts::launches(*op));
    let signature = |f| {
        name(f, &spelled);
        let arguments = arguments(f);
        let expected = expected::of(f);
        let expected = expected.and_then(|all| expected::check(&all, &arguments).map(|()| all));
        HostSignature { name: symbol(f), arguments, expected }
    };
    hosts.map(signature).collect()
}

fn name<'c, 's>(f: OperationRef<'c, 'c>, spelled: impl Fn(&str, usize, usize) -> Option<&'s str>) {
    for i in 0..parameters::of_function(f).len() {
        if ir::argument_name(f, i).is_some() {
            continue;
        }
        let place = ir::argument_location(f, i).and_then(place);
        if let Some(name) = place.and_then(|(file, line, column)| spelled(&file, line, column)) {
            ir::name_argument(f, i, name);
        }
    }
}

/// The arguments of a function.
pub fn arguments(f: OperationRef<'_, '_>) -> Vec<Argument> {
    parameters::of_function(f).into_iter().map(argument).collect()
}

fn argument(parameter: parameters::FunctionParameter<'_>) -> Argument {
    let value = value_of(parameter.r#type);
    let element = match &*value {
        Value::Ptr(Ptr { elem, .. }) => *elem,
        Value::MemRef(view) => view.iter.elem,
        _ => None,
    };
    let axes = match &*value {
        Value::MemRef(view) => match &view.layout {
            AnyLayout::Plain(layout) => {
                let paths = layout.shape().view().leaf_paths().into_iter();
                let leaves = layout.shape().leaves().iter().zip(layout.stride().leaves());
                Some(paths.zip(leaves).map(|(path, (e, d))| axis(path.indices(), e, d)).collect())
            }
            AnyLayout::Composed(_) => None,
        },
        _ => None,
    };
    let tma = match &*value {
        Value::CopyAtom(atom) => atom.as_tma().and_then(descriptor),
        _ => None,
    };
    Argument {
        tma,
        name: parameter.name,
        r#type: parameter.r#type.to_string(),
        element: element.map(|t| t.to_string()),
        axes,
        bits: element.and_then(bit_width),
        leaves: parameter.leaves.iter().map(leaf).collect(),
        is_struct: matches!(nested(parameter.r#type), Nest::Struct(_)),
    }
}

/// The descriptor that a host makes; `None` for a value that a thread derives from it.
fn descriptor(atom: &TmaCopy<'_>) -> Option<Tma> {
    let extents = atom.basis.shape().modes().map(|mode| product(mode).ok()?.as_static());
    Some(Tma {
        operation: atom.bulk().name.into(),
        element: atom.elem.to_string(),
        format: atom.format.filter(|_| !atom.kind.is_executable())?.keyword().into(),
        rank: atom.basis.rank(),
        r#box: extents.collect::<Option<_>>()?,
        basis: atom.basis.to_string(),
        swizzle: None,
    })
}

fn axis(mode: &[usize], extent: &Dim, stride: &Stride<Dim>) -> LayoutMode {
    LayoutMode { mode: mode.into(), extent: extent.as_static(), stride: stride.scale().as_static() }
}

fn leaf(leaf: &parameters::Leaf<'_>) -> Leaf {
    Leaf {
        stored: leaf.stored.to_string(),
        stored_kind: kind(leaf.stored),
        role: leaf.role,
        mode: leaf.path.indices().into(),
        promises: leaf.promises.clone(),
        kind: kind(leaf.r#type),
        text: leaf.to_string(),
    }
}
