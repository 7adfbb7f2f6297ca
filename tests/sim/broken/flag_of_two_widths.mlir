// A flag is set as 32 bits and polled as 64.
// launch: 1 64
// args: i32[6] i32[2] i32[1]
// finds: race
// says: reads byte 0 of buffer 1

gpu.module @kernels {
  llvm.func @kernel(%data: !llvm.ptr<1>, %flag: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %warp = llvm.mlir.constant(32 : i32) : i32
    %wide = llvm.mlir.constant(1 : i64) : i64
    %first = llvm.icmp "eq" %t, %zero : i32
    llvm.cond_br %first, ^narrow, ^test
  ^test:
    %second = llvm.icmp "eq" %t, %warp : i32
    llvm.cond_br %second, ^whole, ^exit
  ^narrow:
    llvm.store %one, %data : i32, !llvm.ptr<1>
    llvm.store %one, %flag atomic syncscope("device") release {alignment = 4 : i64} : i32, !llvm.ptr<1>
    llvm.br ^exit
  ^whole:
    %f = llvm.load %flag atomic syncscope("device") acquire {alignment = 8 : i64} : !llvm.ptr<1> -> i64
    %set = llvm.icmp "eq" %f, %wide : i64
    llvm.cond_br %set, ^exit, ^whole
  ^exit:
    llvm.return
  }
}
