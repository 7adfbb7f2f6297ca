// RUN: %opt %s | %opt | FileCheck %s

// Where the data layout says that an index has 32 bits, it fills a 32-bit leaf.
module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32 : i64>} {
  // CHECK: cute.make_shape(%arg0) : (index) -> !cute.shape<"(?,8)">
  func.func @narrow(%i: index) {
    %0 = cute.make_shape(%i) : (index) -> !cute.shape<"(?,8)">
    return
  }
}
