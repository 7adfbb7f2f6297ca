// An epilogue writes its next tile where the store of the last one may still read.
//
// Reported: https://github.com/tile-ai/TileOPs/pull/1550 (results of a persistent grouped GEMM are
// corrupted at scale), read 2026-11-22; merged. Confirmed there by wrong values with many small
// experts.
//
// X6: `wait_group.read` by the thread that commits, and then a barrier, come before the buffer is
// written again.
//
// launch: 1 32
// args: i32[64]
// finds: race
// says: shared memory @slot
// gives: 0 1 2

gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<32 x i32>
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %a = llvm.getelementptr %slot[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.br ^tile(%c0 : i32)
  ^tile(%i: i32):
    %value = llvm.add %t, %i : i32
    llvm.store %value, %a : i32, !llvm.ptr<3>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    llvm.cond_br %first, ^send, ^next
  ^send:
    %start = llvm.mul %i, %c32 : i32
    %to = llvm.getelementptr %out[%start] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    nvvm.cp.async.bulk.global.shared.cta %to, %slot, %c128 : !llvm.ptr<1>, !llvm.ptr<3>
    nvvm.cp.async.bulk.commit.group
    nvvm.cp.async.bulk.wait_group 1 {read} // broken
    nvvm.cp.async.bulk.wait_group 0 {read} // repaired
    llvm.br ^next
  ^next:
    nvvm.barrier0
    %i1 = llvm.add %i, %c1 : i32
    %more = llvm.icmp "ult" %i1, %c2 : i32
    llvm.cond_br %more, ^tile(%i1 : i32), ^last
  ^last:
    llvm.cond_br %first, ^drain, ^end
  ^drain:
    nvvm.cp.async.bulk.wait_group 0 {read}
    llvm.br ^end
  ^end:
    llvm.return
  }
}
