// Headers of FlashInfer and of CUTLASS include cuRAND; no kernel that is launched here draws random numbers.
#pragma once
struct curandStatePhilox4_32_10_t;
struct curandState_t {};
static inline __device__ void curand_init(unsigned long long, unsigned long long, unsigned long long, curandState_t *) {}
template <typename State> __device__ float curand_uniform(State *) { return 0; }
template <typename State> __device__ double curand_uniform_double(State *) { return 0; }
template <typename State> __device__ float curand_normal(State *) { return 0; }
template <typename State> __device__ double curand_normal_double(State *) { return 0; }
