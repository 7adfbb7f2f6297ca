// RUN: %opt %s -split-input-file -verify-diagnostics

// expected-note @below {{prior use here}}
func.func @other_shape(%shape: !cute.shape<"(4,8)">) {
  // expected-error @below {{use of value '%shape' expects different type than prior uses: '!cute.shape<"(4,?)">' vs '!cute.shape<"(4,8)">'}}
  %0 = cute.make_layout(%shape) : !cute.layout<"(4,?):(1,4)">
  return
}

// -----

// expected-note @below {{prior use here}}
func.func @no_layout(%shape: !cute.shape<"(4,8)">) {
  // expected-error @below {{use of value '%shape' expects different type than prior uses: 'none' vs '!cute.shape<"(4,8)">'}}
  %0 = cute.make_identity_layout(%shape) : !cute.int_tuple<"(4,8)">
  return
}

// -----

func.func @print(%arg0: !cute.shape<"(4,8)">) {
  // expected-error @below {{'cute.print' op the format has 0 `{}` for 1 values}}
  cute.print("hello", %arg0) : !cute.shape<"(4,8)">
  return
}
