// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @kinds(%arg0: !cute.shape<"4">, %arg1: !cute.coord<"2">) -> !cute.shape<"(4,2)"> {
  // expected-error @below {{'cute.make_tuple' op operands must be of one kind: #0 is !cute.shape, but #1 is !cute.coord}}
  %0 = cute.make_tuple(%arg0, %arg1) : (!cute.shape<"4">, !cute.coord<"2">) -> !cute.shape<"(4,2)">
  return %0 : !cute.shape<"(4,2)">
}

// -----

// An integer is no layout.
func.func @layout(%arg0: i32, %arg1: !cute.layout<"4:1">) -> !cute.layout<"(?,4):(1,1)"> {
  // expected-error @below {{'cute.make_tuple' op operands must be of one kind: #1 is !cute.layout, but #0 is i32}}
  %0 = cute.make_tuple(%arg0, %arg1) : (i32, !cute.layout<"4:1">) -> !cute.layout<"(?,4):(1,1)">
  return %0 : !cute.layout<"(?,4):(1,1)">
}

// -----

func.func @swizzle(%arg0: !cute.swizzle<"S<3,4,3>">) -> !cute.int_tuple<"(3)"> {
  // expected-error @below {{'cute.make_tuple' op operand #0 must be an integer, int_tuple, shape, stride, coord, tile or layout, found !cute.swizzle}}
  %0 = cute.make_tuple(%arg0) : (!cute.swizzle<"S<3,4,3>">) -> !cute.int_tuple<"(3)">
  return %0 : !cute.int_tuple<"(3)">
}

// -----

func.func @float(%arg0: f32) -> !cute.int_tuple<"(3)"> {
  // expected-error @below {{'cute.make_tuple' op operand #0 must be an integer, int_tuple, shape, stride, coord, tile or layout, found f32}}
  %0 = cute.make_tuple(%arg0) : (f32) -> !cute.int_tuple<"(3)">
  return %0 : !cute.int_tuple<"(3)">
}

// -----

func.func @result(%arg0: i32, %arg1: i32) -> !cute.shape<"(?,?)"> {
  // expected-error @below {{'cute.make_tuple' op result #0: declared !cute.shape<"(?,?)"> is not a weakening of !cute.int_tuple<"(?,?)">: !cute.shape is not !cute.int_tuple}}
  %0 = cute.make_tuple(%arg0, %arg1) : (i32, i32) -> !cute.shape<"(?,?)">
  return %0 : !cute.shape<"(?,?)">
}

// -----

func.func @width(%arg0: i32, %arg1: i32) -> !cute.int_tuple<"(?,?{i64})"> {
  // expected-error @below {{'cute.make_tuple' op result #0: declared !cute.int_tuple<"(?,?{i64})"> is not a weakening of !cute.int_tuple<"(?,?)">: mode 1 is `?`, declared `?{i64}`: the widths differ}}
  %0 = cute.make_tuple(%arg0, %arg1) : (i32, i32) -> !cute.int_tuple<"(?,?{i64})">
  return %0 : !cute.int_tuple<"(?,?{i64})">
}
