// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base,canonicalize,cse)' | FileCheck %s

// S<3,4,3> changes bits 4 to 6 by bits 7 to 9, so multiples of 1024 bytes pass through: S(x + 1024 k) = S(x) + 1024 k. Accesses
// that are such multiples apart share one swizzled address. The last one, 8 bytes further on, does not.
!ptr = !cute.ptr<f16, smem, S<3,4,3>>
!view = !cute.memref<f16, smem, S<3,4,3>, "(2048):(1)">

// CHECK-LABEL: func @periods
// CHECK: %[[MOVED:.*]] = arith.xori
// CHECK-NEXT: %[[AT:.*]] = llvm.inttoptr %[[MOVED]]
// CHECK-NEXT: llvm.load %[[AT]]
// CHECK-NEXT: %[[NEXT:.*]] = llvm.getelementptr %[[AT]][1024]
// CHECK-NEXT: llvm.load %[[NEXT]]
// CHECK-NEXT: %[[LAST:.*]] = llvm.getelementptr %[[AT]][2048]
// CHECK-NEXT: llvm.load %[[LAST]]
// CHECK: arith.xori
// CHECK-NOT: arith.xori
func.func @periods(%first: !cute.ptr<f16, smem, align<1024>, S<3,4,3>>, %n: i32) -> (f16, f16, f16, f16) {
  %offset = cute.make_int_tuple(%n) : (i32) -> !cute.int_tuple<"?">
  %at = cute.add_offset(%first, %offset) : (!cute.ptr<f16, smem, align<1024>, S<3,4,3>>, !cute.int_tuple<"?">) -> !ptr
  %layout = cute.static : !cute.layout<"(2048):(1)">
  %view = cute.make_view(%at, %layout) : !view
  %c3 = cute.static : !cute.coord<"3">
  %c515 = cute.static : !cute.coord<"515">
  %c1027 = cute.static : !cute.coord<"1027">
  %c7 = cute.static : !cute.coord<"7">
  %a = cute.memref.load(%view, %c3) : (!view, !cute.coord<"3">) -> f16
  %b = cute.memref.load(%view, %c515) : (!view, !cute.coord<"515">) -> f16
  %c = cute.memref.load(%view, %c1027) : (!view, !cute.coord<"1027">) -> f16
  %d = cute.memref.load(%view, %c7) : (!view, !cute.coord<"7">) -> f16
  return %a, %b, %c, %d : f16, f16, f16, f16
}

// A stage has as many elements as the period, so that the swizzled address is the same in all of them.
// CHECK-LABEL: func @stages
// CHECK: arith.xori
// CHECK-NEXT: %[[AT:.*]] = llvm.inttoptr
// CHECK: %[[ONE:.*]] = llvm.getelementptr %[[AT]][%{{.*}}]
// CHECK: llvm.load %[[ONE]]
// CHECK: %[[OTHER:.*]] = llvm.getelementptr %[[AT]][%{{.*}}]
// CHECK: llvm.load %[[OTHER]]
// CHECK-NOT: arith.xori
func.func @stages(%view: !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(512,4):(1,512)">, %n: i32, %one: i32, %other: i32) -> (f16, f16) {
  %at = cute.make_coord(%n, %one) : (i32, i32) -> !cute.coord<"(?,?)">
  %next = cute.make_coord(%n, %other) : (i32, i32) -> !cute.coord<"(?,?)">
  %a = cute.memref.load(%view, %at) : (!cute.memref<f16, smem, align<1024>, S<3,4,3>, "(512,4):(1,512)">, !cute.coord<"(?,?)">) -> f16
  %b = cute.memref.load(%view, %next) : (!cute.memref<f16, smem, align<1024>, S<3,4,3>, "(512,4):(1,512)">, !cute.coord<"(?,?)">) -> f16
  return %a, %b : f16, f16
}

// Two elements of 4 bits are a byte.
// CHECK-LABEL: func @packed_stages
// CHECK: arith.xori
// CHECK-NEXT: %[[AT:.*]] = llvm.inttoptr
// CHECK: %[[ONE:.*]] = llvm.getelementptr %[[AT]][%{{.*}}]
// CHECK: llvm.load %[[ONE]]
// CHECK: %[[OTHER:.*]] = llvm.getelementptr %[[AT]][%{{.*}}]
// CHECK: llvm.load %[[OTHER]]
// CHECK-NOT: arith.xori
func.func @packed_stages(%view: !cute.memref<i4, smem, align<1024>, S<3,4,3>, "(2048,4):(1,2048)">, %n: i32, %one: i32, %other: i32) -> (i4, i4) {
  %at = cute.make_coord(%n, %one) : (i32, i32) -> !cute.coord<"(?,?)">
  %next = cute.make_coord(%n, %other) : (i32, i32) -> !cute.coord<"(?,?)">
  %a = cute.memref.load(%view, %at) : (!cute.memref<i4, smem, align<1024>, S<3,4,3>, "(2048,4):(1,2048)">, !cute.coord<"(?,?)">) -> i4
  %b = cute.memref.load(%view, %next) : (!cute.memref<i4, smem, align<1024>, S<3,4,3>, "(2048,4):(1,2048)">, !cute.coord<"(?,?)">) -> i4
  return %a, %b : i4, i4
}

// Half a period is not one.
// CHECK-LABEL: func @half
// CHECK-COUNT-2: arith.xori
func.func @half(%view: !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(256,8):(1,256)">, %n: i32, %one: i32, %other: i32) -> (f16, f16) {
  %at = cute.make_coord(%n, %one) : (i32, i32) -> !cute.coord<"(?,?)">
  %next = cute.make_coord(%n, %other) : (i32, i32) -> !cute.coord<"(?,?)">
  %a = cute.memref.load(%view, %at) : (!cute.memref<f16, smem, align<1024>, S<3,4,3>, "(256,8):(1,256)">, !cute.coord<"(?,?)">) -> f16
  %b = cute.memref.load(%view, %next) : (!cute.memref<f16, smem, align<1024>, S<3,4,3>, "(256,8):(1,256)">, !cute.coord<"(?,?)">) -> f16
  return %a, %b : f16, f16
}
