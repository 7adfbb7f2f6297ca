// A named barrier counts four warps, one of which has returned.
//
// No public report.
//
// C4: a barrier with a count waits for that many threads. PTX says that a thread waits for the threads of
// the other warps that have not returned, but not that a warp which has returned counts as if it had come.
//
// launch: 1 128
// args: i32[96]=7
// finds: returned_threads
// says: barrier 1 completes with 128 threads, but 32 of them have returned, the first of which is thread (96, 0, 0)
// gives: 95 94 93

gpu.module @kernels {
  llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<96 x i32>
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %last = llvm.mlir.constant(95 : i32) : i32
    %threads = llvm.mlir.constant(128 : i32) : i32 // broken
    %threads = llvm.mlir.constant(96 : i32) : i32 // repaired
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %in = llvm.icmp "ule" %t, %last : i32
    %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
    llvm.cond_br %in, ^left, ^end
  ^left:
    %a = llvm.getelementptr %tile[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %t, %a : i32, !llvm.ptr<3>
    nvvm.barrier id = %c1 number_of_threads = %threads
    %other = llvm.sub %last, %t : i32
    %b = llvm.getelementptr %tile[%other] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %v = llvm.load %b : !llvm.ptr<3> -> i32
    %p = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %p : i32, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    llvm.return
  }
}
