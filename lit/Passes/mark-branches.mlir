// RUN: %opt %s --pass-pipeline='builtin.module(gpu.module(cute-mark-branches))' | FileCheck %s --check-prefix=MARKED
// RUN: %opt %s --pass-pipeline='builtin.module(gpu.module(cute-mark-branches,convert-vector-to-llvm,cute-lower-waits))' --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(gpu.module(convert-vector-to-llvm))' | FileCheck %s --check-prefix=MERGED

// Two branches with equal ops stay two, because a message about one must not name the other. MLIR alone merges them.

gpu.module @kernels {
  // MARKED-LABEL: llvm.func @kernel(
  // MARKED: llvm.cond_br {{.*}} {cute.block = 0 : i32}
  // MARKED: llvm.br ^{{.+}} {cute.block = 1 : i32}
  // MARKED: llvm.br ^{{.+}} {cute.block = 2 : i32}
  // CHECK-LABEL: llvm.func @kernel(
  // CHECK-NOT: cute.block
  // CHECK-COUNT-4: nvvm.barrier id
  // MERGED-COUNT-2: nvvm.barrier id
  // MERGED-NOT: nvvm.barrier
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
