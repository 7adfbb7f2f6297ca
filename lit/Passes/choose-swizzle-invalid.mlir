// RUN: %opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(cute-choose-swizzle)'

// Nobody says which threads there are.
func.func @threads() {
  // expected-error@+1 {{swizzle = auto needs the number of threads that access the tile: give the kernel known_block_size, up to 1024 threads}}
  %tile = cute.memref.alloc_smem() swizzle = auto : !cute.memref<f32, smem, align<16>, "(32,32):(32,1)">
  return
}

// -----

func.func @twice() {
  // expected-error@+1 {{swizzle = auto requires a tile without a swizzle, but the result has S<3,4,3>}}
  %tile = cute.memref.alloc_smem() swizzle = auto : !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(8,64):(64,1)">
  return
}

// -----

// 32 rows of one column are 8 chunks of 16 bytes at most, whatever keeps the chunks whole.
!tile = !cute.memref<f16, smem, align<16>, "(64,64):(64,1)">
gpu.module @m {
  gpu.func @none() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    // expected-warning@+1 {{no swizzle frees all accesses of bank conflicts}}
    %tile = cute.memref.alloc_smem() swizzle = auto : !tile
    %row = cute.make_coord(%t) : (i32) -> !cute.coord<"(?,_)">
    %own = cute.slice(%tile, %row) : !tile, !cute.coord<"(?,_)">
    %chunk = cute.memref.load_vec %own : !cute.memref<f16, smem, align<16>, "(64):(1)">
    %at = cute.make_coord(%t) : (i32) -> !cute.coord<"(?,0)">
    // expected-note@+1 {{passes}}
    %one = cute.memref.load(%tile, %at) : (!tile, !cute.coord<"(?,0)">) -> f16
    gpu.return
  }
}

// -----

// The type of a loop's value would change.
!tile = !cute.memref<f32, smem, align<16>, "(32,32):(32,1)">
gpu.module @m {
  gpu.func @carried(%n: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    // expected-remark@+1 {{no bank conflicts}}
    %tile = cute.memref.alloc_smem() swizzle = auto : !tile
    %at = cute.make_coord(%t) : (i32) -> !cute.coord<"(?,0)">
    %one = cute.memref.load(%tile, %at) : (!tile, !cute.coord<"(?,0)">) -> f32
    // expected-error@+1 {{takes a view of memory with swizzle = auto across a call: its type would change; make the view where it is used}}
    func.call @use(%tile) : (!tile) -> ()
    gpu.return
  }
  func.func private @use(!tile)
}

// -----

// A view that repeats an element has as many accesses as coordinates.
gpu.module @m {
  gpu.func @many(%to: !cute.memref<f32, gmem, align<16>, "(2147483647):(1)">) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %tile = cute.memref.alloc_smem() swizzle = auto : !cute.memref<f32, smem, align<16>, "(32,32):(32,1)">
    %iter = cute.get_iter(%tile) : !cute.memref<f32, smem, align<16>, "(32,32):(32,1)">
    %view = cute.make_view(%iter) : !cute.memref<f32, smem, align<16>, "(2147483647):(0)">
    %atom = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<f32, 32 b>
    // expected-error@+1 {{swizzle = auto looks at every element that a thread accesses: at most 65536, found 2147483647}}
    cute.copy(%atom, %view, %to) : (!cute_nvgpu.atom.universal_copy<f32, 32 b>, !cute.memref<f32, smem, align<16>, "(2147483647):(0)">, !cute.memref<f32, gmem, align<16>, "(2147483647):(1)">)
    gpu.return
  }
}
