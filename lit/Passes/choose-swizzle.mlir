// RUN: %opt %s | %opt | FileCheck %s --check-prefix=PRINT
// RUN: %opt %s --pass-pipeline='builtin.module(cute-choose-swizzle)' 2>&1 | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cute-compile{target=sm_90a})' 2>&1 | FileCheck %s --check-prefix=CODE

// 32 lanes write rows of words, and read columns of them.
!tile = !cute.memref<f32, smem, align<16>, "(32,32):(32,1)">
!word = !cute_nvgpu.atom.universal_copy<f32>
!rows = !cute.tiled_copy<!word, layout_copy_tv = <"(32,32):(32,1)">, tiler_mn = <"[32:1;32:1]">>
!columns = !cute.tiled_copy<!word, layout_copy_tv = <"(32,32):(1,32)">, tiler_mn = <"[32:1;32:1]">>
!own = !cute.memref<f32, rmem, align<32>, "((1,32),1,1):((0,1),0,0)">

// CHECK: remark: swizzle = auto is S<5,0,5> of elements, 64 passes of a block's accesses, 1056 without; no bank conflicts
// CHECK: remark: swizzle = auto is none, 32 passes of a block's accesses; no bank conflicts
gpu.module @m {
  // CHECK-LABEL: gpu.func @exchange
  gpu.func @exchange() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %thread = gpu.thread_id x
    %t32 = arith.index_cast %thread : index to i32
    %t = cute.make_coord(%t32) : (i32) -> !cute.coord<"?">
    // The pointer's swizzle is one of bytes; the tile begins where its bits do.
    // CHECK: cute.memref.alloc_smem() : !cute.memref<f32, smem, align<4096>, S<5,2,5>, "(32,32):(32,1)">
    // CODE: addr_space = 3 : i32, alignment = 4096
    // PRINT: cute.memref.alloc_smem() swizzle = auto : !cute.memref<f32, smem, align<16>, "(32,32):(32,1)">
    %tile = cute.memref.alloc_smem() swizzle = auto : !tile
    %atom = cute.make_atom() : () -> !word
    %rows = cute.make_tiled_copy(%atom) : !rows
    %columns = cute.make_tiled_copy(%atom) : !columns
    // CHECK: cute.tiled.copy.partition_D{{.*}} -> !cute.memref<f32, smem, S<5,2,5>, "((1,32),1,1):((0,{{[0-9]+}}),0,0)">
    %into = cute.tiled.copy.partition_D(%rows, %tile, %t) : (!rows, !tile, !cute.coord<"?">) -> !cute.memref<f32, smem, "((1,32),1,1):((0,32),0,0)">
    %from = cute.tiled.copy.partition_S(%columns, %tile, %t) : (!columns, !tile, !cute.coord<"?">) -> !cute.memref<f32, smem, align<16>, "((1,32),1,1):((0,1),0,0)">
    %own = cute.memref.alloca() : !own
    cute.copy(%rows, %own, %into) : (!rows, !own, !cute.memref<f32, smem, "((1,32),1,1):((0,32),0,0)">)
    nvvm.barrier0
    cute.copy(%columns, %from, %own) : (!columns, !cute.memref<f32, smem, align<16>, "((1,32),1,1):((0,1),0,0)">, !own)
    // CODE: llvm.xor
    gpu.return
  }

  // Nobody has conflicts: the tile stays as it is.
  // CHECK-LABEL: gpu.func @rows
  gpu.func @rows() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t32 = nvvm.read.ptx.sreg.tid.x : i32
    %t = cute.make_coord(%t32) : (i32) -> !cute.coord<"?">
    // CHECK: cute.memref.alloc_smem() : !cute.memref<f32, smem, align<16>, "(32,32):(32,1)">
    %tile = cute.memref.alloc_smem() swizzle = auto : !tile
    %atom = cute.make_atom() : () -> !word
    %rows = cute.make_tiled_copy(%atom) : !rows
    %into = cute.tiled.copy.partition_D(%rows, %tile, %t) : (!rows, !tile, !cute.coord<"?">) -> !cute.memref<f32, smem, "((1,32),1,1):((0,32),0,0)">
    %own = cute.memref.alloca() : !own
    cute.copy(%rows, %own, %into) : (!rows, !own, !cute.memref<f32, smem, "((1,32),1,1):((0,32),0,0)">)
    gpu.return
  }

  // A lane is counted along x first, then along y, whichever op names it.
  // CHECK-LABEL: gpu.func @lane_id
  gpu.func @lane_id() kernel attributes {known_block_size = array<i32: 8, 4, 1>} {
    // CHECK: cute.memref.alloc_smem() : !cute.memref<f32, smem, align<4096>, S<5,2,5>, "(32,32):(32,1)">
    %tile = cute.memref.alloc_smem() swizzle = auto : !tile
    %lane = gpu.lane_id
    %lane32 = arith.index_cast %lane : index to i32
    %column = cute.make_coord(%lane32) : (i32) -> !cute.coord<"(?,0)">
    %row = cute.make_coord(%lane32) : (i32) -> !cute.coord<"(0,?)">
    %value = cute.memref.load(%tile, %column) : (!tile, !cute.coord<"(?,0)">) -> f32
    cute.memref.store(%tile, %row, %value) : (!tile, !cute.coord<"(0,?)">, f32) -> ()
    gpu.return
  }

  // CHECK-LABEL: gpu.func @laneid
  gpu.func @laneid() kernel attributes {known_block_size = array<i32: 8, 4, 1>} {
    // CHECK: cute.memref.alloc_smem() : !cute.memref<f32, smem, align<4096>, S<5,2,5>, "(32,32):(32,1)">
    %tile = cute.memref.alloc_smem() swizzle = auto : !tile
    %lane32 = nvvm.read.ptx.sreg.laneid : i32
    %column = cute.make_coord(%lane32) : (i32) -> !cute.coord<"(?,0)">
    %row = cute.make_coord(%lane32) : (i32) -> !cute.coord<"(0,?)">
    %value = cute.memref.load(%tile, %column) : (!tile, !cute.coord<"(?,0)">) -> f32
    cute.memref.store(%tile, %row, %value) : (!tile, !cute.coord<"(0,?)">, f32) -> ()
    gpu.return
  }
}
