// RUN: %opt %s --pass-pipeline='builtin.module(cute-expand-copy-gemm,cute-to-base,convert-vector-to-llvm,convert-scf-to-cf,convert-to-llvm,reconcile-unrealized-casts)' | mlir-translate --mlir-to-llvmir -o %t.ll

// Elements in the format of CuTe DSL's print_tensor: rows of elements, and further modes nest such matrices.

!v6 = !cute.memref<f32, generic, align<4>, "6:1">
!m23 = !cute.memref<f32, generic, align<4>, "(2,3):(3,1)">
!any = !cute.memref<f32, generic, align<4>, "(?,?,?):(1,1,2)">

llvm.mlir.global internal constant @floats(dense<[0.0, 1.5, 3.0, 4.5, 6.0, -7.5]> : tensor<6xf32>) : !llvm.array<6 x f32>
llvm.mlir.global internal constant @bytes(dense<[-1, 2, 3]> : tensor<3xi8>) : !llvm.array<3 x i8>

func.func private @first() -> !cute.ptr<f32, generic> {
  %a = llvm.mlir.addressof @floats : !llvm.ptr
  %n = llvm.ptrtoint %a : !llvm.ptr to i64
  %p = cute.inttoptr(%n) : i64 to !cute.ptr<f32, generic>
  return %p : !cute.ptr<f32, generic>
}

// RUN: lli --entry-function=matrix %t.ll | FileCheck %s --check-prefix=MATRIX --strict-whitespace --match-full-lines
//      MATRIX:tensor(raw_ptr(0x{{[0-9a-f]+}}: f32, generic, align<4>) o (2,3):(3,1), data=
// MATRIX-NEXT:       {{\[\[}} 0.000000,  1.500000,  3.000000, ],
// MATRIX-NEXT:        {{\[}} 4.500000,  6.000000, -7.500000, ]])
func.func @matrix() -> i32 {
  %p = call @first() : () -> !cute.ptr<f32, generic>
  %v = cute.make_view(%p) : !m23
  cute.print_view(%v) : !m23
  %zero = arith.constant 0 : i32
  return %zero : i32
}

// The elements of a vector stand below each other.
// RUN: lli --entry-function=vector %t.ll | FileCheck %s --check-prefix=VECTOR --strict-whitespace --match-full-lines
//      VECTOR:tensor(raw_ptr(0x{{[0-9a-f]+}}: i8, generic, align<1>) o 3:1, data=
// VECTOR-NEXT:       [-1, ],
// VECTOR-NEXT:       [2, ],
// VECTOR-NEXT:       [3, ])
// VECTOR-NEXT:tensor(raw_ptr(0x{{[0-9a-f]+}}: i8, generic, align<1>) o 3:1, data=
// VECTOR-NEXT:       [255, ],
// VECTOR-NEXT:       [2, ],
// VECTOR-NEXT:       [3, ])
func.func @vector() -> i32 {
  %a = llvm.mlir.addressof @bytes : !llvm.ptr
  %n = llvm.ptrtoint %a : !llvm.ptr to i64
  %p = cute.inttoptr(%n) : i64 to !cute.ptr<i8, generic>
  %v = cute.make_view(%p) : !cute.memref<i8, generic, "3:1">
  cute.print_view(%v) {is_signed = true} : !cute.memref<i8, generic, "3:1">
  cute.print_view(%v) {is_signed = false} : !cute.memref<i8, generic, "3:1">
  %zero = arith.constant 0 : i32
  return %zero : i32
}

// Extents that are known at run time are counted by loops.
// RUN: lli --entry-function=dynamic %t.ll | FileCheck %s --check-prefix=DYNAMIC --strict-whitespace --match-full-lines
//      DYNAMIC:tensor(raw_ptr(0x{{[0-9a-f]+}}: f32, generic, align<4>) o (2,1,3):(1,1,2), data=
// DYNAMIC-NEXT:       {{\[\[\[}} 0.000000, ],
// DYNAMIC-NEXT:         {{\[}} 1.500000, ]],
// DYNAMIC-EMPTY:
// DYNAMIC-NEXT:        {{\[\[}} 3.000000, ],
// DYNAMIC-NEXT:         {{\[}} 4.500000, ]],
// DYNAMIC-EMPTY:
// DYNAMIC-NEXT:        {{\[\[}} 6.000000, ],
// DYNAMIC-NEXT:         {{\[}}-7.500000, ]]])
// DYNAMIC-NEXT:tensor(raw_ptr(0x{{[0-9a-f]+}}: f32, generic, align<4>) o (2,1,3):(1,1,2), data= (
// DYNAMIC-NEXT:{{	}}(0,0,0)= 0.000000
// DYNAMIC-NEXT:{{	}}(0,0,1)= 3.000000
// DYNAMIC-NEXT:{{	}}(0,0,2)= 6.000000
// DYNAMIC-NEXT:{{	}}(1,0,0)= 1.500000
// DYNAMIC-NEXT:{{	}}(1,0,1)= 4.500000
// DYNAMIC-NEXT:{{	}}(1,0,2)= -7.500000
// DYNAMIC-NEXT:)
func.func @dynamic() -> i32 {
  %p = call @first() : () -> !cute.ptr<f32, generic>
  %1 = arith.constant 1 : i32
  %2 = arith.constant 2 : i32
  %3 = arith.constant 3 : i32
  %s = cute.make_shape(%2, %1, %3) : (i32, i32, i32) -> !cute.shape<"(?,?,?)">
  %d = cute.static : !cute.stride<"(1,1,2)">
  %l = cute.make_layout(%s, %d) : (!cute.shape<"(?,?,?)">, !cute.stride<"(1,1,2)">) -> !cute.layout<"(?,?,?):(1,1,2)">
  %v = cute.make_view(%p, %l) : !any
  cute.print_view(%v) : !any
  cute.print_view(%v) {verbose = true} : !any
  %zero = arith.constant 0 : i32
  return %zero : i32
}

// A tensor of coordinates has tuples, and a view without modes one element.
// RUN: lli --entry-function=coordinates %t.ll | FileCheck %s --check-prefix=COORDINATES --strict-whitespace --match-full-lines
//      COORDINATES:tensor((5,0) o (2,2):(1@0,1@1), data=
// COORDINATES-NEXT:       {{\[\[}}(5,0), (5,1), ],
// COORDINATES-NEXT:        {{\[}}(6,0), (6,1), ]])
// COORDINATES-NEXT:tensor(raw_ptr(0x{{[0-9a-f]+}}: f32, generic, align<4>) o ():(), data=
// COORDINATES-NEXT:       [ 0.000000, ])
func.func @coordinates() -> i32 {
  %5 = arith.constant 5 : i32
  %t = cute.make_int_tuple(%5) : (i32) -> !cute.int_tuple<"(?,0)">
  %c = cute.make_arith_tuple_iter(%t) : (!cute.int_tuple<"(?,0)">) -> !cute.arith_tuple_iter<"(?,0)">
  %v = cute.make_view(%c) : !cute.coord_tensor<"(?,0)", "(2,2):(1@0,1@1)">
  cute.print_view(%v) : !cute.coord_tensor<"(?,0)", "(2,2):(1@0,1@1)">
  %p = call @first() : () -> !cute.ptr<f32, generic>
  %e = cute.make_view(%p) : !cute.memref<f32, generic, "():()">
  cute.print_view(%e) : !cute.memref<f32, generic, "():()">
  %zero = arith.constant 0 : i32
  return %zero : i32
}
