//! `cute-lower-waits`: turns `nvvm.mbarrier.try_wait.parity` into a loop around one
//! `nvvm.mbarrier.try_wait`. MLIR writes the op as assembly with a time limit, for which ptxas
//! generates a second path with a sleep. For the loop, ptxas generates one TRYWAIT that falls
//! through when the phase is complete. Fences and waits of `wgmma` hold the registers that it works
//! on ([`ties`](crate::ties)).

use cute_ffi::{
    ir::{self, op_name, walk},
    rewrite::Rewriter,
};
use melior::ir::{
    BlockLike, Region, RegionLike, Type,
    operation::{OperationBuilder, OperationRef},
    r#type::IntegerType,
};

use crate::{
    build::{Build, Built},
    ties,
};

const WAIT: &str = "nvvm.mbarrier.try_wait.parity";

/// Whether an op has waits that the pass changes.
pub fn any(root: OperationRef<'_, '_>) -> bool {
    walk(root).into_iter().any(|op| op_name(op) == WAIT || ties::holds(op))
}

/// Runs the pass.
pub fn run<'c>(rewriter: &'c Rewriter<'c>) -> Built<()> {
    ties::run(rewriter)?;
    for op in walk(rewriter.root()).into_iter().filter(|op| op_name(*op) == WAIT) {
        wait(rewriter, op)?;
        rewriter.erase(op);
    }
    Ok(())
}

fn wait<'c>(rewriter: &Rewriter<'c>, op: OperationRef<'c, 'c>) -> Built<()> {
    let b = Build::before(op);
    let [barrier, parity, ..] = ir::operands(op)[..] else {
        return b.refuse("expects a barrier and a parity");
    };
    let end = || OperationBuilder::new("scf.yield", b.location()).build().expect("it has no operands");
    let regions = [Region::new(), Region::new()];
    regions.iter().for_each(|region| _ = region.append_block(ir::block(&[])).append_operation(end()));
    let looped = b.effect("scf.while", &[], &[], regions.into())?;
    let end = ir::body(looped).and_then(ir::first_op).expect("it was appended");
    let asked = Build::before(end);
    let flag: Type = IntegerType::new(b.context(), 1).into();
    let over = asked.typed("nvvm.mbarrier.try_wait", &[barrier, parity], flag, &[])?;
    let open = asked.inferred("arith.xori", &[over, asked.flag(true)?], &[])?;
    asked.effect("scf.condition", &[open], &[], Vec::new())?;
    rewriter.erase(end);
    Ok(())
}
