// One lane of each warp arrives at the barrier of the cluster, with the aligned form.
//
// No public report.
//
// C3: all threads of a warp execute an instruction with `.aligned` together.
//
// launch: 2 64 2
// finds: divergence
// says: all threads of the warp must execute the `.aligned` form of this instruction together

gpu.module @kernels {
  llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %lane = llvm.urem %t, %c32 : i32
    %is_0 = llvm.icmp "eq" %lane, %c0 : i32
    llvm.cond_br %is_0, ^arrive, ^wait // broken
    llvm.br ^arrive // repaired
  ^arrive:
    nvvm.cluster.arrive {aligned}
    llvm.br ^wait
  ^wait:
    nvvm.cluster.wait {aligned}
    llvm.return
  }
}
