// printf, and assertions that hold.
#include <assert.h>
#include <stdio.h>

extern "C" __global__ void messages(const int *x, int *y) {
  int i = threadIdx.x;
  assert(x[i] >= 0);
  y[i] = x[i] + 1;
  if (i == 3)
    printf("thread %d of block %d: %s %.2f %lld %c%%\n", i, blockIdx.x, "value", x[i] / 4.0, 1ll << 40, 'z');
}
