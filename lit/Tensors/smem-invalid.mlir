// RUN: %opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(cute-to-base)'

// Dynamic shared memory that a kernel does not have, or has twice.

func.func @function() {
  // expected-error @below {{'cute.memref.alloca' op: allocates dynamic shared memory, which only a kernel has}}
  %0 = cute.memref.alloca() : !cute.memref<f32, smem, "8:1">
  return
}

// -----

gpu.module @kernels {
  gpu.func @both() kernel {
    %0 = cute_nvgpu.arch.get_dyn_smem() : !cute.ptr<i8, smem, align<16>>
    // expected-error @below {{'cute.memref.alloca' op: allocates dynamic shared memory, and 'cute_nvgpu.arch.get_dyn_smem' takes its base: the two would overlap}}
    %1 = cute.memref.alloca() : !cute.memref<f32, smem, "8:1">
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @partition() kernel {
    // expected-error @below {{'cute.memref.alloca' op: 'smem.partition_id' must be an integer from 0 on, found "user"}}
    %0 = cute.memref.alloca() {smem.partition_id = "user"} : !cute.memref<f32, smem, "8:1">
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @large() kernel {
    // expected-error @below {{'cute.memref.alloca' op: of 4294967296 bytes after 0 bytes is too large}}
    %0 = cute.memref.alloca() : !cute.memref<i8, smem, "4294967296:1">
    gpu.return
  }
}
