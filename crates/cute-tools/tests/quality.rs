//! The code that LLVM and ptxas generate for the GEMM kernels: no local memory, no spills,
//! registers near CUTLASS's, and a steady loop of little but loads, MMAs and what they
//! wait for.
//!
//! Each is asserted for every release of ptxas that there is.

#[path = "quality/assemblers.rs"]
mod assemblers;
#[path = "quality/forms.rs"]
mod forms;
#[path = "../../../tests/common/full.rs"]
mod full;
#[path = "quality/held.rs"]
mod held;
#[path = "quality/quantized.rs"]
mod quantized;
#[path = "quality/sm120.rs"]
mod sm120;
#[path = "quality/tcgen05_mma.rs"]
mod tcgen05_mma;
#[path = "quality/tensor_memory.rs"]
mod tensor_memory;
#[path = "quality/warp_scales.rs"]
mod warp_scales;

use std::{collections::BTreeMap, fs};

use assemblers::{code, disassembled};
use cute_arch::atoms::Major;
use cute_kernels::gemm::{
    simt::GemmSimt,
    sm80::{GemmSm80, TileCopy, Types},
    sm90::{self, Activation, GemmSm90},
    sm100::{GemmSm100, Scheduler},
};
use cute_mlir::Target;
use melior::{Context, ir::Module};

/// Registers of CUTLASS 4.7's `gemm::device::Gemm` for SM80, f16 to f32, 128 x 128 x 32, 4 warps, 4
/// stages, compiled by nvcc 13.0.88 for sm_90a: see docs/measurements.md.
const CUTLASS_REGISTERS: u32 = 228;

fn ptx(build: impl for<'c> FnOnce(&'c Context) -> Result<Module<'c>, cute_kernels::Error>) -> String {
    ptx_for(Target::Sm90a, build)
}

fn ptx_for(
    target: Target,
    build: impl for<'c> FnOnce(&'c Context) -> Result<Module<'c>, cute_kernels::Error>,
) -> String {
    let context = Context::new();
    cute_mlir::load(&context);
    let mut module = build(&context).unwrap_or_else(|e| panic!("{e}"));
    cute_mlir::compile(&context, &mut module, target).unwrap_or_else(|e| panic!("{e}")).ptx
}

/// The PTX of a file in `examples/`.
fn example(name: &str, target: Target) -> String {
    let path = format!("{}/../../examples/{name}.mlir", env!("CARGO_MANIFEST_DIR"));
    compiled(&fs::read_to_string(&path).expect("the example can be read"), target)
}

fn compiled(source: &str, target: Target) -> String {
    let context = Context::new();
    cute_mlir::load(&context);
    let mut module = cute_mlir::parse(&context, source).unwrap_or_else(|e| panic!("{e}"));
    cute_mlir::compile(&context, &mut module, target).unwrap_or_else(|e| panic!("{e}")).ptx
}

/// Neither LLVM nor ptxas puts anything into local memory.
fn stays_in_registers(ptx: &str, target: Target) {
    code(ptx, target);
}

/// So many registers suffice for the kernel.
fn takes_at_most(registers: u32, ptx: &str, target: Target) {
    for code in code(ptx, target) {
        let r = &code.resources[0];
        assert!(r.registers <= registers, "ptxas {} for {target}: {r}", code.release);
    }
}

#[test]
fn kernels_stay_in_registers() {
    let all = [Types::F16, Types::Bf16, Types::Tf32, Types::S8];
    let mut texts: Vec<_> =
        all.into_iter().map(|types| ptx(|c| GemmSm80 { types, ..GemmSm80::default() }.build(c))).collect();
    texts.push(ptx(|c| GemmSm80 { aligned: true, ..GemmSm80::default() }.build(c)));
    let mn = Major::Mn;
    texts.push(ptx(|c| GemmSm80 { a_major: mn, b_major: mn, ..GemmSm80::default() }.build(c)));
    texts.push(ptx(|c| GemmSimt::default().build(c)));
    for text in texts {
        stays_in_registers(&text, Target::Sm90a);
    }
}

