//! A rewriter keeps erased ops until nothing can refer to them.

use super::*;
use crate::{
    ir::{insert_before, operands, type_of, walk},
    parse,
};
use melior::ir::Module;
use std::panic::{AssertUnwindSafe, catch_unwind};

const CHAIN: &str =
    "%a = \"t.a\"() : () -> i32 %b = \"t.b\"(%a) : (i32) -> i64 \"t.c\"(%a, %b) : (i32, i64) -> ()";

fn context() -> Context {
    let c = Context::new();
    c.set_allow_unregistered_dialects(true);
    c
}

/// Runs a pass on a module with that text.
fn pass<'c>(c: &'c Context, text: &str, f: impl FnOnce(&mut Rewriter<'c>)) -> Module<'c> {
    let module = parse::module(c, text, "test").expect("MLIR reads the text");
    // SAFETY: the module lives longer than the rewriter; references come only from the rewriter.
    f(&mut unsafe { Rewriter::new(module.as_operation().to_raw()) });
    module
}

/// The names of the ops below the root.
fn names<'c>(rewriter: &Rewriter<'c>) -> Vec<&'c str> {
    walk(rewriter.root()).into_iter().skip(1).map(op_name).collect()
}

fn made<'c, 'a>(op: OperationRef<'c, 'a>) -> Value<'c, 'a> {
    result(op, 0).expect("the op has a result")
}

#[test]
fn what_is_erased_is_gone_from_the_ir_and_can_still_be_read() {
    let c = context();
    let module = pass(&c, CHAIN, |rewriter| {
        let [_, a, b, last] = walk(rewriter.root())[..] else { panic!("three ops in a module") };
        rewriter.erase(last);
        assert_eq!(rewriter.users(made(a)).map(op_name).collect::<Vec<_>>(), ["t.b"]);
        assert!(!rewriter.is_used(made(b)));
        rewriter.erase(b);
        assert_eq!(names(rewriter), ["t.a"]);
        assert_eq!(operands(last)[..], [made(a), made(b)]);
        assert_eq!(type_of(made(b)).to_string(), "i64");
        assert!(last.to_string().contains("t.c"));
        assert_eq!(rewriter.bury(), Ok(()));
        assert_eq!(names(rewriter), ["t.a"]);
        assert!(!rewriter.is_used(made(walk(rewriter.root())[1])));
    });
    assert!(module.as_operation().verify());
}

#[test]
fn a_value_is_replaced_before_what_makes_it_is_destroyed() {
    let c = context();
    pass(&c, "%a = \"t.a\"() : () -> i32 %b = \"t.b\"() : () -> i32 \"t.c\"(%b) : (i32) -> ()", |rewriter| {
        let [_, a, b, last] = walk(rewriter.root())[..] else { panic!("three ops in a module") };
        rewriter.erase(b);
        rewriter.replace_uses(made(a), made(a));
        assert_eq!(operands(last)[..], [made(b)]);
        let old = catch_unwind(AssertUnwindSafe(|| rewriter.replace_uses(made(a), made(b))));
        assert!(old.is_err(), "what is erased does not replace anything");
    });
    pass(&c, CHAIN, |rewriter| {
        rewriter.erase(walk(rewriter.root())[2]);
        assert_eq!(rewriter.bury(), Err("'t.b' was erased, but 't.c' still uses it".to_string()));
        assert_eq!(names(rewriter), ["t.a", "t.c"], "the IR stays, and the values that it uses");
    });
}

#[test]
fn ops_with_regions_take_what_they_hold_along() {
    let c = context();
    let nested = "%a = \"t.a\"() : () -> i32
        \"t.outer\"() ({ %b = \"t.b\"(%a) : (i32) -> i32 \"t.c\"(%a, %b) : (i32, i32) -> () }) : () -> ()";
    pass(&c, nested, |rewriter| {
        let [_, a, outer, b, _] = walk(rewriter.root())[..] else { panic!("four ops in a module") };
        rewriter.erase(outer);
        assert!(!rewriter.is_used(made(a)) && !rewriter.is_used(made(b)));
        let again = catch_unwind(AssertUnwindSafe(|| rewriter.erase(b)));
        assert!(again.is_err(), "what is erased is not erased again");
        assert_eq!(rewriter.bury(), Ok(()));
        assert_eq!(names(rewriter), ["t.a"]);
    });
}

#[test]
fn a_pass_changes_nothing_outside_of_its_op() {
    let c = context();
    let text = "%a = \"t.a\"() : () -> i32 \"t.inner\"() ({ %b = \"t.b\"() : () -> i32 }) : () -> ()";
    let module = parse::module(&c, text, "test").expect("MLIR reads the text");
    let [_, a, inner, b] = walk(module.as_operation())[..] else { panic!("three ops in a module") };
    // SAFETY: the module lives longer than the rewriter, which frees nothing.
    let rewriter = unsafe { Rewriter::new(inner.to_raw()) };
    for change in [
        &(|| rewriter.erase(a)) as &dyn Fn(),
        &|| rewriter.erase(inner),
        &|| rewriter.replace_uses(made(b), made(a)),
        &|| rewriter.set_type(made(a), type_of(made(b))),
    ] {
        assert!(catch_unwind(AssertUnwindSafe(change)).is_err());
    }
    assert_eq!(walk(module.as_operation()).len(), 4);
}

