// REQUIRES: cutec
// RUN: %cutec %s --target sm_90a | FileCheck %s
// RUN: %if ptxas %{ %cutec %s --target sm_80 --emit cubin -o %t.cubin %}
// RUN: %cutec run %s --grid 1 --arg f32[1]=1 --arg f32=0.0625 --arg f32=3 --arg f32=2 | FileCheck %s --check-prefix=SIMULATED

// Math without libdevice.
// CHECK-NOT: __nv_
// CHECK: fma.rn.f32
// CHECK: cvt.rpi.f32.f32
// CHECK: ex2.approx.f32
// CHECK: sqrt.rn.f32
// SIMULATED: k: 1 block, 1 thread,
gpu.module @m {
  gpu.func @k(%out: !llvm.ptr<1>, %x: f32, %y: f32, %z: f32) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %0 = math.fma %x, %y, %z : f32
    %1 = math.ceil %0 : f32
    %2 = math.exp2 %1 : f32
    %3 = math.rsqrt %2 : f32
    llvm.store %3, %out : f32, !llvm.ptr<1>
    gpu.return
  }
}
