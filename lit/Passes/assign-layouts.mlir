// RUN: %opt %s | %opt | FileCheck %s --check-prefix=PRINT
// RUN: %opt %s --pass-pipeline='builtin.module(cute-assign-layouts)' 2>&1 | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cute-compile{target=sm_90a})' 2>/dev/null | FileCheck %s --check-prefix=CODE

!tile = !cute.memref<f32, smem, align<16>, "(32,32):(32,1)">
!word = !cute_nvgpu.atom.universal_copy<f32>
!half = !cute_nvgpu.atom.universal_copy<f16>
!copy = !cute.tiled_copy<!word, layout_copy_tv = <"((8,4),4):((1,8),32)">, tiler_mn = <"[8:1;16:1]">>
!global = !cute.memref<f32, gmem, align<16>, "(8,16):(16,1)">
!part = !cute.memref<f32, gmem, "((1,4),1,1):((0,4),0,0)">
!own = !cute.memref<f32, rmem, align<4>, "((1,4),1,1):((0,1),0,0)">
!load = !cute.tiled_copy<!half, layout_copy_tv = <"((4,8),((2,2,2),(1,1))):((32,1),((16,8,128),(0,0)))">, tiler_mn = <"[16:1;16:1]">>
!matrix = !cute.memref<f16, smem, align<16>, "(16,16):(16,1)">
!rows = !cute.memref<f16, smem, align<4>, "((1,(2,2,2)),1,1):((0,(1,128,8)),0,0)">
!regs = !cute.memref<f16, rmem, align<16>, "((2,2,2),1,1):((1,2,4),0,0)">
!retiled = !cute.memref<f16, rmem, align<16>, "((1,8),1,1):((0,1),0,0)">
!async = !cute_nvgpu.atom.simt_async_copy<f16, cache = global, 128 b>
!fill = !cute.tiled_copy<!async, layout_copy_tv = <"((2,16),8):((128,1),16)">, tiler_mn = <"[16:1;16:1]">>
!source = !cute.memref<f16, gmem, align<16>, "(16,16):(16,1)">
!chunk = !cute.memref<f16, gmem, align<16>, "((8,1),1,1):((1,0),0,0)">
!place = !cute.memref<f16, smem, align<16>, "((8,1),1,1):((1,0),0,0)">
!mma = !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(1,1,1):(0,0,0)">, permutation_MNK = <"[16:1;16:1;16:1]">>

// Remarks come before the module, in the order of its functions.
// CHECK: remark: layout = auto is S<5,0,5> o 0 o (32,32):(1,32), {{.*}}; bits 5 to 9 of the offset flip bits 0 to 4; 2 wavefronts, 2 instructions, 4096 bytes; next: S<5,0,5> o 0 o (32,32):(32,1), 2 wavefronts,
// CHECK: remark: layout = auto is (32,32):(1,32), modes 0, 1 from the fastest to the slowest; 2 wavefronts, 2 instructions, 4096 bytes; next:
// CHECK: remark: layout = auto is (32,32):(1,32), {{.*}}; 10 wavefronts, 10 instructions, 4096 bytes; next:
// CHECK: remark: layout = auto is S<5,0,5> o 0 o (32,32):(1,32), {{.*}}; 2 wavefronts, 2 instructions, 4096 bytes; next:
// CHECK: remark: auto is ((4,8),4):((32,1),8) by 128 bits, vectors of 4 along mode 1; 8 by 4 threads, those along mode 1 first; 32 sectors, 8 lines, 2 instructions; next:
// CHECK: warning: auto: no access depends on the choice, so it is arbitrary
// CHECK: remark: layout = auto is S<1,3,3> o 0 o (16,16):(16,1), the atom SW32 of tensor cores and the TMA, contiguous along mode 1, repeated along mode 0 first; 8 wavefronts, 2 instructions, 512 bytes
// CHECK: remark: auto is !cute_nvgpu.atom.ldsm<val_type = f16, {{.*}} num_matrices = 4, n>, an atom that has the operand as the MMA does; 4 wavefronts, 1 instruction
// CHECK: remark: auto is !cute_nvgpu.atom.universal_copy<f16>, {{.*}}; at no cost

