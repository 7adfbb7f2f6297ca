// A switch with many cases: a branch through a table.
#include "device.h"

extern "C" __global__ void machine(const int *program, int length, const int *x, int *y) {
  int i = threadIdx.x;
  int a = x[i], b = i;
  for (int at = 0; at < length; ++at) {
    switch (program[at]) {
    case 0: a += b; break;
    case 1: a -= b * 3; break;
    case 2: a *= 5; break;
    case 3: a ^= b << 2; break;
    case 4: b = a & 15; break;
    case 5: a = a > b ? a - 7 : b + 9; break;
    case 6: b += at; break;
    case 7: a = ~a; break;
    case 8: b = -b; break;
    case 9: if (a & 1) at += 1; break;
    case 10: a = (a >> 3) | (a << 29); break;
    default: a = -1; break;
    }
  }
  y[i] = a ^ b;
}
