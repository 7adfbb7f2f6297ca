// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s --check-prefix=FOLD
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize,cute-fold-static,cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// Modes [begin, end) as one.

// CHECK-LABEL: @layout(
// CHECK: cute.group_modes<0, 2> (%arg0) : (!cute.layout<"(4,5,6):(1,4,20)">) -> !cute.layout<"((4,5),6):((1,4),20)">
// FOLD-LABEL: @layout(
// FOLD-NEXT: {{.*}}cute.static : !cute.layout<"((4,5),6):((1,4),20)">
// FOLD-NEXT: return
// BASE-LABEL: @layout(
// BASE-NEXT: return
func.func @layout(%arg0: !cute.layout<"(4,5,6):(1,4,20)">) -> !cute.layout<"((4,5),6):((1,4),20)"> {
  %0 = cute.group_modes<0, 2> (%arg0) : (!cute.layout<"(4,5,6):(1,4,20)">) -> !cute.layout<"((4,5),6):((1,4),20)">
  return %0 : !cute.layout<"((4,5),6):((1,4),20)">
}

// CHECK-LABEL: @memref(
// CHECK: cute.group_modes<1, 3> (%arg0) : (!cute.memref<f32, gmem, "(4,5,6):(1,4,20)">) -> !cute.memref<f32, gmem, "(4,(5,6)):(1,(4,20))">
// FOLD-LABEL: @memref(
// FOLD-NEXT: {{.*}}cute.group_modes<1, 3> (%arg0) : (!cute.memref<f32, gmem, "(4,5,6):(1,4,20)">) -> !cute.memref<f32, gmem, "(4,(5,6)):(1,(4,20))">
// FOLD-NEXT: return
// BASE-LABEL: @memref(
// BASE-NEXT: return %arg0 : !llvm.ptr<1>
func.func @memref(%arg0: !cute.memref<f32, gmem, "(4,5,6):(1,4,20)">) -> !cute.memref<f32, gmem, "(4,(5,6)):(1,(4,20))"> {
  %0 = cute.group_modes<1, 3> (%arg0) : (!cute.memref<f32, gmem, "(4,5,6):(1,4,20)">) -> !cute.memref<f32, gmem, "(4,(5,6)):(1,(4,20))">
  return %0 : !cute.memref<f32, gmem, "(4,(5,6)):(1,(4,20))">
}

// CHECK-LABEL: @coord_tensor(
// CHECK: cute.group_modes<0, 2> (%arg0) : (!cute.coord_tensor<"(0,0)", "(4,8):(1@0,1@1)">) -> !cute.coord_tensor<"(0,0)", "((4,8)):((1@0,1@1))">
// FOLD-LABEL: @coord_tensor(
// FOLD-NEXT: {{.*}}cute.static : !cute.coord_tensor<"(0,0)", "((4,8)):((1@0,1@1))">
// FOLD-NEXT: return
// BASE-LABEL: @coord_tensor(
// BASE-NEXT: return
func.func @coord_tensor(%arg0: !cute.coord_tensor<"(0,0)", "(4,8):(1@0,1@1)">) -> !cute.coord_tensor<"(0,0)", "((4,8)):((1@0,1@1))"> {
  %0 = cute.group_modes<0, 2> (%arg0) : (!cute.coord_tensor<"(0,0)", "(4,8):(1@0,1@1)">) -> !cute.coord_tensor<"(0,0)", "((4,8)):((1@0,1@1))">
  return %0 : !cute.coord_tensor<"(0,0)", "((4,8)):((1@0,1@1))">
}

// CHECK-LABEL: @composed_layout(
// CHECK: cute.group_modes<0, 2> (%arg0) : (!cute.composed_layout<"S<3,4,3> o 0 o (8,64,2):(64,1,512)">) -> !cute.composed_layout<"S<3,4,3> o 0 o ((8,64),2):((64,1),512)">
// FOLD-LABEL: @composed_layout(
// FOLD-NEXT: {{.*}}cute.static : !cute.composed_layout<"S<3,4,3> o 0 o ((8,64),2):((64,1),512)">
// FOLD-NEXT: return
// BASE-LABEL: @composed_layout(
// BASE-NEXT: return
func.func @composed_layout(%arg0: !cute.composed_layout<"S<3,4,3> o 0 o (8,64,2):(64,1,512)">) -> !cute.composed_layout<"S<3,4,3> o 0 o ((8,64),2):((64,1),512)"> {
  %0 = cute.group_modes<0, 2> (%arg0) : (!cute.composed_layout<"S<3,4,3> o 0 o (8,64,2):(64,1,512)">) -> !cute.composed_layout<"S<3,4,3> o 0 o ((8,64),2):((64,1),512)">
  return %0 : !cute.composed_layout<"S<3,4,3> o 0 o ((8,64),2):((64,1),512)">
}

// CHECK-LABEL: @shape(
// CHECK: cute.group_modes<0, 2> (%arg0) : (!cute.shape<"(?,5,6)">) -> !cute.shape<"((?,5),6)">
// FOLD-LABEL: @shape(
// FOLD-NEXT: {{.*}}cute.group_modes<0, 2> (%arg0) : (!cute.shape<"(?,5,6)">) -> !cute.shape<"((?,5),6)">
// FOLD-NEXT: return
// BASE-LABEL: @shape(
// BASE-NEXT: return %arg0 : i32
func.func @shape(%arg0: !cute.shape<"(?,5,6)">) -> !cute.shape<"((?,5),6)"> {
  %0 = cute.group_modes<0, 2> (%arg0) : (!cute.shape<"(?,5,6)">) -> !cute.shape<"((?,5),6)">
  return %0 : !cute.shape<"((?,5),6)">
}

// CHECK-LABEL: @wide(
// CHECK: cute.group_modes<0, 2> (%arg0) : (!cute.shape<"(?{i64 div=8},5,6)">) -> !cute.shape<"((?{i64 div=8},5),6)">
// FOLD-LABEL: @wide(
// FOLD-NEXT: {{.*}}cute.group_modes<0, 2> (%arg0) : (!cute.shape<"(?{i64 div=8},5,6)">) -> !cute.shape<"((?{i64 div=8},5),6)">
// FOLD-NEXT: return
// BASE-LABEL: @wide(
// BASE-NEXT: return %arg0 : i64
func.func @wide(%arg0: !cute.shape<"(?{i64 div=8},5,6)">) -> !cute.shape<"((?{i64 div=8},5),6)"> {
  %0 = cute.group_modes<0, 2> (%arg0) : (!cute.shape<"(?{i64 div=8},5,6)">) -> !cute.shape<"((?{i64 div=8},5),6)">
  return %0 : !cute.shape<"((?{i64 div=8},5),6)">
}
