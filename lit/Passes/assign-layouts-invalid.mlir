// RUN: %opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(cute-assign-layouts)'

// Nobody says which threads there are.
func.func @tile() {
  // expected-error@+1 {{'cute.memref.alloc_smem' op: layout = auto needs the number of threads that access the tile: give the kernel known_block_size, up to 1024 threads}}
  %tile = cute.memref.alloc_smem() layout = auto : !cute.memref<f32, smem, align<16>, "(32,32):(32,1)">
  return
}

// -----

func.func @view(%ptr: !cute.ptr<f32, smem, align<16>>) {
  // expected-error@+1 {{'cute.make_view' op: layout = auto needs the number of threads that access the tile: give the kernel known_block_size, up to 1024 threads}}
  %tile = cute.make_view(%ptr) layout = auto : !cute.memref<f32, smem, align<16>, "(32,32):(32,1)">
  return
}

// -----

!atom = !cute_nvgpu.atom.universal_copy<f32>
func.func @copy(%atom: !atom) {
  // expected-error@+1 {{'cute.make_tiled_copy' op: auto needs the number of threads that access the tile: give the kernel known_block_size, up to 1024 threads}}
  %copy = cute.make_tiled_copy(%atom) auto : !cute.tiled_copy<!atom, layout_copy_tv = <"((8,4),4):((1,8),32)">, tiler_mn = <"[8:1;16:1]">>
  return
}

// -----

!atom = !cute_nvgpu.atom.universal_copy<f16>
!mma = !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(1,1,1):(0,0,0)">, permutation_MNK = <"[16:1;16:1;16:1]">>
func.func @operand(%atom: !atom, %mma: !mma) {
  // expected-error@+1 {{'cute.make_tiled_copy_A' op: auto needs the number of threads that access the tile: give the kernel known_block_size, up to 1024 threads}}
  %copy = cute.make_tiled_copy_A(%atom, %mma) auto : (!atom, !mma)
  return
}

// -----

// The swizzle is part of the choice.
func.func @swizzled_layout() {
  // expected-error@+1 {{layout = auto requires a tile without a swizzle, but the result has the layout S<3,2,3> o 0 o (32,32):(32,1)}}
  %tile = cute.memref.alloc_smem() layout = auto : !cute.memref<f32, smem, align<16>, "S<3,2,3> o 0 o (32,32):(32,1)">
  return
}

// -----

func.func @swizzled_pointer() {
  // expected-error@+1 {{layout = auto requires a tile without a swizzle, but the result has S<3,4,3>}}
  %tile = cute.memref.alloc_smem() layout = auto : !cute.memref<f32, smem, align<1024>, S<3,4,3>, "(32,32):(32,1)">
  return
}

// -----

func.func @swizzled_view(%ptr: !cute.ptr<f32, smem, align<1024>, S<3,4,3>>) {
  // expected-error@+1 {{layout = auto requires a tile without a swizzle, but the result has S<3,4,3>}}
  %tile = cute.make_view(%ptr) layout = auto : !cute.memref<f32, smem, align<1024>, S<3,4,3>, "(32,32):(32,1)">
  return
}

// -----

func.func @both() {
  // expected-error@+1 {{swizzle = auto and layout = auto exclude each other: the choice of a layout includes its swizzle}}
  %tile = cute.memref.alloc_smem() swizzle = auto layout = auto : !cute.memref<f32, smem, align<16>, "(32,32):(32,1)">
  return
}

// -----

// A layout that is given is not open.
func.func @given() {
  %layout = cute.static : !cute.layout<"(32,32):(32,1)">
  // expected-error@+1 {{'cute.memref.alloc_smem' op layout = auto takes no layout as an operand: the type of the result has a placeholder}}
  %tile = cute.memref.alloc_smem(%layout) layout = auto : !cute.memref<f32, smem, align<16>, "(32,32):(32,1)">
  return
}

// -----

