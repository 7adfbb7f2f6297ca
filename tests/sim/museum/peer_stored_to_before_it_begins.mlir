// A block stores into the shared memory of its neighbour at once: the neighbour may not have begun.
//
// Reported: https://github.com/facebookexperimental/triton/pull/2292, read 2026-11-28. Confirmed
// there: a barrier of the cluster before the first store to another block is what was missing.
//
// C1: a block uses shared memory of another one only after it knows that this one has begun.
//
// launch: 2 32 2
// args: i32[64]=9
// finds: not_begun
// says: of the cluster is used when that block may not have begun

gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<32 x i32>
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %own = llvm.getelementptr %slot[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %peer = llvm.xor %rank, %c1 : i32
    %there = nvvm.mapa %own, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
    nvvm.cluster.arrive {aligned} // repaired
    nvvm.cluster.wait {aligned} // repaired
    llvm.store %t, %there : i32, !llvm.ptr<7>
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    %v = llvm.load %own : !llvm.ptr<3> -> i32
    %base = llvm.mul %b, %c32 : i32
    %i = llvm.add %base, %t : i32
    %p = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}
