//! Changes to the IR by a running pass.
//!
//! A reference to an op or a value is a copy of MLIR's pointer, so the op or value must not be
//! freed while a reference may exist. All references borrow from [`Rewriter::root`]:
//!
//! * A method that takes the rewriter by shared reference frees nothing. An erased op moves to the
//!   rewriter's graveyard, and remains a valid op until nothing can refer to it.
//! * A method that takes the rewriter mutably may free ops, because no references exist.

use std::{ffi::c_void, iter::successors, marker::PhantomData};

use melior::{
    Context,
    ir::{
        BlockLike, Module, Type, TypeLike, Value, ValueLike,
        operation::{OperationLike, OperationRef},
    },
};
use mlir_sys::*;

use crate::ir::{
    ancestors, arguments, block_argument, blocks, body, functions, is_function, op_name, result, scope_of,
    some, walk_outer,
};

unsafe extern "C" {
    fn cuteApplyPatterns(op: MlirOperation, which: i32) -> bool;
    fn cuteSignaturesNew(c: MlirContext) -> *mut c_void;
    fn cuteSignaturesDelete(s: *mut c_void);
    fn cuteSignaturesConvert(s: *mut c_void, op: MlirOperation) -> bool;
}

/// Sets of MLIR patterns that are not available through a pass or the C API: `CutePatterns` of
/// Boundary.h.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patterns {
    /// Replaces functions of the `math` dialect on f32 by polynomials and similar approximations.
    Polynomials,
    /// Replaces `vector.multi_reduction` by vector ops, and `gpu.subgroup_reduce` by shuffles.
    Reductions,
}

/// A running pass.
pub struct Rewriter<'c> {
    root: MlirOperation,
    /// A block outside any region that holds the erased ops.
    graveyard: MlirBlock,
    context: PhantomData<&'c Context>,
}

impl<'c> Rewriter<'c> {
    /// # Safety
    /// A pass runs on `root`, which outlives the rewriter, in a context that lives for `'c`. All
    /// references to ops inside come from the rewriter.
    pub(crate) unsafe fn new(root: MlirOperation) -> Self {
        Self { root, graveyard: empty_block(), context: PhantomData }
    }

    /// Rewrites a module outside of a pass.
    ///
    /// # Panics
    /// Panics if an erased op still has uses.
    pub fn rewrite<R>(module: &mut Module<'c>, f: impl FnOnce(&mut Self) -> R) -> R {
        // SAFETY: the module is borrowed for as long, so there are no other references to its ops.
        let mut rewriter = unsafe { Self::new(module.as_operation().to_raw()) };
        let result = f(&mut rewriter);
        rewriter.bury().unwrap_or_else(|why| panic!("{why}"));
        result
    }

    /// The op that the pass runs on.
    pub fn root(&self) -> OperationRef<'c, '_> {
        // SAFETY: promised to `new`; methods that free ops take the rewriter mutably.
        unsafe { OperationRef::from_raw(self.root) }
    }

    /// Removes an op from the IR. References to it stay valid. Its results must have no uses when
    /// the pass ends.
    pub fn erase(&self, op: OperationRef<'_, '_>) {
        assert!(self.is_inside(op.to_raw()), "'{}' is not in the IR that the pass changes", op_name(op));
        // SAFETY: the op is live and in a block; its new block lives as long as references to the
        // op.
        unsafe {
            mlirOperationRemoveFromParent(op.to_raw());
            mlirBlockAppendOwnedOperation(self.graveyard, op.to_raw());
        }
    }

    /// Moves the blocks of the first region of an op to that of another, which must be empty and
    /// not be among them.
    pub fn move_body(&self, from: OperationRef<'_, '_>, to: OperationRef<'_, '_>) {
        let both = [from, to];
        assert!(
            both.iter().all(|op| self.is_inside(op.to_raw()) && op.region_count() > 0),
            "both have a body"
        );
        assert!(
            from == to || !is_within(to.to_raw(), from.to_raw()),
            "the blocks of '{}' cannot move into themselves",
            op_name(from)
        );
        // SAFETY: both regions are live and below the op of the pass; blocks that move stay live.
        unsafe {
            let [from, to] = both.map(|op| mlirOperationGetRegion(op.to_raw(), 0));
            assert!(mlirRegionGetFirstBlock(to).ptr.is_null(), "blocks are moved to where there are none");
            mlirRegionTakeBody(to, from);
        }
    }

