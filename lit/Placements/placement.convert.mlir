// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cute-lower-atoms{target=sm_90a})' 2>&1 | FileCheck %s --check-prefix=CODE
// RUN: %opt %s --pass-pipeline='builtin.module(cute-lower-atoms{target=sm_90a},cute-to-base)' 2>&1 | FileCheck %s --check-prefix=BASE

// A warp's part of the accumulators of m16n8 (rows over lanes, two columns per lane), and of the A of m16k8 with 32 bits.
#sums = #cute.placement<"S[(2,8,4,2) : (2,4@laneid,1@laneid,1)]">
#tf32 = #cute.placement<"S[(2,8,2,4) : (1,4@laneid,2,1@laneid)]">
!four = !cute.memref<f32, rmem, align<16>, "(4):(1)">

// CODE: remark: 'cute.placement.convert' op: nothing moves
// CODE: remark: 'cute.placement.convert' op: registers move within their thread
// CODE: remark: 'cute.placement.convert' op: 4 shuffles of a warp
// CODE: remark: 'cute.placement.convert' op: a round trip through 1024 elements of shared memory under S<{{.*}}>, 64 passes

// CODE-LABEL: func @nothing
// CODE-NOT: shfl
func.func @nothing() {
  %c = cute.memref.alloca() {placement = #sums} : !four
  %a = cute.memref.alloca() {placement = #sums} : !four
  // CHECK: cute.placement.convert(%{{.*}}, %{{.*}}) : (!cute.memref<f32, rmem, align<16>, "(4):(1)">, !cute.memref<f32, rmem, align<16>, "(4):(1)">) -> ()
  cute.placement.convert(%c, %a) : (!four, !four) -> ()
  return
}

// CODE-LABEL: func @moves
// CODE-NOT: shfl
func.func @moves() {
  %c = cute.memref.alloca() {placement = #cute.placement<"S[(32,4) : (1@laneid,1)]">} : !four
  %a = cute.memref.alloca() {placement = #cute.placement<"S[(32,2,2) : (1@laneid,1,2)]">} : !four
  cute.placement.convert(%c, %a) : (!four, !four) -> ()
  return
}

// Every lane sends what the bits of its number say, and picks likewise.
// CODE-LABEL: func @shuffles
// BASE-LABEL: func @shuffles
// BASE-NOT: cute.
// BASE-COUNT-4: nvvm.shfl.sync idx
// CODE: %[[LANE:.*]] = nvvm.read.ptx.sreg.laneid
// CODE-COUNT-4: nvvm.shfl.sync idx
// CODE-NOT: shfl
// CODE-NOT: barrier
func.func @shuffles() {
  %c = cute.memref.alloca() {placement = #sums} : !four
  %a = cute.memref.alloca() {placement = #tf32} : !four
  cute.placement.convert(%c, %a) : (!four, !four) -> ()
  return
}

// CODE-LABEL: func @memory
// CODE: cute.memref.alloc_smem() : !cute.memref<i32, smem, align<16>, "(1024):(1)">
// CODE-COUNT-8: llvm.store %{{.*}} !llvm.ptr<3>
// CODE: nvvm.barrier0
// CODE-COUNT-8: llvm.load %{{.*}} !llvm.ptr<3>
// CODE: nvvm.barrier0
!eight = !cute.memref<f32, rmem, "(8):(1)">
func.func @memory() {
  %rows = cute.memref.alloca() {placement = #cute.placement<"S[(128,8) : (1@tx,1)]">} : !eight
  %columns = cute.memref.alloca() : !eight
  // CHECK: cute.placement.convert(%{{.*}}, %{{.*}}) {to = #cute.placement<"S[(8, 32, 4) : (1@m, 1@laneid, 1@warpid)]">}
  cute.placement.convert(%rows, %columns) {to = #cute.placement<"S[(8,32,4) : (1,1@laneid,1@warpid)]">} : (!eight, !eight) -> ()
  return
}
