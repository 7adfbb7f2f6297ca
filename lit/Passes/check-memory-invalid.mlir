// RUN: %opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(cute-check-memory)'

// The host describes a plain tile, and the kernel's memory is swizzled: a load, a multicast load, a store and a reduction.
!matrix = !cute.memref<f16, gmem, align<16>, "(?,?):(?{i64},1)">
!coords = !cute.coord_tensor<"(0,0)", "(?,?):(1@1,1@0)">
!plain = !cute.layout<"(64,64):(64,1)">
!values = !cute.layout<"(64,64):(1@0,1@1)">
!make_load = !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 65536, tma_gbasis = <"(64,64):(1@1,1@0)">, tma_format = F16_RN>
!make_cast = !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90_multicast, f16, copy_bits = 65536, tma_gbasis = <"(64,64):(1@1,1@0)">, tma_format = F16_RN>
!make_store = !cute_nvgpu.atom.non_exec_tiled_tma_store<f16, copy_bits = 65536, tma_gbasis = <"(64,64):(1@1,1@0)">, tma_format = F16_RN>
!make_reduce = !cute_nvgpu.atom.non_exec_tiled_tma_reduce<ADD, f16, copy_bits = 65536, tma_gbasis = <"(64,64):(1@1,1@0)">, tma_format = F16_RN>
!load = !cute_nvgpu.atom.tma_load<f16, copy_bits = 65536, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,64):(1@1,1@0)">>
!cast = !cute_nvgpu.atom.tma_load<f16, copy_bits = 65536, mode = tiled, num_cta = 1, g_stride = <"()"> mcast = true tma_gbasis = <"(64,64):(1@1,1@0)">>
!store = !cute_nvgpu.atom.tma_store<f16, copy_bits = 65536, mode = tiled, g_stride = <"()"> tma_gbasis = <"(64,64):(1@1,1@0)">>
!reduce = !cute_nvgpu.atom.tma_reduce<f16, copy_bits = 65536, mode = tiled, kind = ADD, g_stride = <"()"> tma_gbasis = <"(64,64):(1@1,1@0)">>
!box = !cute.coord_tensor<"(0,0)", "((64,64)):((1@0,1@1))">
!swizzled = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(4096):(1)">
!cfg = !cuda.launch_cfg<max_attrs = 1>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    cuda.kernel @k(%l: !make_load, %c: !make_cast, %s: !make_store, %r: !make_reduce, %box: !box) attributes {cute.kernel, gpu.kernel} {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %memory = cute.memref.alloc_smem() : !swizzled
      %first = cute_nvgpu.atom.make_exec_tma(%l) : (!make_load) -> !load
      // An atom that is carried around a loop is the same atom.
      %again = scf.for %i = %c0 to %c1 step %c1 iter_args(%now = %first) -> (!load) : i32 {
        // expected-error @below {{'cute.copy' op loads into shared memory with the swizzle S<3,4,3>, but its tensor map has no swizzle: elements would lie at other addresses than the kernel accesses; make the map from a tile "S<3,4,3> o 0 o (64,64):(64,1)", or give the pointer to the memory no swizzle}}
        cute.copy(%now, %box, %memory) : (!load, !box, !swizzled)
        scf.yield %now : !load
      }
      %cast = cute_nvgpu.atom.make_exec_tma(%c) : (!make_cast) -> !cast
      // expected-error @below {{'cute.copy' op loads into shared memory with the swizzle S<3,4,3>}}
      cute.copy(%cast, %box, %memory) : (!cast, !box, !swizzled)
      %store = cute_nvgpu.atom.make_exec_tma(%s) : (!make_store) -> !store
      // expected-error @below {{'cute.copy' op stores from shared memory with the swizzle S<3,4,3>, but its tensor map has no swizzle}}
      cute.copy(%store, %memory, %box) : (!store, !swizzled, !box)
      %reduce = cute_nvgpu.atom.make_exec_tma(%r) : (!make_reduce) -> !reduce
      // expected-error @below {{'cute.copy' op reduces from shared memory with the swizzle S<3,4,3>, but its tensor map has no swizzle}}
      cute.copy(%reduce, %memory, %box) : (!reduce, !swizzled, !box)
      return
    }
  }
  func.func @host(%A: !matrix, %box: !box, %cfg: !cfg) {
    %tile = cute.static : !plain
    %values = cute.static : !values
    // expected-note @below {{the tensor map is made here, from the tile "(64,64):(64,1)"}}
    %l, %0 = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%A, %tile, %values) <{kind = <sm_90> num_multicast = 1}> : (!matrix, !plain, !values) -> (!make_load, !coords)
    // expected-note @below {{the tensor map is made here}}
    %c, %1 = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%A, %tile, %values) <{kind = <sm_90_multicast> num_multicast = 1}> : (!matrix, !plain, !values) -> (!make_cast, !coords)
    // expected-note @below {{the tensor map is made here}}
    %s, %2 = cute_nvgpu.atom.make_non_exec_tiled_tma_store(%A, %tile, %values) : (!matrix, !plain, !values) -> (!make_store, !coords)
    // expected-note @below {{the tensor map is made here}}
    %r, %3 = cute_nvgpu.atom.make_non_exec_tiled_tma_reduce(%A, %tile, %values) <{kind = <ADD>}> : (!matrix, !plain, !values) -> (!make_reduce, !coords)
    %done = cuda.launch_ex @kernels::@k<%cfg> (%l, %c, %s, %r, %box) : !cfg, (!make_load, !make_cast, !make_store, !make_reduce, !box) -> !cuda.result
    return
  }
}