    /// Moves an op before another, which must not be inside of it.
    pub fn move_before(&self, op: OperationRef<'_, '_>, anchor: OperationRef<'_, '_>) {
        let both = [op, anchor];
        assert!(
            both.iter().all(|op| self.is_inside(op.to_raw())),
            "both are in the IR that the pass changes"
        );
        assert!(
            op == anchor || !is_within(anchor.to_raw(), op.to_raw()),
            "'{}' cannot move into itself",
            op_name(op)
        );
        // SAFETY: both are live and in blocks below the op of the pass; an op that moves stays
        // live.
        unsafe { mlirOperationMoveBefore(op.to_raw(), anchor.to_raw()) }
    }

    /// Replaces the operands of an op.
    pub fn set_operands(&self, op: OperationRef<'_, '_>, operands: &[Value<'_, '_>]) {
        assert!(
            self.is_inside(op.to_raw()) && operands.iter().all(|v| self.has(*v)),
            "'{}' and its operands are in the IR that the pass changes",
            op_name(op)
        );
        let operands: Vec<_> = operands.iter().map(ValueLike::to_raw).collect();
        // SAFETY: the op and its operands are live, and none is freed before its uses: see `bury`.
        // MLIR copies the list.
        unsafe { mlirOperationSetOperands(op.to_raw(), operands.len() as isize, operands.as_ptr()) }
    }

    /// Replaces every use of `old`.
    pub fn replace_uses(&self, old: Value<'_, '_>, new: Value<'_, '_>) {
        assert!(
            self.has(old) && self.has(new),
            "values are replaced, and replace, in the IR that the pass changes"
        );
        // SAFETY: both are live. The new one is not freed before its uses: see `bury`.
        unsafe { mlirValueReplaceAllUsesOfWith(old.to_raw(), new.to_raw()) }
    }

    /// Changes the type of a value; its uses must accept the new type.
    pub fn set_type(&self, value: Value<'_, '_>, t: Type<'_>) {
        assert!(self.has(value), "types change in the IR that the pass changes");
        // SAFETY: both are live; MLIR frees a type with its context.
        unsafe { mlirValueSetType(value.to_raw(), t.to_raw()) }
    }

