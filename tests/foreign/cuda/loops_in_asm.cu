// Inline assembly with registers and labels of its own.
#include "device.h"

__device__ __forceinline__ unsigned collatz(unsigned n) {
  unsigned steps;
  asm("{\n"
      "  .reg .pred odd, done;\n"
      "  .reg .u32 value, bit;\n"
      "  mov.u32 value, %1;\n"
      "  mov.u32 %0, 0;\n"
      "again:\n"
      "  setp.le.u32 done, value, 1;\n"
      "  @done bra over;\n"
      "  and.b32 bit, value, 1;\n"
      "  setp.ne.u32 odd, bit, 0;\n"
      "  @odd mad.lo.u32 value, value, 3, 1;\n"
      "  @!odd shr.u32 value, value, 1;\n"
      "  add.u32 %0, %0, 1;\n"
      "  bra again;\n"
      "over:\n"
      "}"
      : "=&r"(steps)
      : "r"(n));
  return steps;
}

__device__ __forceinline__ unsigned lane() {
  unsigned result;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(result));
  return result;
}

extern "C" __global__ void loops_in_asm(unsigned *y) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = collatz(i + 1) * 100 + collatz(i + 27) + lane();
}
