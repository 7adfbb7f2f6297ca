// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// Errors point at the column inside the string.

// CHECK: :[[#@LINE+1]]:38: error: invalid "(_,x)": column 4: expected an integer, `?` or `(`, found `x`
func.func private @f(!cute.coord<"(_,x)">)

// -----
// CHECK: :[[#@LINE+1]]:36: error: invalid "_1": column 2: expected the end, found `1`
func.func private @f(!cute.coord<"_1">)

// -----
// CHECK: :[[#@LINE+1]]:36: error: invalid "1@0": column 2: expected the end, found `@0`
func.func private @f(!cute.coord<"1@0">)

// -----

// An attribute has no run-time value.
// expected-error @below {{a coordinate in an attribute must be static, but mode (1,1) of (1,(_,?{div=2})) is ?{div=2}}}
func.func private @f() attributes {at = #cute.coord<"(1,(_,?{div=2}))">}

// -----

// expected-error @below {{a coordinate in an attribute must be static, but all modes of ? is ?}}
func.func private @f() attributes {at = #cute.coord<"?">}

// -----

func.func @f(%arg0: !cute.layout<"(8,8):(1,8)">, %arg1: !cute.layout<"(2,2):(1,2)">, %arg2: i32) {
  // expected-error @below {{a coordinate in an attribute must be static, but mode 1 of (1,?) is ?}}
  %0 = cute.local_tile(%arg0, %arg1, %arg2, "(1,?)") : (!cute.layout<"(8,8):(1,8)">, !cute.layout<"(2,2):(1,2)">, i32) -> !cute.layout<"(4,4):(2,16)">
  return
}
