// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @too_small(%arg0: !cute.layout<"(16,4):(1,16)">, %arg1: !cute.coord<"(3,5)">) -> !cute.layout<"1:0"> {
  // expected-error @below {{'cute.stencil_divide' op mode 1: a window of 5 with dilation 1 spans 5 elements, but the mode has 4}}
  %0 = cute.stencil_divide(%arg0, %arg1) : (!cute.layout<"(16,4):(1,16)">, !cute.coord<"(3,5)">) -> !cute.layout<"1:0">
  return %0 : !cute.layout<"1:0">
}

// -----

func.func @dilated(%arg0: !cute.layout<"(16,4):(1,16)">, %arg1: !cute.coord<"(_,3)">, %arg2: !cute.int_tuple<"1">, %arg3: !cute.int_tuple<"2">) -> !cute.layout<"1:0"> {
  // expected-error @below {{'cute.stencil_divide' op mode 1: a window of 3 with dilation 2 spans 5 elements, but the mode has 4}}
  %0 = cute.stencil_divide(%arg0, %arg1, %arg2, %arg3) : (!cute.layout<"(16,4):(1,16)">, !cute.coord<"(_,3)">, !cute.int_tuple<"1">, !cute.int_tuple<"2">) -> !cute.layout<"1:0">
  return %0 : !cute.layout<"1:0">
}

// -----

func.func @zero(%arg0: !cute.layout<"(16,4):(1,16)">, %arg1: !cute.coord<"(0,3)">) -> !cute.layout<"1:0"> {
  // expected-error @below {{'cute.stencil_divide' op mode 0: window 0 is not positive}}
  %0 = cute.stencil_divide(%arg0, %arg1) : (!cute.layout<"(16,4):(1,16)">, !cute.coord<"(0,3)">) -> !cute.layout<"1:0">
  return %0 : !cute.layout<"1:0">
}

// -----

func.func @step(%arg0: !cute.layout<"(16,4):(1,16)">, %arg1: !cute.coord<"(_,3)">, %arg2: !cute.int_tuple<"(1,-1)">) -> !cute.layout<"1:0"> {
  // expected-error @below {{'cute.stencil_divide' op mode 1: step -1 is not positive}}
  %0 = cute.stencil_divide(%arg0, %arg1, %arg2) : (!cute.layout<"(16,4):(1,16)">, !cute.coord<"(_,3)">, !cute.int_tuple<"(1,-1)">) -> !cute.layout<"1:0">
  return %0 : !cute.layout<"1:0">
}

// -----

func.func @hierarchical(%arg0: !cute.layout<"((4,4),4):((1,8),16)">, %arg1: !cute.coord<"(3,3)">) -> !cute.layout<"1:0"> {
  // expected-error @below {{'cute.stencil_divide' op mode 0: (4,4):(1,8) is not one extent and one stride, even coalesced}}
  %0 = cute.stencil_divide(%arg0, %arg1) : (!cute.layout<"((4,4),4):((1,8),16)">, !cute.coord<"(3,3)">) -> !cute.layout<"1:0">
  return %0 : !cute.layout<"1:0">
}

// -----

func.func @rank(%arg0: !cute.layout<"(16,4):(1,16)">, %arg1: !cute.coord<"(3,3,3)">) -> !cute.layout<"1:0"> {
  // expected-error @below {{'cute.stencil_divide' op the window: rank 3, expected at most 2}}
  %0 = cute.stencil_divide(%arg0, %arg1) : (!cute.layout<"(16,4):(1,16)">, !cute.coord<"(3,3,3)">) -> !cute.layout<"1:0">
  return %0 : !cute.layout<"1:0">
}

// -----

func.func @step_rank(%arg0: !cute.layout<"(16,4):(1,16)">, %arg1: !cute.coord<"(3,3)">, %arg2: !cute.int_tuple<"(1,1,1)">) -> !cute.layout<"1:0"> {
  // expected-error @below {{'cute.stencil_divide' op the step: rank 3, expected exactly 2}}
  %0 = cute.stencil_divide(%arg0, %arg1, %arg2) : (!cute.layout<"(16,4):(1,16)">, !cute.coord<"(3,3)">, !cute.int_tuple<"(1,1,1)">) -> !cute.layout<"1:0">
  return %0 : !cute.layout<"1:0">
}

// -----

func.func @count(%arg0: !cute.layout<"16:1">, %arg1: !cute.coord<"3">, %arg2: !cute.int_tuple<"1">, %arg3: !cute.int_tuple<"1">, %arg4: !cute.int_tuple<"1">) -> !cute.layout<"1:0"> {
  // expected-error @below {{'cute.stencil_divide' op expects at most 4 operands: input, window, step and dilation, found 5 operands}}
  %0 = cute.stencil_divide(%arg0, %arg1, %arg2, %arg3, %arg4) : (!cute.layout<"16:1">, !cute.coord<"3">, !cute.int_tuple<"1">, !cute.int_tuple<"1">, !cute.int_tuple<"1">) -> !cute.layout<"1:0">
  return %0 : !cute.layout<"1:0">
}

// -----

func.func @value(%arg0: !cute.layout<"16:1">, %arg1: !cute.coord<"3">) -> !cute.layout<"(3,13):(1,1)"> {
  // expected-error @below {{'cute.stencil_divide' op result #0: declared !cute.layout<"(3,13):(1,1)"> is not a weakening of !cute.layout<"(3,14):(1,1)">: the extent of mode 1 is `14`, declared `13`: the values differ}}
  %0 = cute.stencil_divide(%arg0, %arg1) : (!cute.layout<"16:1">, !cute.coord<"3">) -> !cute.layout<"(3,13):(1,1)">
  return %0 : !cute.layout<"(3,13):(1,1)">
}
