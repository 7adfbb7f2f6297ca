// Y = softmax(X) along the rows: f16, computed in f32. One warp per row, 128 bits per thread and
// access.
//
//   grid ceil(rows / 4), block 128
//
// The number of rows is arbitrary. Columns and pitches are multiples of 8, so that an access of 8
// elements is inside the matrix or outside as a whole. A row goes by in tiles of 1024 columns, 4
// accesses of each lane, twice: first for the maximum and the sum, then for the result. In the
// first pass each lane has a maximum of its own and a sum relative to it, which it rescales when
// the maximum grows; the lanes exchange only after it. The second pass reads the row again, as a
// rule from cache.

#unroll = #llvm.loop_annotation<unroll = <full = true>>

!matrix = !cute.memref<f16, gmem, align<16>, "(?,?{div=8}):(?{i64 div=8},1)">
!layout = !cute.layout<"(?,?{div=8}):(?{i64 div=8},1)">
!shape = !cute.shape<"(?,?{div=8})">

!tiler = !cute.tile<"[4:1;1024:1]">
!block = !cute.coord<"(?,_)">
!tiles = !cute.memref<f16, gmem, align<16>, "(4,1024,?):(?{i64 div=8},1,1024)">
!coords = !cute.coord_tensor<"(0,0)", "(?,?{div=8}):(1@0,1@1)">
!coord_tiles = !cute.coord_tensor<"(?{div=4},0)", "(4,1024,?):(1@0,1@1,1024@1)">

