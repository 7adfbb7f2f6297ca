// Reductions, scans and sorts of CUB.
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>

extern "C" __global__ void cub_sums(const int *x, int *sums, int *prefixes, unsigned *sorted) {
  using Reduce = cub::BlockReduce<int, 128>;
  using Scan = cub::BlockScan<int, 128>;
  using Sort = cub::BlockRadixSort<unsigned, 128, 2>;
  __shared__ union {
    Reduce::TempStorage reduce;
    Scan::TempStorage scan;
    Sort::TempStorage sort;
  } memory;
  int i = threadIdx.x, own = x[i];
  int total = Reduce(memory.reduce).Sum(own);
  if (i == 0)
    sums[0] = total;
  __syncthreads();
  int prefix;
  Scan(memory.scan).ExclusiveSum(own, prefix);
  prefixes[i] = prefix;
  __syncthreads();
  unsigned keys[2] = {(unsigned)own * 2654435761u, (unsigned)i * 40503u};
  Sort(memory.sort).Sort(keys);
  sorted[2 * i] = keys[0];
  sorted[2 * i + 1] = keys[1];
}
