// What programs do wrong, by the first argument. Each prints the errors that it gets.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

__global__ void add(int *to, int value) {
  atomicAdd(to + threadIdx.x, value);
}

__global__ void count_up(volatile int *to) {
  for (int i = 0; i < 1 << 30; i++) *to += 1;
}

static void print(int error) {
  printf("%d ", error);
}

static int *numbers(size_t count = 32) {
  int *at = nullptr;
  cudaMalloc(&at, count * sizeof(int));
  cudaMemset(at, 0, count * sizeof(int));
  return at;
}

static void child() {
  int *at;
  print(cudaMalloc(&at, 64));
  print(cudaGetLastError());
  print(cudaDeviceSynchronize());
  print(cudaFree(nullptr));
}

static void forks() {
  fflush(stdout);
  if (pid_t one = fork()) {
    waitpid(one, nullptr, 0);
  } else {
    child();
    exit(0);
  }
}

static void fork_before() {
  forks();
  child();
}

static void fork_after() {
  int *at = numbers();
  forks();
  add<<<1, 32>>>(at, 1);
  print(cudaDeviceSynchronize());
}

static void threads() {
  int *at = numbers();
  std::vector<std::thread> all;
  std::atomic<int> errors{0};
  for (int i = 0; i < 8; i++)
    all.emplace_back([&] {
      for (int launch = 0; launch < 25; launch++) {
        add<<<1, 32>>>(at, 1);
        int *own;
        errors += cudaMalloc(&own, 4096);
        errors += cudaFree(own) + cudaGetLastError();
      }
    });
  for (auto &one : all) one.join();
  int host[32];
  print(cudaMemcpy(host, at, sizeof host, cudaMemcpyDeviceToHost));
  print(errors);
  print(host[31]);
}

static void double_free() {
  int *at = numbers(), *host;
  print(cudaFree(at));
  print(cudaFree(at));
  print(cudaFreeAsync(at, 0));
  at = numbers();
  print(cudaFree(at + 1));
  print(cudaFree(at));
  print(cudaMallocHost(&host, 64));
  print(cudaFreeHost(host));
  print(cudaFreeHost(host));
  print(cudaFree(&host));
}

static void use_after_free() {
  int *at = numbers(), host[32];
  cudaFree(at);
  print(cudaMemcpy(host, at, sizeof host, cudaMemcpyDeviceToHost));
  print(cudaMemset(at, 0, 4));
  print(cudaGetLastError());
  add<<<1, 32>>>(at, 1);
  print(cudaDeviceSynchronize());
}

static void overrun() {
  int *at = numbers(), host[64] = {};
  print(cudaMemcpy(at, host, sizeof host, cudaMemcpyHostToDevice));
  print(cudaMemcpy(host, at + 16, 128, cudaMemcpyDeviceToHost));
  print(cudaMemset(at, 0, 129));
  print(cudaMemcpy2D(host, 64, at, 64, 64, 3, cudaMemcpyDeviceToHost));
  print(cudaMemcpy2D(host, 16, at, 64, 64, 1, cudaMemcpyDeviceToHost));
}

static void sizes() {
  int *at = numbers(), host[32];
  void *more = nullptr;
  print(cudaMalloc(&more, SIZE_MAX));
  print(cudaMalloc(&more, size_t(1) << 46));
  print(cudaMallocManaged(&more, 0));
  print(cudaMalloc(nullptr, 64));
  print(cudaMemset(at, 0, SIZE_MAX));
  print(cudaMemcpy(host, at, SIZE_MAX, cudaMemcpyDeviceToHost));
  print(cudaMemcpy(host, at, 4, cudaMemcpyKind(9)));
  print(cudaMemset2D(at, SIZE_MAX, 0, 1, SIZE_MAX));
  print(cudaMemset(host, 0, 4));
  add<<<0, 32>>>(at, 1);
  print(cudaGetLastError());
  add<<<1, 32, size_t(1) << 40>>>(at, 1);
  print(cudaGetLastError());
  print(cudaStreamDestroy(cudaStream_t(0x1234)));
  print(cudaEventRecord(cudaEvent_t(0x1234), 0));
  print(cudaGraphLaunch(cudaGraphExec_t(0x1234), 0));
  print(cudaStreamSynchronize(cudaStream_t(&at)));
}

