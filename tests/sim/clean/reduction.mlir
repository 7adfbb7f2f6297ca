// Shuffles within warps, shared memory between them.
// launch: 1 64
// args: i32[64]=3 i32[1]
// gives: 192

gpu.module @kernels {
  llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<64 x i32>
  llvm.func @kernel(%a: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %m = llvm.mlir.constant(-1 : i32) : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %last = llvm.mlir.constant(31 : i32) : i32
    %five = llvm.mlir.constant(5 : i32) : i32
    %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
    %src = llvm.getelementptr %a[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %v0 = llvm.load %src : !llvm.ptr<1> -> i32
    %s0 = llvm.mlir.constant(16 : i32) : i32
    %x0 = nvvm.shfl.sync bfly %m, %v0, %s0, %last : i32 -> i32
    %v1 = llvm.add %v0, %x0 : i32
    %s1 = llvm.mlir.constant(8 : i32) : i32
    %x1 = nvvm.shfl.sync bfly %m, %v1, %s1, %last : i32 -> i32
    %v2 = llvm.add %v1, %x1 : i32
    %s2 = llvm.mlir.constant(4 : i32) : i32
    %x2 = nvvm.shfl.sync bfly %m, %v2, %s2, %last : i32 -> i32
    %v3 = llvm.add %v2, %x2 : i32
    %s3 = llvm.mlir.constant(2 : i32) : i32
    %x3 = nvvm.shfl.sync bfly %m, %v3, %s3, %last : i32 -> i32
    %v4 = llvm.add %v3, %x3 : i32
    %s4 = llvm.mlir.constant(1 : i32) : i32
    %x4 = nvvm.shfl.sync bfly %m, %v4, %s4, %last : i32 -> i32
    %v5 = llvm.add %v4, %x4 : i32
    %lane = llvm.and %t, %last : i32
    %warp = llvm.lshr %t, %five : i32
    %leader = llvm.icmp "eq" %lane, %zero : i32
    llvm.cond_br %leader, ^put, ^met
  ^put:
    %slot = llvm.getelementptr %tile[%warp] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %v5, %slot : i32, !llvm.ptr<3>
    llvm.br ^met
  ^met:
    nvvm.barrier0
    %first = llvm.icmp "eq" %t, %zero : i32
    llvm.cond_br %first, ^add, ^exit
  ^add:
    %y0 = llvm.load %tile : !llvm.ptr<3> -> i32
    %t1 = llvm.getelementptr %tile[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
    %y1 = llvm.load %t1 : !llvm.ptr<3> -> i32
    %sum = llvm.add %y0, %y1 : i32
    llvm.store %sum, %out : i32, !llvm.ptr<1>
    llvm.br ^exit
  ^exit:
    llvm.return
  }
}
