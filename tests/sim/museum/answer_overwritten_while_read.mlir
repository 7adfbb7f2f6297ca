// The answer to a request for another cluster is read, and the next request writes there without a fence.
//
// Reported: https://github.com/facebookexperimental/triton/pull/1723 (a proxy fence is missing
// behind the query of an answer), read 2026-11-22; closed. Confirmed there by the code alone.
//
// X7: the device writes answers through the async proxy. Behind the read of one come a
// fence.proxy.async by whoever read, and a barrier, before the next request.
//
// launch: 40 32
// args: i32[40]
// finds: unfenced
// says: writes byte 0 of shared memory @answer
// gives: 1 1

gpu.module @kernels {
  llvm.mlir.global internal @full() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1 x i64>
  llvm.mlir.global internal @answer() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<4 x i32>
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %ticks = llvm.mlir.constant(10000 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %full = llvm.mlir.addressof @full : !llvm.ptr<3>
    %answer = llvm.mlir.addressof @answer : !llvm.ptr<3>
    nvvm.mbarrier.init %full, %c1, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.barrier0
    llvm.br ^tile(%b, %c0 : i32, i32)
  ^tile(%tile: i32, %phase: i32):
    llvm.cond_br %first, ^ask, ^wait
  ^ask:
    nvvm.mbarrier.arrive.expect_tx %full, %c16 : !llvm.ptr<3>, i32
    nvvm.clusterlaunchcontrol.try.cancel %answer, %full
    %p = llvm.getelementptr %out[%tile] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %c1, %p : i32, !llvm.ptr<1>
    llvm.br ^wait
  ^wait:
    nvvm.mbarrier.try_wait.parity %full, %phase, %ticks : !llvm.ptr<3>, i32, i32
    %r = llvm.load %answer : !llvm.ptr<3> -> i128
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>} // repaired
    nvvm.barrier0
    %canceled = nvvm.clusterlaunchcontrol.query.cancel query = is_canceled, %r : i1
    llvm.cond_br %canceled, ^next, ^end
  ^next:
    %x = nvvm.clusterlaunchcontrol.query.cancel query = get_first_cta_id_x, %r : i32
    %other = llvm.xor %phase, %c1 : i32
    llvm.br ^tile(%x, %other : i32, i32)
  ^end:
    llvm.return
  }
}
