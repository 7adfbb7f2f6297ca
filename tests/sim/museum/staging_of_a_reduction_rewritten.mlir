// Two threads reduce a half of a staging buffer each, and others write the buffer again after each has waited for its own half.
//
// Reported: https://github.com/NVIDIA/cudnn-frontend/pull/1049 (gradients are intermittently not
// finite), read 2026-11-23; merged. Related: https://github.com/NVIDIA/TensorRT-LLM/pull/18498,
// where such a reduction was not waited for at all.
//
// X6: the wait of a thread covers its own reductions. A barrier passes that on to the threads that
// write the buffer again.
//
// launch: 1 64
// args: i32[32]
// finds: race
// says: shared memory @staging
// gives: 1 3 5

gpu.module @kernels {
  llvm.mlir.global internal @staging() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<64 x i32>
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %lane = llvm.urem %t, %c32 : i32
    %warp = llvm.udiv %t, %c32 : i32
    %leads = llvm.icmp "eq" %lane, %c0 : i32
    %staging = llvm.mlir.addressof @staging : !llvm.ptr<3>
    %half = llvm.mul %warp, %c32 : i32
    %own = llvm.getelementptr %staging[%half] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %from = llvm.ptrtoint %own : !llvm.ptr<3> to i32
    %to = llvm.ptrtoint %out : !llvm.ptr<1> to i64
    // Each thread writes a column of the other half.
    %other = llvm.xor %t, %c32 : i32
    %a = llvm.getelementptr %staging[%other] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.br ^block(%c0 : i32)
  ^block(%k: i32):
    %scaled = llvm.mul %lane, %k : i32
    %odd = llvm.mul %k, %warp : i32
    %value = llvm.add %scaled, %odd : i32
    llvm.store %value, %a : i32, !llvm.ptr<3>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    llvm.cond_br %leads, ^reduce, ^next
  ^reduce:
    llvm.inline_asm has_side_effects "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [$0], [$1], $2;", "l,r,r" %to, %from, %c128 : (i64, i32, i32) -> ()
    nvvm.cp.async.bulk.commit.group
    nvvm.cp.async.bulk.wait_group 0 {read}
    llvm.br ^next
  ^next:
    nvvm.barrier0 // repaired
    %k1 = llvm.add %k, %c1 : i32
    %more = llvm.icmp "ult" %k1, %c2 : i32
    llvm.cond_br %more, ^block(%k1 : i32), ^end
  ^end:
    llvm.return
  }
}
