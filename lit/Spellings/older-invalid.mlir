// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @unknown(%arg0: !cute.int_tuple<"4">) {
  // expected-error @below {{custom op 'cute.tuple.sum' is unknown; did you mean 'cute.tuple_sub'?}}
  %0 = cute.tuple.sum(%arg0) : (!cute.int_tuple<"4">) -> !cute.int_tuple<"4">
  return
}

// -----

// An error names the op as it is called now.
func.func @renamed(%arg0: !cute.int_tuple<"(4,8)">) {
  // expected-error @below {{'cute.tuple_product' op result #0: declared !cute.int_tuple<"12"> is not a weakening of !cute.int_tuple<"32">: the value is `32`, declared `12`: the values differ}}
  %0 = cute.tuple.product(%arg0) : (!cute.int_tuple<"(4,8)">) -> !cute.int_tuple<"12">
  return
}

// -----

func.func @mode(%arg0: !cute.layout<"(4,8):(1,4)">) {
  // expected-error @below {{expected 'mode'}}
  %0 = cute.size(%arg0) <{path = [1]}> : (!cute.layout<"(4,8):(1,4)">) -> !cute.int_tuple<"8">
  return
}

// -----

func.func @inferred(%arg0: !cute.int_tuple<"(4,8)">, %arg1: !cute.int_tuple<"(0,8)">) {
  // expected-error @below {{'cute.ceil_div' op 4 is divided by zero}}
  %0 = cute.ceil_div(%arg0, %arg1) : !cute.int_tuple<"(4,8)">, !cute.int_tuple<"(0,8)">
  return
}

// -----

func.func @segments(%arg0: !cute.shape<"(4,8)">) {
  // expected-error @below {{'cute.make_layout' op expects 2 operands, as operandSegmentSizes counts them, found 1 operands}}
  %0 = "cute.make_layout"(%arg0) <{operandSegmentSizes = array<i32: 1, 1>}> : (!cute.shape<"(4,8)">) -> !cute.layout<"(4,8):(1,4)">
  return
}
