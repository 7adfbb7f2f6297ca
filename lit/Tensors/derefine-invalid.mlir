// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @more(%arg0: !cute.int_tuple<"?{div=4}">) -> !cute.int_tuple<"?{div=8}"> {
  // expected-error @below {{'cute.derefine' op result #0: declared !cute.int_tuple<"?{div=8}"> is not a weakening of !cute.int_tuple<"?{div=4}">: the value is `?{div=4}`, declared `?{div=8}`: the divisor is more than what is known}}
  %0 = cute.derefine(%arg0) : !cute.int_tuple<"?{div=4}"> to !cute.int_tuple<"?{div=8}">
  return %0 : !cute.int_tuple<"?{div=8}">
}

// -----

// A static value has no run-time part.
func.func @not_a_fact(%arg0: !cute.int_tuple<"4">) -> !cute.int_tuple<"?"> {
  // expected-error @below {{'cute.derefine' op result #0: declared !cute.int_tuple<"?"> is not a weakening of !cute.int_tuple<"4">: the value is `4`, declared `?`: static leaves stay static}}
  %0 = cute.derefine(%arg0) : !cute.int_tuple<"4"> to !cute.int_tuple<"?">
  return %0 : !cute.int_tuple<"?">
}

// -----

func.func @kind(%arg0: !cute.int_tuple<"?">) -> !cute.shape<"?"> {
  // expected-error @below {{'cute.derefine' op result #0: declared !cute.shape<"?"> is not a weakening of !cute.int_tuple<"?">: !cute.shape is not !cute.int_tuple}}
  %0 = cute.derefine(%arg0) : !cute.int_tuple<"?"> to !cute.shape<"?">
  return %0 : !cute.shape<"?">
}

// -----

func.func @alignment(%arg0: !cute.ptr<f32, gmem>) -> !cute.ptr<f32, gmem, align<16>> {
  // expected-error @below {{'cute.derefine' op result #0: declared !cute.ptr<f32, gmem, align<16>> is not a weakening of !cute.ptr<f32, gmem>: the alignment is 4 bytes, declared 16}}
  %0 = cute.derefine(%arg0) : !cute.ptr<f32, gmem> to !cute.ptr<f32, gmem, align<16>>
  return %0 : !cute.ptr<f32, gmem, align<16>>
}