// -----

// Of two launches, one passes a map with another swizzle. The swizzle of a layout counts like that of a pointer.
!matrix = !cute.memref<f16, gmem, align<16>, "(?,?):(?{i64},1)">
!coords = !cute.coord_tensor<"(0,0)", "(?,?):(1@1,1@0)">
!rows_of_128 = !cute.composed_layout<"S<3,4,3> o 0 o (64,32):(32,1)">
!rows_of_64 = !cute.composed_layout<"S<2,4,3> o 0 o (64,32):(32,1)">
!values = !cute.layout<"(64,32):(1@0,1@1)">
!make_load = !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 32768, tma_gbasis = <"(32,64):(1@1,1@0)">, tma_format = F16_RN>
!load = !cute_nvgpu.atom.tma_load<f16, copy_bits = 32768, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(32,64):(1@1,1@0)">>
!box = !cute.coord_tensor<"(0,0)", "((32,64)):((1@0,1@1))">
!swizzled = !cute.memref<f16, smem, align<1024>, "S<2,3,3> o 0 o (2048):(1)">
!cfg = !cuda.launch_cfg<max_attrs = 1>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    cuda.kernel @k(%l: !make_load, %box: !box) attributes {cute.kernel, gpu.kernel} {
      %memory = cute.memref.alloc_smem() : !swizzled
      %load = cute_nvgpu.atom.make_exec_tma(%l) : (!make_load) -> !load
      // expected-error @below {{'cute.copy' op loads into shared memory with the swizzle S<2,4,3>, but its tensor map has the swizzle S<3,4,3>}}
      cute.copy(%load, %box, %memory) : (!load, !box, !swizzled)
      return
    }
  }
  func.func @host(%A: !matrix, %box: !box, %cfg: !cfg) {
    %one = cute.static : !rows_of_64
    %other = cute.static : !rows_of_128
    %values = cute.static : !values
    %l, %0 = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%A, %one, %values) <{kind = <sm_90> num_multicast = 1}> : (!matrix, !rows_of_64, !values) -> (!make_load, !coords)
    // expected-note @below {{the tensor map is made here}}
    %m, %1 = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%A, %other, %values) <{kind = <sm_90> num_multicast = 1}> : (!matrix, !rows_of_128, !values) -> (!make_load, !coords)
    %done = cuda.launch_ex @kernels::@k<%cfg> (%l, %box) : !cfg, (!make_load, !box) -> !cuda.result
    %then = cuda.launch_ex @kernels::@k<%cfg> (%m, %box) : !cfg, (!make_load, !box) -> !cuda.result
    return
  }
}

