// Runs an educational product of ThunderKittens, whose file LEVEL names, on small matrices, and writes the result.
#define main main_of_theirs
#include LEVEL
#undef main
#include <cstdio>
#include <vector>

// N x N numbers, which the same formula gives in Python.
template <class T> std::vector<T> numbers(int n, int step) {
  std::vector<T> made(n * n);
  for (int i = 0; i < n * n; ++i)
    made[i] = T(float((long long)i * step % 17 - 8) / 8);
  return made;
}

template <class T, class Extent> int run(void (*product)(T *, T *, T *, Extent), int n, const char *out) {
  std::vector<T> a = numbers<T>(n, 7), b = numbers<T>(n, 5), c(n * n);
  T *device[3];
  size_t bytes = n * n * sizeof(T);
  for (T *&array : device)
    cudaMalloc(&array, bytes);
  cudaMemcpy(device[0], a.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(device[1], b.data(), bytes, cudaMemcpyHostToDevice);
  product(device[0], device[1], device[2], n);
  if (cudaMemcpy(c.data(), device[2], bytes, cudaMemcpyDeviceToHost) != cudaSuccess)
    return 1;
  FILE *file = fopen(out, "wb");
  for (T value : c) {
    float wide = float(value);
    fwrite(&wide, 4, 1, file);
  }
  return fclose(file);
}

int main(int, char **words) { return run(matmul, atoi(words[1]), words[2]); }
