// RUN: not %opt -split-input-file %s 2>&1 | FileCheck %s

// CHECK: error: expected the number of elements that a stored one represents, such as 2
func.func private @f(!cute.sparse_elem<0, f16>)

// -----
// CHECK: error: none cannot be an element type: it does not have a size
func.func private @f(!cute.sparse_elem<2, none>)

// -----
// CHECK: error: expected ','
func.func private @f(!cute.sparse_elem<2>)
