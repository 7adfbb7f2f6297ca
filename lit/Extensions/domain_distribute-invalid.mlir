// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @dynamic(%arg0: !cute.shape<"(15,14)">, %arg1: !cute.int_tuple<"?">) -> !cute.layout<"1:0"> {
  // expected-error @below {{'cute.domain_distribute' op operand #1: the count must be static, but is ?}}
  %0 = cute.domain_distribute(%arg0, %arg1) : (!cute.shape<"(15,14)">, !cute.int_tuple<"?">) -> !cute.layout<"1:0">
  return %0 : !cute.layout<"1:0">
}

// -----

func.func @dynamic_shape(%arg0: !cute.shape<"(15,?)">, %arg1: !cute.int_tuple<"6">) -> !cute.layout<"1:0"> {
  // expected-error @below {{'cute.domain_distribute' op extent ? is dynamic, but a static value is required}}
  %0 = cute.domain_distribute(%arg0, %arg1) : (!cute.shape<"(15,?)">, !cute.int_tuple<"6">) -> !cute.layout<"1:0">
  return %0 : !cute.layout<"1:0">
}

// -----

func.func @none(%arg0: !cute.shape<"(15,14)">, %arg1: !cute.int_tuple<"0">) -> !cute.layout<"1:0"> {
  // expected-error @below {{'cute.domain_distribute' op count 0 is not positive}}
  %0 = cute.domain_distribute(%arg0, %arg1) : (!cute.shape<"(15,14)">, !cute.int_tuple<"0">) -> !cute.layout<"1:0">
  return %0 : !cute.layout<"1:0">
}

// -----

func.func @value(%arg0: !cute.shape<"(15,14)">, %arg1: !cute.int_tuple<"6">) -> !cute.layout<"(3,2):(1,3)"> {
  // expected-error @below {{'cute.domain_distribute' op result #0: declared !cute.layout<"(3,2):(1,3)"> is not a weakening of !cute.layout<"(3,2):(1,15)">: the stride of mode 1 is `15`, declared `3`: the values differ}}
  %0 = cute.domain_distribute(%arg0, %arg1) : (!cute.shape<"(15,14)">, !cute.int_tuple<"6">) -> !cute.layout<"(3,2):(1,3)">
  return %0 : !cute.layout<"(3,2):(1,3)">
}
