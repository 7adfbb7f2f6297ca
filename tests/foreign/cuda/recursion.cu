// Functions that call themselves and each other.
#include "device.h"

__device__ __noinline__ int ackermann(int m, int n) {
  if (m == 0)
    return n + 1;
  return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

__device__ bool is_odd(unsigned n);
__device__ __noinline__ bool is_even(unsigned n) { return n == 0 || is_odd(n - 1); }
__device__ __noinline__ bool is_odd(unsigned n) { return n != 0 && is_even(n - 1); }

__device__ __noinline__ long long fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

extern "C" __global__ void recursion(int *ack, int *even, long long *fib) {
  int i = threadIdx.x;
  ack[i] = ackermann(i % 3, i / 3);
  even[i] = is_even(i);
  fib[i] = fibonacci(i);
}
