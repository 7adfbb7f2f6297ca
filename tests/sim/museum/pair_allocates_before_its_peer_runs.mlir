// A block of a pair allocates tensor memory before it knows that the peer has begun.
//
// Reported: https://github.com/NVIDIA/cutlass/pull/3316 (the allocation of CuTe's tutorials 04 and 05
// races in compute-sanitizer's racecheck), read 2026-11-28; open. Also
// https://github.com/tile-ai/tilelang/pull/2644.
//
// T9: before `tcgen05.alloc` of a pair, both blocks meet at a barrier of the cluster.
//
// Relied on by CUTLASS's CuTe tutorial 04 (04_mma_tma_2sm_sm100.cu): the allocation waits for its
// peer. No wrong result is known, so the run goes on as devices do.
//
// launch: 2 128 2
// args: map[256:256]=1065369472 i32[8192]
// finds: tensor
// says: the peer, block
// grade: portability
// gives: 1098907648 1098907648

gpu.module @kernels {
  llvm.mlir.global internal @address() {addr_space = 3 : i32} : !llvm.array<1 x i32>
  llvm.mlir.global internal @barriers() {addr_space = 3 : i32} : !llvm.array<2 x i64>
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<768 x i32>
  llvm.func @kernel(%map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant}, %out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %side = llvm.and %rank, %one : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %lane_step = llvm.mlir.constant(2097152 : i32) : i32
    %a_bytes = llvm.mlir.constant(2048 : i32) : i32
    %of_one = llvm.mlir.constant(3072 : i32) : i32
    %of_pair = llvm.mlir.constant(6144 : i32) : i32
    %of_four = llvm.mlir.constant(12288 : i32) : i32
    %offset_mask = llvm.mlir.constant(262143 : i32) : i32
    %even = llvm.mlir.constant(-16777217 : i32) : i32
    %both = llvm.mlir.constant(3 : i16) : i16
    %ticks = llvm.mlir.constant(10000 : i32) : i32
    %no = llvm.mlir.constant(false) : i1
    %high_a = llvm.mlir.constant(70403108110336 : i64) : i64
    %high_b = llvm.mlir.constant(70403106013184 : i64) : i64
    %idesc = llvm.mlir.constant(135267472 : i32) : i32
    %kept = llvm.mlir.addressof @address : !llvm.ptr<3>
    %full = llvm.mlir.addressof @barriers : !llvm.ptr<3>
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %done = llvm.getelementptr %full[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
    %slot1 = llvm.getelementptr %slot[1024] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %slot2 = llvm.getelementptr %slot[2048] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %there = llvm.addrspacecast %slot : !llvm.ptr<3> to !llvm.ptr<7>
    %there1 = llvm.addrspacecast %slot1 : !llvm.ptr<3> to !llvm.ptr<7>
    %there2 = llvm.addrspacecast %slot2 : !llvm.ptr<3> to !llvm.ptr<7>
    %warp = llvm.udiv %t, %c32 : i32
    %first = llvm.icmp "eq" %t, %zero : i32
    %produces = llvm.icmp "eq" %t, %c64 : i32
    %allocates = llvm.icmp "eq" %warp, %zero : i32
    %leads = llvm.icmp "eq" %side, %zero : i32
    nvvm.mbarrier.init %full, %one, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.mbarrier.init %done, %one, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.fence.mbarrier.init
    nvvm.cluster.arrive.relaxed {aligned} // repaired
    nvvm.cluster.wait {aligned} // repaired
    llvm.cond_br %allocates, ^allocate, ^allocated
  ^allocate:
    nvvm.tcgen05.alloc %kept, %c32 {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>, i32
    nvvm.tcgen05.relinquish_alloc_permit {group = #nvvm.cta_group<cta_2>}
    llvm.br ^allocated
  ^allocated:
    nvvm.barrier0
    nvvm.cluster.arrive.relaxed {aligned} // broken
    nvvm.cluster.wait {aligned} // broken
    %tm = llvm.load %kept : !llvm.ptr<3> -> i32
    %lanes = llvm.mul %warp, %lane_step : i32
    %own = llvm.add %tm, %lanes : i32
    %d = llvm.inttoptr %tm : i32 to !llvm.ptr<6>
    %mine = llvm.inttoptr %own : i32 to !llvm.ptr<6>
    %base0 = llvm.ptrtoint %slot : !llvm.ptr<3> to i32
    %base = llvm.and %base0, %offset_mask : i32
    %at_b = llvm.add %base, %a_bytes : i32
    %low_a = llvm.lshr %base, %c4 : i32
    %low_b = llvm.lshr %at_b, %c4 : i32
    %wide_a = llvm.zext %low_a : i32 to i64
    %wide_b = llvm.zext %low_b : i32 to i64
    %desc_a = llvm.or %wide_a, %high_a : i64
    %desc_b = llvm.or %wide_b, %high_b : i64
    llvm.cond_br %produces, ^produce, ^consume
  ^produce:
    llvm.cond_br %leads, ^expect, ^load
  ^expect:
    nvvm.mbarrier.arrive.expect_tx %full, %of_pair : !llvm.ptr<3>, i32
    llvm.br ^load
  ^load:
    %full_at = llvm.ptrtoint %full : !llvm.ptr<3> to i32
    %full_of_leader = llvm.and %full_at, %even : i32
    %signal = llvm.inttoptr %full_of_leader : i32 to !llvm.ptr<3>
    nvvm.cp.async.bulk.tensor.shared.cluster.global %there, %map, %signal, box[%zero] {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<7>, !llvm.ptr
    nvvm.cp.async.bulk.tensor.shared.cluster.global %there1, %map, %signal, box[%zero] {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<7>, !llvm.ptr
    nvvm.cp.async.bulk.tensor.shared.cluster.global %there2, %map, %signal, box[%zero] {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<7>, !llvm.ptr
    llvm.br ^sums
  ^consume:
    %issues = llvm.and %first, %leads : i1
    llvm.cond_br %issues, ^issue, ^sums
  ^issue:
    nvvm.mbarrier.try_wait.parity %full, %zero, %ticks : !llvm.ptr<3>, i32, i32
    nvvm.tcgen05.mma %d, %desc_a, %desc_b, %idesc, %no {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_2>} : (!llvm.ptr<6>, i64, i64, i32, i1)
    nvvm.tcgen05.commit %done, multicast_mask = %both {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>, i16
    llvm.br ^sums
  ^sums:
    nvvm.mbarrier.try_wait.parity %done, %zero, %ticks : !llvm.ptr<3>, i32, i32
    nvvm.tcgen05.fence <after>
    %v = nvvm.tcgen05.ld %mine {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<32xi32>
    %thread0 = llvm.mul %rank, %c128 : i32
    %thread = llvm.add %thread0, %t : i32
    %place = llvm.mul %thread, %c32 : i32
    %target = llvm.getelementptr %out[%place] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %target {alignment = 128 : i64} : vector<32xi32>, !llvm.ptr<1>
    nvvm.tcgen05.wait <load>
    nvvm.tcgen05.fence <before>
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    llvm.cond_br %allocates, ^free, ^end
  ^free:
    nvvm.tcgen05.dealloc %d, %c32 {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<6>, i32
    llvm.br ^end
  ^end:
    llvm.return
  }
}
