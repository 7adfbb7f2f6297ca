// Declarations that linked_a.cu and linked_b.cu share.
#include <cstdio>
extern __device__ int count;
extern __device__ float scaled(float x);
extern __shared__ float tile[];
template <class T> __device__ __noinline__ T half_of(T x) { return x / 2; }
