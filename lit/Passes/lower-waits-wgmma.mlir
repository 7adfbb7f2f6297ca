// RUN: %opt %s --pass-pipeline='builtin.module(cute-lower-waits)' | FileCheck %s

// The registers of wgmma are still memory. A fence holds those that products behind it read, a wait those that it completes, in an
// empty assembly: what LLVM computes of them stays on its side.

// CHECK-LABEL: @one(
// CHECK: %[[M:.*]] = llvm.alloca
// CHECK: %[[X0:.*]] = llvm.load
// CHECK: %[[X1:.*]] = llvm.load
// CHECK: %[[HELD:.*]] = llvm.inline_asm has_side_effects {cute.tie} "", "=f,=f,0,1" %[[X0]], %[[X1]] : (f32, f32) -> !llvm.struct<(f32, f32)>
// CHECK: %[[H0:.*]] = llvm.extractvalue %[[HELD]][0]
// CHECK: llvm.store %[[H0]], %{{.*}} {alignment = 4 : i64, cute.tie} : f32, !llvm.ptr
// CHECK: %[[H1:.*]] = llvm.extractvalue %[[HELD]][1]
// CHECK: llvm.store %[[H1]], %{{.*}} {alignment = 4 : i64, cute.tie} : f32, !llvm.ptr
// CHECK-NEXT: nvvm.wgmma.fence.aligned
// CHECK: llvm.inline_asm has_side_effects {cute.wgmma} "wgmma.mma_async
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK: llvm.inline_asm has_side_effects {cute.tie} "", "=f,=f,0,1"
// CHECK: llvm.return
llvm.func @one(%a: i64, %b: i64, %on: i32) {
  %n = llvm.mlir.constant(1 : i32) : i32
  %m = llvm.alloca %n x !llvm.array<2 x f32> : (i32) -> !llvm.ptr
  nvvm.wgmma.fence.aligned
  %0 = llvm.load %m : !llvm.ptr -> f32
  %m1 = llvm.getelementptr %m[1] : (!llvm.ptr) -> !llvm.ptr, f32
  %1 = llvm.load %m1 : !llvm.ptr -> f32
  %d = llvm.inline_asm has_side_effects {cute.wgmma} "wgmma.mma_async of $0, $1 by $2, $3, $4", "=f,=f,l,l,r,0,1" %a, %b, %on, %0, %1 : (i64, i64, i32, f32, f32) -> !llvm.struct<(f32, f32)>
  %d0 = llvm.extractvalue %d[0] : !llvm.struct<(f32, f32)>
  llvm.store %d0, %m : f32, !llvm.ptr
  %d1 = llvm.extractvalue %d[1] : !llvm.struct<(f32, f32)>
  llvm.store %d1, %m1 : f32, !llvm.ptr
  nvvm.wgmma.commit.group.sync.aligned
  nvvm.wgmma.wait.group.sync.aligned 0
  llvm.return
}

// An iteration issues a group and waits for that of the iteration before: both work on the same register, which the wait leaves alone. The last
// wait holds it.
// CHECK-LABEL: @loop(
// CHECK: llvm.br
// CHECK: llvm.inline_asm has_side_effects {cute.tie} "", "=f,0" %{{.*}} : (f32) -> f32
// CHECK: nvvm.wgmma.fence.aligned
// CHECK: llvm.inline_asm has_side_effects {cute.wgmma} "wgmma.mma_async
// CHECK: nvvm.wgmma.wait.group.sync.aligned 1
// CHECK-NEXT: llvm.cond_br
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK: llvm.inline_asm has_side_effects {cute.tie} "", "=f,0" %{{.*}} : (f32) -> f32
// CHECK: llvm.return
llvm.func @loop(%a: i64, %b: i64, %on: i32, %more: i1) {
  %n = llvm.mlir.constant(1 : i32) : i32
  %m = llvm.alloca %n x f32 : (i32) -> !llvm.ptr
  llvm.br ^turn
^turn:
  nvvm.wgmma.fence.aligned
  %0 = llvm.load %m : !llvm.ptr -> f32
  %d = llvm.inline_asm has_side_effects {cute.wgmma} "wgmma.mma_async of $0 by $1, $2, $3", "=f,l,l,r,0" %a, %b, %on, %0 : (i64, i64, i32, f32) -> !llvm.struct<(f32)>
  %d0 = llvm.extractvalue %d[0] : !llvm.struct<(f32)>
  llvm.store %d0, %m : f32, !llvm.ptr
  nvvm.wgmma.commit.group.sync.aligned
  nvvm.wgmma.wait.group.sync.aligned 1
  llvm.cond_br %more, ^turn, ^end
^end:
  nvvm.wgmma.wait.group.sync.aligned 0
  llvm.return
}

