// REQUIRES: cute-opt, cutec
// RUN: not %cutec %s --profile dsl-4.4 --target sm_100a 2>&1 | FileCheck %s --check-prefix=DSL
// RUN: not %cutec %s --profile cute-rs --target sm_100a 2>&1 | FileCheck %s --check-prefix=RS

// A module that no one program has written is an error in every profile, and so is an op that is newer than it.

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // RS: profile-invalid.mlir:[[#@LINE+1]]:5: error: 'cuda.kernel' op is one of CuTe DSL 4.3 and later, zml, but the profile is cute-rs; this module mixes forms of several producers, because in line [[#@LINE+11]], 'func.func' op has the mark of a kernel in a gpu.module, as in modules of cute-rs, CuTe DSL before 4.3; auto accepts it
    cuda.kernel @of_dsl(%p: !llvm.ptr<3>, %rank: i32, %m: !cute.memref<f32, gmem, "(4):(1)">) attributes {cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 1, 1, 1>} {
      // DSL: profile-invalid.mlir:[[#@LINE+1]]:12: error: 'nvvm.mapa' op is one of CuTe DSL 4.5 and later, cute-rs, zml, but the profile is dsl-4.4; no profile
      %q = nvvm.mapa %p, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
      // DSL: profile-invalid.mlir:[[#@LINE+1]]:12: error: 'cute.memref.load_vec' op has its operands in parentheses, as in modules of CuTe DSL 4.5 and later, cute-rs, zml, but the profile is dsl-4.4
      %v = cute.memref.load_vec(%m) : (!cute.memref<f32, gmem, "(4):(1)">) -> vector<4xf32>
      // DSL: profile-invalid.mlir:[[#@LINE+1]]:7: error: 'nvvm.fabs' op is one of CuTe DSL 4.5 and later, but the profile is dsl-4.4
      "nvvm.fabs"(%v) : (vector<4xf32>) -> vector<4xf32>
      cuda.return
    }
    // DSL: profile-invalid.mlir:[[#@LINE+1]]:5: error: 'func.func' op has the mark of a kernel in a gpu.module, {{.*}}, but the profile is dsl-4.4; this module mixes forms of several producers, because in line [[#@LINE-9]], 'cuda.kernel' op is one of CuTe DSL 4.3 and later, zml; auto accepts it
    func.func @of_rust() attributes {cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 1, 1, 1>} {
      return
    }
  }
}
