// A block stores into the shared memory of its neighbour, which has raised a flag in global memory.
//
// Legal: whatever a block has done shows that it has begun, not only a barrier of the cluster.
//
// launch: 2 32 2
// args: i32[1]

gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<32 x i32>
  llvm.func @kernel(%flag: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %own = llvm.getelementptr %slot[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %waits = llvm.icmp "eq" %rank, %c0 : i32
    llvm.cond_br %waits, ^poll, ^raise
  ^raise:
    llvm.cond_br %first, ^store_flag, ^meet
  ^store_flag:
    llvm.store %c1, %flag atomic syncscope("device") release {alignment = 4 : i64} : i32, !llvm.ptr<1>
    llvm.br ^meet
  ^poll:
    %seen = llvm.load %flag atomic syncscope("device") acquire {alignment = 4 : i64} : !llvm.ptr<1> -> i32
    %raised = llvm.icmp "eq" %seen, %c1 : i32
    llvm.cond_br %raised, ^send, ^poll
  ^send:
    %there = nvvm.mapa %own, %c1 : !llvm.ptr<3> -> !llvm.ptr<7>
    llvm.store %t, %there : i32, !llvm.ptr<7>
    llvm.br ^meet
  ^meet:
    nvvm.barrier0
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    llvm.return
  }
}
