// An address in shared memory is read before the warp that writes it has met the reader.
//
// Reported: https://github.com/NVIDIA/cutlass/pull/2835 (the address of tensor memory, read when a
// tile has no key-value blocks), read 2026-11-22; open. Also
// https://github.com/mlc-ai/TIRx-kernels/pull/7. The address is any number here.
//
// An address in shared memory is written like any data: barriers that belong to the work of a tile
// do not order it for tiles without work.
//
// launch: 1 64
// args: i32=0 i32[32]
// finds: race
// says: shared memory @slot
// gives: 7 7

gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<1 x i32>
  llvm.func @kernel(%tiles: i32, %out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c7 = llvm.mlir.constant(7 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %allocates = llvm.icmp "ult" %t, %c32 : i32
    llvm.cond_br %first, ^allocate, ^tiles
  ^allocate:
    llvm.store %c7, %slot : i32, !llvm.ptr<3>
    llvm.br ^tiles
  ^tiles:
    nvvm.barrier0 // repaired
    %works = llvm.icmp "ne" %tiles, %c0 : i32
    llvm.cond_br %works, ^work, ^epilogue
  ^work:
    nvvm.barrier0
    llvm.br ^epilogue
  ^epilogue:
    llvm.cond_br %allocates, ^end, ^read
  ^read:
    %v = llvm.load %slot : !llvm.ptr<3> -> i32
    %lane = llvm.sub %t, %c32 : i32
    %p = llvm.getelementptr %out[%lane] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %p : i32, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    llvm.return
  }
}