func.func @given_view(%ptr: !cute.ptr<f32, smem, align<16>>) {
  %layout = cute.static : !cute.layout<"(32,32):(32,1)">
  // expected-error@+1 {{'cute.make_view' op layout = auto takes no layout as an operand: the type of the result has a placeholder}}
  %tile = cute.make_view(%ptr, %layout) layout = auto : !cute.memref<f32, smem, align<16>, "(32,32):(32,1)">
  return
}

// -----

// Only shared memory has banks.
func.func @global(%ptr: !cute.ptr<f32, gmem, align<16>>) {
  // expected-error@+1 {{layout = auto is for a tile of shared memory, found gmem}}
  %tile = cute.make_view(%ptr) layout = auto : !cute.memref<f32, gmem, align<16>, "(32,32):(32,1)">
  return
}

// -----

func.func @coords(%c: !cute.arith_tuple_iter<"(0,0)">) {
  // expected-error@+1 {{'cute.make_view' op layout = auto is for a tile of shared memory}}
  %tile = cute.make_view(%c) layout = auto : !cute.coord_tensor<"(0,0)", "(8,8):(1@0,1@1)">
  return
}

// -----

func.func @dynamic(%ptr: !cute.ptr<f32, smem, align<16>>) {
  // expected-error@+1 {{the layout (32,?):(1,32) is dynamic: it must be given as an operand}}
  %tile = cute.make_view(%ptr) layout = auto : !cute.memref<f32, smem, align<16>, "(32,?):(1,32)">
  return
}

// -----

// Two elements of the placeholder have one place, so an access does not tell which one it is to.
gpu.module @m {
  gpu.func @repeated() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-error@+1 {{layout = auto needs a placeholder with a place for each element, found (32,32):(0,1)}}
    %tile = cute.memref.alloc_smem() layout = auto : !cute.memref<f32, smem, align<16>, "(32,32):(0,1)">
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @large() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-error@+1 {{layout = auto needs a tile that fits into shared memory, found (1024,1024):(1024,1)}}
    %tile = cute.memref.alloc_smem() layout = auto : !cute.memref<f32, smem, align<16>, "(1024,1024):(1024,1)">
    gpu.return
  }
}

// -----

// A tiled copy of every second row.
!atom = !cute_nvgpu.atom.universal_copy<f32>
!copy = !cute.tiled_copy<!atom, layout_copy_tv = <"((8,4),4):((1,8),32)">, tiler_mn = <"[8:2;16:1]">>
gpu.module @m {
  gpu.func @spread() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %atom = cute.make_atom() : () -> !atom
    // expected-error@+1 {{'cute.make_tiled_copy' op: auto needs a tile of plain extents}}
    %copy = cute.make_tiled_copy(%atom) auto : !copy
    gpu.return
  }
}

// -----

// Who gives the memory a second layout knows the first one.
gpu.module @m {
  gpu.func @alias() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-note@+1 {{the memory is allocated here}}
    %tile = cute.memref.alloc_smem() layout = auto : !cute.memref<f32, smem, align<16>, "(32,32):(32,1)">
    %iter = cute.get_iter(%tile) : !cute.memref<f32, smem, align<16>, "(32,32):(32,1)">
    // expected-error@+1 {{'cute.make_view' op: shows memory with layout = auto in a layout of its own; derive the view from the tile (cute.composition), recast the pointer and leave its layout open, too, if it holds other elements, or write both}}
    %view = cute.make_view(%iter) : !cute.memref<f32, smem, align<16>, "(32,32):(1,32)">
    gpu.return
  }
}

// -----

// A function declares the type of the view that it takes.
!tile = !cute.memref<f32, smem, align<16>, "(32,32):(32,1)">
gpu.module @m {
  gpu.func @called() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    // expected-note@+1 {{the tile is made here}}
    %tile = cute.memref.alloc_smem() layout = auto : !tile
    %at = cute.make_coord(%t) : (i32) -> !cute.coord<"(?,0)">
    %one = cute.memref.load(%tile, %at) : (!tile, !cute.coord<"(?,0)">) -> f32
    // expected-error@+1 {{'func.call' op: takes the address of a tile with layout = auto, which code that does not know the layout may access; write the layout}}
    func.call @use(%tile) : (!tile) -> ()
    gpu.return
  }
  func.func private @use(!tile)
}

