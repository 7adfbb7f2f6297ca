// Transposes an M x N matrix of f16 into N x M, 128 bits a thread and global access both ways.
//
//   grid  (ceil(N / 64), ceil(M / 64)), block 128
//
// A block takes a 64 x 64 tile through shared memory. Coming in, 8 lanes load the 128 bytes of a row with cp.async,
// 16 rows at a time. Going out, 8 lanes store 128 bytes of a transposed row, so each of them gathers 8 elements of a
// column, one row apart: the 8 lanes of one row, 8 rows of the tile apart, would all hit the same bank.
//
// The swizzle S<3,3,6> XORs row / 8 into the 16-byte chunk of the row (bits 9..11 of the element index into bits
// 3..5): every lane of a gather finds its bank free, and 16-byte pieces stay whole for cp.async.
//
// N and M are multiples of 8, as are the pitches: a 128-bit access is inside a matrix, or outside, as a whole.

!src = !cute.memref<f16, gmem, align<16>, "(?,?{div=8}):(?{i64 div=8},1)">
!dst = !cute.memref<f16, gmem, align<16>, "(?,?{div=8}):(?{i64 div=8},1)">
!tile = !cute.memref<f16, gmem, align<16>, "(64,64):(?{i64 div=8},1)">
!coords = !cute.coord_tensor<"(0,0)", "(?,?{div=8}):(1@0,1@1)">
!coord_tile = !cute.coord_tensor<"(?{div=64},?{div=64})", "(64,64):(1@0,1@1)">

// Shared memory, by (row, column) and by (column, row).
!smem = !cute.memref<f16, smem, align<1024>, "S<3,3,6> o 0 o (64,64):(64,1)">
!smem_t = !cute.memref<f16, smem, align<1024>, "S<3,3,6> o 0 o (64,64):(1,64)">

// 8 threads side by side cover 64 contiguous elements, 16 such rows of threads a quarter of the tile.
!g2s = !cute_nvgpu.atom.simt_async_copy<f16, cache = global, 128 b>
!gather = !cute_nvgpu.atom.universal_copy<f16>
!store = !cute_nvgpu.atom.universal_copy<f16, 128 b>
!tiled_g2s = !cute.tiled_copy<!g2s, layout_copy_tv = <"((8,16),(8,4)):((512,1),(64,16))">, tiler_mn = <"[64:1;64:1]">>
!tiled_gather = !cute.tiled_copy<!gather, layout_copy_tv = <"((8,16),(8,4)):((512,1),(64,16))">, tiler_mn = <"[64:1;64:1]">>
!tiled_store = !cute.tiled_copy<!store, layout_copy_tv = <"((8,16),(8,4)):((512,1),(64,16))">, tiler_mn = <"[64:1;64:1]">>

