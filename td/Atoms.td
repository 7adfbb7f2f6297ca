// Atoms and what is built of them.

#ifndef CUTE_ATOMS
#define CUTE_ATOMS

include "Types.td"

def MakeAtomOp : Cute_Op<"make_atom", [Pure]>, CarriesState {
  let summary = "an atom; the operands are its run-time state";
  let arguments = (ins Variadic<AnyType>:$state);
  let results = (outs AnyType:$result);
  let assemblyFormat = "`(` $state `)` attr-dict `:` custom<ListedTypes>(type($state)) custom<DeclaredType>(type($result))";
  let description = [{Most atoms have no run-time state, and take no operands. A block-scaled `mma.sync`, whose state is the places of its scale factors, may be made
    without them if each `cute.gemm` names SFA and SFB. The type names the instruction; see [Types](types.md).}];
  let example = [{
    %atom = cute.make_atom(%accumulate)
      : (i1) -> !cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>
  }];
  let rules = [
    Rule<"result-atom", "the result is an atom", "!cute.layout is not an atom",
         "write the type of an atom; docs/types.md lists them">,
    Rule<"operands-run-time-state-atom", "the operands are the run-time state of the atom, in the order of its fields", "expects 3 operands, the run-time state of this atom: accum_c, neg_a, neg_b, found 1 operands",
         "pass the fields that the message lists">,
    Rule<"each-operand-type-field", "each operand has the type of its field", "accum_c must be i1, found i32",
         "convert the operand">
  ];
}
def MakeTiledCopyOp : Cute_Op<"make_tiled_copy", [
    Pure, TypesMatchWith<"atom is the one of the tiled copy", "result", "atom", "::cute::partOf($_self, CuteAtomPart)">]>, TilesAtom {
  let summary = "a copy atom laid over threads and values, as the result type says";
  let arguments = (ins AnyType:$atom, UnitAttr:$auto_copy);
  let results = (outs Cute_TiledCopy:$result);
  let assemblyFormat = "`(` $atom `)` (`auto` $auto_copy^)? attr-dict `:` qualified(type($result))";
  let description = [{The thread-value layout `layout_copy_tv` maps (thread, value) to a position in the tile `tiler_mn`, first mode fastest. With `auto`, it is a
    placeholder: the pass `cute-assign-layouts` [chooses](auto.md) which thread copies which elements, by the same atom or one of the same kind that
    copies more bits. The tile, the threads and the number of values stay.}];
  let example = [{
    %copy = cute.make_tiled_copy(%atom)
      : !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f16, 128 b>, layout_copy_tv = <"((8,16),8):((128,1),16)">, tiler_mn = <"[16:1;64:1]">>
    %open = cute.make_tiled_copy(%atom) auto
      : !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f16, 128 b>, layout_copy_tv = <"((16,8),8):((1,128),16)">, tiler_mn = <"[16:1;64:1]">>
  }];
  let rules = [
    Rule<"values-thread-whole-calls-atom", "the values of a thread are whole calls of the atom", "values of a thread of a tiled copy: 2 is not a multiple of the atom's 4",
         "give each thread more values in `layout_copy_tv`, or take an atom of fewer bits">,
    Rule<"layout-copy-tv-stays-inside-tile", "`layout_copy_tv` stays inside of the tile", "(32,4):(4,1) reaches position 127 of the tile [64:1], which has 64",
         "make the tile of `tiler_mn` larger">,
    Rule<"auto-nothing-else-depends-thread-element", "with `auto`, nothing else depends on which thread has an element", "auto may give an element to another thread, but 'cute.memref.load_vec' depends on which thread has it",
         "write the thread-value layout">,
    Rule<"auto-tiler-mn-extents-alone", "with `auto`, `tiler_mn` has extents alone", "auto needs a tile of plain extents",
         "write the thread-value layout">,
    Rule<"auto-kernel-states-block-size", "with `auto`, the kernel states its block size", "auto needs the number of threads that access the tile: give the kernel known_block_size",
         "set `known_block_size` of the `gpu.func`">
  ];
}
def MakeTiledMmaOp : Cute_Op<"make_tiled_mma", [
    Pure, TypesMatchWith<"atom is the one of the tiled MMA", "result", "atom", "::cute::partOf($_self, CuteAtomPart)">]>, TilesAtom {
  let summary = "an MMA atom laid over threads, as the result type says";
  let arguments = (ins AnyType:$atom);
  let results = (outs Cute_TiledMma:$result);
  let assemblyFormat = "`(` $atom `)` attr-dict `:` qualified(type($result))";
  let description = [{`atom_layout_MNK` lays whole atoms over warps, and `permutation_MNK` says which rows and columns they take.}];
  let example = [{
    %mma = cute.make_tiled_mma(%atom)
      : !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>
  }];
  let rules = [
    Rule<"atom-result-type", "the atom is that of the result type", "failed to verify that atom is the one of the tiled MMA",
         "write the atom's type in the result type">,
    Rule<"each-tile-permutation-holds-whole-atoms", "each tile of the permutation holds whole atoms", "mode 0: a tile of 24 is not a multiple of 32, 2 atoms of 16",
         "choose a multiple">,
    Rule<"permutation-most-modes-m", "the permutation has at most the modes M, N and K", "the permutation: rank 4, expected at most 3",
         "write one tile per mode">,
    Rule<"no-two-threads-same-place", "no two threads have the same place", "(32,2,2,1):(1,32,32,0) gives two threads one index",
         "choose other strides in `atom_layout_MNK`">
  ];
}

