// Kernels with a mistake each, in the lines that say so. tests/recorded/bugs.nvrtc.ptx is their PTX by nvrtc.

extern "C" __global__ void divergent(int* x) {
  __shared__ volatile int is_set;
  if (threadIdx.x == 0) is_set = 0;
  __syncthreads();
  if (threadIdx.x < 48) {
    __syncthreads();
    is_set = 1;
  } else {
    while (!is_set)  // BUG divergent: the barrier in front of the flag waits for these threads
      ;
  }
  x[threadIdx.x] = 1;
}

extern "C" __global__ void shared_bounds(int* x) {
  __shared__ int tile[64];
  tile[threadIdx.x + 1] = x[threadIdx.x];  // BUG shared_bounds: 64 is beyond the tile
  __syncthreads();
  x[threadIdx.x] = tile[threadIdx.x];
}

extern "C" __global__ void unwritten(int* x) {
  __shared__ int tile[64];
  if (threadIdx.x > 0) tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = tile[63 - threadIdx.x];  // BUG unwritten: nobody writes tile[0]
}

extern "C" __global__ void shuffled(int* x) {
  int value = x[threadIdx.x];
  if (threadIdx.x % 32 < 16)
    value += __shfl_xor_sync(0x0000ffff, value, 16);  // BUG shuffled: the source lane is not there
  x[threadIdx.x] = value;
}

extern "C" __global__ void misaligned(const float* x, float* out) {
  float4 four = *reinterpret_cast<const float4*>(x + threadIdx.x);  // BUG misaligned: of 4 bytes
  out[threadIdx.x] = four.x + four.w;
}

extern "C" __global__ void reused(const int* x, int* out, int n) {
  __shared__ int tile[64];
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    tile[threadIdx.x] = x[64 * i + threadIdx.x];  // BUG reused: others still read the last tile
    __syncthreads();
    sum += tile[63 - threadIdx.x];
  }
  out[threadIdx.x] = sum;
}

extern "C" __global__ void counted(int* arrived, int* out) {
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) <= gridDim.x)  // BUG counted: it never exceeds the number of blocks
      ;
  }
  __syncthreads();
  out[blockIdx.x] = 1;
}

extern "C" __global__ void named(int* x) {
  x[threadIdx.x] = 1;
  if (threadIdx.x < 32)
    asm volatile("bar.sync 1, 64;" ::: "memory");  // BUG named: one warp of two arrives
}

extern "C" __global__ void in_flight(const float* x, float* out) {
  __shared__ __align__(16) float tile[64];
  unsigned to = __cvta_generic_to_shared(tile + threadIdx.x);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(to), "l"(x + threadIdx.x) : "memory");
  asm volatile("cp.async.commit_group;" ::: "memory");
  out[threadIdx.x] = tile[threadIdx.x];  // BUG in_flight: no wait for the copy
}

extern "C" __global__ void never_full(int* out) {
  __shared__ __align__(8) unsigned long long barrier;
  unsigned at = __cvta_generic_to_shared(&barrier), done = 0;
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 64;" :: "r"(at) : "memory");
  __syncthreads();
  if (threadIdx.x < 32) asm volatile("{ .reg .b64 t; mbarrier.arrive.shared.b64 t, [%0]; }" :: "r"(at) : "memory");
  while (!done)
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done) : "r"(at) : "memory");  // BUG never_full: 32 of 64 threads arrive
  out[threadIdx.x] = 1;
}

extern "C" __global__ void published(int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = threadIdx.x;  // BUG published: thread 0 sets the flag for all threads
    if (threadIdx.x == 0) {
      __threadfence();
      atomicExch(flag, 1);
    }
  } else {
    while (atomicAdd(flag, 0) == 0)
      ;
    __threadfence();
    out[threadIdx.x] = data[threadIdx.x];
  }
}

extern "C" __global__ void last_block(int* parts, int* counter, int* out) {
  __shared__ bool is_last;
  parts[blockIdx.x] = blockIdx.x + 1;
  if (threadIdx.x == 0) is_last = atomicAdd(counter, 1) == gridDim.x - 1;
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    int sum = 0;
    for (int i = 0; i < gridDim.x; ++i) sum += parts[i];  // BUG last_block: no fence between the parts and the counter
    *out = sum;
  }
}
