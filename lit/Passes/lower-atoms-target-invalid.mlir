// RUN: %opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(cute-lower-atoms{target=sm_100f})'

// What a program spells in NVVM is looked at too.

func.func @shift(%at: !llvm.ptr<6>) {
  // expected-error @below {{'nvvm.tcgen05.shift' op: sm_100f has no tcgen05.shift; it is on sm_100a, sm_103a, sm_110a}}
  nvvm.tcgen05.shift %at : !llvm.ptr<6>
  return
}

// -----

func.func @integers(%d: !llvm.ptr<6>, %a: i64, %b: i64, %what: i32, %add: i1) {
  // expected-error @below {{'nvvm.tcgen05.mma' op: sm_100f has no tcgen05.mma of kind i8; it is on sm_100a, sm_110a}}
  nvvm.tcgen05.mma %d, %a, %b, %what, %add {kind = #nvvm.tcgen05_mma_kind<i8>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
  return
}

// -----

func.func @hopper() {
  // expected-error @below {{'nvvm.wgmma.fence.aligned' op: sm_100f has no wgmma; it is on sm_90a}}
  nvvm.wgmma.fence.aligned
  return
}
