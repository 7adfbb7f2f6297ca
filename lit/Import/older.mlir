// REQUIRES: cutec
// RUN: %cutec import %s 2>&1 | FileCheck %s
// RUN: %cutec import %s -o %t.mlir && %opt %t.mlir -o /dev/null

// Custom assembly of CuTe DSL 4.3: a coordinate tensor begins at an int_tuple. Types of results that are left out are
// those of their uses, which know no divisor of a quotient.

!tile = !cute.memref<f32, gmem, align<16>, "(?{div=64},8):(1,64)">

// The policy is written down, for tools that do not know where the module is from.
// CHECK: is a module of CuTe DSL; rewrote 3 ops of another MLIR version: 2 cute.get_iter, 1 cute.make_view
// CHECK: module attributes {cute.domain = "extend", gpu.container_module}
module attributes {gpu.container_module} {
  gpu.module @kernels {
    cuda.kernel @pieces(%a: !tile, %c: !cute.coord_tensor<"(?,0)", "(?,8):(1@0,1@1)">) attributes {cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
      // CHECK: %[[ITER:.*]] = cute.get_iter(%arg1) : !cute.coord_tensor<"(?,0)", "(?,8):(1@0,1@1)">
      // CHECK: cute.deref_arith_tuple_iter(%[[ITER]]) : (!cute.arith_tuple_iter<"(?,0)">) -> !cute.int_tuple<"(?,0)">
      %iter = cute.get_iter(%c) : !cute.coord_tensor<"(?,0)", "(?,8):(1@0,1@1)">
      %e0, %e1 = cute.get_leaves(%iter) : !cute.int_tuple<"(?,0)">
      %lay = cute.get_layout(%c) : !cute.coord_tensor<"(?,0)", "(?,8):(1@0,1@1)">
      %at = cute.make_int_tuple(%e0) : (!cute.int_tuple<"?">) -> !cute.int_tuple<"(?,0)">
      // CHECK: %[[MADE:.*]] = cute.make_arith_tuple_iter(%{{.*}}) : (!cute.int_tuple<"(?,0)">)
      // CHECK: cute.make_view(%[[MADE]],
      %view = cute.make_view(%at, %lay) : !cute.coord_tensor<"(?,0)", "(?,8):(1@0,1@1)">
      %iter_0 = cute.get_iter(%view) : !cute.coord_tensor<"(?,0)", "(?,8):(1@0,1@1)">
      %f0, %f1 = cute.get_leaves(%iter_0) : !cute.int_tuple<"(?,0)">
      %two = cute.make_shape() : () -> !cute.shape<"2">
      %pair = cute.make_layout(%two) : !cute.layout<"2:1">
      %column = cute.make_coord() : () -> !cute.coord<"(_,0)">
      %one = cute.slice(%a, %column) : !tile, !cute.coord<"(_,0)">
      // CHECK: cute.logical_divide({{.*}}) -> !cute.memref<f32, gmem, align<16>, "(2,?):(1,2)">
      %div = cute.logical_divide(%one, %pair) : !cute.memref<f32, gmem, align<16>, "(?{div=64}):(1)">, !cute.layout<"2:1">
      %iter_1 = cute.get_iter(%div) : !cute.memref<f32, gmem, align<16>, "(2,?):(1,2)">
      %lay_1 = cute.get_layout(%a) : !tile
      %first = cute.make_coord() : () -> !cute.coord<"(1,0)">
      // CHECK: cute.dice(
      %diced = cute.dice(%lay_1, "(1,0)") : (!cute.layout<"(?{div=64},8):(1,64)">) -> !cute.layout<"(?{div=64}):(1)">
      return
    }
  }
}
