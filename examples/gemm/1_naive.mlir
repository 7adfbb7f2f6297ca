// C = A * B^T in f32: one thread an element of C, any M, N and K.
//
//   grid (ceil(M / 16), ceil(N / 16)), block 16 x 16
//
// A is (M,K), B is (N,K), both with K contiguous; C is (M,N) with N contiguous. These conventions are CuTe's: a GEMM
// contracts the last mode of both factors.
//
// A tensor is an iterator and a layout, so `cute.memref.load(%A, (m,k))` is a load from pointer + crd2idx((m,k), layout):
// here m * pitch + k. The layout's static stride 1 costs nothing, the dynamic pitch one multiplication.
//
// Neighbouring threads have neighbouring columns of C. They read the same element of A, and elements of B a row apart: 16
// sectors of 32 bytes for 64 bytes that are used.

!A = !cute.memref<f32, gmem, "(?,?):(?{i64},1)">
!B = !cute.memref<f32, gmem, "(?,?):(?{i64},1)">
!C = !cute.memref<f32, gmem, "(?,?):(?{i64},1)">
!layout = !cute.layout<"(?,?):(?{i64},1)">
!shape = !cute.shape<"(?,?)">
!coord = !cute.coord<"(?,?)">

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @gemm_naive(%A: !A, %B: !B, %C: !C) kernel attributes {known_block_size = array<i32: 16, 16, 1>} {
      // Which element of C: (m, n) = 16 * block + (tid.y, tid.x).
      %c16 = arith.constant 16 : i32
      %tx = nvvm.read.ptx.sreg.tid.x : i32
      %ty = nvvm.read.ptx.sreg.tid.y : i32
      %block_m = nvvm.read.ptx.sreg.ctaid.x : i32
      %block_n = nvvm.read.ptx.sreg.ctaid.y : i32
      %first_m = arith.muli %block_m, %c16 : i32
      %first_n = arith.muli %block_n, %c16 : i32
      %m = arith.addi %first_m, %ty : i32
      %n = arith.addi %first_n, %tx : i32

      %layout_C = cute.get_layout(%C) : !C
      %shape_C = cute.get_shape(%layout_C) : !layout -> !shape
      %at_C = cute.make_coord(%m, %n) : (i32, i32) -> !coord
      %inside = cute.elem_less(%at_C, %shape_C) : (!coord, !shape) -> i1
      scf.if %inside {
        // K is the extent of A's mode 1.
        %layout_A = cute.get_layout(%A) : !A
        %size_K = cute.size<[1]>(%layout_A) : (!layout) -> !cute.int_tuple<"?">
        %K = cute.get_scalars(%size_K) : !cute.int_tuple<"?">

        %c0 = arith.constant 0 : i32
        %c1 = arith.constant 1 : i32
        %zero = arith.constant 0.0 : f32
        %sum = scf.for %k = %c0 to %K step %c1 iter_args(%so_far = %zero) -> f32 : i32 {
          %at_A = cute.make_coord(%m, %k) : (i32, i32) -> !coord
          %at_B = cute.make_coord(%n, %k) : (i32, i32) -> !coord
          %a = cute.memref.load(%A, %at_A) : (!A, !coord) -> f32
          %b = cute.memref.load(%B, %at_B) : (!B, !coord) -> f32
          %next = llvm.intr.fma(%a, %b, %so_far) : (f32, f32, f32) -> f32
          scf.yield %next : f32
        }
        cute.memref.store(%C, %at_C, %sum) : (!C, !coord, f32) -> ()
      }
      gpu.return
    }
  }
}