/// Vectors of elements of less than a byte, of few and of many of them.
#[test]
fn vectors_of_packed_elements_stay_in_registers() {
    for (count, align) in [(2, 1), (4, 16), (4, 2), (4, 1), (6, 16), (8, 2), (12, 16), (16, 8), (32, 16)] {
        let (narrow, wide) = (
            format!("!cute.memref<f4E2M1FN, gmem, align<{align}>, \"({count}):(1)\">"),
            format!("!cute.memref<f16, gmem, align<16>, \"({count}):(1)\">"),
        );
        let (fours, halves) = (format!("vector<{count}xf4E2M1FN>"), format!("vector<{count}xf16>"));
        let text = format!(
            "gpu.module @kernels {{\n\
             gpu.func @convert(%a: {narrow}, %b: {wide}, %c: {wide}, %d: {narrow}) kernel {{\n\
             %0 = cute.memref.load_vec(%a) : ({narrow}) -> {fours}\n\
             %1 = arith.extf %0 : {fours} to {halves}\n\
             cute.memref.store_vec(%1, %b) : ({halves}, {wide}) -> ()\n\
             %2 = cute.memref.load_vec(%c) : ({wide}) -> {halves}\n\
             %3 = arith.truncf %2 : {halves} to {fours}\n\
             cute.memref.store_vec(%3, %d) : ({fours}, {narrow}) -> ()\n\
             gpu.return }} }}"
        );
        stays_in_registers(&compiled(&text, Target::Sm100a), Target::Sm100a);
    }
}

/// The TMA's products need no addresses of tiles and no predicates, so two blocks share a
/// multiprocessor.
#[test]
fn products_of_the_tma_stay_in_registers() {
    let (tma, mn) = (GemmSm80 { copy: TileCopy::Tma, ..GemmSm80::default() }, Major::Mn);
    let gemms = [
        (GemmSm80 { ..tma.clone() }, Target::Sm90a),
        (GemmSm80 { ..tma.clone() }, Target::Sm100a),
        (GemmSm80 { ..tma.clone() }, Target::Sm120a),
        (GemmSm80 { types: Types::Tf32, ..tma.clone() }, Target::Sm90a),
        (GemmSm80 { types: Types::S8, ..tma.clone() }, Target::Sm100a),
        (GemmSm80 { types: Types::Bf16, a_major: mn, b_major: mn, ..tma }, Target::Sm120a),
    ];
    for (gemm, target) in gemms {
        let text = ptx_for(target, |c| gemm.build(c));
        takes_at_most(184, &text, target);
    }
}

#[test]
fn examples_stay_in_registers_on_every_target() {
    for name in ["softmax", "gemm_bias_relu", "attention"] {
        for target in Target::native() {
            stays_in_registers(&example(name, target), target);
        }
    }
}

#[test]
fn registers_are_within_a_tenth_of_cutlass() {
    for aligned in [false, true] {
        let text = ptx(|c| GemmSm80 { aligned, ..GemmSm80::default() }.build(c));
        takes_at_most(CUTLASS_REGISTERS * 11 / 10, &text, Target::Sm90a);
    }
}

/// Four blocks of 128 threads share the 65536 registers of a multiprocessor: pointers that loops
/// carry for each row would leave room for three.
#[test]
fn attention_leaves_registers_for_four_blocks() {
    takes_at_most(128, &example("attention", Target::Sm90a), Target::Sm90a);
}

/// The innermost loops: what stands between a label and a jump back to it, with the opcode of the
/// jump.
fn loops(sass: &str) -> Vec<(&str, Vec<&str>)> {
    let (mut labels, mut lines, mut found) = (BTreeMap::new(), Vec::new(), Vec::new());
    for line in sass.lines() {
        if let Some(label) = line.trim().strip_suffix(':') {
            labels.insert(label, lines.len());
            continue;
        }
        // `/*0040*/ @!P0 IADD3 R1, ..`
        let Some((_, code)) = line.split_once("*/") else { continue };
        let Some(opcode) = opcode(code) else { continue };
        lines.push(code);
        let target = code.split_once("`(").and_then(|(_, t)| t.split_once(')')).map(|(t, _)| t);
        if let Some(start) = target.filter(|_| opcode.starts_with("BRA")).and_then(|t| labels.get(t)) {
            found.push((opcode, lines[*start..].to_vec()));
        }
    }
    found
}

/// The opcode of an instruction, behind its predicate.
fn opcode(code: &str) -> Option<&str> {
    code.split_whitespace().find(|word| !word.starts_with('@'))
}

/// The instructions of the loop with most of them that ends in a plain jump, by opcode.
fn longest_loop(sass: &str) -> BTreeMap<String, usize> {
    let mut best = Vec::new();
    for (jump, body) in loops(sass) {
        let opcodes: Vec<_> = body.into_iter().filter_map(opcode).collect();
        if jump == "BRA" && opcodes.len() > best.len() && !opcodes.contains(&"EXIT") {
            best = opcodes;
        }
    }
    let mut counts = BTreeMap::new();
    for opcode in best {
        *counts.entry(opcode.to_string()).or_insert(0) += 1;
    }
    counts
}

