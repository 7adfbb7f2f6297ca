// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// A pointer moves by elements; its alignment is what pointer and offset both keep.

// CHECK-LABEL: @static(
// CHECK: cute.add_offset(%arg0, %arg1) : (!cute.ptr<f32, gmem, align<16>>, !cute.int_tuple<"8">) -> !cute.ptr<f32, gmem, align<16>>
// FOLD-LABEL: @static(
// FOLD-NEXT: {{.*}}cute.add_offset(%arg0, %arg1) : (!cute.ptr<f32, gmem, align<16>>, !cute.int_tuple<"8">) -> !cute.ptr<f32, gmem, align<16>>
// FOLD-NEXT: return
// BASE-LABEL: @static(
// BASE-NEXT: %[[V0:.*]] = llvm.getelementptr %arg0[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
// BASE-NEXT: return %[[V0]] : !llvm.ptr<1>
func.func @static(%arg0: !cute.ptr<f32, gmem, align<16>>, %arg1: !cute.int_tuple<"8">) -> !cute.ptr<f32, gmem, align<16>> {
  %0 = cute.add_offset(%arg0, %arg1) : (!cute.ptr<f32, gmem, align<16>>, !cute.int_tuple<"8">) -> !cute.ptr<f32, gmem, align<16>>
  return %0 : !cute.ptr<f32, gmem, align<16>>
}

// CHECK-LABEL: @less_aligned(
// CHECK: cute.add_offset(%arg0, %arg1) : (!cute.ptr<f32, gmem, align<16>>, !cute.int_tuple<"2">) -> !cute.ptr<f32, gmem, align<8>>
// FOLD-LABEL: @less_aligned(
// FOLD-NEXT: {{.*}}cute.add_offset(%arg0, %arg1) : (!cute.ptr<f32, gmem, align<16>>, !cute.int_tuple<"2">) -> !cute.ptr<f32, gmem, align<8>>
// FOLD-NEXT: return
// BASE-LABEL: @less_aligned(
// BASE-NEXT: %[[V0:.*]] = llvm.getelementptr %arg0[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
// BASE-NEXT: return %[[V0]] : !llvm.ptr<1>
func.func @less_aligned(%arg0: !cute.ptr<f32, gmem, align<16>>, %arg1: !cute.int_tuple<"2">) -> !cute.ptr<f32, gmem, align<8>> {
  %0 = cute.add_offset(%arg0, %arg1) : (!cute.ptr<f32, gmem, align<16>>, !cute.int_tuple<"2">) -> !cute.ptr<f32, gmem, align<8>>
  return %0 : !cute.ptr<f32, gmem, align<8>>
}

// CHECK-LABEL: @unknown(
// CHECK: cute.add_offset(%arg0, %arg1) : (!cute.ptr<f32, gmem, align<16>>, !cute.int_tuple<"?">) -> !cute.ptr<f32, gmem>
// FOLD-LABEL: @unknown(
// FOLD-NEXT: {{.*}}cute.add_offset(%arg0, %arg1) : (!cute.ptr<f32, gmem, align<16>>, !cute.int_tuple<"?">) -> !cute.ptr<f32, gmem>
// FOLD-NEXT: return
// BASE-LABEL: @unknown(
// BASE-NEXT: %[[V0:.*]] = llvm.getelementptr %arg0[%arg1] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
// BASE-NEXT: return %[[V0]] : !llvm.ptr<1>
func.func @unknown(%arg0: !cute.ptr<f32, gmem, align<16>>, %arg1: !cute.int_tuple<"?">) -> !cute.ptr<f32, gmem> {
  %0 = cute.add_offset(%arg0, %arg1) : (!cute.ptr<f32, gmem, align<16>>, !cute.int_tuple<"?">) -> !cute.ptr<f32, gmem>
  return %0 : !cute.ptr<f32, gmem>
}

// CHECK-LABEL: @divisor(
// CHECK: cute.add_offset(%arg0, %arg1) : (!cute.ptr<f32, gmem, align<16>>, !cute.int_tuple<"?{i64 div=4}">) -> !cute.ptr<f32, gmem, align<16>>
// FOLD-LABEL: @divisor(
// FOLD-NEXT: {{.*}}cute.add_offset(%arg0, %arg1) : (!cute.ptr<f32, gmem, align<16>>, !cute.int_tuple<"?{i64 div=4}">) -> !cute.ptr<f32, gmem, align<16>>
// FOLD-NEXT: return
// BASE-LABEL: @divisor(
// BASE-NEXT: %[[V0:.*]] = llvm.getelementptr %arg0[%arg1] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
// BASE-NEXT: return %[[V0]] : !llvm.ptr<1>
func.func @divisor(%arg0: !cute.ptr<f32, gmem, align<16>>, %arg1: !cute.int_tuple<"?{i64 div=4}">) -> !cute.ptr<f32, gmem, align<16>> {
  %0 = cute.add_offset(%arg0, %arg1) : (!cute.ptr<f32, gmem, align<16>>, !cute.int_tuple<"?{i64 div=4}">) -> !cute.ptr<f32, gmem, align<16>>
  return %0 : !cute.ptr<f32, gmem, align<16>>
}

