// C = A B^T by mma.sync for tiles of 16 x 8, one warp each: A is M x K and B is N x K, of f16; M, N and K are multiples
// of the tiles.

!operand = !cute.memref<f16, gmem, align<4>, "(?{div=16},?{div=16}):(?{i64 div=16},1)">
!operand_b = !cute.memref<f16, gmem, align<4>, "(?{div=8},?{div=16}):(?{i64 div=16},1)">
!result = !cute.memref<f32, gmem, align<8>, "(?{div=16},?{div=8}):(?{i64 div=8},1)">
!tiler = !cute.tile<"[16:1;8:1;16:1]">
!tiles_a = !cute.memref<f16, gmem, align<4>, "(16,16,?):(?{i64 div=16},1,16)">
!tiles_b = !cute.memref<f16, gmem, align<4>, "(8,16,?):(?{i64 div=16},1,16)">
!tile_c = !cute.memref<f32, gmem, align<8>, "(16,8):(?{i64 div=8},1)">
!atom = !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >
!mma = !cute.tiled_mma<!atom, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
!part_a = !cute.memref<f16, gmem, align<4>, "((2,2,2),1,1,?):((1,?{i64 div=128},8),0,0,16)">
!part_b = !cute.memref<f16, gmem, align<4>, "((2,2),1,1,?):((1,8),0,0,16)">
!part_c = !cute.memref<f32, gmem, align<8>, "((2,2),1,1):((1,?{i64 div=64}),0,0)">
!ra = !cute.memref<f16, rmem, align<16>, "((2,2,2),1,1):((1,2,4),0,0)">
!rb = !cute.memref<f16, rmem, align<8>, "((2,2),1,1):((1,2),0,0)">
!rc = !cute.memref<f32, rmem, align<16>, "((2,2),1,1):((1,2),0,0)">
!now = !cute.coord<"(_,_,_,?)">
!copy = !cute_nvgpu.atom.universal_copy<f16>
!block = !cute.coord<"(?,?,_)">
!cfg = !cuda.launch_cfg<max_attrs = 3>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    cuda.kernel @gemm(%a: !operand, %b: !operand_b, %c: !result, %mma: !mma) attributes {cu_attrs = {max_dynamic_shared_size_bytes = #cuda.dev_max_shared_memory_optin, non_portable_cluster_size_allowed = 1 : i32}, cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %bm = nvvm.read.ptx.sreg.ctaid.x : i32
      %bn = nvvm.read.ptx.sreg.ctaid.y : i32
      %tiler = cute.make_tile() : () -> !tiler
      %at = cute.make_coord(%bm, %bn) : (i32, i32) -> !block
      %ga = cute.local_tile(%a, %tiler, %at, "(1,_,1)") : (!operand, !tiler, !block) -> !tiles_a
      %gb = cute.local_tile(%b, %tiler, %at, "(_,1,1)") : (!operand_b, !tiler, !block) -> !tiles_b
      %gc = cute.local_tile(%c, %tiler, %at, "(1,1,_)") : (!result, !tiler, !block) -> !tile_c
      %thread = cute.make_coord(%tid) : (i32) -> !cute.coord<"?">
      %ta = cute.tiled.mma.partition A(%mma, %ga, %thread) : (!mma, !tiles_a, !cute.coord<"?">) -> !part_a
      %tb = cute.tiled.mma.partition B(%mma, %gb, %thread) : (!mma, !tiles_b, !cute.coord<"?">) -> !part_b
      %tc = cute.tiled.mma.partition C(%mma, %gc, %thread) : (!mma, !tile_c, !cute.coord<"?">) -> !part_c
      %sums = cute.memref.alloca() : !rc
      %zeros = arith.constant dense<0.0> : vector<4xf32>
      cute.memref.store_vec %zeros, %sums : !rc
      %layout = cute.get_layout(%ga) : !tiles_a
      %size = cute.size<[2]> (%layout) : (!cute.layout<"(16,16,?):(?{i64 div=16},1,16)">) -> !cute.int_tuple<"?">
      %count = cute.get_scalars(%size) : !cute.int_tuple<"?">
      %copy = cute.make_atom() : () -> !copy
      %ra = cute.memref.alloca() : !ra
      %rb = cute.memref.alloca() : !rb
      scf.for %k = %c0 to %count step %c1 : i32 {
        %now = cute.make_coord(%k) : (i32) -> !now
        %fa = cute.slice(%ta, %now) : !part_a, !now
        %fb = cute.slice(%tb, %now) : !part_b, !now
        cute.copy(%copy, %fa, %ra) : (!copy, !cute.memref<f16, gmem, align<4>, "((2,2,2),1,1):((1,?{i64 div=128},8),0,0)">, !ra)
        cute.copy(%copy, %fb, %rb) : (!copy, !cute.memref<f16, gmem, align<4>, "((2,2),1,1):((1,8),0,0)">, !rb)
        cute.gemm(%mma, %sums, %ra, %rb, %sums) : (!mma, !rc, !ra, !rb, !rc)
      }
      %out = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<f32>
      cute.copy(%out, %sums, %tc) : (!cute_nvgpu.atom.universal_copy<f32>, !rc, !part_c)
      cuda.return
    }
  }
  func.func @host(%a: !operand, %b: !operand_b, %c: !result, %stream: !cuda.stream) -> i32 attributes {llvm.emit_c_interface} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %none = arith.constant 0 : i64
    %c32 = arith.constant 32 : i32
    %c8 = arith.constant 8 : i32
    %c16 = arith.constant 16 : i32
    %layout = cute.get_layout(%c) : !result
    %shape = cute.get_shape(%layout) : !cute.layout<"(?{div=16},?{div=8}):(?{i64 div=8},1)"> -> !cute.shape<"(?{div=16},?{div=8})">
    %m, %n = cute.get_scalars(%shape) : !cute.shape<"(?{div=16},?{div=8})">
    %down = arith.divsi %m, %c16 : i32
    %across = arith.divsi %n, %c8 : i32
    %atom = cute.make_atom() : () -> !atom
    %mma = cute.make_tiled_mma(%atom) : !mma
    %cfg = cuda.launch_cfg.create<max_attrs = 3 : i32> (blockDim = (%c32, %c1, %c1), dynamicSmemBytes = %none, gridDim = (%down, %across, %c1), stream = %stream) : i32, i32, i32, i64, i32, i32, i32, !cuda.stream -> !cfg
    cuda.launch_cfg.programmatic_stream_serialization_allowed[%cfg] %c0 : !cfg, i32
    cuda.launch_cfg.cooperative[%cfg] %c0 : !cfg, i32
    %launched = cuda.launch_ex @kernels::@gemm<%cfg> (%a, %b, %c, %mma) {assume_kernel_attr = #cuda.assume_kernel_attr<true>} : !cfg, (!operand, !operand_b, !result, !mma) -> !cuda.result
    %code = cuda.cast %launched : !cuda.result -> i32
    cuda.return_if_error %code : i32
    return %c0 : i32
  }
}
