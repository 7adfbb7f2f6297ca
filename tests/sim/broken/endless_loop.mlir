// A loop that steps by zero.
// launch: 1 32
// finds: budget
// says: instructions is used up

gpu.module @kernels {
  llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel} {
    llvm.br ^loop
  ^loop:
    llvm.br ^loop
  ^exit:
    llvm.return
  }
}
