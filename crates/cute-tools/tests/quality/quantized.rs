//! The code of GEMMs that quantize D.

use cute_kernels::gemm::{
    sm90::{Out, Types},
    sm100::GemmSm100,
};
use cute_mlir::Target;

use crate::{assemblers::disassembled, instructions, ptx_for};

/// A thread has 128 columns of a row. The maximum of a vector takes an instruction per two
/// elements, and its factors leave as words of four. CUTLASS's example 72b of this tile, with D of
/// e2m1 and with C, has 2608 instructions.
#[test]
fn vectors_of_rows_are_quantized_in_registers() {
    for (out, words, divisions, most) in
        [(Out::Nvf4, 2, 8, 1600), (Out::Mxf4, 1, 0, 1400), (Out::Mxf8, 1, 0, 1300)]
    {
        let gemm = GemmSm100 { types: Types::Nvf4, out: Some(out), alpha: true, ..GemmSm100::default() };
        let gemm = GemmSm100 { ctas: 1, m_tile: 128, n_tile: 128, ..gemm };
        let text = ptx_for(Target::Sm100a, |c| gemm.build(c));
        assert_eq!(text.matches("rcp.approx.ftz.f32").count(), divisions, "{out:?}");
        for sass in disassembled(&text, Target::Sm100a) {
            let lines: Vec<_> = instructions(&sass).collect();
            let count = |what: &str| lines.iter().filter(|line| line.contains(what)).count();
            let counts = ["LDTM.x128", "STG.E", "UTMASTG.2D", "LDL", "STL"].map(count);
            assert_eq!(counts, [1, words, 1, 0, 0], "{out:?}: {sass}");
            assert!(count("FMNMX") <= 64, "{out:?}: {} maxima", count("FMNMX"));
            assert!(lines.len() <= most, "{out:?}: {} instructions", lines.len());
        }
    }
}
