// RUN: %opt %s | %opt | FileCheck %s

// A stored element and how many elements it stands for.

// CHECK: @t0(!cute.sparse_elem<2, f16>)
func.func private @t0(!cute.sparse_elem<2, f16>)
// CHECK: @t1(!cute.sparse_elem<16, i8>)
func.func private @t1(!cute.sparse_elem<16, i8>)
