// Each block leaves its part; the one that counts last adds them up. The fences and the counter order that.
// launch: 6 1
// args: i32[6] i32[1] i32[1]
// gives: 15

gpu.module @kernels {
  llvm.func @kernel(%part: !llvm.ptr<1>, %count: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %n = nvvm.read.ptx.sreg.nctaid.x : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %own = llvm.getelementptr %part[%b] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %b, %own : i32, !llvm.ptr<1>
    llvm.fence syncscope("device") acq_rel
    %before = llvm.atomicrmw add %count, %one monotonic : !llvm.ptr<1>, i32
    llvm.fence syncscope("device") acq_rel
    %now = llvm.add %before, %one : i32
    %last = llvm.icmp "eq" %now, %n : i32
    llvm.cond_br %last, ^loop(%zero, %zero : i32, i32), ^exit
  ^loop(%i: i32, %sum: i32):
    %p = llvm.getelementptr %part[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %v = llvm.load %p : !llvm.ptr<1> -> i32
    %s = llvm.add %sum, %v : i32
    %next = llvm.add %i, %one : i32
    %more = llvm.icmp "ult" %next, %n : i32
    llvm.cond_br %more, ^loop(%next, %s : i32, i32), ^store
  ^store:
    llvm.store %s, %out : i32, !llvm.ptr<1>
    llvm.br ^exit
  ^exit:
    llvm.return
  }
}
