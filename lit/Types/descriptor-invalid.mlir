// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// Errors point at the column inside the string.

// CHECK: :[[#@LINE+1]]:58: error: invalid "": column 1: expected `(`, found the end
func.func private @f() attributes {d = #cute.descriptor<"">}

// -----
// CHECK: :[[#@LINE+1]]:58: error: invalid "16@0": column 1: expected `(`, found `1`
func.func private @f() attributes {d = #cute.descriptor<"16@0">}

// -----
// CHECK: :[[#@LINE+1]]:61: error: invalid "(16)": column 4: expected `@` and a dimension, or `/`, found `)`
func.func private @f() attributes {d = #cute.descriptor<"(16)">}

// -----
// CHECK: :[[#@LINE+1]]:62: error: invalid "(1/2)": column 5: expected `@` and a dimension, found `)`
func.func private @f() attributes {d = #cute.descriptor<"(1/2)">}

// -----
// CHECK: :[[#@LINE+1]]:61: error: invalid "(1/0@0)": column 4: expected a denominator other than 0, found `0`
func.func private @f() attributes {d = #cute.descriptor<"(1/0@0)">}

// -----
// CHECK: :[[#@LINE+1]]:61: error: invalid "(1@)": column 4: expected a dimension: digits, found `)`
func.func private @f() attributes {d = #cute.descriptor<"(1@)">}

// -----
// CHECK: :[[#@LINE+1]]:61: error: invalid "(1@-1)": column 4: expected a dimension: digits, found `-`
func.func private @f() attributes {d = #cute.descriptor<"(1@-1)">}

// -----
// CHECK: :[[#@LINE+1]]:63: error: invalid "(1@0,)": column 6: expected a count, `(` or `)`, found `)`
func.func private @f() attributes {d = #cute.descriptor<"(1@0,)">}

// -----
// CHECK: :[[#@LINE+1]]:63: error: invalid "(1@0 1@1)": column 6: expected `,` or `)`, found `1`
func.func private @f() attributes {d = #cute.descriptor<"(1@0 1@1)">}

// -----
// CHECK: :[[#@LINE+1]]:62: error: invalid "(1@0": column 5: expected `,` or `)`, found the end
func.func private @f() attributes {d = #cute.descriptor<"(1@0">}

// -----
// CHECK: :[[#@LINE+1]]:63: error: invalid "(1@0))": column 6: expected the end, found `)`
func.func private @f() attributes {d = #cute.descriptor<"(1@0))">}

// -----
// CHECK: :[[#@LINE+1]]:59: error: invalid "(?@0)": column 2: expected a count, `(` or `)`, found `?`
func.func private @f() attributes {d = #cute.descriptor<"(?@0)">}

// -----
// CHECK: :[[#@LINE+1]]:59: error: invalid "(9223372036854775808@0)": column 2: expected an integer of 64 bits, found `9223372036854775808`
func.func private @f() attributes {d = #cute.descriptor<"(9223372036854775808@0)">}

// -----
// CHECK: :[[#@LINE+1]]:57: error: descriptor: mode 0: -9223372036854775808/-1@0 does not fit 64 bits in lowest terms
func.func private @f() attributes {d = #cute.descriptor<"(-9223372036854775808/-1@0)">}

// -----
// CHECK: :[[#@LINE+1]]:61: error: invalid "(1@4294967296)": column 4: expected a dimension of 32 bits, found `4294967296`
func.func private @f() attributes {d = #cute.descriptor<"(1@4294967296)">}

// -----
// CHECK: :[[#@LINE+1]]:122: error: invalid "((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((": column 65: more than 64 nested brackets
func.func private @f() attributes {d = #cute.descriptor<"((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((">}

// -----
// CHECK: :[[#@LINE+1]]:57: error: expected a quoted string
func.func private @f() attributes {d = #cute.descriptor<(1@0)>}
