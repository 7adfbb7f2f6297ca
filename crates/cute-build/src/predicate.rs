//! The predicates of comparisons as attributes of ops.

pub use cute_machine::predicate::{FloatPredicate, IntPredicate};
use melior::{
    Context,
    ir::{Attribute, attribute::IntegerAttribute, r#type::IntegerType},
};

/// The attribute `predicate` of an op, by the number that MLIR gives a predicate.
pub fn attribute(c: &Context, number: i64) -> (&'static str, Attribute<'_>) {
    ("predicate", IntegerAttribute::new(IntegerType::new(c, 64).into(), number).into())
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
        let module = cute_ffi::parse::module(c, &text, "test").expect("MLIR spells it so");
        let found = |op: &OperationRef<'c, '_>| op.attribute("predicate").ok();
        let ops = cute_ffi::ir::walk(module.as_operation());
        ops.iter().find_map(found).expect("the comparison has a predicate")
    }

    #[test]
    fn the_numbers_are_those_of_mlir() {
        let c = Context::new();
        c.set_allow_unregistered_dialects(true);
        DialectHandle::arith().load_dialect(&c);
        for predicate in IntPredicate::ALL {
            let spelling = format!("{predicate:?}").to_lowercase();
            assert_eq!(
                spelled(&c, "arith.cmpi", "i32", &spelling),
                attribute(&c, predicate.number()).1,
                "{spelling}"
            );
        }
        for predicate in FloatPredicate::ALL {
            let spelling = format!("{predicate:?}").to_lowercase().replace("always", "");
            assert_eq!(
                spelled(&c, "arith.cmpf", "f32", &spelling),
                attribute(&c, predicate.number()).1,
                "{spelling}"
            );
        }
    }
}
