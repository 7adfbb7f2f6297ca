// Lanes return, and the others meet at a barrier of the warp whose mask names all lanes.
//
// No public report.
//
// L2: `bar.warp.sync` waits for all lanes of its mask; PTX does not except those that have returned, as it
// does for `shfl.sync` and the like. CUDA C++ does ("all non-exited threads named in mask"), and nvcc
// compiles `__syncwarp()` to it.
//
// launch: 1 32
// args: i32[32]=7
// grade: portability
// finds: returned_lanes
// says: names lanes that have returned, 0xffff0000, the first of which is thread (16, 0, 0)
// gives: 1 0 3 2

gpu.module @kernels {
  llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<32 x i32>
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %mask = llvm.mlir.constant(-1 : i32) : i32 // broken
    %mask = llvm.mlir.constant(0xffff : i32) : i32 // repaired
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %in = llvm.icmp "ult" %t, %c16 : i32
    %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
    llvm.cond_br %in, ^left, ^end
  ^left:
    %a = llvm.getelementptr %tile[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %t, %a : i32, !llvm.ptr<3>
    nvvm.bar.warp.sync %mask : i32
    %other = llvm.xor %t, %c1 : i32
    %b = llvm.getelementptr %tile[%other] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %v = llvm.load %b : !llvm.ptr<3> -> i32
    %p = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %p : i32, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    llvm.return
  }
}
