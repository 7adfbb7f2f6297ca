//! The rules of the `cuda` dialect: kernels, and the host functions that launch them.

use cute_arch::tensor_map::{MAX_BOX, MAX_RANK, MapElement, MapSwizzle};
use cute_ffi::{
    Severity,
    ir::{self, op_name},
    ops::HostOp,
};
use melior::ir::{
    Attribute, AttributeLike, Location, Type, TypeLike,
    attribute::{DenseI32ArrayAttribute, IntegerAttribute, TypeAttribute},
    operation::{OperationLike, OperationRef},
    r#type::{FunctionType, IntegerType},
};

/// The threads of a block that a kernel is launched with.
pub const BLOCK: &str = "nvvm.reqntid";

/// Attributes of the driver's function.
pub const FUNCTION_ATTRIBUTES: &str = "cu_attrs";

/// The reason why an op is not valid, and other ops that are at fault.
struct Fault<'c> {
    why: String,
    note: Option<(Location<'c>, String)>,
}

impl From<String> for Fault<'_> {
    fn from(why: String) -> Self {
        Self { why, note: None }
    }
}

type Verified<'c> = Result<(), Fault<'c>>;

/// Verifies an op; `None` if it is not valid, which has been reported.
pub fn verify<'c>(kind: HostOp, op: OperationRef<'c, '_>) -> Option<()> {
    let verified = match kind {
        HostOp::Kernel => kernel(op),
        // MLIR has checked everything.
        HostOp::Return | HostOp::LaunchCfgCompletionEvent => Ok(()),
        HostOp::LaunchCfgCreate => create(op),
        HostOp::LaunchCfgClusterDim | HostOp::LaunchCfgPreferredClusterDim => cluster(op),
        HostOp::LaunchCfgProgrammatic | HostOp::LaunchCfgCooperative => flag(op, 1),
        HostOp::LaunchCfgProgrammaticEvent => flag(op, 3),
        HostOp::LaunchEx => launch(op),
        HostOp::TensorMap => tensor_map(op),
        HostOp::Cast => cast(op),
        HostOp::ReturnIfError => return_if_error(op),
    };
    verified
        .inspect_err(|Fault { why, note }| {
            let notes: Vec<_> = note.iter().cloned().collect();
            cute_ffi::emit(ir::location(op), Severity::Error, &format!("'{}' op {why}", kind.name()), &notes);
        })
        .ok()
}

fn kernel<'c>(op: OperationRef<'c, '_>) -> Verified<'c> {
    let results = function_type(op).map_or(0, |t| t.result_count());
    if results > 0 {
        return Err(format!("a kernel must not have results, found {results}").into());
    }
    if let Ok(block) = op.attribute(BLOCK) {
        let sizes = DenseI32ArrayAttribute::try_from(block).ok();
        let sizes: Option<Vec<i32>> = sizes.map(|a| (0..a.len()).filter_map(|i| a.element(i).ok()).collect());
        if !sizes.is_some_and(|sizes| sizes.len() == 3 && sizes.iter().all(|n| *n > 0)) {
            return Err(format!("'{BLOCK}' must be three positive numbers of threads, found {block}").into());
        }
    }
    match op.attribute(FUNCTION_ATTRIBUTES) {
        Ok(a) if !a.is_dictionary() => {
            Err(format!("'{FUNCTION_ATTRIBUTES}' must be a dictionary, found {a}").into())
        }
        _ => Ok(()),
    }
}

fn create<'c>(op: OperationRef<'c, '_>) -> Verified<'c> {
    let said = integer(op.attribute("maxNumAttrs").ok());
    let room = ir::result(op, 0).and_then(|cfg| ir::max_launch_attributes(ir::type_of(cfg)));
    if said.is_some() && said == room.map(i64::from) {
        return Ok(());
    }
    let (said, room) = (said.unwrap_or(-1), room.map_or("no".into(), |n| n.to_string()));
    Err(format!("max_attrs is {said}, but the result's type has room for {room}").into())
}

fn cluster<'c>(op: OperationRef<'c, '_>) -> Verified<'c> {
    for (value, axis) in ir::operands(op).into_iter().skip(1).zip(["x", "y", "z"]) {
        if let Some(n) = ir::constant(value).filter(|n| *n < 1) {
            return Err(format!("a cluster must have at least one block along {axis}, found {n}").into());
        }
    }
    Ok(())
}

fn flag<'c>(op: OperationRef<'c, '_>, operand: usize) -> Verified<'c> {
    match ir::operands(op).get(operand).copied().and_then(ir::constant) {
        None | Some(0 | 1) => Ok(()),
        Some(n) => Err(format!("the value must be 0 or 1, found {n}").into()),
    }
}

