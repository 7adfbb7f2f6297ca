//! The ops that expressions become: `arith` with nsw for integers, `llvm` for addresses.

use cute_algebra::Width;
use cute_dialect::{
    types::{llvm_pointer, scalar_type, scalar_width},
    value::Space,
};
use cute_ffi::ir;
use melior::{
    Context,
    ir::{
        Attribute, Identifier, Type, Value,
        attribute::{DenseI32ArrayAttribute, IntegerAttribute, TypeAttribute},
        operation::OperationRef,
        r#type::IntegerType,
    },
};

use super::graph::{Kind, Op};
use crate::Builder;

/// Makes constants in a given width.
type Constants<'a, 'c> = &'a dyn Fn(i64, Width) -> Value<'c, 'c>;

/// An op with one result before `home`. Its operands have the right types by construction, so that
/// a failure is an internal error.
pub fn op<'c>(
    home: OperationRef<'c, 'c>,
    name: &str,
    operands: &[Value<'c, 'c>],
    result: Type<'c>,
    attributes: &[(&str, Attribute<'c>)],
) -> Value<'c, 'c> {
    let made = Builder::before(home).typed(name, operands, result, attributes);
    made.unwrap_or_else(|_| panic!("cannot build {name}"))
}

fn typed<'c>(
    at: Builder<'c>,
    name: &str,
    operands: &[Value<'c, 'c>],
    result: Type<'c>,
    attributes: &[(Identifier<'c>, Attribute<'c>)],
) -> Value<'c, 'c> {
    at.typed_with(name, operands, result, attributes).unwrap_or_else(|_| panic!("cannot build {name}"))
}

/// Parts of a context that most expressions need, looked up once.
#[derive(Clone, Copy)]
pub struct Flags<'c> {
    context: &'c Context,
    /// Signed overflow does not happen.
    nsw: (Identifier<'c>, Attribute<'c>),
    /// The attribute of a constant.
    value: Identifier<'c>,
}

impl<'c> Flags<'c> {
    /// The attributes in a context.
    pub fn new(context: &'c Context) -> Self {
        let nsw = Attribute::parse(context, "#arith.overflow<nsw>");
        let nsw = nsw.unwrap_or_else(|| Attribute::unit(context));
        let name = |name| Identifier::new(context, name);
        Self { context, nsw: (name("overflowFlags"), nsw), value: name("value") }
    }

    /// The context that they are parts of.
    pub fn context(self) -> &'c Context {
        self.context
    }
}

/// A constant before `entry`.
pub fn constant<'c>(
    entry: OperationRef<'c, 'c>,
    value: i64,
    width: Width,
    flags: Flags<'c>,
) -> Value<'c, 'c> {
    let at = Builder::before_in(flags.context, entry);
    let t = scalar_type(at.context(), width);
    typed(at, "arith.constant", &[], t, &[(flags.value, IntegerAttribute::new(t, value).into())])
}

/// The value of a node whose arguments are there.
pub(crate) fn node<'c>(
    home: OperationRef<'c, 'c>,
    what: Op,
    kind: Kind,
    args: &[Value<'c, 'c>],
    flags: Flags<'c>,
    constants: Constants<'_, 'c>,
) -> Value<'c, 'c> {
    let at = Builder::before_in(flags.context, home);
    let first = args[0];
    match (what, kind) {
        (Op::Element(bits), _) => {
            let elem = IntegerType::new(at.context(), bits).into();
            element(at, first, args[1], elem)
        }
        (Op::ToInteger, Kind::Int(width)) => address_as_integer(home, first, width),
        (Op::ToAddress, _) => typed(at, "llvm.inttoptr", &[args[1]], ir::type_of(first), &[]),
        (Op::Select, _) => typed(at, "arith.select", &[args[2], first, args[1]], ir::type_of(first), &[]),
        (_, Kind::First) => first,
        (_, Kind::Int(width)) => integer(at, what, width, args, flags, constants),
    }
}

