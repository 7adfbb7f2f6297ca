// A warp names lanes of tensor memory that belong to another one.
//
// Reported: https://github.com/deepseek-ai/DeepGEMM/pull/341 (only builds with -G check the lane), read
// 2026-11-28.
//
// T11: warp w reaches lanes 32 (w mod 4) and the 31 behind them.
//
// Relied on by DeepGEMM's kernels for sm_100, whose four warps all name lane 0, and by FlashMLA. No wrong
// result is known: devices take the warp's own lanes, and so does the run.
//
// launch: 1 128
// args: i32[1152]=1065369472 i32[2048]
// finds: tensor
// says: the address names lane 0, but warp
// grade: portability
// gives: 1098907648 1098907648

gpu.module @kernels {
  llvm.mlir.global internal @address() {addr_space = 3 : i32} : !llvm.array<1 x i32>
  llvm.mlir.global internal @done() {addr_space = 3 : i32} : !llvm.array<3 x i64>
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<1152 x i32>
  llvm.func @kernel(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %c1152 = llvm.mlir.constant(1152 : i32) : i32
    %lane_step = llvm.mlir.constant(2097152 : i32) : i32
    %a_bytes = llvm.mlir.constant(4096 : i32) : i32
    %ticks = llvm.mlir.constant(10000 : i32) : i32
    %no = llvm.mlir.constant(false) : i1
    %yes = llvm.mlir.constant(true) : i1
    %kept = llvm.mlir.addressof @address : !llvm.ptr<3>
    %done = llvm.mlir.addressof @done : !llvm.ptr<3>
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %other = llvm.getelementptr %done[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
    %last = llvm.getelementptr %done[2] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
    %warp = llvm.udiv %t, %c32 : i32
    %first = llvm.icmp "eq" %t, %zero : i32
    %allocates = llvm.icmp "eq" %warp, %zero : i32
    nvvm.mbarrier.init %done, %one, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.mbarrier.init %other, %c128, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.mbarrier.init %last, %one, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.fence.mbarrier.init
    %high_a = llvm.mlir.constant(70403112304640 : i64) : i64
    %high_b = llvm.mlir.constant(70403104964608 : i64) : i64
    %idesc = llvm.mlir.constant(134481040 : i32) : i32
    llvm.cond_br %allocates, ^allocate, ^fill
  ^allocate:
    nvvm.tcgen05.alloc %kept, %c32 : !llvm.ptr<3>, i32
    nvvm.tcgen05.relinquish_alloc_permit
    llvm.br ^fill
  ^fill:
    llvm.br ^word(%t : i32)
  ^word(%w: i32):
    %from = llvm.getelementptr %in[%w] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %x = llvm.load %from : !llvm.ptr<1> -> i32
    %to = llvm.getelementptr %slot[%w] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %x, %to : i32, !llvm.ptr<3>
    %w1 = llvm.add %w, %c128 : i32
    %words = llvm.icmp "ult" %w1, %c1152 : i32
    llvm.cond_br %words, ^word(%w1 : i32), ^filled
  ^filled:
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    nvvm.tcgen05.fence <after>
    %tm = llvm.load %kept : !llvm.ptr<3> -> i32
    %lanes = llvm.mul %warp, %lane_step : i32
    %own = llvm.add %tm, %zero : i32 // broken
    %own = llvm.add %tm, %lanes : i32 // repaired
    %d = llvm.inttoptr %tm : i32 to !llvm.ptr<6>
    %mine = llvm.inttoptr %own : i32 to !llvm.ptr<6>
    %base = llvm.ptrtoint %slot : !llvm.ptr<3> to i32
    %at_b = llvm.add %base, %a_bytes : i32
    %low_a = llvm.lshr %base, %c4 : i32
    %low_b = llvm.lshr %at_b, %c4 : i32
    %wide_a = llvm.zext %low_a : i32 to i64
    %wide_b = llvm.zext %low_b : i32 to i64
    %desc_a = llvm.or %wide_a, %high_a : i64
    %desc_b = llvm.or %wide_b, %high_b : i64
    llvm.cond_br %first, ^issue, ^issued
  ^issue:
    nvvm.tcgen05.mma %d, %desc_a, %desc_b, %idesc, %no {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
    nvvm.tcgen05.commit %done : !llvm.ptr<3>
    llvm.br ^issued
  ^issued:
    nvvm.mbarrier.try_wait.parity %done, %zero, %ticks : !llvm.ptr<3>, i32, i32
    nvvm.tcgen05.fence <after>
    %v = nvvm.tcgen05.ld %mine {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<16xi32>
    %place = llvm.mul %t, %c16 : i32
    %target = llvm.getelementptr %out[%place] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %target {alignment = 64 : i64} : vector<16xi32>, !llvm.ptr<1>
    nvvm.tcgen05.wait <load>
    nvvm.tcgen05.fence <before>
    nvvm.barrier0
    llvm.cond_br %allocates, ^free, ^end
  ^free:
    nvvm.tcgen05.dealloc %d, %c32 : !llvm.ptr<6>, i32
    llvm.br ^end
  ^end:
    llvm.return
  }
}
