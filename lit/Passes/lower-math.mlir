// RUN: %opt %s --pass-pipeline='builtin.module(cute-lower-math)' | FileCheck %s

// Ops of the math dialect that PTX has.

// CHECK-LABEL: @floats(
// CHECK-NEXT: llvm.intr.fma(%arg0, %arg1, %arg1) {fastmathFlags = #llvm.fastmath<contract>} : (f32, f32, f32) -> f32
// CHECK-NEXT: llvm.call_intrinsic "llvm.sqrt"(%{{.+}}) : (f32) -> f32
// CHECK-NEXT: llvm.call_intrinsic "llvm.exp2"(
// CHECK-NEXT: llvm.call_intrinsic "llvm.fabs"(
// CHECK-NEXT: llvm.call_intrinsic "llvm.copysign"(%{{.+}}, %arg1)
// CHECK-NEXT: llvm.call_intrinsic "llvm.floor"(
// CHECK-NEXT: llvm.call_intrinsic "llvm.ceil"(
// CHECK-NEXT: llvm.intr.trunc(
// CHECK-NEXT: llvm.call_intrinsic "llvm.round"(
// CHECK-NEXT: llvm.call_intrinsic "llvm.roundeven"(
// CHECK-NEXT: %[[ROOT:.+]] = llvm.call_intrinsic "llvm.sqrt"(
// CHECK-NEXT: %[[ONE:.+]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %[[RESULT:.+]] = llvm.fdiv %[[ONE]], %[[ROOT]]
// CHECK-NEXT: return %[[RESULT]]
func.func @floats(%x: f32, %y: f32) -> f32 {
  %0 = math.fma %x, %y, %y fastmath<contract> : f32
  %1 = math.sqrt %0 : f32
  %2 = math.exp2 %1 : f32
  %3 = math.absf %2 : f32
  %4 = math.copysign %3, %y : f32
  %5 = math.floor %4 : f32
  %6 = math.ceil %5 : f32
  %7 = math.trunc %6 : f32
  %8 = math.round %7 : f32
  %9 = math.roundeven %8 : f32
  %10 = math.rsqrt %9 : f32
  return %10 : f32
}

// CHECK-LABEL: @vectors(
// CHECK: llvm.intr.fma(%arg0, %arg0, %arg0) : (vector<4xf16>, vector<4xf16>, vector<4xf16>) -> vector<4xf16>
// CHECK: arith.constant dense<1.000000e+00> : vector<4xf16>
func.func @vectors(%x: vector<4xf16>) -> vector<4xf16> {
  %0 = math.fma %x, %x, %x : vector<4xf16>
  %1 = math.rsqrt %0 : vector<4xf16>
  return %1 : vector<4xf16>
}

// CHECK-LABEL: @integers(
// CHECK: "llvm.intr.abs"(%arg0) <{is_int_min_poison = false}>
// CHECK: "llvm.intr.ctlz"(%{{.+}}) <{is_zero_poison = false}>
// CHECK: "llvm.intr.cttz"(%{{.+}}) <{is_zero_poison = false}>
// CHECK: llvm.intr.ctpop(
func.func @integers(%x: i32) -> i32 {
  %0 = math.absi %x : i32
  %1 = math.ctlz %0 : i32
  %2 = math.cttz %1 : i32
  %3 = math.ctpop %2 : i32
  return %3 : i32
}

// CHECK-LABEL: @planes(
// CHECK: vector.shape_cast %arg0 : vector<2x4xf32> to vector<8xf32>
// CHECK: llvm.call_intrinsic "llvm.sqrt"(%{{.+}}) : (vector<8xf32>) -> vector<8xf32>
// CHECK: vector.shape_cast %{{.+}} : vector<8xf32> to vector<2x4xf32>
func.func @planes(%x: vector<2x4xf32>) -> vector<2x4xf32> {
  %0 = math.sqrt %x : vector<2x4xf32>
  return %0 : vector<2x4xf32>
}

// CHECK-LABEL: @classes(
// CHECK: arith.cmpf uno, %arg0, %arg0 : vector<2xf32>
// CHECK: %[[I:.+]] = arith.constant dense<0x7F800000> : vector<2xf32>
// CHECK: arith.cmpf oeq, %{{.+}}, %[[I]]
// CHECK: arith.cmpf one, %{{.+}}, %{{.+}}
func.func @classes(%x: vector<2xf32>) -> (vector<2xi1>, vector<2xi1>, vector<2xi1>) {
  %0 = math.isnan %x : vector<2xf32>
  %1 = math.isinf %x : vector<2xf32>
  %2 = math.isfinite %x : vector<2xf32>
  return %0, %1, %2 : vector<2xi1>, vector<2xi1>, vector<2xi1>
}

// PTX has these, so that libdevice is not called.

// CHECK-LABEL: @bounds(
// CHECK: llvm.call_intrinsic "llvm.maxnum"
// CHECK: llvm.call_intrinsic "llvm.minnum"
// CHECK: arith.maximumf
// CHECK: arith.minimumf
func.func @bounds(%x: f32, %y: f32) -> f32 {
  %0 = arith.maxnumf %x, %y : f32
  %1 = arith.minnumf %0, %y : f32
  %2 = math.clampf %1 to [%x, %y] : f32
  return %2 : f32
}
