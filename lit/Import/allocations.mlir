// REQUIRES: cute-opt, cutec
// RUN: %cutec import %s 2>&1 | FileCheck %s
// RUN: %cutec run %s --host --target sm_90a --arg out:i32[4] | FileCheck %s --check-prefix=LAUNCH

// Shared memory that a kernel allocates by `alloc_smem` is dynamic memory, and its launch asks for it. A number counts elements.

// CHECK: rewrote 3 ops of another MLIR version: 3 cute_nvgpu.arch.alloc_smem
// LAUNCH: launch 1: k with grid [1, 1, 1], block [4, 1, 1], 416 bytes of dynamic shared memory
module attributes {gpu.container_module} {
  gpu.module @kernels {
    // CHECK: cuda.kernel @k(
    cuda.kernel @k(%out: !cute.memref<i32, gmem, align<16>, "4:1">) attributes {cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 4, 1, 1>} {
      // CHECK: %[[A:.*]] = cute.memref.alloca() : !cute.memref<i32, smem, align<16>, "4:1">
      // CHECK: cute.get_iter(%[[A]]) : !cute.memref<i32, smem, align<16>, "4:1">
      %p = cute_nvgpu.arch.alloc_smem(4) : !cute.ptr<i32, smem, align<16>>
      // CHECK: cute.memref.alloca() : !cute.memref<f16, smem, align<128>, "140:1">
      %q = "cute_nvgpu.arch.alloc_smem"() <{input = 140 : i32}> : () -> !cute.ptr<f16, smem, align<128>>
      // CHECK: cute.memref.alloca() : !cute.memref<i64, smem, "1:1">
      %r = cute_nvgpu.arch.alloc_smem : !cute.ptr<i64, smem>
      %l = cute.static : !cute.layout<"4:1">
      %v = cute.make_view(%p, %l) : !cute.memref<i32, smem, align<16>, "4:1">
      %t = nvvm.read.ptx.sreg.tid.x : i32
      %at = cute.make_coord(%t) : (i32) -> !cute.coord<"?">
      cute.memref.store(%v, %at, %t) : (!cute.memref<i32, smem, align<16>, "4:1">, !cute.coord<"?">, i32) -> ()
      %x = cute.memref.load(%v, %at) : (!cute.memref<i32, smem, align<16>, "4:1">, !cute.coord<"?">) -> i32
      cute.memref.store(%out, %at, %x) : (!cute.memref<i32, gmem, align<16>, "4:1">, !cute.coord<"?">, i32) -> ()
      cuda.return
    }
  }
  func.func @host(%out: !cute.memref<i32, gmem, align<16>, "4:1">, %stream: !cuda.stream) -> i32 attributes {llvm.emit_c_interface} {
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %none = arith.constant 0 : i64
    // CHECK: %[[SIZE:.*]] = cute.kernel_smem_size @kernels::@k : i64
    // CHECK: %[[BYTES:.*]] = arith.maxsi %{{.*}}, %[[SIZE]] : i64
    // CHECK: cuda.launch_cfg.create<max_attrs = 1 : i32>{{ *}}(blockDim = ({{.*}}), dynamicSmemBytes = %[[BYTES]],
    %cfg = cuda.launch_cfg.create<max_attrs = 1 : i32> (blockDim = (%c4, %c1, %c1), dynamicSmemBytes = %none, gridDim = (%c1, %c1, %c1), stream = %stream) : i32, i32, i32, i64, i32, i32, i32, !cuda.stream -> !cuda.launch_cfg<max_attrs = 1>
    %done = cuda.launch_ex @kernels::@k<%cfg> (%out) : !cuda.launch_cfg<max_attrs = 1>, (!cute.memref<i32, gmem, align<16>, "4:1">) -> !cuda.result
    %code = cuda.cast %done : !cuda.result -> i32
    return %code : i32
  }
}