/// A tile is two boxes: two loads behind one elected lane, which also says how many bytes will
/// come; two stores behind another. ptxas loops over the lanes of a warp for none of them, reads
/// the descriptors where the parameters are, and waits by one instruction, until the first of which
/// that fails.
#[test]
fn boxes_are_moved_by_one_instruction_each() {
    for target in [Target::Sm90a, Target::Sm100a, Target::Sm120a] {
        let text = compiled(include_str!("quality/boxes.mlir"), target);
        for name in ["tma/gemm", "tma/transpose"] {
            stays_in_registers(&example(name, target), target);
        }
        assert_eq!(text.matches(".param .align 64 .b8").count(), 2, "{text}");
        assert!(!text.contains("cache_hint"), "{text}");
        for sass in disassembled(&text, target) {
            let count = |what: &str| sass.lines().filter(|l| l.contains(what)).count();
            let counts = ["UTMACCTL.PF", "UTMALDG.2D", "UTMASTG.2D", "TRYWAIT", "BRA.U.ANY", "NANOSLEEP"];
            assert_eq!(counts.map(count), [2, 2, 2, 2, 0, 0], "{target:?}: {sass}");
            // The newest ptxas elects for the bytes and for the loads at once.
            assert!((2..=3).contains(&count("ELECT")), "{target:?}: {sass}");
            assert_eq!(
                ["MEMBAR.ALL.GPU", "CCTL.IVALL", "LDL", "STL"].map(count),
                [0; 4],
                "{target:?}: {sass}"
            );
        }
    }
}

/// A group of four MMAs, the wait for the group before, and the arrival that releases its
/// stage: nothing moves accumulators about.
#[test]
fn examples_of_wgmma_keep_their_sums_in_place() {
    for (name, registers) in [
        ("hopper/wgmma", 90),
        ("hopper/warp_roles", 168),
        ("hopper/persistent_cluster", 90),
        ("hopper/grouped_gemm", 93),
    ] {
        let text = example(name, Target::Sm90a);
        takes_at_most(registers, &text, Target::Sm90a);
        for sass in disassembled(&text, Target::Sm90a) {
            let loops = sass.lines().skip_while(|l| !l.contains("WARPGROUP.ARRIVE"));
            let steady: Vec<_> = loops.take_while(|l| !l.contains("WARPGROUP.DEPBAR")).collect();
            let count = |what: &str| steady.iter().filter(|l| l.contains(what)).count();
            let counts = ["HGMMA.64x128x16", " MOV ", "WARPGROUP.ARRIVE"].map(count);
            assert_eq!(counts, [4, 0, 1], "{name}: {steady:#?}");
        }
    }
}

/// A tile of keys: eight MMAs, an `exp2` of one instruction for each of 32 scores and two maxima,
/// and no copies of P, which is already where the second GEMM takes it.
#[test]
fn attention_by_wgmma_does_little_but_its_softmax() {
    let text = example("hopper/attention", Target::Sm90a);
    for sass in disassembled(&text, Target::Sm90a) {
        let bodies: Vec<_> = loops(&sass).into_iter().map(|(_, body)| body).collect();
        let of_tile = bodies.iter().filter(|body| body.iter().any(|l| l.contains("HGMMA")));
        let body = of_tile.min_by_key(|body| body.len()).expect("the loop over tiles of keys");
        let count = |what: &str| body.iter().filter(|l| l.contains(what)).count();
        let counts =
            ["HGMMA.64x64x16", "MUFU.EX2", "FSETP", "WARPGROUP.ARRIVE", " MOV ", "LDS", "STS"].map(count);
        assert_eq!(counts, [8, 34, 0, 2, 0, 0, 0], "{body:#?}");
        assert!(body.len() <= 320, "{} instructions", body.len());
    }
}

#[test]
fn recipes_stay_in_registers() {
    for (name, target) in [
        ("splitk", Target::Sm80),
        ("splitk", Target::Sm90a),
        ("hopper/cluster_push", Target::Sm90a),
        ("hopper/cluster_push", Target::Sm120a),
        ("blackwell/scale_factors", Target::Sm100a),
    ] {
        stays_in_registers(&example(name, target), target);
    }
}

