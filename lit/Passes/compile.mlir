// RUN: %opt %S/../../examples/copy.mlir --pass-pipeline='builtin.module(cute-compile{target=sm_90a})' | FileCheck %s --check-prefix=COPY
// RUN: %opt %S/../../examples/transpose.mlir --pass-pipeline='builtin.module(cute-compile{target=sm_100a})' | FileCheck %s --check-prefix=TRANSPOSE

// Two matrices of (pointer, M, N, pitch); 4 loads and stores of 128 bits; nothing of ours is left.
// COPY-NOT: cute.
// COPY: llvm.func @copy(%{{.+}}: !llvm.ptr<1> {llvm.align = 16 : i64}, %{{.+}}: i32, %{{.+}}: i32, %{{.+}}: i64, %{{.+}}: !llvm.ptr<1> {llvm.align = 16 : i64}, %{{.+}}: i32, %{{.+}}: i32, %{{.+}}: i64)
// COPY-COUNT-4: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// COPY-COUNT-4: llvm.store {{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
// COPY-NOT: unrealized_conversion_cast

// TRANSPOSE: llvm.mlir.global internal @cute_smem_0() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<4096 x f16>
// TRANSPOSE-COUNT-4: nvvm.cp.async.shared.global %{{.+}}, %{{.+}}, 16, cache = cg
// TRANSPOSE: nvvm.barrier
// TRANSPOSE-COUNT-4: llvm.store {{.*}} {alignment = 16 : i64} : vector<8xf16>, !llvm.ptr<1>
// TRANSPOSE-NOT: unrealized_conversion_cast