// -----

!tile = !cute.memref<f32, smem, align<16>, "(32,32):(32,1)">
gpu.module @m {
  gpu.func @called_ptr() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-note@+1 {{the tile is made here}}
    %tile = cute.memref.alloc_smem() layout = auto : !tile
    %iter = cute.get_iter(%tile) : !tile
    // expected-error@+1 {{'func.call' op: takes the address of a tile with layout = auto, which code that does not know the layout may access; write the layout}}
    func.call @use(%iter) : (!cute.ptr<f32, smem, align<16>>) -> ()
    gpu.return
  }
  func.func private @use(!cute.ptr<f32, smem, align<16>>)
}

// -----

// Raw addresses.
!tile = !cute.memref<f32, smem, align<16>, "(32,32):(32,1)">
gpu.module @m {
  gpu.func @cast() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-note@+1 {{the tile is made here}}
    %tile = cute.memref.alloc_smem() layout = auto : !tile
    %iter = cute.get_iter(%tile) : !tile
    // expected-error@+1 {{'builtin.unrealized_conversion_cast' op: takes the address of a tile with layout = auto, which code that does not know the layout may access; write the layout}}
    %raw = builtin.unrealized_conversion_cast %iter : !cute.ptr<f32, smem, align<16>> to !llvm.ptr<3>
    gpu.return
  }
}

// -----

!tile = !cute.memref<f32, smem, align<16>, "(32,32):(32,1)">
gpu.module @m {
  gpu.func @number() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-note@+1 {{the tile is made here}}
    %tile = cute.memref.alloc_smem() layout = auto : !tile
    %iter = cute.get_iter(%tile) : !tile
    // expected-error@+1 {{'cute.ptrtoint' op: takes the address of a tile with layout = auto, which code that does not know the layout may access; write the layout}}
    %raw = cute.ptrtoint(%iter) : !cute.ptr<f32, smem, align<16>> to i32
    gpu.return
  }
}

// -----

// Inline assembly takes a raw address, too.
!tile = !cute.memref<f32, smem, align<16>, "(32,32):(32,1)">
gpu.module @m {
  gpu.func @assembly() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-note@+1 {{the tile is made here}}
    %tile = cute.memref.alloc_smem() layout = auto : !tile
    %iter = cute.get_iter(%tile) : !tile
    // expected-error@+1 {{'builtin.unrealized_conversion_cast' op: takes the address of a tile with layout = auto, which code that does not know the layout may access; write the layout}}
    %raw = builtin.unrealized_conversion_cast %iter : !cute.ptr<f32, smem, align<16>> to !llvm.ptr<3>
    llvm.inline_asm has_side_effects "st.shared.u32 [$0], 0;", "r" %raw : (!llvm.ptr<3>) -> ()
    gpu.return
  }
}

// -----

// Halves of elements are neighbours under some layouts.
!tile = !cute.memref<f32, smem, align<16>, "(32,32):(32,1)">
gpu.module @m {
  gpu.func @bits() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %tile = cute.memref.alloc_smem() layout = auto : !tile
    %iter = cute.get_iter(%tile) : !tile
    %halves = cute.recast_iter(%iter) : !cute.ptr<f32, smem, align<16>> to !cute.ptr<f16, smem, align<16>>
    %view = cute.make_view(%halves) : !cute.memref<f16, smem, align<16>, "(32,64):(64,1)">
    %at = cute.make_coord(%t) : (i32) -> !cute.coord<"(?,0)">
    // expected-error@+1 {{'cute.memref.load' op: for layout = auto: accesses elements of 16 bits in a tile of elements of 32 bits, whose places depend on the layout}}
    %one = cute.memref.load(%view, %at) : (!cute.memref<f16, smem, align<16>, "(32,64):(64,1)">, !cute.coord<"(?,0)">) -> f16
    gpu.return
  }
}

// -----

