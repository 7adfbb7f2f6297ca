// Two halves of a warp wait for different phases, and read what both have loaded behind a barrier of the warp.
//
// Legal: only the thread that waits learns of a phase, and `bar.warp.sync` passes that on to the
// other lanes.
//
// launch: 1 64
// args: i32[32]
// gives: 7 7

gpu.module @kernels {
  llvm.mlir.global internal @barriers() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<2 x i64>
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<64 x i32>
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c3 = llvm.mlir.constant(3 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %ticks = llvm.mlir.constant(10000 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %barriers = llvm.mlir.addressof @barriers : !llvm.ptr<3>
    %second = llvm.getelementptr %barriers[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    nvvm.mbarrier.init %barriers, %c32, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.mbarrier.init %second, %c32, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.barrier0
    %lane = llvm.urem %t, %c32 : i32
    %low = llvm.icmp "ult" %lane, %c16 : i32
    %all = llvm.mlir.constant(-1 : i32) : i32
    %a = llvm.getelementptr %slot[%lane] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %at = llvm.add %lane, %c32 : i32
    %b = llvm.getelementptr %slot[%at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %writes = llvm.icmp "ult" %t, %c32 : i32
    llvm.cond_br %writes, ^write, ^read
  ^write:
    llvm.store %c3, %a : i32, !llvm.ptr<3>
    %s0 = nvvm.mbarrier.arrive %barriers : !llvm.ptr<3> -> i64
    llvm.store %c4, %b : i32, !llvm.ptr<3>
    %s1 = nvvm.mbarrier.arrive %second : !llvm.ptr<3> -> i64
    llvm.br ^end
  ^read:
    llvm.cond_br %low, ^one, ^other
  ^one:
    nvvm.mbarrier.try_wait.parity %barriers, %c0, %ticks : !llvm.ptr<3>, i32, i32
    llvm.br ^both
  ^other:
    nvvm.mbarrier.try_wait.parity %second, %c0, %ticks : !llvm.ptr<3>, i32, i32
    llvm.br ^both
  ^both:
    nvvm.bar.warp.sync %all : i32
    %v = llvm.load %a : !llvm.ptr<3> -> i32
    %w = llvm.load %b : !llvm.ptr<3> -> i32
    %sum = llvm.add %v, %w : i32
    %p = llvm.getelementptr %out[%lane] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %sum, %p : i32, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    llvm.return
  }
}
