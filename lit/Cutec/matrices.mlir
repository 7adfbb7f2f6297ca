// REQUIRES: cutec
// RUN: %cutec %s --target sm_100a | FileCheck %s --check-prefixes=LOAD,STORE
// RUN: %if ptxas %{ %cutec %s --target sm_100a --emit cubin -o %t.cubin %}
// RUN: %cutec %s --target sm_103a | FileCheck %s --check-prefixes=LOAD,STORE
// RUN: %if ptxas %{ %cutec %s --target sm_103a --emit cubin -o %t.cubin %}
// RUN: %cutec %s --target sm_120a | FileCheck %s --check-prefixes=LOAD,STORE
// RUN: %if ptxas %{ %cutec %s --target sm_120a --emit cubin -o %t.cubin %}
// RUN: not %cutec %s --target sm_90a 2>&1 | FileCheck %s --check-prefix=HOPPER
// HOPPER: error: 'cute.copy_atom_call' op: sm_90a has no SM100_U8x8_LDSM_T; it needs sm_100f, sm_100a, sm_103f, sm_103a, sm_110f, sm_110a, sm_120f, sm_120a, sm_121f, sm_121a; universal_copy is everywhere

// Matrices of 8, 6 and 4 bits: ptxas takes each on the targets that have it.

gpu.module @kernels {

// LOAD-DAG: ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8
gpu.func @bytes_1(%out: !cute.memref<i8, gmem, align<16>, "8:1">) kernel {
  %s = cute.memref.alloc_smem() : !cute.memref<i8, smem, align<16>, "16:1">
  %r = cute.memref.alloca() : !cute.memref<i8, rmem, align<16>, "8:1">
  %atom = cute.make_atom() : () -> !cute_nvgpu.atom.ldsm<val_type = i8, mode = <"(16,16)">, sz_pattern = u8, num_matrices = 1, t>
  cute.copy_atom_call(%atom, %s, %r) : (!cute_nvgpu.atom.ldsm<val_type = i8, mode = <"(16,16)">, sz_pattern = u8, num_matrices = 1, t>, !cute.memref<i8, smem, align<16>, "16:1">, !cute.memref<i8, rmem, align<16>, "8:1">) -> ()
  %word = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<i8, 32 b>
  cute.copy(%word, %r, %out) : (!cute_nvgpu.atom.universal_copy<i8, 32 b>, !cute.memref<i8, rmem, align<16>, "8:1">, !cute.memref<i8, gmem, align<16>, "8:1">)
  gpu.return
}

// LOAD-DAG: ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8
gpu.func @bytes_2(%out: !cute.memref<i8, gmem, align<16>, "16:1">) kernel {
  %s = cute.memref.alloc_smem() : !cute.memref<i8, smem, align<16>, "16:1">
  %r = cute.memref.alloca() : !cute.memref<i8, rmem, align<16>, "16:1">
  %atom = cute.make_atom() : () -> !cute_nvgpu.atom.ldsm<val_type = i8, mode = <"(16,16)">, sz_pattern = u8, num_matrices = 2, t>
  cute.copy_atom_call(%atom, %s, %r) : (!cute_nvgpu.atom.ldsm<val_type = i8, mode = <"(16,16)">, sz_pattern = u8, num_matrices = 2, t>, !cute.memref<i8, smem, align<16>, "16:1">, !cute.memref<i8, rmem, align<16>, "16:1">) -> ()
  %word = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<i8, 32 b>
  cute.copy(%word, %r, %out) : (!cute_nvgpu.atom.universal_copy<i8, 32 b>, !cute.memref<i8, rmem, align<16>, "16:1">, !cute.memref<i8, gmem, align<16>, "16:1">)
  gpu.return
}

// LOAD-DAG: ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b4x16_p64
gpu.func @b4_1(%out: !cute.memref<i8, gmem, align<16>, "4:1">) kernel {
  %s = cute.memref.alloc_smem() : !cute.memref<i8, smem, align<16>, "16:1">
  %r = cute.memref.alloca() : !cute.memref<i8, rmem, align<16>, "4:1">
  %atom = cute.make_atom() : () -> !cute_nvgpu.atom.ldsm<val_type = i8, mode = <"(8,16)">, sz_pattern = u4x16p64to8, num_matrices = 1, n>
  cute.copy_atom_call(%atom, %s, %r) : (!cute_nvgpu.atom.ldsm<val_type = i8, mode = <"(8,16)">, sz_pattern = u4x16p64to8, num_matrices = 1, n>, !cute.memref<i8, smem, align<16>, "16:1">, !cute.memref<i8, rmem, align<16>, "4:1">) -> ()
  %word = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<i8, 32 b>
  cute.copy(%word, %r, %out) : (!cute_nvgpu.atom.universal_copy<i8, 32 b>, !cute.memref<i8, rmem, align<16>, "4:1">, !cute.memref<i8, gmem, align<16>, "4:1">)
  gpu.return
}

// LOAD-DAG: ldmatrix.sync.aligned.m8n16.x2.shared.b8x16.b4x16_p64
gpu.func @b4_2(%out: !cute.memref<i8, gmem, align<16>, "8:1">) kernel {
  %s = cute.memref.alloc_smem() : !cute.memref<i8, smem, align<16>, "16:1">
  %r = cute.memref.alloca() : !cute.memref<i8, rmem, align<16>, "8:1">
  %atom = cute.make_atom() : () -> !cute_nvgpu.atom.ldsm<val_type = i8, mode = <"(8,16)">, sz_pattern = u4x16p64to8, num_matrices = 2, n>
  cute.copy_atom_call(%atom, %s, %r) : (!cute_nvgpu.atom.ldsm<val_type = i8, mode = <"(8,16)">, sz_pattern = u4x16p64to8, num_matrices = 2, n>, !cute.memref<i8, smem, align<16>, "16:1">, !cute.memref<i8, rmem, align<16>, "8:1">) -> ()
  %word = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<i8, 32 b>
  cute.copy(%word, %r, %out) : (!cute_nvgpu.atom.universal_copy<i8, 32 b>, !cute.memref<i8, rmem, align<16>, "8:1">, !cute.memref<i8, gmem, align<16>, "8:1">)
  gpu.return
}

// LOAD-DAG: ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b4x16_p64
gpu.func @b4_4(%out: !cute.memref<i8, gmem, align<16>, "16:1">) kernel {
  %s = cute.memref.alloc_smem() : !cute.memref<i8, smem, align<16>, "16:1">
  %r = cute.memref.alloca() : !cute.memref<i8, rmem, align<16>, "16:1">
  %atom = cute.make_atom() : () -> !cute_nvgpu.atom.ldsm<val_type = i8, mode = <"(8,16)">, sz_pattern = u4x16p64to8, num_matrices = 4, n>
  cute.copy_atom_call(%atom, %s, %r) : (!cute_nvgpu.atom.ldsm<val_type = i8, mode = <"(8,16)">, sz_pattern = u4x16p64to8, num_matrices = 4, n>, !cute.memref<i8, smem, align<16>, "16:1">, !cute.memref<i8, rmem, align<16>, "16:1">) -> ()
  %word = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<i8, 32 b>
  cute.copy(%word, %r, %out) : (!cute_nvgpu.atom.universal_copy<i8, 32 b>, !cute.memref<i8, rmem, align<16>, "16:1">, !cute.memref<i8, gmem, align<16>, "16:1">)
  gpu.return
}

// LOAD-DAG: ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b6x16_p32
gpu.func @b6_1(%out: !cute.memref<i8, gmem, align<16>, "4:1">) kernel {
  %s = cute.memref.alloc_smem() : !cute.memref<i8, smem, align<16>, "16:1">
  %r = cute.memref.alloca() : !cute.memref<i8, rmem, align<16>, "4:1">
  %atom = cute.make_atom() : () -> !cute_nvgpu.atom.ldsm<val_type = i8, mode = <"(8,16)">, sz_pattern = u6x16p32to8, num_matrices = 1, n>
  cute.copy_atom_call(%atom, %s, %r) : (!cute_nvgpu.atom.ldsm<val_type = i8, mode = <"(8,16)">, sz_pattern = u6x16p32to8, num_matrices = 1, n>, !cute.memref<i8, smem, align<16>, "16:1">, !cute.memref<i8, rmem, align<16>, "4:1">) -> ()
  %word = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<i8, 32 b>
  cute.copy(%word, %r, %out) : (!cute_nvgpu.atom.universal_copy<i8, 32 b>, !cute.memref<i8, rmem, align<16>, "4:1">, !cute.memref<i8, gmem, align<16>, "4:1">)
  gpu.return
}

// LOAD-DAG: ldmatrix.sync.aligned.m8n16.x2.shared.b8x16.b6x16_p32
gpu.func @b6_2(%out: !cute.memref<i8, gmem, align<16>, "8:1">) kernel {
  %s = cute.memref.alloc_smem() : !cute.memref<i8, smem, align<16>, "16:1">
  %r = cute.memref.alloca() : !cute.memref<i8, rmem, align<16>, "8:1">
  %atom = cute.make_atom() : () -> !cute_nvgpu.atom.ldsm<val_type = i8, mode = <"(8,16)">, sz_pattern = u6x16p32to8, num_matrices = 2, n>
  cute.copy_atom_call(%atom, %s, %r) : (!cute_nvgpu.atom.ldsm<val_type = i8, mode = <"(8,16)">, sz_pattern = u6x16p32to8, num_matrices = 2, n>, !cute.memref<i8, smem, align<16>, "16:1">, !cute.memref<i8, rmem, align<16>, "8:1">) -> ()
  %word = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<i8, 32 b>
  cute.copy(%word, %r, %out) : (!cute_nvgpu.atom.universal_copy<i8, 32 b>, !cute.memref<i8, rmem, align<16>, "8:1">, !cute.memref<i8, gmem, align<16>, "8:1">)
  gpu.return
}

// LOAD-DAG: ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b6x16_p32
gpu.func @b6_4(%out: !cute.memref<i8, gmem, align<16>, "16:1">) kernel {
  %s = cute.memref.alloc_smem() : !cute.memref<i8, smem, align<16>, "16:1">
  %r = cute.memref.alloca() : !cute.memref<i8, rmem, align<16>, "16:1">
  %atom = cute.make_atom() : () -> !cute_nvgpu.atom.ldsm<val_type = i8, mode = <"(8,16)">, sz_pattern = u6x16p32to8, num_matrices = 4, n>
  cute.copy_atom_call(%atom, %s, %r) : (!cute_nvgpu.atom.ldsm<val_type = i8, mode = <"(8,16)">, sz_pattern = u6x16p32to8, num_matrices = 4, n>, !cute.memref<i8, smem, align<16>, "16:1">, !cute.memref<i8, rmem, align<16>, "16:1">) -> ()
  %word = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<i8, 32 b>
  cute.copy(%word, %r, %out) : (!cute_nvgpu.atom.universal_copy<i8, 32 b>, !cute.memref<i8, rmem, align<16>, "16:1">, !cute.memref<i8, gmem, align<16>, "16:1">)
  gpu.return
}

// STORE-DAG: stmatrix.sync.aligned.m16n8.x1.trans.shared.b8
gpu.func @stmatrix_1(%in: !cute.memref<i8, gmem, align<16>, "4:1">, %out: !cute.memref<i8, gmem, align<16>, "16:1">) kernel {
  %s = cute.memref.alloc_smem() : !cute.memref<i8, smem, align<16>, "16:1">
  %r = cute.memref.alloca() : !cute.memref<i8, rmem, align<16>, "4:1">
  %word = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<i8, 32 b>
  cute.copy(%word, %in, %r) : (!cute_nvgpu.atom.universal_copy<i8, 32 b>, !cute.memref<i8, gmem, align<16>, "4:1">, !cute.memref<i8, rmem, align<16>, "4:1">)
  %atom = cute.make_atom() : () -> !cute_nvgpu.atom.stsm<i8, mode = <"(16,8)">, num_matrices = 1, t>
  cute.copy_atom_call(%atom, %r, %s) : (!cute_nvgpu.atom.stsm<i8, mode = <"(16,8)">, num_matrices = 1, t>, !cute.memref<i8, rmem, align<16>, "4:1">, !cute.memref<i8, smem, align<16>, "16:1">) -> ()
  %row = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<i8, 128 b>
  cute.copy(%row, %s, %out) : (!cute_nvgpu.atom.universal_copy<i8, 128 b>, !cute.memref<i8, smem, align<16>, "16:1">, !cute.memref<i8, gmem, align<16>, "16:1">)
  gpu.return
}

// STORE-DAG: stmatrix.sync.aligned.m16n8.x2.trans.shared.b8
gpu.func @stmatrix_2(%in: !cute.memref<i8, gmem, align<16>, "8:1">, %out: !cute.memref<i8, gmem, align<16>, "16:1">) kernel {
  %s = cute.memref.alloc_smem() : !cute.memref<i8, smem, align<16>, "16:1">
  %r = cute.memref.alloca() : !cute.memref<i8, rmem, align<16>, "8:1">
  %word = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<i8, 32 b>
  cute.copy(%word, %in, %r) : (!cute_nvgpu.atom.universal_copy<i8, 32 b>, !cute.memref<i8, gmem, align<16>, "8:1">, !cute.memref<i8, rmem, align<16>, "8:1">)
  %atom = cute.make_atom() : () -> !cute_nvgpu.atom.stsm<i8, mode = <"(16,8)">, num_matrices = 2, t>
  cute.copy_atom_call(%atom, %r, %s) : (!cute_nvgpu.atom.stsm<i8, mode = <"(16,8)">, num_matrices = 2, t>, !cute.memref<i8, rmem, align<16>, "8:1">, !cute.memref<i8, smem, align<16>, "16:1">) -> ()
  %row = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<i8, 128 b>
  cute.copy(%row, %s, %out) : (!cute_nvgpu.atom.universal_copy<i8, 128 b>, !cute.memref<i8, smem, align<16>, "16:1">, !cute.memref<i8, gmem, align<16>, "16:1">)
  gpu.return
}

// STORE-DAG: stmatrix.sync.aligned.m16n8.x4.trans.shared.b8
gpu.func @stmatrix_4(%in: !cute.memref<i8, gmem, align<16>, "16:1">, %out: !cute.memref<i8, gmem, align<16>, "16:1">) kernel {
  %s = cute.memref.alloc_smem() : !cute.memref<i8, smem, align<16>, "16:1">
  %r = cute.memref.alloca() : !cute.memref<i8, rmem, align<16>, "16:1">
  %word = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<i8, 32 b>
  cute.copy(%word, %in, %r) : (!cute_nvgpu.atom.universal_copy<i8, 32 b>, !cute.memref<i8, gmem, align<16>, "16:1">, !cute.memref<i8, rmem, align<16>, "16:1">)
  %atom = cute.make_atom() : () -> !cute_nvgpu.atom.stsm<i8, mode = <"(16,8)">, num_matrices = 4, t>
  cute.copy_atom_call(%atom, %r, %s) : (!cute_nvgpu.atom.stsm<i8, mode = <"(16,8)">, num_matrices = 4, t>, !cute.memref<i8, rmem, align<16>, "16:1">, !cute.memref<i8, smem, align<16>, "16:1">) -> ()
  %row = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<i8, 128 b>
  cute.copy(%row, %s, %out) : (!cute_nvgpu.atom.universal_copy<i8, 128 b>, !cute.memref<i8, smem, align<16>, "16:1">, !cute.memref<i8, gmem, align<16>, "16:1">)
  gpu.return
}
}
