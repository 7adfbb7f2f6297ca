// Two pairs of warps use one named barrier one after the other, but nothing says that they do.
//
// No public report.
//
// C4: the second pair may reach the barrier while the first one uses it. That its warps have more to do
// before is no order.
//
// launch: 1 128
// args: i32[128]
// finds: barrier_shared
// says: takes part in barrier 1, but nothing orders that after the use of the barrier

gpu.module @kernels {
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first_pair = llvm.icmp "ult" %t, %c64 : i32
    llvm.cond_br %first_pair, ^meet, ^work
  ^work:
    %p = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %t, %p : i32, !llvm.ptr<1>
    nvvm.barrier id = %c2 number_of_threads = %c128 // repaired
    nvvm.barrier id = %c1 number_of_threads = %c64
    llvm.br ^end
  ^meet:
    nvvm.barrier id = %c1 number_of_threads = %c64
    nvvm.barrier id = %c2 number_of_threads = %c128 // repaired
    llvm.br ^end
  ^end:
    llvm.return
  }
}
