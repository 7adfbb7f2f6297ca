// REQUIRES: cutec
// RUN: %cutec %s --target sm_90a --libdevice none | FileCheck %s
// RUN: %cutec %s --target sm_90a --libdevice none --fmad false | FileCheck %s --check-prefix=APART
// RUN: %cutec %s --target sm_90a --fast-math | FileCheck %s --check-prefix=FAST
// RUN: %if ptxas %{ %cutec %s --target sm_80 --libdevice none --emit cubin -o %t.cubin %}
// RUN: %cutec run %s --grid 1 --libdevice none --arg f32[8]=1 --arg f32=0.5 | FileCheck %s --check-prefix=SIMULATED

// Products and sums are contracted by default, and otherwise neither LLVM nor ptxas may do it, whatever flags say. Nothing calls a
// library that is not there.

// CHECK-NOT: .extern
// CHECK: fma.rn.f32
// CHECK: max.f32
// APART-NOT: fma.rn.f32
// APART: mul.rn.f32
// APART: add.rn.f32
// APART-NOT: fma.rn.f32
// FAST: ex2.approx.ftz.f32
// SIMULATED: k: 1 block, 1 thread,
gpu.module @m {
  gpu.func @k(%out: !llvm.ptr<1>, %x: f32) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %v = llvm.load %out {alignment = 4 : i64} : !llvm.ptr<1> -> vector<4xf32>
    %w = vector.broadcast %x : f32 to vector<4xf32>
    %p = arith.mulf %v, %w fastmath<contract> : vector<4xf32>
    %s = arith.addf %p, %w fastmath<contract> : vector<4xf32>
    %m = arith.maxnumf %s, %v : vector<4xf32>
    %e = math.exp2 %m : vector<4xf32>
    llvm.store %e, %out {alignment = 4 : i64} : vector<4xf32>, !llvm.ptr<1>
    gpu.return
  }
}