// One warp per row. Its lanes have 8 columns each, side by side, 4 times per tile.
!atom = !cute_nvgpu.atom.universal_copy<f16, 128 b>
!copy = !cute.tiled_copy<!atom, layout_copy_tv = <"((32,4),8):((32,1),4)">, tiler_mn = <"[4:1;256:1]">>
!tXgX = !cute.memref<f16, gmem, align<16>, "((8,1),1,4,?):((1,0),0,256,1024)">
!tXcX = !cute.coord_tensor<"(?,?{div=8})", "((8,1),1,4,?):((1@1,0),0,256@1,1024@1)">
!tXgX_k = !cute.memref<f16, gmem, align<16>, "((8,1),1,4):((1,0),0,256)">
!tXcX_k = !cute.coord_tensor<"(?,?{div=8})", "((8,1),1,4):((1@1,0),0,256@1)">
!here = !cute.coord_tensor<"(?,?{div=8})", "():()">
!iter = !cute.arith_tuple_iter<"(?,?{div=8})">
!crd = !cute.int_tuple<"(?,?{div=8})">
!tXrX = !cute.memref<f16, rmem, align<16>, "((8,1),1,4):((1,0),0,8)">
!pred = !cute.memref<i8, rmem, align<32>, "(1,1,4):(0,0,1)">

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @softmax(%X: !matrix, %Y: !matrix) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %thread = nvvm.read.ptx.sreg.tid.x : i32
      %block = nvvm.read.ptx.sreg.ctaid.x : i32
      %t = cute.make_coord(%thread) : (i32) -> !cute.coord<"?">
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c32 = arith.constant 32 : i32
      %c5 = arith.constant 5 : i32
      %c16 = arith.constant 16 : i32
      %c31 = arith.constant 31 : i32
      %all = arith.constant -1 : i32
      %zero = arith.constant 0.0 : f32
      %one = arith.constant 1.0 : f32
      %log2e = arith.constant 1.44269504 : f32
      %log2e_32 = vector.broadcast %log2e : f32 to vector<32xf32>

      // The tiles of 4 rows, and an identity tensor, tiled alike, that holds the coordinates of
      // their elements.
      %layout = cute.get_layout(%X) : !matrix
      %shape = cute.get_shape(%layout) : !layout -> !shape
      %coords = cute.make_identity_tensor(%shape) : !shape -> !coords
      %tiler = cute.static : !tiler
      %at = cute.make_coord(%block) : (i32) -> !block
      %gX = cute.local_tile(%X, %tiler, %at) : (!matrix, !tiler, !block) -> !tiles
      %gY = cute.local_tile(%Y, %tiler, %at) : (!matrix, !tiler, !block) -> !tiles
      %cX = cute.local_tile(%coords, %tiler, %at) : (!coords, !tiler, !block) -> !coord_tiles

      %atom = cute.make_atom() : () -> !atom
      %copy = cute.make_tiled_copy(%atom) : !copy
      %tXgX = cute.tiled.copy.partition_S(%copy, %gX, %t) : (!copy, !tiles, !cute.coord<"?">) -> !tXgX
      %tXgY = cute.tiled.copy.partition_D(%copy, %gY, %t) : (!copy, !tiles, !cute.coord<"?">) -> !tXgX
      %tXcX = cute.tiled.copy.partition_S(%copy, %cX, %t) : (!copy, !coord_tiles, !cute.coord<"?">) -> !tXcX
      %tXrX = cute.memref.alloca() : !tXrX
      %inside = cute.memref.alloca() : !pred

      // Maximum and sum of what this lane has. The maximum begins below all of f16 but -inf, and
      // finite, so that -inf - max is -inf, not NaN.
      %size = cute.size<[3]>(%tXgX) : (!tXgX) -> !cute.int_tuple<"?">
      %tiles = cute.get_scalars(%size) : !cute.int_tuple<"?">
      %lowest = arith.constant -1.0e5 : f32
      %max, %sum = scf.for %k = %c0 to %tiles step %c1 iter_args(%m = %lowest, %s = %zero) -> (f32, f32) : i32 {
        %this = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
        %from = cute.slice(%tXgX, %this) : !tXgX, !cute.coord<"(_,_,_,?)">
        %where = cute.slice(%tXcX, %this) : !tXcX, !cute.coord<"(_,_,_,?)">
        func.call @load(%copy, %from, %where, %shape, %tXrX, %inside) : (!copy, !tXgX_k, !tXcX_k, !shape, !tXrX, !pred) -> ()
        %x_f16 = cute.memref.load_vec %tXrX : !tXrX
        %x = arith.extf %x_f16 : vector<32xf16> to vector<32xf32>
        %m_new = scf.for %lane = %c0 to %c32 step %c1 iter_args(%so_far = %m) -> f32 : i32 {
          %index = arith.index_cast %lane : i32 to index
          %element = vector.extract %x[%index] : f32 from vector<32xf32>
          %next = arith.maximumf %so_far, %element : f32
          scf.yield %next : f32
        } {loop_annotation = #unroll}
        %m_32 = vector.broadcast %m_new : f32 to vector<32xf32>
        %d = arith.subf %x, %m_32 : vector<32xf32>
        %e = arith.mulf %d, %log2e_32 : vector<32xf32>
        %p = math.exp2 %e fastmath<fast> : vector<32xf32>
        %dm = arith.subf %m, %m_new : f32
        %em = arith.mulf %dm, %log2e : f32
        %alpha = math.exp2 %em fastmath<fast> : f32
        %s_old = arith.mulf %s, %alpha : f32
        %s_new = scf.for %lane = %c0 to %c32 step %c1 iter_args(%so_far = %s_old) -> f32 : i32 {
          %index = arith.index_cast %lane : i32 to index
          %element = vector.extract %p[%index] : f32 from vector<32xf32>
          %next = arith.addf %so_far, %element : f32
          scf.yield %next : f32
        } {loop_annotation = #unroll}
        scf.yield %m_new, %s_new : f32, f32
      }

      // The maximum of the row, then its sum relative to that: 5 exchanges each.
      %max_row = scf.for %i = %c0 to %c5 step %c1 iter_args(%m = %max) -> f32 : i32 {
        %distance = arith.shrui %c16, %i : i32
        %other = nvvm.shfl.sync bfly %all, %m, %distance, %c31 : f32 -> f32
        %m_new = arith.maximumf %m, %other : f32
        scf.yield %m_new : f32
      } {loop_annotation = #unroll}
      %dm = arith.subf %max, %max_row : f32
      %em = arith.mulf %dm, %log2e : f32
      %alpha = math.exp2 %em fastmath<fast> : f32
      %sum_lane = arith.mulf %sum, %alpha : f32
      %sum_row = scf.for %i = %c0 to %c5 step %c1 iter_args(%s = %sum_lane) -> f32 : i32 {
        %distance = arith.shrui %c16, %i : i32
        %other = nvvm.shfl.sync bfly %all, %s, %distance, %c31 : f32 -> f32
        %s_new = arith.addf %s, %other : f32
        scf.yield %s_new : f32
      } {loop_annotation = #unroll}
      %scale = arith.divf %one, %sum_row : f32

      %max_32 = vector.broadcast %max_row : f32 to vector<32xf32>
      %scale_32 = vector.broadcast %scale : f32 to vector<32xf32>
      scf.for %k = %c0 to %tiles step %c1 : i32 {
        %this = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
        %from = cute.slice(%tXgX, %this) : !tXgX, !cute.coord<"(_,_,_,?)">
        %to = cute.slice(%tXgY, %this) : !tXgX, !cute.coord<"(_,_,_,?)">
        %where = cute.slice(%tXcX, %this) : !tXcX, !cute.coord<"(_,_,_,?)">
        func.call @load(%copy, %from, %where, %shape, %tXrX, %inside) : (!copy, !tXgX_k, !tXcX_k, !shape, !tXrX, !pred) -> ()
        %x_f16 = cute.memref.load_vec %tXrX : !tXrX
        %x = arith.extf %x_f16 : vector<32xf16> to vector<32xf32>
        %d = arith.subf %x, %max_32 : vector<32xf32>
        %e = arith.mulf %d, %log2e_32 : vector<32xf32>
        %p = math.exp2 %e fastmath<fast> : vector<32xf32>
        %y = arith.mulf %p, %scale_32 : vector<32xf32>
        %y_f16 = arith.truncf %y : vector<32xf32> to vector<32xf16>
        cute.memref.store_vec %y_f16, %tXrX : !tXrX
        cute.copy(%copy, %tXrX, %to, %inside) : (!copy, !tXrX, !tXgX_k, !pred)
      }
      gpu.return
    }

    // Loads a tile and notes which of its accesses are inside the matrix. What is outside becomes
    // -inf, which weighs nothing.
    func.func private @load(%copy: !copy, %from: !tXgX_k, %where: !tXcX_k, %shape: !shape, %tXrX: !tXrX, %inside: !pred) attributes {llvm.linkage = #llvm.linkage<internal>} {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c4 = arith.constant 4 : i32
      scf.for %i = %c0 to %c4 step %c1 : i32 {
        %first = cute.make_coord(%i) : (i32) -> !cute.coord<"(0,0,?)">
        %element = cute.slice(%where, %first) : !tXcX_k, !cute.coord<"(0,0,?)">
        %iter = cute.get_iter(%element) : !here
        %crd = cute.deref_arith_tuple_iter(%iter) : (!iter) -> !crd
        %less = cute.elem_less(%crd, %shape) : (!crd, !shape) -> i1
        %byte = arith.extui %less : i1 to i8
        cute.memref.store(%inside, %first, %byte) : (!pred, !cute.coord<"(0,0,?)">, i8) -> ()
      } {loop_annotation = #unroll}
      %minus_inf = arith.constant dense<0xFC00> : vector<32xf16>
      cute.memref.store_vec %minus_inf, %tXrX : !tXrX
      cute.copy(%copy, %from, %tXrX, %inside) : (!copy, !tXgX_k, !tXrX, !pred)
      return
    }
  }
}
