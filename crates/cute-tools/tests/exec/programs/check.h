// The programs end at the first error of CUDA, and say whether their results are right.
#pragma once
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                          \
  do {                                                                                       \
    cudaError_t error = (call);                                                              \
    if (error != cudaSuccess) {                                                              \
      printf("line %d: %s\n", __LINE__, cudaGetErrorName(error));                            \
      exit(2);                                                                               \
    }                                                                                        \
  } while (0)

inline int verdict(bool right) {
  puts(right ? "right" : "wrong");
  return !right;
}
