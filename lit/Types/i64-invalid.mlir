// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// Errors point at the column.

// CHECK: :[[#@LINE+1]]:38: error: expected a positive divisor
func.func private @f(!cute.i64<divby 0>)

// -----
// CHECK: :[[#@LINE+1]]:32: error: expected divby and a divisor, such as divby 8
func.func private @f(!cute.i64<div 8>)
