//! A kernel for each form of `tcgen05.ld`, `tcgen05.st` and `tcgen05.cp`. ptxas takes each as one
//! instruction, on every target that has tensor memory.

use std::fmt::Write;

use cute_algebra::{CopySide, Layout};
use cute_arch::{
    Feature,
    atoms::{self, Broadcast, CopyAtom, CopyInstruction, TmemFill, TmemShape},
};
use cute_mlir::Target;

use crate::{assemblers::disassembled, compiled, full::all_of};

/// One call of an atom on tensor memory, from memory or to it.
fn kernel(module: &mut String, i: usize, row: &CopyAtom) {
    let (side, elem, bits) = match row.instruction {
        CopyInstruction::TmemLoad(shape) if shape.halves => (CopySide::Src, "f16", 16),
        CopyInstruction::TmemStore(shape) if shape.halves => (CopySide::Dst, "f16", 16),
        CopyInstruction::TmemLoad(_) => (CopySide::Src, "f32", 32),
        _ => (CopySide::Dst, "f32", 32),
    };
    let place = row.in_tensor_memory(side, bits).expect("the row is of tensor memory");
    let tensor =
        format!("!cute.memref<{elem}, tmem, align<16>, \"({}):({})\">", place.shape(), place.stride());
    let (atom, body) = match row.instruction {
        CopyInstruction::TmemLoad(shape) | CopyInstruction::TmemStore(shape) => {
            transfer(row, shape, side == CopySide::Dst, elem, &tensor)
        }
        CopyInstruction::TmemCopy(fill) => copy(row, fill, elem, &tensor),
        _ => unreachable!("{} is not of tensor memory", row.name),
    };
    write!(
        module,
        "gpu.func @k{i}(%memory: !cute.ptr<{elem}, gmem, align<16>>, %at: i32, %word: i64) kernel attributes {{nvvm.reqntid = array<i32: 128, 1, 1>}} {{
           %first = cute.inttoptr(%at) : i32 to !cute.ptr<{elem}, tmem, align<16>>
           %tensor = cute.make_view(%first) : {tensor}
           %atom = cute.make_atom() : () -> {atom}
           {body}
           gpu.return
         }}\n"
    )
    .expect("text is written");
}

/// Bits that a thread has.
fn bits_of(layout: &Layout<i64>) -> i64 {
    layout.mode(1).expect("a row has values").shape().leaves().iter().product()
}

/// The type of a load or store, and the code that calls it.
fn transfer(row: &CopyAtom, shape: TmemShape, store: bool, elem: &str, tensor: &str) -> (String, String) {
    let TmemShape { lanes, bits, repeats, halves } = shape;
    let (verb, with) = if store { ("store", ", expand16b") } else { ("load", ", pack16b") };
    let with = if halves { with } else { "" };
    let atom = format!("!cute_nvgpu.atom.tmem_{verb}<{elem}, {lanes} DP, {bits} bit, x{repeats}{with}>");
    let values = bits_of(if store { &row.src } else { &row.dst }) / if halves { 16 } else { 32 };
    let view = |space: &str| format!("!cute.memref<{elem}, {space}, align<16>, \"(({values},1)):((1,0))\">");
    let (own, memory) = (view("rmem"), view("gmem"));
    let each = format!("!cute_nvgpu.atom.universal_copy<{elem}, 32 b>");
    let moved = match store {
        true => format!(
            "cute.copy(%each, %out, %own) : ({each}, {memory}, {own})
             cute.copy(%atom, %own, %tensor) : ({atom}, {own}, {tensor})"
        ),
        false => format!(
            "cute.copy(%atom, %tensor, %own) : ({atom}, {tensor}, {own})
             cute.copy(%each, %own, %out) : ({each}, {own}, {memory})"
        ),
    };
    let body = format!(
        "%out = cute.make_view(%memory) : {memory}
         %own = cute.memref.alloca() : {own}
         %each = cute.make_atom() : () -> {each}
         {moved}"
    );
    (atom, body)
}

/// The type of a copy from shared memory, and the code that calls it.
fn copy(row: &CopyAtom, fill: TmemFill, elem: &str, tensor: &str) -> (String, String) {
    let TmemFill { lanes, bits, broadcast, ctas } = fill;
    let what = match broadcast {
        Broadcast::Nothing => "none",
        Broadcast::Lw0213 => "lw_0213",
        Broadcast::Lw0123 => "lw_0123",
        Broadcast::X4 => "x4",
    };
    let atom = format!("!cute_nvgpu.atom.s2t_copy<{elem}, {lanes} DP, {bits} bit, {ctas} cta, {what}>");
    let units = bits_of(&row.src) / 128;
    let view = format!("!cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, \"({units}):(1)\">");
    let body = format!(
        "%desc = builtin.unrealized_conversion_cast %word : i64 to !cute_nvgpu.smem_desc
         %tile = cute.make_view(%desc) : {view}
         cute.copy(%atom, %tile, %tensor) : ({atom}, {view}, {tensor})"
    );
    (atom, body)
}

/// Forms without repetition on one target; with `CUTE_FULL` set, as `./dev test --full` does, all
/// forms on all targets.
#[test]
fn every_form_on_tensor_memory_is_one_instruction() {
    let full = all_of(2);
    let mut count = [0; 3];
    let mut module = String::from("gpu.module @m {\n");
    for row in atoms::copy_atoms() {
        let (kind, repeats) = match row.instruction {
            CopyInstruction::TmemLoad(shape) => (0, shape.repeats),
            CopyInstruction::TmemStore(shape) => (1, shape.repeats),
            CopyInstruction::TmemCopy(_) => (2, 1),
            _ => continue,
        };
        if full || repeats == 1 {
            kernel(&mut module, count.iter().sum(), row);
            count[kind] += 1;
        }
    }
    module.push_str("}\n");
    assert_eq!(count, if full { [74, 74, 12] } else { [10, 10, 12] }, "forms of ld, st and cp");
    let targets: Vec<_> = Feature::Tcgen05.on().targets().collect();
    assert_eq!(targets.len(), 6);
    for target in if full { targets } else { vec![Target::Sm100a] } {
        let text = compiled(&module, target);
        let forms = ["tcgen05.ld.", "tcgen05.st.", "tcgen05.cp."];
        assert_eq!(forms.map(|form| text.matches(form).count()), count, "{target}");
        for sass in disassembled(&text, target) {
            // `16x32bx2` takes one instruction for each half of the lanes.
            let lines = || sass.lines().filter(|line| !line.contains("_t16_t31"));
            let found = |what: &str| lines().filter(|line| line.contains(what)).count();
            assert_eq!(["LDTM", "STTM", "UTCCP"].map(found), count, "{target}");
        }
    }
}
