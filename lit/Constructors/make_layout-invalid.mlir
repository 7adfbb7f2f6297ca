// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @not_congruent(%arg0: !cute.shape<"(4,8)">, %arg1: !cute.stride<"1">) -> !cute.layout<"(4,8):(1,4)"> {
  // expected-error @below {{'cute.make_layout' op shape and stride: (4,8) and 1 are not congruent}}
  %0 = cute.make_layout(%arg0, %arg1) : (!cute.shape<"(4,8)">, !cute.stride<"1">) -> !cute.layout<"(4,8):(1,4)">
  return %0 : !cute.layout<"(4,8):(1,4)">
}

// -----

// The message says in which mode.
func.func @not_congruent_inside(%arg0: !cute.shape<"(4,(2,(8,3)))">, %arg1: !cute.stride<"(1,(4,8))">) -> !cute.layout<"(4,8):(1,4)"> {
  // expected-error @below {{'cute.make_layout' op mode (1,1) of shape and stride: (8,3) and 8 are not congruent}}
  %0 = cute.make_layout(%arg0, %arg1) : (!cute.shape<"(4,(2,(8,3)))">, !cute.stride<"(1,(4,8))">) -> !cute.layout<"(4,8):(1,4)">
  return %0 : !cute.layout<"(4,8):(1,4)">
}

// -----

// A shape may hold a 0, a layout may not.
func.func @empty_extent(%arg0: !cute.shape<"(4,0)">, %arg1: !cute.stride<"(1,4)">) -> !cute.layout<"(4,8):(1,4)"> {
  // expected-error @below {{'cute.make_layout' op mode 1 of the shape: extent 0 is not positive}}
  %0 = cute.make_layout(%arg0, %arg1) : (!cute.shape<"(4,0)">, !cute.stride<"(1,4)">) -> !cute.layout<"(4,8):(1,4)">
  return %0 : !cute.layout<"(4,8):(1,4)">
}

// -----

func.func @kind(%arg0: !cute.int_tuple<"(4,8)">, %arg1: !cute.stride<"(1,4)">) -> !cute.layout<"(4,8):(1,4)"> {
  // expected-error @below {{'cute.make_layout' op operand #0 must be cute.shape, but got '!cute.int_tuple<"(4,8)">'}}
  %0 = cute.make_layout(%arg0, %arg1) : (!cute.int_tuple<"(4,8)">, !cute.stride<"(1,4)">) -> !cute.layout<"(4,8):(1,4)">
  return %0 : !cute.layout<"(4,8):(1,4)">
}

// -----

func.func @value(%arg0: !cute.shape<"(4,8)">, %arg1: !cute.stride<"(1,4)">) -> !cute.layout<"(4,8):(8,1)"> {
  // expected-error @below {{'cute.make_layout' op result #0: declared !cute.layout<"(4,8):(8,1)"> is not a weakening of !cute.layout<"(4,8):(1,4)">: the stride of mode 0 is `1`, declared `8`: the values differ}}
  %0 = cute.make_layout(%arg0, %arg1) : (!cute.shape<"(4,8)">, !cute.stride<"(1,4)">) -> !cute.layout<"(4,8):(8,1)">
  return %0 : !cute.layout<"(4,8):(8,1)">
}

// -----

func.func @structure(%arg0: !cute.shape<"(4,8)">, %arg1: !cute.stride<"(1,4)">) -> !cute.layout<"32:1"> {
  // expected-error @below {{'cute.make_layout' op result #0: declared !cute.layout<"32:1"> is not a weakening of !cute.layout<"(4,8):(1,4)">: 32 and (4,8) are not congruent}}
  %0 = cute.make_layout(%arg0, %arg1) : (!cute.shape<"(4,8)">, !cute.stride<"(1,4)">) -> !cute.layout<"32:1">
  return %0 : !cute.layout<"32:1">
}

// -----

func.func @stronger(%arg0: !cute.shape<"(?{div=4},8)">, %arg1: !cute.stride<"(8,1)">) -> !cute.layout<"(?{div=16},8):(8,1)"> {
  // expected-error @below {{'cute.make_layout' op result #0: declared !cute.layout<"(?{div=16},8):(8,1)"> is not a weakening of !cute.layout<"(?{div=4},8):(8,1)">: the extent of mode 0 is `?{div=4}`, declared `?{div=16}`: the divisor is more than what is known}}
  %0 = cute.make_layout(%arg0, %arg1) : (!cute.shape<"(?{div=4},8)">, !cute.stride<"(8,1)">) -> !cute.layout<"(?{div=16},8):(8,1)">
  return %0 : !cute.layout<"(?{div=16},8):(8,1)">
}

// -----

func.func @static_from_dynamic(%arg0: !cute.shape<"(?,8)">, %arg1: !cute.stride<"(8,1)">) -> !cute.layout<"(4,8):(8,1)"> {
  // expected-error @below {{'cute.make_layout' op result #0: declared !cute.layout<"(4,8):(8,1)"> is not a weakening of !cute.layout<"(?,8):(8,1)">: the extent of mode 0 is `?`, declared `4`: it is not known before run time}}
  %0 = cute.make_layout(%arg0, %arg1) : (!cute.shape<"(?,8)">, !cute.stride<"(8,1)">) -> !cute.layout<"(4,8):(8,1)">
  return %0 : !cute.layout<"(4,8):(8,1)">
}

// -----

func.func @dynamic_from_static(%arg0: !cute.shape<"(4,8)">, %arg1: !cute.stride<"(8,1)">) -> !cute.layout<"(?,8):(8,1)"> {
  // expected-error @below {{'cute.make_layout' op result #0: declared !cute.layout<"(?,8):(8,1)"> is not a weakening of !cute.layout<"(4,8):(8,1)">: the extent of mode 0 is `4`, declared `?`: static leaves stay static}}
  %0 = cute.make_layout(%arg0, %arg1) : (!cute.shape<"(4,8)">, !cute.stride<"(8,1)">) -> !cute.layout<"(?,8):(8,1)">
  return %0 : !cute.layout<"(?,8):(8,1)">
}

// -----

func.func @width(%arg0: !cute.shape<"(?,8)">, %arg1: !cute.stride<"(8,1)">) -> !cute.layout<"(?{i64},8):(8,1)"> {
  // expected-error @below {{'cute.make_layout' op result #0: declared !cute.layout<"(?{i64},8):(8,1)"> is not a weakening of !cute.layout<"(?,8):(8,1)">: the extent of mode 0 is `?`, declared `?{i64}`: the widths differ}}
  %0 = cute.make_layout(%arg0, %arg1) : (!cute.shape<"(?,8)">, !cute.stride<"(8,1)">) -> !cute.layout<"(?{i64},8):(8,1)">
  return %0 : !cute.layout<"(?{i64},8):(8,1)">
}

// -----

func.func @overflow(%arg0: !cute.shape<"(4294967296,4294967296,2)">) -> !cute.layout<"1:1"> {
  // expected-error @below {{'cute.make_layout' op 4294967296 * 4294967296 does not fit 64 bits}}
  %0 = cute.make_layout(%arg0) : (!cute.shape<"(4294967296,4294967296,2)">) -> !cute.layout<"1:1">
  return %0 : !cute.layout<"1:1">
}
