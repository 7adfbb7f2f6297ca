//! The predicates of comparisons as attributes of ops: `arith.cmpi` and `llvm.icmp` share their
//! numbers, and so do `arith.cmpf` and `llvm.fcmp`.

use melior::{
    Context,
    ir::{Attribute, attribute::IntegerAttribute, r#type::IntegerType},
};

macro_rules! predicates {
    ($(#[$doc:meta])* $name:ident { $($case:ident,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[allow(missing_docs)]
        pub enum $name { $($case),* }

        impl $name {
            /// All of them, in the order of their numbers.
            pub const ALL: &[Self] = &[$(Self::$case),*];

            /// The predicate with that number.
            pub fn from_number(number: i64) -> Option<Self> {
                Self::ALL.get(usize::try_from(number).ok()?).copied()
            }

            /// The attribute `predicate` of an op.
            pub fn attribute<'c>(self, c: &'c Context) -> (&'static str, Attribute<'c>) {
                let number = IntegerAttribute::new(IntegerType::new(c, 64).into(), self as i64);
                ("predicate", number.into())
            }
        }
    };
}

predicates! {
    /// Predicates of integers; `S` is signed, `U` unsigned.
    IntPredicate { Eq, Ne, Slt, Sle, Sgt, Sge, Ult, Ule, Ugt, Uge, }
}

predicates! {
    /// Predicates of floats: `O` holds only for ordered numbers, `U` also if one of the two is NaN.
    FloatPredicate {
        AlwaysFalse, Oeq, Ogt, Oge, Olt, Ole, One, Ord, Ueq, Ugt, Uge, Ult, Ule, Une, Uno, AlwaysTrue,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use melior::{
        dialect::DialectHandle,
        ir::operation::{OperationLike, OperationRef},
    };

    /// Reads the predicate attribute of a comparison in this spelling.
    fn spelled<'c>(c: &'c Context, op: &str, t: &str, spelling: &str) -> Attribute<'c> {
        let text = format!("%0 = \"x\"() : () -> {t} %1 = {op} {spelling}, %0, %0 : {t}");
        let module = crate::parse::module(c, &text, "test").expect("MLIR spells it so");
        let found = |op: &OperationRef<'c, '_>| op.attribute("predicate").ok();
        let ops = crate::ir::walk(module.as_operation());
        ops.iter().find_map(found).expect("the comparison has a predicate")
    }

    #[test]
    fn the_numbers_are_those_of_mlir() {
        let c = Context::new();
        c.set_allow_unregistered_dialects(true);
        DialectHandle::arith().load_dialect(&c);
        for predicate in IntPredicate::ALL {
            let spelling = format!("{predicate:?}").to_lowercase();
            assert_eq!(spelled(&c, "arith.cmpi", "i32", &spelling), predicate.attribute(&c).1, "{spelling}");
        }
        for predicate in FloatPredicate::ALL {
            let spelling = format!("{predicate:?}").to_lowercase().replace("always", "");
            assert_eq!(spelled(&c, "arith.cmpf", "f32", &spelling), predicate.attribute(&c).1, "{spelling}");
        }
    }
}
