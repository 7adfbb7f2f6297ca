// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base)' -split-input-file -verify-diagnostics

func.func @copy(%a: !cute_nvgpu.atom.universal_copy<f32>, %s: !cute.memref<f32, gmem, "1:0">, %d: !cute.memref<f32, gmem, "1:0">) {
  // expected-error @+1 {{'cute.copy' op reached cute-to-base: run cute-expand-copy-gemm and cute-lower-atoms before it}}
  cute.copy(%a, %s, %d) : (!cute_nvgpu.atom.universal_copy<f32>, !cute.memref<f32, gmem, "1:0">, !cute.memref<f32, gmem, "1:0">)
  return
}

// -----

// The error names an op that carries values of ours and is not lowered.
func.func @foreign(%l: !cute.layout<"(?,4):(1,?)">, %n: index) -> !cute.layout<"(?,4):(1,?)"> {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'scf.parallel' op on a value of type !cute.layout<"(?,4):(1,?)"> is not supported}}
  %r = scf.parallel (%i) = (%c1) to (%n) step (%c1) init (%l) -> !cute.layout<"(?,4):(1,?)"> {
    scf.reduce(%l : !cute.layout<"(?,4):(1,?)">) {
    ^bb0(%x: !cute.layout<"(?,4):(1,?)">, %y: !cute.layout<"(?,4):(1,?)">):
      scf.reduce.return %x : !cute.layout<"(?,4):(1,?)">
    }
  }
  return %r : !cute.layout<"(?,4):(1,?)">
}

// -----

// Pointers are to bytes.
func.func @inside_byte(%p: !cute.ptr<i4, gmem>, %by: !cute.int_tuple<"?">) -> !cute.ptr<i4, gmem> {
  %0 = cute.add_offset(%p, %by) : (!cute.ptr<i4, gmem>, !cute.int_tuple<"?">) -> !cute.ptr<i4, gmem>
  // expected-error @+1 {{an address inside a byte is not supported: offsets of views of so small elements have whole bytes}}
  return %0 : !cute.ptr<i4, gmem>
}

// -----

// Elements that share a byte may belong to another thread.
func.func @shared_byte(%view: !cute.memref<i4, smem, "8:1">, %value: i4) {
  %at = cute.static : !cute.coord<"3">
  // expected-error @+1 {{'cute.memref.store' op: a store of a single element of 4 bits to smem is not supported: another thread may write the rest of its byte; store to rmem, and copy bytes}}
  cute.memref.store(%view, %at, %value) : (!cute.memref<i4, smem, "8:1">, !cute.coord<"3">, i4) -> ()
  return
}

// -----

// LLVM has signless integers only.
func.func @unsigned(%view: !cute.memref<ui4, gmem, "8:1">) -> ui4 {
  %at = cute.static : !cute.coord<"3">
  // expected-error @+1 {{'cute.memref.load' op: a single ui4 is not supported; recast the iterator to i4}}
  %0 = cute.memref.load(%view, %at) : (!cute.memref<ui4, gmem, "8:1">, !cute.coord<"3">) -> ui4
  return %0 : ui4
}

// -----

// Scales are given at run time.
!mma = !cute_nvgpu.SM120.mma_bs<16x8x32, vec_size = 32, elem_type = (f8E4M3FN, f8E4M3FN, f32), sf_type = f8E8M0FNU, use_sf_layout_TV = true>
func.func @without_state() -> !mma {
  // expected-error @+1 {{'cute.static' op: gives !cute_nvgpu.SM120.mma_bs<16x8x32, vec_size = 32, elem_type = (f8E4M3FN, f8E4M3FN, f32), sf_type = f8E8M0FNU, use_sf_layout_TV = true> no run-time state; cute.make_atom takes it, as #cute_nvgpu.atom_mma_field_sm120_block_scaled<sf_a>, #cute_nvgpu.atom_mma_field_sm120_block_scaled<sf_b>}}
  %0 = cute.static : !mma
  return %0 : !mma
}

// -----

// An op that other passes lower does not vanish here.
!f = !cute.memref<f32, rmem, "(8):(1)">
func.func @convert(%a: !f, %b: !f) {
  // expected-error @+1 {{'cute.placement.convert' op reached cute-to-base: run cute-lower-atoms before it}}
  cute.placement.convert(%a, %b) {from = #cute.placement<"S[(32,8) : (1@laneid,1)]">, to = #cute.placement<"S[(32,8) : (1@laneid,1)]">} : (!f, !f) -> ()
  return
}

// -----

// A value enters by as many leaves as its type has.
func.func @one_leaf_of_two(%n: i32) -> i32 {
  // expected-error @+1 {{'builtin.unrealized_conversion_cast' op: a !cute.shape<"(?,?)"> has 2 leaves, found 1}}
  %0 = builtin.unrealized_conversion_cast %n : i32 to !cute.shape<"(?,?)">
  %1, %2 = cute.get_scalars(%0) : !cute.shape<"(?,?)">
  return %1 : i32
}