// A view that repeats an element has as many accesses as coordinates.
!tile = !cute.memref<f32, smem, align<16>, "(32,32):(32,1)">
gpu.module @m {
  gpu.func @many(%to: !cute.memref<f32, gmem, align<16>, "(32,32,2048):(32,1,0)">) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %tile = cute.memref.alloc_smem() layout = auto : !tile
    %atom = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<f32, 32 b>
    %by = cute.static : !cute.layout<"(32,32,2048):(32,1,0)">
    %view = cute.composition(%tile, %by) : (!tile, !cute.layout<"(32,32,2048):(32,1,0)">) -> !cute.memref<f32, smem, align<16>, "(32,32,2048):(1,32,0)">
    // expected-error@+1 {{'cute.copy' op: for layout = auto: looks at every element that a thread accesses: at most 65536, found 2097152}}
    cute.copy(%atom, %view, %to) : (!cute_nvgpu.atom.universal_copy<f32, 32 b>, !cute.memref<f32, smem, align<16>, "(32,32,2048):(1,32,0)">, !cute.memref<f32, gmem, align<16>, "(32,32,2048):(32,1,0)">)
    gpu.return
  }
}

// -----

!tile = !cute.memref<f32, smem, align<16>, "(32,32):(32,1)">
gpu.module @m {
  gpu.func @unused() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-warning@+2 {{layout = auto: no access depends on the choice, so it is arbitrary}}
    // expected-remark@+1 {{layout = auto is (32,32):(1,32), modes 0, 1 from the fastest to the slowest; 4096 bytes; next: (32,32):(32,1), 4096 bytes}}
    %tile = cute.memref.alloc_smem() layout = auto : !tile
    gpu.return
  }
}

// -----

// The branches of an op hand on views of one type. The placeholder would do, if it were a candidate: it has 64 bytes of padding.
!tile = !cute.memref<f32, smem, align<16>, "(32,32):(48,1)">
gpu.module @m {
  gpu.func @branch(%c: i1) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    // expected-error@+2 {{'cute.memref.alloc_smem' op: layout = auto: no candidate satisfies all uses}}
    // expected-note@+1 {{'scf.yield' op hands on !cute.memref<f32, smem, align<16>, "(32,32):(48,1)"> where !cute.memref<f32, smem, align<16>, "(32,32):(1,32)"> with layout = auto is handed on, too; make the view where it is used}}
    %a = cute.memref.alloc_smem() layout = auto : !tile
    %b = cute.memref.alloc_smem() : !tile
    %col = cute.make_coord(%t) : (i32) -> !cute.coord<"(?,0)">
    %which = scf.if %c -> (!tile) {
      scf.yield %a : !tile
    } else {
      scf.yield %b : !tile
    }
    %one = cute.memref.load(%which, %col) : (!tile, !cute.coord<"(?,0)">) -> f32
    gpu.return
  }
}

// -----

!tile = !cute.memref<f32, smem, align<16>, "(32,32):(48,1)">
gpu.module @m {
  gpu.func @loop() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    // expected-error@+2 {{'cute.memref.alloc_smem' op: layout = auto: no candidate satisfies all uses}}
    // expected-note@+1 {{'scf.yield' op hands on a view with layout = auto to a loop that begins with another; make the view where it is used}}
    %a = cute.memref.alloc_smem() layout = auto : !tile
    %b = cute.memref.alloc_smem() : !tile
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %col = cute.make_coord(%t) : (i32) -> !cute.coord<"(?,0)">
    %one = cute.memref.load(%a, %col) : (!tile, !cute.coord<"(?,0)">) -> f32
    %last = scf.for %i = %c0 to %c1 step %c1 iter_args(%v = %b) -> (!tile) : i32 {
      scf.yield %a : !tile
    }
    gpu.return
  }
}

// -----

!tile = !cute.memref<f32, smem, align<16>, "(32,32):(48,1)">
gpu.module @m {
  gpu.func @while(%c: i1) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    // expected-error@+2 {{'cute.memref.alloc_smem' op: layout = auto: no candidate satisfies all uses}}
    // expected-note@+1 {{'scf.while' op takes a view of memory with layout = auto: its type would change; make the view where it is used}}
    %a = cute.memref.alloc_smem() layout = auto : !tile
    %col = cute.make_coord(%t) : (i32) -> !cute.coord<"(?,0)">
    %one = cute.memref.load(%a, %col) : (!tile, !cute.coord<"(?,0)">) -> f32
    %last = scf.while (%v = %a) : (!tile) -> !tile {
      scf.condition(%c) %v : !tile
    } do {
    ^bb0(%w: !tile):
      scf.yield %w : !tile
    }
    gpu.return
  }
}

