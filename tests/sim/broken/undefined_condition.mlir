// A branch on an undefined flag.
// launch: 1 1
// finds: undefined
// says: the condition of the branch is undefined

gpu.module @kernels {
  llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel} {
    %u = llvm.mlir.poison : i1
    llvm.cond_br %u, ^a, ^b
  ^a:
    llvm.br ^b
  ^b:
    llvm.return
  }
}
