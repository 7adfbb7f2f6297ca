// A kernel argument that nobody set.
// launch: 1 1
// args: null
// finds: unmapped
// says: address 0x0 is not in an allocation

gpu.module @kernels {
  llvm.func @kernel(%a: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %v = llvm.load %a : !llvm.ptr<1> -> i32
    llvm.return
  }
}
