// c = a + b for matrices of any size: tiles of 8 x 16, and a predicate from the coordinates of the tile.

!matrix = !cute.memref<f32, gmem, "(?,?):(?{i64},1)">
!tiler = !cute.tile<"[8:1;16:1]">
!tile = !cute.memref<f32, gmem, "(8,16):(?{i64},1)">
!coords = !cute.coord_tensor<"(0,0)", "(?,?):(1@0,1@1)">
!coord_tile = !cute.coord_tensor<"(?{div=8},?{div=16})", "(8,16):(1@0,1@1)">
!at = !cute.coord<"(?,?)">
!cfg = !cuda.launch_cfg<max_attrs = 3>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    cuda.kernel @add(%a: !matrix, %b: !matrix, %c: !matrix, %coords: !coords) attributes {cu_attrs = {max_dynamic_shared_size_bytes = #cuda.dev_max_shared_memory_optin, non_portable_cluster_size_allowed = 1 : i32}, cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 16, 8, 1>} {
      %x = nvvm.read.ptx.sreg.tid.x : i32
      %y = nvvm.read.ptx.sreg.tid.y : i32
      %bx = nvvm.read.ptx.sreg.ctaid.x : i32
      %by = nvvm.read.ptx.sreg.ctaid.y : i32
      %tiler = cute.make_tile() : () -> !tiler
      %block = cute.make_coord(%by, %bx) : (i32, i32) -> !at
      %tile_a = cute.local_tile(%a, %tiler, %block) : (!matrix, !tiler, !at) -> !tile
      %tile_b = cute.local_tile(%b, %tiler, %block) : (!matrix, !tiler, !at) -> !tile
      %tile_c = cute.local_tile(%c, %tiler, %block) : (!matrix, !tiler, !at) -> !tile
      %where = cute.local_tile(%coords, %tiler, %block) : (!coords, !tiler, !at) -> !coord_tile
      %thread = cute.make_coord(%y, %x) : (i32, i32) -> !at
      %here = cute.slice(%where, %thread) : !coord_tile, !at
      %iter = cute.get_iter(%here) : !cute.coord_tensor<"(?,?)", "():()">
      %crd = cute.deref_arith_tuple_iter(%iter) : (!cute.arith_tuple_iter<"(?,?)">) -> !cute.int_tuple<"(?,?)">
      %layout = cute.get_layout(%c) : !matrix
      %shape = cute.get_shape(%layout) : !cute.layout<"(?,?):(?{i64},1)"> -> !cute.shape<"(?,?)">
      %inside = cute.elem_less(%crd, %shape) : (!cute.int_tuple<"(?,?)">, !cute.shape<"(?,?)">) -> i1
      scf.if %inside {
        %l = cute.memref.load(%tile_a, %thread) : (!tile, !at) -> f32
        %r = cute.memref.load(%tile_b, %thread) : (!tile, !at) -> f32
        %sum = arith.addf %l, %r : f32
        cute.memref.store(%tile_c, %thread, %sum) : (!tile, !at, f32) -> ()
      }
      cuda.return
    }
  }
  func.func @host(%a: !matrix, %b: !matrix, %c: !matrix, %stream: !cuda.stream) -> i32 attributes {llvm.emit_c_interface} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %none = arith.constant 0 : i64
    %c8 = arith.constant 8 : i32
    %c16 = arith.constant 16 : i32
    %layout = cute.get_layout(%c) : !matrix
    %shape = cute.get_shape(%layout) : !cute.layout<"(?,?):(?{i64},1)"> -> !cute.shape<"(?,?)">
    %coords = cute.make_identity_tensor(%shape) : !cute.shape<"(?,?)"> -> !coords
    %tiler = cute.make_tile() : () -> !tiler
    %tiles = cute.ceil_div(%shape, %tiler) : (!cute.shape<"(?,?)">, !tiler) -> !cute.shape<"(?,?)">
    %rows, %columns = cute.get_scalars(%tiles) : !cute.shape<"(?,?)">
    %cfg = cuda.launch_cfg.create<max_attrs = 3 : i32> (blockDim = (%c16, %c8, %c1), dynamicSmemBytes = %none, gridDim = (%columns, %rows, %c1), stream = %stream) : i32, i32, i32, i64, i32, i32, i32, !cuda.stream -> !cfg
    cuda.launch_cfg.programmatic_stream_serialization_allowed[%cfg] %c0 : !cfg, i32
    cuda.launch_cfg.cooperative[%cfg] %c0 : !cfg, i32
    %launched = cuda.launch_ex @kernels::@add<%cfg> (%a, %b, %c, %coords) {assume_kernel_attr = #cuda.assume_kernel_attr<true>} : !cfg, (!matrix, !matrix, !matrix, !coords) -> !cuda.result
    %code = cuda.cast %launched : !cuda.result -> i32
    cuda.return_if_error %code : i32
    return %c0 : i32
  }
}
