// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @rank(%arg0: !cute.shape<"4">, %arg1: !cute.shape<"1">) -> !cute.shape<"4"> {
  // expected-error @below {{'cute.append_to_rank' op attribute 'rank' must be a positive integer}}
  %0 = cute.append_to_rank<0>(%arg0, %arg1) : !cute.shape<"4">, !cute.shape<"1">
  return %0 : !cute.shape<"4">
}

// -----

func.func @negative(%arg0: !cute.shape<"4">, %arg1: !cute.shape<"1">) -> !cute.shape<"4"> {
  // expected-error @below {{'cute.append_to_rank' op attribute 'rank' must be a positive integer}}
  %0 = cute.append_to_rank<-2>(%arg0, %arg1) : !cute.shape<"4">, !cute.shape<"1">
  return %0 : !cute.shape<"4">
}

// -----

func.func @huge(%arg0: !cute.shape<"4">, %arg1: !cute.shape<"1">) -> !cute.shape<"4"> {
  // expected-error @below {{'cute.append_to_rank' op the padded tuple: rank 100000, expected exactly 65536}}
  %0 = cute.append_to_rank<100000>(%arg0, %arg1) : !cute.shape<"4">, !cute.shape<"1">
  return %0 : !cute.shape<"4">
}

// -----

func.func @kinds(%arg0: !cute.shape<"4">, %arg1: !cute.int_tuple<"1">) -> !cute.shape<"(4,1)"> {
  // expected-error @below {{'cute.append_to_rank' op the element must be of the kind of the operand, found !cute.int_tuple for !cute.shape}}
  %0 = cute.append_to_rank<2>(%arg0, %arg1) : !cute.shape<"4">, !cute.int_tuple<"1">
  return %0 : !cute.shape<"(4,1)">
}

// -----

func.func @layout(%arg0: !cute.layout<"4:1">, %arg1: !cute.shape<"1">) -> !cute.layout<"(4,1):(1,0)"> {
  // expected-error @below {{'cute.append_to_rank' op operand #1 must be a layout, found !cute.shape}}
  %0 = cute.append_to_rank<2>(%arg0, %arg1) : !cute.layout<"4:1">, !cute.shape<"1">
  return %0 : !cute.layout<"(4,1):(1,0)">
}

// -----

func.func @operand(%arg0: !cute.tile<"4:1">, %arg1: !cute.tile<"4:1">) -> !cute.tile<"4:1"> {
  // expected-error @below {{'cute.append_to_rank' op operand #0 must be an int_tuple, shape, stride, coord, layout or composed layout, found !cute.tile}}
  %0 = cute.append_to_rank<2>(%arg0, %arg1) : !cute.tile<"4:1">, !cute.tile<"4:1">
  return %0 : !cute.tile<"4:1">
}
