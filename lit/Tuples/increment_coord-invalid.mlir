// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @structure(%arg0: !cute.coord<"(1,2,3)">, %arg1: !cute.shape<"(4,8)">) -> !cute.coord<"(2,2,3)"> {
  // expected-error @below {{'cute.increment_coord' op coordinate and shape: (1,2,3) and (4,8) are not congruent}}
  %0 = cute.increment_coord(%arg0, %arg1) : (!cute.coord<"(1,2,3)">, !cute.shape<"(4,8)">) -> !cute.coord<"(2,2,3)">
  return %0 : !cute.coord<"(2,2,3)">
}

// -----

func.func @open(%arg0: !cute.coord<"(1,_)">, %arg1: !cute.shape<"(4,8)">) -> !cute.coord<"(2,_)"> {
  // expected-error @below {{'cute.increment_coord' op the coordinate (1,_) has a `_`, but no coordinate comes after it}}
  %0 = cute.increment_coord(%arg0, %arg1) : (!cute.coord<"(1,_)">, !cute.shape<"(4,8)">) -> !cute.coord<"(2,_)">
  return %0 : !cute.coord<"(2,_)">
}

// -----

func.func @profile(%arg0: !cute.coord<"(1,2)">, %arg1: !cute.shape<"(4,8)">) -> !cute.coord<"10"> {
  // expected-error @below {{'cute.increment_coord' op result #0: declared !cute.coord<"10"> is not a weakening of !cute.coord<"(2,2)">: 10 and (2,2) are not congruent}}
  %0 = cute.increment_coord(%arg0, %arg1) : (!cute.coord<"(1,2)">, !cute.shape<"(4,8)">) -> !cute.coord<"10">
  return %0 : !cute.coord<"10">
}

// -----

func.func @value(%arg0: !cute.coord<"(1,2)">, %arg1: !cute.shape<"(4,8)">) -> !cute.coord<"(1,3)"> {
  // expected-error @below {{'cute.increment_coord' op result #0: declared !cute.coord<"(1,3)"> is not a weakening of !cute.coord<"(2,2)">: mode 0 is `2`, declared `1`: the values differ}}
  %0 = cute.increment_coord(%arg0, %arg1) : (!cute.coord<"(1,2)">, !cute.shape<"(4,8)">) -> !cute.coord<"(1,3)">
  return %0 : !cute.coord<"(1,3)">
}
