// A graph that is made node by node, changed, copied and updated.
#include "check.h"
#include <vector>

__global__ void add(int *to, int value) {
  to[threadIdx.x] += value;  // here
}

static int called;

static void count(void *by) { called += *static_cast<int *>(by); }

static cudaGraphNode_t kernel(cudaGraph_t graph, std::vector<cudaGraphNode_t> after, int *to, int value) {
  void *arguments[] = {&to, &value};
  cudaKernelNodeParams given = {};
  given.func = reinterpret_cast<void *>(add);
  given.gridDim = dim3(1);
  given.blockDim = dim3(32);
  given.kernelParams = arguments;
  cudaGraphNode_t node;
  CHECK(cudaGraphAddKernelNode(&node, graph, after.data(), after.size(), &given));
  return node;
}

int main() {
  int *values, host[64];
  CHECK(cudaMalloc(&values, sizeof host));
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaMemsetParams zeros = {};
  zeros.dst = values;
  zeros.elementSize = 4;
  zeros.width = 64;
  zeros.height = 1;
  cudaGraphNode_t set, copy, call, join, inner;
  CHECK(cudaGraphAddMemsetNode(&set, graph, nullptr, 0, &zeros));
  // Both branches follow the set, and the second one has the other half.
  cudaGraphNode_t one = kernel(graph, {set}, values, 1);
#ifdef BROKEN
  cudaGraphNode_t two = kernel(graph, {set}, values, 10);
#else
  cudaGraphNode_t two = kernel(graph, {set}, values + 32, 10);
#endif
  cudaGraph_t child;
  CHECK(cudaGraphCreate(&child, 0));
  kernel(child, {}, values, 100);
  CHECK(cudaGraphAddChildGraphNode(&inner, graph, &one, 1, child));
  CHECK(cudaGraphDestroy(child));
  int by = 3;
  cudaHostNodeParams function = {count, &by};
  CHECK(cudaGraphAddHostNode(&call, graph, &two, 1, &function));
  CHECK(cudaGraphAddEmptyNode(&join, graph, nullptr, 0));
  cudaGraphNode_t from[] = {inner, call}, to[] = {join, join};
#if CUDART_VERSION >= 13000
  CHECK(cudaGraphAddDependencies(graph, from, to, nullptr, 2));
#else
  CHECK(cudaGraphAddDependencies(graph, from, to, 2));
#endif
  CHECK(cudaGraphAddMemcpyNode1D(&copy, graph, &join, 1, host, values, sizeof host, cudaMemcpyDeviceToHost));

  size_t nodes = 0, roots = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
  CHECK(cudaGraphGetRootNodes(graph, nullptr, &roots));
  cudaGraphNodeType type;
  CHECK(cudaGraphNodeGetType(inner, &type));
  bool right = nodes == 7 && roots == 1 && type == cudaGraphNodeTypeGraph;

  cudaGraphExec_t executable;
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < 2; i++) CHECK(cudaGraphLaunch(executable, 0));
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 64; i++) right &= host[i] == (i < 32 ? 101 : 10);
  right &= called == 6;

  // A node of the executable graph gets other arguments, and then those of a clone.
  cudaKernelNodeParams given;
  CHECK(cudaGraphKernelNodeGetParams(one, &given));
  right &= given.gridDim.x == 1 && *static_cast<int *>(given.kernelParams[1]) == 1;
  int value = 2;
  void *arguments[] = {&values, &value};
  given.kernelParams = arguments;
  CHECK(cudaGraphExecKernelNodeSetParams(executable, one, &given));
  CHECK(cudaGraphLaunch(executable, 0));
  CHECK(cudaDeviceSynchronize());
  right &= host[0] == 102;
  cudaGraph_t clone;
  CHECK(cudaGraphClone(&clone, graph));
  cudaGraphNode_t other;
  CHECK(cudaGraphNodeFindInClone(&other, one, clone));
  value = 7;
  CHECK(cudaGraphKernelNodeSetParams(other, &given));
  cudaGraphExecUpdateResultInfo info;
  CHECK(cudaGraphExecUpdate(executable, clone, &info));
  CHECK(cudaGraphLaunch(executable, 0));
  CHECK(cudaDeviceSynchronize());
  right &= host[0] == 107 && info.result == cudaGraphExecUpdateSuccess;
  CHECK(cudaGraphDestroyNode(cudaGraphNode_t(other)));
  right &= cudaGraphExecUpdate(executable, clone, &info) == cudaErrorGraphExecUpdateFailure;
  right &= info.result == cudaGraphExecUpdateErrorTopologyChanged && cudaGetLastError() != cudaSuccess;
  CHECK(cudaGraphDestroy(clone));
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(graph));

  // Memory that a captured stream allocates is there in each launch.
  cudaStream_t stream;
  int *own;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  CHECK(cudaMallocAsync(&own, 128, stream));
  CHECK(cudaMemsetAsync(own, 0, 128, stream));
  add<<<1, 32, 0, stream>>>(own, 5);
  CHECK(cudaMemcpyAsync(host, own, 128, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaFreeAsync(own, stream));
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < 2; i++) CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaStreamSynchronize(stream));
  right &= host[31] == 5;
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(graph));
  right &= cudaGraphDestroy(graph) == cudaErrorInvalidValue && cudaGetLastError() != cudaSuccess;
  return verdict(right);
}
