// Copies an M x N matrix of f32, 128 bits a thread and access, whatever M and N are.
//
//   grid  (ceil(N / 128), ceil(M / 32)), block 256
//
// A block copies a tile of 32 rows and 128 columns. Rows are 16-byte aligned (their pitch is a multiple of 4
// elements), and so is N: an access of 4 elements is inside the matrix, or outside of it, as a whole. Accesses
// outside are switched off by a predicate that compares coordinates, taken from an identity tensor that is tiled and
// partitioned just like the data.

!matrix = !cute.memref<f32, gmem, align<16>, "(?,?{div=4}):(?{i64 div=4},1)">
!tile = !cute.memref<f32, gmem, align<16>, "(32,128):(?{i64 div=4},1)">
!coords = !cute.coord_tensor<"(0,0)", "(?,?{div=4}):(1@0,1@1)">
!coord_tile = !cute.coord_tensor<"(?{div=32},?{div=128})", "(32,128):(1@0,1@1)">

// 32 threads side by side cover 128 columns; 8 such rows of threads cover the tile in 4 steps.
!atom = !cute_nvgpu.atom.universal_copy<f32, 128 b>
!tiled_copy = !cute.tiled_copy<!atom, layout_copy_tv = <"((32,8),(4,4)):((128,1),(32,8))">, tiler_mn = <"[32:1;128:1]">>

// The elements of one thread: 4 adjacent ones, 4 times, 8 rows apart.
!part = !cute.memref<f32, gmem, align<16>, "((4,4),1,1):((1,?{i64 div=32}),0,0)">
!coord_part = !cute.coord_tensor<"(?,?{div=4})", "((4,4),1,1):((1@1,8@0),0,0)">
!fragment = !cute.memref<f32, rmem, align<32>, "((4,4),1,1):((1,4),0,0)">
!predicate = !cute.memref<i8, rmem, align<32>, "(4,1,1):(1,0,0)">

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @copy(%src: !matrix, %dst: !matrix) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
      %thread = nvvm.read.ptx.sreg.tid.x : i32
      %block_n = nvvm.read.ptx.sreg.ctaid.x : i32
      %block_m = nvvm.read.ptx.sreg.ctaid.y : i32

      // The block's tile of source, destination and coordinates.
      %tiler = cute.make_tile() : () -> !cute.tile<"[32:1;128:1]">
      %at = cute.make_coord(%block_m, %block_n) : (i32, i32) -> !cute.coord<"(?,?)">
      %layout = cute.get_layout(%src) : !matrix
      %shape = cute.get_shape(%layout) : !cute.layout<"(?,?{div=4}):(?{i64 div=4},1)"> -> !cute.shape<"(?,?{div=4})">
      %coords = cute.make_identity_tensor(%shape) : !cute.shape<"(?,?{div=4})"> -> !coords
      %src_tile = cute.local_tile(%src, %tiler, %at) : (!matrix, !cute.tile<"[32:1;128:1]">, !cute.coord<"(?,?)">) -> !tile
      %dst_tile = cute.local_tile(%dst, %tiler, %at) : (!matrix, !cute.tile<"[32:1;128:1]">, !cute.coord<"(?,?)">) -> !tile
      %coord_tile = cute.local_tile(%coords, %tiler, %at) : (!coords, !cute.tile<"[32:1;128:1]">, !cute.coord<"(?,?)">) -> !coord_tile

      // The thread's part of each.
      %atom = cute.make_atom() : () -> !atom
      %copy = cute.make_tiled_copy(%atom) : !tiled_copy
      %t = cute.make_coord(%thread) : (i32) -> !cute.coord<"?">
      %from = cute.tiled.copy.partition_S(%copy, %src_tile, %t) : (!tiled_copy, !tile, !cute.coord<"?">) -> !part
      %to = cute.tiled.copy.partition_D(%copy, %dst_tile, %t) : (!tiled_copy, !tile, !cute.coord<"?">) -> !part
      %where = cute.tiled.copy.partition_S(%copy, %coord_tile, %t) : (!tiled_copy, !coord_tile, !cute.coord<"?">) -> !coord_part

      // One predicate an access: is its first element inside?
      %inside = cute.memref.alloca() : !predicate
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c4 = arith.constant 4 : i32
      scf.for %i = %c0 to %c4 step %c1 : i32 {
        %first = cute.make_coord(%i) : (i32) -> !cute.coord<"((0,?),0,0)">
        %element = cute.slice(%where, %first) : !coord_part, !cute.coord<"((0,?),0,0)">
        %iter = cute.get_iter(%element) : !cute.coord_tensor<"(?,?{div=4})", "():()">
        %crd = cute.deref_arith_tuple_iter(%iter) : (!cute.arith_tuple_iter<"(?,?{div=4})">) -> !cute.int_tuple<"(?,?{div=4})">
        %less = cute.elem_less(%crd, %shape) : (!cute.int_tuple<"(?,?{div=4})">, !cute.shape<"(?,?{div=4})">) -> i1
        %byte = arith.extui %less : i1 to i8
        %slot = cute.make_coord(%i) : (i32) -> !cute.coord<"(?,0,0)">
        cute.memref.store(%inside, %slot, %byte) : (!predicate, !cute.coord<"(?,0,0)">, i8) -> ()
      }

      %fragment = cute.memref.alloca() : !fragment
      cute.copy(%copy, %from, %fragment, %inside) : (!tiled_copy, !part, !fragment, !predicate)
      cute.copy(%copy, %fragment, %to, %inside) : (!tiled_copy, !fragment, !part, !predicate)
      gpu.return
    }
  }
}
