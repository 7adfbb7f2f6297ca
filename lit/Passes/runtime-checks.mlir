// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base{runtime-checks})' | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cute-compile{target=sm_90a runtime-checks})' | FileCheck %s --check-prefix=DEVICE
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base)' | FileCheck %s --check-prefix=NONE
// RUN: %opt %s --pass-pipeline='builtin.module(cute-compile{target=sm_90a})' | FileCheck %s --check-prefix=NONE

// Without the option nothing is checked.
// NONE-NOT: trap
// NONE-NOT: overflow"

// Where a value is computed, before it is: what is assumed, the values, a trap.
// CHECK-DAG: llvm.mlir.global internal constant @[[DIVIDES:.+]]("'cute.assume' op %lld is assumed to be a multiple of %lld\0A\00")
// CHECK-DAG: llvm.func @dprintf(i32, !llvm.ptr, ...) -> i32
// CHECK-LABEL: func.func @host(
// CHECK-SAME: %[[N:.+]]: i64) -> i64
func.func @host(%n: i64) -> !cute.shape<"(?{i64 div=8},4)"> {
  // CHECK: %[[WRONG:.+]] = arith.ori
  // CHECK-NEXT: scf.if %[[WRONG]] {
  // CHECK: %[[TEXT:.+]] = llvm.mlir.addressof @[[DIVIDES]]
  // CHECK: llvm.call @dprintf(%{{.+}}, %[[TEXT]], %[[N]], %{{.+}})
  // CHECK-NEXT: llvm.intr.trap
  // CHECK-NEXT: }
  // CHECK-NEXT: return %[[N]] : i64
  %a = cute.assume(%n) : (i64) -> !cute.i64<divby 8>
  %s = cute.make_shape(%a) : (!cute.i64<divby 8>) -> !cute.shape<"(?{i64 div=8},4)">
  return %s : !cute.shape<"(?{i64 div=8},4)">
}

// Known facts are not checked: 8 divides a multiple of 8. It is not known that the sum of a rounded division fits.
// CHECK-LABEL: func.func @known(
// CHECK-NOT: arith.cmpi
// CHECK: return
func.func @known(%l: !cute.layout<"?{div=8}:1">) -> !cute.layout<"(8,?):(1,8)"> {
  %t = cute.static : !cute.shape<"8">
  %d = cute.logical_divide(%l, %t) : (!cute.layout<"?{div=8}:1">, !cute.shape<"8">) -> !cute.layout<"(8,?):(1,8)">
  return %d : !cute.layout<"(8,?):(1,8)">
}

// Nor what nobody computes.
// CHECK-LABEL: func.func @unused(
// CHECK-NOT: trap
// CHECK: return
func.func @unused(%l: !cute.layout<"?:1">) {
  %t = cute.static : !cute.shape<"8">
  %d = cute.logical_divide(%l, %t) : (!cute.layout<"?:1">, !cute.shape<"8">) -> !cute.layout<"(8,?):(1,8)">
  return
}

// One expression is checked once.
// CHECK-LABEL: func.func @once(
// CHECK-COUNT-1: llvm.intr.trap
// CHECK-NOT: trap
// CHECK: return
func.func @once(%n: i32) -> (!cute.int_tuple<"?">, !cute.int_tuple<"?">) {
  %s = cute.make_shape(%n, %n) : (i32, i32) -> !cute.shape<"(?,?)">
  %a = cute.size(%s) : (!cute.shape<"(?,?)">) -> !cute.int_tuple<"?">
  %b = cute.size(%s) : (!cute.shape<"(?,?)">) -> !cute.int_tuple<"?">
  return %a, %b : !cute.int_tuple<"?">, !cute.int_tuple<"?">
}

// A tile need not be whole for local_tile; its coordinate is in range.
// CHECK-LABEL: func.func @tile(
// CHECK: arith.cmpi uge
// CHECK: llvm.intr.trap
// CHECK-NOT: arith.cmpi ne
// CHECK: return
func.func @tile(%t: !cute.memref<f32, gmem, align<16>, "?:1">, %c: !cute.coord<"?">) -> !cute.memref<f32, gmem, align<16>, "(8):(1)"> {
  %b = cute.static : !cute.shape<"8">
  %d = cute.local_tile(%t, %b, %c) : (!cute.memref<f32, gmem, align<16>, "?:1">, !cute.shape<"8">, !cute.coord<"?">) -> !cute.memref<f32, gmem, align<16>, "(8):(1)">
  return %d : !cute.memref<f32, gmem, align<16>, "(8):(1)">
}

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @device(
  // CHECK: gpu.printf "'cute.crd2idx' op index %d is outside [0, %d)\0A"
  // CHECK-NEXT: llvm.intr.trap
  // DEVICE: llvm.func @device(
  // DEVICE: llvm.call @vprintf
  // DEVICE: llvm.intr.trap
  gpu.func @device(%m: !cute.memref<f32, gmem, "(4,?):(1,4)">, %i: i32) kernel {
    %l = cute.get_layout(%m) : !cute.memref<f32, gmem, "(4,?):(1,4)">
    %c = cute.make_coord(%i) : (i32) -> !cute.coord<"(?,0)">
    %x = cute.crd2idx(%c, %l) : (!cute.coord<"(?,0)">, !cute.layout<"(4,?):(1,4)">) -> !cute.int_tuple<"?">
    cute.print(%x) : !cute.int_tuple<"?">
    gpu.return
  }
}
