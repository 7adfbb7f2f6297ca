// RUN: %opt %s | FileCheck %s

// CuTe DSL leaves out types of operands that are parts of the result's type.

// CHECK-LABEL: @layouts(
func.func @layouts(%shape: !cute.shape<"(4,?)">, %stride: !cute.stride<"(?{i64},1)">, %static: !cute.shape<"(8,64)">) {
  // CHECK: cute.make_layout(%arg0, %arg1) : (!cute.shape<"(4,?)">, !cute.stride<"(?{i64},1)">) -> !cute.layout<"(4,?):(?{i64},1)">
  %0 = cute.make_layout(%shape, %stride) : !cute.layout<"(4,?):(?{i64},1)">
  // CHECK: cute.make_layout(%arg0) : (!cute.shape<"(4,?)">) -> !cute.layout<"(4,?):(1,4)">
  %1 = cute.make_layout(%shape) : !cute.layout<"(4,?):(1,4)">
  // CHECK: cute.make_layout_like(%0) : !cute.layout<"(4,?):(?{i64},1)"> -> !cute.layout<"(4,?):(?,1)">
  %2 = cute.make_layout_like(%0) : !cute.layout<"(4,?):(?{i64},1)"> to !cute.layout<"(4,?):(?,1)">
  // CHECK: cute.make_identity_layout(%arg0) : !cute.shape<"(4,?)"> -> !cute.layout<"(4,?):(1@0,1@1)">
  %3 = cute.make_identity_layout(%shape) : !cute.layout<"(4,?):(1@0,1@1)">
  // CHECK: cute.make_identity_tensor(%arg0) : !cute.shape<"(4,?)"> -> !cute.coord_tensor<"(0,0)", "(4,?):(1@0,1@1)">
  %4 = cute.make_identity_tensor(%shape) : !cute.coord_tensor<"(0,0)", "(4,?):(1@0,1@1)">
  // CHECK: cute.to_int_tuple(%arg0) : !cute.shape<"(4,?)"> -> !cute.int_tuple<"(4,?)">
  %5 = cute.to_int_tuple(%shape) : !cute.shape<"(4,?)"> to !cute.int_tuple<"(4,?)">
  return
}

// CHECK-LABEL: @composed(
func.func @composed(%swizzle: !cute.swizzle<"S<3,4,3>">, %offset: !cute.int_tuple<"0">, %outer: !cute.layout<"(8,64):(64,1)">,
                    %inner: !cute.layout<"(4,?):(1,4)">, %at: !cute.int_tuple<"?">) {
  // CHECK: cute.make_composed_layout(%arg0, %arg1, %arg2) : (!cute.swizzle<"S<3,4,3>">, !cute.int_tuple<"0">, !cute.layout<"(8,64):(64,1)">) -> !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">
  %0 = cute.make_composed_layout(%swizzle, %offset, %outer) : !cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">
  // CHECK: cute.make_composed_layout(%arg3, %arg4, %arg2) : (!cute.layout<"(4,?):(1,4)">, !cute.int_tuple<"?">, !cute.layout<"(8,64):(64,1)">) -> !cute.composed_layout<"(4,?):(1,4) o ? o (8,64):(64,1)">
  %1 = cute.make_composed_layout(%inner, %at, %outer) : !cute.composed_layout<"(4,?):(1,4) o ? o (8,64):(64,1)">
  return
}

// A result that is the operand's is left out.
// CHECK-LABEL: @iterator(
func.func @iterator(%it: !cute.arith_tuple_iter<"(0,?{div=8})">) {
  // CHECK: cute.deref_arith_tuple_iter(%arg0) : (!cute.arith_tuple_iter<"(0,?{div=8})">) -> !cute.int_tuple<"(0,?{div=8})">
  %0 = cute.deref_arith_tuple_iter(%it) : !cute.arith_tuple_iter<"(0,?{div=8})">
  return
}

// CHECK-LABEL: @print(
func.func @print() {
  // CHECK: cute.print("hello\0A", ) :
  cute.print("hello\0A", ) :
  return
}
