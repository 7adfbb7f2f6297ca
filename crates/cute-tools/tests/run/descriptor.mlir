// A descriptor of rows of halves that the host makes: mode 1 is contiguous, 64 x 64 a box.

!tensor = !cute.memref<f16, gmem, align<16>, "(?,?):(?{i64},1)">
!load = !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 65536, tma_gbasis = <"(64,64):(1@1,1@0)">, tma_format = F16_RN>
!coords = !cute.coord_tensor<"(0,0)", "(?,?):(1@1,1@0)">
!tile = !cute.composed_layout<"S<3,4,3> o 0 o (64,64):(64,1)">
!cfg = !cuda.launch_cfg<max_attrs = 1>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    cuda.kernel @prefetch(%load: !load, %from: !coords) attributes {cute.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
      cute_nvgpu.prefetch_tma_desc(%load) : (!load) -> ()
      cuda.return
    }
  }
  func.func @host(%a: !tensor, %s: !cuda.stream) -> i32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c32 = arith.constant 32 : i32
    %none = arith.constant 0 : i64
    %tile = cute.static : !tile
    %values = cute.static : !cute.layout<"(64,64):(1@0,1@1)">
    %load, %from = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%a, %tile, %values) <{kind = <sm_90> num_multicast = 1}> : (!tensor, !tile, !cute.layout<"(64,64):(1@0,1@1)">) -> (!load, !coords)
    %cfg = cuda.launch_cfg.create<max_attrs = 1 : i32> (blockDim = (%c32, %c1, %c1), dynamicSmemBytes = %none, gridDim = (%c1, %c1, %c1), stream = %s) : i32, i32, i32, i64, i32, i32, i32, !cuda.stream -> !cfg
    %r = cuda.launch_ex @kernels::@prefetch<%cfg> (%load, %from) : !cfg, (!load, !coords) -> !cuda.result
    %e = cuda.cast %r : !cuda.result -> i32
    cuda.return_if_error %e : i32
    return %c0 : i32
  }
}
