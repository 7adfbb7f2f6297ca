//! Every form of `mma.sync` with block scales that an atom has: element types, the type and number
//! of factors, and factors as operands or in the state of the atom. ptxas takes each as one
//! instruction on every target that has it, and the lowering refuses it by name on the others.

use std::fmt::Write;

use cute_arch::{
    Element, Feature,
    atoms::{Instruction, MmaAtom},
    block_scaled::sf_of_thread,
};
use cute_mlir::Target;
use melior::Context;

use crate::{assemblers::disassembled, compiled, forms::mlir, full::all_of};

/// A kernel that copies fragments to registers, multiplies once, and copies the accumulators back.
fn kernel(i: usize, row: &MmaAtom, in_state: bool) -> String {
    let [_, _, k] = row.shape;
    let scale = row.scale.as_ref().expect("the atom has scale factors");
    let [a, b, c, sf] = [row.a.element, row.b.element, row.d, scale.element].map(mlir);
    let vector = scale.vector;
    let atom = format!(
        "!cute_nvgpu.SM120.mma_bs<16x8x{k}, vec_size = {vector}, elem_type = ({a}, {b}, {c}), sf_type = {sf}, use_sf_layout_TV = true>"
    );
    // Numbers of less than a byte that have a byte each are in fragments of bytes.
    let held = |element: Element, ty| if k == 32 && element.bits() < 8 { "i8" } else { ty };
    let factors = sf_of_thread(row).expect("the atom has scale factors");
    let factors = format!("({},1,1):({},0,0)", factors.shape(), factors.stride());
    let values = |count: usize| format!("({count},1,1):(1,0,0)");
    let (of_a, of_b) = (row.a.values(), row.b.values());
    let count = (k / vector) as usize;
    // The layout of a fragment, that of its elements in memory, and their bits.
    let fragments = [
        ("D", c, values(4), values(4), 128),
        ("A", held(row.a.element, a), values(of_a), values(of_a), of_a * row.a.bits as usize),
        ("B", held(row.b.element, b), values(of_b), values(of_b), of_b * row.b.bits as usize),
        ("SFA", sf, factors.clone(), values(count), 8 * count),
        ("SFB", sf, factors, values(count), 8 * count),
    ];
    let view =
        |ty: &str, space: &str, layout: &str| format!("!cute.memref<{ty}, {space}, align<16>, \"{layout}\">");
    let own = |name: &str| {
        let (_, ty, layout, ..) = fragments.iter().find(|(own, ..)| *own == name).expect("a fragment");
        view(ty, "rmem", layout)
    };
    let (mut parameters, mut made) = (Vec::new(), String::new());
    for (name, ty, layout, once, bits) in &fragments {
        let [memory, registers] = ["gmem", "rmem"].map(|space| view(ty, space, once));
        let (own, copy) =
            (view(ty, "rmem", layout), format!("!cute_nvgpu.atom.universal_copy<{ty}, {bits} b>"));
        parameters.push(format!("%p{name}: !cute.ptr<{ty}, gmem, align<16>>"));
        write!(
            made,
            "%g{name} = cute.make_view(%p{name}) : {memory}
             %r{name} = cute.memref.alloca() : {registers}
             %c{name} = cute.make_atom() : () -> {copy}
             cute.copy(%c{name}, %g{name}, %r{name}) : ({copy}, {memory}, {registers})
             %i{name} = cute.get_iter(%r{name}) : {registers}
             %{name} = cute.make_view(%i{name}) : {own}\n"
        )
        .expect("text is written");
    }
    let pointer = format!("!cute.ptr<{sf}, rmem, align<16>>");
    let [d, a, b, sfa, sfb] = ["D", "A", "B", "SFA", "SFB"].map(own);
    let gemm = if in_state {
        format!("cute.gemm(%atom, %D, %A, %B, %D) : ({atom}, {d}, {a}, {b}, {d})")
    } else {
        format!("cute.gemm(%atom, %D, %A, %SFA, %B, %SFB, %D) : ({atom}, {d}, {a}, {sfa}, {b}, {sfb}, {d})")
    };
    format!(
        "gpu.func @k{i}({}) kernel attributes {{nvvm.reqntid = array<i32: 32, 1, 1>}} {{
           {made}
           %atom = cute.make_atom(%iSFA, %iSFB) : ({pointer}, {pointer}) -> {atom}
           {gemm}
           cute.copy(%cD, %rD, %gD) : (!cute_nvgpu.atom.universal_copy<{c}, 128 b>, {d}, {})
           gpu.return
         }}\n",
        parameters.join(", "),
        view(c, "gmem", &values(4))
    )
}

/// The forms that ptxas knows, each with its factors as operands and in the state of the atom.
fn forms() -> Vec<(&'static MmaAtom, bool)> {
    let rows = Instruction::MMA_SYNC.scaled().atoms();
    // From CUDA 13.1 on.
    let known =
        rows.filter(|row| row.block_scale().is_some_and(|of| (of.element, of.count) != (Element::Ue8m0, 4)));
    known.flat_map(|row| [(row, false), (row, true)]).collect()
}

fn module(forms: &[(&'static MmaAtom, bool)]) -> String {
    let kernels = forms.iter().enumerate().map(|(i, (row, in_state))| kernel(i, row, *in_state));
    format!("gpu.module @m {{\n{}}}\n", kernels.collect::<String>())
}

/// All forms on one target; with `CUTE_FULL` set, on every target that has them.
#[test]
fn every_form_of_mma_sync_with_block_scales_is_one_instruction() {
    let forms = forms();
    assert_eq!(forms.len(), 2 * (25 + 1 + 1));
    let targets: Vec<_> = Feature::MmaF8f6f4.on().targets().collect();
    assert!(targets.contains(&Target::Sm120a) && targets.contains(&Target::Sm121a));
    for target in if all_of(1) { targets } else { vec![Target::Sm120a] } {
        let text = compiled(&module(&forms), target);
        assert_eq!(text.matches("mma.sync.aligned").count(), forms.len(), "{target}");
        assert_eq!(text.matches(".block_scale").count(), forms.len(), "{target}");
        assert!(!text.contains(".local"), "{target}");
        for sass in disassembled(&text, target) {
            let found = |what: &str| sass.lines().filter(|line| line.contains(what)).count();
            assert_eq!(["QMMA.SF", "OMMA.SF"].map(found), [50, 4], "{target}");
        }
    }
}

#[test]
fn other_targets_refuse_mma_sync_with_block_scales_by_name() {
    let forms = forms();
    for target in Target::all().iter().filter(|target| !target.has(Feature::MmaF8f6f4)) {
        for form in forms.iter().step_by(if all_of(1) { 1 } else { 53 }) {
            let context = Context::new();
            cute_mlir::load(&context);
            let mut module = cute_mlir::parse(&context, &module(&[*form])).unwrap_or_else(|e| panic!("{e}"));
            let why = match cute_mlir::lower(&context, &mut module, *target) {
                Ok(()) => panic!("{target} took {}", form.0.name),
                Err(why) => why.to_string(),
            };
            assert!(
                why.contains(&format!("{target} has no {}; it needs {}", form.0.name, form.0.on)),
                "{why}"
            );
        }
    }
}
