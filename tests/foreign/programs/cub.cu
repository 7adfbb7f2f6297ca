// Block and warp collectives of CUB, each compared with a loop on the host. Prints a line for each of them.
#include <algorithm>
#include <cstdio>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_shuffle.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <vector>

constexpr int THREADS = 128, ITEMS = 4, COUNT = THREADS * ITEMS;

// Loads a number for each item, lets `work` replace them, and stores them.
template <class Work, class Load = cub::BlockLoad<int, THREADS, ITEMS, cub::BLOCK_LOAD_WARP_TRANSPOSE>,
          class Store = cub::BlockStore<int, THREADS, ITEMS, cub::BLOCK_STORE_TRANSPOSE>>
__global__ void with_items(const int *in, int *out, Work work) {
  __shared__ typename Load::TempStorage load;
  __shared__ typename Store::TempStorage store;
  __shared__ typename Work::Storage storage;
  int items[ITEMS];
  Load(load).Load(in, items);
  work(storage, items);
  Store(store).Store(out, items);
}

template <cub::BlockScanAlgorithm algorithm> struct Scan {
  using Block = cub::BlockScan<int, THREADS, algorithm>;
  using Storage = typename Block::TempStorage;
  __device__ void operator()(Storage &storage, int (&items)[ITEMS]) { Block(storage).InclusiveSum(items, items); }
};

template <cub::BlockReduceAlgorithm algorithm> struct Reduce {
  using Block = cub::BlockReduce<int, THREADS, algorithm>;
  struct Storage {
    typename Block::TempStorage block;
    int sum;
  };
  __device__ void operator()(Storage &storage, int (&items)[ITEMS]) {
    int sum = Block(storage.block).Sum(items);
    if (threadIdx.x == 0) storage.sum = sum;
    __syncthreads();
    for (int &item : items) item = storage.sum;
  }
};

struct RadixSort {
  using Block = cub::BlockRadixSort<int, THREADS, ITEMS>;
  using Storage = typename Block::TempStorage;
  __device__ void operator()(Storage &storage, int (&items)[ITEMS]) { Block(storage).Sort(items); }
};

struct Less {
  __device__ bool operator()(int a, int b) const { return a < b; }
};

struct MergeSort {
  using Block = cub::BlockMergeSort<int, THREADS, ITEMS>;
  using Storage = typename Block::TempStorage;
  __device__ void operator()(Storage &storage, int (&items)[ITEMS]) { Block(storage).Sort(items, Less()); }
};

struct Exchange {
  using Block = cub::BlockExchange<int, THREADS, ITEMS>;
  using Storage = typename Block::TempStorage;
  __device__ void operator()(Storage &storage, int (&items)[ITEMS]) {
    Block(storage).BlockedToStriped(items, items);
    __syncthreads();
    Block(storage).StripedToBlocked(items, items);
  }
};

struct Heads {
  using Block = cub::BlockDiscontinuity<int, THREADS>;
  using Storage = typename Block::TempStorage;
  __device__ void operator()(Storage &storage, int (&items)[ITEMS]) {
    int heads[ITEMS];
    Block(storage).FlagHeads(heads, items, cuda::std::not_equal_to<int>());
    for (int i = 0; i < ITEMS; i++) items[i] = heads[i];
  }
};

struct Shuffle {
  using Block = cub::BlockShuffle<int, THREADS>;
  using Storage = typename Block::TempStorage;
  __device__ void operator()(Storage &storage, int (&items)[ITEMS]) { Block(storage).Up(items, items); }
};

template <cub::BlockHistogramAlgorithm algorithm> struct Histogram {
  using Block = cub::BlockHistogram<unsigned char, THREADS, ITEMS, 16, algorithm>;
  struct Storage {
    typename Block::TempStorage block;
    unsigned bins[16];
  };
  __device__ void operator()(Storage &storage, int (&items)[ITEMS]) {
    unsigned char samples[ITEMS];
    for (int i = 0; i < ITEMS; i++) samples[i] = items[i] & 15;
    Block(storage.block).Histogram(samples, storage.bins);
    __syncthreads();
    for (int &item : items) item = storage.bins[item & 15];
  }
};

struct WarpSum {
  using Warp = cub::WarpReduce<int>;
  using Storage = typename Warp::TempStorage[THREADS / 32];
  __device__ void operator()(Storage &storage, int (&items)[ITEMS]) {
    int own = 0;
    for (int item : items) own += item;
    int sum = __shfl_sync(~0u, Warp(storage[threadIdx.x / 32]).Sum(own), 0);
    for (int &item : items) item = sum;
  }
};

