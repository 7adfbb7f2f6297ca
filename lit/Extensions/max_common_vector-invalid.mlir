// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @value(%arg0: !cute.layout<"(4,8):(1,4)">, %arg1: !cute.layout<"(4,8):(1,16)">) -> !cute.int_tuple<"8"> {
  // expected-error @below {{'cute.max_common_vector' op result #0: declared !cute.int_tuple<"8"> is not a weakening of !cute.int_tuple<"4">: the value is `4`, declared `8`: the values differ}}
  %0 = cute.max_common_vector(%arg0, %arg1) : (!cute.layout<"(4,8):(1,4)">, !cute.layout<"(4,8):(1,16)">) -> !cute.int_tuple<"8">
  return %0 : !cute.int_tuple<"8">
}

// -----

func.func @kind(%arg0: !cute.layout<"(4,8):(1,4)">, %arg1: !cute.shape<"(4,8)">) -> !cute.int_tuple<"8"> {
  // expected-error @below {{'cute.max_common_vector' op operand #1 must be layout or composed layout, but got '!cute.shape<"(4,8)">'}}
  %0 = cute.max_common_vector(%arg0, %arg1) : (!cute.layout<"(4,8):(1,4)">, !cute.shape<"(4,8)">) -> !cute.int_tuple<"8">
  return %0 : !cute.int_tuple<"8">
}

// -----

// strict: the run lies in both.
func.func @past_the_end(%arg0: !cute.layout<"4:1">, %arg1: !cute.layout<"32:1">) -> !cute.int_tuple<"32"> {
  // expected-error @below {{'cute.max_common_vector' op max_common_layout: the run 32:1 reaches index 31, but 4:1 has 4 elements; set cute.domain = "extend" to accept it as CuTe does}}
  %0 = cute.max_common_vector(%arg0, %arg1) : (!cute.layout<"4:1">, !cute.layout<"32:1">) -> !cute.int_tuple<"32">
  return %0 : !cute.int_tuple<"32">
}
