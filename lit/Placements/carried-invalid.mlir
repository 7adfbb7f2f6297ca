// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @other_memory() {
  // expected-error@+1 {{the placement S[(128, 8) : (1@TLane, 1@TCol)] has the axis TCol; rmem is counted along m}}
  %f = cute.memref.alloca() {placement = #cute.placement<"S[(128,8) : (1@TLane,1@TCol)]">} : !cute.memref<f32, rmem, "(8):(1)">
  return
}

// -----

func.func @too_small() {
  // expected-error@+1 {{the placement S[(32, 8) : (1@laneid, 1@m)] reaches 8 elements along m; the view (4):(1) has 4}}
  %f = cute.memref.alloca() {placement = #cute.placement<"S[(32,8) : (1@laneid,1)]">} : !cute.memref<f32, rmem, "(4):(1)">
  return
}
