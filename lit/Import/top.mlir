// REQUIRES: cute-opt, cutec
// RUN: %cutec import %s 2>&1 | FileCheck %s
// RUN: %cutec %s --target sm_100a | FileCheck %s --check-prefix=PTX

// A kernel that is a function with marks, directly in the module, as zml writes it.

// CHECK: is a module of CuTe DSL; rewrote 1 ops of another MLIR version: 1 func.func
// CHECK: gpu.func @scaled(
module {
  // PTX: .visible .entry scaled(
  func.func @scaled(%x: !cute.memref<f32, gmem, align<16>, "(?):(1)">, %n: i32, %by: f32) attributes {cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %block = nvvm.read.ptx.sreg.ctaid.x : i32
    %threads = nvvm.read.ptx.sreg.ntid.x : i32
    %first = arith.muli %block, %threads : i32
    %i = arith.addi %first, %thread : i32
    %inside = arith.cmpi slt, %i, %n : i32
    scf.if %inside {
      %at = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
      %old = cute.memref.load(%x, %at) : (!cute.memref<f32, gmem, align<16>, "(?):(1)">, !cute.coord<"?">) -> f32
      %new = arith.mulf %old, %by : f32
      cute.memref.store(%x, %at, %new) : (!cute.memref<f32, gmem, align<16>, "(?):(1)">, !cute.coord<"?">, f32) -> ()
    }
    // PTX: ret;
    return
  }
}
