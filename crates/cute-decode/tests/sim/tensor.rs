//! Matrix instructions in a kernel; their numbers are tested on their own.

use crate::program;
use cute_sim::{Arg, Launch, Memory, Traffic};
use half::f16;

/// One warp: 16 x 16 times 16 x 8 through shared memory, `ldmatrix`, `mma.sync` and, for the copy
/// of A, `stmatrix`.
fn source(wait: &str) -> String {
    let halves = |from: &str, n: usize| -> String {
        let parts = (0..n).map(|i| {
            format!(
                "%{from}{i}i = llvm.extractvalue %{from}[{i}] : !llvm.struct<({})>
                 %{from}{i} = llvm.bitcast %{from}{i}i : i32 to vector<2xf16>\n",
                vec!["i32"; n].join(", ")
            )
        });
        parts.collect()
    };
    let stores: String = [(0, 0), (1, 4), (2, 256), (3, 260)]
        .iter()
        .map(|(i, byte)| {
            format!(
                "%d{i} = llvm.extractvalue %d[{i}] : !llvm.struct<(f32, f32, f32, f32)>
                 %o{i} = llvm.getelementptr %po[{byte}] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
                 llvm.store %d{i}, %o{i} : f32, !llvm.ptr<1>\n"
            )
        })
        .collect();
    format!(
        "llvm.mlir.global internal @a() {{addr_space = 3 : i32, alignment = 16 : i64}} : !llvm.array<512 x i8>
         llvm.mlir.global internal @b() {{addr_space = 3 : i32, alignment = 16 : i64}} : !llvm.array<256 x i8>
         llvm.mlir.global internal @c() {{addr_space = 3 : i32, alignment = 16 : i64}} : !llvm.array<512 x i8>
         llvm.func @kernel(%ga: !llvm.ptr<1>, %gb: !llvm.ptr<1>, %out: !llvm.ptr<1>, %copy: !llvm.ptr<1>) attributes {{nvvm.kernel}} {{
         %t = nvvm.read.ptx.sreg.laneid : i32
         %all = llvm.mlir.constant(-1 : i32) : i32
         %c3 = llvm.mlir.constant(3 : i32) : i32
         %c4 = llvm.mlir.constant(4 : i32) : i32
         %c2 = llvm.mlir.constant(2 : i32) : i32
         %c5 = llvm.mlir.constant(5 : i32) : i32
         %c15 = llvm.mlir.constant(15 : i32) : i32
         %f0 = llvm.mlir.constant(0.0 : f32) : f32
         %sa = llvm.mlir.addressof @a : !llvm.ptr<3>
         %sb = llvm.mlir.addressof @b : !llvm.ptr<3>
         %sc = llvm.mlir.addressof @c : !llvm.ptr<3>
         %t16 = llvm.shl %t, %c4 : i32
         %t8 = llvm.shl %t, %c3 : i32
         %fa = llvm.getelementptr %ga[%t16] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
         %ta = llvm.getelementptr %sa[%t16] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
         %va = llvm.load %fa : !llvm.ptr<1> -> vector<4xi32>
         llvm.store %va, %ta : vector<4xi32>, !llvm.ptr<3>
         %fb = llvm.getelementptr %gb[%t8] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
         %tb = llvm.getelementptr %sb[%t8] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
         %vb = llvm.load %fb : !llvm.ptr<1> -> vector<2xi32>
         llvm.store %vb, %tb : vector<2xi32>, !llvm.ptr<3>
         {wait}
         %row = llvm.and %t, %c15 : i32
         %rowa = llvm.shl %row, %c5 : i32
         %half = llvm.lshr %t, %c4 : i32
         %chunk = llvm.shl %half, %c4 : i32
         %ra = llvm.add %rowa, %chunk : i32
         %rb = llvm.shl %row, %c4 : i32
         %pa = llvm.getelementptr %sa[%ra] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
         %pb = llvm.getelementptr %sb[%rb] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
         %a = nvvm.ldmatrix %pa {{num = 4 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>}} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
         %b = nvvm.ldmatrix %pb {{num = 2 : i32, layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>}} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32)>
         {}{}
         %d = nvvm.mma.sync A[%a0, %a1, %a2, %a3] B[%b0, %b1] C[%f0, %f0, %f0, %f0] {{layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>}} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
         %r = llvm.lshr %t, %c2 : i32
         %q = llvm.and %t, %c3 : i32
         %r32 = llvm.shl %r, %c5 : i32
         %q8 = llvm.shl %q, %c3 : i32
         %od = llvm.add %r32, %q8 : i32
         %po = llvm.getelementptr %out[%od] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
         {stores}
         %pc = llvm.getelementptr %sc[%ra] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
         nvvm.stmatrix %pc, %a0i, %a1i, %a2i, %a3i {{layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>}} : !llvm.ptr<3>, i32, i32, i32, i32
         nvvm.bar.warp.sync %all : i32
         %uc = llvm.getelementptr %sc[%t16] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
         %vc = llvm.load %uc : !llvm.ptr<3> -> vector<4xi32>
         %gc = llvm.getelementptr %copy[%t16] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
         llvm.store %vc, %gc : vector<4xi32>, !llvm.ptr<1>
         llvm.return
         }}",
        halves("a", 4),
        halves("b", 2)
    )
}

#[test]
fn a_warp_multiplies_matrices() {
    let a: Vec<f16> = (0..256).map(|i| f16::from_f32((i * 7 % 13) as f32 - 6.0)).collect();
    let b: Vec<f16> = (0..128).map(|i| f16::from_f32((i * 5 % 11) as f32 - 5.0)).collect();
    let mut memory = Memory::new();
    let (da, db) = (memory.upload(&a), memory.upload(&b));
    let (out, copy) = (memory.zeroed::<f32>(128), memory.zeroed::<f16>(256));
    let args = [da, db, out, copy].map(Arg::Buffer);
    let launch = Launch::new("kernel", [1; 3], [32, 1, 1]);
    let report = program(&source("nvvm.bar.warp.sync %all : i32")).run(&launch, &mut memory, &args);
    let report = report.unwrap_or_else(|e| panic!("{e}"));
    let product =
        |m: usize, n: usize| (0..16).map(|k| a[m * 16 + k].to_f32() * b[k * 8 + n].to_f32()).sum::<f32>();
    let expected: Vec<f32> = (0..128).map(|i| product(i / 8, i % 8)).collect();
    assert_eq!(memory.download::<f32>(out), expected);
    assert_eq!(memory.download::<f16>(copy), a);
    // Rows of 32 bytes: of 8 rows, 16 bytes each, two share their banks.
    let loads: Vec<_> = report.sites.iter().filter(|s| s.op == "nvvm.ldmatrix").collect();
    assert!(loads.iter().all(|s| s.traffic == Traffic::Shared));
    assert_eq!(loads.iter().map(|s| (s.passes, s.ideal)).collect::<Vec<_>>(), [(8, 4), (2, 2)]);
    let e = program(&source("")).run(&launch, &mut memory, &args).unwrap_err().to_string();
    assert!(e.contains("nvvm.ldmatrix") && e.contains("nothing orders it with the write"), "{e}");
}
