// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base)' | FileCheck %s --check-prefix=BASE

// On the host a call of printf, on the device gpu.printf. Static leaves are text, dynamic ones arguments.

// BASE-DAG: llvm.func @printf(!llvm.ptr, ...) -> i32
// BASE-DAG: llvm.mlir.global internal constant @[[LAYOUT:.+]]("(%d,8):(1,%lld)\0A\00")
// BASE-DAG: llvm.mlir.global internal constant @[[ALL:.+]]("100%% of (1,_,%d): [4:1;_] raw_ptr(0x%016llx: f32, gmem, align<4>) o 8:1 S<3,4,3>\0A\00")
// BASE-DAG: llvm.mlir.global internal constant @[[SAME:.+]]("(4,8):(1@0,2@1) %d\0A\00")

// CHECK-LABEL: @layout(
// CHECK: cute.print(%arg0) : !cute.layout<"(?,8):(1,?{i64})">
// BASE-LABEL: func.func @layout(
// BASE-SAME: %[[N:.+]]: i32, %[[LD:.+]]: i64)
// BASE-NEXT: %[[F:.+]] = llvm.mlir.addressof @[[LAYOUT]] : !llvm.ptr
// BASE-NEXT: llvm.call @printf(%[[F]], %[[N]], %[[LD]]) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32, i64) -> i32
func.func @layout(%arg0: !cute.layout<"(?,8):(1,?{i64})">) {
  cute.print(%arg0) : !cute.layout<"(?,8):(1,?{i64})">
  return
}

// CHECK-LABEL: @format(
// CHECK: cute.print("100% of {}: {} {} {}\0A", %arg0, %arg1, %arg2, %arg3) : !cute.coord<"(1,_,?)">, !cute.tile<"[4:1;_]">, !cute.memref<f32, gmem, "8:1">, !cute.swizzle<"S<3,4,3>">
// BASE-LABEL: func.func @format(
// BASE: %[[P:.+]] = llvm.ptrtoint %{{.+}} : !llvm.ptr<1> to i64
// BASE: llvm.mlir.addressof @[[ALL]]
// BASE: llvm.call @printf(%{{.+}}, %{{.+}}, %[[P]])
func.func @format(%arg0: !cute.coord<"(1,_,?)">, %arg1: !cute.tile<"[4:1;_]">, %arg2: !cute.memref<f32, gmem, "8:1">, %arg3: !cute.swizzle<"S<3,4,3>">) {
  cute.print("100% of {}: {} {} {}\0A", %arg0, %arg1, %arg2, %arg3) : !cute.coord<"(1,_,?)">, !cute.tile<"[4:1;_]">, !cute.memref<f32, gmem, "8:1">, !cute.swizzle<"S<3,4,3>">
  return
}

// Several values without a format stand side by side. The same format is there once.
// CHECK-LABEL: @many(
// BASE-LABEL: func.func @many(
// BASE-COUNT-2: llvm.mlir.addressof @[[SAME]] :
func.func @many(%arg0: !cute.composed_layout<"S<3,4,3> o 0 o (4,8):(1,4)">, %arg1: !cute.layout<"(4,8):(1@0,2@1)">, %arg2: i32) {
  cute.print(%arg1, %arg2) : !cute.layout<"(4,8):(1@0,2@1)">, i32
  cute.print(%arg1, %arg2) : !cute.layout<"(4,8):(1@0,2@1)">, i32
  return
}

// CHECK-LABEL: gpu.module @device
// BASE-LABEL: gpu.func @kernel(
// BASE: gpu.printf "(%d,8)\0A", %{{.+}} : i32
gpu.module @device {
  gpu.func @kernel(%arg0: !cute.shape<"(?,8)">) kernel {
    cute.print(%arg0) : !cute.shape<"(?,8)">
    gpu.return
  }
}
