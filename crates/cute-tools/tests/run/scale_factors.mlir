// Each thread rounds three numbers to scale factors, upwards and toward zero, and widens the factors that it is given to f32 and to f16.
!three = !cute.memref<f32, gmem, "(3,?):(1,3)">
!factors = !cute.memref<f8E8M0FNU, gmem, "(3,?):(1,3)">
!halves = !cute.memref<f16, gmem, "(3,?):(1,3)">
!at = !cute.coord<"(_,?)">
!row = !cute.memref<f32, gmem, "3:1">
!row_of_factors = !cute.memref<f8E8M0FNU, gmem, "3:1">
!row_of_halves = !cute.memref<f16, gmem, "3:1">
gpu.module @kernels {
  gpu.func @scales(%x: !three, %up: !factors, %down: !factors, %given: !factors, %wide: !three, %half: !halves) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %block = nvvm.read.ptx.sreg.ctaid.x : i32
    %threads = arith.constant 128 : i32
    %first = arith.muli %block, %threads : i32
    %i = arith.addi %first, %thread : i32
    %at = cute.make_coord(%i) : (i32) -> !at
    %x_row = cute.slice(%x, %at) : !three, !at
    %up_row = cute.slice(%up, %at) : !factors, !at
    %down_row = cute.slice(%down, %at) : !factors, !at
    %given_row = cute.slice(%given, %at) : !factors, !at
    %wide_row = cute.slice(%wide, %at) : !three, !at
    %half_row = cute.slice(%half, %at) : !halves, !at
    %numbers = cute.memref.load_vec %x_row : !cute.memref<f32, gmem, align<4>, "(3):(1)">
    %upwards = arith.truncf %numbers upward : vector<3xf32> to vector<3xf8E8M0FNU>
    cute.memref.store_vec %upwards, %up_row : !cute.memref<f8E8M0FNU, gmem, align<1>, "(3):(1)">
    %cut = arith.truncf %numbers toward_zero : vector<3xf32> to vector<3xf8E8M0FNU>
    cute.memref.store_vec %cut, %down_row : !cute.memref<f8E8M0FNU, gmem, align<1>, "(3):(1)">
    %codes = cute.memref.load_vec %given_row : !cute.memref<f8E8M0FNU, gmem, align<1>, "(3):(1)">
    %singles = arith.extf %codes : vector<3xf8E8M0FNU> to vector<3xf32>
    cute.memref.store_vec %singles, %wide_row : !cute.memref<f32, gmem, align<4>, "(3):(1)">
    %shorts = arith.extf %codes : vector<3xf8E8M0FNU> to vector<3xf16>
    cute.memref.store_vec %shorts, %half_row : !cute.memref<f16, gmem, align<2>, "(3):(1)">
    gpu.return
  }
}
