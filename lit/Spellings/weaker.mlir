// RUN: %opt %s --mlir-print-op-generic | %opt --mlir-print-op-generic | FileCheck %s

// A use may expect a weaker type than an op infers. In the generic form the op declares it, and elsewhere cute.derefine
// makes it.

// CHECK: "cute.slice"{{.*}} -> !cute.layout<"(4):(?{div=4})">
func.func @declared(%arg0: !cute.layout<"(4,8):(?{div=8},1)">, %arg1: !cute.coord<"(_,0)">) -> !cute.layout<"(4):(?{div=4})"> {
  %0 = "cute.slice"(%arg0, %arg1) : (!cute.layout<"(4,8):(?{div=8},1)">, !cute.coord<"(_,0)">) -> !cute.layout<"(4):(?{div=4})">
  return %0 : !cute.layout<"(4):(?{div=4})">
}

// CHECK: "cute.slice"{{.*}} -> !cute.layout<"(4):(?{div=8})">
// CHECK: "cute.derefine"{{.*}} -> !cute.layout<"(4):(?{div=4})">
func.func @derefined(%arg0: !cute.layout<"(4,8):(?{div=8},1)">, %arg1: !cute.coord<"(_,0)">) -> !cute.layout<"(4):(?{div=4})"> {
  %0 = cute.slice(%arg0, %arg1) : !cute.layout<"(4,8):(?{div=8},1)">, !cute.coord<"(_,0)">
  %1 = cute.derefine(%0) : !cute.layout<"(4):(?{div=8})"> to !cute.layout<"(4):(?{div=4})">
  return %1 : !cute.layout<"(4):(?{div=4})">
}
