// Inlining a function whose body has an op that is not registered and whose region declares a symbol.
// options: --allow-unregistered-dialect --inline
// frame: mlir::Inliner::doInlining
func.func @a() {
  call @b() : () -> ()
  return
}
func.func @b() {
  "x.y"() ({
    func.func private @z()
  }) : () -> ()
  return
}