// A tiled copy whose layout is that of an MMA's operand, or of a side of another copy.
class CopyLikeOf<string m, TypeConstraint t> : Cute_Functional<m>, DerivesCopy, Own {
  let arguments = (ins AnyType:$atom, t:$like);
  let results = (outs Cute_TiledCopy:$result);
}
// One whose atom may be left open.
class CopyOfOperand<string m> : CopyLikeOf<m, Cute_TiledMma> {
  let arguments = (ins AnyType:$atom, Cute_TiledMma:$like, UnitAttr:$auto_copy);
}
def MakeTiledCopyAOp : CopyOfOperand<"make_tiled_copy_A"> {
  let summary = "a copy atom laid over threads and values as a tiled MMA has A";
  let description = [{Copies by it load A of a tile in the order in which the MMA reads it, so that `tiled.copy.retile` of the fragment fits. With `auto`, the
    atom is a placeholder: the pass `cute-assign-layouts` [chooses](auto.md) a form of `ldmatrix` or a plain copy.}];
  let example = [{
    %loadA = cute.make_tiled_copy_A(%atom, %mma)
      : (!cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, n>, !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>)
    %open = cute.make_tiled_copy_A(%plain, %mma) auto
      : (!cute_nvgpu.atom.universal_copy<f16>, !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>)
  }];
  let rules = [
    Rule<"first-operand-copy-atom", "the first operand is a copy atom", "operand #0 must be a copy atom",
         "make one by `cute.make_atom`">,
    Rule<"each-thread-whole-calls-atom", "each thread has whole calls of the atom", "is not a multiple of the atom's ..",
         "take an atom of fewer values, or a larger tile">,
    Rule<"auto-kernel-states-block-size", "with `auto`, the kernel states its block size", "auto needs the number of threads that access the tile: give the kernel known_block_size",
         "set `known_block_size` of the `gpu.func`">
  ];
}
def MakeTiledCopyBOp : CopyOfOperand<"make_tiled_copy_B"> {
  let summary = "a copy atom laid over threads and values as a tiled MMA has B";
  let description = [{With `auto`, the atom is a placeholder, as that of A may be.}];
  let example = [{
    %loadB = cute.make_tiled_copy_B(%atom, %mma)
      : (!cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, n>, !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>)
  }];
  let rules = [
    Rule<"first-operand-copy-atom", "the first operand is a copy atom", "operand #0 must be a copy atom",
         "make one by `cute.make_atom`">,
    Rule<"each-thread-whole-calls-atom", "each thread has whole calls of the atom", "is not a multiple of the atom's ..",
         "take an atom of fewer values, or a larger tile">,
    Rule<"auto-kernel-states-block-size", "with `auto`, the kernel states its block size", "auto needs the number of threads that access the tile: give the kernel known_block_size",
         "set `known_block_size` of the `gpu.func`">
  ];
}
def MakeTiledCopyCOp : CopyOfOperand<"make_tiled_copy_C"> {
  let summary = "a copy atom laid over threads and values as a tiled MMA has C";
  let description = [{With `auto`, the atom is a placeholder: the pass `cute-assign-layouts` [chooses](auto.md) a plain copy, or a form of `stmatrix` if the
    placeholder is one.}];
  let example = [{
    %storeC = cute.make_tiled_copy_C(%atom, %mma)
      : (!cute_nvgpu.atom.universal_copy<f32, 64 b>, !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>)
  }];
  let rules = [
    Rule<"first-operand-copy-atom", "the first operand is a copy atom", "operand #0 must be a copy atom",
         "make one by `cute.make_atom`">,
    Rule<"each-thread-whole-calls-atom", "each thread has whole calls of the atom", "is not a multiple of the atom's ..",
         "take an atom of fewer values, or a larger tile">,
    Rule<"auto-kernel-states-block-size", "with `auto`, the kernel states its block size", "auto needs the number of threads that access the tile: give the kernel known_block_size",
         "set `known_block_size` of the `gpu.func`">
  ];
}
def MakeTiledCopyCAtomOp : CopyLikeOf<"make_tiled_copy_C_atom", Cute_TiledMma> {
  let summary = "the smallest copy of C with the first values of each thread, as many as the atom takes";
  let example = [{
    %storeC = cute.make_tiled_copy_C_atom(%atom, %mma)
      : (!cute_nvgpu.atom.universal_copy<f32, 64 b>, !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>)
  }];
  let rules = [
    Rule<"first-operand-copy-atom", "the first operand is a copy atom", "operand #0 must be a copy atom",
         "make one by `cute.make_atom`">,
    Rule<"thread-least-many-values-c-atom", "a thread has at least as many values of C as the atom copies", "copy of parts of C: the atom copies 8 values of a thread, but the thread has 4 of ..",
         "take an atom of fewer values">
  ];
}
def MakeTiledCopySOp : CopyLikeOf<"make_tiled_copy_S", Cute_TiledCopy> {
  let summary = "another copy atom on the thread-value layout of the source of a tiled copy";
  let example = [{
    %read = cute.make_tiled_copy_S(%atom, %copy)
      : (!cute_nvgpu.atom.universal_copy<f16, 64 b>, !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f16, 128 b>, layout_copy_tv = <"((8,16),8):((128,1),16)">, tiler_mn = <"[16:1;64:1]">>)
  }];
  let rules = [
    Rule<"first-operand-copy-atom", "the first operand is a copy atom", "operand #0 must be a copy atom",
         "make one by `cute.make_atom`">,
    Rule<"each-thread-whole-calls-atom", "each thread has whole calls of the atom", "is not a multiple of the atom's ..",
         "take an atom of fewer values, or a larger tile">
  ];
}
def MakeTiledCopyDOp : CopyLikeOf<"make_tiled_copy_D", Cute_TiledCopy> {
  let summary = "another copy atom on the thread-value layout of the destination of a tiled copy";
  let example = [{
    %write = cute.make_tiled_copy_D(%atom, %copy)
      : (!cute_nvgpu.atom.universal_copy<f16, 64 b>, !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f16, 128 b>, layout_copy_tv = <"((8,16),8):((128,1),16)">, tiler_mn = <"[16:1;64:1]">>)
  }];
  let rules = [
    Rule<"first-operand-copy-atom", "the first operand is a copy atom", "operand #0 must be a copy atom",
         "make one by `cute.make_atom`">,
    Rule<"each-thread-whole-calls-atom", "each thread has whole calls of the atom", "is not a multiple of the atom's ..",
         "take an atom of fewer values, or a larger tile">
  ];
}

