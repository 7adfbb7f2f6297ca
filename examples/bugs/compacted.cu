// Lanes of a warp write the numbers that they keep to shared memory, and other lanes read them: the
// ballot between the two does not order memory (ggml-org/llama.cpp #28376).
//
// Compile: nvcc -std=c++17 -arch=sm_80 -lineinfo -ptx compacted.cu
// Run: cutec run compacted.ptx --kernel 'compacted<false>' --grid 1 --block 32
//     --arg 'x:i32[64]=range' --arg 'y:i32[32]'
template <bool repaired> __global__ void compacted(const int *x, int *y) {
  __shared__ int kept[64];
  int count = 0;
  for (int i = threadIdx.x; i < 64; i += 32) {
    bool keeps = x[i] % 2 == 0;
    unsigned lanes = __ballot_sync(~0u, keeps);
    if (keeps)
      kept[count + __popc(lanes & ((1u << threadIdx.x) - 1))] = x[i] / 2; // other side
    count += __popc(lanes);
  }
  if (repaired)
    __syncwarp();
  for (int i = threadIdx.x; i < count; i += 32)
    y[i] = kept[i]; // finds: race (error)
}
template __global__ void compacted<false>(const int *, int *);
template __global__ void compacted<true>(const int *, int *);