// -----

// A view of 12288 elements of an allocation of 8192.
func.func @too_large() {
  // expected-note @below {{16384 bytes are allocated here}}
  %memory = cute.memref.alloc_smem() : !cute.memref<f16, smem, align<1024>, "8192:1">
  %iter = cute.get_iter(%memory) : !cute.memref<f16, smem, align<1024>, "8192:1">
  // expected-error @below {{'cute.make_view' op leaves its allocation: the layout reaches 12288 elements of 16 bits, and the allocation has room for 8192; make the layout smaller, or allocate memory for all of its elements}}
  %view = cute.make_view(%iter) : !cute.memref<f16, smem, align<1024>, "(64,64,3):(64,1,4096)">
  return
}

// -----

// The place of the view and its element type count.
func.func @behind() {
  // expected-note @below {{16384 bytes are allocated here}}
  %memory = cute.memref.alloc_smem() : !cute.memref<f16, smem, align<1024>, "8192:1">
  %iter = cute.get_iter(%memory) : !cute.memref<f16, smem, align<1024>, "8192:1">
  %by = cute.static : !cute.int_tuple<"4096">
  %behind = cute.add_offset(%iter, %by) : (!cute.ptr<f16, smem, align<1024>>, !cute.int_tuple<"4096">) -> !cute.ptr<f16, smem, align<1024>>
  %words = cute.recast_iter(%behind) : !cute.ptr<f16, smem, align<1024>> to !cute.ptr<f32, smem, align<1024>, S<3,4,3>>
  // expected-error @below {{'cute.make_view' op leaves its allocation: the layout reaches 4096 elements of 32 bits, which begin at byte 8192 of the allocation, and the allocation has room for 2048}}
  %view = cute.make_view(%words) : !cute.memref<f32, smem, align<1024>, S<3,4,3>, "(64,64):(64,1)">
  return
}

// -----

// Registers, too.
func.func @registers() {
  // expected-note @below {{32 bytes are allocated here}}
  %memory = cute.memref.alloca() : !cute.memref<f32, rmem, align<32>, "8:1">
  %iter = cute.get_iter(%memory) : !cute.memref<f32, rmem, align<32>, "8:1">
  // expected-error @below {{'cute.make_view' op leaves its allocation: the layout reaches 9 elements of 32 bits, and the allocation has room for 8}}
  %view = cute.make_view(%iter) : !cute.memref<f32, rmem, align<32>, "(2,3):(4,2)">
  return
}

// -----

