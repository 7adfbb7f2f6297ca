// RUN: %opt %s | FileCheck %s
// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base)' | FileCheck %s --check-prefix=BASE

// BASE-NOT: cute.

// Forms of CuTe DSL 4.3. They print in the current form.

// CHECK-LABEL: @renamed(
// CHECK-NEXT: cute.tuple_product(%arg0) : (!cute.int_tuple<"((4,4),?)">) -> !cute.int_tuple<"?{div=16}">
// CHECK-NEXT: cute.tuple_product_each(%arg0) : (!cute.int_tuple<"((4,4),?)">) -> !cute.int_tuple<"(16,?)">
func.func @renamed(%arg0: !cute.int_tuple<"((4,4),?)">) {
  %0 = cute.tuple.product(%arg0) : (!cute.int_tuple<"((4,4),?)">) -> !cute.int_tuple<"?{div=16}">
  %1 = cute.tuple.product_each(%arg0) : (!cute.int_tuple<"((4,4),?)">) -> !cute.int_tuple<"(16,?)">
  return
}

// A mode path behind the operand.
// CHECK-LABEL: @mode(
// CHECK-NEXT: cute.size<[1]> (%arg0) : (!cute.layout<"(4,8):(1,4)">) -> !cute.int_tuple<"8">
// CHECK-NEXT: cute.cosize<[1, 0]> (%arg1) : (!cute.layout<"(4,(8,2)):(1,(4,64))">) -> !cute.int_tuple<"29">
// CHECK-NEXT: cute.get<[1]> (%arg0) : !cute.layout<"(4,8):(1,4)"> -> !cute.layout<"8:4">
func.func @mode(%arg0: !cute.layout<"(4,8):(1,4)">, %arg1: !cute.layout<"(4,(8,2)):(1,(4,64))">) {
  %0 = cute.size(%arg0) <{mode = [1]}> : (!cute.layout<"(4,8):(1,4)">) -> !cute.int_tuple<"8">
  %1 = cute.cosize(%arg1) <{mode = [1, 0]}> : (!cute.layout<"(4,(8,2)):(1,(4,64))">) -> !cute.int_tuple<"29">
  %2 = cute.get(%arg0) <{mode = [1]}> : (!cute.layout<"(4,8):(1,4)">) -> !cute.layout<"8:4">
  return
}

// CHECK-LABEL: @range(
// CHECK-NEXT: cute.group_modes<1, 3> (%arg0) : (!cute.shape<"(4,8,2)">) -> !cute.shape<"(4,(8,2))">
func.func @range(%arg0: !cute.shape<"(4,8,2)">) {
  %0 = cute.group_modes(%arg0) <1, 3> : (!cute.shape<"(4,8,2)">) -> !cute.shape<"(4,(8,2))">
  return
}

// Parentheses around the operand's type.
// CHECK-LABEL: @types(
// CHECK-NEXT: cute.get_shape(%arg0) : !cute.layout<"(4,8):(1,4)"> -> !cute.shape<"(4,8)">
// CHECK-NEXT: cute.get_stride(%arg0) : <"(4,8):(1,4)"> -> !cute.stride<"(1,4)">
// CHECK-NEXT: cute.to_int_tuple(%arg1) : !cute.coord<"(1,?)"> -> !cute.int_tuple<"(1,?)">
// CHECK-NEXT: cute.make_identity_tensor(%arg2) : !cute.shape<"(4,8)"> -> !cute.coord_tensor<"(0,0)", "(4,8):(1@0,1@1)">
// CHECK-NEXT: cute.make_layout_like(%arg0) : !cute.layout<"(4,8):(1,4)"> -> !cute.layout<"(4,8):(1,4)">
// CHECK-NEXT: cute.select<[1]> (%arg2) : !cute.shape<"(4,8)"> -> !cute.shape<"(8)">
func.func @types(%arg0: !cute.layout<"(4,8):(1,4)">, %arg1: !cute.coord<"(1,?)">, %arg2: !cute.shape<"(4,8)">) {
  %0 = cute.get_shape(%arg0) : (!cute.layout<"(4,8):(1,4)">) -> !cute.shape<"(4,8)">
  %1 = cute.get_stride(%arg0) : (!cute.layout<"(4,8):(1,4)">) -> !cute.stride<"(1,4)">
  %2 = cute.to_int_tuple(%arg1) : (!cute.coord<"(1,?)">) -> !cute.int_tuple<"(1,?)">
  %3 = cute.make_identity_tensor(%arg2) : (!cute.shape<"(4,8)">) -> !cute.coord_tensor<"(0,0)", "(4,8):(1@0,1@1)">
  %4 = cute.make_layout_like(%arg0) : (!cute.layout<"(4,8):(1,4)">) -> !cute.layout<"(4,8):(1,4)">
  %5 = cute.select<[1]> (%arg2) : (!cute.shape<"(4,8)">) -> !cute.shape<"(8)">
  return
}

