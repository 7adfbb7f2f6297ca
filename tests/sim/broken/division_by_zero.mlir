// A shape of extent 0 as divisor.
// launch: 1 1
// args: i32=0
// finds: division
// says: i32 division of 7 by 0

gpu.module @kernels {
  llvm.func @kernel(%n: i32) attributes {gpu.kernel, nvvm.kernel} {
    %seven = llvm.mlir.constant(7 : i32) : i32
    %q = llvm.sdiv %seven, %n : i32
    llvm.return
  }
}
