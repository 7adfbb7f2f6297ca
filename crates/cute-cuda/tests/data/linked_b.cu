#include "linked.h"
__device__ int count = 7;
static __device__ float bias = 5.0f;
static __device__ __noinline__ float helper(float x) { return x * bias; }
static __device__ float inlined(float x) { return half_of(x) + 1; }
__device__ float scaled(float x) { return helper(x) * 2; }
__global__ void second(float *p) {
  tile[threadIdx.x] = inlined(scaled(p[threadIdx.x]));
  p[threadIdx.x] = tile[threadIdx.x] + count;
  if (p[threadIdx.x] < 0) printf("%f is negative\n", p[threadIdx.x]);
}
static __global__ void local(float *p) { *p = bias; }
void of_b(float *p) {
  second<<<1, 32, 128>>>(p);
  local<<<1, 1>>>(p);
}