// The result's type left out.
// CHECK-LABEL: @inferred(
// CHECK-NEXT: cute.ceil_div(%arg0, %arg1) : (!cute.int_tuple<"(?,?{div=8},?)">, !cute.tile<"[128:1;128:1;1:0]">) -> !cute.int_tuple<"(?,?,?)">
// CHECK-NEXT: cute.logical_divide(%arg2, %arg3) : (!cute.layout<"(16,?):(1,?)">, !cute.layout<"2:1">) -> !cute.layout<"(2,(8,?)):(1,(2,?))">
// CHECK-NEXT: cute.zipped_divide(%arg2, %arg4) : (!cute.layout<"(16,?):(1,?)">, !cute.shape<"(4,2)">) -> !cute.layout<"((4,2),(4,?)):((1,?),(4,?{div=2}))">
// CHECK-NEXT: cute.composition(%arg2, %arg4) : (!cute.layout<"(16,?):(1,?)">, !cute.shape<"(4,2)">) -> !cute.layout<"(4,2):(1,?)">
// CHECK-NEXT: cute.filter(%arg5) : (!cute.layout<"(1,8):(0,1)">) -> !cute.layout<"8:1">
// CHECK-NEXT: cute.shape_div(%arg6, %arg4) : (!cute.shape<"(128,16)">, !cute.shape<"(4,2)">) -> !cute.shape<"(32,8)">
// CHECK-NEXT: cute.elem_less(%arg7, %arg7) : (!cute.coord<"?">, !cute.coord<"?">) -> i1
func.func @inferred(%arg0: !cute.int_tuple<"(?,?{div=8},?)">, %arg1: !cute.tile<"[128:1;128:1;1:0]">, %arg2: !cute.layout<"(16,?):(1,?)">, %arg3: !cute.layout<"2:1">, %arg4: !cute.shape<"(4,2)">, %arg5: !cute.layout<"(1,8):(0,1)">, %arg6: !cute.shape<"(128,16)">, %arg7: !cute.coord<"?">) {
  %0 = cute.ceil_div(%arg0, %arg1) : !cute.int_tuple<"(?,?{div=8},?)">, !cute.tile<"[128:1;128:1;1:0]">
  %1 = cute.logical_divide(%arg2, %arg3) : !cute.layout<"(16,?):(1,?)">, !cute.layout<"2:1">
  %2 = cute.zipped_divide(%arg2, %arg4) : !cute.layout<"(16,?):(1,?)">, !cute.shape<"(4,2)">
  %3 = cute.composition(%arg2, %arg4) : !cute.layout<"(16,?):(1,?)">, !cute.shape<"(4,2)">
  %4 = cute.filter(%arg5) : !cute.layout<"(1,8):(0,1)">
  %5 = cute.shape_div(%arg6, %arg4) : !cute.shape<"(128,16)">, !cute.shape<"(4,2)">
  %6 = cute.elem_less(%arg7, %arg7) : !cute.coord<"?">, !cute.coord<"?">
  return
}

