// RUN: %opt %s | %opt | FileCheck %s

// bits, base, shift; every swizzle of 0 bits is the identity.
// CHECK: @t0(!cute.swizzle<"S<3,4,3>">)
func.func private @t0(!cute.swizzle<"S<3,4,3>">)
// CHECK: @t1(!cute.swizzle<"S<2,4,3>">)
func.func private @t1(!cute.swizzle<"S<2,4,3>">)
// CHECK: @t2(!cute.swizzle<"S<1,0,-2>">)
func.func private @t2(!cute.swizzle<"S<1,0,-2>">)
// CHECK: @t3(!cute.swizzle<"S<0,4,3>">)
func.func private @t3(!cute.swizzle<"S<0,4,3>">)
// CHECK: @t4(!cute.swizzle<"S<3,4,3>">)
func.func private @t4(!cute.swizzle<" S < 3 , 4 , 3 > ">)
// CHECK: @t5(!cute.swizzle<"S<0,4,3>">)
func.func private @t5(!cute.swizzle<"S<0,0,0>">)
