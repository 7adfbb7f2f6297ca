// One elected thread of a warp gives the registers of its warpgroup back.
//
// No public report. DeepGEMM does so (sm90_tf32_hc_prenorm_gemm.cuh), and has not been seen to fail.
//
// C5: all threads of a warpgroup execute the same `setmaxnreg`; otherwise its effect is undefined. Devices
// change the registers of the warps that execute it.
//
// launch: 1 256
// args: i32[128]=7
// grade: portability
// finds: registers_apart
// says: 1 of the 128 threads of the warpgroup execute this
// gives: 5 5 5

gpu.module @kernels {
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel, nvvm.minctasm = 1 : i32} {
    %c5 = llvm.mlir.constant(5 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %c160 = llvm.mlir.constant(160 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %loads = llvm.icmp "uge" %t, %c128 : i32
    llvm.cond_br %loads, ^group, ^multiply
  ^group:
    nvvm.setmaxregister decrease 40 // repaired
    %warp = llvm.icmp "ult" %t, %c160 : i32
    llvm.cond_br %warp, ^elect, ^end
  ^elect:
    %elected = nvvm.elect.sync -> i1
    llvm.cond_br %elected, ^load, ^end
  ^load:
    nvvm.setmaxregister decrease 40 // broken
    llvm.br ^end
  ^multiply:
    nvvm.setmaxregister increase 240
    %p = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %c5, %p : i32, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    llvm.return
  }
}
