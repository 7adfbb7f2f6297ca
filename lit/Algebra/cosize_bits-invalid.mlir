// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @range(%arg0: !cute.memref<f32, gmem, align<16>, "(4,3,2):(1,4,12)">) -> !cute.int_tuple<"4"> {
  // expected-error @below {{'cute.cosize_bits' op mode 3 of the layout does not exist}}
  %0 = cute.cosize_bits<[3]> (%arg0) : (!cute.memref<f32, gmem, align<16>, "(4,3,2):(1,4,12)">) -> !cute.int_tuple<"4">
  return %0 : !cute.int_tuple<"4">
}

// -----

func.func @no_size(%arg0: !cute.memref<!llvm.ptr, gmem, align<8>, "4:1">) -> !cute.int_tuple<"4"> {
  // expected-error @below {{'cute.cosize_bits' op !llvm.ptr has no size, so no bits can be counted}}
  %0 = cute.cosize_bits (%arg0) : (!cute.memref<!llvm.ptr, gmem, align<8>, "4:1">) -> !cute.int_tuple<"4">
  return %0 : !cute.int_tuple<"4">
}

// -----

func.func @composed(%arg0: !cute.memref<f32, gmem, align<16>, "(4,5):(1,4) o 2 o (2,3):(1,2)">) -> !cute.int_tuple<"4"> {
  // expected-error @below {{'cute.cosize_bits' op (4,5):(1,4) o 2 o (2,3):(1,2) is composed with a layout: its image is not that of the outer layout}}
  %0 = cute.cosize_bits (%arg0) : (!cute.memref<f32, gmem, align<16>, "(4,5):(1,4) o 2 o (2,3):(1,2)">) -> !cute.int_tuple<"4">
  return %0 : !cute.int_tuple<"4">
}

// -----

func.func @kind(%arg0: !cute.layout<"(4,3):(3,1)">) -> !cute.int_tuple<"12"> {
  // expected-error @below {{'cute.cosize_bits' op operand #0 must be a memref, found !cute.layout}}
  %0 = cute.cosize_bits (%arg0) : (!cute.layout<"(4,3):(3,1)">) -> !cute.int_tuple<"12">
  return %0 : !cute.int_tuple<"12">
}

// -----

func.func @value(%arg0: !cute.memref<f32, gmem, align<16>, "(4,8):(1,16)">) -> !cute.int_tuple<"116"> {
  // expected-error @below {{'cute.cosize_bits' op result #0: declared !cute.int_tuple<"116"> is not a weakening of !cute.int_tuple<"3712">: the value is `3712`, declared `116`: the values differ}}
  %0 = cute.cosize_bits (%arg0) : (!cute.memref<f32, gmem, align<16>, "(4,8):(1,16)">) -> !cute.int_tuple<"116">
  return %0 : !cute.int_tuple<"116">
}
