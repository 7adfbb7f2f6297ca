// RUN: %opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(cute-lower-atoms{target=sm_100f})'

// Ops of NVVM in the program are checked too.

func.func @shift(%at: !llvm.ptr<6>) {
  // expected-error @below {{'nvvm.tcgen05.shift' op: sm_100f has no tcgen05.shift; it needs sm_100a, sm_103a, sm_110a}}
  nvvm.tcgen05.shift %at : !llvm.ptr<6>
  return
}

// -----

func.func @integers(%d: !llvm.ptr<6>, %a: i64, %b: i64, %what: i32, %add: i1) {
  // expected-error @below {{'nvvm.tcgen05.mma' op: sm_100f has no tcgen05.mma of kind i8; it needs sm_100a, sm_110a}}
  nvvm.tcgen05.mma %d, %a, %b, %what, %add {kind = #nvvm.tcgen05_mma_kind<i8>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
  return
}

// -----

func.func @hopper() {
  // expected-error @below {{'nvvm.wgmma.fence.aligned' op: sm_100f has no wgmma; it needs sm_90a}}
  nvvm.wgmma.fence.aligned
  return
}

// -----

func.func @stationary_integers(%d: !llvm.ptr<6>, %a: i64, %b: i64, %what: i32, %add: i1) {
  // expected-error @below {{'nvvm.tcgen05.mma.ws' op: sm_100f has no tcgen05.mma of kind i8; it needs sm_100a, sm_110a}}
  nvvm.tcgen05.mma.ws %d, %a, %b, %what, %add {kind = #nvvm.tcgen05_mma_kind<i8>} : (!llvm.ptr<6>, i64, i64, i32, i1)
  return
}

// -----

func.func @sparse_fp4(%d: !llvm.ptr<6>, %a: i64, %b: i64, %what: i32, %add: i1, %meta: !llvm.ptr<6>, %s: !llvm.ptr<6>) {
  // Scales of bytes are in the code of the family.
  nvvm.tcgen05.mma.sp.block_scale %d, %a, %b, %what, %add, %meta, %s, %s {kind = #nvvm.block_scale_kind<mxf8f6f4>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>, !llvm.ptr<6>)
  // expected-error @below {{'nvvm.tcgen05.mma.sp.block_scale' op: sm_100f has no tcgen05.mma.sp of kind mxf4; it needs sm_100a, sm_103a, sm_110a}}
  nvvm.tcgen05.mma.sp.block_scale %d, %a, %b, %what, %add, %meta, %s, %s {kind = #nvvm.block_scale_kind<mxf4>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>, !llvm.ptr<6>)
  return
}
