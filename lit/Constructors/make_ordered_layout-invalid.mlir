// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @rank(%arg0: !cute.shape<"(4,2)">, %arg1: !cute.int_tuple<"(0,1,2)">) -> !cute.layout<"(4,2):(1,4)"> {
  // expected-error @below {{'cute.make_ordered_layout' op the order: rank 3, expected exactly 2}}
  %0 = cute.make_ordered_layout(%arg0, %arg1) : (!cute.shape<"(4,2)">, !cute.int_tuple<"(0,1,2)">) -> !cute.layout<"(4,2):(1,4)">
  return %0 : !cute.layout<"(4,2):(1,4)">
}

// -----

func.func @depth(%arg0: !cute.shape<"(4,2)">, %arg1: !cute.int_tuple<"(0,(1,2))">) -> !cute.layout<"(4,2):(1,4)"> {
  // expected-error @below {{'cute.make_ordered_layout' op mode 1 of the order: a tuple of rank 2 is given for a mode that has no modes of its own}}
  %0 = cute.make_ordered_layout(%arg0, %arg1) : (!cute.shape<"(4,2)">, !cute.int_tuple<"(0,(1,2))">) -> !cute.layout<"(4,2):(1,4)">
  return %0 : !cute.layout<"(4,2):(1,4)">
}

// -----

func.func @dynamic(%arg0: !cute.shape<"(4,2)">, %arg1: !cute.int_tuple<"(0,?)">) -> !cute.layout<"(4,2):(1,4)"> {
  // expected-error @below {{'cute.make_ordered_layout' op the order (0,?) is dynamic: strides follow from it, so it must be static}}
  %0 = cute.make_ordered_layout(%arg0, %arg1) : (!cute.shape<"(4,2)">, !cute.int_tuple<"(0,?)">) -> !cute.layout<"(4,2):(1,4)">
  return %0 : !cute.layout<"(4,2):(1,4)">
}

// -----

func.func @value(%arg0: !cute.shape<"(4,2)">, %arg1: !cute.int_tuple<"(0,1)">) -> !cute.layout<"(4,2):(2,1)"> {
  // expected-error @below {{'cute.make_ordered_layout' op result #0: declared !cute.layout<"(4,2):(2,1)"> is not a weakening of !cute.layout<"(4,2):(1,4)">: the stride of mode 0 is `1`, declared `2`: the values differ}}
  %0 = cute.make_ordered_layout(%arg0, %arg1) : (!cute.shape<"(4,2)">, !cute.int_tuple<"(0,1)">) -> !cute.layout<"(4,2):(2,1)">
  return %0 : !cute.layout<"(4,2):(2,1)">
}

// -----

func.func @kind(%arg0: !cute.shape<"(4,2)">, %arg1: !cute.shape<"(0,1)">) -> !cute.layout<"(4,2):(1,4)"> {
  // expected-error @below {{'cute.make_ordered_layout' op operand #1 must be cute.int_tuple, but got '!cute.shape<"(0,1)">'}}
  %0 = cute.make_ordered_layout(%arg0, %arg1) : (!cute.shape<"(4,2)">, !cute.shape<"(0,1)">) -> !cute.layout<"(4,2):(1,4)">
  return %0 : !cute.layout<"(4,2):(1,4)">
}