/// The accumulators stay in their registers around the loop, and descriptors are stepped in uniform
/// registers: a k-block is its four MMAs and what they wait for. The first MMA is switched
/// from `D = AB` to `D = AB + C` by a predicate.
#[test]
fn a_loop_of_wgmma_moves_no_registers() {
    let text = compiled(include_str!("quality/wgmma.mlir"), Target::Sm90a);
    takes_at_most(154, &text, Target::Sm90a);
    for sass in disassembled(&text, Target::Sm90a) {
        let counts = longest_loop(&sass);
        let count = |opcode: &str| counts.iter().filter(|(o, _)| o.starts_with(opcode)).map(|(_, n)| n).sum();
        let found: [usize; 6] =
            ["HGMMA", "WARPGROUP.ARRIVE", "WARPGROUP.DEPBAR", "MOV", "IMAD", "R2UR"].map(count);
        assert_eq!(found, [4, 1, 1, 0, 0, 0], "{counts:?}");
    }
}

/// The instructions of a disassembled kernel, without padding.
fn instructions(sass: &str) -> impl Iterator<Item = &str> {
    let code = |line: &'_ str| line.trim().starts_with("/*") && line.contains(';') && !line.contains("NOP");
    sass.lines().filter(move |line| code(line))
}

/// Two warpgroups multiply 128 x 256 accumulators without moving one of them: a K tile is a wait,
/// four MMAs, and the release of the tile before. One lane asks for boxes, and none of the loops
/// waits for the whole GPU.
#[test]
fn warpgroups_multiply_and_do_little_else() {
    let text = ptx(|c| GemmSm90::default().build(c));
    for sass in disassembled(&text, Target::Sm90a) {
        let count = |what: &str| instructions(&sass).filter(|l| l.contains(what)).count();
        assert!(count("") <= 560, "{} instructions", count(""));
        let counts =
            ["HGMMA.64x256x16", "UTMALDG.2D.MULTICAST", "UTMALDG.2D ", "UTMASTG.2D", "STSM.16.M88.4"]
                .map(count);
        assert_eq!(counts, [4, 1, 1, 4, 16], "{sass}");
        assert_eq!(["BRA.U.ANY", "MEMBAR.ALL.GPU", "LDL", "STL", "NANOSLEEP"].map(count), [0; 5], "{sass}");

        // Behind the loop of a K tile that has all four MMAs: from the wait for it to the jump
        // back.
        let lines: Vec<_> = instructions(&sass).collect();
        let at = |what: &str| lines.iter().position(|l| l.contains(what)).expect("the loop has it");
        // Caches are invalidated once, after the barrier of the cluster and before any loop.
        assert!(lines.iter().rposition(|l| l.contains("CCTL")) < Some(at("TRYWAIT")), "{sass}");
        let (first, last) =
            (at("HGMMA"), lines.iter().rposition(|l| l.contains("HGMMA")).expect("a product"));
        let start = lines[..first].iter().rposition(|l| l.contains("TRYWAIT")).expect("the wait for a tile");
        let end = last + lines[last..].iter().position(|l| l.contains("BRA")).expect("the jump back");
        let body = &lines[start..=end];
        let count = |what: &str| body.iter().filter(|l| l.contains(what)).count();
        let counts = ["TRYWAIT", "WARPGROUP.ARRIVE", "HGMMA", "WARPGROUP.DEPBAR", "SYNCS.ARRIVE"].map(count);
        assert_eq!(counts, [1, 1, 4, 1, 1], "{body:#?}");
        // Descriptors, stages and parities are scalars, beside the MMAs.
        assert_eq!(["MOV R", "R2UR", "LDS", "BAR.SYNC"].map(count), [0; 4], "{body:#?}");
        assert!(body.len() <= 40, "{} instructions: {body:#?}", body.len());
    }
}

/// CUTLASS's kernel of this tile with alpha and beta has 1360 instructions.
#[test]
fn a_long_epilogue_is_shorter_than_that_of_cutlass() {
    let activation = Some(Activation::Relu);
    let gemm = GemmSm90 { alpha: true, beta: true, bias: true, activation, ..GemmSm90::default() };
    let text = ptx(|c| gemm.build(c));
    for sass in disassembled(&text, Target::Sm90a) {
        let count = |what: &str| instructions(&sass).filter(|l| l.contains(what)).count();
        assert!(count("") <= 1250, "{} instructions", count(""));
        // A part of C is read as it is written, and two elements of D are rectified at once.
        assert_eq!(["LDSM", "STSM", "HMNMX2", "LDL", "STL"].map(count), [16, 16, 64, 0, 0]);
    }
}

