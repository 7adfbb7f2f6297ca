// RUN: %opt %s | %opt | FileCheck %s

// An origin, and a layout with basis strides.

// CHECK: @t0(!cute.coord_tensor<"(0,0)", "(?,?):(1@0,1@1)">)
func.func private @t0(!cute.coord_tensor<"(0,0)", "(?,?):(1@0,1@1)">)
// CHECK: @t1(!cute.coord_tensor<"(0,?{div=128},?)", "(((64,128),1),?):(((1@0,1@1),0),64@0)">)
func.func private @t1(!cute.coord_tensor<"(0,?{div=128},?)", "(((64,128),1),?):(((1@0,1@1),0),64@0)">)
