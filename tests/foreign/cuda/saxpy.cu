// y = a x + y by vectors of four, with a loop over the grid.
#include "device.h"

struct alignas(16) Four {
  float x, y, z, w;
};

extern "C" __global__ void saxpy(float a, const Four *x, Four *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    Four value = y[i];
    value.x += a * x[i].x;
    value.y += a * x[i].y;
    value.z += a * x[i].z;
    value.w += a * x[i].w;
    y[i] = value;
  }
}
