// Accumulators are scaled between two MMAs, and only the first MMA has a fence before it.
//
// No public report; attention scales its accumulators like that.
//
// W2: `wgmma.fence` comes before the first MMA, and again when registers of the accumulator or
// of A were written.
//
// launch: 1 256
// args: i32[1536]=1065369472 i32[192]=1065369472 f32[1024] i32=3
// finds: wgmma
// says: were written since the wait for the previous MMAs
// gives: 1130364928 1130364928

gpu.module @kernels {
  llvm.mlir.global internal @full() {addr_space = 3 : i32} : !llvm.array<2 x i64>
  llvm.mlir.global internal @empty() {addr_space = 3 : i32} : !llvm.array<2 x i64>
  llvm.mlir.global internal @slots() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<1152 x i32>
  llvm.func @kernel(%a: !llvm.ptr<1>, %b_in: !llvm.ptr<1>, %out: !llvm.ptr<1>, %n: i32) attributes {gpu.kernel, nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %slot_bytes = llvm.mlir.constant(2304 : i32) : i32
    %a_bytes = llvm.mlir.constant(2048 : i32) : i32
    %high_a = llvm.mlir.constant(34363932672 : i64) : i64
    %high_b = llvm.mlir.constant(34360262656 : i64) : i64
    %none = llvm.mlir.constant(0.0 : f32) : f32
    %slots = llvm.mlir.addressof @slots : !llvm.ptr<3>
    %wg = llvm.udiv %t, %c128 : i32
    %own = llvm.urem %t, %c128 : i32
    %unit = llvm.mlir.constant(2.0 : f32) : f32
    %c576 = llvm.mlir.constant(576 : i32) : i32
    %c512 = llvm.mlir.constant(512 : i32) : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %c256 = llvm.mlir.constant(256 : i32) : i32
    %s = llvm.mlir.constant(0 : i32) : i32
    nvvm.wgmma.fence.aligned // broken
    llvm.br ^block(%zero, %none, %none, %none, %none : i32, f32, f32, f32, f32)
  ^block(%k: i32, %c0: f32, %c1: f32, %c2: f32, %c3: f32):
    %first_a = llvm.mul %k, %c512 : i32
    %first_b = llvm.mul %k, %c64 : i32
    llvm.br ^word(%t : i32)
  ^word(%w: i32):
    %is_a = llvm.icmp "ult" %w, %c512 : i32
    %in_b = llvm.sub %w, %c512 : i32
    %word_a = llvm.add %first_a, %w : i32
    %word_b = llvm.add %first_b, %in_b : i32
    %from_a = llvm.getelementptr %a[%word_a] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %from_b = llvm.getelementptr %b_in[%word_b] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %from = llvm.select %is_a, %from_a, %from_b : i1, !llvm.ptr<1>
    %x = llvm.load %from : !llvm.ptr<1> -> i32
    %to = llvm.getelementptr %slots[%w] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %x, %to : i32, !llvm.ptr<3>
    %w1 = llvm.add %w, %c256 : i32
    %words = llvm.icmp "ult" %w1, %c576 : i32
    llvm.cond_br %words, ^word(%w1 : i32), ^there
  ^there:
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    %adds = llvm.mlir.constant(1 : i32) : i32
    nvvm.wgmma.fence.aligned // repaired
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
    nvvm.wgmma.wait.group.sync.aligned 0
    %x0 = llvm.fmul %d0, %unit : f32
    %x1 = llvm.fmul %d1, %unit : f32
    %x2 = llvm.fmul %d2, %unit : f32
    %x3 = llvm.fmul %d3, %unit : f32
    nvvm.barrier0
    %k1 = llvm.add %k, %one : i32
    %more = llvm.icmp "ult" %k1, %n : i32
    llvm.cond_br %more, ^block(%k1, %x0, %x1, %x2, %x3 : i32, f32, f32, f32, f32), ^done(%x0, %x1, %x2, %x3 : f32, f32, f32, f32)
  ^done(%v0: f32, %v1: f32, %v2: f32, %v3: f32):
    %part = llvm.add %wg, %zero : i32
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
    llvm.return
  }
}
