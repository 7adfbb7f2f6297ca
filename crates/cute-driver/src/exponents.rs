//! A remark on loops that spend their time on subnormal results of `exp2`.
//!
//! `ex2.approx.f32` keeps subnormals, which the hardware's instruction does not: ptxas makes four
//! instructions of it, `FSETP`, `FMUL`, `MUFU.EX2`, `FMUL`. `ex2.approx.ftz.f32` is `MUFU.EX2`
//! alone.

use std::collections::HashMap;

use cute_ffi::{Severity, emit, ir};
use melior::ir::operation::OperationRef;

use crate::{manifest, signature};

/// The instructions that ptxas adds to one `ex2.approx.f32` for subnormals.
const EXTRA: usize = 3;

/// The least share of a loop that is worth a remark: one in ten.
const LEAST: usize = 10;

/// A loop in which `exp2` keeps subnormals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Costly {
    /// The instructions that this takes.
    extra: usize,
    /// The instructions of the loop: those of PTX, and the extra ones.
    all: usize,
}

/// Remarks on the kernels of a lowered module whose PTX has such a loop, at their first `exp2`.
pub(crate) fn remark(gpu_module: OperationRef<'_, '_>, ptx: &str) {
    if !ptx.contains("ex2.approx.f32") {
        return;
    }
    let costly = costly(ptx);
    for kernel in manifest::kernels(gpu_module) {
        let Some(Costly { extra, all }) = costly.get(&*signature::symbol(kernel)) else { continue };
        let exponent = ir::walk(kernel).into_iter().find(|op| is_exp2(*op));
        let text = format!(
            "about {extra} of {all} instructions of a loop keep subnormal results of exp2: `math.exp2 .. fastmath<fast>` \
             is one instruction, which gives 0 for them"
        );
        emit(ir::location(exponent.unwrap_or(kernel)), Severity::Remark, &text, &[]);
    }
}

fn is_exp2(op: OperationRef<'_, '_>) -> bool {
    use melior::ir::operation::OperationLike;
    let intrinsic = op.attribute("intrin").ok().and_then(ir::string);
    intrinsic == Some("llvm.exp2") || ir::op_name(op) == "llvm.intr.exp2"
}

/// For each kernel, the loop with the largest share, if one in ten of its instructions is extra.
fn costly(ptx: &str) -> HashMap<&str, Costly> {
    let mut found: HashMap<&str, Costly> = HashMap::new();
    let mut kernel = None;
    // Instructions so far, and those of exp2; and both at each label.
    let (mut count, mut exponents) = (0, 0);
    let mut labels = HashMap::new();
    for line in ptx.lines().map(str::trim) {
        if let Some((_, head)) = line.split_once(".entry ") {
            kernel = head.split(['(', ' ']).next();
            labels.clear();
        } else if let Some(label) = line.strip_suffix(':') {
            labels.insert(label, (count, exponents));
        } else if line.ends_with(';') && !line.starts_with('.') {
            count += 1;
            exponents += usize::from(line.contains("ex2.approx.f32"));
        }
        let target = line.split_once("bra").and_then(|(_, rest)| rest.split_whitespace().last());
        let begin = target.and_then(|label| labels.get(label.trim_end_matches(';')));
        let (Some(kernel), Some((begun, before))) = (kernel, begin) else { continue };
        let extra = EXTRA * (exponents - before);
        let all = count - begun + extra;
        let share = |of: &Costly| of.extra * 1000 / of.all.max(1);
        let this = Costly { extra, all };
        if extra * LEAST > all && found.get(kernel).is_none_or(|other| share(other) < share(&this)) {
            found.insert(kernel, this);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kernel(body: &str) -> String {
        format!(".visible .entry k(\n\t.param .u64 p\n)\n{{\n$L0:\n{body}\t@%p1 bra \t$L0;\n\tret;\n}}\n")
    }

    #[test]
    fn a_loop_is_counted_with_what_ptxas_adds() {
        let one = "\tex2.approx.f32 \t%f1, %f2;\n";
        let loops =
            |times: usize| kernel(&format!("{}{}", one, "\tadd.f32 \t%f3, %f3, %f1;\n".repeat(times)));
        assert_eq!(costly(&loops(4))["k"], Costly { extra: 3, all: 9 });
        assert_eq!(costly(&loops(24))["k"], Costly { extra: 3, all: 29 });
        assert_eq!(costly(&loops(25)), HashMap::new());
        assert_eq!(costly(&loops(4).replace("approx.", "approx.ftz.")), HashMap::new());
        // A branch that leads on is not a loop.
        assert_eq!(costly(&loops(4).replace("bra \t$L0", "bra \t$L1")), HashMap::new());
    }
}
