__device__ int shared_count;
static __device__ float bias = 5.0f;
static __device__ __noinline__ float helper(float x){ return x * bias; }
__device__ float twice(float x){ return helper(x) * 2; }
__global__ void second(float *p){ p[threadIdx.x] = twice(p[threadIdx.x]) + shared_count; }
static __global__ void local_kernel(float *p){ *p = bias; }
void run_b(float*p){ second<<<1,32>>>(p);local_kernel<<<1,1>>>(p); }
