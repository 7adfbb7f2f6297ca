// Two warpgroups multiply a slot, and only one of them tells the producer that it may be filled.
//
// No public report. Related: https://github.com/NVIDIA/cutlass/issues/2418, where an arrival count
// of one is used with several consumers, read 2026-11-22.
//
// M2, W3: the empty barrier has to expect an arrival of every warpgroup whose MMAs read the
// slot.
//
// launch: 1 384
// args: i32[5120]=1065369472 i32[640]=1065369472 f32[2048] i32=5
// finds: race
// says: through the async proxy, and nothing orders it
// gives: 1117782016 1117782016 1117782016

gpu.module @kernels {
  llvm.mlir.global internal @full() {addr_space = 3 : i32} : !llvm.array<2 x i64>
  llvm.mlir.global internal @empty() {addr_space = 3 : i32} : !llvm.array<2 x i64>
  llvm.mlir.global internal @slots() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<1152 x i32>
  llvm.func @kernel(%a: !llvm.ptr<1>, %b_in: !llvm.ptr<1>, %out: !llvm.ptr<1>, %n: i32) attributes {gpu.kernel, nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %two = llvm.mlir.constant(2 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %ticks = llvm.mlir.constant(10000 : i32) : i32
    %slot_bytes = llvm.mlir.constant(2304 : i32) : i32
    %a_bytes = llvm.mlir.constant(2048 : i32) : i32
    %b_bytes = llvm.mlir.constant(256 : i32) : i32
    %high_a = llvm.mlir.constant(34363932672 : i64) : i64
    %high_b = llvm.mlir.constant(34360262656 : i64) : i64
    %undef = llvm.mlir.undef : f32
    %slots = llvm.mlir.addressof @slots : !llvm.ptr<3>
    %wg = llvm.udiv %t, %c128 : i32
    %own = llvm.urem %t, %c128 : i32
    %leads = llvm.icmp "eq" %t, %c128 : i32 // broken
    %leads = llvm.icmp "eq" %own, %zero : i32 // repaired
    %first = llvm.icmp "eq" %t, %zero : i32
    %full0 = llvm.mlir.addressof @full : !llvm.ptr<3>
    %empty0 = llvm.mlir.addressof @empty : !llvm.ptr<3>
    %full1 = llvm.getelementptr %full0[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
    %empty1 = llvm.getelementptr %empty0[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
    nvvm.mbarrier.init %full0, %one, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.mbarrier.init %full1, %one, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.mbarrier.init %empty0, %one, predicate = %first : !llvm.ptr<3>, i32, i1 // broken
    nvvm.mbarrier.init %empty0, %two, predicate = %first : !llvm.ptr<3>, i32, i1 // repaired
    nvvm.mbarrier.init %empty1, %one, predicate = %first : !llvm.ptr<3>, i32, i1 // broken
    nvvm.mbarrier.init %empty1, %two, predicate = %first : !llvm.ptr<3>, i32, i1 // repaired
    nvvm.fence.mbarrier.init
    nvvm.barrier0
    %produces = llvm.icmp "eq" %wg, %zero : i32
    llvm.cond_br %produces, ^producer, ^consumer
  ^producer:
    llvm.cond_br %first, ^produce_start, ^exit
  ^produce_start:
    %blocks = llvm.mul %n, %two : i32
    %any_p = llvm.icmp "ult" %zero, %blocks : i32
    llvm.cond_br %any_p, ^produce(%zero, %zero, %one : i32, i32, i32), ^exit
  ^produce(%b: i32, %ps: i32, %pp: i32):
    %pe = llvm.getelementptr %empty0[%ps] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
    %pf = llvm.getelementptr %full0[%ps] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
    nvvm.mbarrier.try_wait.parity %pe, %pp, %ticks : !llvm.ptr<3>, i32, i32
    nvvm.mbarrier.arrive.expect_tx %pf, %slot_bytes : !llvm.ptr<3>, i32
    %pstep = llvm.mul %ps, %slot_bytes : i32
    %to_a = llvm.getelementptr %slots[%pstep] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    %to_b = llvm.getelementptr %to_a[2048] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %there_a = llvm.addrspacecast %to_a : !llvm.ptr<3> to !llvm.ptr<7>
    %there_b = llvm.addrspacecast %to_b : !llvm.ptr<3> to !llvm.ptr<7>
    %off_a = llvm.mul %b, %a_bytes : i32
    %off_b = llvm.mul %b, %b_bytes : i32
    %from_a = llvm.getelementptr %a[%off_a] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
    %from_b = llvm.getelementptr %b_in[%off_b] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
    nvvm.cp.async.bulk.shared.cluster.global %there_a, %from_a, %pf, %a_bytes : !llvm.ptr<7>, !llvm.ptr<1>
    nvvm.cp.async.bulk.shared.cluster.global %there_b, %from_b, %pf, %b_bytes : !llvm.ptr<7>, !llvm.ptr<1>
    %b1 = llvm.add %b, %one : i32
    %ps1 = llvm.xor %ps, %one : i32
    %pp1 = llvm.xor %pp, %ps : i32
    %more_p = llvm.icmp "ult" %b1, %blocks : i32
    llvm.cond_br %more_p, ^produce(%b1, %ps1, %pp1 : i32, i32, i32), ^exit
  ^consumer:
    llvm.br ^tile(%zero, %zero, %zero : i32, i32, i32)
  ^tile(%tile: i32, %s0: i32, %p0: i32):
    %any = llvm.icmp "ult" %zero, %n : i32
    llvm.cond_br %any, ^block(%zero, %s0, %p0, %undef, %undef, %undef, %undef : i32, i32, i32, f32, f32, f32, f32), ^done(%s0, %p0, %undef, %undef, %undef, %undef : i32, i32, f32, f32, f32, f32)
  ^block(%k: i32, %s: i32, %p: i32, %c0: f32, %c1: f32, %c2: f32, %c3: f32):
    %f = llvm.getelementptr %full0[%s] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
    nvvm.mbarrier.try_wait.parity %f, %p, %ticks : !llvm.ptr<3>, i32, i32
    %later = llvm.icmp "ne" %k, %zero : i32
    %adds = llvm.zext %later : i1 to i32
    nvvm.wgmma.fence.aligned
    %base = llvm.ptrtoint %slots : !llvm.ptr<3> to i32
    %step = llvm.mul %s, %slot_bytes : i32
    %at_a = llvm.add %base, %step : i32
    %at_b = llvm.add %at_a, %a_bytes : i32
    %low_a = llvm.lshr %at_a, %c4 : i32
    %low_b = llvm.lshr %at_b, %c4 : i32
    %wide_a = llvm.zext %low_a : i32 to i64
    %wide_b = llvm.zext %low_b : i32 to i64
    %desc_a = llvm.or %wide_a, %high_a : i64
    %desc_b = llvm.or %wide_b, %high_b : i64
    %r = llvm.inline_asm has_side_effects "{ .reg .pred p; setp.ne.b32 p, $6, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0, $1, $2, $3}, $4, $5, p, 1, 1, 0, 0; }", "=f,=f,=f,=f,l,l,r,0,1,2,3" %desc_a, %desc_b, %adds, %c0, %c1, %c2, %c3 : (i64, i64, i32, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
    %d0 = llvm.extractvalue %r[0] : !llvm.struct<(f32, f32, f32, f32)>
    %d1 = llvm.extractvalue %r[1] : !llvm.struct<(f32, f32, f32, f32)>
    %d2 = llvm.extractvalue %r[2] : !llvm.struct<(f32, f32, f32, f32)>
    %d3 = llvm.extractvalue %r[3] : !llvm.struct<(f32, f32, f32, f32)>
    nvvm.wgmma.commit.group.sync.aligned
    %before = llvm.xor %s, %one : i32
    nvvm.wgmma.wait.group.sync.aligned 1
    %frees = llvm.and %later, %leads : i1
    llvm.cond_br %frees, ^free, ^next
  ^free:
    %e = llvm.getelementptr %empty0[%before] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
    nvvm.mbarrier.arrive %e : !llvm.ptr<3>
    llvm.br ^next
  ^next:
    %k1 = llvm.add %k, %one : i32
    %s1 = llvm.xor %s, %one : i32
    %p1 = llvm.xor %p, %s : i32
    %more = llvm.icmp "ult" %k1, %n : i32
    llvm.cond_br %more, ^block(%k1, %s1, %p1, %d0, %d1, %d2, %d3 : i32, i32, i32, f32, f32, f32, f32), ^last
  ^last:
    nvvm.wgmma.wait.group.sync.aligned 0
    llvm.cond_br %leads, ^free_last, ^whole
  ^free_last:
    %le = llvm.getelementptr %empty0[%s] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
    nvvm.mbarrier.arrive %le : !llvm.ptr<3>
    llvm.br ^whole
  ^whole:
    llvm.br ^done(%s1, %p1, %d0, %d1, %d2, %d3 : i32, i32, f32, f32, f32, f32)
  ^done(%s2: i32, %p2: i32, %v0: f32, %v1: f32, %v2: f32, %v3: f32):
    %twice = llvm.mul %tile, %two : i32
    %index = llvm.sub %wg, %one : i32
    %part = llvm.add %twice, %index : i32
    %parts = llvm.mul %part, %c128 : i32
    %place = llvm.add %parts, %own : i32
    %mine = llvm.getelementptr %out[%place] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<4 x f32>
    llvm.store %v0, %mine : f32, !llvm.ptr<1>
    %o1 = llvm.getelementptr %mine[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    llvm.store %v1, %o1 : f32, !llvm.ptr<1>
    %o2 = llvm.getelementptr %mine[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    llvm.store %v2, %o2 : f32, !llvm.ptr<1>
    %o3 = llvm.getelementptr %mine[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    llvm.store %v3, %o3 : f32, !llvm.ptr<1>
    %tile1 = llvm.add %tile, %one : i32
    %tiles = llvm.icmp "ult" %tile1, %two : i32
    llvm.cond_br %tiles, ^tile(%tile1, %s2, %p2 : i32, i32, i32), ^exit
  ^exit:
    llvm.return
  }
}
