// RUN: %opt %s -verify-diagnostics --pass-pipeline='builtin.module(gpu.module(gpu.func(cute-to-base)))'

// MLIR runs passes on functions in parallel. A pass that adds symbols to the module must run on the module.
gpu.module @m {
  // expected-error@+1 {{cute-to-base runs on a builtin.module or gpu.module, not on 'gpu.func': it adds symbols to the module; write it outside 'gpu.func(..)' in the pipeline}}
  gpu.func @k() kernel {
    %0 = cute.memref.alloc_smem() : !cute.memref<f32, smem, align<16>, "(64):(1)">
    gpu.return
  }
}