/// One lane of a pair issues four MMAs for a K tile, a lane loads the next, and a warp has
/// its row of 64 columns at once: none of it is a loop over lanes, and nothing waits for the whole
/// GPU in a loop. CUTLASS's kernel of this tile has 1768 instructions.
#[test]
fn a_pair_of_blocks_multiplies_and_does_little_else() {
    for (scheduler, most, requests) in [(Scheduler::Static, 900, 0), (Scheduler::Clc, 1000, 1)] {
        let gemm = GemmSm100 { scheduler, ..GemmSm100::default() };
        let text = ptx_for(Target::Sm100a, |c| gemm.build(c));
        takes_at_most(96, &text, Target::Sm100a);
        for sass in disassembled(&text, Target::Sm100a) {
            let lines: Vec<_> = instructions(&sass).collect();
            assert!(lines.len() <= most, "{scheduler:?}: {} instructions", lines.len());
            let count = |what: &str| lines.iter().filter(|l| l.contains(what)).count();
            let counts =
                ["UTCHMMA.2CTA", "UTCBAR.2CTA.MULTICAST", "UTMALDG.2D.2CTA", "UTMASTG.2D", "LDTM.x64"]
                    .map(count);
            assert_eq!(counts, [4, 2, 2, 4, 4], "{sass}");
            assert_eq!(["BRA.U.ANY", "LDL", "STL"].map(count), [0; 3], "{sass}");
            assert_eq!(count("UGETNEXTWORKID.BROADCAST"), requests, "{sass}");

            // A K tile: from the wait for it to the MMAs and their commit. Descriptors are
            // scalars.
            let (first, last) = ("UTCHMMA", "UTCBAR");
            let at = |what: &str| lines.iter().position(|l| l.contains(what)).expect("the loop has it");
            let start =
                lines[..at(first)].iter().rposition(|l| l.contains("TRYWAIT")).expect("the wait for a tile");
            let body = &lines[start..=at(last)];
            let count = |what: &str| body.iter().filter(|l| l.contains(what)).count();
            assert_eq!(
                ["UTCHMMA", "ELECT", "R2UR", "MEMBAR", "CCTL"].map(count),
                [4, 1, 0, 0, 0],
                "{body:#?}"
            );
            assert!(body.len() <= 40, "{} instructions: {body:#?}", body.len());
        }
    }
}

/// A K tile of fp4 with scale factors: a wait, copies of twelve blocks of factors, four MMAs and
/// their commit. CUTLASS's example 72a, with this tile and clusters of 2 x 1, has 86 instructions.
#[test]
fn scale_factors_are_copied_and_multiplied_by_one_lane() {
    let gemm = GemmSm100 { types: sm90::Types::Nvf4, ..GemmSm100::default() };
    let text = ptx_for(Target::Sm100a, |c| gemm.build(c));
    for sass in disassembled(&text, Target::Sm100a) {
        let lines: Vec<_> = instructions(&sass).collect();
        let at =
            |from: usize, what: &str| from + lines[from..].iter().position(|l| l.contains(what)).unwrap();
        let first = at(0, "UTCCP");
        let start = lines[..first].iter().rposition(|l| l.contains("TRYWAIT")).expect("the wait for a tile");
        let body = &lines[start..=at(at(first, "UTCBAR"), "BRA")];
        let count = |what: &str| body.iter().filter(|l| l.contains(what)).count();
        let counts =
            ["UTCCP.T.S.2CTA", "UTCOMMA.2CTA.4X", "ELECT", "LDS", "STS", "R2UR", "LDL", "STL"].map(count);
        assert_eq!(counts, [12, 4, 1, 0, 0, 0, 0, 0], "{body:#?}");
        assert!(body.len() <= 80, "{} instructions: {body:#?}", body.len());
    }
}

/// Parts of a tile with a long activation are in a loop, with the instructions for 64 elements of a
/// thread. Without libdevice, erf is a polynomial of MLIR.
#[test]
fn long_activations_of_tensor_memory_are_in_a_loop() {
    for (activation, most) in [(Activation::Silu, 1000), (Activation::Gelu, 4100)] {
        let gemm = GemmSm100 { activation: Some(activation), ..GemmSm100::default() };
        let text = ptx_for(Target::Sm100a, |c| gemm.build(c));
        for sass in disassembled(&text, Target::Sm100a) {
            let count = |what: &str| instructions(&sass).filter(|l| l.contains(what)).count();
            assert!(count("") <= most, "{activation:?}: {} instructions", count(""));
            assert_eq!(["LDTM.x64", "UTMASTG.2D", "LDL", "STL"].map(count), [1, 1, 0, 0]);
        }
    }
}

