// A product of matrices by tiles in shared memory, and a transpose through padded rows.
#include "device.h"

constexpr int TILE = 16;

extern "C" __global__ void tiled_product(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float left[TILE][TILE], right[TILE][TILE + 1];
  int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int start = 0; start < k; start += TILE) {
    int at = start + threadIdx.x, of = start + threadIdx.y;
    left[threadIdx.y][threadIdx.x] = row < m && at < k ? a[row * k + at] : 0;
    right[threadIdx.y][threadIdx.x] = of < k && column < n ? b[of * n + column] : 0;
    __syncthreads();
    for (int i = 0; i < TILE; ++i)
      sum += left[threadIdx.y][i] * right[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && column < n)
    c[row * n + column] = sum;
}

extern "C" __global__ void padded_transpose(const short *x, short *y, int m, int n) {
  __shared__ short tile[TILE][TILE + 2];
  int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  if (row < m && column < n)
    tile[threadIdx.y][threadIdx.x] = x[row * n + column];
  __syncthreads();
  row = blockIdx.x * TILE + threadIdx.y, column = blockIdx.y * TILE + threadIdx.x;
  if (row < n && column < m)
    y[row * m + column] = tile[threadIdx.x][threadIdx.y];
}
