// Two warps wait for each other at two named barriers, in opposite order.
// launch: 1 64
// finds: deadlock
// says: barrier 1 for 64 threads

gpu.module @kernels {
  llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %two = llvm.mlir.constant(2 : i32) : i32
    %all = llvm.mlir.constant(64 : i32) : i32
    %bound = llvm.mlir.constant(32 : i32) : i32
    %in = llvm.icmp "ult" %t, %bound : i32
    llvm.cond_br %in, ^first, ^second
  ^first:
    nvvm.barrier id = %one number_of_threads = %all
    nvvm.barrier id = %two number_of_threads = %all
    llvm.br ^exit
  ^second:
    nvvm.barrier id = %two number_of_threads = %all
    nvvm.barrier id = %one number_of_threads = %all
    llvm.br ^exit
  ^exit:
    llvm.return
  }
}