#[test]
fn kernels_of_tensor_memory_stay_in_registers() {
    stays_in_registers(&example("blackwell/umma", Target::Sm100a), Target::Sm100a);
    use sm90::Types::{E4m3, E5m2, F16, S8, Tf32};
    let (mn, base) = (Major::Mn, GemmSm100::default());
    let one = GemmSm100 { ctas: 1, m_tile: 128, ..base.clone() };
    let everything = GemmSm100 { alpha: true, beta: true, bias: true, batch: true, ..base.clone() };
    for gemm in [
        GemmSm100 { types: F16, a_major: mn, b_major: mn, ..base.clone() },
        GemmSm100 { types: Tf32, n_tile: 96, ..one.clone() },
        GemmSm100 {
            types: E4m3,
            out: Some(sm90::Out::E4m3),
            m_cluster: Some(4),
            n_cluster: 2,
            ..base.clone()
        },
        GemmSm100 { types: E5m2, a_major: mn, b_major: mn, ..base },
        GemmSm100 { types: S8, b_major: mn, ..one.clone() },
        GemmSm100 { m_tile: 64, ..one.clone() },
        GemmSm100 { scheduler: Scheduler::Clc, ..one },
        GemmSm100 { scheduler: Scheduler::Clc, m_cluster: Some(4), n_cluster: 2, ..everything.clone() },
        GemmSm100 { activation: Some(Activation::Relu), ..everything },
    ] {
        stays_in_registers(&ptx_for(Target::Sm100a, |c| gemm.build(c)), Target::Sm100a);
    }
}

#[test]
fn wgmma_kernels_stay_in_registers() {
    use sm90::Types::{E4m3, F16, S8, Tf32};
    let mn = Major::Mn;
    let base = GemmSm90::default();
    for gemm in [
        GemmSm90 { types: F16, a_major: mn, b_major: mn, ..base.clone() },
        GemmSm90 { types: Tf32, m_tile: 256, n_tile: 128, ..base.clone() },
        GemmSm90 { types: E4m3, m_cluster: 1, n_cluster: 2, ..base.clone() },
        GemmSm90 { types: S8, n_tile: 192, ..base.clone() },
        GemmSm90 { m_tile: 192, n_tile: 128, consumers: Some(3), m_cluster: 1, ..base.clone() },
        GemmSm90 { m_tile: 64, n_tile: 128, m_cluster: 2, n_cluster: 2, ..base.clone() },
        GemmSm90 { batch: true, bias: true, beta: true, ..base.clone() },
        GemmSm90 { activation: Some(Activation::Gelu), ..base.clone() },
        GemmSm90 { types: E4m3, out: Some(sm90::Out::E4m3), beta: true, ..base },
    ] {
        stays_in_registers(&ptx(|c| gemm.build(c)), Target::Sm90a);
    }
}

#[test]
fn the_steady_loop_has_little_but_matrix_products() {
    let gemm = GemmSm80 { aligned: true, ..GemmSm80::default() };
    let stages = gemm.stages as usize;
    for sass in disassembled(&ptx(|c| gemm.build(c)), Target::Sm90a) {
        let counts = longest_loop(&sass);

        // An iteration of the loop covers each stage. A warp has 64 x 64 elements of C: 4 x 8
        // MMAs of 16 x 8 for each of two k-blocks.
        let count = |opcode: &str| {
            counts.iter().filter(|(o, _)| o.starts_with(opcode)).map(|(_, n)| n).sum::<usize>()
        };
        assert_eq!(count("HMMA"), 64 * stages, "{counts:?}");
        assert_eq!(count("LDSM"), 16 * stages, "{counts:?}");
        assert_eq!(count("LDGSTS"), 8 * stages, "{counts:?}");
        // ptxas puts loads that never happen ahead of LDGSTS.
        let expected = ["HMMA", "LDSM", "LDGSTS", "LDGDEPBAR", "DEPBAR", "BAR", "BRA", "LDS", "NOP"];
        let others = counts.iter().filter(|(o, _)| !expected.iter().any(|e| o.split('.').next() == Some(e)));
        let others: usize = others.map(|(_, n)| n).sum();
        assert!(others <= 12 * stages, "{others} other instructions in {stages} stages: {counts:?}");
    }
}
