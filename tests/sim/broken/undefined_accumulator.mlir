// A sum that starts from nothing.
// launch: 1 1
// args: f32[1]=2
// finds: undefined
// says: the stored value is undefined

gpu.module @kernels {
  llvm.func @kernel(%a: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %u = llvm.mlir.undef : f32
    %x = llvm.load %a : !llvm.ptr<1> -> f32
    %s = llvm.fadd %u, %x : f32
    llvm.store %s, %a : f32, !llvm.ptr<1>
    llvm.return
  }
}
