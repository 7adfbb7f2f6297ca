//! The answers to MLIR's questions about an op: whether it is valid, its result types, and whether
//! it folds.

use std::borrow::Cow;

use cute_algebra::{Dim, Error as Algebra};
use cute_ffi::{
    Severity,
    dialect::{OpAnswer, OpQuestion, OpRequest},
    ir,
    ops::OpKind,
};
use melior::ir::{
    Attribute, Type, TypeLike, Value as IrValue, ValueLike,
    attribute::IntegerAttribute,
    operation::{OperationLike, OperationRef},
    r#type::IntegerType,
};
use smallvec::SmallVec;

use crate::{
    attributes::Attributes,
    error::{Error, Result},
    notes,
    ops::{Call, atoms::other_elements, eval},
    strict,
    types::{State, described, type_of, value_of},
    value::Value,
    weakening,
};

/// Answers a request. `None` means failure, which has been reported, or that there is nothing to
/// fold.
pub fn answer<'c, 'a>(request: &OpRequest<'c, 'a>) -> Option<OpAnswer<'c, 'a>> {
    let answered = match request.question {
        OpQuestion::Verify => verify(request).map(|()| OpAnswer::Valid),
        OpQuestion::Infer => infer(request).map(OpAnswer::Types),
        OpQuestion::Fold if request.kind == OpKind::AtomGetValue => {
            return stored(request).map(OpAnswer::Value);
        }
        OpQuestion::Fold => return fold(request).map(OpAnswer::Attributes),
    };
    answered
        .inspect_err(|e| {
            if !request.quiet {
                report(request, e);
            }
        })
        .ok()
}

