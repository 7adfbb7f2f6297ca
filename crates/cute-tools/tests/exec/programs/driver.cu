// The driver beside the runtime: contexts, functions by name, files of code, pitched copies, pointers.
#include "check.h"
#include <cstring>
#include <cuda.h>

__device__ int factor = 3;

__global__ void scale(int *to, int columns, int pitch) {
  int row = blockIdx.x, column = threadIdx.x;
  to[row * pitch + column] *= factor;  // here
}

#define DRIVER(call) CHECK(cudaError_t(call))

static const char PTX[] = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .global .u32 seven = 7;\n"
                          ".visible .entry fill(.param .u64 to, .param .u32 by) { .reg .b64 %d; .reg .b32 %r<3>; "
                          "ld.param.u64 %d, [to]; ld.param.u32 %r0, [by]; ld.global.u32 %r1, [seven]; "
                          "mul.lo.u32 %r0, %r0, %r1; st.global.u32 [%d], %r0; ret; }\n";

int main() {
  const int rows = 5, columns = 20;
  int host[rows * columns], back[rows * columns];
  for (int i = 0; i < rows * columns; i++) host[i] = i;
  bool right = true;

  // The context of the runtime is the driver's.
  CHECK(cudaFree(nullptr));
  CUcontext context;
  CUdevice device;
  size_t limit;
  unsigned flags;
  int least, greatest;
  DRIVER(cuCtxGetCurrent(&context));
  DRIVER(cuCtxPushCurrent(context));
  DRIVER(cuCtxPopCurrent(&context));
  DRIVER(cuCtxGetDevice(&device));
  DRIVER(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096));
  DRIVER(cuCtxGetLimit(&limit, CU_LIMIT_STACK_SIZE));
  DRIVER(cuCtxGetFlags(&flags));
  DRIVER(cuCtxGetStreamPriorityRange(&least, &greatest));
  right &= context && device == 0 && limit == 4096 && least == 0 && greatest < 0;

  // Pitched memory, and copies in two dimensions.
  CUdeviceptr at;
  size_t pitch;
  DRIVER(cuMemAllocPitch(&at, &pitch, columns * sizeof(int), rows, 4));
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = host;
  copy.srcPitch = columns * sizeof(int);
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = at;
  copy.dstPitch = pitch;
  copy.WidthInBytes = columns * sizeof(int);
  copy.Height = rows;
  DRIVER(cuMemcpy2D(&copy));

  // A kernel of the runtime in the driver.
  cudaFunction_t function;
  CHECK(cudaGetFuncBySymbol(&function, reinterpret_cast<const void *>(scale)));
  const char *name, *same;
  size_t offset, size;
  DRIVER(cuFuncGetName(&name, function));
  CHECK(cudaFuncGetName(&same, reinterpret_cast<const void *>(scale)));
  DRIVER(cuFuncGetParamInfo(function, 2, &offset, &size));
  right &= !strcmp(name, "_Z5scalePiii") && !strcmp(name, same) && offset == 12 && size == 4;
  right &= cuFuncGetParamInfo(function, 3, &offset, &size) == CUDA_ERROR_INVALID_VALUE;
  int count = columns, distance = pitch / sizeof(int);
  void *arguments[] = {&at, &count, &distance};
#ifdef BROKEN
  const int grid = rows + 1;
#else
  const int grid = rows;
#endif
  DRIVER(cuLaunchKernel(function, grid, 1, 1, columns, 1, 1, 0, nullptr, arguments, nullptr));
  CHECK(cudaMemcpy2D(back, columns * sizeof(int), reinterpret_cast<void *>(at), pitch, columns * sizeof(int), rows,
                     cudaMemcpyDeviceToHost));
  for (int i = 0; i < rows * columns; i++) right &= back[i] == 3 * i;

  // What the driver says about pointers.
  unsigned type, managed;
  CUdeviceptr start;
  CUpointer_attribute attributes[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                      CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, CU_POINTER_ATTRIBUTE_RANGE_SIZE};
  void *values[] = {&type, &managed, &start, &size};
  DRIVER(cuPointerGetAttributes(4, attributes, values, at + 100));
  right &= type == CU_MEMORYTYPE_DEVICE && !managed && start == at && size == pitch * rows;
  right &= cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CUdeviceptr(host)) == CUDA_ERROR_INVALID_VALUE;

  // A library from a file, and one that was linked, by the runtime and the driver.
  FILE *file = fopen("fill.ptx", "w");
  fputs(PTX, file);
  fclose(file);
  cudaLibrary_t library;
  cudaKernel_t fill;
  unsigned kernels;
  int *number, by = 6, *seven;
  CHECK(cudaMallocManaged(&number, sizeof(int)));
  CHECK(cudaLibraryLoadFromFile(&library, "fill.ptx", nullptr, nullptr, 0, nullptr, nullptr, 0));
  CHECK(cudaLibraryGetKernelCount(&kernels, library));
  CHECK(cudaLibraryGetKernel(&fill, library, "fill"));
  CHECK(cudaLibraryGetGlobal(reinterpret_cast<void **>(&seven), &size, library, "seven"));
  void *given[] = {&number, &by};
  CHECK(cudaLaunchKernel(reinterpret_cast<void *>(fill), dim3(1), dim3(1), given, 0, nullptr));
  CHECK(cudaDeviceSynchronize());
  right &= kernels == 1 && size == 4 && *number == 42;
  CHECK(cudaLibraryUnload(library));
  right &= cudaLibraryGetKernelCount(&kernels, library) != cudaSuccess && cudaGetLastError() != cudaSuccess;

  // Entries by version: the older form has fewer parameters.
  void *older, *newer, *own;
  CUdriverProcAddressQueryResult status;
  DRIVER(cuGetProcAddress("cuGraphAddNode", &older, 12020, CU_GET_PROC_ADDRESS_DEFAULT, &status));
  DRIVER(cuGetProcAddress("cuGraphAddNode", &newer, 13000, CU_GET_PROC_ADDRESS_DEFAULT, &status));
  DRIVER(cuGetProcAddress("cuGraphAddNode", &own, 13000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, &status));
  right &= older != newer && newer != own && status == CU_GET_PROC_ADDRESS_SUCCESS;

  // Streams have flags and attributes, and pools count.
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest));
  int priority;
  CHECK(cudaStreamGetFlags(stream, &flags));
  CHECK(cudaStreamGetPriority(stream, &priority));
  cudaStreamAttrValue value = {};
  CHECK(cudaStreamSetAttribute(stream, cudaStreamAttributeSynchronizationPolicy, &value));
  right &= flags == cudaStreamNonBlocking && priority == greatest;
  right &= cudaStreamSetAttribute(stream, cudaStreamAttrID(99), &value) == cudaErrorInvalidValue;
  right &= cudaGetLastError() != cudaSuccess;
  cudaMemPool_t pool;
  unsigned long long used;
  CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
  CHECK(cudaMallocAsync(reinterpret_cast<void **>(&number), 4000, stream));
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  right &= used == 4000;
  CHECK(cudaFreeAsync(number, stream));
  CHECK(cudaStreamDestroy(stream));
  DRIVER(cuMemFree(at));
  return verdict(right);
}
