// RUN: %opt %s --pass-pipeline='builtin.module(cute-lower-waits)' | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cute-lower-waits,convert-scf-to-cf,convert-cf-to-llvm)' | FileCheck %s --check-prefix=BLOCKS

// One try_wait after another until the phase is over. The limit of time is left out, since the loop has none.

// CHECK-LABEL: llvm.func @wait(
// CHECK-SAME: %[[BAR:.+]]: !llvm.ptr<3>, %[[PHASE:.+]]: i32, %{{.+}}: i32)
// CHECK-NEXT: scf.while : () -> () {
// CHECK-NEXT:   %[[OVER:.+]] = nvvm.mbarrier.try_wait %[[BAR]], %[[PHASE]] : !llvm.ptr<3>, i32 -> i1
// CHECK:        %[[OPEN:.+]] = arith.xori %[[OVER]], %{{.+}} : i1
// CHECK-NEXT:   scf.condition(%[[OPEN]])
// CHECK-NEXT: } do {
// CHECK-NEXT:   scf.yield
// CHECK-NEXT: }
// CHECK-NEXT: llvm.return
// BLOCKS-LABEL: llvm.func @wait(
// BLOCKS: llvm.br ^[[LOOP:.+]]
// BLOCKS-NEXT: ^[[LOOP]]:
// BLOCKS-NEXT: nvvm.mbarrier.try_wait
// BLOCKS: llvm.cond_br
llvm.func @wait(%bar: !llvm.ptr<3>, %phase: i32, %ticks: i32) {
  nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
  llvm.return
}

// A sum that only later ops use is made before the wait: an empty assembly uses it there. The terms of a sum, a value that something
// before the wait needs and one that is used nowhere need none.

// CHECK-LABEL: llvm.func @sum(
// CHECK: %[[PART:.+]] = llvm.fadd
// CHECK-NEXT: %[[SUM:.+]] = llvm.fadd %[[PART]], %[[X:.+]] :
// CHECK-NEXT: %[[PAIR:.+]] = llvm.fmul
// CHECK: %[[GIVEN:.+]] = llvm.fsub %[[X]]
// CHECK: %[[USED:.+]] = llvm.fdiv
// CHECK-NEXT: llvm.inline_asm has_side_effects "printed", "f" %[[USED]]
// CHECK: llvm.inline_asm has_side_effects {cute.tie} "", "f" %[[GIVEN]] : (f32) -> ()
// CHECK-NEXT: llvm.inline_asm has_side_effects {cute.tie} "", "l" %[[PAIR]] : (vector<2xf32>) -> ()
// CHECK-NEXT: llvm.inline_asm has_side_effects {cute.tie} "", "f" %[[SUM]] : (f32) -> ()
// CHECK-NEXT: scf.while
// CHECK: %[[AFTER:.+]] = llvm.fadd %[[SUM]], %[[USED]]
// CHECK-NEXT: llvm.inline_asm has_side_effects {cute.tie} "", "f" %[[AFTER]] : (f32) -> ()
// CHECK-NEXT: scf.while
// CHECK-NOT: cute.tie
// CHECK: llvm.return
llvm.func @sum(%bar: !llvm.ptr<3>, %phase: i32, %ticks: i32, %x: f32, %y: vector<2xf32>, %out: !llvm.ptr, %to: !llvm.ptr) {
  %part = llvm.fadd %x, %x : f32
  %sum = llvm.fadd %part, %x : f32
  %pair = llvm.fmul %y, %y : vector<2xf32>
  %unused = llvm.fadd %x, %part : f32
  %given = llvm.fsub %x, %part : f32
  llvm.store %given, %to : f32, !llvm.ptr
  %used = llvm.fdiv %x, %part : f32
  llvm.inline_asm has_side_effects "printed", "f" %used : (f32) -> ()
  %bits = llvm.bitcast %sum : f32 to i32
  nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
  %after = llvm.fadd %sum, %used : f32
  nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
  llvm.store %pair, %out : vector<2xf32>, !llvm.ptr
  llvm.store %bits, %out : i32, !llvm.ptr
  llvm.store %after, %out : f32, !llvm.ptr
  llvm.return
}

// Before a loop that contains a wait, the same.

// CHECK-LABEL: llvm.func @sum_before_a_loop(
// CHECK: %[[SUM:.+]] = llvm.fadd
// CHECK-NEXT: llvm.inline_asm has_side_effects {cute.tie} "", "h" %[[SUM]] : (f16) -> ()
// CHECK-NEXT: scf.for
// CHECK-NOT: cute.tie
// CHECK: llvm.return
llvm.func @sum_before_a_loop(%bar: !llvm.ptr<3>, %phase: i32, %ticks: i32, %x: f16, %n: i32, %out: !llvm.ptr) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %sum = llvm.fadd %x, %x : f16
  scf.for %i = %zero to %n step %one : i32 {
    nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
  }
  scf.for %i = %zero to %n step %one : i32 {
    llvm.store %i, %out : i32, !llvm.ptr
  }
  llvm.store %sum, %out : f16, !llvm.ptr
  llvm.return
}