class Partition<string m> : Cute_Functional<m> {
  let arguments = (ins Cute_TiledCopy:$tiled_copy, AnyView:$view, Cute_Coord:$thread);
  let results = (outs AnyView:$result);
}
def TiledCopyPartitionSOp : Partition<"tiled.copy.partition_S"> {
  let summary = "what a thread reads: (V, rest..)";
  let description = [{The first mode of the result, V, holds the values of one call of the atom. A coord_tensor is partitioned like the memory that it stands for.}];
  let example = [{
    %tAgA = cute.tiled.copy.partition_S(%copy, %gA, %tid)
      : (!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f16, 128 b>, layout_copy_tv = <"((8,16),8):((128,1),16)">, tiler_mn = <"[16:1;64:1]">>, !cute.memref<f16, gmem, align<16>, "(128,64):(64,1)">, !cute.coord<"?">)
  }];
  let rules = [
    Rule<"static-thread-one-tiled-copy", "a static thread is one of the tiled copy's", "thread 32 is not one of the 32 threads of the !cute.tiled_copy",
         "pass the number of the thread in the block or warpgroup">,
    Rule<"thread-one-integer", "the thread is one integer", "the thread must be one integer",
         "count the threads of the block along one mode">,
    Rule<"tiles-cover-tensor-exactly", "tiles cover the tensor exactly", "tiles of 8:1 in 12 elements cover 16; set cute.domain = \"extend\"",
         "choose a tile that divides the tensor, or set `cute.domain = \"extend\"`">,
    Rule<"view-holds-elements-atom-type", "the view holds elements of the atom's type", "the atom copies elements of f32, but the view holds bf16",
         "recast the view, or take an atom of its elements">
  ];
}
def TiledCopyPartitionDOp : Partition<"tiled.copy.partition_D"> {
  let summary = "what a thread writes: (V, rest..)";
  let example = [{
    %tAsA = cute.tiled.copy.partition_D(%copy, %sA, %tid)
      : (!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f16, 128 b>, layout_copy_tv = <"((8,16),8):((128,1),16)">, tiler_mn = <"[16:1;64:1]">>, !cute.memref<f16, smem, align<128>, "(128,64):(64,1)">, !cute.coord<"?">)
  }];
  let rules = [
    Rule<"static-thread-one-tiled-copy", "a static thread is one of the tiled copy's", "thread 32 is not one of the 32 threads of the !cute.tiled_copy",
         "pass the number of the thread in the block or warpgroup">
  ];
}
def TiledCopyRetileOp : Cute_Functional<"tiled.copy.retile"> {
  let summary = "a fragment of another tiling in the order in which the copy takes its values";
  let arguments = (ins Cute_TiledCopy:$tiled_copy, AnyView:$fragment);
  let results = (outs AnyView:$result);
  let example = [{
    %loaded = cute.tiled.copy.retile(%loadA, %rA)
      : (!cute.tiled_copy<!cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, n>, layout_copy_tv = <"((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))">, tiler_mn = <"[32:1;16:1]">>, !cute.memref<f16, rmem, align<16>, "((2,2,2),4,4):((1,2,4),32,8)">)
  }];
  let rules = [
    Rule<"mode-0-fragment-static", "mode 0 of the fragment is static", "the size ? of mode 0 is dynamic, but a static value is required",
         "retile a fragment of `cute.mma.make_fragment`">,
    Rule<"copy-takes-whole-parts-fragment", "the copy takes whole parts of the fragment", "mode (0,1) of the stride: 256 does not divide, and is not divided by, the factor 384",
         "make the copy by `cute.make_tiled_copy_A`, `_B` or `_C` from the MMA of the fragment">
  ];
}

