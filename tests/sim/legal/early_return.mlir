// Threads behind the end return before the barrier, some of a warp and the whole last one.
//
// A barrier without a count waits for the threads that have not returned (PTX ISA, "barrier").
//
// launch: 1 96
// args: i32[96]=7
// gives: 39 38 37

gpu.module @kernels {
  llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<40 x i32>
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %last = llvm.mlir.constant(39 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %in = llvm.icmp "ule" %t, %last : i32
    %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
    llvm.cond_br %in, ^wait, ^exit
  ^wait:
    %a = llvm.getelementptr %tile[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %t, %a : i32, !llvm.ptr<3>
    nvvm.barrier0
    %other = llvm.sub %last, %t : i32
    %b = llvm.getelementptr %tile[%other] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %v = llvm.load %b : !llvm.ptr<3> -> i32
    nvvm.barrier0
    %p = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %p : i32, !llvm.ptr<1>
    llvm.br ^exit
  ^exit:
    llvm.return
  }
}
