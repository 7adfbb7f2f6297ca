// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// Errors point at the column inside the string.

// CHECK: :[[#@LINE+1]]:38: error: invalid "[4:1,8:1]": column 4: expected `;` or `]`, found `,8`
func.func private @f(!cute.tile<"[4:1,8:1]">)

// -----
// CHECK: :[[#@LINE+1]]:44: error: invalid "[4:1;(2,2)]": column 10: expected `:` and a stride, found `]`
func.func private @f(!cute.tile<"[4:1;(2,2)]">)

// -----
// CHECK: :[[#@LINE+1]]:41: error: invalid "[4:1;8:]": column 7: expected an integer, `?` or `(`, found `]`
func.func private @f(!cute.tile<"[4:1;8:]">)

// -----
// CHECK: :[[#@LINE+1]]:39: error: invalid "(4,8)": column 5: expected `:` and a stride, found the end
func.func private @f(!cute.tile<"(4,8)">)

// -----
// CHECK: :[[#@LINE+1]]:39: error: invalid "[4:1;(4,8):(1)]": column 5: shape and stride: (4,8) and (1) are not congruent
func.func private @f(!cute.tile<"[4:1;(4,8):(1)]">)