!coord_part = !cute.coord_tensor<"(?,?{div=8})", "((8,4),1,1):((1@1,16@0),0,0)">
!fragment = !cute.memref<f16, rmem, align<32>, "((8,4),1,1):((1,8),0,0)">
!predicate = !cute.memref<i8, rmem, align<32>, "(4,1,1):(1,0,0)">

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @transpose(%src: !src, %dst: !dst) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %thread = nvvm.read.ptx.sreg.tid.x : i32
      %block_n = nvvm.read.ptx.sreg.ctaid.x : i32
      %block_m = nvvm.read.ptx.sreg.ctaid.y : i32
      %t = cute.make_coord(%thread) : (i32) -> !cute.coord<"?">
      %tiler = cute.make_tile() : () -> !cute.tile<"[64:1;64:1]">
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c4 = arith.constant 4 : i32

      %smem = cute.memref.alloc_smem() : !smem
      %base = cute.get_iter(%smem) : !smem
      %smem_t = cute.make_view(%base) : !smem_t

      // In: rows of the source tile, zeros for what lies outside.
      %at = cute.make_coord(%block_m, %block_n) : (i32, i32) -> !cute.coord<"(?,?)">
      %src_tile = cute.local_tile(%src, %tiler, %at) : (!src, !cute.tile<"[64:1;64:1]">, !cute.coord<"(?,?)">) -> !tile
      %src_layout = cute.get_layout(%src) : !src
      %src_shape = cute.get_shape(%src_layout) : !cute.layout<"(?,?{div=8}):(?{i64 div=8},1)"> -> !cute.shape<"(?,?{div=8})">
      %src_coords = cute.make_identity_tensor(%src_shape) : !cute.shape<"(?,?{div=8})"> -> !coords
      %src_coord_tile = cute.local_tile(%src_coords, %tiler, %at) : (!coords, !cute.tile<"[64:1;64:1]">, !cute.coord<"(?,?)">) -> !coord_tile

      %g2s_atom = cute.make_atom() : () -> !g2s
      %g2s = cute.make_tiled_copy(%g2s_atom) : !tiled_g2s
      %from = cute.tiled.copy.partition_S(%g2s, %src_tile, %t) : (!tiled_g2s, !tile, !cute.coord<"?">) -> !cute.memref<f16, gmem, align<16>, "((8,4),1,1):((1,?{i64 div=128}),0,0)">
      %into = cute.tiled.copy.partition_D(%g2s, %smem, %t) : (!tiled_g2s, !smem, !cute.coord<"?">) -> !cute.memref<f16, smem, align<16>, "((8,(2,2)),1,1):((1,(?{div=16},?{div=32})),0,0)">
      %from_at = cute.tiled.copy.partition_S(%g2s, %src_coord_tile, %t) : (!tiled_g2s, !coord_tile, !cute.coord<"?">) -> !coord_part
      %in_src = cute.memref.alloca() : !predicate
      scf.for %i = %c0 to %c4 step %c1 : i32 {
        %first = cute.make_coord(%i) : (i32) -> !cute.coord<"((0,?),0,0)">
        %element = cute.slice(%from_at, %first) : !coord_part, !cute.coord<"((0,?),0,0)">
        %iter = cute.get_iter(%element) : !cute.coord_tensor<"(?,?{div=8})", "():()">
        %crd = cute.deref_arith_tuple_iter(%iter) : (!cute.arith_tuple_iter<"(?,?{div=8})">) -> !cute.int_tuple<"(?,?{div=8})">
        %less = cute.elem_less(%crd, %src_shape) : (!cute.int_tuple<"(?,?{div=8})">, !cute.shape<"(?,?{div=8})">) -> i1
        %byte = arith.extui %less : i1 to i8
        %slot = cute.make_coord(%i) : (i32) -> !cute.coord<"(?,0,0)">
        cute.memref.store(%in_src, %slot, %byte) : (!predicate, !cute.coord<"(?,0,0)">, i8) -> ()
      }
      cute.copy(%g2s, %from, %into, %in_src) : (!tiled_g2s, !cute.memref<f16, gmem, align<16>, "((8,4),1,1):((1,?{i64 div=128}),0,0)">, !cute.memref<f16, smem, align<16>, "((8,(2,2)),1,1):((1,(?{div=16},?{div=32})),0,0)">, !predicate)
      nvvm.cp.async.commit.group
      nvvm.cp.async.wait.group 0
      nvvm.barrier0

      // Out: columns of the tile are rows of the destination.
      %at_t = cute.make_coord(%block_n, %block_m) : (i32, i32) -> !cute.coord<"(?,?)">
      %dst_tile = cute.local_tile(%dst, %tiler, %at_t) : (!dst, !cute.tile<"[64:1;64:1]">, !cute.coord<"(?,?)">) -> !tile
      %dst_layout = cute.get_layout(%dst) : !dst
      %dst_shape = cute.get_shape(%dst_layout) : !cute.layout<"(?,?{div=8}):(?{i64 div=8},1)"> -> !cute.shape<"(?,?{div=8})">
      %dst_coords = cute.make_identity_tensor(%dst_shape) : !cute.shape<"(?,?{div=8})"> -> !coords
      %dst_coord_tile = cute.local_tile(%dst_coords, %tiler, %at_t) : (!coords, !cute.tile<"[64:1;64:1]">, !cute.coord<"(?,?)">) -> !coord_tile

      %gather_atom = cute.make_atom() : () -> !gather
      %gather = cute.make_tiled_copy(%gather_atom) : !tiled_gather
      %column = cute.tiled.copy.partition_S(%gather, %smem_t, %t) : (!tiled_gather, !smem_t, !cute.coord<"?">) -> !cute.memref<f16, smem, "((1,(8,(2,2))),1,1):((0,(64,(?{div=16},?{div=32}))),0,0)">
      %fragment = cute.memref.alloca() : !fragment
      cute.copy(%gather, %column, %fragment) : (!tiled_gather, !cute.memref<f16, smem, "((1,(8,(2,2))),1,1):((0,(64,(?{div=16},?{div=32}))),0,0)">, !fragment)

      %store_atom = cute.make_atom() : () -> !store
      %store = cute.make_tiled_copy(%store_atom) : !tiled_store
      %to = cute.tiled.copy.partition_D(%store, %dst_tile, %t) : (!tiled_store, !tile, !cute.coord<"?">) -> !cute.memref<f16, gmem, align<16>, "((8,4),1,1):((1,?{i64 div=128}),0,0)">
      %to_at = cute.tiled.copy.partition_D(%store, %dst_coord_tile, %t) : (!tiled_store, !coord_tile, !cute.coord<"?">) -> !coord_part
      %in_dst = cute.memref.alloca() : !predicate
      scf.for %i = %c0 to %c4 step %c1 : i32 {
        %first = cute.make_coord(%i) : (i32) -> !cute.coord<"((0,?),0,0)">
        %element = cute.slice(%to_at, %first) : !coord_part, !cute.coord<"((0,?),0,0)">
        %iter = cute.get_iter(%element) : !cute.coord_tensor<"(?,?{div=8})", "():()">
        %crd = cute.deref_arith_tuple_iter(%iter) : (!cute.arith_tuple_iter<"(?,?{div=8})">) -> !cute.int_tuple<"(?,?{div=8})">
        %less = cute.elem_less(%crd, %dst_shape) : (!cute.int_tuple<"(?,?{div=8})">, !cute.shape<"(?,?{div=8})">) -> i1
        %byte = arith.extui %less : i1 to i8
        %slot = cute.make_coord(%i) : (i32) -> !cute.coord<"(?,0,0)">
        cute.memref.store(%in_dst, %slot, %byte) : (!predicate, !cute.coord<"(?,0,0)">, i8) -> ()
      }
      cute.copy(%store, %fragment, %to, %in_dst) : (!tiled_store, !fragment, !cute.memref<f16, gmem, align<16>, "((8,4),1,1):((1,?{i64 div=128}),0,0)">, !predicate)
      gpu.return
    }
  }
}
