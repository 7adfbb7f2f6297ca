// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s

// The values of types, as attributes.

// CHECK-LABEL: @values
// CHECK-DAG: int_tuple = #cute.int_tuple<"(1,(2,?))">
// CHECK-DAG: shape = #cute.shape<"((2,3),?{div=4})">
// CHECK-DAG: stride = #cute.stride<"(1@0,1@1)">
// CHECK-DAG: coord = #cute.coord<"(1,_)">
// CHECK-DAG: layout = #cute.layout<"(4,8):(1,4)">
// CHECK-DAG: tile = #cute.tile<"[(2,3):(1,2);_]">
// CHECK-DAG: composed_layout = #cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">
// CHECK-DAG: swizzle = #cute.swizzle<"S<3,5,4>">
func.func private @values() attributes {
  int_tuple = #cute.int_tuple<"(1, (2, ?))">,
  shape = #cute.shape<"((2,3),?{div=4})">,
  stride = #cute.stride<"(1@0,1@1)">,
  coord = #cute.coord<"(1,_)">,
  layout = #cute.layout<"(4,8):(1,4)">,
  tile = #cute.tile<"[(2,3):(1,2);_]">,
  composed_layout = #cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">,
  swizzle = #cute.swizzle<"S<3,5,4>">}
