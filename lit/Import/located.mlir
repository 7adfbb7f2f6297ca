// REQUIRES: cutec
// RUN: not %cutec run %s --grid 1 --block 32 --arg p:i32[8] 2>&1 | FileCheck %s
// RUN: not %cutec run %s --grid 1 --block 32 --arg p:i32[8] --report json 2>&1 | FileCheck %s --check-prefix=JSON

// A finding begins with the file and the line of a location that has a name.

// CHECK: error: /home/x.py:40:8: `llvm.store` in block (0, 0, 0)
// JSON: "location": "/home/x.py:40:8"
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%p: !llvm.ptr<1>) kernel {
      %t = nvvm.read.ptx.sreg.tid.x : i32
      %at = llvm.getelementptr %p[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
      llvm.store %t, %at : i32, !llvm.ptr<1> loc("out[i] = i"("/home/x.py":40:8))
      gpu.return
    }
  }
}