// -----

// If it is a candidate, the tile with a written layout decides.
!tile = !cute.memref<f32, smem, align<16>, "(32,32):(32,1)">
gpu.module @m {
  gpu.func @branch(%c: i1) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    // expected-remark@+1 {{layout = auto is (32,32):(32,1), modes 1, 0 from the fastest to the slowest; 32 wavefronts}}
    %a = cute.memref.alloc_smem() layout = auto : !tile
    %b = cute.memref.alloc_smem() : !tile
    %col = cute.make_coord(%t) : (i32) -> !cute.coord<"(?,0)">
    %which = scf.if %c -> (!tile) {
      scf.yield %a : !tile
    } else {
      scf.yield %b : !tile
    }
    %one = cute.memref.load(%which, %col) : (!tile, !cute.coord<"(?,0)">) -> f32
    gpu.return
  }
}

// -----

// A thread computes with what it has loaded.
!word = !cute_nvgpu.atom.universal_copy<f32, 32 b>
!copy = !cute.tiled_copy<!word, layout_copy_tv = <"((8,4),4):((1,8),32)">, tiler_mn = <"[8:1;16:1]">>
!global = !cute.memref<f32, gmem, align<16>, "(8,16):(16,1)">
!part = !cute.memref<f32, gmem, "((1,4),1,1):((0,4),0,0)">
!own = !cute.memref<f32, rmem, align<16>, "((1,4),1,1):((0,1),0,0)">
gpu.module @m {
  gpu.func @fragment(%src: !global) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %t = cute.make_coord(%thread) : (i32) -> !cute.coord<"?">
    %atom = cute.make_atom() : () -> !word
    // expected-error@+1 {{'cute.make_tiled_copy' op: auto may give an element to another thread, but 'cute.memref.load_vec' depends on which thread has it; write the thread-value layout}}
    %copy = cute.make_tiled_copy(%atom) auto : !copy
    %from = cute.tiled.copy.partition_S(%copy, %src, %t) : (!copy, !global, !cute.coord<"?">)
    %own = cute.make_fragment_like(%from) : (!part) -> !own
    cute.copy(%copy, %from, %own) : (!copy, !part, !own)
    // expected-note@+1 {{registers that the copy fills or empties are used here}}
    %values = cute.memref.load_vec %own : !own
    gpu.return
  }
}

// -----

// The author knows which threads a predicate, or a branch, excludes.
!word = !cute_nvgpu.atom.universal_copy<f32, 32 b>
!copy = !cute.tiled_copy<!word, layout_copy_tv = <"((8,4),4):((1,8),32)">, tiler_mn = <"[8:1;16:1]">>
!global = !cute.memref<f32, gmem, align<16>, "(8,16):(16,1)">
!part = !cute.memref<f32, gmem, "((1,4),1,1):((0,4),0,0)">
!flags = !cute.memref<i8, rmem, align<16>, "(1,1,1):(0,0,0)">
gpu.module @m {
  gpu.func @predicate(%src: !global, %dst: !global) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-note@+1 {{the number of the thread decides about elements of the copy, in a branch or a predicate}}
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %t = cute.make_coord(%thread) : (i32) -> !cute.coord<"?">
    %atom = cute.make_atom() : () -> !word
    // expected-error@+1 {{'cute.make_tiled_copy' op: auto may give an element to another thread, but 'nvvm.read.ptx.sreg.tid.x' depends on which thread has it; write the thread-value layout}}
    %copy = cute.make_tiled_copy(%atom) auto : !copy
    %from = cute.tiled.copy.partition_S(%copy, %src, %t) : (!copy, !global, !cute.coord<"?">)
    %into = cute.tiled.copy.partition_D(%copy, %dst, %t) : (!copy, !global, !cute.coord<"?">)
    %flags = cute.memref.alloca() : !flags
    %c9 = arith.constant 9 : i32
    %less = arith.cmpi slt, %thread, %c9 : i32
    %flag = arith.extui %less : i1 to i8
    %at = cute.static : !cute.coord<"(0,0,0)">
    cute.memref.store(%flags, %at, %flag) : (!flags, !cute.coord<"(0,0,0)">, i8) -> ()
    cute.copy(%copy, %from, %into, %flags) : (!copy, !part, !part, !flags)
    gpu.return
  }
}

