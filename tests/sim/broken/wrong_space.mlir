// A global address used as a shared one.
// launch: 1 1
// args: i32[4]=1
// finds: wrong_space
// says: is not in address space 3

gpu.module @kernels {
  llvm.func @kernel(%a: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %g = llvm.addrspacecast %a : !llvm.ptr<1> to !llvm.ptr
    %s = llvm.addrspacecast %g : !llvm.ptr to !llvm.ptr<3>
    %v = llvm.load %s : !llvm.ptr<3> -> i32
    llvm.return
  }
}
