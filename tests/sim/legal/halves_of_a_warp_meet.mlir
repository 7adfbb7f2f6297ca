// Each half of a warp arrives at the barrier of the cluster, and waits at a barrier of the block, at a
// place of its own.
//
// C3, C4: the forms without `.aligned` may be executed by some threads of a warp.
//
// launch: 2 32 2

gpu.module @kernels {
  llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %low = llvm.icmp "ult" %t, %c16 : i32
    llvm.cond_br %low, ^low, ^high
  ^low:
    nvvm.cluster.arrive
    nvvm.cluster.wait
    llvm.inline_asm has_side_effects "barrier.sync 1, 32;", "" : () -> ()
    llvm.br ^end
  ^high:
    nvvm.cluster.arrive
    nvvm.cluster.wait
    llvm.br ^met
  ^met:
    llvm.inline_asm has_side_effects "barrier.sync 1, 32;", "" : () -> ()
    llvm.br ^end
  ^end:
    llvm.return
  }
}
