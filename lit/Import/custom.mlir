// REQUIRES: cute-opt, cutec
// RUN: %cutec import %s 2>&1 | FileCheck %s
// RUN: %cutec %s --target sm_90a | FileCheck %s --check-prefix=PTX

// The same in custom assembly, as CuTe DSL prints it with locations, and the host function that launches the kernel. The
// kernel alone is compiled.

!vector = !cute.memref<f32, gmem, "(?):(1)">
#loc = loc("kernel.py":1:1)

// CHECK: is a module of CuTe DSL; rewrote 5 ops of another MLIR version: 1 vector.splat, 1 vector.extractelement, 1 nvvm.vote.ballot.sync, 1 nvvm.mbarrier.init.shared, 1 nvvm.fmax
module attributes {gpu.container_module} {
  gpu.module @kernels {
    // PTX: .visible .entry largest(
    // PTX: .reqntid 32
    cuda.kernel @largest(%a: !vector loc("kernel.py":2:1), %n: i32, %bar: !llvm.ptr<3>) attributes {cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
      %tid = nvvm.read.ptx.sreg.tid.x : i32 loc(#loc)
      %at = cute.make_coord(%tid) : (i32) -> !cute.coord<"?"> loc(#loc)
      %x = cute.memref.load(%a, %at) : (!vector, !cute.coord<"?">) -> f32 loc(#loc)
      // CHECK: vector.broadcast %{{.*}} : f32 to vector<2xf32>
      %v = vector.splat %x : vector<2xf32> loc(#loc)
      // CHECK: vector.extract
      %e = vector.extractelement %v[%n : i32] : vector<2xf32> loc(#loc)
      // CHECK: arith.maxnumf
      // PTX: max.f32
      %zero = arith.constant 0.0 : f32 loc(#loc)
      %m = nvvm.fmax %e, %zero loc(#loc)
      %p = arith.cmpf ogt, %m, %x : f32 loc(#loc)
      // CHECK: nvvm.vote.sync ballot
      // PTX: vote.sync.ballot.b32
      %b = nvvm.vote.ballot.sync %n, %p : i32 loc(#loc)
      // CHECK: nvvm.mbarrier.init
      // PTX: mbarrier.init.shared.b64
      nvvm.mbarrier.init.shared %bar, %b : !llvm.ptr<3>, i32 loc(#loc)
      nvvm.barrier loc(#loc)
      cute.memref.store(%a, %at, %m) : (!vector, !cute.coord<"?">, f32) -> () loc(#loc)
      return loc(#loc)
    } loc(#loc)
  } loc(#loc)
  // CHECK: func.func @host
  func.func @host(%a: !vector, %n: i32, %bar: !llvm.ptr<3>, %stream: !cuda.stream) -> i32 {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i32
    %c32 = arith.constant 32 : i32
    %cfg = cuda.launch_cfg.create<max_attrs = 2 : i32> (blockDim = (%c32, %c1, %c1), dynamicSmemBytes = %c0, gridDim = (%n, %c1, %c1), stream = %stream) : i32, i32, i32, i64, i32, i32, i32, !cuda.stream -> !cuda.launch_cfg<max_attrs = 2>
    // CHECK: cuda.launch_ex @kernels::@largest
    %r = cuda.launch_ex @kernels::@largest<%cfg> (%a, %n, %bar) : !cuda.launch_cfg<max_attrs = 2>, (!vector, i32, !llvm.ptr<3>) -> !cuda.result
    %code = cuda.cast %r : !cuda.result -> i32
    cuda.return_if_error %code : i32
    return %code : i32
  }
}