// CHECK-LABEL: @coordinates(
// CHECK: cute.add_offset(%arg0, %arg1) : (!cute.arith_tuple_iter<"(0,?)">, !cute.int_tuple<"(4,8)">) -> !cute.arith_tuple_iter<"(4,?)">
// FOLD-LABEL: @coordinates(
// FOLD-NEXT: {{.*}}cute.add_offset(%arg0, %arg1) : (!cute.arith_tuple_iter<"(0,?)">, !cute.int_tuple<"(4,8)">) -> !cute.arith_tuple_iter<"(4,?)">
// FOLD-NEXT: return
// BASE-LABEL: @coordinates(
// BASE-NEXT: %[[C8:.*]] = arith.constant 8 : i32
// BASE-NEXT: %[[V0:.*]] = arith.addi %arg0, %[[C8]] overflow<nsw> : i32
// BASE-NEXT: return %[[V0]] : i32
func.func @coordinates(%arg0: !cute.arith_tuple_iter<"(0,?)">, %arg1: !cute.int_tuple<"(4,8)">) -> !cute.arith_tuple_iter<"(4,?)"> {
  %0 = cute.add_offset(%arg0, %arg1) : (!cute.arith_tuple_iter<"(0,?)">, !cute.int_tuple<"(4,8)">) -> !cute.arith_tuple_iter<"(4,?)">
  return %0 : !cute.arith_tuple_iter<"(4,?)">
}

// Coordinates of CuTe DSL 4.3.
// CHECK-LABEL: @int_tuple(
// CHECK: cute.add_offset(%arg0, %arg1) : (!cute.int_tuple<"(?{div=128},0,?)">, !cute.int_tuple<"(0,?)">) -> !cute.int_tuple<"(?{div=128},?,?)">
// BASE-LABEL: func.func @int_tuple(
// BASE-SAME: %[[A:.+]]: i32, %[[B:.+]]: i32, %[[C:.+]]: i32) -> (i32, i32, i32)
// BASE-NEXT: return %[[A]], %[[C]], %[[B]]
func.func @int_tuple(%arg0: !cute.int_tuple<"(?{div=128},0,?)">, %arg1: !cute.int_tuple<"(0,?)">) -> !cute.int_tuple<"(?{div=128},?,?)"> {
  %0 = cute.add_offset(%arg0, %arg1) : (!cute.int_tuple<"(?{div=128},0,?)">, !cute.int_tuple<"(0,?)">) -> !cute.int_tuple<"(?{div=128},?,?)">
  return %0 : !cute.int_tuple<"(?{div=128},?,?)">
}

// CHECK-LABEL: @integers(
// FOLD-LABEL: @integers(
// FOLD-NEXT: {{.*}}cute.static : !cute.int_tuple<"7">
func.func @integers(%arg0: !cute.int_tuple<"3">, %arg1: !cute.int_tuple<"4">) -> !cute.int_tuple<"7"> {
  %0 = cute.add_offset(%arg0, %arg1) : (!cute.int_tuple<"3">, !cute.int_tuple<"4">) -> !cute.int_tuple<"7">
  return %0 : !cute.int_tuple<"7">
}

// Tensor memory is addressed by lanes, in the upper half of a word, and columns of 32 bits.

// CHECK-LABEL: @columns(
// BASE-LABEL: @columns(
// BASE-SAME: %[[P:.*]]: i32, %[[N:.*]]: i32) -> i32
// BASE-NEXT: %[[V0:.*]] = arith.addi %[[P]], %[[N]] overflow<nsw> : i32
// BASE-NEXT: return %[[V0]] : i32
func.func @columns(%arg0: !cute.ptr<f32, tmem>, %arg1: !cute.int_tuple<"?">) -> !cute.ptr<f32, tmem> {
  %0 = cute.add_offset(%arg0, %arg1) : (!cute.ptr<f32, tmem>, !cute.int_tuple<"?">) -> !cute.ptr<f32, tmem>
  return %0 : !cute.ptr<f32, tmem>
}

// Lane 1 of f16 is 131072 elements further on: two elements are one column.
// CHECK-LABEL: @lane(
// BASE-LABEL: @lane(
// BASE-SAME: %[[P:.*]]: i32) -> i32
// BASE: %[[C:.*]] = arith.constant 65540 : i32
// BASE-NEXT: %[[V0:.*]] = arith.addi %[[P]], %[[C]] overflow<nsw> : i32
// BASE-NEXT: return %[[V0]] : i32
func.func @lane(%arg0: !cute.ptr<f16, tmem>) -> !cute.ptr<f16, tmem> {
  %o = cute.static : !cute.int_tuple<"131080">
  %0 = cute.add_offset(%arg0, %o) : (!cute.ptr<f16, tmem>, !cute.int_tuple<"131080">) -> !cute.ptr<f16, tmem>
  return %0 : !cute.ptr<f16, tmem>
}

// The address of a byte is that of its column, with the byte in the upper two bits.
// CHECK-LABEL: @within_a_column(
// BASE-LABEL: @within_a_column(
// BASE-SAME: %[[P:.*]]: i32, %[[N:.*]]: i32) -> i32
// BASE-DAG: %[[C2:.*]] = arith.constant 2 : i32
// BASE-DAG: %[[C30:.*]] = arith.constant 30 : i32
// BASE: %[[V0:.*]] = llvm.intr.fshl(%[[P]], %[[P]], %[[C2]])
// BASE-NEXT: %[[V1:.*]] = arith.addi %[[V0]], %[[N]] overflow<nsw> : i32
// BASE-NEXT: %[[V2:.*]] = llvm.intr.fshl(%[[V1]], %[[V1]], %[[C30]])
// BASE-NEXT: return %[[V2]] : i32
func.func @within_a_column(%arg0: !cute.ptr<i8, tmem>, %arg1: !cute.int_tuple<"?">) -> !cute.ptr<i8, tmem> {
  %0 = cute.add_offset(%arg0, %arg1) : (!cute.ptr<i8, tmem>, !cute.int_tuple<"?">) -> !cute.ptr<i8, tmem>
  return %0 : !cute.ptr<i8, tmem>
}