// -----

!word = !cute_nvgpu.atom.universal_copy<f32, 32 b>
!copy = !cute.tiled_copy<!word, layout_copy_tv = <"((8,4),4):((1,8),32)">, tiler_mn = <"[8:1;16:1]">>
!global = !cute.memref<f32, gmem, align<16>, "(8,16):(16,1)">
!part = !cute.memref<f32, gmem, "((1,4),1,1):((0,4),0,0)">
gpu.module @m {
  gpu.func @guarded(%src: !global, %dst: !global) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-note@+1 {{the number of the thread decides about elements of the copy, in a branch or a predicate}}
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %t = cute.make_coord(%thread) : (i32) -> !cute.coord<"?">
    %atom = cute.make_atom() : () -> !word
    // expected-error@+1 {{'cute.make_tiled_copy' op: auto may give an element to another thread, but 'nvvm.read.ptx.sreg.tid.x' depends on which thread has it; write the thread-value layout}}
    %copy = cute.make_tiled_copy(%atom) auto : !copy
    %from = cute.tiled.copy.partition_S(%copy, %src, %t) : (!copy, !global, !cute.coord<"?">)
    %into = cute.tiled.copy.partition_D(%copy, %dst, %t) : (!copy, !global, !cute.coord<"?">)
    %c32 = arith.constant 32 : i32
    %less = arith.cmpi slt, %thread, %c32 : i32
    scf.if %less {
      cute.copy(%copy, %from, %into) : (!copy, !part, !part)
    }
    gpu.return
  }
}

// -----

// Other copies by the same threads.
!word = !cute_nvgpu.atom.universal_copy<f32, 32 b>
!copy = !cute.tiled_copy<!word, layout_copy_tv = <"((8,4),4):((1,8),32)">, tiler_mn = <"[8:1;16:1]">>
!global = !cute.memref<f32, gmem, align<16>, "(8,16):(16,1)">
!part = !cute.memref<f32, gmem, "((1,4),1,1):((0,4),0,0)">
!own = !cute.memref<f32, rmem, align<16>, "((1,4),1,1):((0,1),0,0)">
gpu.module @m {
  gpu.func @retiled(%src: !global) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %t = cute.make_coord(%thread) : (i32) -> !cute.coord<"?">
    %atom = cute.make_atom() : () -> !word
    // expected-error@+1 {{'cute.make_tiled_copy' op: auto may give an element to another thread, but 'cute.tiled.copy.retile' depends on which thread has it; write the thread-value layout}}
    %copy = cute.make_tiled_copy(%atom) auto : !copy
    %from = cute.tiled.copy.partition_S(%copy, %src, %t) : (!copy, !global, !cute.coord<"?">)
    %own = cute.memref.alloca() : !own
    // expected-note@+1 {{registers that the copy fills or empties are used here}}
    %into = cute.tiled.copy.retile(%copy, %own) : (!copy, !own)
    cute.copy(%copy, %from, %into) : (!copy, !part, !own)
    gpu.return
  }
}

// -----

!word = !cute_nvgpu.atom.universal_copy<f32, 32 b>
!copy = !cute.tiled_copy<!word, layout_copy_tv = <"((8,4),4):((1,8),32)">, tiler_mn = <"[8:1;16:1]">>
gpu.module @m {
  gpu.func @same_threads() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %atom = cute.make_atom() : () -> !word
    // expected-error@+1 {{'cute.make_tiled_copy' op: auto may give an element to another thread, but 'cute.make_tiled_copy_S' depends on which thread has it; write the thread-value layout}}
    %copy = cute.make_tiled_copy(%atom) auto : !copy
    // expected-note@+1 {{registers that the copy fills or empties are used here}}
    %other = cute.make_tiled_copy_S(%atom, %copy) : (!word, !copy)
    gpu.return
  }
}