// A matrix of an MMA is written A, B or C, and the scale factors of A and B are SFA and SFB.
defvar MatrixName = "custom<MatrixName>($operand_id)";
def TiledMmaPartitionOp : Cute_Pure<"tiled.mma.partition"> {
  let summary = "what a thread has of a matrix: (V, rest..)";
  let arguments = (ins Cute_TiledMma:$tiled_mma, AnyView:$view, Cute_Coord:$thread, I32Attr:$operand_id);
  let results = (outs AnyView:$result);
  let assemblyFormat = MatrixName # [{
    `(` $tiled_mma `,` $view `,` $thread `)` attr-dict `:`
    custom<OperandTypes>(type($tiled_mma), type($view), type($thread)) custom<ResultTypes>(type($result))
  }];
  let description = [{A is a tile (M,K), B is (N,K), and C is (M,N). The first mode of the result, V, holds the values of one call of the atom.
    For a block-scaled `mma.sync`, SFA (M,K) and SFB (N,K) are the scale factors of A and B, over the coordinates of the elements: elements that share a factor are a
    mode of stride 0, as `sm120_make_smem_layout_sfa` of `cute-calc` lays them out.}];
  let example = [{
    %tCsA = cute.tiled.mma.partition A (%mma, %sA, %tid)
      : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, !cute.memref<f16, smem, align<128>, "(128,64):(64,1)">, !cute.coord<"?">)
  }];
  let rules = [
    Rule<"static-thread-one-tiled-mma", "a static thread is one of the tiled MMA's", "thread 32 is not one of the 32 threads of the !cute.tiled_mma",
         "pass the number of the thread; the thread of `tcgen05` is the CTA of the pair">,
    Rule<"thread-one-integer", "the thread is one integer", "the thread must be one integer",
         "count the threads of the block along one mode">,
    Rule<"tensor-least-two-modes", "the tensor has at least two modes", "the tensor: rank 1, expected at least 2",
         "partition a tile (M,K), (N,K) or (M,N)">,
    Rule<"matrix-b-c", "the matrix is A, B, C, SFA or SFB", "expected a matrix: A, B, C, SFA or SFB",
         "write its name after the name of the op">,
    Rule<"scale-factors-in-registers", "scale factors are partitioned for an MMA that takes them from registers", "has no scale factors in registers",
         "copy the factors of `tcgen05` to tensor memory, and make a view of the layout that `make_tmem_layout_sfa` gives">,
    Rule<"tiles-cover-tensor-exactly", "tiles cover the tensor exactly", "tiles of 32:1 in 40 elements cover 64; set cute.domain = \"extend\"",
         "choose a tile that divides the tensor, or set `cute.domain = \"extend\"`">
  ];
}
def TiledMmaPartitionShapeOp : Cute_Pure<"tiled.mma.partition_shape"> {
  let summary = "the shape of what a thread has of a matrix of some shape";
  let arguments = (ins Cute_TiledMma:$tiled_mma, Cute_Shape:$shape, I32Attr:$operand_id);
  let results = (outs Cute_Shape:$result);
  let assemblyFormat = MatrixName # [{
    `(` $tiled_mma `,` $shape `)` attr-dict `:` custom<OperandTypes>(type($tiled_mma), type($shape)) custom<ResultTypes>(type($result))
  }];
  let example = [{
    %shapeC = cute.tiled.mma.partition_shape C (%mma, %tile)
      : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, !cute.shape<"(128,128)">)
      -> !cute.shape<"((2,2),4,8)">
  }];
  let rules = [
    Rule<"shape-least-two-modes", "the shape has at least two modes", "the tensor: rank 1, expected at least 2",
         "pass (M,K), (N,K) or (M,N)">,
    Rule<"matrix-b-c", "the matrix is A, B, C, SFA or SFB", "expected a matrix: A, B, C, SFA or SFB",
         "write its name after the name of the op">
  ];
}

