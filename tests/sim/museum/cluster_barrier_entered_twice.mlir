// A thread arrives at the barrier of its cluster twice before it waits.
//
// No public report; an arrival is hoisted, and its old place forgotten.
//
// C3: between two arrivals at the barrier of the cluster there is a wait.
//
// launch: 2 32 2
// finds: cluster_barrier
// says: has already arrived at the barrier of the cluster

gpu.module @kernels {
  llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    nvvm.cluster.arrive.relaxed {aligned}
    nvvm.cluster.arrive {aligned} // broken
    nvvm.cluster.wait {aligned}
    llvm.return
  }
}
