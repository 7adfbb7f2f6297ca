// Registers of A get the values of the next K block while the MMA may still read them.
//
// Reported: https://github.com/deepseek-ai/DeepGEMM/issues/449 (A of the next K block is loaded
// before the wait for the MMA; sums that differ between runs on H200), read 2026-11-28; open, with a
// repair in pull request 448.
//
// W3: registers of A stay as they are until the wait for the group of the MMA.
//
// Relied on by DeepGEMM's sm90_tf32_hc_prenorm_gemm.cuh; seen to fail there. In IR this is a note: a
// value of a loop is one register here, and LLVM may unroll the loop. In PTX it is shown.
//
// launch: 1 128
// args: i32[64]=1065369472 f32[512] i32=4
// finds: wgmma
// says: registers of A have changed since `wgmma.mma_async
// grade: note
// gives: 1119879168 1119879168 1119879168

gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<64 x i32>
  llvm.func @kernel(%b_in: !llvm.ptr<1>, %out: !llvm.ptr<1>, %n: i32) attributes {gpu.kernel, nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %ones = llvm.mlir.constant(1065369472 : i32) : i32
    %twos = llvm.mlir.constant(1073758208 : i32) : i32
    %high_b = llvm.mlir.constant(34360262656 : i64) : i64
    %undef = llvm.mlir.undef : f32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %fills = llvm.icmp "ult" %t, %c64 : i32
    llvm.cond_br %fills, ^fill, ^filled
  ^fill:
    %from = llvm.getelementptr %b_in[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %word = llvm.load %from : !llvm.ptr<1> -> i32
    %to = llvm.getelementptr %slot[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %word, %to : i32, !llvm.ptr<3>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    llvm.br ^filled
  ^filled:
    nvvm.barrier0
    %base = llvm.ptrtoint %slot : !llvm.ptr<3> to i32
    %low_b = llvm.lshr %base, %c4 : i32
    %wide_b = llvm.zext %low_b : i32 to i64
    %desc_b = llvm.or %wide_b, %high_b : i64
    llvm.br ^block(%zero, %undef, %undef, %undef, %undef : i32, f32, f32, f32, f32)
  ^block(%k: i32, %c0: f32, %c1: f32, %c2: f32, %c3: f32):
    // 1.0 and 2.0 in turn.
    %low = llvm.and %k, %one : i32
    %odd = llvm.icmp "ne" %low, %zero : i32
    %a = llvm.select %odd, %twos, %ones : i1, i32
    %later = llvm.icmp "ne" %k, %zero : i32
    %adds = llvm.zext %later : i1 to i32
    nvvm.wgmma.fence.aligned
    %r = llvm.inline_asm has_side_effects "{ .reg .pred p; setp.ne.b32 p, $6, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0, $1, $2, $3}, {$4, $4, $4, $4}, $5, p, 1, 1, 0; }", "=f,=f,=f,=f,r,l,r,0,1,2,3" %a, %desc_b, %adds, %c0, %c1, %c2, %c3 : (i32, i64, i32, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
    %d0 = llvm.extractvalue %r[0] : !llvm.struct<(f32, f32, f32, f32)>
    %d1 = llvm.extractvalue %r[1] : !llvm.struct<(f32, f32, f32, f32)>
    %d2 = llvm.extractvalue %r[2] : !llvm.struct<(f32, f32, f32, f32)>
    %d3 = llvm.extractvalue %r[3] : !llvm.struct<(f32, f32, f32, f32)>
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 1 // broken
    nvvm.wgmma.wait.group.sync.aligned 0 // repaired
    %k1 = llvm.add %k, %one : i32
    %more = llvm.icmp "ult" %k1, %n : i32
    llvm.cond_br %more, ^block(%k1, %d0, %d1, %d2, %d3 : i32, f32, f32, f32, f32), ^last
  ^last:
    nvvm.wgmma.wait.group.sync.aligned 0
    %place = llvm.mul %t, %c4 : i32
    %mine = llvm.getelementptr %out[%place] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %d0, %mine : f32, !llvm.ptr<1>
    %o1 = llvm.getelementptr %mine[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    llvm.store %d1, %o1 : f32, !llvm.ptr<1>
    %o2 = llvm.getelementptr %mine[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    llvm.store %d2, %o2 : f32, !llvm.ptr<1>
    %o3 = llvm.getelementptr %mine[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    llvm.store %d3, %o3 : f32, !llvm.ptr<1>
    llvm.return
  }
}
