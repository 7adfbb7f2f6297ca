// An elected lane sends a buffer, and lane 0 waits until it has been read.
//
// No public report.
//
// X6: groups belong to the thread that commits them. `elect.sync` may elect any lane, although all
// devices that have been seen elect the first one. So only the schedule shows it that elects the last.
//
// launch: 1 64
// args: i32[32]
// under: reverse
// finds: race
// says: shared memory @slot
// gives: 0 1 2

gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<64 x i32>
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c7 = llvm.mlir.constant(7 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %a = llvm.getelementptr %slot[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %t, %a : i32, !llvm.ptr<3>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    %one = nvvm.elect.sync -> i1
    %sends_warp = llvm.icmp "ult" %t, %c32 : i32
    %sends = llvm.and %sends_warp, %one : i1
    llvm.cond_br %sends, ^send, ^next
  ^send:
    nvvm.cp.async.bulk.global.shared.cta %out, %slot, %c128 : !llvm.ptr<1>, !llvm.ptr<3>
    nvvm.cp.async.bulk.commit.group
    llvm.br ^next
  ^next:
    llvm.cond_br %first, ^wait, ^met // broken
    llvm.cond_br %sends, ^wait, ^met // repaired
  ^wait:
    nvvm.cp.async.bulk.wait_group 0 {read}
    llvm.br ^met
  ^met:
    nvvm.barrier0
    llvm.store %c7, %a : i32, !llvm.ptr<3>
    llvm.return
  }
}
