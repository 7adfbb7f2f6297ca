// One block hands 4096 values to another, each behind a flag of its own.
// launch: 2 1
// args: i32[4096] i32[4096] i32[4096]
// gives: 0 1 2 3

gpu.module @kernels {
  llvm.func @kernel(%data: !llvm.ptr<1>, %flag: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %n = llvm.mlir.constant(4096 : i32) : i32
    %first = llvm.icmp "eq" %b, %zero : i32
    llvm.br ^loop(%zero : i32)
  ^loop(%i: i32):
    %at = llvm.getelementptr %flag[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %own = llvm.getelementptr %data[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.cond_br %first, ^write, ^poll
  ^write:
    llvm.store %i, %own : i32, !llvm.ptr<1>
    llvm.store %one, %at atomic syncscope("device") release {alignment = 4 : i64} : i32, !llvm.ptr<1>
    llvm.br ^next
  ^poll:
    %f = llvm.load %at atomic syncscope("device") acquire {alignment = 4 : i64} : !llvm.ptr<1> -> i32
    %set = llvm.icmp "eq" %f, %one : i32
    llvm.cond_br %set, ^read, ^poll
  ^read:
    %v = llvm.load %own : !llvm.ptr<1> -> i32
    %to = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %to : i32, !llvm.ptr<1>
    llvm.br ^next
  ^next:
    %j = llvm.add %i, %one : i32
    %more = llvm.icmp "ult" %j, %n : i32
    llvm.cond_br %more, ^loop(%j : i32), ^exit
  ^exit:
    llvm.return
  }
}