// Two groups on registers of their own: a wait for all but one completes the first.
// CHECK-LABEL: @two(
// CHECK: %[[X:.*]] = llvm.alloca
// CHECK: %[[Y:.*]] = llvm.alloca
// CHECK: nvvm.wgmma.wait.group.sync.aligned 1
// CHECK-NEXT: %[[AT:.*]] = llvm.getelementptr %[[X]][0]
// CHECK-NEXT: %[[OLD:.*]] = llvm.load %[[AT]]
// CHECK-NEXT: %[[NEW:.*]] = llvm.inline_asm has_side_effects {cute.tie} "", "=r,0" %[[OLD]] : (i32) -> i32
// CHECK-NEXT: llvm.store %[[NEW]], %[[AT]]
// CHECK-NEXT: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK-NEXT: %[[AT:.*]] = llvm.getelementptr %[[Y]][0]
// CHECK: llvm.inline_asm has_side_effects {cute.tie} "", "=r,0"
// CHECK-NOT: llvm.inline_asm
// CHECK: llvm.return
llvm.func @two(%a: i64, %b: i64, %on: i32) {
  %n = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %n x i32 : (i32) -> !llvm.ptr
  %y = llvm.alloca %n x i32 : (i32) -> !llvm.ptr
  nvvm.wgmma.fence.aligned
  %0 = llvm.load %x : !llvm.ptr -> i32
  %d = llvm.inline_asm has_side_effects {cute.wgmma} "wgmma.mma_async of $0 by $1, $2, $3", "=r,l,l,r,0" %a, %b, %on, %0 : (i64, i64, i32, i32) -> !llvm.struct<(i32)>
  %d0 = llvm.extractvalue %d[0] : !llvm.struct<(i32)>
  llvm.store %d0, %x : i32, !llvm.ptr
  nvvm.wgmma.commit.group.sync.aligned
  %1 = llvm.load %y : !llvm.ptr -> i32
  %e = llvm.inline_asm has_side_effects {cute.wgmma} "wgmma.mma_async of $0 by $1, $2, $3", "=r,l,l,r,0" %a, %b, %on, %1 : (i64, i64, i32, i32) -> !llvm.struct<(i32)>
  %e0 = llvm.extractvalue %e[0] : !llvm.struct<(i32)>
  llvm.store %e0, %y : i32, !llvm.ptr
  nvvm.wgmma.commit.group.sync.aligned
  nvvm.wgmma.wait.group.sync.aligned 1
  nvvm.wgmma.wait.group.sync.aligned 0
  llvm.return
}

// The second group continues the accumulators of the first: it needs no fence, but ptxas wants one, which is inserted. So is one after
// a wait for an mbarrier.
// CHECK-LABEL: @fences(
// CHECK: nvvm.wgmma.fence.aligned
// CHECK: llvm.inline_asm has_side_effects {cute.wgmma} "wgmma.mma_async
// CHECK: nvvm.wgmma.commit.group.sync.aligned
// CHECK: nvvm.wgmma.fence.aligned
// CHECK: llvm.inline_asm has_side_effects {cute.wgmma} "wgmma.mma_async
// CHECK: nvvm.wgmma.commit.group.sync.aligned
// CHECK-NOT: nvvm.wgmma.fence.aligned
// CHECK: llvm.return
llvm.func @fences(%a: i64, %b: i64, %on: i32) {
  %n = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %n x i32 : (i32) -> !llvm.ptr
  nvvm.wgmma.fence.aligned
  %0 = llvm.load %x : !llvm.ptr -> i32
  %d = llvm.inline_asm has_side_effects {cute.wgmma} "wgmma.mma_async of $0 by $1, $2, $3", "=r,l,l,r,0" %a, %b, %on, %0 : (i64, i64, i32, i32) -> !llvm.struct<(i32)>
  %d0 = llvm.extractvalue %d[0] : !llvm.struct<(i32)>
  llvm.store %d0, %x : i32, !llvm.ptr
  nvvm.wgmma.commit.group.sync.aligned
  %1 = llvm.load %x : !llvm.ptr -> i32
  %e = llvm.inline_asm has_side_effects {cute.wgmma} "wgmma.mma_async of $0 by $1, $2, $3", "=r,l,l,r,0" %a, %b, %on, %1 : (i64, i64, i32, i32) -> !llvm.struct<(i32)>
  %e0 = llvm.extractvalue %e[0] : !llvm.struct<(i32)>
  llvm.store %e0, %x : i32, !llvm.ptr
  nvvm.wgmma.commit.group.sync.aligned
  llvm.return
}

// The first group needs a fence, and so does one whose accumulators another instruction has written. Without it the kernel is wrong, and
// nothing is inserted that would hide that.
// CHECK-LABEL: @missing(
// CHECK-NOT: nvvm.wgmma.fence.aligned
// CHECK: llvm.inline_asm has_side_effects {cute.wgmma} "wgmma.mma_async
// CHECK-COUNT-1: nvvm.wgmma.fence.aligned
// CHECK: llvm.inline_asm has_side_effects {cute.wgmma} "wgmma.mma_async
// CHECK-NOT: nvvm.wgmma.fence.aligned
// CHECK: llvm.return
llvm.func @missing(%a: i64, %b: i64, %on: i32) {
  %n = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %n x i32 : (i32) -> !llvm.ptr
  %0 = llvm.load %x : !llvm.ptr -> i32
  %d = llvm.inline_asm has_side_effects {cute.wgmma} "wgmma.mma_async of $0 by $1, $2, $3", "=r,l,l,r,0" %a, %b, %on, %0 : (i64, i64, i32, i32) -> !llvm.struct<(i32)>
  %d0 = llvm.extractvalue %d[0] : !llvm.struct<(i32)>
  llvm.store %d0, %x : i32, !llvm.ptr
  nvvm.wgmma.commit.group.sync.aligned
  nvvm.wgmma.wait.group.sync.aligned 0
  nvvm.wgmma.fence.aligned
  llvm.store %on, %x : i32, !llvm.ptr
  nvvm.wgmma.commit.group.sync.aligned
  %1 = llvm.load %x : !llvm.ptr -> i32
  %e = llvm.inline_asm has_side_effects {cute.wgmma} "wgmma.mma_async of $0 by $1, $2, $3", "=r,l,l,r,0" %a, %b, %on, %1 : (i64, i64, i32, i32) -> !llvm.struct<(i32)>
  %e0 = llvm.extractvalue %e[0] : !llvm.struct<(i32)>
  llvm.store %e0, %x : i32, !llvm.ptr
  nvvm.wgmma.commit.group.sync.aligned
  llvm.return
}
