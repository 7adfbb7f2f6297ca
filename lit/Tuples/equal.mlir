// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base)' | FileCheck %s --check-prefix=BASE

// Whether two values of one kind have the same structure and leaves.

// CHECK-LABEL: @int_tuple(
// CHECK: cute.equal(%arg0, %arg1) : (!cute.int_tuple<"(3,4)">, !cute.int_tuple<"(3,4)">) -> i1
// FOLD-LABEL: @int_tuple(
// FOLD-NEXT: {{.*}}arith.constant true
// FOLD-NEXT: return
func.func @int_tuple(%arg0: !cute.int_tuple<"(3,4)">, %arg1: !cute.int_tuple<"(3,4)">) -> i1 {
  %0 = cute.equal(%arg0, %arg1) : (!cute.int_tuple<"(3,4)">, !cute.int_tuple<"(3,4)">) -> i1
  return %0 : i1
}

// CHECK-LABEL: @shape(
// CHECK: cute.equal(%arg0, %arg1) : (!cute.shape<"(3,4)">, !cute.shape<"(3,5)">) -> i1
// FOLD-LABEL: @shape(
// FOLD-NEXT: {{.*}}arith.constant false
// FOLD-NEXT: return
func.func @shape(%arg0: !cute.shape<"(3,4)">, %arg1: !cute.shape<"(3,5)">) -> i1 {
  %0 = cute.equal(%arg0, %arg1) : (!cute.shape<"(3,4)">, !cute.shape<"(3,5)">) -> i1
  return %0 : i1
}

// CHECK-LABEL: @layout(
// CHECK: cute.equal(%arg0, %arg1) : (!cute.layout<"(4,8):(1,4)">, !cute.layout<"(4,8):(1,4)">) -> i1
// FOLD-LABEL: @layout(
// FOLD-NEXT: {{.*}}arith.constant true
// FOLD-NEXT: return
func.func @layout(%arg0: !cute.layout<"(4,8):(1,4)">, %arg1: !cute.layout<"(4,8):(1,4)">) -> i1 {
  %0 = cute.equal(%arg0, %arg1) : (!cute.layout<"(4,8):(1,4)">, !cute.layout<"(4,8):(1,4)">) -> i1
  return %0 : i1
}

// CHECK-LABEL: @structure(
// CHECK: cute.equal(%arg0, %arg1) : (!cute.layout<"(4,8):(1,4)">, !cute.layout<"(4,(8)):(1,(4))">) -> i1
// FOLD-LABEL: @structure(
// FOLD-NEXT: {{.*}}arith.constant false
// FOLD-NEXT: return
func.func @structure(%arg0: !cute.layout<"(4,8):(1,4)">, %arg1: !cute.layout<"(4,(8)):(1,(4))">) -> i1 {
  %0 = cute.equal(%arg0, %arg1) : (!cute.layout<"(4,8):(1,4)">, !cute.layout<"(4,(8)):(1,(4))">) -> i1
  return %0 : i1
}

// `_` is equal to `_` alone.
// CHECK-LABEL: @coord(
// CHECK: cute.equal(%arg0, %arg1) : (!cute.coord<"(_,4)">, !cute.coord<"(_,4)">) -> i1
// FOLD-LABEL: @coord(
// FOLD-NEXT: {{.*}}arith.constant true
// FOLD-NEXT: return
func.func @coord(%arg0: !cute.coord<"(_,4)">, %arg1: !cute.coord<"(_,4)">) -> i1 {
  %0 = cute.equal(%arg0, %arg1) : (!cute.coord<"(_,4)">, !cute.coord<"(_,4)">) -> i1
  return %0 : i1
}

