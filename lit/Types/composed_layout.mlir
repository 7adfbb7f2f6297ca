// RUN: %opt %s | %opt | FileCheck %s

// inner o offset o outer.

// A swizzle inside.
// CHECK: @t0(!cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">)
func.func private @t0(!cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">)
// CHECK: @t1(!cute.composed_layout<"S<3,3,3> o ?{div=16} o (8,?):(?,1)">)
func.func private @t1(!cute.composed_layout<"S<3,3,3> o ?{div=16} o (8,?):(?,1)">)

// A layout inside; the outer one may give its coordinates.
// CHECK: @t2(!cute.composed_layout<"(4,5):(1,4) o 2 o (2,3):(1,2)">)
func.func private @t2(!cute.composed_layout<"(4,5):(1,4) o 2 o (2,3):(1,2)">)
// CHECK: @t3(!cute.composed_layout<"(6,2):(1,3) o (2,1) o (2,3):(1@1,2@0)">)
func.func private @t3(!cute.composed_layout<"(6,2):(1,3) o (2,1) o (2,3):(1@1,2@0)">)

// A bare layout has the identity inside.
// CHECK: @t4(!cute.composed_layout<"S<0,4,3> o 0 o 8:1">)
func.func private @t4(!cute.composed_layout<"S<0,4,3> o 0 o 8:1">)
// CHECK: @t5(!cute.composed_layout<"S<0,4,3> o 0 o (4,8):(8,1)">)
func.func private @t5(!cute.composed_layout<"(4,8):(8,1)">)
