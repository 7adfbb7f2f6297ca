// RUN: %opt %s -split-input-file -verify-diagnostics

!f = !cute.memref<f32, rmem, "(8):(1)">
func.func @carries_none(%c: !f, %a: !f) {
  // expected-error@+1 {{the source carries no placement: give the op that makes it the attribute placement, or this one from}}
  cute.placement.convert(%c, %a) : (!f, !f) -> ()
  return
}

// -----

!f = !cute.memref<f32, rmem, "(8):(1)">
!h = !cute.memref<f32, rmem, "(4):(1)">
func.func @totals_differ(%c: !f, %a: !h) {
  // expected-error@+1 {{has 256 elements}}
  cute.placement.convert(%c, %a) {from = #cute.placement<"S[(32,8) : (1@laneid,1)]">, to = #cute.placement<"S[(32,4) : (1@laneid,1)]">} : (!f, !h) -> ()
  return
}

// -----

!f = !cute.memref<f32, rmem, "(8):(1)">
!h = !cute.memref<f16, rmem, "(8):(1)">
func.func @types_differ(%c: !f, %a: !h) {
  // expected-error@+1 {{the source holds f32, but the destination holds f16}}
  cute.placement.convert(%c, %a) {from = #cute.placement<"S[(32,8) : (1@laneid,1)]">, to = #cute.placement<"S[(32,8) : (1@laneid,1)]">} : (!f, !h) -> ()
  return
}

// -----

!s = !cute.memref<f32, smem, "(256):(1)">
!f = !cute.memref<f32, rmem, "(8):(1)">
func.func @not_registers(%c: !s, %a: !f) {
  // expected-error@+1 {{the source lies in smem; use cute.copy to convert placements of registers}}
  cute.placement.convert(%c, %a) : (!s, !f) -> ()
  return
}

// -----

// Elements that the placement does not have would go nowhere.
!f = !cute.memref<f32, rmem, "(2147483648):(1)">
func.func @view_larger(%c: !f, %a: !f) {
  // expected-error@+1 {{the placement S[(128, 8) : (1@tx, 1@m)] of the source has 8 elements per thread, but the view (2147483648):(1) reaches 2147483648}}
  cute.placement.convert(%c, %a) {from = #cute.placement<"S[(128,8) : (1@tx,1@m)]">, to = #cute.placement<"S[(8,32,4) : (1@m,1@laneid,1@warpid)]">} : (!f, !f) -> ()
  return
}
