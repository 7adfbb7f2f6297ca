// RUN: %opt %s --pass-pipeline='builtin.module(gpu.module(cute-to-base{runtime-checks}))' | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(gpu.module(cute-to-base))' | FileCheck %s --check-prefix=TOLD

// The promises of a kernel's parameter types are checked at entry, leaf by leaf, under the name in the location.
// Attributes stay with the first leaf of their parameter. Without checks LLVM is told the alignment instead: both at once would fold the check away.

!m = !cute.memref<f16, gmem, align<16>, "(?{div=64},(4,?)):(?{i64 div=8},(1,4))">

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @k(
  // CHECK-SAME: %[[P:[^:]+]]: !llvm.ptr<1> {llvm.noalias}, %[[M:[^:]+]]: i32, %[[N:[^:]+]]: i32, %[[D:[^:]+]]: i64, %[[X:[^:]+]]: !llvm.ptr {llvm.readonly}) kernel
  // CHECK: %[[A:.+]] = llvm.ptrtoint %[[P]] : !llvm.ptr<1> to i64
  // CHECK: arith.remui %[[A]], %{{.+}} : i64
  // CHECK: gpu.printf "parameter 'a': the address is 0x%llx, but its type promises a multiple of 16\0A", %[[A]]
  // CHECK-NEXT: llvm.intr.trap
  // CHECK: arith.cmpi slt, %[[M]]
  // CHECK: gpu.printf "parameter 'a': the extent of mode 0 is %d, but its type promises at least 1\0A", %[[M]]
  // CHECK: arith.remsi %[[M]]
  // CHECK: gpu.printf "parameter 'a': the extent of mode 0 is %d, but its type promises a multiple of 64\0A", %[[M]]
  // CHECK: gpu.printf "parameter 'a': the extent of mode (1,1) is %d, but its type promises at least 1\0A", %[[N]]
  // CHECK: gpu.printf "parameter 'a': the stride of mode 0 is %lld, but its type promises a multiple of 8\0A", %[[D]]
  // CHECK-NOT: gpu.printf
  // CHECK: gpu.return
  // TOLD-LABEL: gpu.func @k(
  // TOLD-SAME: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias}, %{{[^:]+}}: i32, %{{[^:]+}}: i32, %{{[^:]+}}: i64, %{{[^:]+}}: !llvm.ptr {llvm.readonly}) kernel
  // TOLD-NOT: trap
  gpu.func @k(%a: !m {llvm.noalias} loc("a"), %x: !llvm.ptr {llvm.readonly}) kernel {
    gpu.return
  }

  // Calls within the module are not checked again.
  // CHECK-LABEL: gpu.func @device(
  // CHECK-NOT: trap
  // CHECK: gpu.return
  gpu.func @device(%a: !m) {
    gpu.return
  }
}
