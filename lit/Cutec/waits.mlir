// REQUIRES: cutec
// RUN: %cutec %s --target sm_90a --emit ptx | FileCheck %s

// The lanes of a warp may wait for two barriers, of which one completes first: the branch back is not uniform.

gpu.module @m {
  // CHECK-LABEL: .entry two(
  gpu.func @two(%first: !llvm.ptr<3>, %second: !llvm.ptr<3>, %parity: i32) kernel {
    %lane = nvvm.read.ptx.sreg.laneid : i32
    %c16 = arith.constant 16 : i32
    %low = arith.cmpi slt, %lane, %c16 : i32
    %bar = arith.select %low, %first, %second : !llvm.ptr<3>
    // CHECK: [[LOOP:\$L[A-Za-z0-9_]+]]:
    // CHECK: mbarrier.try_wait.parity.shared.b64
    // CHECK: @{{!?}}%p{{[0-9]+}} bra [[LOOP]];
    nvvm.mbarrier.try_wait.parity %bar, %parity, %c16 : !llvm.ptr<3>, i32, i32
    gpu.return
  }
}
