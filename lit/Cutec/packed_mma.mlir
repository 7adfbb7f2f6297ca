// REQUIRES: cutec
// RUN: %cutec %s --target sm_80 | FileCheck %s
// RUN: %if ptxas %{ %cutec %s --target sm_80 --emit cubin -o %t.cubin %}

// `mma.sync` on packed elements: each atom is one instruction on words, and ptxas takes it.

gpu.module @kernels {

// CHECK-DAG: mma.sync.aligned.m8n8k32.row.col.s32.s4.s4.s32
gpu.func @s4_8(%pa: !cute.memref<i4, gmem, align<16>, "8:1">, %pb: !cute.memref<i4, gmem, align<16>, "8:1">, %pc: !cute.memref<i32, gmem, align<16>, "2:1">) kernel {
  %ca = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<i4, 32 b>
  %cb = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<i4, 32 b>
  %cc = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<i32>
  %a = cute.memref.alloca() : !cute.memref<i4, rmem, align<16>, "8:1">
  %b = cute.memref.alloca() : !cute.memref<i4, rmem, align<16>, "8:1">
  %c = cute.memref.alloca() : !cute.memref<i32, rmem, align<16>, "2:1">
  cute.copy(%ca, %pa, %a) : (!cute_nvgpu.atom.universal_copy<i4, 32 b>, !cute.memref<i4, gmem, align<16>, "8:1">, !cute.memref<i4, rmem, align<16>, "8:1">)
  cute.copy(%cb, %pb, %b) : (!cute_nvgpu.atom.universal_copy<i4, 32 b>, !cute.memref<i4, gmem, align<16>, "8:1">, !cute.memref<i4, rmem, align<16>, "8:1">)
  cute.copy(%cc, %pc, %c) : (!cute_nvgpu.atom.universal_copy<i32>, !cute.memref<i32, gmem, align<16>, "2:1">, !cute.memref<i32, rmem, align<16>, "2:1">)
  %atom = cute.make_atom() : () -> !cute_nvgpu.sm80.mma<8x8x32, elem_type = (i4, i4, i32) >
  cute.mma_atom_call(%atom, %c, %a, %b, %c) : (!cute_nvgpu.sm80.mma<8x8x32, elem_type = (i4, i4, i32) >, !cute.memref<i32, rmem, align<16>, "2:1">, !cute.memref<i4, rmem, align<16>, "8:1">, !cute.memref<i4, rmem, align<16>, "8:1">, !cute.memref<i32, rmem, align<16>, "2:1">) -> ()
  cute.copy(%cc, %c, %pc) : (!cute_nvgpu.atom.universal_copy<i32>, !cute.memref<i32, rmem, align<16>, "2:1">, !cute.memref<i32, gmem, align<16>, "2:1">)
  gpu.return
}

// CHECK-DAG: mma.sync.aligned.m16n8k32.row.col.s32.s4.u4.s32
gpu.func @s4_u4(%pa: !cute.memref<i4, gmem, align<16>, "16:1">, %pb: !cute.memref<ui4, gmem, align<16>, "8:1">, %pc: !cute.memref<i32, gmem, align<16>, "4:1">) kernel {
  %ca = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<i4, 32 b>
  %cb = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<ui4, 32 b>
  %cc = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<i32>
  %a = cute.memref.alloca() : !cute.memref<i4, rmem, align<16>, "16:1">
  %b = cute.memref.alloca() : !cute.memref<ui4, rmem, align<16>, "8:1">
  %c = cute.memref.alloca() : !cute.memref<i32, rmem, align<16>, "4:1">
  cute.copy(%ca, %pa, %a) : (!cute_nvgpu.atom.universal_copy<i4, 32 b>, !cute.memref<i4, gmem, align<16>, "16:1">, !cute.memref<i4, rmem, align<16>, "16:1">)
  cute.copy(%cb, %pb, %b) : (!cute_nvgpu.atom.universal_copy<ui4, 32 b>, !cute.memref<ui4, gmem, align<16>, "8:1">, !cute.memref<ui4, rmem, align<16>, "8:1">)
  cute.copy(%cc, %pc, %c) : (!cute_nvgpu.atom.universal_copy<i32>, !cute.memref<i32, gmem, align<16>, "4:1">, !cute.memref<i32, rmem, align<16>, "4:1">)
  %atom = cute.make_atom() : () -> !cute_nvgpu.sm80.mma<16x8x32, elem_type = (i4, ui4, i32) >
  cute.mma_atom_call(%atom, %c, %a, %b, %c) : (!cute_nvgpu.sm80.mma<16x8x32, elem_type = (i4, ui4, i32) >, !cute.memref<i32, rmem, align<16>, "4:1">, !cute.memref<i4, rmem, align<16>, "16:1">, !cute.memref<ui4, rmem, align<16>, "8:1">, !cute.memref<i32, rmem, align<16>, "4:1">) -> ()
  cute.copy(%cc, %c, %pc) : (!cute_nvgpu.atom.universal_copy<i32>, !cute.memref<i32, rmem, align<16>, "4:1">, !cute.memref<i32, gmem, align<16>, "4:1">)
  gpu.return
}

// CHECK-DAG: mma.sync.aligned.m16n8k64.row.col.satfinite.s32.u4.s4.s32
gpu.func @u4_s4_saturated(%pa: !cute.memref<ui4, gmem, align<16>, "32:1">, %pb: !cute.memref<i4, gmem, align<16>, "16:1">, %pc: !cute.memref<i32, gmem, align<16>, "4:1">) kernel {
  %ca = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<ui4, 32 b>
  %cb = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<i4, 32 b>
  %cc = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<i32>
  %a = cute.memref.alloca() : !cute.memref<ui4, rmem, align<16>, "32:1">
  %b = cute.memref.alloca() : !cute.memref<i4, rmem, align<16>, "16:1">
  %c = cute.memref.alloca() : !cute.memref<i32, rmem, align<16>, "4:1">
  cute.copy(%ca, %pa, %a) : (!cute_nvgpu.atom.universal_copy<ui4, 32 b>, !cute.memref<ui4, gmem, align<16>, "32:1">, !cute.memref<ui4, rmem, align<16>, "32:1">)
  cute.copy(%cb, %pb, %b) : (!cute_nvgpu.atom.universal_copy<i4, 32 b>, !cute.memref<i4, gmem, align<16>, "16:1">, !cute.memref<i4, rmem, align<16>, "16:1">)
  cute.copy(%cc, %pc, %c) : (!cute_nvgpu.atom.universal_copy<i32>, !cute.memref<i32, gmem, align<16>, "4:1">, !cute.memref<i32, rmem, align<16>, "4:1">)
  %atom = cute.make_atom() : () -> !cute_nvgpu.sm80.mma<16x8x64, elem_type = (ui4, i4, i32) int_overflow = <satfinite>>
  cute.mma_atom_call(%atom, %c, %a, %b, %c) : (!cute_nvgpu.sm80.mma<16x8x64, elem_type = (ui4, i4, i32) int_overflow = <satfinite>>, !cute.memref<i32, rmem, align<16>, "4:1">, !cute.memref<ui4, rmem, align<16>, "32:1">, !cute.memref<i4, rmem, align<16>, "16:1">, !cute.memref<i32, rmem, align<16>, "4:1">) -> ()
  cute.copy(%cc, %c, %pc) : (!cute_nvgpu.atom.universal_copy<i32>, !cute.memref<i32, rmem, align<16>, "4:1">, !cute.memref<i32, gmem, align<16>, "4:1">)
  gpu.return
}

// CHECK-DAG: mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc
gpu.func @xor_8(%pa: !cute.memref<i1, gmem, align<16>, "32:1">, %pb: !cute.memref<i1, gmem, align<16>, "32:1">, %pc: !cute.memref<i32, gmem, align<16>, "2:1">) kernel {
  %ca = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<i1, 32 b>
  %cb = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<i1, 32 b>
  %cc = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<i32>
  %a = cute.memref.alloca() : !cute.memref<i1, rmem, align<16>, "32:1">
  %b = cute.memref.alloca() : !cute.memref<i1, rmem, align<16>, "32:1">
  %c = cute.memref.alloca() : !cute.memref<i32, rmem, align<16>, "2:1">
  cute.copy(%ca, %pa, %a) : (!cute_nvgpu.atom.universal_copy<i1, 32 b>, !cute.memref<i1, gmem, align<16>, "32:1">, !cute.memref<i1, rmem, align<16>, "32:1">)
  cute.copy(%cb, %pb, %b) : (!cute_nvgpu.atom.universal_copy<i1, 32 b>, !cute.memref<i1, gmem, align<16>, "32:1">, !cute.memref<i1, rmem, align<16>, "32:1">)
  cute.copy(%cc, %pc, %c) : (!cute_nvgpu.atom.universal_copy<i32>, !cute.memref<i32, gmem, align<16>, "2:1">, !cute.memref<i32, rmem, align<16>, "2:1">)
  %atom = cute.make_atom() : () -> !cute_nvgpu.sm80.mma<8x8x128, elem_type = (i1, i1, i32) binary_op = <xor_popc>>
  cute.mma_atom_call(%atom, %c, %a, %b, %c) : (!cute_nvgpu.sm80.mma<8x8x128, elem_type = (i1, i1, i32) binary_op = <xor_popc>>, !cute.memref<i32, rmem, align<16>, "2:1">, !cute.memref<i1, rmem, align<16>, "32:1">, !cute.memref<i1, rmem, align<16>, "32:1">, !cute.memref<i32, rmem, align<16>, "2:1">) -> ()
  cute.copy(%cc, %c, %pc) : (!cute_nvgpu.atom.universal_copy<i32>, !cute.memref<i32, rmem, align<16>, "2:1">, !cute.memref<i32, gmem, align<16>, "2:1">)
  gpu.return
}

// CHECK-DAG: mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.xor.popc
gpu.func @xor_16(%pa: !cute.memref<i1, gmem, align<16>, "64:1">, %pb: !cute.memref<i1, gmem, align<16>, "32:1">, %pc: !cute.memref<i32, gmem, align<16>, "4:1">) kernel {
  %ca = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<i1, 32 b>
  %cb = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<i1, 32 b>
  %cc = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<i32>
  %a = cute.memref.alloca() : !cute.memref<i1, rmem, align<16>, "64:1">
  %b = cute.memref.alloca() : !cute.memref<i1, rmem, align<16>, "32:1">
  %c = cute.memref.alloca() : !cute.memref<i32, rmem, align<16>, "4:1">
  cute.copy(%ca, %pa, %a) : (!cute_nvgpu.atom.universal_copy<i1, 32 b>, !cute.memref<i1, gmem, align<16>, "64:1">, !cute.memref<i1, rmem, align<16>, "64:1">)
  cute.copy(%cb, %pb, %b) : (!cute_nvgpu.atom.universal_copy<i1, 32 b>, !cute.memref<i1, gmem, align<16>, "32:1">, !cute.memref<i1, rmem, align<16>, "32:1">)
  cute.copy(%cc, %pc, %c) : (!cute_nvgpu.atom.universal_copy<i32>, !cute.memref<i32, gmem, align<16>, "4:1">, !cute.memref<i32, rmem, align<16>, "4:1">)
  %atom = cute.make_atom() : () -> !cute_nvgpu.sm80.mma<16x8x128, elem_type = (i1, i1, i32) binary_op = <xor_popc>>
  cute.mma_atom_call(%atom, %c, %a, %b, %c) : (!cute_nvgpu.sm80.mma<16x8x128, elem_type = (i1, i1, i32) binary_op = <xor_popc>>, !cute.memref<i32, rmem, align<16>, "4:1">, !cute.memref<i1, rmem, align<16>, "64:1">, !cute.memref<i1, rmem, align<16>, "32:1">, !cute.memref<i32, rmem, align<16>, "4:1">) -> ()
  cute.copy(%cc, %c, %pc) : (!cute_nvgpu.atom.universal_copy<i32>, !cute.memref<i32, rmem, align<16>, "4:1">, !cute.memref<i32, gmem, align<16>, "4:1">)
  gpu.return
}

// CHECK-DAG: mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc
gpu.func @xor_256(%pa: !cute.memref<i1, gmem, align<16>, "128:1">, %pb: !cute.memref<i1, gmem, align<16>, "64:1">, %pc: !cute.memref<i32, gmem, align<16>, "4:1">) kernel {
  %ca = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<i1, 32 b>
  %cb = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<i1, 32 b>
  %cc = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<i32>
  %a = cute.memref.alloca() : !cute.memref<i1, rmem, align<16>, "128:1">
  %b = cute.memref.alloca() : !cute.memref<i1, rmem, align<16>, "64:1">
  %c = cute.memref.alloca() : !cute.memref<i32, rmem, align<16>, "4:1">
  cute.copy(%ca, %pa, %a) : (!cute_nvgpu.atom.universal_copy<i1, 32 b>, !cute.memref<i1, gmem, align<16>, "128:1">, !cute.memref<i1, rmem, align<16>, "128:1">)
  cute.copy(%cb, %pb, %b) : (!cute_nvgpu.atom.universal_copy<i1, 32 b>, !cute.memref<i1, gmem, align<16>, "64:1">, !cute.memref<i1, rmem, align<16>, "64:1">)
  cute.copy(%cc, %pc, %c) : (!cute_nvgpu.atom.universal_copy<i32>, !cute.memref<i32, gmem, align<16>, "4:1">, !cute.memref<i32, rmem, align<16>, "4:1">)
  %atom = cute.make_atom() : () -> !cute_nvgpu.sm80.mma<16x8x256, elem_type = (i1, i1, i32) binary_op = <xor_popc>>
  cute.mma_atom_call(%atom, %c, %a, %b, %c) : (!cute_nvgpu.sm80.mma<16x8x256, elem_type = (i1, i1, i32) binary_op = <xor_popc>>, !cute.memref<i32, rmem, align<16>, "4:1">, !cute.memref<i1, rmem, align<16>, "128:1">, !cute.memref<i1, rmem, align<16>, "64:1">, !cute.memref<i32, rmem, align<16>, "4:1">) -> ()
  cute.copy(%cc, %c, %pc) : (!cute_nvgpu.atom.universal_copy<i32>, !cute.memref<i32, rmem, align<16>, "4:1">, !cute.memref<i32, gmem, align<16>, "4:1">)
  gpu.return
}

// CHECK-DAG: mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc
gpu.func @and_8(%pa: !cute.memref<i1, gmem, align<16>, "32:1">, %pb: !cute.memref<i1, gmem, align<16>, "32:1">, %pc: !cute.memref<i32, gmem, align<16>, "2:1">) kernel {
  %ca = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<i1, 32 b>
  %cb = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<i1, 32 b>
  %cc = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<i32>
  %a = cute.memref.alloca() : !cute.memref<i1, rmem, align<16>, "32:1">
  %b = cute.memref.alloca() : !cute.memref<i1, rmem, align<16>, "32:1">
  %c = cute.memref.alloca() : !cute.memref<i32, rmem, align<16>, "2:1">
  cute.copy(%ca, %pa, %a) : (!cute_nvgpu.atom.universal_copy<i1, 32 b>, !cute.memref<i1, gmem, align<16>, "32:1">, !cute.memref<i1, rmem, align<16>, "32:1">)
  cute.copy(%cb, %pb, %b) : (!cute_nvgpu.atom.universal_copy<i1, 32 b>, !cute.memref<i1, gmem, align<16>, "32:1">, !cute.memref<i1, rmem, align<16>, "32:1">)
  cute.copy(%cc, %pc, %c) : (!cute_nvgpu.atom.universal_copy<i32>, !cute.memref<i32, gmem, align<16>, "2:1">, !cute.memref<i32, rmem, align<16>, "2:1">)
  %atom = cute.make_atom() : () -> !cute_nvgpu.sm80.mma<8x8x128, elem_type = (i1, i1, i32) binary_op = <and_popc>>
  cute.mma_atom_call(%atom, %c, %a, %b, %c) : (!cute_nvgpu.sm80.mma<8x8x128, elem_type = (i1, i1, i32) binary_op = <and_popc>>, !cute.memref<i32, rmem, align<16>, "2:1">, !cute.memref<i1, rmem, align<16>, "32:1">, !cute.memref<i1, rmem, align<16>, "32:1">, !cute.memref<i32, rmem, align<16>, "2:1">) -> ()
  cute.copy(%cc, %c, %pc) : (!cute_nvgpu.atom.universal_copy<i32>, !cute.memref<i32, rmem, align<16>, "2:1">, !cute.memref<i32, gmem, align<16>, "2:1">)
  gpu.return
}

// CHECK-DAG: mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.and.popc
gpu.func @and_16(%pa: !cute.memref<i1, gmem, align<16>, "64:1">, %pb: !cute.memref<i1, gmem, align<16>, "32:1">, %pc: !cute.memref<i32, gmem, align<16>, "4:1">) kernel {
  %ca = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<i1, 32 b>
  %cb = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<i1, 32 b>
  %cc = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<i32>
  %a = cute.memref.alloca() : !cute.memref<i1, rmem, align<16>, "64:1">
  %b = cute.memref.alloca() : !cute.memref<i1, rmem, align<16>, "32:1">
  %c = cute.memref.alloca() : !cute.memref<i32, rmem, align<16>, "4:1">
  cute.copy(%ca, %pa, %a) : (!cute_nvgpu.atom.universal_copy<i1, 32 b>, !cute.memref<i1, gmem, align<16>, "64:1">, !cute.memref<i1, rmem, align<16>, "64:1">)
  cute.copy(%cb, %pb, %b) : (!cute_nvgpu.atom.universal_copy<i1, 32 b>, !cute.memref<i1, gmem, align<16>, "32:1">, !cute.memref<i1, rmem, align<16>, "32:1">)
  cute.copy(%cc, %pc, %c) : (!cute_nvgpu.atom.universal_copy<i32>, !cute.memref<i32, gmem, align<16>, "4:1">, !cute.memref<i32, rmem, align<16>, "4:1">)
  %atom = cute.make_atom() : () -> !cute_nvgpu.sm80.mma<16x8x128, elem_type = (i1, i1, i32) binary_op = <and_popc>>
  cute.mma_atom_call(%atom, %c, %a, %b, %c) : (!cute_nvgpu.sm80.mma<16x8x128, elem_type = (i1, i1, i32) binary_op = <and_popc>>, !cute.memref<i32, rmem, align<16>, "4:1">, !cute.memref<i1, rmem, align<16>, "64:1">, !cute.memref<i1, rmem, align<16>, "32:1">, !cute.memref<i32, rmem, align<16>, "4:1">) -> ()
  cute.copy(%cc, %c, %pc) : (!cute_nvgpu.atom.universal_copy<i32>, !cute.memref<i32, rmem, align<16>, "4:1">, !cute.memref<i32, gmem, align<16>, "4:1">)
  gpu.return
}

// CHECK-DAG: mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc
gpu.func @and_256(%pa: !cute.memref<i1, gmem, align<16>, "128:1">, %pb: !cute.memref<i1, gmem, align<16>, "64:1">, %pc: !cute.memref<i32, gmem, align<16>, "4:1">) kernel {
  %ca = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<i1, 32 b>
  %cb = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<i1, 32 b>
  %cc = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<i32>
  %a = cute.memref.alloca() : !cute.memref<i1, rmem, align<16>, "128:1">
  %b = cute.memref.alloca() : !cute.memref<i1, rmem, align<16>, "64:1">
  %c = cute.memref.alloca() : !cute.memref<i32, rmem, align<16>, "4:1">
  cute.copy(%ca, %pa, %a) : (!cute_nvgpu.atom.universal_copy<i1, 32 b>, !cute.memref<i1, gmem, align<16>, "128:1">, !cute.memref<i1, rmem, align<16>, "128:1">)
  cute.copy(%cb, %pb, %b) : (!cute_nvgpu.atom.universal_copy<i1, 32 b>, !cute.memref<i1, gmem, align<16>, "64:1">, !cute.memref<i1, rmem, align<16>, "64:1">)
  cute.copy(%cc, %pc, %c) : (!cute_nvgpu.atom.universal_copy<i32>, !cute.memref<i32, gmem, align<16>, "4:1">, !cute.memref<i32, rmem, align<16>, "4:1">)
  %atom = cute.make_atom() : () -> !cute_nvgpu.sm80.mma<16x8x256, elem_type = (i1, i1, i32) binary_op = <and_popc>>
  cute.mma_atom_call(%atom, %c, %a, %b, %c) : (!cute_nvgpu.sm80.mma<16x8x256, elem_type = (i1, i1, i32) binary_op = <and_popc>>, !cute.memref<i32, rmem, align<16>, "4:1">, !cute.memref<i1, rmem, align<16>, "128:1">, !cute.memref<i1, rmem, align<16>, "64:1">, !cute.memref<i32, rmem, align<16>, "4:1">) -> ()
  cute.copy(%cc, %c, %pc) : (!cute_nvgpu.atom.universal_copy<i32>, !cute.memref<i32, rmem, align<16>, "4:1">, !cute.memref<i32, gmem, align<16>, "4:1">)
  gpu.return
}
}