class MakesFragment<string m> : Cute_Op<m, [MemoryEffects<[MemAlloc]>]>, MakesMemory {
  let hasFolder = 0;
  let extraClassDefinition = trampolines;
}
// What an MMA multiplies.
defvar Factor = AnyTypeOf<[Cute_MemRef, DescView], "memref or smem_desc_view">;
def MmaMakeFragmentOp : MakesFragment<"mma.make_fragment"> {
  let summary = "what an MMA takes of a partition or its shape: registers, descriptors of shared memory, or tensor memory";
  let arguments = (ins AnyType:$tiled_mma, AnyTypeOf<[Cute_MemRef, Cute_CoordTensor, Cute_Shape], "memref, coord_tensor or shape">:$like, I32Attr:$operand_id);
  let results = (outs Factor:$result);
  let assemblyFormat = MatrixName # "`(` $tiled_mma `,` $like `)` attr-dict `:` custom<OperandTypes>(type($tiled_mma), type($like)) custom<DeclaredType>(type($result))";
  let description = [{The atom decides what it is: registers for `mma.sync`, a `smem_desc_view` of the shared memory for A and B of `wgmma` and `tcgen05`, and
    tensor memory for C of `tcgen05`. SFA and SFB are registers for the scale factors of a block-scaled `mma.sync`.}];
  let example = [{
    %rC = cute.mma.make_fragment C (%mma, %shapeC)
      : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, !cute.shape<"((2,2),4,8)">)
      -> !cute.memref<f32, rmem, align<16>, "((2,2),4,8):((1,2),4,16)">
  }];
  let rules = [
    Rule<"partition-modes-v", "the partition has the modes (V, rest..)", "C must be partitioned as (V, rest..) of rank 3 or more, found ((2,2),4)",
         "pass the result of `cute.tiled.mma.partition` or `partition_shape`">,
    Rule<"mode-0-holds-values-one-call", "mode 0 holds the values of one call", "mode 0 of A has 4 elements, but a thread of the atom has 8",
         "partition by the same MMA">,
    Rule<"scale-factors-in-registers", "scale factors have a fragment if the MMA takes them from registers", "has no scale factors in registers",
         "copy the factors of `tcgen05` to tensor memory, and make a view of the layout that `make_tmem_layout_sfa` gives">,
    Rule<"shape-static", "its shape is static", "a fragment must have a static shape, found ((2,2),?,8)",
         "cut a static tile first">,
    Rule<"matrix-shared-memory-layout-descriptors-describe", "a matrix in shared memory has a layout that descriptors describe", "has no descriptor: ..",
         "lay it out by `cute.tile_to_shape` of the swizzled block that the message names">,
    Rule<"descriptors-point-units-16-bytes", "descriptors point at units of 16 bytes", "descriptors address 16-byte units, but A is only known to be 8-byte aligned",
         "align the memory, and declare the alignment in its type">,
    Rule<"memory-descriptors-point-holds-elements-atom", "memory that descriptors point at holds the elements that the atom multiplies", "A's memory holds f16, but the atom multiplies bf16",
         "recast the iterator, or use an atom of the memory's elements">,
    Rule<"what-result-type-states-about-matrix", "what the result type states about the matrix is true", "the matrix is f16, A, k, declared f16, A, mn",
         "state what the message says, or nothing">
  ];
}
def MakeFragmentLikeOp : MakesFragment<"make_fragment_like"> {
  let summary = "registers for the elements of a view, in the order of its strides; of a layout, their layout";
  let arguments = (ins AnyTypeOf<[Cute_Layout, Cute_ComposedLayout, Cute_MemRef], "layout, composed layout or memref">:$like);
  let results = (outs AnyTypeOf<[Cute_Layout, Cute_MemRef], "layout or memref">:$result);
  let assemblyFormat = "`(` $like `)` attr-dict `:` custom<OperandTypes>(type($like)) custom<DeclaredType>(type($result))";
  let description = [{The result type must be written.}];
  let example = [{
    %rA = cute.make_fragment_like(%tAgA)
      : (!cute.memref<f16, gmem, align<16>, "((8,1),8):((1,0),512)">)
      -> !cute.memref<f16, rmem, align<16>, "((8,1),(8)):((1,0),(8))">
  }];
  let rules = [
    Rule<"shape-static", "the shape is static", "a fragment must have a static shape, found (8,?)",
         "cut a static tile first">,
    Rule<"elements-size", "the elements have a size", "!llvm.ptr has no size, so registers cannot hold it",
         "recast the view to elements of a known size">
  ];
}