// CHECK-LABEL: @open(
// CHECK: cute.equal(%arg0, %arg1) : (!cute.coord<"(_,4)">, !cute.coord<"(?,4)">) -> i1
// FOLD-LABEL: @open(
// FOLD-NEXT: {{.*}}arith.constant false
// FOLD-NEXT: return
func.func @open(%arg0: !cute.coord<"(_,4)">, %arg1: !cute.coord<"(?,4)">) -> i1 {
  %0 = cute.equal(%arg0, %arg1) : (!cute.coord<"(_,4)">, !cute.coord<"(?,4)">) -> i1
  return %0 : i1
}

// CHECK-LABEL: @basis(
// CHECK: cute.equal(%arg0, %arg1) : (!cute.stride<"(1@0,?@1)">, !cute.stride<"(1@1,?@0)">) -> i1
// FOLD-LABEL: @basis(
// FOLD-NEXT: {{.*}}arith.constant false
// FOLD-NEXT: return
func.func @basis(%arg0: !cute.stride<"(1@0,?@1)">, %arg1: !cute.stride<"(1@1,?@0)">) -> i1 {
  %0 = cute.equal(%arg0, %arg1) : (!cute.stride<"(1@0,?@1)">, !cute.stride<"(1@1,?@0)">) -> i1
  return %0 : i1
}

// One leaf decides.
// CHECK-LABEL: @decided(
// CHECK: cute.equal(%arg0, %arg1) : (!cute.shape<"(?,4)">, !cute.shape<"(?,5)">) -> i1
// FOLD-LABEL: @decided(
// FOLD-NEXT: {{.*}}arith.constant false
// FOLD-NEXT: return
func.func @decided(%arg0: !cute.shape<"(?,4)">, %arg1: !cute.shape<"(?,5)">) -> i1 {
  %0 = cute.equal(%arg0, %arg1) : (!cute.shape<"(?,4)">, !cute.shape<"(?,5)">) -> i1
  return %0 : i1
}

// CHECK-LABEL: @dynamic(
// CHECK: cute.equal(%arg0, %arg1) : (!cute.layout<"(?,8):(1,?)">, !cute.layout<"(4,8):(1,?)">) -> i1
// FOLD-LABEL: @dynamic(
// FOLD-NEXT: {{.*}}cute.equal(%arg0, %arg1) : (!cute.layout<"(?,8):(1,?)">, !cute.layout<"(4,8):(1,?)">) -> i1
// FOLD-NEXT: return
// BASE-LABEL: func.func @dynamic(
// BASE-SAME: %[[A:.+]]: i32, %[[B:.+]]: i32, %[[C:.+]]: i32) -> i1
// BASE: %[[X:.+]] = arith.cmpi eq, %[[A]], %c4_i32
// BASE: %[[Y:.+]] = arith.cmpi eq, %[[B]], %[[C]]
// BASE: %[[Z:.+]] = arith.andi %[[X]], %[[Y]]
// BASE: return %[[Z]] : i1
func.func @dynamic(%arg0: !cute.layout<"(?,8):(1,?)">, %arg1: !cute.layout<"(4,8):(1,?)">) -> i1 {
  %0 = cute.equal(%arg0, %arg1) : (!cute.layout<"(?,8):(1,?)">, !cute.layout<"(4,8):(1,?)">) -> i1
  return %0 : i1
}

// CHECK-LABEL: @wide(
// CHECK: cute.equal(%arg0, %arg1) : (!cute.stride<"(1@0,?{i64 div=8}@1)">, !cute.stride<"(1@1,?{i64 div=8}@0)">) -> i1
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}arith.constant false
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: %[[FALSE:.*]] = arith.constant false
// BASE-NEXT: return %[[FALSE]] : i1
func.func @wide(%arg0: !cute.stride<"(1@0,?{i64 div=8}@1)">, %arg1: !cute.stride<"(1@1,?{i64 div=8}@0)">) -> i1 {
  %0 = cute.equal(%arg0, %arg1) : (!cute.stride<"(1@0,?{i64 div=8}@1)">, !cute.stride<"(1@1,?{i64 div=8}@0)">) -> i1
  return %0 : i1
}
