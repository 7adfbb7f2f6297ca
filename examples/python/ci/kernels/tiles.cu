// Reverses each tile of 128 elements.
extern "C" __global__ void reverse_tiles(const float* from, float* to, int* seen) {
  __shared__ float tile[128];
  int i = blockIdx.x * 128 + threadIdx.x;
  tile[threadIdx.x] = from[i];
  __syncthreads();
  to[i] = tile[127 - threadIdx.x];
  if (threadIdx.x == 0 && *seen == 0)
    *seen = 1;
}
