// Headers of FlashInfer include cuRAND; the kernels here draw no random numbers.
#pragma once
struct curandStatePhilox4_32_10_t;
