// One lane of a warp arrives at a named barrier, with the aligned form.
//
// No public report.
//
// C4: `bar.arrive` is aligned. Without the other lanes its effect is not defined, and they are missing in
// the count.
//
// launch: 1 64
// finds: divergence
// says: only 1 of 32 threads wait here

gpu.module @kernels {
  llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %all = llvm.mlir.constant(-1 : i32) : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %warp = llvm.udiv %t, %c32 : i32
    %lane = llvm.urem %t, %c32 : i32
    %is_0 = llvm.icmp "eq" %lane, %c0 : i32
    %arrives = llvm.icmp "eq" %warp, %c0 : i32
    llvm.cond_br %arrives, ^some, ^wait
  ^some:
    llvm.cond_br %is_0, ^arrive, ^met // broken
    llvm.br ^arrive // repaired
  ^arrive:
    nvvm.barrier.arrive id = %c1 number_of_threads = %c64
    llvm.br ^met
  ^met:
    nvvm.bar.warp.sync %all : i32
    llvm.br ^end
  ^wait:
    nvvm.barrier id = %c1 number_of_threads = %c64
    llvm.br ^end
  ^end:
    llvm.return
  }
}
