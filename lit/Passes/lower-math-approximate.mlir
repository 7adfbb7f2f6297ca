// RUN: %opt %s --pass-pipeline='builtin.module(cute-lower-math)' | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cute-lower-math{fast-math})' | FileCheck %s --check-prefix=FAST
// RUN: %opt %s --pass-pipeline='builtin.module(cute-lower-math{target=sm_80})' | FileCheck %s --check-prefix=OLD

// Ops that allow approximation become PTX's approximate instructions.

// CHECK-LABEL: @single(
// CHECK-SAME: %[[X:.+]]: f32, %[[Y:.+]]: f32
// CHECK-DAG: %[[E:.+]] = arith.constant 1.44269502 : f32
// CHECK: %[[M:.+]] = arith.mulf %[[X]], %[[E]] : f32
// CHECK-NEXT: %[[EXP:.+]] = llvm.call_intrinsic "llvm.nvvm.ex2.approx"(%[[M]])
// CHECK-NEXT: %[[EXP2:.+]] = llvm.call_intrinsic "llvm.nvvm.ex2.approx"(%[[EXP]])
// CHECK-NEXT: %[[L:.+]] = llvm.call_intrinsic "llvm.nvvm.lg2.approx.f"(%[[EXP2]])
// CHECK: %[[LOG:.+]] = arith.mulf %[[L]], %{{.+}} : f32
// CHECK-NEXT: %[[LOG2:.+]] = llvm.call_intrinsic "llvm.nvvm.lg2.approx.f"(%[[LOG]])
// CHECK-NEXT: llvm.call_intrinsic "llvm.nvvm.lg2.approx.f"(%[[LOG2]])
// CHECK: arith.mulf
// CHECK-NEXT: %[[TANH:.+]] = llvm.call_intrinsic "llvm.tanh"(%{{.+}}) {fastmathFlags = #llvm.fastmath<afn>}
// CHECK-NEXT: %[[SIN:.+]] = llvm.call_intrinsic "llvm.nvvm.sin.approx.f"(%[[TANH]])
// CHECK-NEXT: %[[COS:.+]] = llvm.call_intrinsic "llvm.nvvm.cos.approx.f"(%[[SIN]])
// CHECK-NEXT: %[[RSQRT:.+]] = llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.f"(%[[COS]])
// CHECK-NEXT: %[[SQRT:.+]] = llvm.call_intrinsic "llvm.nvvm.sqrt.approx.f"(%[[RSQRT]])
// CHECK: %[[RCP:.+]] = llvm.fdiv %{{.+}}, %[[SQRT]] {fastmathFlags = #llvm.fastmath<afn>} : f32
// CHECK: %[[DIV:.+]] = llvm.call_intrinsic "llvm.nvvm.div.full"(%[[RCP]], %[[Y]])
// CHECK-NEXT: %[[LG:.+]] = llvm.call_intrinsic "llvm.nvvm.lg2.approx.f"(%[[DIV]])
// CHECK-NEXT: %[[YL:.+]] = arith.mulf %[[Y]], %[[LG]]
// CHECK-NEXT: llvm.call_intrinsic "llvm.nvvm.ex2.approx"(%[[YL]])

// FAST-LABEL: @single(
// FAST: llvm.nvvm.ex2.approx.ftz"
// FAST: llvm.nvvm.lg2.approx.ftz.f"
// FAST: llvm.tanh
// FAST: llvm.nvvm.sin.approx.ftz.f"
// FAST: llvm.nvvm.cos.approx.ftz.f"
// FAST: llvm.nvvm.rsqrt.approx.ftz.f"
// FAST: llvm.nvvm.sqrt.approx.ftz.f"
// FAST: llvm.nvvm.rcp.approx.ftz.f"
// FAST: llvm.nvvm.div.approx.ftz.f"
func.func @single(%x: f32, %y: f32) -> f32 {
  %0 = math.exp %x fastmath<afn> : f32
  %1 = math.exp2 %0 fastmath<afn> : f32
  %2 = math.log %1 fastmath<afn> : f32
  %3 = math.log2 %2 fastmath<afn> : f32
  %4 = math.log10 %3 fastmath<afn> : f32
  %5 = math.tanh %4 fastmath<afn> : f32
  %6 = math.sin %5 fastmath<afn> : f32
  %7 = math.cos %6 fastmath<afn> : f32
  %8 = math.rsqrt %7 fastmath<afn> : f32
  %9 = math.sqrt %8 fastmath<afn> : f32
  %one = arith.constant 1.0 : f32
  %10 = arith.divf %one, %9 fastmath<afn> : f32
  %11 = arith.divf %10, %y fastmath<afn> : f32
  %12 = math.powf %11, %y fastmath<afn> : f32
  return %12 : f32
}

// An op that allows everything is as one under fast-math.

// CHECK-LABEL: @fast(
// CHECK: %[[SIN:.+]] = llvm.call_intrinsic "llvm.nvvm.sin.approx.ftz.f"
// CHECK-NEXT: %[[COS:.+]] = llvm.call_intrinsic "llvm.nvvm.cos.approx.ftz.f"
// CHECK-NEXT: %[[RCP:.+]] = llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.f"(%[[COS]])
// CHECK-NEXT: arith.mulf %[[SIN]], %[[RCP]]
func.func @fast(%x: f32) -> f32 {
  %0 = math.tan %x fastmath<fast> : f32
  return %0 : f32
}

// Without a flag `exp2` is CUDA's `exp2f`, division and square root are exact.

// CHECK-LABEL: @exact(
// CHECK: llvm.call_intrinsic "llvm.exp2"
// CHECK: llvm.call_intrinsic "llvm.sqrt"
// CHECK: arith.divf
// FAST-LABEL: @exact(
// FAST: llvm.nvvm.ex2.approx.ftz"
// FAST: llvm.nvvm.sqrt.approx.ftz.f"
// FAST: llvm.nvvm.div.approx.ftz.f"
func.func @exact(%x: f32) -> f32 {
  %0 = math.exp2 %x : f32
  %1 = math.sqrt %0 fastmath<nnan> : f32
  %2 = arith.divf %1, %x : f32
  return %2 : f32
}

// `ex2` of f16 takes two at a time; that of bf16 is Hopper's, and flushes subnormals. Other functions go through f32.

// CHECK-LABEL: @halves(
// CHECK: llvm.call_intrinsic "llvm.nvvm.ex2.approx"(%{{.+}}) : (vector<2xf16>) -> vector<2xf16>
// CHECK: llvm.call_intrinsic "llvm.nvvm.ex2.approx"(%{{.+}}) : (vector<2xf16>) -> vector<2xf16>
// CHECK: arith.extf %{{.+}} : vector<3xbf16> to vector<3xf32>
// CHECK-COUNT-3: llvm.call_intrinsic "llvm.tanh"
// CHECK: arith.truncf %{{.+}} : vector<3xf32> to vector<3xbf16>
// CHECK-COUNT-3: llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%{{.+}}) : (bf16) -> bf16
// OLD-LABEL: @halves(
// OLD-COUNT-3: llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%{{.+}}) : (f32) -> f32
func.func @halves(%x: vector<2x2xf16>, %y: vector<3xbf16>) -> (vector<2x2xf16>, vector<3xbf16>) {
  %0 = math.exp2 %x fastmath<afn> : vector<2x2xf16>
  %1 = math.tanh %y fastmath<afn> : vector<3xbf16>
  %2 = math.exp2 %1 fastmath<fast> : vector<3xbf16>
  return %0, %2 : vector<2x2xf16>, vector<3xbf16>
}
