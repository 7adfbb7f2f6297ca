//! The code of `gemm_sm120`: warpgroups that feed `mma.sync` by `ldmatrix`.

use cute_arch::atoms::Major;
use cute_kernels::gemm::{
    sm90::{Activation, Out, Types},
    sm120::GemmSm120,
};
use cute_mlir::Target;

use crate::{assemblers::disassembled, loops, opcode, ptx_for, stays_in_registers};

/// The largest tiles have as many registers as the warpgroups that multiply take over.
#[test]
fn kernels_of_sm120_stay_in_registers() {
    use Types::{E4m3, E5m2, F16, Mxf4, Mxf8, Nvf4, S8, Tf32};
    let (mn, base) = (Major::Mn, GemmSm120::default());
    let everything = GemmSm120 { alpha: true, beta: true, bias: true, batch: true, ..base.clone() };
    for (gemm, target) in [
        (GemmSm120 { types: F16, a_major: mn, b_major: mn, ..base.clone() }, Target::Sm120a),
        (GemmSm120 { types: Tf32, ..base.clone() }, Target::Sm120a),
        (GemmSm120 { types: E4m3, m_tile: 256, ..base.clone() }, Target::Sm120a),
        (GemmSm120 { types: E5m2, out: Some(Out::Bf16), n_tile: 256, ..base.clone() }, Target::Sm121a),
        (GemmSm120 { out: Some(Out::E4m3), n_groups: 1, ..base.clone() }, Target::Sm120a),
        (GemmSm120 { types: S8, m_groups: 2, ..base.clone() }, Target::Sm120a),
        (GemmSm120 { n_groups: 1, ..base.clone() }, Target::Sm120a),
        (GemmSm120 { types: Nvf4, m_tile: 256, ..base.clone() }, Target::Sm120a),
        (GemmSm120 { types: Mxf4, m_tile: 256, out: Some(Out::Bf16), ..base.clone() }, Target::Sm121a),
        (GemmSm120 { types: Mxf8, ..base.clone() }, Target::Sm120a),
        (GemmSm120 { types: Nvf4, n_groups: 4, k_tile: Some(64), ..everything.clone() }, Target::Sm120a),
        (GemmSm120 { activation: Some(Activation::Gelu), ..everything.clone() }, Target::Sm120a),
        (GemmSm120 { m_groups: 2, activation: Some(Activation::Relu), ..everything }, Target::Sm121a),
    ] {
        stays_in_registers(&ptx_for(target, |c| gemm.build(c)), target);
    }
}

/// The smallest loop with MMAs, without what fills slots of the pipeline.
fn main_loop(sass: &str) -> Vec<&str> {
    let bodies = loops(sass).into_iter().map(|(_, body)| body);
    let multiplies = |body: &Vec<&str>| body.iter().any(|code| code.contains("MMA"));
    let mut body = bodies.filter(multiplies).min_by_key(Vec::len).expect("a loop of MMAs");
    let fills = |code: &str| code.contains("@!UPT") || code.contains("@!PT") || opcode(code) == Some("NOP");
    body.retain(|code| !fills(code));
    body
}

/// A K tile is two k-blocks: a warp loads 6 times 4 matrices for 16 MMAs of each, waits once,
/// orders its reads before the next load by a fence of two instructions, and releases the stage by
/// one lane. Nothing moves accumulators.
#[test]
fn a_loop_of_sm120_moves_no_accumulators() {
    let (target, gemm) = (Target::Sm120a, GemmSm120::default());
    for sass in disassembled(&ptx_for(target, |c| gemm.build(c)), target) {
        let count = |body: &[&str], what: &str| body.iter().filter(|code| code.contains(what)).count();
        let all: Vec<_> = sass.lines().collect();
        let stores = ["UTMALDG.2D", "UTMASTG.2D", "STSM.16.M88.4", "USETMAXREG", "LDL", "STL"];
        assert_eq!(stores.map(|what| count(&all, what)), [2, 2, 8, 2, 0, 0]);
        let body = main_loop(&sass);
        let counts = [
            "HMMA",
            "LDSM.16.M88.4",
            "TRYWAIT",
            "SYNCS.ARRIVE",
            "MOV",
            "BAR.SYNC",
            "LDS.",
            "FENCE.VIEW.ASYNC.S",
        ];
        assert_eq!(counts.map(|what| count(&body, what)), [32, 12, 1, 1, 0, 0, 0, 1], "{body:#?}");
        assert!(body.len() <= 68, "{} instructions: {body:#?}", body.len());
    }
}

/// A K tile of fp4 with scale factors: beside loads of A and B, a thread loads two words of factors
/// of A, and eight adjacent ones of B in pairs, for each of two k-blocks. CUTLASS's example 79a,
/// with this tile and as many warps, has 82 instructions, counted in the same way, without the two
/// of the fence between the loads and the release.
#[test]
fn a_loop_with_scale_factors_is_no_longer_than_that_of_cutlass() {
    let (target, gemm) = (Target::Sm120a, GemmSm120 { types: Types::Nvf4, ..GemmSm120::default() });
    let text = ptx_for(target, |c| gemm.build(c));
    for sass in disassembled(&text, target) {
        let count = |body: &[&str], what: &str| body.iter().filter(|code| code.contains(what)).count();
        let body = main_loop(&sass);
        let counts =
            ["OMMA.SF.16864", "LDSM.16.M88.4", "LDS ", "LDS.64", "TRYWAIT", "SYNCS.ARRIVE", "MOV", "PRMT"];
        assert_eq!(counts.map(|what| count(&body, what)), [32, 12, 4, 8, 1, 1, 0, 0], "{body:#?}");
        let fence = count(&body, "MEMBAR.ALL.CTA") + count(&body, "FENCE.VIEW.ASYNC.S");
        assert!(fence == 2 && body.len() <= 82 + fence, "{} instructions: {body:#?}", body.len());
    }
}
