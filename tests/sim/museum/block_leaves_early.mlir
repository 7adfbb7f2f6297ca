// A block returns while its neighbour may still read its shared memory.
//
// Reported: https://github.com/triton-lang/triton/issues/11730 (a launch fails at exit with
// "unspecified launch failure") and https://github.com/facebookexperimental/triton/pull/1105, read
// 2026-11-22. Confirmed there: with a barrier of the cluster before the return the tests pass.
//
// C2: a block may not return while another one can reach its shared memory or its barriers.
//
// launch: 2 32 2
// args: i32[32]=9
// finds: exited
// says: of block 0 of the cluster is used when all threads of that block may have returned
// gives: 0 0

gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<32 x i32>
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %own = llvm.getelementptr %slot[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %rank, %own : i32, !llvm.ptr<3>
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    %reads = llvm.icmp "eq" %rank, %c1 : i32
    llvm.cond_br %reads, ^read, ^end
  ^read:
    %there = nvvm.mapa %own, %c0 : !llvm.ptr<3> -> !llvm.ptr<7>
    %v = llvm.load %there : !llvm.ptr<7> -> i32
    %p = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %p : i32, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    nvvm.cluster.arrive {aligned} // repaired
    nvvm.cluster.wait {aligned} // repaired
    llvm.return
  }
}
