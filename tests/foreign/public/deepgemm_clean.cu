// Another kernel of DeepGEMM, whose dynamic shared memory has another type.
#include <deep_gemm/impls/smxx_clean_logits.cuh>

auto clean = &deep_gemm::smxx_clean_logits<1, 1024, 4, float>;
