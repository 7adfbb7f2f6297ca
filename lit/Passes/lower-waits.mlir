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
