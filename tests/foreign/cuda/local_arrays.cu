// Arrays in local memory with indices that are known late, unions, and structures as results.
#include "device.h"

struct Range {
  int low, high;
  long long sum;
};

__device__ __noinline__ Range range(const int *values, int n) {
  Range result = {values[0], values[0], 0};
  for (int i = 0; i < n; ++i) {
    result.low = values[i] < result.low ? values[i] : result.low;
    result.high = values[i] > result.high ? values[i] : result.high;
    result.sum += values[i];
  }
  return result;
}

union Bits {
  float number;
  unsigned bits;
  unsigned char bytes[4];
};

extern "C" __global__ void local_arrays(const int *x, int *y, long long *sums, unsigned *bits) {
  int i = threadIdx.x, own[12];
  for (int at = 0; at < 12; ++at)
    own[(at * 5 + i) % 12] = x[at] * (i + 1);
  Range found = range(own, 12);
  y[i] = found.high - found.low + own[i % 12];
  sums[i] = found.sum;
  Bits value;
  value.number = i + 0.5f;
  value.bytes[i % 4] ^= 0x81;
  bits[i] = value.bits;
}
