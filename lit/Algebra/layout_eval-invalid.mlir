// RUN: %opt %s -split-input-file -verify-diagnostics

// A shape is for crd2idx.
func.func @kind(%arg0: !cute.coord<"(1,2)">, %arg1: !cute.shape<"(4,8)">) -> !cute.int_tuple<"9"> {
  // expected-error @below {{'cute.layout_eval' op operand #1 must be layout or composed layout, but got '!cute.shape<"(4,8)">'}}
  %0 = cute.layout_eval(%arg0, %arg1) : (!cute.coord<"(1,2)">, !cute.shape<"(4,8)">) -> !cute.int_tuple<"9">
  return %0 : !cute.int_tuple<"9">
}

// -----

func.func @range(%arg0: !cute.coord<"32">, %arg1: !cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"8"> {
  // expected-error @below {{'cute.layout_eval' op coordinate: all modes: index 32 is outside [0, 32); set cute.domain = "extend" to accept it as CuTe does}}
  %0 = cute.layout_eval(%arg0, %arg1) : (!cute.coord<"32">, !cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"8">
  return %0 : !cute.int_tuple<"8">
}

// -----

func.func @value(%arg0: !cute.coord<"(1,2)">, %arg1: !cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"11"> {
  // expected-error @below {{'cute.layout_eval' op result #0: declared !cute.int_tuple<"11"> is not a weakening of !cute.int_tuple<"10">: the value is `10`, declared `11`: the values differ}}
  %0 = cute.layout_eval(%arg0, %arg1) : (!cute.coord<"(1,2)">, !cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"11">
  return %0 : !cute.int_tuple<"11">
}

// -----

func.func @named_axis(%arg0: !cute.coord<"(1,2)">, %arg1: !cute.layout<"(4,8):(1@laneid,4@laneid)">) {
  // expected-error @below {{the named axis @laneid, along which a Placement has points, found where a position in a coordinate is required}}
  %0 = cute.layout_eval(%arg0, %arg1) : (!cute.coord<"(1,2)">, !cute.layout<"(4,8):(1@laneid,4@laneid)">) -> !cute.int_tuple<"9">
  return
}
