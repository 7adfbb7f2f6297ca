// A product of matrices with the fragments of nvcuda::wmma.
#include <mma.h>

extern "C" __global__ void fragments(const half *a, const half *b, float *c, int k) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 16, 16, 16, half, row_major> left;
  fragment<matrix_b, 16, 16, 16, half, col_major> right;
  fragment<accumulator, 16, 16, 16, float> sums;
  fill_fragment(sums, 0.0f);
  for (int at = 0; at < k; at += 16) {
    load_matrix_sync(left, a + at, k);
    load_matrix_sync(right, b + at, k);
    mma_sync(sums, left, right, sums);
  }
  store_matrix_sync(c, sums, 16, mem_row_major);
}
