// A struct of pointers and extents, passed by value.
#include "check.h"

struct Tensor {
  float *data;
  int rows, columns;
  __device__ float &at(int row, int column) const { return data[row * columns + column]; }
};

struct Arguments {
  Tensor from, to;
  float scale;
};

__global__ void transpose(Arguments arguments) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
#ifndef BROKEN
  if (row >= arguments.from.rows || column >= arguments.from.columns) return;
#endif
  arguments.to.at(column, row) = arguments.scale * arguments.from.at(row, column);  // here
}

int main() {
  const int rows = 20, columns = 33;
  float host[rows * columns];
  for (int i = 0; i < rows * columns; i++) host[i] = i;
  Arguments arguments{{nullptr, rows, columns}, {nullptr, columns, rows}, 2};
  CHECK(cudaMalloc(&arguments.from.data, sizeof host));
  CHECK(cudaMalloc(&arguments.to.data, sizeof host));
  CHECK(cudaMemcpy(arguments.from.data, host, sizeof host, cudaMemcpyHostToDevice));
  transpose<<<dim3(3, 2), dim3(16, 16)>>>(arguments);
  CHECK(cudaGetLastError());
  float result[rows * columns];
  CHECK(cudaMemcpy(result, arguments.to.data, sizeof result, cudaMemcpyDeviceToHost));
  bool right = true;
  for (int i = 0; i < rows * columns; i++) right &= result[i % columns * rows + i / columns] == 2 * host[i];
  return verdict(right);
}
