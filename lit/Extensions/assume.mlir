// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// A divisor that the program promises; it costs nothing at run time.

// CHECK-LABEL: @narrow(
// CHECK: cute.assume(%arg0) : (i32) -> !cute.i32<divby 8>
// FOLD-LABEL: @narrow(
// FOLD-NEXT: {{.*}}cute.assume(%arg0) : (i32) -> !cute.i32<divby 8>
// FOLD-NEXT: return
// BASE-LABEL: @narrow(
// BASE-NEXT: return %arg0 : i32
func.func @narrow(%arg0: i32) -> !cute.i32<divby 8> {
  %0 = cute.assume(%arg0) : (i32) -> !cute.i32<divby 8>
  return %0 : !cute.i32<divby 8>
}

// CHECK-LABEL: @wide(
// CHECK: cute.assume(%arg0) : (i64) -> !cute.i64<divby 16>
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.assume(%arg0) : (i64) -> !cute.i64<divby 16>
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: return %arg0 : i64
func.func @wide(%arg0: i64) -> !cute.i64<divby 16> {
  %0 = cute.assume(%arg0) : (i64) -> !cute.i64<divby 16>
  return %0 : !cute.i64<divby 16>
}

// No divisor is no fact.
// CHECK-LABEL: @nothing(
// CHECK: cute.assume(%arg0) : (i32) -> !cute.i32
// FOLD-LABEL: @nothing(
// FOLD-NEXT: {{.*}}cute.assume(%arg0) : (i32) -> !cute.i32
// FOLD-NEXT: return
// BASE-LABEL: @nothing(
// BASE-NEXT: return %arg0 : i32
func.func @nothing(%arg0: i32) -> !cute.i32 {
  %0 = cute.assume(%arg0) : (i32) -> !cute.i32
  return %0 : !cute.i32
}

// CHECK-LABEL: @again(
// CHECK: cute.assume(%arg0) : (!cute.i32<divby 4>) -> !cute.i32<divby 8>
// FOLD-LABEL: @again(
// FOLD-NEXT: {{.*}}cute.assume(%arg0) : (!cute.i32<divby 4>) -> !cute.i32<divby 8>
// FOLD-NEXT: return
// BASE-LABEL: @again(
// BASE-NEXT: return %arg0 : i32
func.func @again(%arg0: !cute.i32<divby 4>) -> !cute.i32<divby 8> {
  %0 = cute.assume(%arg0) : (!cute.i32<divby 4>) -> !cute.i32<divby 8>
  return %0 : !cute.i32<divby 8>
}

// It fills a leaf that says so.
// CHECK-LABEL: @leaf(
// CHECK: cute.make_int_tuple(%arg0) : (!cute.i32<divby 8>) -> !cute.int_tuple<"(?{div=8},4)">
// FOLD-LABEL: @leaf(
// FOLD-NEXT: {{.*}}cute.make_int_tuple(%arg0) : (!cute.i32<divby 8>) -> !cute.int_tuple<"(?{div=8},4)">
// FOLD-NEXT: return
// BASE-LABEL: @leaf(
// BASE-NEXT: return %arg0 : i32
func.func @leaf(%arg0: !cute.i32<divby 8>) -> !cute.int_tuple<"(?{div=8},4)"> {
  %0 = cute.make_int_tuple(%arg0) : (!cute.i32<divby 8>) -> !cute.int_tuple<"(?{div=8},4)">
  return %0 : !cute.int_tuple<"(?{div=8},4)">
}

// Or one that says less.
// CHECK-LABEL: @shape(
// CHECK: cute.make_shape(%arg0) : (!cute.i64<divby 16>) -> !cute.shape<"(?{i64 div=8},4)">
// FOLD-LABEL: @shape(
// FOLD-NEXT: {{.*}}cute.make_shape(%arg0) : (!cute.i64<divby 16>) -> !cute.shape<"(?{i64 div=8},4)">
// FOLD-NEXT: return
// BASE-LABEL: @shape(
// BASE-NEXT: return %arg0 : i64
func.func @shape(%arg0: !cute.i64<divby 16>) -> !cute.shape<"(?{i64 div=8},4)"> {
  %0 = cute.make_shape(%arg0) : (!cute.i64<divby 16>) -> !cute.shape<"(?{i64 div=8},4)">
  return %0 : !cute.shape<"(?{i64 div=8},4)">
}

// An address can be assumed too.
// CHECK-LABEL: @address(
// CHECK: cute.inttoptr(%arg0) : !cute.i64<divby 16> to !cute.ptr<f32, gmem, align<16>>
// BASE-LABEL: @address(
// BASE-NEXT: %[[P:.*]] = llvm.inttoptr %arg0 : i64 to !llvm.ptr<1>
// BASE-NEXT: return %[[P]] : !llvm.ptr<1>
func.func @address(%arg0: !cute.i64<divby 16>) -> !cute.ptr<f32, gmem, align<16>> {
  %0 = cute.inttoptr(%arg0) : !cute.i64<divby 16> to !cute.ptr<f32, gmem, align<16>>
  return %0 : !cute.ptr<f32, gmem, align<16>>
}
