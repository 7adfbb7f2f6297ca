// REQUIRES: cutec
// RUN: %cutec --emit ptx --target sm_90a %s | FileCheck %s

// LLVM's backend writes every update as a relaxed one, so fences order the others.

gpu.module @kernels {
  // CHECK-LABEL: .entry relaxed(
  // CHECK-NOT: fence
  // CHECK: atom.global.add.u32
  // CHECK-NOT: fence
  // CHECK: ret;
  llvm.func @relaxed(%p: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %one = llvm.mlir.constant(1 : i32) : i32
    %old = llvm.atomicrmw add %p, %one syncscope("device") monotonic : !llvm.ptr<1>, i32
    llvm.store %old, %out : i32, !llvm.ptr<1>
    llvm.return
  }

  // CHECK-LABEL: .entry both(
  // CHECK: fence.release.gpu;
  // CHECK: atom.global.add.u32
  // CHECK-NEXT: fence.acquire.gpu;
  llvm.func @both(%p: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %one = llvm.mlir.constant(1 : i32) : i32
    %old = llvm.atomicrmw add %p, %one syncscope("device") acq_rel : !llvm.ptr<1>, i32
    llvm.store %old, %out : i32, !llvm.ptr<1>
    llvm.return
  }

  // CHECK-LABEL: .entry released(
  // CHECK: fence.release.cta;
  // CHECK-NEXT: atom.global.exch.b32
  // CHECK-NOT: fence
  // CHECK: ret;
  llvm.func @released(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %one = llvm.mlir.constant(1 : i32) : i32
    %old = llvm.atomicrmw xchg %p, %one syncscope("block") release : !llvm.ptr<1>, i32
    llvm.return
  }

  // CHECK-LABEL: .entry sequential(
  // CHECK: fence.sc.sys;
  // CHECK: atom.global.max.s32
  // CHECK-NEXT: fence.acquire.sys;
  llvm.func @sequential(%p: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %one = llvm.mlir.constant(1 : i32) : i32
    %old = llvm.atomicrmw max %p, %one seq_cst : !llvm.ptr<1>, i32
    llvm.store %old, %out : i32, !llvm.ptr<1>
    llvm.return
  }
}
