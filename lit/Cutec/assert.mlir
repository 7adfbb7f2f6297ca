// REQUIRES: cutec
// RUN: %cutec %s --target sm_90a | FileCheck %s
// RUN: %cutec %s --target sm_90a --runtime-checks | FileCheck %s --check-prefix=CHECKED
// RUN: %if ptxas %{ %cutec %s --target sm_90a --runtime-checks --emit cubin -o %t.cubin %}
// RUN: %cutec run %s --grid 1 --shared 64 | FileCheck %s --check-prefix=SIM
// RUN: %cutec run %s --grid 1 --shared 128 --runtime-checks | FileCheck %s --check-prefix=SIM
// RUN: not %cutec run %s --grid 1 --shared 64 --runtime-checks 2>&1 | FileCheck %s --check-prefix=TRAP

// CuTe DSL compiles no assertions by default, so its kernels have none here either, unless runtime checks are asked for.

// CHECK-NOT: %dynamic_smem_size
// CHECK-NOT: __assertfail
// CHECK: ret;
// CHECKED: %dynamic_smem_size
// CHECKED: __assertfail
// SIM: done 128
// TRAP: shared memory is too small
module attributes {gpu.container_module} {
gpu.module @kernels {
cuda.kernel @k() attributes {nvvm.reqntid = array<i32: 1, 1, 1>} {
  %needed = arith.constant 128 : i32
  %given = cute_nvgpu.arch.get_dyn_smem_size() : i32
  %enough = arith.cmpi sge, %given, %needed : i32
  cf.assert %enough, "shared memory is too small"
  cute.print("done {}\n", %needed) : i32
  cuda.return
}
}
}
