// Two warps write a tile and arrive at a named barrier. The second one then waits there, too, before
// it reads the tile: it counts twice, 96 = 64 + 32 (FlashAttention, hopper/epilogue_fwd.hpp).
//
// C4: a thread may wait in the use in which it has arrived. PTX ISA, "bar, barrier": "Care must be
// taken to keep a warp from executing more barrier{.cta} instructions than intended
// (barrier{.cta}.arrive followed by any other barrier{.cta} instruction to the same barrier) prior to
// the reset of the barrier". Here it is intended, because the count includes both.
//
// launch: 1 64
// args: i32[32]=7
// gives: 31 30 29

gpu.module @kernels {
  llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<64 x i32>
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c31 = llvm.mlir.constant(31 : i32) : i32
    %c63 = llvm.mlir.constant(63 : i32) : i32
    %threads = llvm.mlir.constant(96 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
    %a = llvm.getelementptr %tile[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %t, %a : i32, !llvm.ptr<3>
    nvvm.barrier.arrive id = %c1 number_of_threads = %threads
    %reads = llvm.icmp "ugt" %t, %c31 : i32
    llvm.cond_br %reads, ^read, ^end
  ^read:
    nvvm.barrier id = %c1 number_of_threads = %threads
    %other = llvm.sub %c63, %t : i32
    %b = llvm.getelementptr %tile[%other] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %v = llvm.load %b : !llvm.ptr<3> -> i32
    %lane = llvm.and %t, %c31 : i32
    %p = llvm.getelementptr %out[%lane] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %p : i32, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    llvm.return
  }
}
