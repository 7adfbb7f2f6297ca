extern __device__ int shared_count;
extern __device__ float twice(float x);
static __device__ float bias = 3.0f;
static __device__ __noinline__ float helper(float x){ return x + bias; }
__global__ void first(float *p){ p[threadIdx.x] = twice(helper(p[threadIdx.x])); atomicAdd(&shared_count, 1);}
static __global__ void local_kernel(float *p){ *p = bias; }
void run_b(float*);
int main(){ float *p; cudaMalloc(&p,128); first<<<1,32>>>(p); local_kernel<<<1,1>>>(p); run_b(p); return 0;}
