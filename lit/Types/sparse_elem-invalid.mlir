// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// CHECK: error: expected how many elements a stored one stands for, such as 2
func.func private @f(!cute.sparse_elem<0, f16>)

// -----
// CHECK: error: none is no type of elements: it has no size
func.func private @f(!cute.sparse_elem<2, none>)

// -----
// CHECK: error: expected ','
func.func private @f(!cute.sparse_elem<2>)
