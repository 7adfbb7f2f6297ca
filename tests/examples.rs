//! The checked-in examples of `cute-kernels` equal its output. `UPDATE_EXAMPLES=1` updates them.

use cute_kernels::{
    gemm::{
        simt::GemmSimt,
        sm80::GemmSm80,
        sm90::{Out, Types},
        sm100::{GemmSm100, Scheduler},
        sm120::GemmSm120,
    },
    layernorm::Layernorm,
    module,
};
use melior::{Context, ir::Module};

fn check(
    (name, about): (&str, &str),
    build: impl for<'c> FnOnce(&'c Context) -> Result<Module<'c>, cute_kernels::Error>,
) {
    let context = Context::new();
    cute_mlir::load(&context);
    let built = build(&context).unwrap_or_else(|e| panic!("{e}"));
    let text = module::text(&built, about);
    let path = format!("{}/examples/{name}.mlir", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("UPDATE_EXAMPLES").is_some() {
        std::fs::write(&path, &text).expect("the example can be written");
    }
    let example = std::fs::read_to_string(&path).expect("the example can be read");
    assert!(text == example, "{path} is not what the builder writes; UPDATE_EXAMPLES=1 writes it");
    // Names and aliases do not change the module.
    let read = cute_mlir::parse(&context, &text).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(read.as_operation().to_string(), built.as_operation().to_string());
}

/// The heads of kernels whose options are not the default ones.
const NVF4: &str = "\
D = A B^T of e2m1 with an ue4m3 for every 16 elements of K, accumulated and stored in f32, by tcgen05.mma on a pair of blocks.\n\
\n\
A pair computes 256 x 128 of D, one tile after the other. One warp of each block loads tiles of A, B and their scale factors by the TMA.\n\
One warp of the pair copies the factors of a K tile of 256 to tensor memory, and issues its MMAs. Four warps of each block store D.\n\
\n\
SFA and SFB are blocks of 512 bytes, as a mode of 256 and one of 2: four factors of each of 128 rows. The other modes are the blocks\n\
along the rows and along K, (256,2,ceil(rows / 128),ceil(K / 64)). `cutec build quantize --format nvf4` makes them from floats.\n\
\n\
\x20 cutec run examples/blackwell/nvf4.mlir --target sm_100a --host --arg \"A:f4E2M1FN[264x288]=random(1)\" \\\n\
\x20   --arg \"B:f4E2M1FN[136x288]=random(2)\" --arg \"SFA:f8E4M3FN[256x2x3x5]=1.5\" --arg \"SFB:f8E4M3FN[256x2x2x5]=0.75\" \\\n\
\x20   --arg \"D:f32[264x136]\" --arg blocks:i32=4\n\
\n\
Written by `cutec build gemm_sm100 --types nvf4 --n-tile 128 --emit cute`.";

const MXF8: &str = "\
D = A B^T of e4m3 with an ue8m0 for every 32 elements of K, accumulated in f32 and stored in bf16, by tcgen05.mma on one block.\n\
\n\
One cluster is launched for each tile of 128 x 128; clusters that run cancel others, and compute their tiles. The roles of warps are\n\
those of nvf4.mlir. An MMA takes 32 elements of K, so one byte of a word of four factors: the address of a factor in tensor memory says\n\
which.\n\
\n\
SFA and SFB are blocks of 512 bytes, as a mode of 256 and one of 2: four factors of each of 128 rows. The other modes are the blocks\n\
along the rows and along K, (256,2,ceil(rows / 128),ceil(K / 128)). `cutec build quantize --format mxf8-e4m3` makes them from floats.\n\
\n\
\x20 cutec run examples/blackwell/mxf8.mlir --target sm_100a --host --arg \"A:f8E4M3FN[136x288]=random(1)\" \\\n\
\x20   --arg \"B:f8E4M3FN[200x288]=random(2)\" --arg \"SFA:f8E8M0FNU[256x2x2x3]=2\" --arg \"SFB:f8E8M0FNU[256x2x2x3]=0.5\" \\\n\
\x20   --arg \"D:bf16[136x200]\"\n\
\n\
Written by `cutec build gemm_sm100 --types mxf8 --out bf16 --ctas 1 --m-tile 128 --n-tile 128 --scheduler clc --emit cute`.";

#[test]
fn examples_are_what_the_builders_write() {
    check((GemmSm80::NAME, GemmSm80::ABOUT), |c| GemmSm80::default().build(c));
    check((GemmSimt::NAME, GemmSimt::ABOUT), |c| GemmSimt::default().build(c));
    check((Layernorm::NAME, Layernorm::ABOUT), |c| Layernorm::default().build(c));
    let pair = GemmSm100 { types: Types::Nvf4, n_tile: 128, ..GemmSm100::default() };
    check(("blackwell/nvf4", NVF4), |c| pair.build(c));
    let (out, scheduler) = (Some(Out::Bf16), Scheduler::Clc);
    let one = GemmSm100 { types: Types::Mxf8, out, scheduler, ctas: 1, m_tile: 128, ..pair };
    check(("blackwell/mxf8", MXF8), |c| one.build(c));
    let about =
        GemmSm120::ABOUT.replace("gemm_sm120 --emit", "gemm_sm120 --types nvf4 --emit") + GEFORCE_NVF4;
    let nvf4 = GemmSm120 { types: Types::Nvf4, ..GemmSm120::default() };
    check(("geforce/nvf4", &about), |c| nvf4.build(c));
}

/// How the example of the sm_120 family is run.
const GEFORCE_NVF4: &str = r#"

  cutec run examples/geforce/nvf4.mlir --target sm_120a --host --arg "A:f4E2M1FN[136x288]=random(1)" --arg "B:f4E2M1FN[264x288]=random(2)" \
    --arg "SFA:f8E4M3FN[256x2x2x5]=1.5" --arg "SFB:f8E4M3FN[256x2x3x5]=0.75" --arg "D:f32[136x264]" --arg blocks:i32=2 --out D=d.npy"#;
