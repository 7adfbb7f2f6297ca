// A graph that two streams have captured, run several times.
#include "check.h"

__global__ void add(int *to, int value) {
  to[threadIdx.x] += value;  // here
}

int main() {
  int *values, host[32];
  CHECK(cudaMalloc(&values, sizeof host));
  CHECK(cudaMemset(values, 0, sizeof host));
  cudaStream_t one, two;
  CHECK(cudaStreamCreate(&one));
  CHECK(cudaStreamCreate(&two));
  cudaEvent_t fork, join;
  CHECK(cudaEventCreate(&fork));
  CHECK(cudaEventCreate(&join));
  CHECK(cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal));
  add<<<1, 32, 0, one>>>(values, 1);
  CHECK(cudaEventRecord(fork, one));
  CHECK(cudaStreamWaitEvent(two, fork, 0));
  add<<<1, 32, 0, two>>>(values, 10);
  CHECK(cudaEventRecord(join, two));
#ifndef BROKEN
  CHECK(cudaStreamWaitEvent(one, join, 0));
#endif
  add<<<1, 32, 0, one>>>(values, 100);
#ifdef BROKEN
  CHECK(cudaStreamWaitEvent(one, join, 0));
#endif
  cudaGraph_t graph;
  CHECK(cudaStreamEndCapture(one, &graph));
  cudaGraphExec_t executable;
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < 3; i++) CHECK(cudaGraphLaunch(executable, one));
  CHECK(cudaStreamSynchronize(one));
  CHECK(cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost));
  bool right = true;
  for (int value : host) right &= value == 333;
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(graph));
  return verdict(right);
}
