// Threads behind the end return before the barrier.
// launch: 1 64
// finds: divergence
// says: 40 of 64 threads wait here; thread (40, 0, 0) has returned

gpu.module @kernels {
  llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %bound = llvm.mlir.constant(40 : i32) : i32
    %in = llvm.icmp "ult" %t, %bound : i32
    llvm.cond_br %in, ^wait, ^exit
  ^wait:
    nvvm.barrier0
    llvm.br ^exit
  ^exit:
    llvm.return
  }
}
