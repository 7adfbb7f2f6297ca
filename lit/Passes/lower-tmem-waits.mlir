// RUN: %opt %s --pass-pipeline='builtin.module(cute-lower-atoms{target=sm_100a},canonicalize)' | FileCheck %s

// Registers of a load need no wait; whoever tells another agent that it is done with tensor memory waits first. The wait is put before what
// tells, where all lanes of a warp come to it.

!load = !cute_nvgpu.atom.tmem_load<f32, 32 DP, 32 bit, x2>
!store = !cute_nvgpu.atom.tmem_store<f32, 32 DP, 32 bit, x2>
!lanes = !cute.memref<f32, tmem, align<16>, "((2,32)):((1,65536))">
!regs = !cute.memref<f32, rmem, align<32>, "((2,1)):((1,0))">

// CHECK-LABEL: func.func @barrier(
// CHECK: nvvm.tcgen05.ld
// CHECK: nvvm.tcgen05.ld
// CHECK-NOT: nvvm.tcgen05.wait
// CHECK: arith.addf
// CHECK: nvvm.tcgen05.wait <load>
// CHECK-NEXT: nvvm.barrier
// CHECK-NOT: nvvm.tcgen05.wait
// CHECK: return
func.func @barrier(%ld: !load, %t: !lanes, %r: !regs, %x: f32, %to: !cute.memref<f32, gmem, "1:0">) {
  cute.copy_atom_call(%ld, %t, %r) : (!load, !lanes, !regs) -> ()
  cute.copy_atom_call(%ld, %t, %r) : (!load, !lanes, !regs) -> ()
  %y = arith.addf %x, %x : f32
  %zero = cute.static : !cute.coord<"0">
  cute.memref.store(%to, %zero, %y) : (!cute.memref<f32, gmem, "1:0">, !cute.coord<"0">, f32) -> ()
  nvvm.barrier
  nvvm.barrier
  return
}

// The program waits itself.
// CHECK-LABEL: func.func @waited(
// CHECK: nvvm.tcgen05.st
// CHECK-NEXT: nvvm.tcgen05.wait <store>
// CHECK-NEXT: nvvm.barrier
func.func @waited(%st: !store, %t: !lanes, %r: !regs) {
  cute.copy_atom_call(%st, %r, %t) : (!store, !regs, !lanes) -> ()
  nvvm.tcgen05.wait <store>
  nvvm.barrier
  return
}

// A store behind a load may write what that reads, and a load behind a store reads what that writes.
// CHECK-LABEL: func.func @in_turn(
// CHECK: nvvm.tcgen05.ld
// CHECK: nvvm.tcgen05.wait <load>
// CHECK: nvvm.tcgen05.st
// CHECK: nvvm.tcgen05.wait <store>
// CHECK: nvvm.tcgen05.ld
// CHECK-NOT: nvvm.tcgen05.wait
// CHECK: return
func.func @in_turn(%ld: !load, %st: !store, %t: !lanes, %r: !regs) {
  cute.copy_atom_call(%ld, %t, %r) : (!load, !lanes, !regs) -> ()
  cute.copy_atom_call(%st, %r, %t) : (!store, !regs, !lanes) -> ()
  cute.copy_atom_call(%ld, %t, %r) : (!load, !lanes, !regs) -> ()
  return
}

// One lane arrives: the wait is before the branch. What a loop loads is waited for behind it, and before the next iteration signals.
// CHECK-LABEL: func.func @branches(
// CHECK: scf.for
// CHECK: nvvm.tcgen05.wait <load>
// CHECK-NEXT: scf.if
// CHECK-NEXT: nvvm.mbarrier.arrive
// CHECK: nvvm.tcgen05.ld
// CHECK: }
// CHECK: nvvm.tcgen05.wait <load>
// CHECK-NEXT: llvm.inline_asm
func.func @branches(%ld: !load, %t: !lanes, %r: !regs, %bar: !llvm.ptr<3>, %one: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.if %one {
      nvvm.mbarrier.arrive %bar : !llvm.ptr<3>
    }
    cute.copy_atom_call(%ld, %t, %r) : (!load, !lanes, !regs) -> ()
  }
  llvm.inline_asm has_side_effects "bar.sync 1;", "" : () -> ()
  return
}
