// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: not %opt %s --pass-pipeline='builtin.module(cute-to-base)' 2>&1 | FileCheck %s --check-prefix=BASE

// BASE: error: 'cute.print_view' op reached cute-to-base: run cute-expand-copy-gemm before it

// CHECK-LABEL: @view(
// CHECK: cute.print_view(%arg0) {is_signed = false, verbose = true} : !cute.memref<f32, gmem, "(3,4):(4,1)">
// CHECK: cute.print_view(%arg1) : !cute.coord_tensor<"(0,0)", "(3,4):(1@0,1@1)">
func.func @view(%a: !cute.memref<f32, gmem, "(3,4):(4,1)">, %b: !cute.coord_tensor<"(0,0)", "(3,4):(1@0,1@1)">) {
  cute.print_view(%a) {is_signed = false, verbose = true} : !cute.memref<f32, gmem, "(3,4):(4,1)">
  cute.print_view(%b) : !cute.coord_tensor<"(0,0)", "(3,4):(1@0,1@1)">
  return
}
