// REQUIRES: cute-opt, cutec
// RUN: %cutec import %s 2>&1 | FileCheck %s

// Ops that CuTe DSL's MLIR spells otherwise, in generic form, are what upstream says today.

// CHECK: note: '{{.*}}drift.mlir' is a module of CuTe DSL; rewrote 26 ops of another MLIR version: 1 vector.splat, 1 vector.extractelement, 2 nvvm.barrier,
"builtin.module"() ({
  "gpu.module"() <{sym_name = "kernels"}> ({
    // CHECK: cuda.kernel @vectors(%[[X:.*]]: f32, %[[Y:.*]]: f32, %[[I:.*]]: i32, %[[P:.*]]: i1)
    "cuda.kernel"() <{arg_attrs = [{}, {}, {}, {}], function_type = (f32, f32, i32, i1) -> (), sym_name = "vectors"}> ({
    ^bb0(%x: f32, %y: f32, %i: i32, %p: i1):
      // CHECK: %[[V:.*]] = vector.broadcast %[[X]] : f32 to vector<4xf32>
      %v = "vector.splat"(%x) : (f32) -> vector<4xf32>
      // CHECK: %[[AT:.*]] = arith.index_cast %[[I]] : i32 to index
      // CHECK: vector.extract %[[V]][%[[AT]]] : f32 from vector<4xf32>
      %e = "vector.extractelement"(%v, %i) : (vector<4xf32>, i32) -> f32
      // CHECK: nvvm.barrier{{$}}
      "nvvm.barrier"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> ()
      // CHECK: nvvm.barrier id = %[[I]] number_of_threads = %[[I]]
      "nvvm.barrier"(%i, %i) <{operandSegmentSizes = array<i32: 1, 1>}> : (i32, i32) -> ()
      // CHECK: arith.maxnumf %[[X]], %[[Y]] : f32
      %m = "nvvm.fmax"(%x, %y) : (f32, f32) -> f32
      // CHECK: nvvm.vote.sync ballot %[[I]], %[[P]] -> i32
      %b = "nvvm.vote.ballot.sync"(%i, %p) : (i32, i1) -> i32
      // CHECK: arith.truncf %{{.*}} : vector<4xf32> to vector<4xf8E4M3FN>
      %c = "nvgpu.cvt_fptrunc"(%v) <{packed_kind = #nvgpu.subbytes_packedkind<compact>, rnd = #nvgpu.rnd<rn>}> : (vector<4xf32>) -> vector<4xf8E4M3FN>
      // CHECK: return
      "cuda.return"() : () -> ()
    }) {cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} : () -> ()
    // CHECK: cuda.kernel @pairs(%[[A:.*]]: vector<2xf32>, %[[B:.*]]: vector<2xf32>)
    "cuda.kernel"() <{function_type = (vector<2xf32>, vector<2xf32>) -> (), sym_name = "pairs"}> ({
    ^bb0(%a: vector<2xf32>, %b: vector<2xf32>):
      // CHECK: %[[S:.*]] = arith.addf %[[A]], %[[B]] : vector<2xf32>
      %s = "nvvm.add.packed.f32x2"(%a, %b) <{ftz = false, rnd = #nvvm.rnd<rn>}> : (vector<2xf32>, vector<2xf32>) -> vector<2xf32>
      // CHECK: arith.mulf %[[S]], %[[B]] : vector<2xf32>
      %m = "nvvm.mul.packed.f32x2"(%s, %b) <{ftz = false, rnd = #nvvm.rnd<rn>}> : (vector<2xf32>, vector<2xf32>) -> vector<2xf32>
      // In another mode it is PTX's instruction.
      // CHECK: %[[BITS:.*]] = llvm.bitcast %{{.*}} : vector<2xf32> to i64
      // CHECK: %[[SUM:.*]] = llvm.inline_asm "fma.rz.ftz.f32x2 $0, $1, $2, $3;", "=l,l,l,l" %[[BITS]], %{{.*}}, %{{.*}} : (i64, i64, i64) -> i64
      // CHECK: llvm.bitcast %[[SUM]] : i64 to vector<2xf32>
      %f = "nvvm.fma.packed.f32x2"(%m, %a, %b) <{ftz = true, rnd = #nvvm.rnd<rz>}> : (vector<2xf32>, vector<2xf32>, vector<2xf32>) -> vector<2xf32>
      "cuda.return"() : () -> ()
    }) {gpu.kernel} : () -> ()
    // CHECK: cuda.kernel @barriers(%[[BAR:.*]]: !llvm.ptr<3>, %[[N:.*]]: i32, %[[MASK:.*]]: i16)
    "cuda.kernel"() <{function_type = (!llvm.ptr<3>, i32, i16) -> (), sym_name = "barriers"}> ({
    ^bb0(%bar: !llvm.ptr<3>, %n: i32, %mask: i16):
      // CHECK: nvvm.mbarrier.init %[[BAR]], %[[N]] : !llvm.ptr<3>, i32
      "nvvm.mbarrier.init.shared"(%bar, %n) : (!llvm.ptr<3>, i32) -> ()
      // CHECK: nvvm.fence.mbarrier.init
      "nvvm.fence.mbarrier.init"() <{useIntrinsic = false}> : () -> ()
      // CHECK: nvvm.mbarrier.try_wait.parity %[[BAR]], %[[N]], %[[N]] : !llvm.ptr<3>, i32, i32
      "nvvm.mbarrier.try_wait.parity.shared"(%bar, %n, %n) <{useIntrinsic = false}> : (!llvm.ptr<3>, i32, i32) -> ()
      // CHECK: nvvm.mbarrier.try_wait %[[BAR]], %[[N]] : !llvm.ptr<3>, i32 -> i1
      %w = "nvvm.mbarrier.wait.parity"(%bar, %n) <{kind = #nvvm.mbar_wait<try>, scope = #nvvm.mbar_scope<cta>}> : (!llvm.ptr<3>, i32) -> i1
      // CHECK: nvvm.mbarrier.arrive %[[BAR]], %[[N]] : !llvm.ptr<3>
      "nvvm.mbarrier.txn"(%bar, %n) <{kind = #nvvm.mbar_txn_kind<arrive>, scope = #nvvm.mbar_scope<cta>, space = #nvvm.mbar_space<cta>}> : (!llvm.ptr<3>, i32) -> ()
      // CHECK: nvvm.mbarrier.arrive.expect_tx %[[BAR]], %[[N]] : !llvm.ptr<3>, i32
      "nvvm.mbarrier.txn"(%bar, %n) <{kind = #nvvm.mbar_txn_kind<arrive_expect_tx>, scope = #nvvm.mbar_scope<cta>, space = #nvvm.mbar_space<cta>}> : (!llvm.ptr<3>, i32) -> ()
      // CHECK: nvvm.mbarrier.expect_tx %[[BAR]], %[[N]] : !llvm.ptr<3>, i32
      "nvvm.mbarrier.txn"(%bar, %n) <{kind = #nvvm.mbar_txn_kind<expect_tx>, scope = #nvvm.mbar_scope<cta>, space = #nvvm.mbar_space<cta>}> : (!llvm.ptr<3>, i32) -> ()
      // CHECK: %[[REMOTE:.*]] = nvvm.mapa %[[BAR]], %[[N]] : !llvm.ptr<3> -> !llvm.ptr<7>
      %r = "nvvm.mapa.shared.cluster"(%bar, %n) : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>
      // CHECK: nvvm.mbarrier.arrive %[[REMOTE]], %[[N]] : !llvm.ptr<7>
      "nvvm.mbarrier.txn"(%r, %n) <{kind = #nvvm.mbar_txn_kind<arrive>, scope = #nvvm.mbar_scope<cta>, space = #nvvm.mbar_space<cluster>}> : (!llvm.ptr<3>, i32) -> ()
      // CHECK: nvvm.cp.async.mbarrier.arrive %[[BAR]] {noinc = true} : !llvm.ptr<3>
      "nvvm.cp.async.mbarrier.arrive.shared"(%bar) <{noinc = true}> : (!llvm.ptr<3>) -> ()
      // CHECK: nvvm.tcgen05.commit %[[BAR]], multicast_mask = %[[MASK]] {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>, i16
      "nvvm.tcgen05.commit.arrive"(%bar, %mask) <{group = #nvvm.tcgen05_group<cta_2>}> : (!llvm.ptr<3>, i16) -> ()
      "cuda.return"() : () -> ()
    }) {gpu.kernel} : () -> ()
    // CHECK: cuda.kernel @next(%[[SLOT:.*]]: !llvm.ptr<3>, %[[ANSWER:.*]]: i128)
    "cuda.kernel"() <{function_type = (!llvm.ptr<3>, i128) -> (), sym_name = "next"}> ({
    ^bb0(%slot: !llvm.ptr<3>, %answer: i128):
      // CHECK: nvvm.clusterlaunchcontrol.try.cancel multicast, %[[SLOT]], %[[SLOT]]
      "nvvm.clusterlaunchcontrol.try_cancel.multicast"(%slot, %slot) : (!llvm.ptr<3>, !llvm.ptr<3>) -> ()
      // CHECK: nvvm.clusterlaunchcontrol.query.cancel query = is_canceled, %[[ANSWER]] : i1
      %c = "nvvm.clusterlaunchcontrol.query_cancel.is_canceled"(%answer) : (i128) -> i1
      // CHECK: nvvm.clusterlaunchcontrol.query.cancel query = get_first_cta_id_x, %[[ANSWER]] : i32
      %x = "nvvm.clusterlaunchcontrol.query_cancel.get_first_ctaid.x"(%answer) : (i128) -> i32
      // CHECK: nvvm.clusterlaunchcontrol.query.cancel query = get_first_cta_id_y, %[[ANSWER]] : i32
      %y = "nvvm.clusterlaunchcontrol.query_cancel.get_first_ctaid.y"(%answer) : (i128) -> i32
      // CHECK: nvvm.clusterlaunchcontrol.query.cancel query = get_first_cta_id_z, %[[ANSWER]] : i32
      %z = "nvvm.clusterlaunchcontrol.query_cancel.get_first_ctaid.z"(%answer) : (i128) -> i32
      "cuda.return"() : () -> ()
    }) {gpu.kernel} : () -> ()
  }) : () -> ()
}) {gpu.container_module} : () -> ()
