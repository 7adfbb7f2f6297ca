// RUN: %opt %s --mlir-print-debuginfo --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s

// The result of a fold has the location of the op that it replaces.
// CHECK: cute.static : !cute.layout<"(4,6):(1,4)"> loc(#[[LOC:.*]])
// CHECK: #[[LOC]] = loc("tiles.py":7:3)
func.func @fold(%l: !cute.layout<"24:1">, %t: !cute.layout<"4:1">) -> !cute.layout<"(4,6):(1,4)"> {
  %0 = cute.logical_divide(%l, %t) : (!cute.layout<"24:1">, !cute.layout<"4:1">) -> !cute.layout<"(4,6):(1,4)"> loc("tiles.py":7:3)
  return %0 : !cute.layout<"(4,6):(1,4)">
}
