// REQUIRES: cute-opt, cutec
// RUN: not %cutec %s --target sm_90a 2>&1 | FileCheck %s
// RUN: not %cutec import %s 2>&1 | FileCheck %s
// RUN: not %cutec host %s 2>&1 | FileCheck %s

// CuTe DSL adds TVM-FFI functions after its passes, when the kernels are compiled.

module attributes {gpu.container_module} {
  llvm.func @twice(%x: !llvm.ptr, %n: i32) -> i32 {
    llvm.return %n : i32
  }
  // CHECK: tvm-ffi-invalid.mlir:[[#@LINE+1]]:3: error: 'llvm.func' op @__tvm_ffi_twice is a TVM-FFI function, which CuTe DSL adds after its own passes; use the module before any pass, which has the host function without TVM-FFI
  llvm.func @__tvm_ffi_twice(%handle: !llvm.ptr, %arguments: !llvm.ptr, %count: i32, %result: !llvm.ptr) -> i32 {
    llvm.return %count : i32
  }
}
