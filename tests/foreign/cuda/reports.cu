// Mistakes of several launches, in the form of public reports of 2025 and 2026. Each has launches in a file of its own in launches/,
// and a twin without the mistake.
#include "device.h"

#define WAIT() asm volatile("griddepcontrol.wait;" ::: "memory")
#define TRIGGER() asm volatile("griddepcontrol.launch_dependents;" ::: "memory")

// https://github.com/Dao-AILab/flash-attention/pull/2481: the kernel that sums O * dO is launched with programmatic dependent launch,
// and reads dO while the kernel before it still writes it.

extern "C" __global__ void output_gradient(const float *upstream, float *d_out) {
  TRIGGER();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  d_out[i] = 2 * upstream[i]; // written: output_gradient
}

static __device__ __forceinline__ float row_sum(const float *out, const float *d_out, int row) {
  float sum = 0;
  for (int i = 0; i < 4; ++i)
    sum += out[row * 4 + i] * d_out[row * 4 + i]; // broken: sums_too_early
  return sum;
}

extern "C" __global__ void sums_too_early(const float *out, const float *d_out, float *sums) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  sums[row] = row_sum(out, d_out, row);
}

extern "C" __global__ void sums(const float *out, const float *d_out, float *sums) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  WAIT();
  sums[row] = row_sum(out, d_out, row);
}

// https://github.com/NVIDIA/cccl/issues/5297, https://github.com/NVIDIA/cccl/pull/5456: a merge waits for the launch before it only
// after it has read from where it merges.

extern "C" __global__ void partitions(const int *keys, int *begins, int tile) {
  WAIT();
  int i = threadIdx.x;
  begins[i] = keys[i * tile] > 0 ? i * tile : 0; // written: partitions
}

static __device__ __forceinline__ void move_tile(const int *keys, int begin, int end, int *merged) {
  for (int i = begin + threadIdx.x; i < end; i += blockDim.x)
    merged[i] = keys[i];
}

extern "C" __global__ void merge_too_early(const int *keys, const int *begins, int *merged) {
  int begin = begins[blockIdx.x], end = begins[blockIdx.x + 1]; // broken: merge_too_early
  WAIT();
  move_tile(keys, begin, end, merged);
}

extern "C" __global__ void merge(const int *keys, const int *begins, int *merged) {
  WAIT();
  int begin = begins[blockIdx.x], end = begins[blockIdx.x + 1];
  move_tile(keys, begin, end, merged);
}

// https://github.com/pytorch/pytorch/pull/192141: a side stream multiplies matrices that the default stream has not filled yet.
// https://github.com/NVIDIA/cudnn-frontend/pull/801: a stream waits for an event that is recorded only later, which is no wait.
// https://github.com/NVIDIA/TensorRT-LLM/pull/15265: memory that a stream has allocated is given back while another one reads it.

extern "C" __global__ void fill(float *x, float value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = value * i; // written: fill
}

extern "C" __global__ void scaled(const float *x, float factor, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = factor * x[i]; // broken: scaled
}
