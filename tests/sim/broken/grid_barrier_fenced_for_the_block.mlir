// A barrier of the grid whose first fence is one for the block.
// launch: 4 32
// args: i32[128] i32[1] i32[128]
// finds: race
// says: of buffer 0, and nothing orders it with the write

gpu.module @kernels {
  llvm.func @kernel(%data: !llvm.ptr<1>, %flag: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %n = nvvm.read.ptx.sreg.nctaid.x : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %size = nvvm.read.ptx.sreg.ntid.x : i32
    %first = llvm.mul %b, %size : i32
    %i = llvm.add %first, %t : i32
    %own = llvm.getelementptr %data[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %i, %own : i32, !llvm.ptr<1>
    nvvm.barrier0
    %leads = llvm.icmp "eq" %t, %zero : i32
    llvm.cond_br %leads, ^arrive, ^go
  ^arrive:
    llvm.fence syncscope("block") acq_rel
    %before = llvm.atomicrmw add %flag, %one syncscope("device") monotonic : !llvm.ptr<1>, i32
    llvm.br ^poll
  ^poll:
    %count = llvm.load volatile %flag : !llvm.ptr<1> -> i32
    %all = llvm.icmp "eq" %count, %n : i32
    llvm.cond_br %all, ^open, ^poll
  ^open:
    llvm.fence syncscope("device") acq_rel
    llvm.br ^go
  ^go:
    nvvm.barrier0
    %total = llvm.mul %n, %size : i32
    %last = llvm.sub %total, %one : i32
    %mirror = llvm.sub %last, %i : i32
    %other = llvm.getelementptr %data[%mirror] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %v = llvm.load %other : !llvm.ptr<1> -> i32
    %to = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %to : i32, !llvm.ptr<1>
    llvm.return
  }
}