/// The message of a panic.
fn panic_of(f: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(f)).expect_err("this is refused");
    let formatted = panic.downcast_ref::<String>().cloned();
    formatted.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string)).expect("panics have a text")
}

const NESTED: &str = "%a = \"t.a\"() : () -> i32
    \"t.outer\"() ({ %b = \"t.b\"(%a) : (i32) -> i32 \"t.inner\"() ({}) : () -> () \"t.c\"(%b) : (i32) -> () }) : () -> ()
    \"t.last\"() ({}) : () -> ()";

#[test]
fn nothing_moves_into_itself() {
    let c = context();
    let module = pass(&c, NESTED, |rewriter| {
        let [_, _, outer, b, inner, c, last] = walk(rewriter.root())[..] else { panic!("six ops") };
        assert_eq!(panic_of(|| rewriter.move_before(outer, b)), "'t.outer' cannot move into itself");
        assert_eq!(
            panic_of(|| rewriter.move_body(outer, inner)),
            "the blocks of 't.outer' cannot move into themselves"
        );
        rewriter.move_before(outer, outer);
        rewriter.move_before(c, c);
        assert_eq!(names(rewriter), ["t.a", "t.outer", "t.b", "t.inner", "t.c", "t.last"]);
        rewriter.move_body(outer, last);
        rewriter.move_before(outer, b);
        assert_eq!(names(rewriter), ["t.a", "t.last", "t.outer", "t.b", "t.inner", "t.c"]);
    });
    assert!(module.as_operation().verify());
}

#[test]
fn operands_are_values_of_the_ir_that_the_pass_changes() {
    let c = context();
    let other = parse::module(&c, CHAIN, "test").expect("MLIR reads the text");
    let foreign = walk(other.as_operation())[1];
    let module = pass(&c, CHAIN, |rewriter| {
        let [_, a, b, last] = walk(rewriter.root())[..] else { panic!("three ops in a module") };
        let refused = "'t.c' and its operands are in the IR that the pass changes";
        assert_eq!(panic_of(|| rewriter.set_operands(last, &[made(a), made(foreign)])), refused);
        rewriter.set_operands(last, &[made(a)]);
        assert_eq!(operands(last)[..], [made(a)]);
        rewriter.erase(b);
        assert_eq!(panic_of(|| rewriter.set_operands(last, &[made(b)])), refused);
        assert!(catch_unwind(AssertUnwindSafe(|| rewriter.set_operands(foreign, &[]))).is_err());
    });
    assert!(module.as_operation().verify());
}

#[test]
fn what_is_inserted_uses_values_of_its_module() {
    let c = context();
    let own = parse::module(&c, NESTED, "test").expect("MLIR reads the text");
    let other = parse::module(&c, NESTED, "test").expect("MLIR reads the text");
    let [_, _, _, _, _, c, last] = walk(own.as_operation())[..] else { panic!("six ops") };
    let [_, _, outer, b, ..] = walk(other.as_operation())[..] else { panic!("six ops") };
    // The copies use %a of the other module, the second one inside of its region.
    for foreign in [b, outer] {
        assert_eq!(
            panic_of(|| _ = insert_before(last, (*foreign).clone())),
            "an op before 't.last' uses a value of another module"
        );
    }
    insert_before(last, (*c).clone());
    assert_eq!(walk(own.as_operation()).len(), 8, "the values of another region are those of the module");
    let [.., outer, _, _, _, _, _] = walk(own.as_operation())[..] else { panic!("seven ops") };
    insert_before(outer, (*outer).clone());
    assert_eq!(walk(own.as_operation()).len(), 12);
}

#[test]
fn nothing_inside_an_erased_op_stays_in_use() {
    let c = context();
    let text = "%a = \"t.a\"() : () -> i32
        \"t.outer\"() ({ ^bb(%x: i32): %b = \"t.b\"() : () -> i32 }) : () -> () \"t.c\"(%a) : (i32) -> ()";
    for argument in [false, true] {
        pass(&c, text, |rewriter| {
            let [_, a, outer, b, _] = walk(rewriter.root())[..] else { panic!("four ops in a module") };
            let inside = if argument { block_argument(outer, 0).expect("it has one") } else { made(b) };
            rewriter.replace_uses(made(a), inside);
            rewriter.erase(outer);
            let name = if argument { "t.outer" } else { "t.b" };
            assert_eq!(rewriter.bury(), Err(format!("'{name}' was erased, but 't.c' still uses it")));
        });
    }
}
