// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @too_few(%arg0: i32) -> !cute.shape<"(?,?)"> {
  // expected-error @below {{'cute.make_shape' op expects 2 leaves, one for each `?` of "(?,?)" (static leaves and `_` take none), found 1 operands}}
  %0 = cute.make_shape(%arg0) : (i32) -> !cute.shape<"(?,?)">
  return %0 : !cute.shape<"(?,?)">
}

// -----

// A static leaf takes no operand.
func.func @too_many(%arg0: i32, %arg1: i32) -> !cute.shape<"(?,8)"> {
  // expected-error @below {{'cute.make_shape' op expects 1 leaves, one for each `?` of "(?,8)" (static leaves and `_` take none), found 2 operands}}
  %0 = cute.make_shape(%arg0, %arg1) : (i32, i32) -> !cute.shape<"(?,8)">
  return %0 : !cute.shape<"(?,8)">
}

// -----

func.func @too_wide(%arg0: i64) -> !cute.shape<"?"> {
  // expected-error @below {{'cute.make_shape' op leaf #0 is 64 bits wide, but its slot `?` is 32 bits wide: write `?{i64}`, or truncate first}}
  %0 = cute.make_shape(%arg0) : (i64) -> !cute.shape<"?">
  return %0 : !cute.shape<"?">
}

// -----

func.func @too_narrow(%arg0: i32) -> !cute.shape<"?{i64}"> {
  // expected-error @below {{'cute.make_shape' op leaf #0 is 32 bits wide, but its slot `?{i64}` is 64 bits wide: write `?`, or extend first}}
  %0 = cute.make_shape(%arg0) : (i32) -> !cute.shape<"?{i64}">
  return %0 : !cute.shape<"?{i64}">
}

// -----

func.func @index_is_wide(%arg0: index) -> !cute.shape<"?"> {
  // expected-error @below {{'cute.make_shape' op leaf #0 is 64 bits wide, but its slot `?` is 32 bits wide: write `?{i64}`, or truncate first}}
  %0 = cute.make_shape(%arg0) : (index) -> !cute.shape<"?">
  return %0 : !cute.shape<"?">
}

// -----

// A value fills one `?`.
func.func @nested(%arg0: !cute.shape<"(?,(?,?))">) -> !cute.shape<"(?,?,?)"> {
  // expected-error @below {{'cute.make_shape' op operand #0 `(?,(?,?))` fills one `?`: it must be one leaf}}
  %0 = cute.make_shape(%arg0) : (!cute.shape<"(?,(?,?))">) -> !cute.shape<"(?,?,?)">
  return %0 : !cute.shape<"(?,?,?)">
}

// -----

// A static integer fills a `?` of which it is a value.
func.func @static_operand(%arg0: !cute.int_tuple<"4">) -> !cute.shape<"?{div=8}"> {
  // expected-error @below {{'cute.make_shape' op leaf #0 is 4, which is not a value of its slot `?{div=8}`}}
  %0 = cute.make_shape(%arg0) : (!cute.int_tuple<"4">) -> !cute.shape<"?{div=8}">
  return %0 : !cute.shape<"?{div=8}">
}

// -----

func.func @kind(%arg0: !cute.layout<"?:1">) -> !cute.shape<"?"> {
  // expected-error @below {{'cute.make_shape' op operand #0 must be variadic of i32, i64, index or a value of rank at most 1, but got '!cute.layout<"?:1">'}}
  %0 = cute.make_shape(%arg0) : (!cute.layout<"?:1">) -> !cute.shape<"?">
  return %0 : !cute.shape<"?">
}

// -----

// i32 promises no divisor.
func.func @stronger(%arg0: i32) -> !cute.shape<"?{div=8}"> {
  // expected-error @below {{'cute.make_shape' op result #0: declared !cute.shape<"?{div=8}"> is not a weakening of !cute.shape<"?">: the extent is `?`, declared `?{div=8}`: the divisor is more than what is known}}
  %0 = cute.make_shape(%arg0) : (i32) -> !cute.shape<"?{div=8}">
  return %0 : !cute.shape<"?{div=8}">
}

// -----

func.func @wrong_result() -> !cute.layout<"8:1"> {
  // expected-error @below {{'cute.make_shape' op result #0 must be cute.shape, but got '!cute.layout<"8:1">'}}
  %0 = cute.make_shape() : () -> !cute.layout<"8:1">
  return %0 : !cute.layout<"8:1">
}

// -----

func.func @no_result_type(%arg0: i32) {
  // expected-error @below {{expected '->' and the type of the result, which the operands do not determine}}
  %0 = cute.make_shape(%arg0) : (i32)
  return
}
