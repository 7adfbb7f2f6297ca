//! The values that reach the parameters of kernels and functions, the arguments of blocks, and the
//! results of structured control flow.

use cute_ffi::{
    ir::{self, op_name},
    ops::HostOp,
};
use melior::ir::{
    BlockRef, Value,
    attribute::DenseI32ArrayAttribute,
    operation::{OperationLike, OperationRef},
};
use rustc_hash::FxHashMap;

/// For each value that no computation defines, the values that it may be equal to, as far as the
/// module shows them.
#[derive(Default)]
pub(crate) struct Incoming<'c>(FxHashMap<usize, Vec<Value<'c, 'c>>>);

impl<'c> Incoming<'c> {
    /// The values in a module with these ops, where calls and launches bring values to parameters.
    pub(crate) fn in_module(ops: &[OperationRef<'c, 'c>]) -> Self {
        let mut all = Self::through_calls(ops);
        ops.iter().for_each(|op| all.note_launch(*op));
        all
    }

    /// The values in a module with these ops, where calls bring values to parameters, and launches
    /// do not: the parameter of a kernel is itself.
    pub(crate) fn through_calls(ops: &[OperationRef<'c, 'c>]) -> Self {
        let mut all = Self::in_function(ops);
        for op in ops.iter().filter(|op| op_name(**op) == "func.call") {
            all.call(*op, "callee", &ir::operands(*op));
        }
        all
    }

    /// The values in a function with these ops. No other function is read, because MLIR may be
    /// changing it.
    pub(crate) fn in_function(ops: &[OperationRef<'c, 'c>]) -> Self {
        let mut all = Self::default();
        ops.iter().for_each(|op| all.note(*op));
        all
    }

    /// The values that reach a value.
    pub(crate) fn reaching(&self, value: Value<'c, 'c>) -> &[Value<'c, 'c>] {
        self.0.get(&ir::identity(value)).map_or(&[], Vec::as_slice)
    }

    fn note_launch(&mut self, op: OperationRef<'c, 'c>) {
        if HostOp::from_name(op_name(op)) == Some(HostOp::LaunchEx) {
            // The first operand is the configuration.
            return self.call(op, "callee", &ir::operands(op)[1..]);
        }
        if op_name(op) == "gpu.launch_func" {
            // The arguments are the last group but one; an optional token follows them.
            let (operands, groups) = (ir::operands(op), segments(op).unwrap_or_default());
            let [before @ .., arguments, _] = &groups[..] else { return };
            let from = before.iter().sum::<usize>();
            if let Some(arguments) = operands.get(from..from + arguments) {
                self.call(op, "kernel", arguments);
            }
        }
    }

    fn note(&mut self, op: OperationRef<'c, 'c>) {
        match op_name(op) {
            "scf.for" => self.counted(op),
            "scf.while" => self.repeated(op),
            "scf.if" | "scf.execute_region" => {
                ir::blocks(op).into_iter().for_each(|block| self.yields(op, block));
            }
            "arith.select" => {
                if let ([_, one, other], Some(result)) = (&ir::operands(op)[..], ir::result(op, 0)) {
                    self.reaches(result, *one);
                    self.reaches(result, *other);
                }
            }
            "cf.br" => self.branch(op, 0, &ir::operands(op)),
            "cf.cond_br" => {
                let operands = ir::operands(op);
                let Some([_, to_first, _]) = segments(op).and_then(|s| <[usize; 3]>::try_from(s).ok()) else {
                    return;
                };
                let (first, second) = operands[1..].split_at(to_first.min(operands.len() - 1));
                self.branch(op, 0, first);
                self.branch(op, 1, second);
            }
            _ => {}
        }
    }

    fn reaches(&mut self, to: Value<'c, 'c>, from: Value<'c, 'c>) {
        self.0.entry(ir::identity(to)).or_default().push(from);
    }

    fn reach_arguments(&mut self, block: BlockRef<'c, 'c>, first: usize, values: &[Value<'c, 'c>]) {
        for (i, value) in values.iter().enumerate() {
            if let Some(argument) = ir::argument(block, first + i) {
                self.reaches(argument, *value);
            }
        }
    }

    fn reach_results(&mut self, op: OperationRef<'c, 'c>, values: &[Value<'c, 'c>]) {
        for (i, value) in values.iter().enumerate() {
            if let Some(result) = ir::result(op, i) {
                self.reaches(result, *value);
            }
        }
    }

    /// The arguments of a call or a launch reach the parameters of the function with this symbol.
    fn call(&mut self, op: OperationRef<'c, 'c>, symbol: &str, arguments: &[Value<'c, 'c>]) {
        let callee = op.attribute(symbol).ok().and_then(|symbol| ir::resolve(op, symbol));
        if let Some(entry) = callee.and_then(ir::body) {
            self.reach_arguments(entry, 0, arguments);
        }
    }

    fn branch(&mut self, op: OperationRef<'c, 'c>, successor: usize, values: &[Value<'c, 'c>]) {
        if let Ok(block) = op.successor(successor) {
            self.reach_arguments(block, 0, values);
        }
    }

    /// The values that a block yields reach the results.
    fn yields(&mut self, op: OperationRef<'c, 'c>, block: BlockRef<'c, 'c>) {
        if let Some(end) = ir::ops(block).last().filter(|end| op_name(**end) == "scf.yield") {
            self.reach_results(op, &ir::operands(*end));
        }
    }

    /// `scf.for`: bounds and step, then the values that iterations hand on after the counter.
    fn counted(&mut self, op: OperationRef<'c, 'c>) {
        let (Some(body), Some(first)) = (ir::body(op), ir::operands(op).get(3..).map(<[_]>::to_vec)) else {
            return;
        };
        let handed = ir::ops(body).last().map(|end| ir::operands(*end)).unwrap_or_default();
        for values in [&first[..], &handed] {
            self.reach_arguments(body, 1, values);
            self.reach_results(op, values);
        }
    }

    /// `scf.while`: the first region ends with a condition and the values for the second region
    /// and for the results. The second region ends with the values for the next iteration.
    fn repeated(&mut self, op: OperationRef<'c, 'c>) {
        let [before, after] = ir::blocks(op)[..] else { return };
        let end = |block| ir::ops(block).last().map(|end| ir::operands(*end)).unwrap_or_default();
        self.reach_arguments(before, 0, &ir::operands(op));
        self.reach_arguments(before, 0, &end(after));
        let handed = end(before).into_iter().skip(1).collect::<Vec<_>>();
        self.reach_arguments(after, 0, &handed);
        self.reach_results(op, &handed);
    }
}

/// The lengths of an op's groups of operands.
fn segments(op: OperationRef<'_, '_>) -> Option<Vec<usize>> {
    let sizes = DenseI32ArrayAttribute::try_from(op.attribute("operandSegmentSizes").ok()?).ok()?;
    (0..sizes.len()).map(|i| usize::try_from(sizes.element(i).ok()?).ok()).collect()
}