fn launch<'c>(op: OperationRef<'c, '_>) -> Verified<'c> {
    let Ok(callee) = op.attribute("callee") else { return Err("has no callee".to_string().into()) };
    let Some(kernel) = ir::resolve(op, callee) else {
        return Err(format!("launches {callee}, which is not a symbol of this module").into());
    };
    if HostOp::from_name(op_name(kernel)) != Some(HostOp::Kernel) {
        let note = Some((ir::location(kernel), "it is declared here".to_string()));
        return Err(Fault {
            why: format!("launches {callee}, which is a {}, not a cuda.kernel", op_name(kernel)),
            note,
        });
    }
    let taken = function_type(kernel).map_or_else(Vec::new, inputs);
    let given: Vec<_> = ir::operands(op).into_iter().skip(1).map(ir::type_of).collect();
    let at = |why| {
        let note = Some((ir::location(kernel), "the kernel is declared here".to_string()));
        Err(Fault { why, note })
    };
    if taken.len() != given.len() {
        return at(format!("passes {} arguments, but {callee} takes {}", given.len(), taken.len()));
    }
    match taken.iter().zip(&given).position(|(taken, given)| taken != given) {
        Some(i) => at(format!("argument #{i} is {}, but {callee} takes {}", given[i], taken[i])),
        None => Ok(()),
    }
}

fn tensor_map<'c>(op: OperationRef<'c, '_>) -> Verified<'c> {
    let named = |name: &str, all: Vec<String>| {
        let given = op.attribute(name).ok().and_then(ir::string).unwrap_or_default();
        match all.iter().any(|one| one == given) {
            true => Ok(()),
            false => Err(format!("'{name}' must be one of {}, found '{given}'", all.join(", "))),
        }
    };
    named("element", MapElement::all().map(|e| e.to_string()).collect())?;
    let known = MapSwizzle::ALL.into_iter().filter(|swizzle| swizzle.swizzle().is_some());
    named("swizzle", known.map(|swizzle| swizzle.to_string()).collect())?;
    let boxed = op.attribute("box_shape").ok().and_then(|a| DenseI32ArrayAttribute::try_from(a).ok());
    let boxed: Vec<i32> =
        boxed.map_or_else(Vec::new, |a| (0..a.len()).filter_map(|i| a.element(i).ok()).collect());
    if boxed.is_empty() || boxed.len() > MAX_RANK || boxed.iter().any(|n| !(1..=MAX_BOX as i32).contains(n)) {
        let found = boxed.iter().map(i32::to_string).collect::<Vec<_>>().join(", ");
        return Err(format!(
            "'box_shape' must have 1 to {MAX_RANK} extents from 1 to {MAX_BOX}, found ({found})"
        )
        .into());
    }
    let operands = ir::operands(op);
    let counts = op.attribute("operandSegmentSizes").ok();
    let counts = counts.and_then(|a| DenseI32ArrayAttribute::try_from(a).ok());
    let count = |i| usize::try_from(counts.as_ref()?.element(i).ok()?).ok();
    let (Some(extents), Some(strides)) = (count(1), count(2)) else {
        return Err("has no operandSegmentSizes".to_string().into());
    };
    let rank = boxed.len();
    if (extents, strides) != (rank, rank) {
        return Err(format!(
            "a box of {rank} modes needs as many extents and strides, found {extents} and {strides}"
        )
        .into());
    }
    let ends = [operands.first().copied(), ir::result(op, 0)];
    match ends.into_iter().flatten().map(ir::type_of).find(|t| !ir::is_llvm_pointer(*t)) {
        Some(t) => Err(format!("must take and give an !llvm.ptr, found {t}").into()),
        None => Ok(()),
    }
}

fn cast<'c>(op: OperationRef<'c, '_>) -> Verified<'c> {
    let types = [ir::operands(op).first().copied(), ir::result(op, 0)].map(|v| v.map(ir::type_of));
    let [Some(from), Some(to)] = types else {
        return Err("has one operand and one result".to_string().into());
    };
    // TableGen checks that each side is an integer or the driver's.
    if from.is_integer() != to.is_integer() {
        return Ok(());
    }
    Err(format!("casts !cuda.result to i32 and i64 to !cuda.stream, found {from} to {to}").into())
}

fn return_if_error<'c>(op: OperationRef<'c, '_>) -> Verified<'c> {
    let function = ir::enclosing_isolated(op).filter(|f| ir::is_function(*f));
    let Some(function) = function else {
        return Err("must be in a host function".to_string().into());
    };
    let results = function_type(function).map_or_else(Vec::new, results);
    let i32: Type = IntegerType::new(ir::context(op), 32).into();
    if results == [i32] {
        return Ok(());
    }
    let found: Vec<_> = results.iter().map(Type::to_string).collect();
    Err(Fault {
        why: format!("must return an i32, but the function's results are ({})", found.join(", ")),
        note: Some((ir::location(function), "the function is here".to_string())),
    })
}

fn function_type<'c>(op: OperationRef<'c, '_>) -> Option<FunctionType<'c>> {
    let t = TypeAttribute::try_from(op.attribute("function_type").ok()?).ok()?;
    FunctionType::try_from(t.value()).ok()
}

fn inputs(t: FunctionType<'_>) -> Vec<Type<'_>> {
    (0..t.input_count()).filter_map(|i| t.input(i).ok()).collect()
}

fn results(t: FunctionType<'_>) -> Vec<Type<'_>> {
    (0..t.result_count()).filter_map(|i| t.result(i).ok()).collect()
}

fn integer(a: Option<Attribute<'_>>) -> Option<i64> {
    Some(IntegerAttribute::try_from(a?).ok()?.value())
}