// -----

// Vectors along the first mode exclude rows, and blocks of 2 by 2 everything else.
!atom = !cute_nvgpu.atom.universal_copy<f32, 128 b>
!pair = !cute_nvgpu.atom.universal_copy<f32, 64 b>
!tile = !cute.memref<f32, smem, align<16>, "((2,16),(2,16)):((1,4),(2,80))">
!two = !cute.memref<f32, smem, align<16>, "(2):(1)">
!block = !cute.memref<f32, smem, align<16>, "((2,2)):((1,2))">
!from_two = !cute.memref<f32, gmem, align<16>, "(2):(1)">
!from_block = !cute.memref<f32, gmem, align<16>, "((2,2)):((1,2))">
gpu.module @m {
  gpu.func @crossing(%two: !from_two, %block: !from_block) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %pair = cute.make_atom() : () -> !pair
    %atom = cute.make_atom() : () -> !atom
    // expected-error@+1 {{'cute.memref.alloc_smem' op: layout = auto: no candidate satisfies all uses}}
    %tile = cute.memref.alloc_smem() layout = auto : !tile
    %of_two = cute.static : !cute.layout<"(2):(1)">
    %into_two = cute.composition(%tile, %of_two) : (!tile, !cute.layout<"(2):(1)">) -> !two
    // expected-note@+1 {{'cute.copy' op excludes }}
    cute.copy(%pair, %two, %into_two) : (!pair, !from_two, !two)
    %of_block = cute.static : !cute.layout<"((2,2)):((1,32))">
    %into_block = cute.composition(%tile, %of_block) : (!tile, !cute.layout<"((2,2)):((1,32))">) -> !block
    // expected-note@+1 {{'cute.copy' op excludes }}
    cute.copy(%atom, %block, %into_block) : (!atom, !from_block, !block)
    gpu.return
  }
}

// -----

// 48 KiB of static shared memory are not enough for two tiles, nor for one beside a tile with a written layout.
gpu.module @m {
  gpu.func @two() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-error@+2 {{'cute.memref.alloc_smem' op: layout = auto: no candidate satisfies all uses}}
    // expected-note@+1 {{take 65536 bytes at least, and there is room for 49152}}
    %a = cute.memref.alloc_smem() layout = auto : !cute.memref<f32, smem, align<16>, "(128,64):(64,1)">
    %b = cute.memref.alloc_smem() layout = auto : !cute.memref<f32, smem, align<16>, "(128,64):(64,1)">
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @together() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-error@+2 {{'cute.memref.alloc_smem' op: layout = auto: no candidate satisfies all uses}}
    // expected-note@+1 {{take 32768 bytes at least, and there is room for 16384}}
    %a = cute.memref.alloc_smem() layout = auto : !cute.memref<f32, smem, align<16>, "(128,64):(64,1)">
    %b = cute.memref.alloc_smem() : !cute.memref<f32, smem, align<16>, "(128,64):(64,1)">
    gpu.return
  }
}

// -----

// Padding needs no registers for addresses, where there is room for it.
!tile = !cute.memref<f32, smem, align<16>, "(64,128):(128,1)">
gpu.module @m {
  gpu.func @fits() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    // expected-remark@+1 {{layout = auto is (64,128):(132,1), modes 1, 0 from the fastest to the slowest; 4 elements of padding after each 128; 129 wavefronts, 33 instructions, 33776 bytes; next: S<3,2,5> o 0 o (64,128):(128,1), 129 wavefronts, 33 instructions, 22 registers, 32768 bytes}}
    %a = cute.memref.alloc_smem() layout = auto : !tile
    %row = cute.make_coord(%t) : (i32) -> !cute.coord<"(?,_)">
    %own = cute.slice(%a, %row) : !tile, !cute.coord<"(?,_)">
    %all = cute.memref.load_vec %own : !cute.memref<f32, smem, align<16>, "(128):(1)">
    %col = cute.make_coord(%t) : (i32) -> !cute.coord<"(0,?)">
    %one = cute.memref.load(%a, %col) : (!tile, !cute.coord<"(0,?)">) -> f32
    gpu.return
  }
}

