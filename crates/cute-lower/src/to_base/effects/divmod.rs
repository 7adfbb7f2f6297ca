//! Division by an invariant divisor. [`FastDivisor`](cute_algebra::FastDivisor) computes the same
//! in numbers.

use std::rc::Rc;

use cute_algebra::Width;
use cute_dialect::{ops::extensions::integer, types::scalar_type, value::Value as Cute};
use cute_ffi::ir;
use melior::ir::{Attribute, Type, Value, attribute::BoolAttribute, operation::OperationRef};

use super::{Lowered, Site};
use crate::{
    Builder,
    emit::{Emit, Expr, Graph, ops::op as emit_op},
    to_base::values::Made,
};

/// Ops before an op.
struct Code<'a, 'c> {
    home: OperationRef<'c, 'c>,
    graph: &'a Rc<Graph<'c>>,
}

impl<'c> Code<'_, 'c> {
    fn t(&self, width: Width) -> Type<'c> {
        scalar_type(ir::context(self.home), width)
    }
    fn number(&self, n: i64, width: Width) -> Value<'c, 'c> {
        self.graph.constant(n, width)
    }
    fn op(&self, name: &str, operands: &[Value<'c, 'c>], width: Width) -> Value<'c, 'c> {
        emit_op(self.home, name, operands, self.t(width), &[])
    }
    /// The high half of the product of two unsigned 32-bit integers.
    fn high(&self, a: Value<'c, 'c>, b: Value<'c, 'c>) -> Value<'c, 'c> {
        let [a, b] = [a, b].map(|x| self.op("arith.extui", &[x], Width::I64));
        let product = self.op("arith.muli", &[a, b], Width::I64);
        let high = self.op("arith.shrui", &[product, self.number(32, Width::I64)], Width::I64);
        self.op("arith.trunci", &[high], Width::I32)
    }
    fn leaf(&self, leaf: &Emit<'c>) -> Value<'c, 'c> {
        self.graph.value(&leaf.materialize(Width::I32))
    }
}

/// `fast_divmod.create_divisor`: `l = ceil(log2 d)`, `m = 2^32 (2^l - d) / d + 1`, shifts
/// `min(l, 1)` and `max(l, 1) - 1`.
pub fn create<'c>(at: &mut Site<'_, 'c>) -> Lowered<'c> {
    use Width::{I32, I64};
    let code = Code { home: at.op, graph: at.graph() };
    let c = ir::context(at.op);
    let d = code.leaf(&at.ask(integer(at.call, 0))?);
    let less = code.op("arith.subi", &[d, code.number(1, I32)], I32);
    let defined: Attribute = BoolAttribute::new(c, false).into();
    let zeros = emit_op(at.op, "llvm.intr.ctlz", &[less], code.t(I32), &[("is_zero_poison", defined)]);
    let log = code.op("arith.subi", &[code.number(32, I32), zeros], I32);
    let wide_log = code.op("arith.extui", &[log], I64);
    let power = code.op("arith.shli", &[code.number(1, I64), wide_log], I64);
    let wide = code.op("arith.extui", &[d], I64);
    let gap = code.op("arith.subi", &[power, wide], I64);
    let scaled = code.op("arith.shli", &[gap, code.number(32, I64)], I64);
    let quotient = code.op("arith.divui", &[scaled, wide], I64);
    let truncated = code.op("arith.trunci", &[quotient], I32);
    let multiplier = code.op("arith.addi", &[truncated, code.number(1, I32)], I32);
    let first = code.op("arith.minui", &[log, code.number(1, I32)], I32);
    let second = code.op("arith.subi", &[log, first], I32);
    let parts = [d, multiplier, first, second];
    Ok(vec![Made::Leaves(parts.map(|v| Expr::Value(at.graph().clone(), v)).into())])
}

/// `fast_divmod.compute`: `t = mulhi(n, m)`, `q = (t + ((n - t) >> s0)) >> s1`, `r = n - q d`.
pub fn compute<'c>(at: &mut Site<'_, 'c>) -> Lowered<'c> {
    use Width::I32;
    let code = Code { home: at.op, graph: at.graph() };
    let n = code.leaf(&at.ask(integer(at.call, 0))?);
    let Cute::FastDivisor(parts) = at.ask(at.call.operand(1))? else {
        return Builder::before(at.op).refuse("operand #1 must be a fast_divmod_divisor");
    };
    let [d, multiplier, first, second] = parts.each_ref().map(|part| code.leaf(part));
    let high = code.high(n, multiplier);
    let rest = code.op("arith.subi", &[n, high], I32);
    let half = code.op("arith.shrui", &[rest, first], I32);
    let sum = code.op("arith.addi", &[high, half], I32);
    let quotient = code.op("arith.shrui", &[sum, second], I32);
    let product = code.op("arith.muli", &[quotient, d], I32);
    let remainder = code.op("arith.subi", &[n, product], I32);
    at.made([quotient, remainder])
}
