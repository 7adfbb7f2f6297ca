// Two threads add to the same words of global memory by bulk reductions at once.
//
// Legal: each element is updated atomically, and the order of sums of integers does not matter.
//
// launch: 1 64
// args: i32[32]=1
// gives: 5 5 5

gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<64 x i32>
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %a = llvm.getelementptr %slot[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %c2, %a : i32, !llvm.ptr<3>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    %lane = llvm.urem %t, %c32 : i32
    %leads = llvm.icmp "eq" %lane, %c0 : i32
    %from = llvm.ptrtoint %slot : !llvm.ptr<3> to i32
    %to = llvm.ptrtoint %out : !llvm.ptr<1> to i64
    llvm.cond_br %leads, ^send, ^end
  ^send:
    llvm.inline_asm has_side_effects "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [$0], [$1], $2;", "l,r,r" %to, %from, %c128 : (i64, i32, i32) -> ()
    nvvm.cp.async.bulk.commit.group
    nvvm.cp.async.bulk.wait_group 0 {read}
    llvm.br ^end
  ^end:
    llvm.return
  }
}
