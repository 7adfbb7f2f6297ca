// RUN: %opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{extent 0 is not positive}}
#empty = #cute.placement<"S[0 : 1@laneid]">

// -----

func.func @outside() {
  %at = cute.static : !cute.coord<"(8,0)">
  %shape = cute.static : !cute.shape<"(8,16)">
  // expected-error@+1 {{coordinate 0 is 8}}
  %p = cute.placement.apply(%at, %shape) {placement = #cute.placement<"S[128 : 1@tx]">} : (!cute.coord<"(8,0)">, !cute.shape<"(8,16)">) -> !cute.int_tuple<"(0)">
  return
}

// -----

func.func @total() {
  %at = cute.static : !cute.coord<"(0,0)">
  %shape = cute.static : !cute.shape<"(8,8)">
  // expected-error@+1 {{128}}
  %p = cute.placement.apply(%at, %shape) {placement = #cute.placement<"S[128 : 1@tx]">} : (!cute.coord<"(0,0)">, !cute.shape<"(8,8)">) -> !cute.int_tuple<"(0)">
  return
}

// -----

func.func @copies() {
  %at = cute.static : !cute.coord<"0">
  %shape = cute.static : !cute.shape<"128">
  // expected-error@+1 {{copy}}
  %p = cute.placement.apply(%at, %shape) {placement = #cute.placement<"S[128 : 1@tx] + R[2 : 128@tx]">, copy = 2 : i64} : (!cute.coord<"0">, !cute.shape<"128">) -> !cute.int_tuple<"(0)">
  return
}
