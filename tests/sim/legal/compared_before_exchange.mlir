// Threads of two blocks add to a word by `atom.cas`, which first expects the value of a weak load.
//
// A note: the load races with the exchanges of others, but its value is only compared with the
// word, and the exchange fails if another one came between. The CUDA C++ Programming Guide adds
// doubles like this, and cuda_bf16.hpp pairs of bf16.
//
// launch: 2 32
// args: i32[4]=1
// pedantic: no
// gives: 65 1 1 1

gpu.module @kernels {
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %one = llvm.mlir.constant(1 : i32) : i32
    %old = llvm.load %out : !llvm.ptr<1> -> i32
    llvm.br ^try(%old : i32)
  ^try(%assumed: i32):
    %sum = llvm.add %assumed, %one : i32
    %pair = llvm.cmpxchg %out, %assumed, %sum monotonic monotonic : !llvm.ptr<1>, i32
    %found = llvm.extractvalue %pair[0] : !llvm.struct<(i32, i1)>
    %done = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
    llvm.cond_br %done, ^end, ^try(%found : i32)
  ^end:
    llvm.return
  }
}
