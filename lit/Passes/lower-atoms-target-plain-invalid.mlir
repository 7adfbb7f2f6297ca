// RUN: %opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(cute-lower-atoms{target=sm_110})'

func.func @scaled(%d: !llvm.ptr<6>, %a: i64, %b: i64, %what: i32, %add: i1) {
  %scale = llvm.mlir.constant(3 : i64) : i64
  // expected-error @below {{'nvvm.tcgen05.mma' op: sm_110 has no tcgen05.mma that scales D; it needs sm_100f, sm_100a, sm_103f, sm_103a}}
  nvvm.tcgen05.mma %d, %a, %b, %what, %add scale = %scale {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1, i64)
  return
}

// -----

func.func @sparse_scaled(%d: !llvm.ptr<6>, %a: i64, %b: i64, %what: i32, %add: i1, %meta: !llvm.ptr<6>) {
  %scale = llvm.mlir.constant(3 : i64) : i64
  // expected-error @below {{'nvvm.tcgen05.mma.sp' op: sm_110 has no tcgen05.mma that scales D; it needs sm_100f, sm_100a, sm_103f, sm_103a}}
  nvvm.tcgen05.mma.sp %d, %a, %b, %what, %add, %meta scale = %scale {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, i64)
  return
}

// -----

func.func @wait() {
  // expected-error @below {{'nvvm.tcgen05.wait' op: sm_110 has no tcgen05; it needs sm_100f, sm_100a, sm_103f, sm_103a, sm_110f, sm_110a}}
  nvvm.tcgen05.wait <load>
  return
}

// -----

func.func @all(%where: !llvm.ptr<3>, %barrier: !llvm.ptr<3>) {
  // A cluster of one has it on every GPU that has clusters to launch.
  nvvm.clusterlaunchcontrol.try.cancel %where, %barrier
  // expected-error @below {{'nvvm.clusterlaunchcontrol.try.cancel' op: sm_110 has no clusterlaunchcontrol with multicast; it needs sm_100f, sm_100a, sm_103f, sm_103a, sm_110f, sm_110a, sm_120f, sm_120a, sm_121f, sm_121a}}
  nvvm.clusterlaunchcontrol.try.cancel multicast, %where, %barrier
  return
}

// -----

func.func @registers() {
  // expected-error @below {{'nvvm.setmaxregister' op: sm_110 has no setmaxnreg; it needs}}
  nvvm.setmaxregister decrease 40
  return
}
