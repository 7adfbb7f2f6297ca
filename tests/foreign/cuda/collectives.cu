// Votes, matches and reductions of a warp, and permutations of bytes.
extern "C" __global__ void collectives(const int *x, unsigned *y) {
  int i = threadIdx.x;
  unsigned all = 0xffffffffu, value = x[i];
  unsigned result = __match_any_sync(all, x[i] & 3);
  result ^= __reduce_add_sync(all, value) << 1;
  result ^= __reduce_max_sync(all, x[i]) << 2;
  result ^= __reduce_xor_sync(all, value);
  result += __any_sync(all, x[i] == 7) * 3 + __all_sync(all, x[i] > -100) * 5;
  result ^= __byte_perm(value, i * 0x01010101, 0x5140);
  result += __funnelshift_l(value, i, 7) + __brev(value) + __ffs(x[i]) + __dp4a(x[i], i * 0x01020304, 9);
  if (i % 2) {
    unsigned odd = 0xaaaaaaaau;
    result += __shfl_down_sync(odd, value, 2) + __popc(__activemask() & odd);
  }
  y[i] = result;
}
