// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base,canonicalize)' | FileCheck %s

// Elements of less than a byte: element i is bits i * width and on, the lowest first.

// CHECK-LABEL: @at_a_place(
// CHECK-DAG: %[[FOUR:.+]] = arith.constant 4 : i32
// CHECK: %[[AT:.+]] = llvm.getelementptr %arg0[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
// CHECK: %[[BYTE:.+]] = llvm.load %[[AT]] {alignment = 1 : i64} : !llvm.ptr<1> -> i8
// CHECK: %[[WORD:.+]] = llvm.zext %[[BYTE]] : i8 to i32
// CHECK: %[[MOVED:.+]] = llvm.lshr %[[WORD]], %[[FOUR]]
// CHECK: llvm.trunc %[[MOVED]] : i32 to i4
func.func @at_a_place(%view: !cute.memref<i4, gmem, "8:1">) -> i4 {
  %at = cute.static : !cute.coord<"5">
  %0 = cute.memref.load(%view, %at) : (!cute.memref<i4, gmem, "8:1">, !cute.coord<"5">) -> i4
  return %0 : i4
}

// For a dynamic index, the byte is index / 8 and the bit index % 8.
// CHECK-LABEL: @anywhere(
// CHECK: %[[BYTE:.+]] = arith.shrsi %arg1, %c3{{.*}} : i32
// CHECK: llvm.getelementptr %arg0[%[[BYTE]]] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
// CHECK: %[[LOW:.+]] = arith.andi %arg1, %c7{{.*}} : i32
// CHECK: llvm.lshr %{{.+}}, %[[LOW]]
// CHECK: llvm.trunc %{{.+}} : i32 to i1
func.func @anywhere(%view: !cute.memref<i1, gmem, "64:1">, %i: i32) -> i1 {
  %at = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
  %0 = cute.memref.load(%view, %at) : (!cute.memref<i1, gmem, "64:1">, !cute.coord<"?">) -> i1
  return %0 : i1
}

// A store keeps the rest of its byte, so fragments begin as zeros; 8 elements are 4 bytes.
// CHECK-LABEL: @stored(
// CHECK: %[[MEMORY:.+]] = llvm.alloca %{{.+}} x !llvm.array<4 x i8> {alignment = 32 : i64}
// CHECK: llvm.store %{{.+}}, %[[MEMORY]] {alignment = 1 : i64} : vector<4xi8>, !llvm.ptr
// CHECK: %[[AT:.+]] = llvm.getelementptr %[[MEMORY]][1]
// CHECK: %[[OLD:.+]] = llvm.load %[[AT]]
// CHECK: llvm.zext %[[OLD]] : i8 to i32
// CHECK: llvm.and
// CHECK: llvm.zext %arg0 : i4 to i32
// CHECK: llvm.shl
// CHECK: llvm.or
// CHECK: llvm.store %{{.+}}, %[[AT]]
func.func @stored(%value: i4) {
  %view = cute.memref.alloca() : !cute.memref<i4, rmem, "8:1">
  %at = cute.static : !cute.coord<"3">
  cute.memref.store(%view, %at, %value) : (!cute.memref<i4, rmem, "8:1">, !cute.coord<"3">, i4) -> ()
  return
}

// Each word of a fragment is cleared alone, so that LLVM may keep it in a register of its own.
// CHECK-LABEL: @words(
// CHECK: %[[MEMORY:.+]] = llvm.alloca %{{.+}} x !llvm.array<10 x i8>
// CHECK: llvm.store %{{.+}}, %[[MEMORY]] {alignment = 1 : i64} : vector<4xi8>, !llvm.ptr
// CHECK: %[[SECOND:.+]] = llvm.getelementptr %[[MEMORY]][4]
// CHECK: llvm.store %{{.+}}, %[[SECOND]] {alignment = 1 : i64} : vector<4xi8>, !llvm.ptr
// CHECK: %[[REST:.+]] = llvm.getelementptr %[[MEMORY]][8]
// CHECK: llvm.store %{{.+}}, %[[REST]] {alignment = 1 : i64} : vector<2xi8>, !llvm.ptr
func.func @words() {
  %view = cute.memref.alloca() : !cute.memref<i4, rmem, "20:1">
  return
}

