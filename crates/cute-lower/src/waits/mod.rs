//! `cute-lower-waits`: turns `nvvm.mbarrier.try_wait.parity` into a loop around one
//! `nvvm.mbarrier.try_wait`. MLIR writes the op as assembly with a time limit, for which ptxas
//! generates a second path with a sleep. For the loop, ptxas generates one TRYWAIT that falls
//! through when the phase is complete. Sums stay before it ([`sums`]). Fences and waits of `wgmma`
//! hold the registers that it works on ([`ties`](crate::ties)). Marks of [`branches`] are removed.

mod sums;

use cute_ffi::{
    ir::{self, op_name, walk},
    rewrite::Rewriter,
};
use melior::ir::operation::OperationRef;

use crate::{Builder, Built, branches, ties};

const WAIT: &str = "nvvm.mbarrier.try_wait.parity";

/// Runs the pass.
pub fn run<'c>(rewriter: &'c Rewriter<'c>) -> Built<()> {
    branches::unmark(rewriter.root());
    ties::run(rewriter)?;
    ir::functions(rewriter.root()).into_iter().try_for_each(|function| sums::keep(rewriter, function))?;
    for op in walk(rewriter.root()).into_iter().filter(|op| op_name(*op) == WAIT) {
        wait(op)?;
        rewriter.erase(op);
    }
    Ok(())
}

fn wait<'c>(op: OperationRef<'c, 'c>) -> Built<()> {
    let b = Builder::before(op);
    let [barrier, parity, ..] = ir::operands(op)[..] else {
        return b.refuse("expects a barrier and a parity");
    };
    let flag = b.integer_type(1);
    b.while_loop(
        &[],
        |asked, _| {
            let over = asked.typed("nvvm.mbarrier.try_wait", &[barrier, parity], flag, &[])?;
            asked.xor(over, asked.truth(true)?)
        },
        |_, _| Ok(Vec::new()),
    )?;
    Ok(())
}