fn integer<'c>(
    at: Builder<'c>,
    what: Op,
    width: Width,
    args: &[Value<'c, 'c>],
    flags: Flags<'c>,
    constants: Constants<'_, 'c>,
) -> Value<'c, 'c> {
    let t = scalar_type(at.context(), width);
    let nsw = [flags.nsw];
    let make = |name: &str, args: &[Value<'c, 'c>]| typed(at, name, args, t, &[]);
    match what {
        Op::Add => typed(at, "arith.addi", args, t, &nsw),
        Op::Sub => typed(at, "arith.subi", args, t, &nsw),
        Op::Mul => typed(at, "arith.muli", args, t, &nsw),
        Op::Div => make("arith.divsi", args),
        Op::Rem => make("arith.remsi", args),
        Op::Min => make("arith.minsi", args),
        Op::Max => make("arith.maxsi", args),
        Op::Abs => {
            let negated = typed(at, "arith.subi", &[constants(0, width), args[0]], t, &nsw);
            make("arith.maxsi", &[args[0], negated])
        }
        Op::Signum => {
            let low = make("arith.maxsi", &[args[0], constants(-1, width)]);
            make("arith.minsi", &[low, constants(1, width)])
        }
        Op::And => make("arith.andi", args),
        Op::Xor => make("arith.xori", args),
        Op::Shift(n) if n >= 0 => {
            typed(at, "arith.shli", &[args[0], constants(i64::from(n), width)], t, &nsw)
        }
        Op::Shift(n) => make("arith.shrsi", &[args[0], constants(i64::from(-n), width)]),
        Op::Rotate(n) => make("llvm.intr.fshl", &[args[0], args[0], constants(n.into(), width)]),
        Op::Resize => make(if width == Width::I64 { "arith.extsi" } else { "arith.trunci" }, args),
        Op::IndexCast => make("arith.index_cast", args),
        Op::Element(_) | Op::ToInteger | Op::ToAddress | Op::Select | Op::Assuming(..) | Op::Marked(..) => {
            args[0]
        }
    }
}

/// `base + index` elements. Not `inbounds`, because the address of an access whose predicate is
/// false may lie outside, and `cp.async` still receives it.
fn element<'c>(at: Builder<'c>, base: Value<'c, 'c>, index: Value<'c, 'c>, elem: Type<'c>) -> Value<'c, 'c> {
    const DYNAMIC: i32 = i32::MIN;
    let c = at.context();
    let attributes = [
        (Identifier::new(c, "elem_type"), TypeAttribute::new(elem).into()),
        (Identifier::new(c, "rawConstantIndices"), DenseI32ArrayAttribute::new(c, &[DYNAMIC]).into()),
    ];
    typed(at, "llvm.getelementptr", &[base, index], ir::type_of(base), &attributes)
}

/// An address as an integer of this number of bits. An address in tensor memory already is an
/// integer.
pub fn address_as_integer<'c>(
    home: OperationRef<'c, 'c>,
    address: Value<'c, 'c>,
    width: Width,
) -> Value<'c, 'c> {
    let t = scalar_type(ir::context(home), width);
    match scalar_width(ir::type_of(address)) {
        None => op(home, "llvm.ptrtoint", &[address], t, &[]),
        Some(own) if own == width => address,
        Some(_) if width == Width::I64 => op(home, "arith.extui", &[address], t, &[]),
        Some(_) => op(home, "arith.trunci", &[address], t, &[]),
    }
}

/// An integer of this number of bits as an address in a space.
pub fn integer_as_address<'c>(
    home: OperationRef<'c, 'c>,
    integer: Value<'c, 'c>,
    space: Space,
) -> Value<'c, 'c> {
    let pointer = llvm_pointer(ir::context(home), space);
    match scalar_width(pointer) {
        None => op(home, "llvm.inttoptr", &[integer], pointer, &[]),
        Some(width) => address_as_integer(home, integer, width),
    }
}
