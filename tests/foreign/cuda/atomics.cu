// Atomic updates of all kinds and types.
extern "C" __global__ void atomics(int *i, unsigned *u, unsigned long long *w, float *f, double *d) {
  __shared__ unsigned own[2];
  int t = threadIdx.x + blockIdx.x * blockDim.x;
  if (threadIdx.x < 2)
    own[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&i[0], t);
  atomicSub(&i[1], t);
  atomicMin(&i[2], -t);
  atomicMax(&i[3], t);
  atomicAnd(&i[4], ~(1 << t % 32));
  atomicOr(&i[5], 1 << t % 20);
  atomicXor(&i[6], t);
  atomicInc(&u[0], 9);
  atomicDec(&u[1], 9);
  atomicMin(&u[2], 1000u - t);
  atomicMax(&u[3], 5u * t);
  atomicAdd(&w[0], 1ull << 33);
  atomicMax(&w[1], (unsigned long long)t << 35);
  atomicAdd(&f[0], 0.5f);
  atomicAdd(&d[0], 0.25);
  // An addition by compare-and-swap.
  unsigned seen = atomicAdd(&u[4], 0u);
  for (unsigned before = ~seen; before != seen;) {
    before = seen;
    seen = atomicCAS(&u[4], before, before + 3);
  }
  if (threadIdx.x == 0 && atomicExch(&i[7], 1) == 0)
    i[8] = 1;
  atomicAdd(&own[t & 1], 1u);
  __syncthreads();
  if (threadIdx.x < 2)
    atomicAdd_system(&u[5 + threadIdx.x], own[threadIdx.x]);
}
