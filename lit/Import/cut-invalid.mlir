// REQUIRES: cutec
// RUN: not %cutec %s --profile dsl-4.6 --target sm_100a 2>&1 | FileCheck %s --check-prefix=NEW
// RUN: grep -v of_tomorrow %s > %t.all.mlir
// RUN: head -n 14 %t.all.mlir > %t.mlir
// RUN: not %cutec %t.mlir --profile dsl-4.6 --target sm_100a 2>&1 | FileCheck %s --check-prefix=CUT

// A profile changes nothing in the errors for a file that was cut, and for an op of a version that nobody here knows.

module attributes {gpu.container_module} {
  gpu.module @kernels {
    cuda.kernel @k(%n: i32) attributes {cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 1, 1, 1>} {
      // CUT: cut-invalid.mlir.tmp.mlir:[[#@LINE+2]]:{{.*}}: error: 
      // CUT: note: '{{.*}}' ends inside of 3 brackets: is the file complete?
      // NEW: cut-invalid.mlir:[[#@LINE+1]]:{{.*}}: error: {{.*}}cute.of_tomorrow
      %a = cute.of_tomorrow(%n) : i32
      %b = arith.addi %n, %n : i32
      %c = arith.addi %b, %n : i32
      cuda.return
    }
  }
}
