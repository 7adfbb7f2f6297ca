// RUN: %opt %s | FileCheck %s

// The nearest `cute.domain` around an op decides: "extend" accepts what CuTe does, a partial last tile among it.
// The inferred types are the same under both policies.

// CHECK: module attributes {cute.domain = "extend"}
module attributes {cute.domain = "extend"} {
  // CHECK: cute.tiled_divide({{.*}}) : (!cute.layout<"128:1">, !cute.shape<"40">) -> !cute.layout<"(40,4):(1,40)">
  func.func @module(%l: !cute.layout<"128:1">, %t: !cute.shape<"40">) {
    %0 = cute.tiled_divide(%l, %t) : (!cute.layout<"128:1">, !cute.shape<"40">) -> !cute.layout<"(40,4):(1,40)">
    return
  }
}

module attributes {cute.domain = "strict"} {
  // CHECK: cute.domain = "extend"
  func.func @function(%l: !cute.layout<"128:1">, %t: !cute.shape<"40">) attributes {cute.domain = "extend"} {
    %0 = cute.tiled_divide(%l, %t) : (!cute.layout<"128:1">, !cute.shape<"40">) -> !cute.layout<"(40,4):(1,40)">
    return
  }
}

// Under "strict", what is not known before run time is no error.
// CHECK-LABEL: @dynamic(
func.func @dynamic(%l: !cute.layout<"?:1">, %t: !cute.shape<"40">, %u: !cute.shape<"?">, %m: !cute.layout<"128:1">) {
  %0 = cute.tiled_divide(%l, %t) : (!cute.layout<"?:1">, !cute.shape<"40">) -> !cute.layout<"(40,?):(1,40)">
  %1 = cute.tiled_divide(%m, %u) : (!cute.layout<"128:1">, !cute.shape<"?">) -> !cute.layout<"(?,?):(1,?)">
  return
}
