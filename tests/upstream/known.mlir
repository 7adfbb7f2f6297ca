// As in values.mlir, with a condition that SCCP knows: the private function is always called with the same one.
// remove-dead-values of LLVM 22 crashes on a branch that it knows not to be taken, whatever its types.

!c = !cute.coord<"?">

// known(5, 9) = 5
func.func @known(%i: i32, %j: i32) -> i32 {
  %yes = arith.constant true
  %a = cute.make_coord(%i) : (i32) -> !c
  %b = cute.make_coord(%j) : (i32) -> !c
  %at = func.call @either(%yes, %a, %b) : (i1, !c, !c) -> !c
  %r = cute.get_scalars(%at) : !c
  return %r : i32
}
func.func private @either(%yes: i1, %a: !c, %b: !c) -> !c {
  %at = scf.if %yes -> !c {
    scf.yield %a : !c
  } else {
    scf.yield %b : !c
  }
  return %at : !c
}
