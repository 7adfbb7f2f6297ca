// One lane releases what its warp wrote, and one lane acquires it for its warp.
// launch: 2 32
// args: i32[32] i32[1] i32[32]
// gives: 0 1 2 3

gpu.module @kernels {
  llvm.func @kernel(%data: !llvm.ptr<1>, %flag: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %all = llvm.mlir.constant(-1 : i32) : i32
    %at = llvm.getelementptr %data[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %leads = llvm.icmp "eq" %t, %zero : i32
    %writes = llvm.icmp "eq" %b, %zero : i32
    llvm.cond_br %writes, ^write, ^wait
  ^write:
    llvm.store %t, %at : i32, !llvm.ptr<1>
    nvvm.bar.warp.sync %all : i32
    llvm.cond_br %leads, ^release, ^exit
  ^release:
    llvm.store %one, %flag atomic syncscope("device") release {alignment = 4 : i64} : i32, !llvm.ptr<1>
    llvm.br ^exit
  ^wait:
    llvm.cond_br %leads, ^poll, ^read
  ^poll:
    %f = llvm.load %flag atomic syncscope("device") acquire {alignment = 4 : i64} : !llvm.ptr<1> -> i32
    %set = llvm.icmp "eq" %f, %one : i32
    llvm.cond_br %set, ^read, ^poll
  ^read:
    nvvm.bar.warp.sync %all : i32
    %v = llvm.load %at : !llvm.ptr<1> -> i32
    %to = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %to : i32, !llvm.ptr<1>
    llvm.br ^exit
  ^exit:
    llvm.return
  }
}
