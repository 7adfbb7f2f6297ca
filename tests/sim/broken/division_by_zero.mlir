// A shape of extent 0 as divisor: the quotient has no value, which is found where it is used.
// launch: 1 1
// args: i32[1] i32=0
// finds: undefined
// says: the stored value is undefined: `llvm.sdiv` (-:10:10) divides by 0

gpu.module @kernels {
  llvm.func @kernel(%out: !llvm.ptr<1>, %n: i32) attributes {gpu.kernel, nvvm.kernel} {
    %seven = llvm.mlir.constant(7 : i32) : i32
    %q = llvm.sdiv %seven, %n : i32
    llvm.store %q, %out : i32, !llvm.ptr<1>
    llvm.return
  }
}
