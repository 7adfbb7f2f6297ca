// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base,canonicalize)' | FileCheck %s --check-prefix=CODE

// Two warps hold a tile of 8 x 16, two elements a lane; another two hold the same.
#tile = #cute.placement<"S[(8,2,4,2) : (4@laneid,1@warpid,1@laneid,1)] + R[2 : 4@warpid] + 5@warpid">

// Axes come by name: laneid, m, warpid.
// CHECK-LABEL: func @known
// CODE-LABEL: func @known
func.func @known() -> (i32, i32, i32) {
  %at = cute.static : !cute.coord<"(1,3)">
  %shape = cute.static : !cute.shape<"(8,16)">
  // CHECK: cute.placement.apply(%{{.*}}, %{{.*}}) {placement = #cute.placement<"S[(8, 2, 4, 2) : (4@laneid, 1@warpid, 1@laneid, 1@m)] + R[(2) : (4@warpid)] + 5@warpid">} : (!cute.coord<"(1,3)">, !cute.shape<"(8,16)">) -> !cute.int_tuple<"(5,1,5)">
  %places = cute.placement.apply(%at, %shape) {placement = #tile} : (!cute.coord<"(1,3)">, !cute.shape<"(8,16)">) -> !cute.int_tuple<"(5,1,5)">
  %copy = cute.placement.apply(%at, %shape) {placement = #tile, copy = 1 : i64} : (!cute.coord<"(1,3)">, !cute.shape<"(8,16)">) -> !cute.int_tuple<"(5,1,9)">
  %l, %m, %w = cute.get_scalars(%copy) : !cute.int_tuple<"(5,1,9)">
  // CODE-DAG: %[[FIVE:.*]] = arith.constant 5 : i32
  // CODE-DAG: %[[ONE:.*]] = arith.constant 1 : i32
  // CODE-DAG: %[[NINE:.*]] = arith.constant 9 : i32
  // CODE: return %[[FIVE]], %[[ONE]], %[[NINE]]
  return %l, %m, %w : i32, i32, i32
}

// The row is one iter: no division. The column has three.
// CODE-LABEL: func @run_time
// CODE-SAME: (%[[I:.*]]: i32, %[[J:.*]]: i32)
func.func @run_time(%i: i32, %j: i32) -> (i32, i32, i32) {
  %at = cute.make_coord(%i, %j) : (i32, i32) -> !cute.coord<"(?,?)">
  %shape = cute.static : !cute.shape<"(8,16)">
  %places = cute.placement.apply(%at, %shape) {placement = #tile} : (!cute.coord<"(?,?)">, !cute.shape<"(8,16)">) -> !cute.int_tuple<"(?,?,?)">
  %l, %m, %w = cute.get_scalars(%places) : !cute.int_tuple<"(?,?,?)">
  // CODE-NOT: arith.{{div|rem}}si %[[I]]
  // CODE: arith.muli %[[I]]
  // CODE: return
  return %l, %m, %w : i32, i32, i32
}

// The swizzle of a 128-byte row: chunk ^= row.
// CODE-LABEL: func @swizzled
func.func @swizzled(%i: i32) -> i32 {
  %at = cute.make_coord(%i) : (i32) -> !cute.coord<"(?,8)">
  %shape = cute.static : !cute.shape<"(8,64)">
  %m = cute.placement.apply(%at, %shape) {placement = #cute.placement<"Swizzle(M=3, B=3, S=3, inner=true) o S[(8,64) : (64,1)]">} : (!cute.coord<"(?,8)">, !cute.shape<"(8,64)">) -> !cute.int_tuple<"(?)">
  %r = cute.get_scalars(%m) : !cute.int_tuple<"(?)">
  // CODE: arith.xori
  return %r : i32
}
