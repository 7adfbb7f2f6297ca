// REQUIRES: cutec
// RUN: %cutec %s --target sm_90a -o %t.ptx 2>&1 | FileCheck %s
// RUN: %cutec %s --target sm_90a --fast-math -o %t.ptx 2>&1 | FileCheck %s --check-prefix=FAST --allow-empty
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx

// A loop that spends its time on subnormal results of `exp2`. The loop of @none has fast math, and @once has no loop.

// CHECK: exponents.mlir:[[#@LINE+18]]:12: remark: about {{[0-9]+}} of {{[0-9]+}} instructions of a loop keep subnormal results of exp2: `math.exp2 .. fastmath<fast>` is one instruction, which gives 0 for them
// CHECK-NOT: remark
// FAST-NOT: remark
// PTX-NOT: ex2.approx.f32
!values = !cute.memref<f32, gmem, align<16>, "4:1">
gpu.module @kernels {
  gpu.func @once(%all: !values) kernel {
    %x = cute.memref.load_vec %all : !values
    %y = math.exp2 %x : vector<4xf32>
    cute.memref.store_vec %y, %all : !values
    gpu.return
  }
  gpu.func @looped(%all: !values, %n: i32) kernel {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %x = cute.memref.load_vec %all : !values

      %y = math.exp2 %x : vector<4xf32>
      cute.memref.store_vec %y, %all : !values
    }
    gpu.return
  }
  gpu.func @none(%all: !values, %n: i32) kernel {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %x = cute.memref.load_vec %all : !values
      %y = math.exp2 %x fastmath<fast> : vector<4xf32>
      cute.memref.store_vec %y, %all : !values
    }
    gpu.return
  }
}
