// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base,convert-scf-to-cf,convert-to-llvm,reconcile-unrealized-casts)' | mlir-translate --mlir-to-llvmir -o %t.ll
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base{runtime-checks},convert-scf-to-cf,convert-to-llvm,reconcile-unrealized-casts)' | mlir-translate --mlir-to-llvmir -o %t.checked.ll

// Offsets past 32 bits, on the host.

// RUN: lli --entry-function=row %t.ll | FileCheck %s --check-prefix=ROW
// ROW: 2147483648
// ROW-NEXT: 2147483648
// ROW-NEXT: -2147483652
func.func @row() -> i32 attributes {cute.domain = "extend"} {
  %row = arith.constant 536870912 : i32
  %zero = arith.constant 0 : i32
  %at = cute.make_coord(%row, %zero) : (i32, i32) -> !cute.coord<"(?,?)">
  %l = cute.static : !cute.layout<"(536870913,4):(4,1)">
  %0 = cute.crd2idx(%at, %l) : (!cute.coord<"(?,?)">, !cute.layout<"(536870913,4):(4,1)">) -> !cute.int_tuple<"?{i64}">
  cute.print(%0) : !cute.int_tuple<"?{i64}">

  // The same as an address, of one byte per element.
  %null = arith.constant 0 : i64
  %p = cute.inttoptr(%null) : i64 to !cute.ptr<i8, gmem, align<1>>
  %v = cute.make_view(%p, %l) : !cute.memref<i8, gmem, align<1>, "(536870913,4):(4,1)">
  %open = cute.make_coord(%row) : (i32) -> !cute.coord<"(?,_)">
  %s = cute.slice(%v, %open) : !cute.memref<i8, gmem, align<1>, "(536870913,4):(4,1)">, !cute.coord<"(?,_)">
  %q = cute.get_iter(%s) : !cute.memref<i8, gmem, align<1>, "(4):(1)">
  %address = cute.ptrtoint(%q) : !cute.ptr<i8, gmem, align<1>> to i64
  %1 = cute.make_int_tuple(%address) : (i64) -> !cute.int_tuple<"?{i64}">
  cute.print(%1) : !cute.int_tuple<"?{i64}">

  %last = arith.constant 536870913 : i32
  %end = cute.make_coord(%last) : (i32) -> !cute.coord<"?">
  %down = cute.static : !cute.layout<"536870914:-4">
  %2 = cute.crd2idx(%end, %down) : (!cute.coord<"?">, !cute.layout<"536870914:-4">) -> !cute.int_tuple<"?{i64 div=4}">
  cute.print(%2) : !cute.int_tuple<"?{i64 div=4}">
  return %zero : i32
}

// Where the type promises no bound, the offset has the bits of its index.
// RUN: not --crash lli --entry-function=unbounded %t.checked.ll 2>&1 | FileCheck %s --check-prefix=UNBOUNDED
// UNBOUNDED: 'cute.crd2idx' op 536870912 * 4 overflows i32; leaves of i64 hold more
func.func @unbounded() -> i32 {
  %row = arith.constant 536870912 : i32
  %rows = arith.constant 536870913 : i32
  %zero = arith.constant 0 : i32
  %at = cute.make_coord(%row) : (i32) -> !cute.coord<"(?,0)">
  %shape = cute.make_shape(%rows) : (i32) -> !cute.shape<"(?,4)">
  %stride = cute.static : !cute.stride<"(4,1)">
  %l = cute.make_layout(%shape, %stride) : (!cute.shape<"(?,4)">, !cute.stride<"(4,1)">) -> !cute.layout<"(?,4):(4,1)">
  %0 = cute.crd2idx(%at, %l) : (!cute.coord<"(?,0)">, !cute.layout<"(?,4):(4,1)">) -> !cute.int_tuple<"?{div=4}">
  cute.print(%0) : !cute.int_tuple<"?{div=4}">
  return %zero : i32
}
