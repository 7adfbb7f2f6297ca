// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// Errors point at the column.

// CHECK: :[[#@LINE+1]]:47: error: expected '<'
func.func private @f(!cute.fast_divmod_divisor)

// -----
// CHECK: :[[#@LINE+1]]:48: error: expected the width of the divisor: 32
func.func private @f(!cute.fast_divmod_divisor<>)

// -----
// CHECK: :[[#@LINE+1]]:48: error: expected the width of the divisor: 32
func.func private @f(!cute.fast_divmod_divisor<64>)

// -----
// CHECK: :[[#@LINE+1]]:50: error: expected '>'
func.func private @f(!cute.fast_divmod_divisor<32, is_pow_2>)
