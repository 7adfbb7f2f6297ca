//! A kernel for each form of `wgmma` of eight columns: all types, A of shared memory and of
//! registers, all majors, negated and saturated. ptxas takes each as one instruction.

use std::fmt::Write;

use cute_arch::{
    Element,
    atoms::{self, Instruction, Major, MmaOp, Space},
};
use cute_mlir::Target;

use crate::{assemblers::disassembled, compiled};

/// An element type as MLIR spells it.
pub fn mlir(element: Element) -> &'static str {
    match element {
        Element::E4m3 | Element::Ue4m3 => "f8E4M3FN",
        Element::Ue8m0 => "f8E8M0FNU",
        Element::E5m2 => "f8E5M2",
        Element::E3m2 => "f6E3M2FN",
        Element::E2m3 => "f6E2M3FN",
        Element::E2m1 => "f4E2M1FN",
        Element::S8 => "i8",
        Element::U8 => "ui8",
        Element::S32 => "i32",
        other => other.name(),
    }
}

/// One MMA of an atom, whose accumulators are stored.
fn kernel(module: &mut String, i: usize, row: &atoms::MmaAtom, majors: [Major; 2], options: &str) {
    let [a, b, c] = [row.a.element, row.b.element, row.d].map(mlir);
    let [from_a, from_b] = majors.map(|major| if major == Major::Mn { "mn" } else { "k" });
    let registers = row.a.from == Space::Register;
    let frag = if registers { "rs" } else { "ss" };
    let k = row.shape[2];
    let atom = format!(
        "!cute_nvgpu.sm90.mma<64x8x{k}, ab_major = ({from_a}, {from_b}), elem_type = ({a}, {b}, {c}), frag_kind = {frag}{options}>"
    );
    let mma = format!("!cute.tiled_mma<{atom}, atom_layout_MNK = <\"(1,1,1):(0,0,0)\">>");
    let bits = row.d.bits();
    let sums = format!("!cute.memref<{c}, rmem, align<{}>, \"((2,2,1),1,1):((1,2,0),0,0)\">", 4 * bits / 8);
    let out = format!("!cute.memref<{c}, gmem, align<16>, \"((2,2,1),1,1):((1,2,0),0,0)\">");
    let tile = "!cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, \"(1,1,1):(0,0,0)\">";
    let (values, strides) = match row.a.element.bits() {
        8 => ("(4,2,2)", "(1,4,8)"),
        16 => ("(2,2,2)", "(1,2,4)"),
        _ => ("(2,2)", "(1,2)"),
    };
    let left = if registers {
        format!("!cute.memref<{a}, rmem, align<16>, \"({values},1,1):({strides},0,0)\">")
    } else {
        tile.to_string()
    };
    let made = if registers {
        format!(
            "%as = cute.static : !cute.shape<\"({values},1,1)\">
             %A = cute.mma.make_fragment A (%mma, %as) : ({mma}, !cute.shape<\"({values},1,1)\">) -> {left}"
        )
    } else {
        format!(
            "%da = builtin.unrealized_conversion_cast %a : i64 to !cute_nvgpu.smem_desc
             %A = cute.make_view(%da) : {tile}"
        )
    };
    write!(
        module,
        "gpu.func @k{i}(%to: !cute.ptr<{c}, gmem, align<16>>, %a: i64, %b: i64, %on: i1) kernel attributes {{nvvm.reqntid = array<i32: 128, 1, 1>}} {{
           %atom = cute.make_atom(%on) : (i1) -> {atom}
           %mma = cute.make_tiled_mma(%atom) : {mma}
           %cs = cute.static : !cute.shape<\"((2,2,1),1,1)\">
           %C = cute.mma.make_fragment C (%mma, %cs) : ({mma}, !cute.shape<\"((2,2,1),1,1)\">) -> {sums}
           {made}
           %db = builtin.unrealized_conversion_cast %b : i64 to !cute_nvgpu.smem_desc
           %B = cute.make_view(%db) : {tile}
           nvvm.wgmma.fence.aligned
           cute.gemm(%mma, %C, %A, %B, %C) : ({mma}, {sums}, {left}, {tile}, {sums})
           nvvm.wgmma.commit.group.sync.aligned
           nvvm.wgmma.wait.group.sync.aligned 0
           %out = cute.make_view(%to) : {out}
           %each = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<{c}, {bits} b>
           cute.copy(%each, %C, %out) : (!cute_nvgpu.atom.universal_copy<{c}, {bits} b>, {sums}, {out})
           gpu.return
         }}\n"
    )
    .expect("text is written");
}

#[test]
fn every_form_of_wgmma_is_one_instruction() {
    let (mut module, mut count) = (String::from("gpu.module @m {\n"), 0);
    for row in atoms::mma_atoms() {
        if row.instruction != Instruction::WGMMA || row.shape[1] != 8 {
            continue;
        }
        let majors = |major| match major {
            Major::Any => vec![Major::K, Major::Mn],
            one => vec![one],
        };
        let options: &[&str] = match (row.op, row.a.element.integer()) {
            (MmaOp::MulAddSaturate, _) => &[", int_overflow = <satfinite>"],
            (_, Some(_)) => &[""],
            (_, None) => &["", ", a_neg = true, b_neg = true"],
        };
        for a in majors(row.a_major) {
            for b in majors(row.b_major) {
                for options in options {
                    kernel(&mut module, count, row, [a, b], options);
                    count += 1;
                }
            }
        }
    }
    module.push_str("}\n");
    assert_eq!(count, 88, "forms: 72 of floats, 16 of integers");
    let text = compiled(&module, Target::Sm90a);
    assert_eq!(text.matches("wgmma.mma_async").count(), count);
    for sass in disassembled(&text, Target::Sm90a) {
        let found = |what: &str| sass.lines().filter(|line| line.contains(what)).count();
        assert_eq!(["HGMMA", "QGMMA", "IGMMA"].map(found), [40, 32, 16]);
    }
}
