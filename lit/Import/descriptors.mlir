// REQUIRES: cute-opt, cutec
// RUN: %cutec import %s 2>&1 | FileCheck %s
// RUN: %cutec %s --target sm_100a --emit mlir | FileCheck %s --check-prefix=WORDS

// Descriptors of matrices in shared memory, from a pointer and a layout: rows of 128 bytes, with groups of 8 rows 1024 bytes apart.

// CHECK: rewrote 5 ops of another MLIR version: 2 cute_nvgpu.make_umma_smem_desc, 2 cute_nvgpu.make_gmma_smem_desc, 1 func.func
// CHECK: cute.mma.make_fragment B(%{{.*}}, %{{.*}}) : (!cute.tiled_mma<!cute_nvgpu.sm100.mma<128x96x16, num_cta = 1, ab_major = (k, k),
// CHECK: cute.mma.make_fragment B(%{{.*}}, %{{.*}}) : (!cute.tiled_mma<!cute_nvgpu.sm100.mma<128x64x16, num_cta = 1, ab_major = (k, mn),
// CHECK: cute.mma.make_fragment B(%{{.*}}, %{{.*}}) : (!cute.tiled_mma<!cute_nvgpu.sm90.mma<64x64x32, ab_major = (k, k), elem_type = (f8E4M3FN, f8E4M3FN, f32)
// Beside the address: 1024 bytes between groups of 8 rows; K-major matrices state 16 bytes between columns, which is not used; the version,
// and rows of 128 bytes in the numbers of each generation: 0x4000404000010000, 0x4000404000000000 and 0x4000004000010000.
// WORDS-DAG: llvm.mlir.constant(4611756662049538048 : i64)
// WORDS-DAG: llvm.mlir.constant(4611756662049472512 : i64)
// WORDS-DAG: llvm.mlir.constant(4611686293305360384 : i64)
"builtin.module"() ({
  "gpu.module"() <{sym_name = "kernels"}> ({
    "func.func"() <{function_type = (!llvm.ptr) -> (), sym_name = "k"}> ({
    ^bb0(%out: !llvm.ptr):
      %raw = "cute_nvgpu.arch.get_dyn_smem"() : () -> !cute.ptr<i8, smem, align<1024>>
      %s = "builtin.unrealized_conversion_cast"(%raw) : (!cute.ptr<i8, smem, align<1024>>) -> !llvm.ptr<3>
      %f16 = "builtin.unrealized_conversion_cast"(%s) : (!llvm.ptr<3>) -> !cute.ptr<f16, smem, align<128>, S<3,4,3>>
      %f8 = "builtin.unrealized_conversion_cast"(%s) : (!llvm.ptr<3>) -> !cute.ptr<f8E4M3FN, smem, align<128>, S<3,4,3>>
      %a = "cute_nvgpu.make_umma_smem_desc"(%f16) <{layout = #cute.layout<"((96,16),1):((64,1),0)">, major = #cute_nvgpu.major<k>}> : (!cute.ptr<f16, smem, align<128>, S<3,4,3>>) -> !cute_nvgpu.smem_desc
      %b = "cute_nvgpu.make_umma_smem_desc"(%f16) <{layout = #cute.layout<"((64,(8,2)),1):((1,(64,512)),0)">, major = #cute_nvgpu.major<mn>}> : (!cute.ptr<f16, smem, align<128>, S<3,4,3>>) -> !cute_nvgpu.smem_desc
      %c = "cute_nvgpu.make_gmma_smem_desc"(%f8) <{layout = #cute.layout<"((64,32),1,1):((128,1),0,0)">, major = #cute_nvgpu.major<k>}> : (!cute.ptr<f8E4M3FN, smem, align<128>, S<3,4,3>>) -> !cute_nvgpu.smem_desc
      %d = "cute_nvgpu.make_gmma_smem_desc"(%f16) <{layout = #cute.layout<"((64,16),1,1):((64,1),0,0)">, major = #cute_nvgpu.major<k>}> : (!cute.ptr<f16, smem, align<128>, S<3,4,3>>) -> !cute_nvgpu.smem_desc
      %a64 = "builtin.unrealized_conversion_cast"(%a) : (!cute_nvgpu.smem_desc) -> i64
      %b64 = "builtin.unrealized_conversion_cast"(%b) : (!cute_nvgpu.smem_desc) -> i64
      %c64 = "builtin.unrealized_conversion_cast"(%c) : (!cute_nvgpu.smem_desc) -> i64
      %d64 = "builtin.unrealized_conversion_cast"(%d) : (!cute_nvgpu.smem_desc) -> i64
      %p1 = "llvm.getelementptr"(%out) <{elem_type = i64, rawConstantIndices = array<i32: 1>}> : (!llvm.ptr) -> !llvm.ptr
      %p2 = "llvm.getelementptr"(%out) <{elem_type = i64, rawConstantIndices = array<i32: 2>}> : (!llvm.ptr) -> !llvm.ptr
      %p3 = "llvm.getelementptr"(%out) <{elem_type = i64, rawConstantIndices = array<i32: 3>}> : (!llvm.ptr) -> !llvm.ptr
      "llvm.store"(%a64, %out) <{ordering = 0 : i64}> : (i64, !llvm.ptr) -> ()
      "llvm.store"(%b64, %p1) <{ordering = 0 : i64}> : (i64, !llvm.ptr) -> ()
      "llvm.store"(%c64, %p2) <{ordering = 0 : i64}> : (i64, !llvm.ptr) -> ()
      "llvm.store"(%d64, %p3) <{ordering = 0 : i64}> : (i64, !llvm.ptr) -> ()
      "func.return"() : () -> ()
    }) {cute.kernel = unit, gpu.kernel = unit, nvvm.reqntid = array<i32: 1, 1, 1>} : () -> ()
  }) : () -> ()
}) {gpu.container_module = unit} : () -> ()
