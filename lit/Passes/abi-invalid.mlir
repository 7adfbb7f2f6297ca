// RUN: %opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(cuda-to-gpu,cute-to-base)'
// RUN: not %opt %s --pass-pipeline='builtin.module(cuda-to-gpu{abi=c})' 2>&1 | FileCheck %s
// RUN: not %opt %s --pass-pipeline='builtin.module(cute-compile{abi=c})' 2>&1 | FileCheck %s

// CHECK: error: 'builtin.module' op: 'c' is not the name of an ABI; there are dsl and flat

gpu.module @unknown {
  // expected-error @below {{'gpu.func' op 'cute.abi': 'windows' is not the name of an ABI; there are dsl and flat}}
  gpu.func @k() kernel attributes {cute.abi = "windows"} {
    gpu.return
  }
}

// -----

gpu.module @number {
  // expected-error @below {{'gpu.func' op 'cute.abi': 3 : i64 is not the name of an ABI}}
  gpu.func @k() kernel attributes {cute.abi = 3} {
    gpu.return
  }
}

// -----

gpu.module @pointers {
  // expected-error @below {{'gpu.func' op parameter 'a' is passed in a struct, which cannot have the attribute llvm.noalias; take it off, or compile with the flat ABI}}
  gpu.func @k(%a: !cute.memref<f32, gmem, "(?):(1)"> {llvm.noalias} loc("a")) kernel attributes {cute.abi = "dsl"} {
    gpu.return
  }
}
