// A third warp tests whether a phase of a ring is complete, does something else if it is not, and asks no more later.
//
// Legal: nothing orders its test before the end of the next phase (M8), but it does without an answer.
//
// launch: 1 96
// args: i32[32]
// gives: 6 6 6

gpu.module @kernels {
  llvm.mlir.global internal @full() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1 x i64>
  llvm.mlir.global internal @empty() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1 x i64>
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 4 : i64} : !llvm.array<1 x i32>
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %all = llvm.mlir.constant(-1 : i32) : i32
    %ticks = llvm.mlir.constant(10000 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %lane = llvm.urem %t, %c32 : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %leads = llvm.icmp "eq" %lane, %c0 : i32
    %full = llvm.mlir.addressof @full : !llvm.ptr<3>
    %empty = llvm.mlir.addressof @empty : !llvm.ptr<3>
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    nvvm.mbarrier.init %full, %c1, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.mbarrier.init %empty, %c1, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.barrier0
    %produces = llvm.icmp "ult" %t, %c32 : i32
    %consumes = llvm.icmp "ult" %t, %c64 : i32
    llvm.cond_br %produces, ^producer, ^other_roles
  ^other_roles:
    llvm.cond_br %consumes, ^consume(%c0, %c0 : i32, i32), ^observe(%c0, %c0 : i32, i32)
  ^producer:
    %elected = nvvm.elect.sync -> i1
    llvm.br ^produce(%c0 : i32)
  ^produce(%i: i32):
    %even = llvm.and %i, %c1 : i32
    %free = llvm.xor %even, %c1 : i32
    nvvm.mbarrier.try_wait.parity %empty, %free, %ticks : !llvm.ptr<3>, i32, i32
    nvvm.bar.warp.sync %all : i32
    llvm.cond_br %elected, ^fill, ^filled
  ^fill:
    llvm.store %i, %slot : i32, !llvm.ptr<3>
    %s = nvvm.mbarrier.arrive %full : !llvm.ptr<3> -> i64
    llvm.br ^filled
  ^filled:
    %i1 = llvm.add %i, %c1 : i32
    %again = llvm.icmp "ult" %i1, %c4 : i32
    llvm.cond_br %again, ^produce(%i1 : i32), ^end
  ^consume(%k: i32, %sum: i32):
    %q = llvm.and %k, %c1 : i32
    nvvm.mbarrier.try_wait.parity %full, %q, %ticks : !llvm.ptr<3>, i32, i32
    %v = llvm.load %slot : !llvm.ptr<3> -> i32
    %sum1 = llvm.add %sum, %v : i32
    nvvm.bar.warp.sync %all : i32
    llvm.cond_br %leads, ^release, ^consumed
  ^release:
    %e = nvvm.mbarrier.arrive %empty : !llvm.ptr<3> -> i64
    llvm.br ^consumed
  ^consumed:
    %k1 = llvm.add %k, %c1 : i32
    %more = llvm.icmp "ult" %k1, %c4 : i32
    llvm.cond_br %more, ^consume(%k1, %sum1 : i32, i32), ^store
  ^store:
    %p = llvm.getelementptr %out[%lane] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %sum1, %p : i32, !llvm.ptr<1>
    llvm.br ^end
  ^observe(%n: i32, %seen: i32):
    %r = llvm.and %n, %c1 : i32
    %is_over = nvvm.mbarrier.test.wait %full, %r : !llvm.ptr<3>, i32 -> i1
    llvm.cond_br %is_over, ^over, ^not_over
  ^over:
    %seen1 = llvm.add %seen, %c1 : i32
    llvm.br ^observed(%seen1 : i32)
  ^not_over:
    llvm.br ^observed(%seen : i32)
  ^observed(%seen2: i32):
    %n1 = llvm.add %n, %c1 : i32
    %on = llvm.icmp "ult" %n1, %c4 : i32
    llvm.cond_br %on, ^observe(%n1, %seen2 : i32, i32), ^end
  ^end:
    llvm.return
  }
}
