// Managed memory with pointers in it, and a managed variable.
#include "check.h"

struct List {
  int value;
  List *next;
};

__managed__ int length;

__global__ void sums(List *const *lists, int *results) {
  __shared__ int own[32];
  int sum = 0, count = 0;
  for (List *at = lists[threadIdx.x]; at; at = at->next) sum += at->value, count++;
  own[threadIdx.x] = sum;
#ifndef BROKEN
  __syncthreads();
#endif
  results[threadIdx.x] = own[(threadIdx.x + 33) % 64 % blockDim.x];  // here
  if (threadIdx.x == 0) length = count;
}

int main() {
  List **lists, *nodes;
  int *results;
  CHECK(cudaMallocManaged(&lists, 64 * sizeof *lists));
  CHECK(cudaMallocManaged(&nodes, 256 * sizeof *nodes));
  CHECK(cudaMallocManaged(&results, 64 * sizeof *results));
  length = -1;
  for (int i = 0; i < 256; i++) {
    nodes[i].value = i;
    nodes[i].next = i % 4 == 3 ? nullptr : &nodes[i + 1];
  }
  for (int i = 0; i < 64; i++) lists[i] = &nodes[4 * i];
  sums<<<1, 32>>>(lists, results);
  CHECK(cudaDeviceSynchronize());
  bool right = length == 4;
  for (int i = 0; i < 32; i++) right &= results[i] == 16 * ((i + 33) % 64 % 32) + 6;
  return verdict(right);
}
