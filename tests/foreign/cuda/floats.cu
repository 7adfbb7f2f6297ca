// Arithmetic and conversions of floats that round exactly.
#include "device.h"

extern "C" __global__ void floats(const float *x, const double *y, float *f, double *d, int *n, unsigned *u) {
  int i = threadIdx.x;
  float a = x[i];
  double b = y[i];
  f[i] = a * a - 0.5f + (float)b + (float)(i * 1000003) + (a < 0 ? -a : a) + (a != a);
  d[i] = b * b / 3.0 + (double)a + (double)(long long)(b * 1e12) - (b > a ? b : (double)a);
  n[i] = (int)(a * 1000) + (int)(b * -1000) + (short)(a * 30000) + (a >= 0.25f) * 7;
  u[i] = (unsigned)(a * a * 4e9f) ^ (unsigned)(b * b * 1e9);
}
