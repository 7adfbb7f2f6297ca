// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt %s --mlir-print-op-generic | %opt | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base,canonicalize)' | FileCheck %s --check-prefix=BASE

// Fragments of wgmma and tcgen05.mma: a descriptor for each tile of shared memory, and tensor memory from its first column on.

!wgmma = !cute.tiled_mma<!cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
!umma = !cute.tiled_mma<!cute_nvgpu.sm100.mma<128x128x16, num_cta = 1, ab_major = (k, mn), elem_type = (f16, f16, f32), frag_kind = ts, c_scale_exp = 0>, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
!pair = !cute.tiled_mma<!cute_nvgpu.sm100.mma<128x256x16, num_cta = 2, ab_major = (k, mn), elem_type = (bf16, bf16, f32), frag_kind = ss, c_scale_exp = 0>, atom_layout_MNK = <"(1,1,1):(0,0,0)">>

// CHECK-LABEL: @sums(
// CHECK: cute.mma.make_fragment C(%arg0, %arg1) : {{.*}} -> !cute.memref<f32, tmem, align<1>, "((64,(128,2)),1,1,2):((65536,(1,4194304)),0,0,128)">
// BASE-LABEL: @sums(
// BASE: %[[ORIGIN:.*]] = arith.constant 0 : i32
// BASE: return %[[ORIGIN]] : i32
!pair_sums = !cute.memref<f32, tmem, align<1>, "((64,(128,2)),1,1,2):((65536,(1,4194304)),0,0,128)">
func.func @sums(%arg0: !pair, %arg1: !cute.shape<"((64,256),1,1,2)">) -> !pair_sums {
  %0 = cute.mma.make_fragment C (%arg0, %arg1) : (!pair, !cute.shape<"((64,256),1,1,2)">) -> !pair_sums
  return %0 : !pair_sums
}

// 16-bit elements of A fill the columns of 32.
// CHECK-LABEL: @left(
// CHECK: cute.mma.make_fragment A(%arg0, %arg1) : {{.*}} -> !cute.memref<f16, tmem, align<1>, "((128,16),1,(4,2),1):((131072,1),0,(16,64),0)">
!left = !cute.memref<f16, tmem, align<1>, "((128,16),1,(4,2),1):((131072,1),0,(16,64),0)">
func.func @left(%arg0: !umma, %arg1: !cute.memref<f16, tmem, "((128,16),1,(4,2),1):((64,1),0,(16,8192),0)">) -> !left {
  %0 = cute.mma.make_fragment A (%arg0, %arg1) : (!umma, !cute.memref<f16, tmem, "((128,16),1,(4,2),1):((64,1),0,(16,8192),0)">) -> !left
  return %0 : !left
}

// For a view of wider elements, CuTe DSL counts lanes in these.
// CHECK-LABEL: @left_of_sums(
// CHECK: cute.mma.make_fragment A(%arg0, %arg1) : {{.*}} -> !cute.memref<f16, tmem, align<1>, "((128,16),1,(4,2),1):((65536,1),0,(16,64),0)">
!left_of_sums = !cute.memref<f16, tmem, align<1>, "((128,16),1,(4,2),1):((65536,1),0,(16,64),0)">
func.func @left_of_sums(%arg0: !umma, %arg1: !cute.memref<f32, tmem, "((128,16),1,(4,2),1):((64,1),0,(16,8192),0)">) -> !left_of_sums {
  %0 = cute.mma.make_fragment A (%arg0, %arg1) : (!umma, !cute.memref<f32, tmem, "((128,16),1,(4,2),1):((64,1),0,(16,8192),0)">) -> !left_of_sums
  return %0 : !left_of_sums
}

// Contiguous along K: 64 rows of 128 bytes further on begins the next atom of M, 32 bytes further on the next step of K. All
// fields of the descriptor but the address are one constant: 8 rows are 64 units of 16 bytes, and bit 62 is the swizzle.
// CHECK-LABEL: @rows(
// CHECK: cute.mma.make_fragment A(%arg0, %arg1) : {{.*}} -> !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,2,4,(1,7)):(0,512,2,(0,1024))">
// BASE-LABEL: @rows(
// BASE-SAME: %[[P:[a-z0-9]*]]: !llvm.ptr<3>) -> i64
// BASE-DAG: %[[FIELDS:.*]] = arith.constant 4611686293305360384 : i64
// BASE-DAG: %[[FIELD:.*]] = arith.constant 16383 : i32
// BASE-DAG: %[[FOUR:.*]] = arith.constant 4 : i32
// BASE: %[[BYTES:.*]] = llvm.ptrtoint %[[P]] : !llvm.ptr<3> to i32
// BASE-NEXT: %[[UNITS:.*]] = arith.shrsi %[[BYTES]], %[[FOUR]]
// BASE-NEXT: %[[KEPT:.*]] = arith.andi %[[UNITS]], %[[FIELD]]
// BASE-NEXT: %[[WIDE:.*]] = arith.extsi %[[KEPT]] : i32 to i64
// BASE-NEXT: %[[D:.*]] = arith.addi %[[WIDE]], %[[FIELDS]]
// BASE-NEXT: return %[[D]] : i64
!rows = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((64,16),2,4,(1,7)):((64,1),4096,16,(0,8192))">
!rows_at = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,2,4,(1,7)):(0,512,2,(0,1024))">
func.func @rows(%arg0: !wgmma, %arg1: !rows) -> !rows_at {
  %0 = cute.mma.make_fragment A (%arg0, %arg1) : (!wgmma, !rows) -> !rows_at
  return %0 : !rows_at
}

// Contiguous along N, for a pair of CTAs: a step of K is 16 rows of 128 bytes. The other generation's fields: bits 46 and 62.
// CHECK-LABEL: @columns(
// CHECK: cute.mma.make_fragment B(%arg0, %arg1) : {{.*}} -> !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,4,3):(0,0,128,1024)">
// BASE-LABEL: @columns(
// BASE-DAG: arith.constant 4611756662083026944 : i64
!columns = !cute.memref<bf16, smem, align<1024>, S<3,4,3>, "(((64,2),16),1,4,3):(((1,4096),64),0,1024,8192)">
!columns_at = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,4,3):(0,0,128,1024)">
func.func @columns(%arg0: !pair, %arg1: !columns) -> !columns_at {
  %0 = cute.mma.make_fragment B (%arg0, %arg1) : (!pair, !columns) -> !columns_at
  return %0 : !columns_at
}

// The type knows of 128 bytes, fewer than the swizzle repeats after.
// CHECK-LABEL: @anywhere(
// BASE-LABEL: @anywhere(
// BASE: arith.constant 4611686293305360384 : i64
!anywhere = !cute.memref<f16, smem, align<128>, S<3,4,3>, "((64,16),2,4,(1,7)):((64,1),4096,16,(0,8192))">
func.func @anywhere(%arg0: !wgmma, %arg1: !anywhere) -> !rows_at {
  %0 = cute.mma.make_fragment A (%arg0, %arg1) : (!wgmma, !anywhere) -> !rows_at
  return %0 : !rows_at
}