// Maps of two tensors, and copies whose operands one of them partitioned: followed through loops, branches, tuples of coordinates and a
// function.
!matrix = !cute.memref<f16, gmem, align<16>, "(?,?):(?{i64},1)">
!coords = !cute.coord_tensor<"(0,0)", "(?,?):(1@1,1@0)">
!tile = !cute.layout<"(64,64):(64,1)">
!values = !cute.layout<"(64,64):(1@0,1@1)">
!make_load = !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 65536, tma_gbasis = <"(64,64):(1@1,1@0)">, tma_format = F16_RN>
!load = !cute_nvgpu.atom.tma_load<f16, copy_bits = 65536, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,64):(1@1,1@0)">>
!whole = !cute.memref<f16, smem, align<128>, "((64,64)):((64,1))">
!part = !cute.coord_tensor<"(?,?)", "((64,64)):((1@1,1@0))">
!into = !cute.memref<f16, smem, align<128>, "((4096,1)):((1,0))">
!from = !cute.coord_tensor<"(?,?)", "(((64,64),1)):(((1@0,1@1),0))">
!cfg = !cuda.launch_cfg<max_attrs = 1>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    func.func private @by(%load: !load, %from: !from, %into: !into) {
      // expected-error @below {{'cute.copy' op copies by the tensor map of parameter 0, but the coordinates of operand 1 were partitioned by the tensor map of parameter 1: it would move elements of another tensor; make the atom of the copy from the tensor map of parameter 1, or partition by the tensor map of parameter 0}}
      cute.copy(%load, %from, %into) : (!load, !from, !into)
      return
    }
    cuda.kernel @k(%a: !make_load, %b: !make_load, %c: !part, %which: i1) attributes {cute.kernel, gpu.kernel} {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %memory = cute.memref.alloc_smem() : !whole
      %cta = cute.make_coord() : () -> !cute.coord<"0">
      %ctas = cute.static : !cute.layout<"1:0">
      // expected-note @below {{partitioned here, by the tensor map of parameter 1}}
      %into, %from = cute_nvgpu.atom.tma_partition(%b, %cta, %ctas, %memory, %c) : (!make_load, !cute.coord<"0">, !cute.layout<"1:0">, !whole, !part) -> (!into, !from)
      // expected-note @below {{the atom of the copy is made here, from the tensor map of parameter 0}}
      %load = cute_nvgpu.atom.make_exec_tma(%a) : (!make_load) -> !load
      func.call @by(%load, %from, %into) : (!load, !from, !into) -> ()
      %other = cute_nvgpu.atom.make_exec_tma(%b) : (!make_load) -> !load
      %either = scf.if %which -> (!load) {
        scf.yield %load : !load
      } else {
        scf.yield %other : !load
      }
      // It may be the right one.
      cute.copy(%either, %from, %into) : (!load, !from, !into)
      %iter = cute.get_iter(%from) : !from
      %at = cute.deref_arith_tuple_iter(%iter) : (!cute.arith_tuple_iter<"(?,?)">) -> !cute.int_tuple<"(?,?)">
      %x, %y = cute.get_leaves(%at) : !cute.int_tuple<"(?,?)">
      %again = cute.make_int_tuple(%x, %y) : (!cute.int_tuple<"?">, !cute.int_tuple<"?">) -> !cute.int_tuple<"(?,?)">
      %first = cute.make_arith_tuple_iter(%again) : (!cute.int_tuple<"(?,?)">) -> !cute.arith_tuple_iter<"(?,?)">
      %layout = cute.get_layout(%from) : !from
      %view = cute.make_view(%first, %layout) : !from
      // Coordinates that change places belong to no map.
      %turned = cute.make_int_tuple(%y, %x) : (!cute.int_tuple<"?">, !cute.int_tuple<"?">) -> !cute.int_tuple<"(?,?)">
      %start = cute.make_arith_tuple_iter(%turned) : (!cute.int_tuple<"(?,?)">) -> !cute.arith_tuple_iter<"(?,?)">
      %own = cute.make_view(%start, %layout) : !from
      %end:2 = scf.for %i = %c0 to %c1 step %c1 iter_args(%now = %load, %box = %view) -> (!load, !from) : i32 {
        // expected-error @below {{'cute.copy' op copies by the tensor map of parameter 0, but the coordinates of operand 1}}
        cute.copy(%now, %box, %into) : (!load, !from, !into)
        scf.yield %now, %box : !load, !from
      }
      // expected-error @below {{'cute.prefetch' op prefetches by the tensor map of parameter 0, but the coordinates of operand 1}}
      cute.prefetch(%load, %from) : (!load, !from)
      // expected-error @below {{'cute.copy' op copies by the tensor map of parameter 0, but the boxes of operand 2}}
      cute.copy(%end#0, %own, %into) : (!load, !from, !into)
      return
    }
  }
  func.func @host(%A: !matrix, %B: !matrix, %at: !part, %which: i1, %cfg: !cfg) {
    %tile = cute.static : !tile
    %values = cute.static : !values
    %a, %0 = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%A, %tile, %values) <{kind = <sm_90> num_multicast = 1}> : (!matrix, !tile, !values) -> (!make_load, !coords)
    %b, %1 = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%B, %tile, %values) <{kind = <sm_90> num_multicast = 1}> : (!matrix, !tile, !values) -> (!make_load, !coords)
    %done = cuda.launch_ex @kernels::@k<%cfg> (%a, %b, %at, %which) : !cfg, (!make_load, !make_load, !part, i1) -> !cuda.result
    return
  }
}
