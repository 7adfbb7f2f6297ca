// A thread copies four elements of the source to one of two fragments, and both fragments to the destination: the first where it
// is even, the second where it is odd. The other fragment holds zeros. On the way it chooses one of two tiles of shared memory.

!four = !cute.memref<f32, gmem, align<16>, "4:1">
!tile = !cute.memref<f32, smem, align<16>, "(4,32):(1,4)">
!column = !cute.memref<f32, smem, align<16>, "(4):(1)">
!regs = !cute.memref<f32, rmem, align<16>, "4:1">
!p = !cute.ptr<f32, gmem, align<16>>
!copy = !cute_nvgpu.atom.universal_copy<f32, 128 b>

gpu.module @kernels {
  gpu.func @kernel(%src: !p, %dst: !p) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c0 = arith.constant 0 : i32
    %low = arith.andi %t, %c1 : i32
    %even = arith.cmpi eq, %low, %c0 : i32
    %atom = cute.make_atom() : () -> !copy
    %zeros = arith.constant dense<0.0> : vector<4xf32>
    %f = cute.memref.alloca() : !regs
    %g = cute.memref.alloca() : !regs
    cute.memref.store_vec %zeros, %f : !regs
    cute.memref.store_vec %zeros, %g : !regs
    %sA = cute.memref.alloc_smem() : !tile
    %sB = cute.memref.alloc_smem() : !tile
    %l = cute.static : !cute.layout<"4:1">

    // Where the thread's four are, in the source and twice in the destination.
    %i = arith.muli %t, %c4 : i32
    %i4 = cute.assume(%i) : (i32) -> !cute.i32<divby 4>
    %at = cute.make_int_tuple(%i4) : (!cute.i32<divby 4>) -> !cute.int_tuple<"?{div=4}">
    %from = cute.add_offset(%src, %at) : (!p, !cute.int_tuple<"?{div=4}">) -> !p
    %view = cute.make_view(%from, %l) : !four
    %to = cute.add_offset(%dst, %at) : (!p, !cute.int_tuple<"?{div=4}">) -> !p
    %other = cute.static : !cute.int_tuple<"128">
    %behind = cute.add_offset(%to, %other) : (!p, !cute.int_tuple<"128">) -> !p
    %out_f = cute.make_view(%to, %l) : !four
    %out_g = cute.make_view(%behind, %l) : !four

    %regs, %tile = scf.if %even -> (!regs, !tile) {
      scf.yield %f, %sA : !regs, !tile
    } else {
      scf.yield %g, %sB : !regs, !tile
    }
    %thread = cute.make_coord(%t) : (i32) -> !cute.coord<"(_,?)">
    %column = cute.slice(%tile, %thread) : !tile, !cute.coord<"(_,?)">
    cute.copy(%atom, %view, %column) : (!copy, !four, !column)
    %back = cute.memref.load_vec %column : !column
    cute.memref.store_vec %back, %regs : !regs
    cute.copy(%atom, %f, %out_f) : (!copy, !regs, !four)
    cute.copy(%atom, %g, %out_g) : (!copy, !regs, !four)
    gpu.return
  }
}
