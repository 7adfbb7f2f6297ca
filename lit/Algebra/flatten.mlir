// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// CHECK-LABEL: @layout(
// CHECK: cute.flatten(%arg0) : (!cute.layout<"(4,(2,8)):(1,(4,8))">) -> !cute.layout<"(4,2,8):(1,4,8)">
// FOLD-LABEL: @layout(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"(4,2,8):(1,4,8)">
// FOLD-NEXT: return
// BASE-LABEL: @layout(
// BASE-NEXT: return
func.func @layout(%arg0: !cute.layout<"(4,(2,8)):(1,(4,8))">) -> !cute.layout<"(4,2,8):(1,4,8)"> {
  %0 = cute.flatten(%arg0) : (!cute.layout<"(4,(2,8)):(1,(4,8))">) -> !cute.layout<"(4,2,8):(1,4,8)">
  return %0 : !cute.layout<"(4,2,8):(1,4,8)">
}

// CHECK-LABEL: @shape(
// CHECK: cute.flatten(%arg0) : (!cute.shape<"((?,5),6)">) -> !cute.shape<"(?,5,6)">
// FOLD-LABEL: @shape(
// FOLD-NEXT: {{.*}}cute.flatten(%arg0) : (!cute.shape<"((?,5),6)">) -> !cute.shape<"(?,5,6)">
// FOLD-NEXT: return
// BASE-LABEL: @shape(
// BASE-NEXT: return %arg0 : i32
func.func @shape(%arg0: !cute.shape<"((?,5),6)">) -> !cute.shape<"(?,5,6)"> {
  %0 = cute.flatten(%arg0) : (!cute.shape<"((?,5),6)">) -> !cute.shape<"(?,5,6)">
  return %0 : !cute.shape<"(?,5,6)">
}

// CHECK-LABEL: @composed_layout(
// CHECK: cute.flatten(%arg0) : (!cute.composed_layout<"S<3,4,3> o 0 o ((8,8),64):((64,512),1)">) -> !cute.composed_layout<"S<3,4,3> o 0 o (8,8,64):(64,512,1)">
// FOLD-LABEL: @composed_layout(
// FOLD-NEXT: {{.*}}cute.static : !cute.composed_layout<"S<3,4,3> o 0 o (8,8,64):(64,512,1)">
// FOLD-NEXT: return
// BASE-LABEL: @composed_layout(
// BASE-NEXT: return
func.func @composed_layout(%arg0: !cute.composed_layout<"S<3,4,3> o 0 o ((8,8),64):((64,512),1)">) -> !cute.composed_layout<"S<3,4,3> o 0 o (8,8,64):(64,512,1)"> {
  %0 = cute.flatten(%arg0) : (!cute.composed_layout<"S<3,4,3> o 0 o ((8,8),64):((64,512),1)">) -> !cute.composed_layout<"S<3,4,3> o 0 o (8,8,64):(64,512,1)">
  return %0 : !cute.composed_layout<"S<3,4,3> o 0 o (8,8,64):(64,512,1)">
}

// CHECK-LABEL: @tile(
// CHECK: cute.flatten(%arg0) : (!cute.tile<"{{\[\[}}3:1;_];4:1]">) -> !cute.tile<"[3:1;_;4:1]">
// FOLD-LABEL: @tile(
// FOLD-NEXT: {{.*}}cute.static : !cute.tile<"[3:1;_;4:1]">
// FOLD-NEXT: return
// BASE-LABEL: @tile(
// BASE-NEXT: return
func.func @tile(%arg0: !cute.tile<"[[3:1;_];4:1]">) -> !cute.tile<"[3:1;_;4:1]"> {
  %0 = cute.flatten(%arg0) : (!cute.tile<"[[3:1;_];4:1]">) -> !cute.tile<"[3:1;_;4:1]">
  return %0 : !cute.tile<"[3:1;_;4:1]">
}

// CHECK-LABEL: @wide(
// CHECK: cute.flatten(%arg0) : (!cute.shape<"((?{i64 div=8},5),6)">) -> !cute.shape<"(?{i64 div=8},5,6)">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.flatten(%arg0) : (!cute.shape<"((?{i64 div=8},5),6)">) -> !cute.shape<"(?{i64 div=8},5,6)">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: return %arg0 : i64
func.func @wide(%arg0: !cute.shape<"((?{i64 div=8},5),6)">) -> !cute.shape<"(?{i64 div=8},5,6)"> {
  %0 = cute.flatten(%arg0) : (!cute.shape<"((?{i64 div=8},5),6)">) -> !cute.shape<"(?{i64 div=8},5,6)">
  return %0 : !cute.shape<"(?{i64 div=8},5,6)">
}