class CopyLike<string m> : Cute_Effect<m, [MemoryEffects<[MemRead, MemWrite]>]> {
  let arguments = (ins AnyType:$atom, Viewed:$src, AnyView:$dst, Optional<AnyType>:$pred);
}
def CopyOp : CopyLike<"copy"> {
  let assemblyFormat = "`(` $atom `,` $src `,` $dst (`,` $pred^)? `)` attr-dict `:` `(` type(operands) `)`";
  let summary = "calls the atom for each coordinate of the rest modes; `pred` selects the calls that are executed";
  let description = [{Mode 0 of the views holds the values of the calls, and the other modes are loops, which are unrolled where they are static. `pred` has one
    `i1` or `i8` per call; a call whose element is 0 does not happen.}];
  let example = [{
    cute.copy(%copy, %tAgA, %rA, %pred)
      : (!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f16, 128 b>, layout_copy_tv = <"((8,16),8):((128,1),16)">, tiler_mn = <"[16:1;64:1]">>, !cute.memref<f16, gmem, align<16>, "((8,1),4):((1,0),4096)">, !cute.memref<f16, rmem, align<16>, "((8,1),4):((1,0),8)">, !cute.memref<i8, rmem, "(1,4):(0,1)">)
  }];
  let rules = [
    Rule<"source-destination-same-rest-modes", "source and destination have the same rest modes", "mode 1 has 2 elements in the source, but 3 in the destination",
         "partition both by the same tiled copy, or retile the fragment">,
    Rule<"elements-width-atom", "the elements have the width of the atom's", "the source has elements of f16, but the atom copies f32",
         "recast the view, or take an atom of its elements">,
    Rule<"both-sides-hold-same-elements", "both sides hold the same elements", "the source holds f16, but the destination holds bf16, and a copy does not convert",
         "recast the iterator of one side, or make both of one type">,
    Rule<"values-call-neighbours", "the values of a call are neighbours", "a call copies 4 neighbouring elements (128 b), but mode 0 is 4:2; use an atom of fewer bits, or give the values unit stride",
         "use an atom of fewer bits, or partition so that the contiguous mode comes first">,
    Rule<"addresses-aligned-bits-call", "addresses are aligned to the bits of a call", "a call of 128 b needs an address aligned to 16 bytes, but the pointer is only known to be aligned to 4",
         "declare `align<16>` and `?{div=8}` where they hold, or use an atom of fewer bits">,
    Rule<"predicate-one-element-per-call", "the predicate has one element per call", "pred must have 2 elements in mode 1, the size of the data's mode, found 3",
         "make it with mode 0 of extent 1 and the rest modes of the data">
  ];
}
def CopyAtomCallOp : CopyLike<"copy_atom_call"> {
  let hasCustomAssemblyFormat = 1;
  let extraClassDefinition = trampolines # functional;
  let summary = "one call of an atom on views (V)";
  let example = [{
    cute.copy_atom_call(%atom, %src, %dst)
      : (!cute_nvgpu.atom.simt_async_copy<f16, cache = global, 128 b>, !cute.memref<f16, gmem, align<16>, "8:1">, !cute.memref<f16, smem, align<16>, "8:1">)
      -> ()
  }];
  let rules = [
    Rule<"views-values-one-call", "the views have the values of one call", "the source has 8 elements, but one call of the atom copies 4; use cute.copy",
         "use `cute.copy`, or slice the views">,
    Rule<"memory-spaces-those-instruction", "the memory spaces are those of the instruction", "cp.async copies gmem to smem, found gmem to rmem; use universal_copy",
         "take the atom that the message names">
  ];
}

