//! Integers that are computed alike from the same values have one number, and a coordinate is
//! described by the numbers of all that it is computed from.

use std::collections::BTreeSet;

use cute_ffi::ir::{self, op_name};
use melior::ir::Value;
use rustc_hash::{FxHashMap, FxHashSet};

/// The number of a value.
pub(super) type Number = usize;

/// The numbers of the integers of a function.
#[derive(Default)]
pub(super) struct Numbers {
    of_values: FxHashMap<usize, Number>,
    /// The numbers by operation, with its attributes and type, and operands.
    of_ops: FxHashMap<(String, Vec<Number>), Number>,
    /// Those that are computed from nothing: arguments, registers, results of other ops.
    leaves: FxHashSet<Number>,
    count: Number,
}

impl Numbers {
    /// All that an integer or a coordinate is computed from, itself included, except constants and
    /// whatever depends on the number of a thread.
    pub(super) fn behind(&mut self, value: Value<'_, '_>) -> BTreeSet<Number> {
        let mut found = BTreeSet::new();
        self.collect(value, &mut found);
        found
    }

    /// Whether all arguments and registers behind some integers are among others.
    pub(super) fn come_from(&self, numbers: &BTreeSet<Number>, others: &BTreeSet<Number>) -> bool {
        numbers.iter().all(|number| !self.leaves.contains(number) || others.contains(number))
    }

    fn leaf(&mut self, value: Value<'_, '_>) -> Number {
        let number = self.number(value);
        self.leaves.insert(number);
        number
    }

    /// Collects; returns whether the value is the same for all threads of a block.
    fn collect(&mut self, value: Value<'_, '_>, found: &mut BTreeSet<Number>) -> bool {
        let Some(op) = ir::definer(value) else {
            found.insert(self.leaf(value));
            return true;
        };
        if is_thread(op_name(op)) {
            return false;
        }
        if !is_computed(op_name(op)) {
            found.insert(self.leaf(value));
            return true;
        }
        let operands = ir::operands(op);
        if operands.is_empty() {
            if !is_constant(op_name(op)) {
                found.insert(self.leaf(value));
            }
            return true;
        }
        let mut own = BTreeSet::new();
        // Each operand is visited, whatever the others are.
        let alike = operands.iter().filter(|operand| !self.collect(**operand, &mut own)).count() == 0;
        if alike && !own.is_empty() {
            own.insert(self.number(value));
        }
        found.append(&mut own);
        alike
    }

    fn number(&mut self, value: Value<'_, '_>) -> Number {
        if let Some(number) = self.of_values.get(&ir::identity(value)) {
            return *number;
        }
        let computed = ir::definer(value).filter(|op| is_computed(op_name(*op)));
        let number = match computed {
            None => self.next(),
            Some(op) => {
                let operands = ir::operands(op).iter().map(|operand| self.number(*operand)).collect();
                let (attributes, t) = (ir::attribute_dictionary(op), ir::type_of(value));
                let key = (format!("{} {attributes} {t}", op_name(op)), operands);
                match self.of_ops.get(&key) {
                    Some(number) => *number,
                    None => {
                        let number = self.next();
                        self.of_ops.insert(key, number);
                        number
                    }
                }
            }
        };
        self.of_values.insert(ir::identity(value), number);
        number
    }

    fn next(&mut self) -> Number {
        self.count += 1;
        self.count
    }
}

/// Whether an op of one result computes it from its operands alone, or reads what never changes.
fn is_computed(name: &str) -> bool {
    const OURS: [&str; 9] = [
        "cute.static",
        "cute.make_coord",
        "cute.make_int_tuple",
        "cute.get_scalars",
        "cute.size",
        "cute.tuple_add",
        "cute.tuple_mul",
        "cute_nvgpu.arch.make_warp_uniform",
        "gpu.block_id",
    ];
    name.starts_with("arith.") || name.starts_with("nvvm.read.ptx.sreg.") || OURS.contains(&name)
}

fn is_constant(name: &str) -> bool {
    matches!(name, "arith.constant" | "cute.static" | "cute.make_coord" | "cute.make_int_tuple")
}

/// Whether an op tells threads of a block apart.
fn is_thread(name: &str) -> bool {
    let registers = ["tid.", "laneid", "warpid"];
    let register = name.strip_prefix("nvvm.read.ptx.sreg.");
    register.is_some_and(|register| registers.iter().any(|own| register.starts_with(own)))
        || name.starts_with("gpu.thread_id")
        || name == "gpu.lane_id"
}
