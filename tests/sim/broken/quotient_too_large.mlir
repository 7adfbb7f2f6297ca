// The only signed quotient that does not fit its type.
// launch: 1 1
// args: i32=-1
// finds: division
// says: i32 division of -2147483648 by -1

gpu.module @kernels {
  llvm.func @kernel(%n: i32) attributes {gpu.kernel, nvvm.kernel} {
    %least = llvm.mlir.constant(-2147483648 : i32) : i32
    %q = llvm.sdiv %least, %n : i32
    llvm.return
  }
}