// Generic form.
// CHECK-LABEL: @generic(
// CHECK-NEXT: cute.tuple_product(%arg0) : (!cute.int_tuple<"((4,4),?)">) -> !cute.int_tuple<"?{div=16}">
// CHECK-NEXT: cute.tuple_product_each(%arg0) : (!cute.int_tuple<"((4,4),?)">) -> !cute.int_tuple<"(16,?)">
// CHECK-NEXT: cute.append_to_rank<3> (%arg1, %arg2) : !cute.layout<"(4,8):(1,4)">, !cute.layout<"1:0">
// CHECK-NEXT: cute.prepend_to_rank<3> (%arg1, %arg2) : !cute.layout<"(4,8):(1,4)">, !cute.layout<"1:0">
// CHECK-NEXT: cute.size<[1]> (%arg1) : (!cute.layout<"(4,8):(1,4)">) -> !cute.int_tuple<"8">
// CHECK-NEXT: cute.group_modes<0, 2> (%arg1) : (!cute.layout<"(4,8):(1,4)">) -> !cute.layout<"((4,8)):((1,4))">
// CHECK-NEXT: cute.make_layout(%arg3) : (!cute.shape<"(4,8)">) -> !cute.layout<"(4,8):(1,4)">
// CHECK-NEXT: cute.local_tile(%arg1, %arg3, %arg4, "(1,_)")
func.func @generic(%arg0: !cute.int_tuple<"((4,4),?)">, %arg1: !cute.layout<"(4,8):(1,4)">, %arg2: !cute.layout<"1:0">, %arg3: !cute.shape<"(4,8)">, %arg4: !cute.coord<"(_,0)">) {
  %0 = "cute.tuple.product"(%arg0) : (!cute.int_tuple<"((4,4),?)">) -> !cute.int_tuple<"?{div=16}">
  %1 = "cute.tuple.product_each"(%arg0) : (!cute.int_tuple<"((4,4),?)">) -> !cute.int_tuple<"(16,?)">
  %2 = "cute.append_to_rank"(%arg1, %arg2) <{rank = 3 : si32}> : (!cute.layout<"(4,8):(1,4)">, !cute.layout<"1:0">) -> !cute.layout<"(4,8,1):(1,4,0)">
  %3 = "cute.prepend_to_rank"(%arg1, %arg2) <{rank = 3 : si32}> : (!cute.layout<"(4,8):(1,4)">, !cute.layout<"1:0">) -> !cute.layout<"(1,4,8):(0,1,4)">
  %4 = "cute.size"(%arg1) <{mode = array<i32: 1>}> : (!cute.layout<"(4,8):(1,4)">) -> !cute.int_tuple<"8">
  %5 = "cute.group_modes"(%arg1) <{begin = 0 : i32, end = 2 : i32}> : (!cute.layout<"(4,8):(1,4)">) -> !cute.layout<"((4,8)):((1,4))">
  %6 = "cute.make_layout"(%arg3) <{operandSegmentSizes = array<i32: 1, 0>}> : (!cute.shape<"(4,8)">) -> !cute.layout<"(4,8):(1,4)">
  %7 = "cute.local_tile"(%arg1, %arg3, %arg4) <{operandSegmentSizes = array<i32: 1, 1, 1>, proj = #cute.coord<"(1,_)">}> : (!cute.layout<"(4,8):(1,4)">, !cute.shape<"(4,8)">, !cute.coord<"(_,0)">) -> !cute.layout<"((4),1,8):((1),0,4)">
  return
}

// The one mode of a tile, bare.
// CHECK-LABEL: @tile_of_one_mode(
// CHECK-NEXT: cute.flat_divide(%arg0, %arg1) : (!cute.layout<"(128,?):(1,?)">, !cute.tile<"[64:1]">) -> !cute.layout<"(64,2,?):(1,64,?)">
// CHECK-NEXT: cute.flat_divide(%arg0, %arg1) : (!cute.layout<"(128,?):(1,?)">, !cute.tile<"[64:1]">) -> !cute.layout<"((64),2,?):((1),64,?)">
// CHECK-NEXT: cute.local_tile(%arg0, %arg1, %arg2) : (!cute.layout<"(128,?):(1,?)">, !cute.tile<"[64:1]">, !cute.coord<"(1,_)">) -> !cute.layout<"(64,?):(1,?)">
func.func @tile_of_one_mode(%arg0: !cute.layout<"(128,?):(1,?)">, %arg1: !cute.tile<"[64:1]">, %arg2: !cute.coord<"(1,_)">) {
  %0 = cute.flat_divide(%arg0, %arg1) : (!cute.layout<"(128,?):(1,?)">, !cute.tile<"[64:1]">) -> !cute.layout<"(64,2,?):(1,64,?)">
  %1 = cute.flat_divide(%arg0, %arg1) : (!cute.layout<"(128,?):(1,?)">, !cute.tile<"[64:1]">) -> !cute.layout<"((64),2,?):((1),64,?)">
  %2 = cute.local_tile(%arg0, %arg1, %arg2) : (!cute.layout<"(128,?):(1,?)">, !cute.tile<"[64:1]">, !cute.coord<"(1,_)">) -> !cute.layout<"(64,?):(1,?)">
  return
}