class PrefetchLike<string m> : Cute_Effect<m, [MemoryEffects<[MemRead, MemWrite]>]> {
  let arguments = (ins AnyType:$atom, AnyView:$src);
}
def PrefetchOp : PrefetchLike<"prefetch"> {
  let assemblyFormat = "`(` operands `)` attr-dict `:` `(` type(operands) `)`";
  let summary = "prefetches to L2 what the atom would read, for each coordinate of the rest modes";
  let example = [{
    cute.prefetch(%atom, %gA)
      : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "((4,2),?):((1,8),?{i64 div=16})">)
  }];
  let rules = [
    Rule<"atom-prefetch", "the atom has a prefetch", "!cute_nvgpu.atom.tma_store has no prefetch; ..",
         "take `tma_load` or `universal_copy`">,
    Rule<"source-lies-gmem", "the source lies in gmem", "a prefetch loads gmem into L2, but the source lies in smem",
         "prefetch the memory that is copied">,
    Rule<"mode-0-holds-whole-calls", "mode 0 holds whole calls", "not a multiple of the 4096 that one call of the atom copies (131072 b)",
         "partition by `tma_partition` first">
  ];
}
def PrefetchAtomCallOp : PrefetchLike<"prefetch_atom_call"> {
  let hasCustomAssemblyFormat = 1;
  let extraClassDefinition = trampolines # functional;
  let summary = "prefetches to L2 what one call of the atom would read";
  let example = [{
    cute.prefetch_atom_call(%atom, %line)
      : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "4:1">) -> ()
  }];
  let rules = [
    Rule<"view-values-one-call", "the view has the values of one call", "the source has 8 elements, but one call of the atom takes 4; use cute.prefetch",
         "use `cute.prefetch`, or slice the view">
  ];
}

