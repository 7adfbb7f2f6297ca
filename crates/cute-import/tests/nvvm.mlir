// Every op of upstream's NVVM dialect, once with each of its parts where the import might take it for
// one of CuTe DSL. mlir-opt accepts the module; the import must leave it as it is.
module {
  llvm.func @upstream(%c: i1, %i16: i16, %i32: i32, %i64: i64, %i128: i128, %f32: f32, %generic: !llvm.ptr, %global: !llvm.ptr<1>,
      %shared: !llvm.ptr<3>, %cluster: !llvm.ptr<7>, %tensor: !llvm.ptr<6>, %half2: vector<2xf16>, %bf2: vector<2xbf16>,
      %floats4: vector<4xf32>, %byte2: vector<2xi8>, %word2: vector<2xi32>, %ob: vector<4xi8>, %oh: vector<2xi16>) {
    %read_ptx_sreg_laneid = nvvm.read.ptx.sreg.laneid : i32
    %read_ptx_sreg_warpsize = nvvm.read.ptx.sreg.warpsize : i32
    %read_ptx_sreg_warpid = nvvm.read.ptx.sreg.warpid : i32
    %read_ptx_sreg_nwarpid = nvvm.read.ptx.sreg.nwarpid : i32
    %read_ptx_sreg_smid = nvvm.read.ptx.sreg.smid : i32
    %read_ptx_sreg_nsmid = nvvm.read.ptx.sreg.nsmid : i32
    %read_ptx_sreg_gridid = nvvm.read.ptx.sreg.gridid : i32
    %read_ptx_sreg_lanemask_eq = nvvm.read.ptx.sreg.lanemask.eq : i32
    %read_ptx_sreg_lanemask_le = nvvm.read.ptx.sreg.lanemask.le : i32
    %read_ptx_sreg_lanemask_lt = nvvm.read.ptx.sreg.lanemask.lt : i32
    %read_ptx_sreg_lanemask_ge = nvvm.read.ptx.sreg.lanemask.ge : i32
    %read_ptx_sreg_lanemask_gt = nvvm.read.ptx.sreg.lanemask.gt : i32
    %read_ptx_sreg_tid_x = nvvm.read.ptx.sreg.tid.x : i32
    %read_ptx_sreg_tid_y = nvvm.read.ptx.sreg.tid.y : i32
    %read_ptx_sreg_tid_z = nvvm.read.ptx.sreg.tid.z : i32
    %read_ptx_sreg_ntid_x = nvvm.read.ptx.sreg.ntid.x : i32
    %read_ptx_sreg_ntid_y = nvvm.read.ptx.sreg.ntid.y : i32
    %read_ptx_sreg_ntid_z = nvvm.read.ptx.sreg.ntid.z : i32
    %read_ptx_sreg_ctaid_x = nvvm.read.ptx.sreg.ctaid.x : i32
    %read_ptx_sreg_ctaid_y = nvvm.read.ptx.sreg.ctaid.y : i32
    %read_ptx_sreg_ctaid_z = nvvm.read.ptx.sreg.ctaid.z : i32
    %read_ptx_sreg_nctaid_x = nvvm.read.ptx.sreg.nctaid.x : i32
    %read_ptx_sreg_nctaid_y = nvvm.read.ptx.sreg.nctaid.y : i32
    %read_ptx_sreg_nctaid_z = nvvm.read.ptx.sreg.nctaid.z : i32
    %read_ptx_sreg_clusterid_x = nvvm.read.ptx.sreg.clusterid.x : i32
    %read_ptx_sreg_clusterid_y = nvvm.read.ptx.sreg.clusterid.y : i32
    %read_ptx_sreg_clusterid_z = nvvm.read.ptx.sreg.clusterid.z : i32
    %read_ptx_sreg_nclusterid_x = nvvm.read.ptx.sreg.nclusterid.x : i32
    %read_ptx_sreg_nclusterid_y = nvvm.read.ptx.sreg.nclusterid.y : i32
    %read_ptx_sreg_nclusterid_z = nvvm.read.ptx.sreg.nclusterid.z : i32
    %read_ptx_sreg_cluster_ctaid_x = nvvm.read.ptx.sreg.cluster.ctaid.x : i32
    %read_ptx_sreg_cluster_ctaid_y = nvvm.read.ptx.sreg.cluster.ctaid.y : i32
    %read_ptx_sreg_cluster_ctaid_z = nvvm.read.ptx.sreg.cluster.ctaid.z : i32
    %read_ptx_sreg_cluster_nctaid_x = nvvm.read.ptx.sreg.cluster.nctaid.x : i32
    %read_ptx_sreg_cluster_nctaid_y = nvvm.read.ptx.sreg.cluster.nctaid.y : i32
    %read_ptx_sreg_cluster_nctaid_z = nvvm.read.ptx.sreg.cluster.nctaid.z : i32
    %read_ptx_sreg_cluster_ctarank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %read_ptx_sreg_cluster_nctarank = nvvm.read.ptx.sreg.cluster.nctarank : i32
    %read_ptx_sreg_total_smem_size = nvvm.read.ptx.sreg.total.smem.size : i32
    %read_ptx_sreg_dynamic_smem_size = nvvm.read.ptx.sreg.dynamic.smem.size : i32
    %read_ptx_sreg_aggr_smem_size = nvvm.read.ptx.sreg.aggr.smem.size : i32
    %read_ptx_sreg_clock = nvvm.read.ptx.sreg.clock : i32
    %read_ptx_sreg_clock64 = nvvm.read.ptx.sreg.clock64 : i64
    %read_ptx_sreg_globaltimer = nvvm.read.ptx.sreg.globaltimer : i64
    %read_ptx_sreg_globaltimer_lo = nvvm.read.ptx.sreg.globaltimer.lo : i32
    %envreg0 = nvvm.read.ptx.sreg.envreg0 : i32
    %envreg1 = nvvm.read.ptx.sreg.envreg1 : i32
    %envreg2 = nvvm.read.ptx.sreg.envreg2 : i32
    %envreg3 = nvvm.read.ptx.sreg.envreg3 : i32
    %envreg4 = nvvm.read.ptx.sreg.envreg4 : i32
    %envreg5 = nvvm.read.ptx.sreg.envreg5 : i32
    %envreg6 = nvvm.read.ptx.sreg.envreg6 : i32
    %envreg7 = nvvm.read.ptx.sreg.envreg7 : i32
    %envreg8 = nvvm.read.ptx.sreg.envreg8 : i32
    %envreg9 = nvvm.read.ptx.sreg.envreg9 : i32
    %envreg10 = nvvm.read.ptx.sreg.envreg10 : i32
    %envreg11 = nvvm.read.ptx.sreg.envreg11 : i32
    %envreg12 = nvvm.read.ptx.sreg.envreg12 : i32
    %envreg13 = nvvm.read.ptx.sreg.envreg13 : i32
    %envreg14 = nvvm.read.ptx.sreg.envreg14 : i32
    %envreg15 = nvvm.read.ptx.sreg.envreg15 : i32
    %envreg16 = nvvm.read.ptx.sreg.envreg16 : i32
    %envreg17 = nvvm.read.ptx.sreg.envreg17 : i32
    %envreg18 = nvvm.read.ptx.sreg.envreg18 : i32
    %envreg19 = nvvm.read.ptx.sreg.envreg19 : i32
    %envreg20 = nvvm.read.ptx.sreg.envreg20 : i32
    %envreg21 = nvvm.read.ptx.sreg.envreg21 : i32
    %envreg22 = nvvm.read.ptx.sreg.envreg22 : i32
    %envreg23 = nvvm.read.ptx.sreg.envreg23 : i32
    %envreg24 = nvvm.read.ptx.sreg.envreg24 : i32
    %envreg25 = nvvm.read.ptx.sreg.envreg25 : i32
    %envreg26 = nvvm.read.ptx.sreg.envreg26 : i32
    %envreg27 = nvvm.read.ptx.sreg.envreg27 : i32
    %envreg28 = nvvm.read.ptx.sreg.envreg28 : i32
    %envreg29 = nvvm.read.ptx.sreg.envreg29 : i32
    %envreg30 = nvvm.read.ptx.sreg.envreg30 : i32
    %envreg31 = nvvm.read.ptx.sreg.envreg31 : i32
    %ptx = nvvm.inline_ptx "add.u32 {$w0}, {$r0}, 1;" ro(%i32 : i32) -> i32
    %rcp = nvvm.rcp.approx.ftz.f %f32 : f32
    %redux = nvvm.redux.sync add %i32, %i32 : i32 -> i32
    nvvm.nanosleep %i32
    nvvm.pmevent id = 1
    nvvm.mbarrier.init %shared, %i32 : !llvm.ptr<3>, i32
    nvvm.mbarrier.inval %shared : !llvm.ptr<3>
    nvvm.mbarrier.expect_tx %shared, %i32 : !llvm.ptr<3>, i32
    nvvm.mbarrier.complete_tx %shared, %i32 : !llvm.ptr<3>, i32
    %arrive = nvvm.mbarrier.arrive %shared, %i32 : !llvm.ptr<3> -> i64
    nvvm.mbarrier.arrive %cluster {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<7>
    %drop = nvvm.mbarrier.arrive_drop %shared : !llvm.ptr<3> -> i64
    %no = nvvm.mbarrier.arrive.nocomplete %shared, %i32 : !llvm.ptr<3>, i32 -> i64
    %dropno = nvvm.mbarrier.arrive_drop.nocomplete %shared, %i32 : !llvm.ptr<3>, i32 -> i64
    nvvm.mbarrier.arrive.expect_tx %shared, %i32, predicate = %c : !llvm.ptr<3>, i32, i1
    %dropexpect = nvvm.mbarrier.arrive_drop.expect_tx %shared, %i32 : !llvm.ptr<3>, i32 -> i64
    nvvm.mbarrier.try_wait.parity %shared, %i32, %i32 : !llvm.ptr<3>, i32, i32
    %test = nvvm.mbarrier.test.wait %shared, %i64 : !llvm.ptr<3>, i64 -> i1
    %try = nvvm.mbarrier.try_wait %shared, %i32, %i32 {relaxed = true, scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<3>, i32, i32 -> i1
    nvvm.barrier0
    nvvm.barrier
    nvvm.barrier id = %i32 number_of_threads = %i32
    %and = nvvm.barrier #nvvm.reduction<and> %i32 -> i32
    %popc = nvvm.barrier #nvvm.reduction<popc> %i32 -> i32
    nvvm.barrier.arrive id = %i32 number_of_threads = %i32
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.arrive.relaxed
    nvvm.cluster.wait {aligned}
    nvvm.memory.barrier #nvvm.mem_scope<gpu>
    nvvm.fence.sc.cluster
    nvvm.fence.sync_restrict {order = #nvvm.mem_order<acquire>}
    nvvm.fence.mbarrier.init
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.fence.proxy.acquire #nvvm.mem_scope<gpu> %generic, %i32
    nvvm.fence.proxy.release #nvvm.mem_scope<cta>
    nvvm.fence.proxy.sync_restrict {order = #nvvm.mem_order<release>}
    nvvm.setmaxregister increase 232
    %shfl = nvvm.shfl.sync bfly %i32, %f32, %i32, %i32 {return_value_and_is_valid} : f32 -> !llvm.struct<(f32, i1)>
    %vote = nvvm.vote.sync ballot %i32, %c -> i32
    nvvm.bar.warp.sync %i32 : i32
    %elect = nvvm.elect.sync -> i1
    %prmt = nvvm.prmt #nvvm.permute_mode<f4e> %i32, %i32, %i32 : i32
    nvvm.cp.async.shared.global %shared, %global, 16, cache = cg, %i32 : !llvm.ptr<3>, !llvm.ptr<1>, i32
    nvvm.cp.async.commit.group
    nvvm.cp.async.wait.group 2
    nvvm.cp.async.mbarrier.arrive %shared {noinc = true} : !llvm.ptr<3>
    %tf32 = nvvm.convert.float.to.tf32 %f32 {rnd = #nvvm.fp_rnd_mode<rna>}
    %f4 = nvvm.convert.f32x2.to.f4x2 %f32, %f32 {relu = true} : i8 (f4E2M1FN)
    %f6 = nvvm.convert.f32x2.to.f6x2 %f32, %f32 : vector<2xi8> (f6E2M3FN)
    %f8 = nvvm.convert.f32x2.to.f8x2 %f32, %f32 {rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>} : i16 (f8E4M3FN)
    %f8h = nvvm.convert.f16x2.to.f8x2 %half2 : vector<2xf16> -> i16 (f8E5M2)
    %f8b = nvvm.convert.bf16x2.to.f8x2 %bf2 {rnd = #nvvm.fp_rnd_mode<rp>} : vector<2xbf16> -> i16 (f8E8M0FNU)
    %h8 = nvvm.convert.f8x2.to.f16x2 %byte2 : vector<2xi8> (f8E4M3FN) -> vector<2xf16>
    %b8 = nvvm.convert.f8x2.to.bf16x2 %byte2 : vector<2xi8> (f8E8M0FNU) -> vector<2xbf16>
    %h6 = nvvm.convert.f6x2.to.f16x2 %byte2 : vector<2xi8> (f6E3M2FN) -> vector<2xf16>
    %i8 = llvm.trunc %i32 : i32 to i8
    %h4 = nvvm.convert.f4x2.to.f16x2 %i8 : i8 (f4E2M1FN) -> vector<2xf16>
    %rh = nvvm.convert.f32x2.to.f16x2 %f32, %f32 {rnd = #nvvm.fp_rnd_mode<rn>} : vector<2xf16>
    %rb = nvvm.convert.f32x2.to.bf16x2 %f32, %f32, %i32 {rnd = #nvvm.fp_rnd_mode<rs>} : vector<2xbf16>
    %r8 = nvvm.convert.f32x4.to.f8x4 %floats4, %i32 : vector<4xf32> -> vector<4xi8> (f8E4M3FN)
    %r6 = nvvm.convert.f32x4.to.f6x4 %floats4, %i32 : vector<4xf32> -> vector<4xi8> (f6E2M3FN)
    %r4 = nvvm.convert.f32x4.to.f4x4 %floats4, %i32 : vector<4xf32> -> i16 (f4E2M1FN)
    %wmma = nvvm.wmma.load %shared, %i32 {eltype = #nvvm.mma_type<f16>, frag = #nvvm.mma_frag<a>, k = 16 : i32, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : (!llvm.ptr<3>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    nvvm.wmma.store %shared, %i32, %half2, %half2, %half2, %half2 {eltype = #nvvm.mma_type<f16>, k = 16 : i32, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : !llvm.ptr<3>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>
    %wd = nvvm.wmma.mma %half2, %half2, %half2, %half2, %half2, %half2, %half2, %half2, %half2, %half2, %half2, %half2, %half2, %half2, %half2, %half2, %half2, %half2, %half2, %half2 {eltypeA = #nvvm.mma_type<f16>, eltypeB = #nvvm.mma_type<f16>, k = 16 : i32, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, m = 16 : i32, n = 16 : i32} : (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
    nvvm.stmatrix %shared, %i32 {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : !llvm.ptr<3>, i32
    %ldm = nvvm.ldmatrix %shared {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, num = 1 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : (!llvm.ptr<3>) -> i32
    %mma = nvvm.mma.sync A[%half2, %half2, %half2, %half2] B[%half2, %half2] C[%half2, %half2] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
    %mmasp = nvvm.mma.sp.sync A[%half2, %half2] B[%half2, %half2] C[%half2, %half2] sparseMetadata[%i32] selector[%i32] {shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
    %mmabs = nvvm.mma.block_scale A[%i32, %i32, %i32, %i32] B[%i32, %i32] C[%f32, %f32, %f32, %f32] scaleA[%i32, %i16, %i16] scaleB[%i32, %i16, %i16] {shape = #nvvm.shape<m = 16, n = 8, k = 64>, multiplicandAPtxType = #nvvm.mma_type<e2m1>, multiplicandBPtxType = #nvvm.mma_type<e2m1>, scaleVecSize = #nvvm.scale_vec_size<x2>, blockScaleFormat = #nvvm.block_scale_format<ue8m0>, kind = #nvvm.block_scale_kind<mxf4nvf4>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
    %mmaspbs = nvvm.mma.sp.block_scale A[%i32, %i32, %i32, %i32] B[%i32, %i32, %i32, %i32] C[%f32, %f32, %f32, %f32] sparseMetadata[%i32] selector[%i32] scaleA[%i32, %i16, %i16] scaleB[%i32, %i16, %i16] {orderedMetadata, shape = #nvvm.shape<m = 16, n = 8, k = 128>, multiplicandAPtxType = #nvvm.mma_type<e2m1>, multiplicandBPtxType = #nvvm.mma_type<e2m1>, scaleVecSize = #nvvm.scale_vec_size<x2>, blockScaleFormat = #nvvm.block_scale_format<ue8m0>, kind = #nvvm.block_scale_kind<mxf4>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
    nvvm.cp.async.bulk.commit.group
    nvvm.cp.async.bulk.wait_group 1 {read}
    nvvm.cp.async.bulk.tensor.shared.cluster.global %cluster, %generic, %shared, box[%i32, %i32] multicast_mask = %i16 l2_cache_hint = %i64 {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<7>, !llvm.ptr
    nvvm.cp.async.bulk.tensor.global.shared.cta %generic, %shared, box[%i32, %i32], predicate = %c : !llvm.ptr, !llvm.ptr<3>
    nvvm.prefetch level = L2, %global : !llvm.ptr<1>
    nvvm.cp.async.bulk.prefetch %global, %i32 : !llvm.ptr<1>
    nvvm.cp.async.bulk.tensor.prefetch %generic, box[%i32] : !llvm.ptr
    nvvm.cp.async.bulk.tensor.reduce %generic, %shared, box[%i32] {redKind = #nvvm.tma_redux_kind<add>} : !llvm.ptr, !llvm.ptr<3>
    nvvm.cp.async.bulk.shared.cluster.global %cluster, %global, %shared, %i32 multicast_mask = %i16 : !llvm.ptr<7>, !llvm.ptr<1>
    nvvm.cp.async.bulk.shared.cluster.shared.cta %cluster, %shared, %shared, %i32 : !llvm.ptr<7>, !llvm.ptr<3>
    nvvm.cp.async.bulk.global.shared.cta %global, %shared, %i32 byte_mask = %i16 : !llvm.ptr<1>, !llvm.ptr<3>
    nvvm.wgmma.fence.aligned
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 0
    %zero = llvm.mlir.undef : !llvm.struct<(f32, f32, f32, f32)>
    %wg = nvvm.wgmma.mma_async %i64, %i64, %zero, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, <zero>], A [<f16>, <one>, <row>], B [<f16>, <one>, <col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
    nvvm.griddepcontrol wait
    %mapa = nvvm.mapa %shared, %i32 : !llvm.ptr<3> -> !llvm.ptr<7>
    %match = nvvm.match.sync any %i32, %i64 : i64 -> i32
    nvvm.st.bulk %shared, size = %i64, init = 0 : !llvm.ptr<3>
    nvvm.breakpoint
    nvvm.tcgen05.alloc %shared, %i32 {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>, i32
    nvvm.tcgen05.dealloc %tensor, %i32 {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<6>, i32
    nvvm.tcgen05.relinquish_alloc_permit {group = #nvvm.cta_group<cta_2>}
    nvvm.tcgen05.fence #nvvm.tcgen05_fence<before>
    nvvm.tcgen05.wait #nvvm.tcgen05_wait<load>
    nvvm.tcgen05.commit %shared, multicast_mask = %i16 {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>, i16
    nvvm.tcgen05.shift %tensor {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<6>
    nvvm.tcgen05.cp %tensor, %i64 {group = #nvvm.cta_group<cta_2>, multicast = #nvvm.tcgen05_cp_multicast<warpx4>, shape = #nvvm.tcgen05_cp_shape<shape_32x128b>}
    %desc = nvvm.tcgen05.mma_smem_desc (%i32, %i32, %i32, %i8, %c, %i8) : (i32, i32, i32, i8, i1, i8) -> i64
    %tld = nvvm.tcgen05.ld %tensor {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<2xi32>
    nvvm.tcgen05.st %tensor, %word2 {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<2xi32>
    %dot4 = nvvm.dot.accumulate.4way %ob <signed>, %ob <unsigned>, %i32 : vector<4xi8>, vector<4xi8>
    %dot2 = nvvm.dot.accumulate.2way %oh <signed>, %ob <signed>, %i32 {b_hi = false} : vector<2xi16>, vector<4xi8>
    nvvm.clusterlaunchcontrol.try.cancel %shared, %shared
    %query = nvvm.clusterlaunchcontrol.query.cancel query = is_canceled, %i128 : i1
    nvvm.tcgen05.mma %tensor, %i64, %i64, %i32, %c {ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<f16>} : (!llvm.ptr<6>, i64, i64, i32, i1)
    nvvm.tcgen05.mma.sp %tensor, %i64, %i64, %i32, %c, %tensor {ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<f16>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>)
    nvvm.tcgen05.mma.block_scale %tensor, %i64, %i64, %i32, %c, %tensor, %tensor {ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.block_scale_kind<mxf8f6f4>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>)
    nvvm.tcgen05.mma.sp.block_scale %tensor, %i64, %i64, %i32, %c, %tensor, %tensor, %tensor {ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.block_scale_kind<mxf8f6f4>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>, !llvm.ptr<6>)
    nvvm.tcgen05.mma.ws %tensor, %i64, %i64, %i32, %c {kind = #nvvm.tcgen05_mma_kind<f16>} : (!llvm.ptr<6>, i64, i64, i32, i1)
    nvvm.tcgen05.mma.ws.sp %tensor, %i64, %i64, %i32, %c, %tensor {kind = #nvvm.tcgen05_mma_kind<f16>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>)
    nvvm.exit
    llvm.return
  }
}
