// A consumer counts the phases of a ring anew for each tile, and three k-blocks do not fill two stages evenly.
//
// No public report; a usual mistake when a kernel becomes persistent.
//
// M7: the parity that a wait asks for follows the number of times that the stage has been used,
// over all tiles. Counted for each tile alone it passes at once where it should wait.
//
// launch: 1 64
// args: i32[32]
// finds: race or deadlock
// says: shared memory @
// gives: 15 15

gpu.module @kernels {
  llvm.mlir.global internal @barriers() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<4 x i64>
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<64 x i32>
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c3 = llvm.mlir.constant(3 : i32) : i32
    %c6 = llvm.mlir.constant(6 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %ticks = llvm.mlir.constant(10000 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %barriers = llvm.mlir.addressof @barriers : !llvm.ptr<3>
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %f1 = llvm.getelementptr %barriers[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
    %e0 = llvm.getelementptr %barriers[2] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
    %e1 = llvm.getelementptr %barriers[3] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
    nvvm.mbarrier.init %barriers, %c32, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.mbarrier.init %f1, %c32, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.mbarrier.init %e0, %c32, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.mbarrier.init %e1, %c32, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.barrier0
    %lane = llvm.urem %t, %c32 : i32
    %produces = llvm.icmp "ult" %t, %c32 : i32
    llvm.cond_br %produces, ^produce(%c0 : i32), ^consume(%c0, %c0, %c0 : i32, i32, i32)
  ^produce(%i: i32):
    %stage = llvm.and %i, %c1 : i32
    %round = llvm.lshr %i, %c1 : i32
    %odd = llvm.and %round, %c1 : i32
    %free = llvm.xor %odd, %c1 : i32
    %ei = llvm.add %stage, %c2 : i32
    %e = llvm.getelementptr %barriers[%ei] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
    %f = llvm.getelementptr %barriers[%stage] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
    %base = llvm.mul %stage, %c32 : i32
    %at = llvm.add %base, %lane : i32
    %a = llvm.getelementptr %slot[%at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    nvvm.mbarrier.try_wait.parity %e, %free, %ticks : !llvm.ptr<3>, i32, i32
    llvm.store %i, %a : i32, !llvm.ptr<3>
    %s = nvvm.mbarrier.arrive %f : !llvm.ptr<3> -> i64
    %i1 = llvm.add %i, %c1 : i32
    %again = llvm.icmp "ult" %i1, %c6 : i32
    llvm.cond_br %again, ^produce(%i1 : i32), ^end
  ^consume(%n: i32, %k: i32, %sum: i32):
    %used = llvm.lshr %k, %c1 : i32 // broken
    %used = llvm.lshr %n, %c1 : i32 // repaired
    %which = llvm.and %n, %c1 : i32
    %phase = llvm.and %used, %c1 : i32
    %wi = llvm.add %which, %c2 : i32
    %we = llvm.getelementptr %barriers[%wi] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
    %wf = llvm.getelementptr %barriers[%which] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
    %wbase = llvm.mul %which, %c32 : i32
    %wat = llvm.add %wbase, %lane : i32
    %w = llvm.getelementptr %slot[%wat] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    nvvm.mbarrier.try_wait.parity %wf, %phase, %ticks : !llvm.ptr<3>, i32, i32
    %v = llvm.load %w : !llvm.ptr<3> -> i32
    %r = nvvm.mbarrier.arrive %we : !llvm.ptr<3> -> i64
    %sum1 = llvm.add %sum, %v : i32
    %n1 = llvm.add %n, %c1 : i32
    %k1 = llvm.add %k, %c1 : i32
    %k2 = llvm.urem %k1, %c3 : i32
    %more = llvm.icmp "ult" %n1, %c6 : i32
    llvm.cond_br %more, ^consume(%n1, %k2, %sum1 : i32, i32, i32), ^store
  ^store:
    %p = llvm.getelementptr %out[%lane] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %sum1, %p : i32, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    llvm.return
  }
}
