// Both sides of a branch have a barrier, but not the same one.
// launch: 1 32
// finds: divergence
// says: 16 of 32 threads wait here; thread (16, 0, 0) is at `nvvm.barrier0`

gpu.module @kernels {
  llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %bound = llvm.mlir.constant(16 : i32) : i32
    %in = llvm.icmp "ult" %t, %bound : i32
    llvm.cond_br %in, ^one, ^two
  ^one:
    nvvm.barrier0
    llvm.br ^exit
  ^two:
    nvvm.barrier0
    llvm.br ^exit
  ^exit:
    llvm.return
  }
}
