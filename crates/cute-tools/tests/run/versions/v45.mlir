// Each block reverses its 64 elements in shared memory that the kernel allocates, and whose size its launch asks for.
// In custom assembly of CuTe DSL 4.5 and later: ops on vectors like functions, allocations in partitions.

!vector = !cute.memref<f32, gmem, align<16>, "((2,32),?):((1,2),64)">
!pair = !cute.memref<f32, gmem, align<8>, "(2):(1)">
!bytes = !cute.memref<i8, smem, align<128>, "(256):(1)">
!flags = !cute.memref<i32, smem, align<16>, "(3):(1)">
!shared = !cute.memref<f32, smem, align<128>, "(64):(1)">
!own = !cute.memref<f32, rmem, align<8>, "(2):(1)">
!cfg = !cuda.launch_cfg<max_attrs = 17>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    cuda.kernel @reverse(%x: !vector, %y: !vector, %sizes: !cute.memref<i32, gmem, align<16>, "(3):(1)">) attributes {cu_attrs = {max_dynamic_shared_size_bytes = #cuda.dev_max_shared_memory_optin, non_portable_cluster_size_allowed = 1 : i32}, cute.kernel, gpu.kernel, nvvm.maxntid = array<i32: 1024, 1, 1>, smem.partition_num = 2 : i32} {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c63 = arith.constant 63 : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %bid = nvvm.read.ptx.sreg.ctaid.x : i32
      %bytes = cute.memref.alloca() {smem.partition_id = 1 : i32, smem.struct_fields = ["tile:256:0"]} : !bytes
      %flags = cute.memref.alloca() {smem.partition_id = 0 : i32} : !flags
      %start = cute.get_iter(%bytes) : !bytes
      %floats = cute.recast_iter(%start) : !cute.ptr<i8, smem, align<128>> to !cute.ptr<f32, smem, align<128>>
      %shape = cute.make_shape() : () -> !cute.shape<"(64)">
      %layout = cute.make_layout(%shape) : !cute.layout<"(64):(1)">
      %shared = cute.make_view(%floats, %layout) : !shared
      %own = cute.memref.alloca() : !own
      %pair = cute.make_coord(%tid, %bid) : (i32, i32) -> !cute.coord<"((_,?),?)">
      %source = cute.slice(%x, %pair) : !vector, !cute.coord<"((_,?),?)">
      %target = cute.slice(%y, %pair) : !vector, !cute.coord<"((_,?),?)">
      %v = cute.memref.load_vec(%source) : (!pair) -> vector<2xf32>
      cute.memref.store_vec(%v, %own) : (vector<2xf32>, !own) -> ()
      %even = arith.muli %tid, %c1 : i32
      %twice = arith.addi %even, %tid : i32
      %zero = cute.make_coord() : () -> !cute.coord<"0">
      %one = cute.make_coord() : () -> !cute.coord<"1">
      %a = cute.memref.load(%own, %zero) : (!own, !cute.coord<"0">) -> f32
      %b = cute.memref.load(%own, %one) : (!own, !cute.coord<"1">) -> f32
      %last = arith.subi %c63, %twice : i32
      %before = arith.subi %last, %c1 : i32
      %to_a = cute.make_coord(%last) : (i32) -> !cute.coord<"?">
      %to_b = cute.make_coord(%before) : (i32) -> !cute.coord<"?">
      cute.memref.store(%shared, %to_a, %a) : (!shared, !cute.coord<"?">, f32) -> ()
      cute.memref.store(%shared, %to_b, %b) : (!shared, !cute.coord<"?">, f32) -> ()
      %first = arith.cmpi eq, %tid, %c0 : i32
      scf.if %first {
        %reserved = cute.smem_partition_size() {partition_id = 0 : i32} : i32
        %user = cute.smem_partition_size() {partition_id = 1 : i32} : i32
        %all = cute_nvgpu.arch.get_dyn_smem_size() : i32
        %two = cute.make_coord() : () -> !cute.coord<"2">
        cute.memref.store(%flags, %zero, %reserved) : (!flags, !cute.coord<"0">, i32) -> ()
        cute.memref.store(%flags, %one, %user) : (!flags, !cute.coord<"1">, i32) -> ()
        cute.memref.store(%flags, %two, %all) : (!flags, !cute.coord<"2">, i32) -> ()
      }
      nvvm.barrier
      %place = cute.make_coord(%twice) : (i32) -> !cute.coord<"?">
      %next = arith.addi %twice, %c1 : i32
      %behind = cute.make_coord(%next) : (i32) -> !cute.coord<"?">
      %c = cute.memref.load(%shared, %place) : (!shared, !cute.coord<"?">) -> f32
      %d = cute.memref.load(%shared, %behind) : (!shared, !cute.coord<"?">) -> f32
      cute.memref.store(%own, %zero, %c) : (!own, !cute.coord<"0">, f32) -> ()
      cute.memref.store(%own, %one, %d) : (!own, !cute.coord<"1">, f32) -> ()
      %w = cute.memref.load_vec(%own) : (!own) -> vector<2xf32>
      cute.memref.store_vec(%w, %target) : (vector<2xf32>, !pair) -> ()
      %is_first_block = arith.cmpi eq, %bid, %c0 : i32
      %tells = arith.andi %first, %is_first_block : i1
      scf.if %tells {
        %sizes_read = cute.memref.load_vec(%flags) : (!flags) -> vector<3xi32>
        cute.memref.store_vec(%sizes_read, %sizes) : (vector<3xi32>, !cute.memref<i32, gmem, align<16>, "(3):(1)">) -> ()
      }
      return
    }
  }
  func.func @host(%x: !vector, %y: !vector, %sizes: !cute.memref<i32, gmem, align<16>, "(3):(1)">, %stream: !cuda.stream) -> i32 attributes {llvm.emit_c_interface} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %none = arith.constant 0 : i64
    %block = arith.constant 32 : i32
    %most = arith.constant 232448 : i64
    %bytes = cute.kernel_smem_size @kernels::@reverse : i64
    %too_many = arith.cmpi sgt, %bytes, %most : i64
    scf.if %too_many {
      cute.print("kernel 'reverse' needs {} bytes", %bytes) : i64
    }
    %count = cute.size<[1]> (%x) : (!vector) -> !cute.int_tuple<"?">
    %grid = cute.get_scalars(%count) : !cute.int_tuple<"?">
    %cfg = cuda.launch_cfg.create<max_attrs = 17 : i32> (blockDim = (%block, %c1, %c1), dynamicSmemBytes = %bytes, gridDim = (%grid, %c1, %c1), stream = %stream) : i32, i32, i32, i64, i32, i32, i32, !cuda.stream -> !cfg
    cuda.launch_cfg.programmatic_stream_serialization_allowed[%cfg] %c0 : !cfg, i32
    cuda.launch_cfg.cooperative[%cfg] %c0 : !cfg, i32
    %launched = cuda.launch_ex @kernels::@reverse<%cfg> (%x, %y, %sizes) {assume_kernel_attr = #cuda.assume_kernel_attr<true>} : !cfg, (!vector, !vector, !cute.memref<i32, gmem, align<16>, "(3):(1)">) -> !cuda.result
    %code = cuda.cast %launched : !cuda.result -> i32
    cuda.return_if_error %code : i32
    return %c0 : i32
  }
}
