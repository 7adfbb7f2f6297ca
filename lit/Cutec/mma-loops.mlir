// REQUIRES: cutec
// RUN: %cutec build gemm_sm80 --target sm_90a --emit ptx | FileCheck %s

// ptxas leaves a loop of matrix products as LLVM left it.
// CHECK: .pragma "nounroll";
// CHECK: mma.sync.aligned.m16n8k16
// CHECK: @%p{{[0-9]+}} bra
