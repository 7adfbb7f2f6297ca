//! Ops that have an effect in `td/`, and ops whose results need code that their leaves do not
//! provide. Each is lowered by its own function, which emits code and returns the results. All
//! other ops are evaluated.

mod address;
pub(super) mod allocation;
mod atom;
mod compare;
mod descriptor;
mod divmod;
mod matrix;
mod memory;
mod print;
mod register;
mod tma;

use std::rc::Rc;

use cute_dialect::ops::{Call, eval};
use cute_ffi::{ir, ops::EffectKind};
use melior::ir::{Type, Value, operation::OperationRef};

use self::allocation::Storage;
use super::{
    report,
    values::{Made, Values},
};
use crate::{
    Builder, Built,
    emit::{Emit, Expr, Graph},
    print::Formats,
    shared::Shared,
};

/// The results of an op, in order.
type Lowered<'c> = Built<Vec<Made<'c>>>;

/// An op to lower, and everything that its lowering may use.
pub(super) struct Site<'a, 'c> {
    /// The op. Its code is placed before it.
    pub op: OperationRef<'c, 'c>,
    /// The op's operands and attributes.
    pub call: &'a Call<'a, 'c, Emit<'c>>,
    /// The known values before the op.
    pub values: &'a Values<'c>,
    /// The first op of the function.
    pub entry: OperationRef<'c, 'c>,
    /// Where the function's allocations in dynamic shared memory lie.
    pub shared: &'a Shared,
    /// The allocated memory.
    pub storage: &'a mut Storage,
    /// The formats of messages.
    pub formats: &'a Formats,
}

/// Lowers an op by the function of its kind.
pub(super) fn lower<'c>(kind: EffectKind, at: &mut Site<'_, 'c>) -> Lowered<'c> {
    use EffectKind as K;
    match kind {
        K::AtomGetValue => atom::get_value(at),
        K::Copy | K::CopyAtomCall | K::Gemm | K::MmaAtomCall | K::Prefetch | K::PrefetchAtomCall => {
            at.needs("cute-expand-copy-gemm and cute-lower-atoms")
        }
        K::ElemLess => compare::elem_less(at),
        K::Equal => compare::equal(at),
        K::FastDivmodCompute => divmod::compute(at),
        K::FastDivmodCreateDivisor => divmod::create(at),
        K::GetCopyS2tSmemDescView => matrix::of_copy(at),
        K::GetDynSmemSize => register::dynamic_shared_memory(at),
        K::KernelSmemSize => at.needs("cuda-to-gpu"),
        K::SmemPartitionSize => allocation::partition_size(at),
        K::GetDynSmem | K::MemRefAlloca | K::MemRefAllocSmem | K::MmaMakeFragment => allocation::allocate(at),
        K::IntToPtr => address::from_integer(at),
        K::MakeFragmentLike => allocation::fragment_like(at),
        K::MakeWarpUniform => register::of_first_lane(at),
        K::MakeNonExecTiledTmaLoad | K::MakeNonExecTiledTmaStore | K::MakeNonExecTiledTmaReduce => {
            descriptor::make(at)
        }
        K::AllocTmem | K::RetrieveTmemPtr | K::DeallocTmem | K::RelinquishTmemAllocPermit => {
            at.needs("cute-lower-atoms")
        }
        K::PrintView => at.needs("cute-expand-copy-gemm"),
        K::MemRefLoad => memory::load(at),
        K::MemRefLoadVec => memory::load_vector(at),
        K::MemRefStore => memory::store(at),
        K::MemRefStoreVec => memory::store_vector(at),
        K::PrefetchTmaDesc => tma::prefetch_descriptor(at),
        K::CopyTmaDesc => tma::copy_descriptor(at),
        K::UpdateTmaDesc => tma::update_descriptor(at),
        K::PlacementConvert => at.needs("cute-lower-atoms"),
        K::Print => print::print(at),
        K::PtrToInt => address::to_integer(at),
    }
}

impl<'a, 'c> Site<'a, 'c> {
    /// The expressions of the function.
    fn graph(&self) -> &'a Rc<Graph<'c>> {
        &self.values.graph
    }

    /// Operand `i` as an SSA value; the verifier has checked the number of operands.
    fn operand(&self, i: usize) -> Value<'c, 'c> {
        ir::operands(self.op)[i]
    }

    /// The type of result `i`; the verifier has checked the number of results.
    fn result_type(&self, i: usize) -> Type<'c> {
        ir::type_of(ir::result(self.op, i).expect("the op has this result"))
    }

    /// An answer of `cute-dialect`; a refusal is reported at the op.
    fn ask<T>(&self, answer: Result<T, cute_dialect::Error>) -> Built<T> {
        answer.map_err(|why| report(self.op, self.call.kind, &why))
    }

    /// The op's results, evaluated from its operands.
    fn evaluated(&self) -> Lowered<'c> {
        Ok(self.ask(eval(self.call))?.into_iter().map(Made::Value).collect())
    }

    /// The results are these SSA values of another dialect.
    fn made<const N: usize>(&self, values: [Value<'c, 'c>; N]) -> Lowered<'c> {
        let one = |value| Made::Leaves(vec![Expr::Value(self.graph().clone(), value)]);
        Ok(values.map(one).into())
    }

    /// Refuses an op that other passes lower.
    fn needs<T>(&self, passes: &str) -> Built<T> {
        let name = self.call.kind.name();
        Builder::before(self.op).fail(&format!("'{name}' op reached cute-to-base: run {passes} before it"))
    }
}
