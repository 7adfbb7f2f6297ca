// REQUIRES: cute-opt, cutec
// RUN: not %cutec import %s 2>&1 | FileCheck %s
// RUN: not %opt --import %s 2>&1 | FileCheck %s

// Modules with locations name lines of Python. An error begins with the file and the line, also where the location has a name, is that
// of a call or is fused, so that an editor finds it.

module attributes {gpu.container_module} {
  gpu.module @kernels {
    cuda.kernel @k(%n: i32, %p: !llvm.ptr<1>) attributes {cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
      // CHECK: {{^}}/home/x.py:629:0: error: 'nvvm.barrier.cta.sync' op needs a barrier
      "nvvm.barrier.cta.sync"() : () -> () loc("smem = utils.SmemAllocator()"("/home/x.py":629:0))
      // CHECK: {{^}}/home/x.py:12:4: error: 'nvvm.barrier.cta.arrive' op needs a barrier and a number of threads
      "nvvm.barrier.cta.arrive"(%n) : (i32) -> () loc(callsite("call"("/home/x.py":12:4) at "/home/y.py":3:1))
      // CHECK: {{^}}/home/x.py:13:2: error: 'nvvm.barrier.cta.arrive' op needs a barrier and a number of threads
      "nvvm.barrier.cta.arrive"(%n) : (i32) -> () loc(fused<"why">["line"("/home/x.py":13:2), "/home/y.py":4:1])
      cuda.return
    }
  }
}
