// RUN: %opt %s -split-input-file -verify-diagnostics

// Static sizes, strides and values have 64 bits; what does not fit is named.

func.func @logical_product(%a: !cute.layout<"4294967296:1">, %b: !cute.layout<"4294967296:4294967296">) {
  // expected-error @below {{'cute.logical_product' op 4294967295 * 4294967296 does not fit 64 bits}}
  %0 = cute.logical_product(%a, %b) : (!cute.layout<"4294967296:1">, !cute.layout<"4294967296:4294967296">) -> !cute.layout<"3:1">
  return
}

// -----

func.func @complement(%a: !cute.layout<"4:4611686018427387904">, %b: !cute.shape<"24">) {
  // expected-error @below {{'cute.complement' op 4611686018427387904 * 4 does not fit 64 bits}}
  %0 = cute.complement(%a, %b) : (!cute.layout<"4:4611686018427387904">, !cute.shape<"24">) -> !cute.layout<"3:1">
  return
}

// -----

func.func @crd2idx(%a: !cute.coord<"4611686018427387904">, %b: !cute.layout<"4611686018427387905:4611686018427387904">) {
  // expected-error @below {{'cute.crd2idx' op 4611686018427387904 * 4611686018427387904 does not fit 64 bits}}
  %0 = cute.crd2idx(%a, %b) : (!cute.coord<"4611686018427387904">, !cute.layout<"4611686018427387905:4611686018427387904">) -> !cute.int_tuple<"1">
  return
}

// -----

func.func @cosize(%a: !cute.layout<"4:4611686018427387904">) {
  // expected-error @below {{'cute.cosize' op 3 * 4611686018427387904 does not fit 64 bits}}
  %0 = cute.cosize(%a) : (!cute.layout<"4:4611686018427387904">) -> !cute.int_tuple<"1">
  return
}

// -----

func.func @tuple_add(%a: !cute.int_tuple<"9223372036854775807">) {
  // expected-error @below {{'cute.tuple_add' op 9223372036854775807 + 9223372036854775807 does not fit 64 bits}}
  %0 = cute.tuple_add(%a, %a) : (!cute.int_tuple<"9223372036854775807">, !cute.int_tuple<"9223372036854775807">) -> !cute.int_tuple<"1">
  return
}

// -----

func.func @tuple_mul(%a: !cute.int_tuple<"9223372036854775807">) {
  // expected-error @below {{'cute.tuple_mul' op 9223372036854775807 * 9223372036854775807 does not fit 64 bits}}
  %0 = cute.tuple_mul(%a, %a) : (!cute.int_tuple<"9223372036854775807">, !cute.int_tuple<"9223372036854775807">) -> !cute.int_tuple<"1">
  return
}

// -----

func.func @composition(%a: !cute.layout<"4:4611686018427387904">, %b: !cute.layout<"2:3">) {
  // expected-error @below {{'cute.composition' op 4611686018427387904 * 3 does not fit 64 bits}}
  %0 = cute.composition(%a, %b) : (!cute.layout<"4:4611686018427387904">, !cute.layout<"2:3">) -> !cute.layout<"1:1">
  return
}

// -----

func.func @logical_divide(%a: !cute.layout<"(4294967296,4294967296):(1,4294967296)">, %b: !cute.shape<"2">) {
  // expected-error @below {{'cute.logical_divide' op 4294967296 * 4294967296 does not fit 64 bits}}
  %0 = cute.logical_divide(%a, %b) : (!cute.layout<"(4294967296,4294967296):(1,4294967296)">, !cute.shape<"2">) -> !cute.layout<"1:1">
  return
}

// -----

func.func @tile_to_shape(%a: !cute.layout<"4294967296:1">, %b: !cute.shape<"(4294967296,8589934592)">) {
  // expected-error @below {{'cute.tile_to_shape' op 4294967296 * 8589934592 does not fit 64 bits}}
  %0 = cute.tile_to_shape(%a, %b) : (!cute.layout<"4294967296:1">, !cute.shape<"(4294967296,8589934592)">) -> !cute.layout<"1:1">
  return
}

// -----

func.func @make_ordered_layout(%a: !cute.shape<"(4294967296,4294967296)">, %b: !cute.int_tuple<"(1,0)">) {
  // expected-error @below {{'cute.make_ordered_layout' op 4294967296 * 4294967296 does not fit 64 bits}}
  %0 = cute.make_ordered_layout(%a, %b) : (!cute.shape<"(4294967296,4294967296)">, !cute.int_tuple<"(1,0)">) -> !cute.layout<"1:1">
  return
}

// -----

func.func @stencil_divide(%a: !cute.layout<"8:1152921504606846976">, %b: !cute.coord<"1">, %c: !cute.int_tuple<"2">, %d: !cute.int_tuple<"16">) {
  // expected-error @below {{'cute.stencil_divide' op 1152921504606846976 * 16 does not fit 64 bits}}
  %0 = cute.stencil_divide(%a, %b, %c, %d) : (!cute.layout<"8:1152921504606846976">, !cute.coord<"1">, !cute.int_tuple<"2">, !cute.int_tuple<"16">) -> !cute.layout<"1:1">
  return
}

// -----

func.func @tuple_product(%a: !cute.shape<"(4294967296,4294967296)">) {
  // expected-error @below {{'cute.tuple_product' op 4294967296 * 4294967296 does not fit 64 bits}}
  %0 = cute.tuple_product(%a) : (!cute.shape<"(4294967296,4294967296)">) -> !cute.shape<"1">
  return
}

// -----

func.func @tuple_div(%a: !cute.int_tuple<"-9223372036854775808">, %b: !cute.int_tuple<"-1">) {
  // expected-error @below {{'cute.tuple_div' op -9223372036854775808 / -1 does not fit 64 bits}}
  %0 = cute.tuple_div(%a, %b) : (!cute.int_tuple<"-9223372036854775808">, !cute.int_tuple<"-1">) -> !cute.int_tuple<"1">
  return
}

// -----

func.func @layout_eval(%a: !cute.layout<"(2,2):(9223372036854775807,9223372036854775807)">, %c: !cute.coord<"3">) {
  // expected-error @below {{'cute.layout_eval' op 9223372036854775807 + 9223372036854775807 does not fit 64 bits}}
  %0 = cute.layout_eval(%c, %a) : (!cute.coord<"3">, !cute.layout<"(2,2):(9223372036854775807,9223372036854775807)">) -> !cute.int_tuple<"1">
  return
}

// -----

func.func @coalesce(%a: !cute.layout<"(4294967296,4294967296):(0,0)">) {
  // expected-error @below {{'cute.coalesce' op 4294967296 * 4294967296 does not fit 64 bits}}
  %0 = cute.coalesce(%a) : (!cute.layout<"(4294967296,4294967296):(0,0)">) -> !cute.layout<"4:1">
  return
}

// -----

func.func @right_inverse(%a: !cute.layout<"(4294967296,4294967296):(1,4294967296)">) {
  // expected-error @below {{'cute.right_inverse' op 4294967296 * 4294967296 does not fit 64 bits}}
  %0 = cute.right_inverse(%a) : (!cute.layout<"(4294967296,4294967296):(1,4294967296)">) -> !cute.layout<"4:1">
  return
}
