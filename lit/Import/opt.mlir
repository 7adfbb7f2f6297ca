// REQUIRES: cute-opt, cutec
// RUN: %opt --import %S/drift.mlir -o %t.mlir 2> %t.log && FileCheck %s < %t.mlir && FileCheck %s --check-prefix=SAID < %t.log
// RUN: not %opt --import %S/unknown-invalid.mlir 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not %opt --import %t/none.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %opt --import %s | FileCheck %s --check-prefix=OTHER

// cute-opt says what it recognised, and goes on as mlir-opt does. A file of another kind is read as it is.

// CHECK: vector.broadcast
// SAID: is a module of CuTe DSL; rewrote
// UNKNOWN: error:
// NONE: No such file
// OTHER: cute.size (%arg0)
func.func @other(%a: !cute.shape<"(4,8)">) -> !cute.int_tuple<"32"> {
  %0 = cute.size (%a) : (!cute.shape<"(4,8)">) -> !cute.int_tuple<"32">
  return %0 : !cute.int_tuple<"32">
}