fn report(request: &OpRequest<'_, '_>, error: &Error) {
    let text = without_name(request.kind, &error.to_string());
    let operands = match error {
        Error::Algebra(Algebra::Rank { .. } | Algebra::Depth { .. }) => {
            let types: Vec<_> = request.operands.iter().map(|v| v.r#type().to_string()).collect();
            format!("; the operands are {}", types.join(", "))
        }
        _ => String::new(),
    };
    let text = format!("'{}' op {text}{operands}", request.kind.name());
    let note: Vec<_> = error.note().map(|n| (request.location, n.to_string())).into_iter().collect();
    cute_ffi::emit(request.location, Severity::Error, &text, &note);
}

/// The algebra's messages name the operation, but so does the op's name.
fn without_name(kind: OpKind, text: &str) -> String {
    let rest = text.split_once(": ").filter(|(what, _)| !what.contains(' ') && kind.name().ends_with(what));
    rest.map_or(text, |(_, rest)| rest).to_string()
}

fn context<'c>(request: &OpRequest<'c, '_>) -> &'c melior::Context {
    ir::context_of_attribute(request.attributes)
}

fn infer<'c>(request: &OpRequest<'c, '_>) -> Result<Vec<Type<'c>>> {
    let c = context(request);
    let made = made(request)?;
    made.iter().try_for_each(Value::check)?;
    Ok(made.iter().map(|v| type_of(c, v)).collect())
}

/// The op's results, computed from its operands and not from the declared types.
fn made<'c>(request: &OpRequest<'c, '_>) -> Result<Vec<Value<'c, Dim>>> {
    let operands: Vec<_> = request.operands.iter().map(|v| value_of(v.r#type())).collect();
    eval(&Call {
        kind: request.kind,
        operands: &operands,
        attributes: &Attributes::new(request.attributes),
        declared: &[],
        context: context(request),
    })
}

fn verify(request: &OpRequest<'_, '_>) -> Result<()> {
    check(request, |op, call| {
        if request.kind == OpKind::PlacementConvert {
            crate::placement::Ends::of(op)?;
        }
        strict::check(op, call)
    })
}

/// Whether the declared types of an op follow from its operands; if not, the error is reported.
pub fn check_types(request: &OpRequest<'_, '_>) -> bool {
    check(request, |_, _| Ok(())).inspect_err(|e| report(request, e)).is_ok()
}

/// Checks the types of an op, and `more`.
fn check<'c, 'a>(
    request: &OpRequest<'c, 'a>,
    more: impl FnOnce(OperationRef<'c, 'a>, &Call<'_, 'c, Dim>) -> Result<()>,
) -> Result<()> {
    let Some(op) = request.operation else { return Ok(()) };
    let declared: SmallVec<[_; 1]> = declared_types(op).into_iter().map(value_of).collect();
    let mut operands: SmallVec<[_; 2]> = request.operands.iter().map(|v| value_of(v.r#type())).collect();
    narrow_index(op, &request.operands, &mut operands);
    let attributes = Attributes::new(request.attributes);
    let call = Call {
        kind: request.kind,
        operands: &operands,
        attributes: &attributes,
        declared: &declared,
        context: ir::context(op),
    };
    attributes.check_segments(operands.len())?;
    check_results(op, &call).or_else(|why| {
        let Some(operands) = with_constants(&request.operands, &operands) else { return Err(why) };
        check_results(op, &Call { operands: &operands, ..call }).map_err(|_| why)
    })?;
    more(op, &call)
}

/// The declared results must be those that the op computes from its operands, or weaker ones.
fn check_results(op: OperationRef<'_, '_>, call: &Call<'_, '_, Dim>) -> Result<()> {
    let (results, declared) = (eval(call)?, call.declared);
    // An op without inferred types has the results in its types; the others must have exactly the
    // inferred results.
    if results.len() != declared.len() && (!results.is_empty() || ir::infers_types(op)) {
        return Err(Error::ResultCount { declared: declared.len(), inferred: results.len() });
    }
    for (index, (declared, inferred)) in declared.iter().zip(&results).enumerate() {
        weakening::check(declared, inferred).map_err(|why| Error::ResultType {
            index,
            declared: described(declared),
            inferred: described(inferred),
            why: other_elements(call).unwrap_or_else(|| why.to_string()),
            note: notes::note(call, declared),
        })?;
    }
    Ok(())
}

/// The operands, with known values for those that are constants, or `None` if there are none: in
/// CuTe DSL, `get_hier_coord` of the constant 1 is `(1,0)`, and not `(?,?)`.
fn with_constants<'a, 'c>(
    values: &[IrValue<'c, '_>],
    operands: &[Cow<'a, Value<'c, Dim>>],
) -> Option<Vec<Cow<'a, Value<'c, Dim>>>> {
    let mut operands = operands.to_vec();
    let mut found = false;
    for (value, operand) in values.iter().zip(&mut operands) {
        if matches!(**operand, Value::Scalar(_))
            && let Some(n) = ir::constant(*value)
        {
            *operand = Cow::Owned(Value::Scalar(Dim::fixed(n)));
            found = true;
        }
    }
    found.then_some(operands)
}

/// If `index` has 32 bits in the data layout, it fills a 32-bit leaf.
fn narrow_index<'c>(
    op: OperationRef<'c, '_>,
    values: &[IrValue<'c, '_>],
    operands: &mut [Cow<'c, Value<'c, Dim>>],
) {
    for (value, operand) in values.iter().zip(operands) {
        if value.r#type().is_index() && ir::index_width(op) == 32 {
            *operand = Cow::Owned(Value::Scalar(Dim::dynamic(cute_algebra::Width::I32, 1)));
        }
    }
}

/// The declared result types of an op.
pub fn declared_types<'c>(op: OperationRef<'c, '_>) -> SmallVec<[Type<'c>; 2]> {
    (0..op.result_count()).filter_map(|i| ir::result(op, i)).map(|v| v.r#type()).collect()
}

/// A fully static type has one value, which the unit attribute represents. Machine results fold to
/// numbers.
fn fold<'c>(request: &OpRequest<'c, '_>) -> Option<Vec<Attribute<'c>>> {
    let op = request.operation?;
    let c = ir::context(op);
    let types = declared_types(op);
    if types.iter().all(|t| cute_ffi::types::kind_of(*t).is_some()) {
        let all_static = types.iter().all(|t| has_one_value(&value_of(*t)));
        return all_static.then(|| vec![Attribute::unit(c); types.len()]);
    }
    let results = made(request).ok()?;
    let constant = |(value, t): (&Value<'c, Dim>, &Type<'c>)| match value {
        Value::Scalar(d) => Some(IntegerAttribute::new(*t, d.as_static()?).into()),
        Value::Flag(flag) => {
            Some(IntegerAttribute::new(IntegerType::new(c, 1).into(), i64::from((*flag)?)).into())
        }
        _ => None,
    };
    (results.len() == types.len()).then(|| results.iter().zip(&types).map(constant).collect())?
}

/// The result of a comparison op of ours, if it is known.
pub fn known_flag(op: OperationRef<'_, '_>) -> Option<bool> {
    let kind =
        OpKind::from_name(ir::op_name(op)).filter(|kind| matches!(kind, OpKind::ElemLess | OpKind::Equal))?;
    let operands: Vec<_> = ir::operands(op).iter().map(|v| value_of(v.r#type())).collect();
    let (attributes, context) = (&Attributes::of(op), ir::context(op));
    match eval::<Dim>(&Call { kind, operands: &operands, attributes, declared: &[], context }).ok()?[..] {
        [Value::Flag(flag)] => flag,
        _ => None,
    }
}

/// The value that was last stored in the field that `atom.get_value` reads, if it is read with the
/// type it has.
fn stored<'c, 'a>(request: &OpRequest<'c, 'a>) -> Option<IrValue<'c, 'a>> {
    let read = request.operation?;
    let result = declared_types(read).first().copied()?;
    let field = read.attribute("field").ok()?;
    let (_, name) = ir::nvgpu_word(field)?;
    let mut atom = *request.operands.first()?;
    loop {
        let op = ir::definer(atom)?;
        let operands = ir::operands(op);
        let same = || op.attribute("field") == Ok(field);
        let value = match OpKind::from_name(ir::op_name(op))? {
            OpKind::AtomSetValue if same() => *operands.get(1)?,
            kind if kind == OpKind::AtomSetValue || kind.tiles_atom() => {
                atom = *operands.first()?;
                continue;
            }
            OpKind::MakeAtom => {
                let state = State::of(&value_of(atom.r#type()))?;
                let at = state.fields.iter().position(|f| f.name == name)?;
                *operands.get(at)?
            }
            _ => return None,
        };
        return (value.r#type() == result).then_some(value);
    }
}

/// Whether a type has exactly one value, so that `cute.static` can represent it.
pub fn has_one_value(value: &Value<'_, Dim>) -> bool {
    use Value as V;
    // Some atoms have run-time state.
    let atom = matches!(value, V::CopyAtom(_) | V::TiledCopy(_) | V::MmaAtom(_) | V::TiledMma(_));
    !atom && value.kind().is_some() && value.is_static()
}