// -----

!tile = !cute.memref<f32, smem, align<16>, "(96,128):(128,1)">
gpu.module @m {
  gpu.func @fits() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    // expected-remark@+1 {{layout = auto is S<3,2,3> o 0 o ((8,12),(32,4)):((32,1024),(1,256)), the atom SW128 of tensor cores and the TMA, contiguous along mode 1, repeated along mode 1 first; 129 wavefronts, 33 instructions, 22 registers, 49152 bytes}}
    %a = cute.memref.alloc_smem() layout = auto : !tile
    %row = cute.make_coord(%t) : (i32) -> !cute.coord<"(?,_)">
    %own = cute.slice(%a, %row) : !tile, !cute.coord<"(?,_)">
    %all = cute.memref.load_vec %own : !cute.memref<f32, smem, align<16>, "(128):(1)">
    %col = cute.make_coord(%t) : (i32) -> !cute.coord<"(0,?)">
    %one = cute.memref.load(%a, %col) : (!tile, !cute.coord<"(0,?)">) -> f32
    gpu.return
  }
}

// -----

// The TMA writes the tile from which its map was made, on the host.
!load = !cute_nvgpu.atom.tma_load<f16, copy_bits = 65536, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,64):(1@1,1@0)">>
!box = !cute.coord_tensor<"(0,0)", "((64,64)):((1@0,1@1))">
!memory = !cute.memref<f16, smem, align<1024>, "(4096):(1)">
gpu.module @kernels {
  gpu.func @unmapped(%load: !load, %box: !box) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %memory = cute.memref.alloc_smem() layout = auto : !memory
    // expected-error@+1 {{layout = auto needs the tile from which a host function makes the tensor map, which is not in this module; write the layout}}
    cute.copy(%load, %box, %memory) : (!load, !box, !memory)
    gpu.return
  }
}

// -----

!matrix = !cute.memref<f16, gmem, align<16>, "(?,?):(?{i64},1)">
!coords = !cute.coord_tensor<"(0,0)", "(?,?):(1@1,1@0)">
!plain = !cute.layout<"(64,64):(64,1)">
!values = !cute.layout<"(64,64):(1@0,1@1)">
!make_load = !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 65536, tma_gbasis = <"(64,64):(1@1,1@0)">, tma_format = F16_RN>
!load = !cute_nvgpu.atom.tma_load<f16, copy_bits = 65536, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,64):(1@1,1@0)">>
!box = !cute.coord_tensor<"(0,0)", "((64,64)):((1@0,1@1))">
!memory = !cute.memref<f16, smem, align<1024>, "(4096):(1)">
!cfg = !cuda.launch_cfg<max_attrs = 1>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    cuda.kernel @k(%l: !make_load, %box: !box) attributes {cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
      // expected-error@+1 {{'cute.memref.alloc_smem' op: no candidate for layout = auto is the tile "(64,64):(64,1)" from which the tensor map of a copy is made}}
      %memory = cute.memref.alloc_smem() layout = auto : !memory
      %first = cute_nvgpu.atom.make_exec_tma(%l) : (!make_load) -> !load
      // expected-note@+1 {{the copy is here}}
      cute.copy(%first, %box, %memory) : (!load, !box, !memory)
      return
    }
  }
  func.func @host(%A: !matrix, %box: !box, %cfg: !cfg) {
    %tile = cute.static : !plain
    %values = cute.static : !values
    // expected-note@+1 {{the map is made here}}
    %l, %0 = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%A, %tile, %values) <{kind = <sm_90> num_multicast = 1}> : (!matrix, !plain, !values) -> (!make_load, !coords)
    %done = cuda.launch_ex @kernels::@k<%cfg> (%l, %box) : !cfg, (!make_load, !box) -> !cuda.result
    return
  }
}
