// Integer arithmetic of all widths.
#include "device.h"

extern "C" __global__ void integers(const long long *x, const long long *y, long long *quotients, unsigned long long *mixed,
                                    int *narrow) {
  int i = threadIdx.x;
  long long a = x[i], b = y[i];
  unsigned long long u = a, v = b;
  quotients[i] = a / b * 3 + a % b + (long long)(u / v) - (long long)(u % 12345678901ull);
  mixed[i] = (u << (i % 64)) ^ (u >> (63 - i % 64)) ^ (unsigned long long)(a >> (i % 17)) ^ u * v;
  signed char c = (signed char)a;
  short s = (short)(a >> 8);
  unsigned short t = (unsigned short)b;
  narrow[i] = c * 7 + s / 3 - t % 11 + __popc((unsigned)a) * 100 + __clz((int)b) + (a < b) - (u < v);
}
