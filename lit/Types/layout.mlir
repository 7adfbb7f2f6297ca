// RUN: %opt %s | %opt | FileCheck %s

// Shape and stride, congruent. A leaf is not a tuple of one.
// CHECK: @t0(!cute.layout<"8:1">)
func.func private @t0(!cute.layout<"8:1">)
// CHECK: @t1(!cute.layout<"(8):(1)">)
func.func private @t1(!cute.layout<"(8):(1)">)
// CHECK: @t2(!cute.layout<"():()">)
func.func private @t2(!cute.layout<"():()">)
// CHECK: @t3(!cute.layout<"(4,8):(8,1)">)
func.func private @t3(!cute.layout<"(4,8):(8,1)">)
// CHECK: @t4(!cute.layout<"(4,(2,3)):(-1,(8,0))">)
func.func private @t4(!cute.layout<"(4,(2,3)):(-1,(8,0))">)

// Dynamic leaves: extents and strides have widths of their own.
// CHECK: @t5(!cute.layout<"(?,?,?):(?{i64},1,?{i64})">)
func.func private @t5(!cute.layout<"(?,?,?):(?{i64},1,?{i64})">)
// CHECK: @t6(!cute.layout<"?{div=8}:?{div=4}">)
func.func private @t6(!cute.layout<"?{div=8}:?{div=4}">)

// Basis strides; a plain 0 is a broadcast mode.
// CHECK: @t7(!cute.layout<"(4,8):(1@1,1@0)">)
func.func private @t7(!cute.layout<"(4,8):(1@1,1@0)">)
// CHECK: @t8(!cute.layout<"(((64,128),1),?):(((1@0,1@1),0),64@0)">)
func.func private @t8(!cute.layout<"(((64,128),1),?):(((1@0,1@1),0),64@0)">)

// A shape alone is compact, first mode fastest.
// CHECK: @t9(!cute.layout<"(4,8):(1,4)">)
func.func private @t9(!cute.layout<"(4,8)">)
// CHECK: @t10(!cute.layout<"8:1">)
func.func private @t10(!cute.layout<"8">)
// CHECK: @t11(!cute.layout<"(8):(1)">)
func.func private @t11(!cute.layout<"(8)">)
// CHECK: @t12(!cute.layout<"(?,4):(1,?)">)
func.func private @t12(!cute.layout<"(?,4)">)
// CHECK: @t13(!cute.layout<"(1,4):(0,1)">)
func.func private @t13(!cute.layout<"(1,4)">)
