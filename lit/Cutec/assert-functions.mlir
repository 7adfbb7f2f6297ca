// REQUIRES: cute-opt, cutec
// RUN: %cutec %s --target sm_90a | FileCheck %s
// RUN: %if ptxas %{ %cutec %s --target sm_90a --emit cubin -o %t.cubin %}
// RUN: %cutec run %s --kernel marked --grid 1 --arg 3 | FileCheck %s --check-prefix=INSIDE
// RUN: not %cutec run %s --kernel marked --grid 1 --arg 5 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: %cutec run %s --kernel plain --grid 1 --arg 3 | FileCheck %s --check-prefix=INSIDE
// RUN: not %cutec run %s --kernel plain --grid 1 --arg 5 2>&1 | FileCheck %s --check-prefix=OUTSIDE

// Assertions of kernels that are functions are compiled without an option: in Rust they are checks of bounds.

// CHECK: .entry marked(
// CHECK: __assertfail
// CHECK: .entry plain(
// CHECK: __assertfail
// INSIDE: done 3
// OUTSIDE: index out of bounds
module attributes {gpu.container_module} {
  gpu.module @kernels {
    func.func @marked(%i: i32) attributes {cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 1, 1, 1>} {
      %n = arith.constant 4 : i32
      %inside = arith.cmpi ult, %i, %n : i32
      cf.assert %inside, "index out of bounds"
      cute.print("done {}\n", %i) : i32
      return
    }
    gpu.func @plain(%i: i32) kernel attributes {nvvm.reqntid = array<i32: 1, 1, 1>} {
      %n = arith.constant 4 : i32
      %inside = arith.cmpi ult, %i, %n : i32
      cf.assert %inside, "index out of bounds"
      cute.print("done {}\n", %i) : i32
      gpu.return
    }
  }
}
