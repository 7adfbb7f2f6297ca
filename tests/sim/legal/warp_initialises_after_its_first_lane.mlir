// An elected lane initialises a barrier, then all lanes of its warp initialise another one, and the
// lane with number 0 uses that at once: kernels of CuTe DSL 4.5 begin so.
//
// Lanes that have met again need not execute an instruction together; the initialisations of one
// instruction are one all the same.
//
// launch: 1 64
// args: i32[32]=7
// gives: 3 3

gpu.module @kernels {
  llvm.mlir.global internal @barriers() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<2 x i64>
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c3 = llvm.mlir.constant(3 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %ticks = llvm.mlir.constant(10000 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %lane = llvm.urem %t, %c32 : i32
    %is_first = llvm.icmp "eq" %t, %c0 : i32
    %first = llvm.mlir.addressof @barriers : !llvm.ptr<3>
    %second = llvm.getelementptr %first[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
    %inits = llvm.icmp "ult" %t, %c32 : i32
    llvm.cond_br %inits, ^elect, ^met
  ^elect:
    %one = nvvm.elect.sync -> i1
    llvm.cond_br %one, ^init, ^all
  ^init:
    nvvm.mbarrier.init %first, %c32 : !llvm.ptr<3>, i32
    // Work that keeps the lane behind the others.
    %a = llvm.mul %t, %c3 : i32
    %b = llvm.mul %a, %a : i32
    %c = llvm.mul %b, %a : i32
    %d = llvm.mul %c, %b : i32
    llvm.br ^all
  ^all:
    nvvm.mbarrier.init %second, %c1 : !llvm.ptr<3>, i32
    nvvm.fence.mbarrier.init
    llvm.cond_br %is_first, ^use, ^met
  ^use:
    %s = nvvm.mbarrier.arrive %second : !llvm.ptr<3> -> i64
    llvm.br ^met
  ^met:
    nvvm.barrier0
    nvvm.mbarrier.try_wait.parity %second, %c0, %ticks : !llvm.ptr<3>, i32, i32
    %p = llvm.getelementptr %out[%lane] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.cond_br %inits, ^store, ^end
  ^store:
    llvm.store %c3, %p : i32, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    llvm.return
  }
}
