// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @kind(%arg0: !cute.shape<"(4,8)">) -> !cute.shape<"(4,8)"> {
  // expected-error @below {{'cute.get_shape' op operand #0 must be a layout, composed layout, memref or coord_tensor, found !cute.shape}}
  %0 = cute.get_shape(%arg0) : !cute.shape<"(4,8)"> -> !cute.shape<"(4,8)">
  return %0 : !cute.shape<"(4,8)">
}

// -----

func.func @underscore(%arg0: !cute.tile<"[4:1;_]">) -> !cute.shape<"(4,1)"> {
  // expected-error @below {{'cute.get_shape' op a tile with `_` has no shape}}
  %0 = cute.get_shape(%arg0) : !cute.tile<"[4:1;_]"> -> !cute.shape<"(4,1)">
  return %0 : !cute.shape<"(4,1)">
}

// -----

func.func @value(%arg0: !cute.layout<"(4,8):(1,4)">) -> !cute.shape<"(4,9)"> {
  // expected-error @below {{'cute.get_shape' op result #0: declared !cute.shape<"(4,9)"> is not a weakening of !cute.shape<"(4,8)">: the extent of mode 1 is `8`, declared `9`: the values differ}}
  %0 = cute.get_shape(%arg0) : !cute.layout<"(4,8):(1,4)"> -> !cute.shape<"(4,9)">
  return %0 : !cute.shape<"(4,9)">
}