struct WarpSums {
  using Warp = cub::WarpScan<int, 8>;
  using Storage = typename Warp::TempStorage[THREADS / 8];
  __device__ void operator()(Storage &storage, int (&items)[ITEMS]) {
    int own = 0;
    for (int &item : items) item = own += item;
    int before;
    Warp(storage[threadIdx.x / 8]).ExclusiveSum(own, before);
    for (int &item : items) item += before;
  }
};

struct WarpSort {
  using Warp = cub::WarpMergeSort<int, ITEMS, 16>;
  using Storage = typename Warp::TempStorage[THREADS / 16];
  __device__ void operator()(Storage &storage, int (&items)[ITEMS]) {
    Warp(storage[threadIdx.x / 16]).Sort(items, Less());
  }
};

// Runs a collective, and compares it with what `expected` makes of the numbers.
template <class Work, class Expected> void test(const char *name, Work work, Expected expected) {
  std::vector<int> in(COUNT), out(COUNT);
  unsigned state = 1;
  for (int &x : in) x = (state = state * 1664525 + 1013904223) >> 24;
  int *device_in, *device_out;
  size_t bytes = COUNT * sizeof(int);
  bool is_done = cudaMalloc(&device_in, bytes) == cudaSuccess && cudaMalloc(&device_out, bytes) == cudaSuccess &&
                 cudaMemcpy(device_in, in.data(), bytes, cudaMemcpyHostToDevice) == cudaSuccess;
  with_items<<<1, THREADS>>>(device_in, device_out, work);
  is_done = is_done && cudaMemcpy(out.data(), device_out, bytes, cudaMemcpyDeviceToHost) == cudaSuccess;
  cudaFree(device_in);
  cudaFree(device_out);
  expected(in);
  printf("%s: %s\n", name, is_done && in == out ? "passed" : "FAILED");
}

// Applies a function to each run of this length.
template <class Function> auto in_runs(int length, Function function) {
  return [=](std::vector<int> &x) {
    for (int at = 0; at < COUNT; at += length) function(x.begin() + at, x.begin() + at + length);
  };
}

int main() {
  using Iterator = std::vector<int>::iterator;
  auto sums = [](Iterator from, Iterator to) {
    for (auto x = from + 1; x < to; x++) *x += x[-1];
  };
  auto sum = [](Iterator from, Iterator to) {
    int all = 0;
    for (auto x = from; x < to; x++) all += *x;
    std::fill(from, to, all);
  };
  auto sorted = [](Iterator from, Iterator to) { std::sort(from, to); };
  auto counts = [](Iterator from, Iterator to) {
    int bins[16] = {};
    for (auto x = from; x < to; x++) bins[*x & 15]++;
    for (auto x = from; x < to; x++) *x = bins[*x & 15];
  };
  auto heads = [](std::vector<int> &x) {
    std::vector<int> old = x;
    for (int i = 0; i < COUNT; i++) x[i] = i == 0 || old[i] != old[i - 1];
  };
  auto moved = [](std::vector<int> &x) { std::copy_backward(x.begin(), x.end() - 1, x.end()); };
  test("BlockScan, raking", Scan<cub::BLOCK_SCAN_RAKING>(), in_runs(COUNT, sums));
  test("BlockScan, warps", Scan<cub::BLOCK_SCAN_WARP_SCANS>(), in_runs(COUNT, sums));
  test("BlockReduce, raking", Reduce<cub::BLOCK_REDUCE_RAKING>(), in_runs(COUNT, sum));
  test("BlockReduce, warps", Reduce<cub::BLOCK_REDUCE_WARP_REDUCTIONS>(), in_runs(COUNT, sum));
  test("BlockRadixSort", RadixSort(), in_runs(COUNT, sorted));
  test("BlockMergeSort", MergeSort(), in_runs(COUNT, sorted));
  test("BlockExchange", Exchange(), [](std::vector<int> &) {});
  test("BlockDiscontinuity", Heads(), heads);
  test("BlockShuffle", Shuffle(), moved);
  test("BlockHistogram, atomics", Histogram<cub::BLOCK_HISTO_ATOMIC>(), in_runs(COUNT, counts));
  test("BlockHistogram, sorting", Histogram<cub::BLOCK_HISTO_SORT>(), in_runs(COUNT, counts));
  test("WarpReduce", WarpSum(), in_runs(32 * ITEMS, sum));
  test("WarpScan", WarpSums(), in_runs(8 * ITEMS, sums));
  test("WarpMergeSort", WarpSort(), in_runs(16 * ITEMS, sorted));
}
