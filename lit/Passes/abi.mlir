// RUN: %opt %s --pass-pipeline='builtin.module(cuda-to-gpu,cute-to-base)' | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cuda-to-gpu{abi=flat},cute-to-base)' | FileCheck %s --check-prefix=FLAT
// RUN: %opt %s --pass-pipeline='builtin.module(cuda-to-gpu{abi=dsl},cute-to-base)' | FileCheck %s --check-prefix=DSL
// RUN: %opt %s --pass-pipeline='builtin.module(cuda-to-gpu,cute-to-base{runtime-checks})' | FileCheck %s --check-prefix=CHECKED
// RUN: %opt %s --pass-pipeline='builtin.module(cute-compile{target=sm_90a abi=flat})' | FileCheck %s --check-prefix=COMPILED

// A kernel of CuTe DSL is passed one parameter for each argument that is not static. A layout in it is a struct of its shape
// and its stride, each a struct of its dynamic leaves. Scalars and pointers are not in structs.

!view = !cute.memref<f32, gmem, align<16>, "(?,(?,4)):(?{i64},(?{i64 div=4},1))">
!fixed = !cute.memref<f32, gmem, "(8,8):(8,1)">
!coord = !cute.coord_tensor<"(0,0,0)", "(?,?,?):(1@0,1@1,1@2)">
!swizzled = !cute.memref<f16, gmem, "S<2,4,3> o 0 o (?,8):(8,?)">

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @k(
  // CHECK-SAME: %[[A:[^:]+]]: !llvm.struct<(ptr<1>, struct<(struct<(i32, i32)>, struct<(i64, i64)>)>)>,
  // CHECK-SAME: %[[F:[^:]+]]: !llvm.struct<(ptr<1>, struct<(struct<()>, struct<()>)>)>,
  // CHECK-SAME: %[[C:[^:]+]]: !llvm.struct<(struct<()>, struct<(struct<(i32, i32, i32)>, struct<()>)>)>,
  // CHECK-SAME: %[[S:[^:]+]]: !llvm.struct<(ptr<1>, struct<(struct<()>, struct<()>, struct<(struct<(i32)>, struct<(i32)>)>)>)>,
  // CHECK-SAME: %[[D:[^:]+]]: !llvm.struct<(i32, i32, i8, i8)>, %[[N:[^:]+]]: i32, %[[X:[^:]+]]: f32, %[[P:[^:]+]]: !llvm.ptr<1> {llvm.align = 8 : i64}, %[[M:[^:]+]]: !llvm.struct<(i1)>)
  // CHECK-SAME: kernel attributes {cute.abi = "dsl"
  // CHECK: %[[AP:.+]] = llvm.extractvalue %[[A]][0] : !llvm.struct<
  // CHECK-NEXT: %{{.+}} = llvm.extractvalue %[[A]][1, 0, 0] : !llvm.struct<
  // CHECK-NEXT: %{{.+}} = llvm.extractvalue %[[A]][1, 0, 1] : !llvm.struct<
  // CHECK-NEXT: %{{.+}} = llvm.extractvalue %[[A]][1, 1, 0] : !llvm.struct<
  // CHECK-NEXT: %{{.+}} = llvm.extractvalue %[[A]][1, 1, 1] : !llvm.struct<
  // The type's promise about the address is not lost.
  // CHECK: %[[ALIGN:.+]] = llvm.mlir.constant(16 : i64) : i64
  // CHECK: llvm.intr.assume %{{.+}} ["align"(%[[AP]], %[[ALIGN]] : !llvm.ptr<1>, i64)] : i1
  // Nor what it promises of extents.
  // CHECK: %[[C2:.+]] = llvm.extractvalue %[[C]][1, 0, 2]
  // The shifts of a divisor are bytes.
  // CHECK: %[[SHIFT:.+]] = llvm.extractvalue %[[D]][2] : !llvm.struct<(i32, i32, i8, i8)>
  // CHECK-NEXT: arith.extui %[[SHIFT]] : i8 to i32
  // CHECK: %[[POSITIVE:.+]] = arith.cmpi sgt, %[[C2]], %{{.+}} : i32
  // CHECK-NEXT: llvm.intr.assume %[[POSITIVE]] : i1
  // CHECK: gpu.return

  // FLAT-LABEL: gpu.func @k(
  // FLAT-SAME: !llvm.ptr<1> {llvm.align = 16 : i64}, %{{[^:]+}}: i32, %{{[^:]+}}: i32, %{{[^:]+}}: i64, %{{[^:]+}}: i64, %{{[^:]+}}: !llvm.ptr<1> {llvm.align = 4 : i64}, %{{[^:]+}}: i32, %{{[^:]+}}: i32, %{{[^:]+}}: i32, %{{[^:]+}}: !llvm.ptr<1> {llvm.align = 2 : i64}, %{{[^:]+}}: i32, %{{[^:]+}}: i32, %{{[^:]+}}: i32, %{{[^:]+}}: i32, %{{[^:]+}}: i32, %{{[^:]+}}: i32, %{{[^:]+}}: i32, %{{[^:]+}}: f32, %{{[^:]+}}: !llvm.ptr<1> {llvm.align = 8 : i64}, %{{[^:]+}}: i1)
  // FLAT-SAME: cute.abi = "flat"
  // FLAT-NOT: llvm.intr.assume
  // FLAT: gpu.return
  // COMPILED-LABEL: llvm.func @k(
  // COMPILED-SAME: !llvm.ptr<1> {llvm.align = 16 : i64

  // Promises are checked of what is taken out of the struct, and then LLVM is not told.
  // CHECKED-LABEL: gpu.func @k(
  // CHECKED: %[[P:.+]] = llvm.extractvalue %{{.+}}[0]
  // CHECKED-NOT: llvm.intr.assume
  // CHECKED: llvm.ptrtoint %[[P]]
  // CHECKED: gpu.printf "parameter 'a': the address is 0x%llx, but its type promises a multiple of 16\0A"
  cuda.kernel @k(%a: !view loc("a"), %f: !fixed, %c: !coord, %s: !swizzled, %d: !cute.fast_divmod_divisor<32>, %n: i32, %x: f32,
      %p: !cute.ptr<f32, gmem, align<8>>, %m: !cute_nvgpu.sm90.mma<64x8x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>, %static: !cute.layout<"4:1">) attributes {cute.kernel, gpu.kernel} {
    return
  }

  // Other kernels are passed leaves, unless they or the option say otherwise.
  // CHECK-LABEL: gpu.func @own(
  // CHECK-SAME: %{{[^:]+}}: !llvm.ptr<1> {llvm.align = 16 : i64}, %{{[^:]+}}: i32,
  // DSL-LABEL: gpu.func @own(
  // DSL-SAME: %{{[^:]+}}: !llvm.struct<(ptr<1>, struct<(struct<(i32, i32)>, struct<(i64, i64)>)>)>)
  gpu.func @own(%a: !view) kernel {
    gpu.return
  }
  // CHECK-LABEL: gpu.func @asked(
  // CHECK-SAME: %{{[^:]+}}: !llvm.struct<
  gpu.func @asked(%a: !view) kernel attributes {cute.abi = "dsl"} {
    gpu.return
  }

  // Attributes stay with their parameters.
  // CHECK-LABEL: gpu.func @attributes(
  // CHECK-SAME: %{{[^:]+}}: !llvm.struct<(ptr<1>, {{[^{]*}}>, %{{[^:]+}}: !llvm.ptr {llvm.noalias}) kernel
  gpu.func @attributes(%a: !view, %q: !llvm.ptr {llvm.noalias}) kernel attributes {cute.abi = "dsl"} {
    gpu.return
  }
}