// Views move by whole bytes.
// CHECK-LABEL: @moved(
// CHECK: %[[BYTES:.+]] = arith.shrsi %arg1, %c1{{.*}} : i32
// CHECK: %[[AT:.+]] = llvm.getelementptr %arg0[%[[BYTES]]] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
// CHECK: return %[[AT]]
func.func @moved(%p: !cute.ptr<i4, gmem>, %by: !cute.int_tuple<"?{div=2}">) -> !cute.ptr<i4, gmem> {
  %0 = cute.add_offset(%p, %by) : (!cute.ptr<i4, gmem>, !cute.int_tuple<"?{div=2}">) -> !cute.ptr<i4, gmem>
  return %0 : !cute.ptr<i4, gmem>
}

// CHECK-LABEL: @vector(
// CHECK-COUNT-4: llvm.insertelement %{{.+}} : vector<4xi4>
func.func @vector(%view: !cute.memref<i4, gmem, "(2,2):(1,4)">) -> vector<4xi4> {
  %0 = cute.memref.load_vec %view : !cute.memref<i4, gmem, "(2,2):(1,4)">
  return %0 : vector<4xi4>
}

// Few elements, or elements at any byte, are whole bytes or pairs of bytes.
// CHECK-LABEL: @loaded_bytes(
// CHECK: %[[BYTES:.+]] = llvm.load %arg0 {alignment = 1 : i64} : !llvm.ptr<1> -> vector<2xi8>
// CHECK: vector.bitcast %[[BYTES]] : vector<2xi8> to vector<4xi4>
func.func @loaded_bytes(%view: !cute.memref<i4, gmem, "4:1">) -> vector<4xi4> {
  %0 = cute.memref.load_vec %view : !cute.memref<i4, gmem, "4:1">
  return %0 : vector<4xi4>
}

// CHECK-LABEL: @stored_halves(
// CHECK: %[[HALVES:.+]] = vector.bitcast %arg0 : vector<12xi4> to vector<3xi16>
// CHECK: llvm.store %[[HALVES]], %arg1 {alignment = 2 : i64} : vector<3xi16>, !llvm.ptr<1>
func.func @stored_halves(%vector: vector<12xi4>, %view: !cute.memref<i4, gmem, align<2>, "12:1">) {
  cute.memref.store_vec %vector, %view : !cute.memref<i4, gmem, align<2>, "12:1">
  return
}

// Elements side by side are whole words.
// CHECK-LABEL: @loaded_words(
// CHECK: %[[WORDS:.+]] = llvm.load %arg0 {alignment = 16 : i64} : !llvm.ptr<3> -> vector<2xi32>
// CHECK: %[[ALL:.+]] = vector.bitcast %[[WORDS]] : vector<2xi32> to vector<16xi4>
// CHECK: return %[[ALL]]
func.func @loaded_words(%view: !cute.memref<i4, smem, align<16>, "(8,2):(1,8)">) -> vector<16xi4> {
  %0 = cute.memref.load_vec %view : !cute.memref<i4, smem, align<16>, "(8,2):(1,8)">
  return %0 : vector<16xi4>
}

// CHECK-LABEL: @stored_words(
// CHECK: %[[WORDS:.+]] = vector.bitcast %arg0 : vector<16xi4> to vector<2xi32>
// CHECK: llvm.store %[[WORDS]], %arg1 {alignment = 8 : i64} : vector<2xi32>, !llvm.ptr
func.func @stored_words(%vector: vector<16xi4>, %view: !cute.memref<i4, rmem, align<8>, "16:1">) {
  cute.memref.store_vec %vector, %view : !cute.memref<i4, rmem, align<8>, "16:1">
  return
}