static const char PTX[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
                          ".visible .global .align 4 .u32 count;\n"
                          ".visible .entry k(.param .u64 to) { .reg .b64 %d; .reg .b32 %r; "
                          "ld.param.u64 %d, [to]; ld.global.u32 %r, [count]; st.global.u32 [%d], %r; ret; }\n";

static void unload() {
  int *at = numbers();
  cuInit(0);
  CUmodule module;
  CUfunction function;
  CUdeviceptr count;
  size_t bytes;
  print(cuModuleLoadData(&module, PTX));
  print(cuModuleGetFunction(&function, module, "none"));
  print(cuModuleGetFunction(&function, module, "k"));
  print(cuModuleGetGlobal(&count, &bytes, module, "count"));
  void *arguments[] = {&at};
  print(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, 0, arguments, nullptr));
  CUstream stream;
  CUgraph graph;
  CUgraphExec executable;
  print(cuStreamCreate(&stream, 0));
  print(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  print(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr));
  print(cuStreamEndCapture(stream, &graph));
  print(cuGraphInstantiate(&executable, graph, 0));
  print(cuModuleUnload(module));
  print(cuModuleUnload(module));
  print(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, 0, arguments, nullptr));
  print(cuGraphLaunch(executable, stream));
  print(cuMemsetD32(count, 0, 1));
  print(cudaDeviceSynchronize());
}

static void garbage() {
  cuInit(0);
  CUmodule module;
  CUlinkState link;
  print(cuModuleLoadData(&module, nullptr));
  print(cuModuleLoadData(&module, "\x01\x02\x03\x04\x05"));
  print(cuModuleLoadData(&module, ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() { add.s32"));
  print(cuModuleLoadData(&module, "no code"));
  // A fat binary whose entry is longer than the whole, and one that has no entry.
  uint64_t cut[] = {0x001000'01'ba55ed50, 64, 0x40'0101'0001, 1 << 20, 0, 0, 0, 0, 0, 0};
  print(cuModuleLoadFatBinary(&module, cut));
  uint64_t empty[] = {0x001000'01'ba55ed50, 0};
  print(cuModuleLoadFatBinary(&module, empty));
  print(cuModuleLoad(&module, "no/such.cubin"));
  FILE *file = fopen("cut.fatbin", "w");
  fwrite(cut, 1, 40, file);
  fclose(file);
  print(cuModuleLoad(&module, "cut.fatbin"));
  print(cuLinkCreate(0, nullptr, nullptr, &link));
  print(cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char *>("none"), 4, "x", 0, nullptr, nullptr));
  print(cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char *>(PTX), sizeof PTX, "x", 0, nullptr, nullptr));
  void *linked;
  size_t bytes;
  print(cuLinkComplete(link, &linked, &bytes));
  print(cuModuleLoadData(&module, linked));
  print(cuLinkDestroy(link));
  print(cuLinkDestroy(link));
}

static void many(int count) {
  int *at = numbers(), host = 0;
  for (int i = 0; i < count; i++) add<<<1, 32>>>(at, 1);
  print(cudaMemcpy(&host, at, 4, cudaMemcpyDeviceToHost));
  print(host);
  long pages = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  fscanf(file, "%ld %ld", &pages, &resident);
  fclose(file);
  fprintf(stderr, "resident: %ld MiB\n", resident * getpagesize() >> 20);
}

static void ends(bool by_signal) {
  int *at = numbers();
  std::thread([=] { count_up<<<1, 1>>>(at); }).detach();
  usleep(300000);
  if (by_signal) raise(SIGTERM);
  exit(5);
}

static void captures() {
  int *at = numbers();
  cudaStream_t one, two;
  cudaEvent_t event;
  cudaGraph_t graph;
  cudaStreamCreate(&one);
  cudaStreamCreate(&two);
  cudaEventCreate(&event);
  print(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal));
  print(cudaStreamEndCapture(one, &graph));
  print(cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal));
  print(cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal));
  print(cudaEventRecord(event, one));
  print(cudaStreamWaitEvent(two, event, 0));
  add<<<1, 32, 0, two>>>(at, 1);
  print(cudaEventSynchronize(event));
  print(cudaStreamSynchronize(one));
  print(cudaStreamEndCapture(two, &graph));
  print(cudaStreamEndCapture(one, &graph));
  cudaStreamCaptureStatus status;
  print(cudaStreamIsCapturing(two, &status));
  print(status);
}

int main(int count, char **arguments) {
  const char *mode = count > 1 ? arguments[1] : "";
  auto is = [=](const char *name) { return strcmp(mode, name) == 0; };
  if (is("fork_before")) fork_before();
  if (is("fork_after")) fork_after();
  if (is("threads")) threads();
  if (is("double_free")) double_free();
  if (is("use_after_free")) use_after_free();
  if (is("overrun")) overrun();
  if (is("sizes")) sizes();
  if (is("unload")) unload();
  if (is("garbage")) garbage();
  if (is("many")) many(atoi(arguments[2]));
  if (is("ends")) ends(false);
  if (is("signal")) ends(true);
  if (is("captures")) captures();
  puts("");
}
