// Two warps take turns with two named barriers that each of them uses again and again, and pass the
// first barrier on to another pair of warps.
//
// C4: an arrival follows the use before, because its warp has waited at the other barrier since.
//
// launch: 1 128

gpu.module @kernels {
  llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %warp = llvm.udiv %t, %c32 : i32
    %c3 = llvm.mlir.constant(3 : i32) : i32
    %pair = llvm.udiv %t, %c64 : i32
    %is_pair = llvm.icmp "eq" %pair, %c0 : i32
    %one = llvm.icmp "eq" %warp, %c0 : i32
    llvm.cond_br %is_pair, ^role, ^late
  ^role:
    llvm.cond_br %one, ^one(%c0 : i32), ^two(%c0 : i32)
  ^one(%i: i32):
    nvvm.barrier.arrive id = %c1 number_of_threads = %c64
    nvvm.barrier id = %c2 number_of_threads = %c64
    %i1 = llvm.add %i, %c1 : i32
    %more = llvm.icmp "ult" %i1, %c3 : i32
    llvm.cond_br %more, ^one(%i1 : i32), ^meet
  ^two(%k: i32):
    nvvm.barrier id = %c1 number_of_threads = %c64
    nvvm.barrier.arrive id = %c2 number_of_threads = %c64
    %k1 = llvm.add %k, %c1 : i32
    %again = llvm.icmp "ult" %k1, %c3 : i32
    llvm.cond_br %again, ^two(%k1 : i32), ^meet
  ^meet:
    nvvm.barrier0
    llvm.br ^end
  ^late:
    nvvm.barrier0
    nvvm.barrier id = %c1 number_of_threads = %c64
    llvm.br ^end
  ^end:
    llvm.return
  }
}
