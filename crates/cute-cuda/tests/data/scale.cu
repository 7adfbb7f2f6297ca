// nvcc 13.0.88 writes the files beside this one, with -lineinfo in all of them:
//   zstd.fatbin   -fatbin --compress-mode=size -gencode arch=compute_90a,code=[sm_90a,compute_90a]
//                 -gencode arch=compute_80,code=compute_80
//   lz4.fatbin    -fatbin --compress-mode=speed -gencode arch=compute_100f,code=compute_100f
//   plain.fatbin  -fatbin --compress-mode=none -gencode arch=compute_75,code=compute_75
//   cubin.fatbin  -fatbin --compress-mode=size -gencode arch=compute_120,code=sm_120
extern "C" __global__ void scale(float *p, float by) {
  p[blockIdx.x * blockDim.x + threadIdx.x] *= by;
}
