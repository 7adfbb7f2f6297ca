// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// Errors point at the column inside the string.

// CHECK: :[[#@LINE+1]]:48: error: expected ','
func.func private @f(!cute.coord_tensor<"(0,0)">)

// -----
// CHECK: :[[#@LINE+1]]:45: error: invalid "(0,_)": column 4: expected an integer, `?` or `(`, found `_`
func.func private @f(!cute.coord_tensor<"(0,_)", "(4,8):(1@0,1@1)">)

// -----
// CHECK: :[[#@LINE+1]]:51: error: invalid "(4,8):(1@0)": column 1: shape and stride: (4,8) and (1@0) are not congruent
func.func private @f(!cute.coord_tensor<"(0,0)", "(4,8):(1@0)">)

// -----
// CHECK: :[[#@LINE+1]]:50: error: a rank such as 3 is not a complete type: write its contents in quotes, such as "(4,8):(1,4)" for a layout or "(4,8)" for a tuple
func.func private @f(!cute.coord_tensor<"(0,0)", 3>)

// -----
// CHECK: :[[#@LINE+1]]:50: error: stride 1 of (4,8):(1,4) steps along no mode of the origin (0,0)
func.func private @f(!cute.coord_tensor<"(0,0)", "(4,8):(1,4)">)

// -----
// CHECK: :[[#@LINE+1]]:50: error: stride 1@2 of (4,8):(1@0,1@2) steps along no mode of the origin (0,0)
func.func private @f(!cute.coord_tensor<"(0,0)", "(4,8):(1@0,1@2)">)