class GemmLike<string m> : Cute_Effect<m, [MemoryEffects<[MemRead, MemWrite]>]> {
  let arguments = (ins AnyType:$atom, Cute_MemRef:$d, Variadic<Factor>:$factors, Cute_MemRef:$c);
}
def GemmOp : GemmLike<"gemm"> {
  let assemblyFormat = "`(` operands `)` attr-dict `:` `(` type(operands) `)`";
  let summary = "D = A B + C: the atom over all rest modes, (V,M,K) (V,N,K) -> (V,M,N) and the forms with fewer modes";
  let description = [{The operands are the MMA, D, A, B and C. D may be the same value as C. K is the outermost loop. With scale factors they are the MMA, D, A, SFA, B, SFB and C, as long as the state of the MMA does not say where the factors are.}];
  let example = [{
    cute.gemm(%mma, %rC, %rA, %rB, %rC)
      : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>, !cute.memref<f32, rmem, align<16>, "((2,2),4,8):((1,2),4,16)">, !cute.memref<f16, rmem, align<16>, "((2,2,2),4,4):((1,2,4),32,8)">, !cute.memref<f16, rmem, align<8>, "((2,2),8,4):((1,2),16,4)">, !cute.memref<f32, rmem, align<16>, "((2,2),4,8):((1,2),4,16)">)
  }];
  let rules = [
    Rule<"m-m-c", "M of A is M of C", "mode 1 of A has 4 elements, but mode 1 of C has 2",
         "partition all three by the same MMA">,
    Rule<"k-k-b", "K of A is K of B", "mode 2 of A has 2 elements, but mode 2 of B has 4",
         "slice the same K blocks of both">,
    Rule<"mode-0-holds-values-one-call", "mode 0 holds the values of one call", "mode 0 of A has 4 elements, but one call of the atom uses 8 elements of A per thread",
         "take fragments of `cute.mma.make_fragment`">,
    Rule<"matrices-lie-where-atom-reads-them", "the matrices lie where the atom reads them", "A lies in smem, but the atom takes it from registers: copy it to a fragment of mma.make_fragment",
         "copy it to a fragment first">,
    Rule<"elements-width-atom", "the elements have the width of the atom's", "A has elements of f32, but the atom takes A of f16",
         "convert the elements, or take another atom">,
    Rule<"elements-those-atom", "the elements are those of the atom", "A's fragment holds bf16, but the atom multiplies f16",
         "make the fragment by `cute.mma.make_fragment` of this atom">,
    Rule<"scale-factors-lie-where-instruction-reads", "scale factors lie where the instruction reads them", "SFA lies in smem, but the atom takes scale factors from tmem",
         "copy them there first">,
    Rule<"scale-factors-one-call-lie-instruction", "the scale factors of one call lie as the instruction reads them", "mode 0 of SFA has the layout .., but one call of the atom reads scale factors in the layout ..",
         "make the layout as `make_tmem_layout_sfa` of `cute-calc` does">,
    Rule<"descriptors-state-their-matrix-those-operand", "descriptors that state their matrix are those of the operand", "A is given the descriptors of B",
         "exchange the operands">,
    Rule<"descriptors-state-their-major-atom", "descriptors that state their major have that of the atom", "B has descriptors of k-major memory, but the atom reads B mn-major",
         "use the atom with which the fragment was made">
  ];
}
def MmaAtomCallOp : GemmLike<"mma_atom_call"> {
  let hasCustomAssemblyFormat = 1;
  let extraClassDefinition = trampolines # functional;
  let summary = "one call of an atom on fragments (V)";
  let description = [{The operands are the atom, D, A, B and C, or the atom, D, A, SFA, B, SFB and C.}];
  let example = [{
    cute.mma_atom_call(%atom, %d, %a, %b, %c)
      : (!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, !cute.memref<f32, rmem, align<16>, "((2,2)):((1,2))">, !cute.memref<f16, rmem, align<16>, "((2,2,2)):((1,2,4))">, !cute.memref<f16, rmem, align<8>, "((2,2)):((1,2))">, !cute.memref<f32, rmem, align<16>, "((2,2)):((1,2))">)
      -> ()
  }];
  let rules = [
    Rule<"each-fragment-rank-1", "each fragment is (V), of rank 1", "one call of the atom takes fragments (V) of rank 1, found rank 3",
         "write the values of one call in brackets, or use `cute.gemm`">,
    Rule<"holds-values-one-call", "it holds the values of one call", "mode 0 of A has 4 elements, but one call of the atom uses 8 elements of A per thread",
         "slice the fragments to one call">
  ];
}

#endif
