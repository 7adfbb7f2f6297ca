// REQUIRES: cutec
// RUN: split-file %s %t
// RUN: not %cutec import %t/sources.mlir 2>&1 | FileCheck %t/sources.mlir
// RUN: not %cutec import %t/mask.mlir 2>&1 | FileCheck %t/mask.mlir
// RUN: not %cutec import %t/result.mlir 2>&1 | FileCheck %t/result.mlir
// RUN: not %cutec import %t/beside.mlir 2>&1 | FileCheck %t/beside.mlir
// RUN: not %cutec import %t/bytes.mlir 2>&1 | FileCheck %t/bytes.mlir
// RUN: not %cutec import %t/policy.mlir 2>&1 | FileCheck %t/policy.mlir

// Operands of ops, and kernels, that are not supported.

//--- sources.mlir
// CHECK: sources.mlir:[[#@LINE+4]]:33: error: 'cute.copy' op has 1, 2, 1, 0 operands by groups, which is not supported: one source and one destination are, without a mask
"builtin.module"() ({
  "func.func"() <{function_type = (!a, !m) -> (), sym_name = "k"}> ({
  ^bb0(%t: !a, %a: !m):
    "cute.copy"(%t, %a, %a, %a) <{operandSegmentSizes = array<i32: 1, 2, 1, 0>}> : (!a, !m, !m, !m) -> ()
    "func.return"() : () -> ()
  }) {cute.kernel = unit} : () -> ()
}) : () -> ()

//--- mask.mlir
// CHECK: error: 'cute.memref.load_vec' op has 1, 1, 0 operands by groups, which is not supported
"builtin.module"() ({
  %v = "cute.memref.load_vec"(%a, %b) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (!m, !b) -> vector<4xf32>
}) : () -> ()

//--- result.mlir
// CHECK: error: 'func.func' op is a kernel, which returns nothing
"builtin.module"() ({
  "func.func"() <{function_type = (i32) -> i32, sym_name = "k"}> ({
  ^bb0(%n: i32):
    "func.return"(%n) : (i32) -> ()
  }) {cute.kernel = unit} : () -> ()
}) : () -> ()

//--- beside.mlir
// CHECK: error: 'func.func' op has a parameter by value beside one of type !cute.layout<"(4):(1)">; pass a pointer instead
"builtin.module"() ({
  "func.func"() <{arg_attrs = [{llvm.byval = !llvm.array<8 x i8>}, {}], function_type = (!llvm.ptr, !cute.layout<"(4):(1)">) -> (), sym_name = "k"}> ({
  ^bb0(%p: !llvm.ptr, %l: !cute.layout<"(4):(1)">):
    "func.return"() : () -> ()
  }) {cute.kernel = unit} : () -> ()
}) : () -> ()

//--- bytes.mlir
// CHECK: error: 'cute_nvgpu.arch.mma.SM120.block_scaled' op has thread_id_b, which is supported for 0 alone
"builtin.module"() ({
  "func.func"() <{function_type = (i32, f32, i16) -> (), sym_name = "k"}> ({
  ^bb0(%i: i32, %f: f32, %m: i16):
    %d:4 = "cute_nvgpu.arch.mma.SM120.block_scaled"(%i, %i, %i, %i, %i, %i, %f, %f, %f, %f, %m, %m) <{a_type = f4E2M1FN, b_type = f4E2M1FN, operandSegmentSizes = array<i32: 4, 2, 4, 1, 1, 0, 0>, sf_type = f8E8M0FNU, shape_MNK = #cute.shape<"(16,8,64)">, thread_id_a = 0 : i16, thread_id_b = 1 : i16, vec_size = 32 : i32}> : (i32, i32, i32, i32, i32, i32, f32, f32, f32, f32, i16, i16) -> (f32, f32, f32, f32)
    "func.return"() : () -> ()
  }) {cute.kernel = unit} : () -> ()
}) : () -> ()

//--- policy.mlir
// CHECK: error: 'cute_nvgpu.arch.copy.SM100.tma_store' op has a cache policy, which is not supported
"builtin.module"() ({
  "func.func"() <{function_type = (!cute.ptr<!cute_nvgpu.tma_descriptor_tiled, generic, align<64>>, !cute.ptr<f16, smem, align<128>>, i32, i64) -> (), sym_name = "k"}> ({
  ^bb0(%d: !cute.ptr<!cute_nvgpu.tma_descriptor_tiled, generic, align<64>>, %s: !cute.ptr<f16, smem, align<128>>, %i: i32, %c: i64):
    "cute_nvgpu.arch.copy.SM100.tma_store"(%d, %s, %i, %c) <{mode = #cute_nvgpu.tma_store_mode<tiled>, operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (!cute.ptr<!cute_nvgpu.tma_descriptor_tiled, generic, align<64>>, !cute.ptr<f16, smem, align<128>>, i32, i64) -> ()
    "func.return"() : () -> ()
  }) {cute.kernel = unit} : () -> ()
}) : () -> ()
