// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// Errors point at the column inside the string.

// CHECK: :[[#@LINE+1]]:38: error: invalid "[4:1,8:1]": column 5: expected `;` or `]`, found `,8`
func.func private @f(!cute.tile<"[4:1,8:1]">)

// -----
// CHECK: :[[#@LINE+1]]:44: error: invalid "[4:1;(2,2)]": column 11: expected `:` and a stride (a tile of several modes is written `[4:1;1024:1]`), found `]`
func.func private @f(!cute.tile<"[4:1;(2,2)]">)

// -----
// CHECK: :[[#@LINE+1]]:41: error: invalid "[4:1;8:]": column 8: expected an integer, `?` or `(`, found `]`
func.func private @f(!cute.tile<"[4:1;8:]">)

// -----
// CHECK: :[[#@LINE+1]]:39: error: invalid "(4,8)": column 6: expected `:` and a stride (a tile of several modes is written `[4:1;1024:1]`), found the end
func.func private @f(!cute.tile<"(4,8)">)

// -----
// CHECK: :[[#@LINE+1]]:39: error: invalid "[4:1;(4,8):(1)]": column 6: shape and stride: (4,8) and (1) are not congruent
func.func private @f(!cute.tile<"[4:1;(4,8):(1)]">)

// Strides that have no sum make no values.
// -----
// CHECK: :[[#@LINE+1]]:45: error: invalid "[4:1;(2,2):(1@0,?)]": column 12: 1@0 and ? cannot be added: a nonzero integer and a tuple have no sum
func.func private @f(!cute.tile<"[4:1;(2,2):(1@0,?)]">)
