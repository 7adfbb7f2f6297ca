// Every block stores its number to the same place.
// launch: 4 32
// args: i32[1]
// finds: race
// says: of buffer 0

gpu.module @kernels {
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %first = llvm.icmp "eq" %t, %zero : i32
    llvm.cond_br %first, ^store, ^exit
  ^store:
    llvm.store %b, %out : i32, !llvm.ptr<1>
    llvm.br ^exit
  ^exit:
    llvm.return
  }
}
