// The functions of CUDA's header of this name, which the wheel of the runtime lacks.
#pragma once
#include <driver_types.h>

extern "C" {
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);
}