    /// The ops that use a value, once per use; erased ops are left out.
    pub fn users<'a>(&'a self, value: Value<'c, 'a>) -> impl Iterator<Item = OperationRef<'c, 'a>> {
        owners(value).filter(|op| self.is_inside(*op)).map(|op| {
            // SAFETY: the owner of a use is live.
            unsafe { OperationRef::from_raw(op) }
        })
    }

    /// Whether anything uses a value.
    pub fn is_used(&self, value: Value<'_, '_>) -> bool {
        owners(value).any(|op| self.is_inside(op))
    }

    /// Rewrites the contents of the pass's op, which must be isolated from above, until no pattern
    /// applies. Returns whether this converged.
    pub fn apply(&mut self, which: Patterns) -> bool {
        self.bury().unwrap_or_else(|why| panic!("{why}"));
        // SAFETY: the op is live, and there are no references to its contents; the numbers are
        // those of `CutePatterns`.
        unsafe { cuteApplyPatterns(self.root, which as i32) }
    }

    /// Rewrites one function after another: its signature, calls and structured control flow get
    /// the dynamic leaves of their values, with casts between converted and unconverted values, and
    /// `lower` does the rest. What it erases is freed before the next function, so that MLIR reuses
    /// the memory. Returns whether every function could be converted.
    pub fn convert_functions<E>(
        &mut self,
        mut lower: impl for<'a> FnMut(&'a Rewriter<'a>, OperationRef<'a, 'a>) -> Result<(), E>,
    ) -> Result<bool, E> {
        self.bury().unwrap_or_else(|why| panic!("{why}"));
        let functions: Vec<_> = functions(self.root()).into_iter().map(|f| f.to_raw()).collect();
        // SAFETY: the context is live.
        let signatures = Signatures(unsafe { cuteSignaturesNew(mlirOperationGetContext(self.root)) });
        for function in functions {
            // SAFETY: the function is live, since none was erased; no function is inside another,
            // and there are no references to its contents.
            if !unsafe { cuteSignaturesConvert(signatures.0, function) } {
                return Ok(false);
            }
            // SAFETY: as above; the reference ends before the rewriter is changed.
            lower(self, unsafe { OperationRef::from_raw(function) })?;
            self.bury_all(|op| assert!(!is_function(op), "functions stay where they are"))
                .unwrap_or_else(|why| panic!("{why}"));
        }
        Ok(true)
    }

    /// The erased ops, and those inside of them.
    fn erased(&self) -> Vec<OperationRef<'c, '_>> {
        let mut all = Vec::new();
        // SAFETY: the erased ops are live until they are buried.
        let outer = unsafe {
            let first = some(mlirBlockGetFirstOperation(self.graveyard));
            successors(first, |op| some(mlirOperationGetNextInBlock(*op)))
                .map(|op| OperationRef::from_raw(op))
        };
        for op in outer {
            walk_outer(op, |op| {
                all.push(op);
                true
            });
        }
        all
    }

    /// Destroys the erased ops. If the IR still uses a value of one, or of an op inside of one, all
    /// of them are leaked instead, and the error names the op.
    pub(crate) fn bury(&mut self) -> Result<(), String> {
        self.bury_all(|_| ())
    }

    /// [`bury`](Self::bury), after a look at each erased op.
    fn bury_all(&mut self, look: impl Fn(OperationRef<'c, '_>)) -> Result<(), String> {
        // There are no references to the erased ops. Their operands are dropped first, because they
        // may use their own results.
        let erased = self.erased();
        for op in &erased {
            look(*op);
            // SAFETY: the op is live.
            unsafe { mlirOperationSetOperands(op.to_raw(), 0, std::ptr::null()) }
        }
        let user = |op: &OperationRef<'c, '_>| {
            let results = (0..op.result_count()).filter_map(|i| result(*op, i)).flat_map(owners).next();
            let arguments = || blocks(*op).into_iter().flat_map(arguments).flat_map(owners).next();
            let user = results.or_else(arguments)?;
            // SAFETY: the owner of a use is live.
            let user = op_name(unsafe { OperationRef::from_raw(user) });
            Some(format!("'{}' was erased, but '{user}' still uses it", op_name(*op)))
        };
        let used = erased.iter().find_map(user);
        let graveyard = std::mem::replace(&mut self.graveyard, empty_block());
        match used {
            Some(why) => Err(why),
            None => {
                // SAFETY: the rewriter owns the block, and its contents have no uses.
                unsafe { mlirBlockDestroy(graveyard) };
                Ok(())
            }
        }
    }

    /// Erases arguments of the first blocks of functions, by the function and their number. They
    /// must have no uses. The caller must change the type of the function.
    pub fn erase_arguments(&mut self, is_erased: impl Fn(OperationRef<'c, '_>, usize) -> bool) {
        self.bury().unwrap_or_else(|why| panic!("{why}"));
        for function in functions(self.root()) {
            let Some(entry) = body(function) else { continue };
            for i in (0..entry.argument_count()).rev().filter(|i| is_erased(function, *i)) {
                let argument = block_argument(function, i).expect("the block has as many");
                assert!(
                    owners(argument).next().is_none(),
                    "something uses argument {i} of '{}'",
                    op_name(function)
                );
                // SAFETY: the block is live, and there are no references to its arguments.
                unsafe { mlirBlockEraseArgument(entry.to_raw(), i as u32) }
            }
        }
    }

    /// Whether a value belongs to the IR that the pass changes.
    fn has(&self, value: Value<'_, '_>) -> bool {
        is_within(scope_of(value.to_raw()), self.root)
    }

    /// Whether a live op is below the op of the pass.
    fn is_inside(&self, op: MlirOperation) -> bool {
        op.ptr != self.root.ptr && is_within(op, self.root)
    }
}

/// MLIR's structural conversion of types.
struct Signatures(*mut c_void);

impl Drop for Signatures {
    fn drop(&mut self) {
        // SAFETY: it was made once, and is deleted once.
        unsafe { cuteSignaturesDelete(self.0) }
    }
}

impl Drop for Rewriter<'_> {
    fn drop(&mut self) {
        // A successful pass has already called `bury`; a failed pass may leave erased ops in use.
        let _ = self.bury();
        // SAFETY: the block is empty, and the rewriter owns it.
        unsafe { mlirBlockDestroy(self.graveyard) }
    }
}

fn empty_block() -> MlirBlock {
    // SAFETY: no argument is read.
    unsafe { mlirBlockCreate(0, std::ptr::null(), std::ptr::null()) }
}

/// Whether a live op is another or is below it.
fn is_within(op: MlirOperation, other: MlirOperation) -> bool {
    ancestors(op).any(|op| op.ptr == other.ptr)
}

/// The ops that use a live value, including erased ones.
fn owners(value: Value<'_, '_>) -> impl Iterator<Item = MlirOperation> + use<> {
    // SAFETY: the uses of a live value form a list that ends in null; the owner of each is live.
    unsafe {
        let some = |operand: MlirOpOperand| (!mlirOpOperandIsNull(operand)).then_some(operand);
        let first = some(mlirValueGetFirstUse(value.to_raw()));
        successors(first, move |operand| some(mlirOpOperandGetNextUse(*operand)))
            .map(|operand| mlirOpOperandGetOwner(operand))
    }
}

#[cfg(test)]
mod tests;