// CODE-NOT: cute.
gpu.module @m {
  // Lanes write a row and read a column. Each accesses one element, so a swizzle needs no more registers for addresses than padding
  // does, and it takes no memory.
  // CHECK-LABEL: gpu.func @row_and_column
  // PRINT-LABEL: gpu.func @row_and_column
  gpu.func @row_and_column() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    // CHECK: cute.memref.alloc_smem() : !cute.memref<f32, smem, align<16>, "S<5,0,5> o 0 o (32,32):(1,32)">
    // PRINT: cute.memref.alloc_smem() layout = auto : !cute.memref<f32, smem, align<16>, "(32,32):(32,1)">
    %tile = cute.memref.alloc_smem() layout = auto : !tile
    %column = cute.make_coord(%t) : (i32) -> !cute.coord<"(?,0)">
    %row = cute.make_coord(%t) : (i32) -> !cute.coord<"(0,?)">
    %value = cute.memref.load(%tile, %column) : (!tile, !cute.coord<"(?,0)">) -> f32
    cute.memref.store(%tile, %row, %value) : (!tile, !cute.coord<"(0,?)">, f32) -> ()
    gpu.return
  }

  // Only columns: the plain layout in which they are rows.
  // CHECK-LABEL: gpu.func @column
  gpu.func @column() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    // CHECK: cute.memref.alloc_smem() : !cute.memref<f32, smem, align<16>, "(32,32):(1,32)">
    %tile = cute.memref.alloc_smem() layout = auto : !tile
    %at = cute.make_coord(%t) : (i32) -> !cute.coord<"(?,0)">
    %value = cute.memref.load(%tile, %at) : (!tile, !cute.coord<"(?,0)">) -> f32
    cute.memref.store(%tile, %at, %value) : (!tile, !cute.coord<"(?,0)">, f32) -> ()
    gpu.return
  }

  // What a loop hands on has the type of what it begins with; its accesses count as often as it runs.
  // CHECK-LABEL: gpu.func @carried
  gpu.func @carried() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %tile = cute.memref.alloc_smem() layout = auto : !tile
    %at = cute.make_coord(%t) : (i32) -> !cute.coord<"(?,0)">
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c5 = arith.constant 5 : i32
    // CHECK: scf.for {{.*}} -> (!cute.memref<f32, smem, align<16>, "(32,32):(1,32)">)
    %last = scf.for %i = %c0 to %c5 step %c1 iter_args(%view = %tile) -> (!tile) : i32 {
      %value = cute.memref.load(%view, %at) : (!tile, !cute.coord<"(?,0)">) -> f32
      cute.memref.store(%view, %at, %value) : (!tile, !cute.coord<"(?,0)">, f32) -> ()
      // CHECK: scf.yield %{{.*}} : !cute.memref<f32, smem, align<16>, "(32,32):(1,32)">
      scf.yield %view : !tile
    }
    gpu.return
  }

  // What is written stays, whatever would be better.
  // CHECK-LABEL: gpu.func @pinned
  gpu.func @pinned() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    // CHECK: cute.memref.alloc_smem() : !cute.memref<f32, smem, align<16>, "(32,32):(32,1)">
    %tile = cute.memref.alloc_smem() : !tile
    %at = cute.make_coord(%t) : (i32) -> !cute.coord<"(?,0)">
    %value = cute.memref.load(%tile, %at) : (!tile, !cute.coord<"(?,0)">) -> f32
    cute.memref.store(%tile, %at, %value) : (!tile, !cute.coord<"(?,0)">, f32) -> ()
    gpu.return
  }

  // A view gives raw memory its layout. It stays within the memory that the placeholder takes.
  // CHECK-LABEL: gpu.func @view
  // PRINT-LABEL: gpu.func @view
  gpu.func @view() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %bytes = cute_nvgpu.arch.get_dyn_smem() : !cute.ptr<i8, smem, align<1024>>
    %words = cute.recast_iter(%bytes) : !cute.ptr<i8, smem, align<1024>> to !cute.ptr<f32, smem, align<1024>>
    // CHECK: cute.make_view(%{{.*}}) : !cute.memref<f32, smem, align<1024>, "S<5,0,5> o 0 o (32,32):(1,32)">
    // PRINT: cute.make_view(%{{.*}}) layout = auto : !cute.memref<f32, smem, align<1024>, "(32,32):(32,1)">
    %tile = cute.make_view(%words) layout = auto : !cute.memref<f32, smem, align<1024>, "(32,32):(32,1)">
    %column = cute.make_coord(%t) : (i32) -> !cute.coord<"(?,0)">
    %row = cute.make_coord(%t) : (i32) -> !cute.coord<"(0,?)">
    %value = cute.memref.load(%tile, %column) : (!cute.memref<f32, smem, align<1024>, "(32,32):(32,1)">, !cute.coord<"(?,0)">) -> f32
    cute.memref.store(%tile, %row, %value) : (!cute.memref<f32, smem, align<1024>, "(32,32):(32,1)">, !cute.coord<"(0,?)">, f32) -> ()
    gpu.return
  }

  // The threads of a copy follow the rows of global memory, and accesses get as wide as its alignment promises.
  // CHECK-LABEL: gpu.func @copy
  // PRINT-LABEL: gpu.func @copy
  gpu.func @copy(%src: !global, %dst: !global) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %t = cute.make_coord(%thread) : (i32) -> !cute.coord<"?">
    %atom = cute.make_atom() : () -> !word
    // CHECK: %[[ATOM:.*]] = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<f32, 128 b>
    // CHECK: cute.make_tiled_copy(%[[ATOM]]) : !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"((4,8),4):((32,1),8)">, tiler_mn = <"[8:1;16:1]">>
    // PRINT: cute.make_tiled_copy(%{{.*}}) auto : !cute.tiled_copy<
    %copy = cute.make_tiled_copy(%atom) auto : !copy
    %from = cute.tiled.copy.partition_S(%copy, %src, %t) : (!copy, !global, !cute.coord<"?">) -> !part
    %into = cute.tiled.copy.partition_D(%copy, %dst, %t) : (!copy, !global, !cute.coord<"?">) -> !part
    %own = cute.make_fragment_like(%from) : (!part) -> !own
    cute.copy(%copy, %from, %own) : (!copy, !part, !own)
    cute.copy(%copy, %own, %into) : (!copy, !own, !part)
    gpu.return
  }

  // Rows of a tile are filled by vectors along them, by a tiled copy that is not open. The operand of an MMA gets the atom that
  // reads most of these at once.
  // CHECK-LABEL: gpu.func @operand
  // PRINT-LABEL: gpu.func @operand
  gpu.func @operand(%src: !source) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %t = cute.make_coord(%thread) : (i32) -> !cute.coord<"?">
    %tile = cute.memref.alloc_smem() layout = auto : !matrix
    // CHECK: cute.memref.alloc_smem() : !cute.memref<f16, smem, align<16>, "S<1,3,3> o 0 o (16,16):(16,1)">
    // CHECK: cute.make_tiled_copy(%{{.*}}) : !cute.tiled_copy<!cute_nvgpu.atom.simt_async_copy<f16, cache = global, 128 b>, layout_copy_tv = <"((2,16),8):((128,1),16)">, tiler_mn = <"[16:1;16:1]">>
    %fill_atom = cute.make_atom() : () -> !async
    %fill = cute.make_tiled_copy(%fill_atom) : !fill
    %chunk = cute.tiled.copy.partition_S(%fill, %src, %t) : (!fill, !source, !cute.coord<"?">)
    %place = cute.tiled.copy.partition_D(%fill, %tile, %t) : (!fill, !matrix, !cute.coord<"?">)
    cute.copy(%fill, %chunk, %place) : (!fill, !chunk, !place)
    %mma_atom = cute.make_atom() : () -> !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >
    %mma = cute.make_tiled_mma(%mma_atom) : !mma
    %atom = cute.make_atom() : () -> !half
    // CHECK: %[[LDSM:.*]] = cute.make_atom() : () -> !cute_nvgpu.atom.ldsm<{{.*}}num_matrices = 4, n>
    // CHECK: cute.make_tiled_copy_A(%[[LDSM]], %{{.*}}) : (!cute_nvgpu.atom.ldsm<{{.*}}num_matrices = 4, n>
    // PRINT: cute.make_tiled_copy_A(%{{.*}}, %{{.*}}) auto : (!cute_nvgpu.atom.universal_copy<f16>
    %load = cute.make_tiled_copy_A(%atom, %mma) auto : (!half, !mma)
    %shape = cute.static : !cute.shape<"((2,2,2),1,1)">
    %regs = cute.mma.make_fragment A(%mma, %shape) : (!mma, !cute.shape<"((2,2,2),1,1)">) -> !regs
    %from = cute.tiled.copy.partition_S(%load, %tile, %t) : (!load, !matrix, !cute.coord<"?">)
    %into = cute.tiled.copy.retile(%load, %regs) : (!load, !regs)
    cute.copy(%load, %from, %into) : (!load, !rows, !retiled)
    // CHECK: cute.copy({{.*}}num_matrices = 4, n>{{.*}}, !cute.memref<f16, smem, align<16>, "((8,1),1,1):((1,0),0,0)">, !cute.memref<f16, rmem, align<16>, "((8,1),1,1):((1,0),0,0)">)
    // Copies of B and C by which nothing is copied keep their atoms.
    // CHECK: cute.make_tiled_copy_B(%{{.*}}, %{{.*}}) : (!cute_nvgpu.atom.universal_copy<f16>
    // CHECK: cute.make_tiled_copy_C(%{{.*}}, %{{.*}}) : (!cute_nvgpu.atom.universal_copy<f32>
    // PRINT: cute.make_tiled_copy_B(%{{.*}}, %{{.*}}) auto : (!cute_nvgpu.atom.universal_copy<f16>
    // PRINT: cute.make_tiled_copy_C(%{{.*}}, %{{.*}}) auto : (!cute_nvgpu.atom.universal_copy<f32>
    %word = cute.make_atom() : () -> !word
    %loadB = cute.make_tiled_copy_B(%atom, %mma) auto : (!half, !mma)
    %storeC = cute.make_tiled_copy_C(%word, %mma) auto : (!word, !mma)
    gpu.return
  }
}
