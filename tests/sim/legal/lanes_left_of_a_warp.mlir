// Lanes return, and the others of their warp shuffle, vote, match and reduce with the mask of all lanes.
//
// These instructions wait for "all non-exited threads corresponding to membermask" (PTX ISA, "shfl.sync",
// "vote.sync", "match.sync", "redux.sync").
//
// launch: 1 32
// args: i32[32]=7
// gives: 512 512 512 512 512 512 512 512 512 512

gpu.module @kernels {
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c10 = llvm.mlir.constant(10 : i32) : i32
    %c31 = llvm.mlir.constant(31 : i32) : i32
    %all = llvm.mlir.constant(-1 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %in = llvm.icmp "ult" %t, %c10 : i32
    llvm.cond_br %in, ^left, ^exit
  ^left:
    %other = nvvm.shfl.sync bfly %all, %t, %c1, %c31 : i32 -> i32
    %odd = llvm.trunc %other : i32 to i1
    %odds = nvvm.vote.sync ballot %all, %odd -> i32
    %alike = nvvm.match.sync any %all, %odds : i32 -> i32
    %sum = nvvm.redux.sync add %alike, %all : i32 -> i32
    %third = llvm.udiv %sum, %c10 : i32
    // The ballot is that of the even lanes, 0x155, and all ten lanes match: 0x3ff.
    %both = llvm.xor %third, %odds : i32
    %c682 = llvm.mlir.constant(682 : i32) : i32
    %rest = llvm.xor %both, %c682 : i32
    %c512 = llvm.mlir.constant(512 : i32) : i32
    %v = llvm.add %rest, %c512 : i32
    %p = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %p : i32, !llvm.ptr<1>
    llvm.br ^exit
  ^exit:
    llvm.return
  }
}
