// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// Descriptors of matrices in shared memory: a first one, and what is added to it in units of 16 bytes.

!desc = !cute_nvgpu.smem_desc
!stages = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,2,4,(1,7)):(0,512,2,(0,1024))">

// CHECK-LABEL: @view(
// CHECK: cute.make_view(%arg0) : !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,2,4,(1,7)):(0,512,2,(0,1024))">
// CHECK: cute.get_iter(%{{.*}}) : !cute_nvgpu.smem_desc_view<
// CHECK: cute.get_layout(%{{.*}}) : !cute_nvgpu.smem_desc_view<
// BASE-LABEL: @view(
// BASE-SAME: %[[D:.*]]: i64) -> i64
// BASE-NEXT: return %[[D]] : i64
func.func @view(%arg0: !desc) -> (!desc, !cute.layout<"(1,2,4,(1,7)):(0,512,2,(0,1024))">) {
  %0 = cute.make_view(%arg0) : !stages
  %1 = cute.get_iter(%0) : !stages
  %2 = cute.get_layout(%0) : !stages
  return %1, %2 : !desc, !cute.layout<"(1,2,4,(1,7)):(0,512,2,(0,1024))">
}

// Stage s, step 3 of K: 6 + 1024 s units further on. They are added to the low word; the high word stays as it is.
// CHECK-LABEL: @stage(
// CHECK: cute.slice(%arg0, %{{.*}}) : !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,2,4,(1,7)):(0,512,2,(0,1024))">, !cute.coord<"(_,_,3,?)">
// BASE-LABEL: @stage(
// BASE-SAME: %[[D:.*]]: i64, %[[S:.*]]: i32) -> i64
// BASE-DAG: %[[LOW:.*]] = arith.constant 4294967295 : i64
// BASE-DAG: %[[HIGH:.*]] = arith.constant -4294967296 : i64
// BASE-DAG: %[[OTHER:.*]] = arith.andi %[[D]], %[[HIGH]] : i64
// BASE-DAG: %[[WORD:.*]] = arith.trunci %[[D]] : i64 to i32
// BASE-DAG: %[[STEP:.*]] = arith.muli %[[S]]
// BASE: %[[UNITS:.*]] = arith.addi %[[STEP]]
// BASE: %[[SUM:.*]] = arith.addi %[[WORD]], %[[UNITS]]
// BASE-NEXT: %[[WIDE:.*]] = arith.extsi %[[SUM]] : i32 to i64
// BASE-NEXT: %[[OWN:.*]] = arith.andi %[[WIDE]], %[[LOW]] : i64
// BASE: %[[MOVED:.*]] = arith.xori %[[OTHER]], %[[OWN]] : i64
// BASE-NEXT: return %[[MOVED]] : i64
func.func @stage(%arg0: !stages, %s: i32) -> !cute_nvgpu.smem_desc_view<!desc, "(1,2):(0,512)"> {
  %at = cute.make_coord(%s) : (i32) -> !cute.coord<"(_,_,3,?)">
  %0 = cute.slice(%arg0, %at) : !stages, !cute.coord<"(_,_,3,?)">
  return %0 : !cute_nvgpu.smem_desc_view<!desc, "(1,2):(0,512)">
}

// CHECK-LABEL: @algebra(
// BASE-LABEL: @algebra(
func.func @algebra(%arg0: !stages) -> (i32, !cute_nvgpu.smem_desc_view<!desc, "(1,(2,4),(1,7)):(0,(512,2),(0,1024))">) {
  %0 = "cute.size"(%arg0) <{mode = array<i32: 2>}> : (!stages) -> !cute.int_tuple<"4">
  %1 = cute.get_scalars(%0) : !cute.int_tuple<"4">
  %2 = "cute.group_modes"(%arg0) <{begin = 1 : i32, end = 3 : i32}> : (!stages) -> !cute_nvgpu.smem_desc_view<!desc, "(1,(2,4),(1,7)):(0,(512,2),(0,1024))">
  return %1, %2 : i32, !cute_nvgpu.smem_desc_view<!desc, "(1,(2,4),(1,7)):(0,(512,2),(0,1024))">
}

// A stride that is not known before run time: the view carries it.
// CHECK-LABEL: @dynamic(
// BASE-LABEL: @dynamic(
// BASE-SAME: %[[D:.*]]: i64, %[[L:.*]]: i32) -> (i64, i32)
// BASE-NEXT: return %[[D]], %[[L]] : i64, i32
func.func @dynamic(%arg0: !desc, %arg1: !cute.layout<"(1,4):(0,?{div=8})">) -> !cute_nvgpu.smem_desc_view<!desc, "(1,4):(0,?{div=8})"> {
  %0 = cute.make_view(%arg0, %arg1) : !cute_nvgpu.smem_desc_view<!desc, "(1,4):(0,?{div=8})">
  return %0 : !cute_nvgpu.smem_desc_view<!desc, "(1,4):(0,?{div=8})">
}
