// The last block to count reads what another one wrote, and resets the counter by a plain store.
// launch: 6 1
// args: i32[6] i32[1] i32[1]
// gives: 1

gpu.module @kernels {
  llvm.func @kernel(%data: !llvm.ptr<1>, %flag: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %n = nvvm.read.ptx.sreg.nctaid.x : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %most = llvm.sub %n, %one : i32
    %own = llvm.getelementptr %data[%b] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %one, %own : i32, !llvm.ptr<1>
    %before = llvm.atomicrmw add %flag, %one syncscope("device") acq_rel : !llvm.ptr<1>, i32
    %last = llvm.icmp "eq" %before, %most : i32
    llvm.cond_br %last, ^read, ^exit
  ^read:
    llvm.store %zero, %flag : i32, !llvm.ptr<1>
    %next = llvm.add %b, %one : i32
    %other = llvm.urem %next, %n : i32
    %at = llvm.getelementptr %data[%other] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %v = llvm.load %at : !llvm.ptr<1> -> i32
    llvm.store %v, %out : i32, !llvm.ptr<1>
    llvm.br ^exit
  ^exit:
    llvm.return
  }
}
