// nvcc 13.0.88 writes linked_a.fatbin and linked_b.fatbin:
//   -fatbin -rdc=true -lineinfo -gencode arch=compute_90,code=compute_90
#include "linked.h"
static __device__ float bias = 3.0f;
static __device__ __noinline__ float helper(float x) { return x + bias; }
static __device__ float inlined(float x) { return half_of(x) * 4; }
__global__ void first(float *p) {
  tile[threadIdx.x] = scaled(helper(p[threadIdx.x]));
  p[threadIdx.x] = inlined(tile[threadIdx.x]);
  int before;
  asm volatile("atom.add.u32 %0, [%1], 1;" : "=r"(before) : "l"(&count) : "memory");
  if (before == 7) printf("%d before\n", before);
}
static __global__ void local(float *p) { *p = bias; }
void of_b(float *p);
int main() {
  float *p;
  cudaMalloc(&p, 128);
  first<<<1, 32, 128>>>(p);
  local<<<1, 1>>>(p);
  of_b(p);
}
