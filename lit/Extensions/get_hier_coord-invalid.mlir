// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @no_integer(%arg0: !cute.int_tuple<"(1,2)">, %arg1: !cute.layout<"(4,8):(8,1)">) -> !cute.coord<"(1,2)"> {
  // expected-error @below {{'cute.get_hier_coord' op operand #0 `(1,2)` must be one integer}}
  %0 = cute.get_hier_coord(%arg0, %arg1) : (!cute.int_tuple<"(1,2)">, !cute.layout<"(4,8):(8,1)">) -> !cute.coord<"(1,2)">
  return %0 : !cute.coord<"(1,2)">
}

// -----

// strict: the layout has the index at its coordinate.
func.func @not_compact(%arg0: !cute.int_tuple<"3">, %arg1: !cute.layout<"(4,8):(2,8)">) -> !cute.coord<"(1,0)"> {
  // expected-error @below {{'cute.get_hier_coord' op (4,8):(2,8) has 2, not 3, at (1,0); set cute.domain = "extend" to accept it as CuTe does}}
  %0 = cute.get_hier_coord(%arg0, %arg1) : (!cute.int_tuple<"3">, !cute.layout<"(4,8):(2,8)">) -> !cute.coord<"(1,0)">
  return %0 : !cute.coord<"(1,0)">
}

// -----

func.func @value(%arg0: !cute.int_tuple<"14">, %arg1: !cute.layout<"(4,8):(8,1)">) -> !cute.coord<"(1,7)"> {
  // expected-error @below {{'cute.get_hier_coord' op result #0: declared !cute.coord<"(1,7)"> is not a weakening of !cute.coord<"(1,6)">: mode 1 is `6`, declared `7`: the values differ}}
  %0 = cute.get_hier_coord(%arg0, %arg1) : (!cute.int_tuple<"14">, !cute.layout<"(4,8):(8,1)">) -> !cute.coord<"(1,7)">
  return %0 : !cute.coord<"(1,7)">
}

// -----

func.func @kind(%arg0: f32, %arg1: !cute.layout<"(4,8):(8,1)">) -> !cute.coord<"(1,7)"> {
  // expected-error @below {{'cute.get_hier_coord' op operand #0 must be i32, i64, index or int_tuple, but got 'f32'}}
  %0 = cute.get_hier_coord(%arg0, %arg1) : (f32, !cute.layout<"(4,8):(8,1)">) -> !cute.coord<"(1,7)">
  return %0 : !cute.coord<"(1,7)">
}

// -----

func.func @basis(%arg0: i32, %arg1: !cute.layout<"(4,8):(1@0,1@1)">) -> !cute.coord<"(?,?)"> {
  // expected-error @below {{'cute.get_hier_coord' op 1@0 found where an integer is required}}
  %0 = cute.get_hier_coord(%arg0, %arg1) : (i32, !cute.layout<"(4,8):(1@0,1@1)">) -> !cute.coord<"(?,?)">
  return %0 : !cute.coord<"(?,?)">
}

// -----

// The constant 14 is not at 2.
func.func @constant(%arg0: !cute.layout<"(4,(2,4)):(8,(4,1))">) {
  %c14 = arith.constant 14 : i32
  // expected-error @below {{'cute.get_hier_coord' op result #0: declared !cute.coord<"(2,(1,2))"> is not a weakening of !cute.coord<"(?,(?,?))">: mode 0 is `?`, declared `2`: it is not known before run time}}
  %0 = "cute.get_hier_coord"(%c14, %arg0) : (i32, !cute.layout<"(4,(2,4)):(8,(4,1))">) -> !cute.coord<"(2,(1,2))">
  return
}
