// Transposes a matrix of any size through shared memory, in tiles of 16 x 16 whose rows are padded by one element.

!matrix = !cute.memref<f32, gmem, "(?,?):(?{i64},1)">
!shared = !cute.memref<f32, smem, align<16>, "(16,16):(17,1)">
!at = !cute.coord<"(?,?)">
!cfg = !cuda.launch_cfg<max_attrs = 3>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    cuda.kernel @transpose(%a: !matrix, %b: !matrix) attributes {cu_attrs = {max_dynamic_shared_size_bytes = #cuda.dev_max_shared_memory_optin, non_portable_cluster_size_allowed = 1 : i32}, cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 16, 16, 1>} {
      %c16 = arith.constant 16 : i32
      %x = nvvm.read.ptx.sreg.tid.x : i32
      %y = nvvm.read.ptx.sreg.tid.y : i32
      %bx = nvvm.read.ptx.sreg.ctaid.x : i32
      %by = nvvm.read.ptx.sreg.ctaid.y : i32
      %layout = cute.get_layout(%a) : !matrix
      %shape = cute.get_shape(%layout) : !cute.layout<"(?,?):(?{i64},1)"> -> !cute.shape<"(?,?)">
      %rows, %columns = cute.get_scalars(%shape) : !cute.shape<"(?,?)">
      %shared = cute.memref.alloc_smem() : !shared
      %first_row = arith.muli %by, %c16 : i32
      %first_column = arith.muli %bx, %c16 : i32
      %row = arith.addi %first_row, %y : i32
      %column = arith.addi %first_column, %x : i32
      %row_in = arith.cmpi slt, %row, %rows : i32
      %column_in = arith.cmpi slt, %column, %columns : i32
      %in = arith.andi %row_in, %column_in : i1
      scf.if %in {
        %from = cute.make_coord(%row, %column) : (i32, i32) -> !at
        %v = cute.memref.load(%a, %from) : (!matrix, !at) -> f32
        %to = cute.make_coord(%y, %x) : (i32, i32) -> !at
        cute.memref.store(%shared, %to, %v) : (!shared, !at, f32) -> ()
      }
      nvvm.barrier
      %row_t = arith.addi %first_column, %y : i32
      %column_t = arith.addi %first_row, %x : i32
      %row_t_in = arith.cmpi slt, %row_t, %columns : i32
      %column_t_in = arith.cmpi slt, %column_t, %rows : i32
      %in_t = arith.andi %row_t_in, %column_t_in : i1
      scf.if %in_t {
        %from = cute.make_coord(%x, %y) : (i32, i32) -> !at
        %v = cute.memref.load(%shared, %from) : (!shared, !at) -> f32
        %to = cute.make_coord(%row_t, %column_t) : (i32, i32) -> !at
        cute.memref.store(%b, %to, %v) : (!matrix, !at, f32) -> ()
      }
      cuda.return
    }
  }
  func.func @host(%a: !matrix, %b: !matrix, %stream: !cuda.stream) -> i32 attributes {llvm.emit_c_interface} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %none = arith.constant 0 : i64
    %c16 = arith.constant 16 : i32
    %layout = cute.get_layout(%a) : !matrix
    %shape = cute.get_shape(%layout) : !cute.layout<"(?,?):(?{i64},1)"> -> !cute.shape<"(?,?)">
    %rows, %columns = cute.get_scalars(%shape) : !cute.shape<"(?,?)">
    %down = arith.ceildivsi %rows, %c16 : i32
    %across = arith.ceildivsi %columns, %c16 : i32
    %cfg = cuda.launch_cfg.create<max_attrs = 3 : i32> (blockDim = (%c16, %c16, %c1), dynamicSmemBytes = %none, gridDim = (%across, %down, %c1), stream = %stream) : i32, i32, i32, i64, i32, i32, i32, !cuda.stream -> !cfg
    cuda.launch_cfg.programmatic_stream_serialization_allowed[%cfg] %c0 : !cfg, i32
    cuda.launch_cfg.cooperative[%cfg] %c0 : !cfg, i32
    %launched = cuda.launch_ex @kernels::@transpose<%cfg> (%a, %b) {assume_kernel_attr = #cuda.assume_kernel_attr<true>} : !cfg, (!matrix, !matrix) -> !cuda.result
    %code = cuda.cast %launched : !cuda.result -> i32
    cuda.return_if_error %code : i32
    return %c0 : i32
  }
}
