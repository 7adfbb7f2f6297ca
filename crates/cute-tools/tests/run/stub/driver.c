// A driver that writes down what it is asked to do, and a program that asks for it: PARAMETERS are the bytes of the kernel's
// parameters, TAKES the types that the function HOST takes before its stream, and CALL what it is given.
#include <cuda.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

CUresult cuCtxGetDevice(CUdevice *device) { *device = 3; return CUDA_SUCCESS; }
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
    *value = attribute == CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN && device == 3 ? 1000 : 0;
    return CUDA_SUCCESS;
}
CUresult cuModuleLoadData(CUmodule *module, const void *image) {
    *module = (CUmodule)image;
    return CUDA_SUCCESS;
}
CUresult cuModuleUnload(CUmodule module) { printf("unload %s\n", (const char *)module); return CUDA_SUCCESS; }
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
    *function = (CUfunction)name;
    return strcmp((const char *)module, "image") ? CUDA_ERROR_NOT_FOUND : CUDA_SUCCESS;
}
CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function) {
    *value = attribute == CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES && function ? 24 : 0;
    return CUDA_SUCCESS;
}
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
    printf("set %s %d %d\n", (const char *)function, attribute, value);
    return CUDA_SUCCESS;
}
CUresult cuLaunchKernelEx(const CUlaunchConfig *c, CUfunction function, void **parameters, void **extra) {
    static const int widths[] = {PARAMETERS};
    printf("launch %s [%u, %u, %u] [%u, %u, %u] %u", (const char *)function, c->gridDimX, c->gridDimY, c->gridDimZ, c->blockDimX,
           c->blockDimY, c->blockDimZ, c->sharedMemBytes);
    for (unsigned i = 0; i < c->numAttrs; i++) {
        const CUlaunchAttributeValue *v = &c->attrs[i].value;
        switch (c->attrs[i].id) {
        case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
            printf(" cluster [%u, %u, %u]", v->clusterDim.x, v->clusterDim.y, v->clusterDim.z);
            break;
        case CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION:
            printf(" preferred [%u, %u, %u]", v->preferredClusterDim.x, v->preferredClusterDim.y, v->preferredClusterDim.z);
            break;
        case CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT:
            printf(" completion %d %d", (int)(intptr_t)v->launchCompletionEvent.event, v->launchCompletionEvent.flags);
            break;
        case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT:
            printf(" event %d %d %d", (int)(intptr_t)v->programmaticEvent.event, v->programmaticEvent.flags,
                   v->programmaticEvent.triggerAtBlockStart);
            break;
        case CU_LAUNCH_ATTRIBUTE_COOPERATIVE: printf(" cooperative %d", v->cooperative); break;
        default: printf(" programmatic %d", v->programmaticStreamSerializationAllowed);
        }
    }
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        printf(" ");
        for (int at = 0; at < widths[i]; at++) printf("%02x", ((unsigned char *)parameters[i])[at]);
    }
    printf(" stream %d\n", (int)(intptr_t)c->hStream);
    return extra || getenv("REFUSE") ? CUDA_ERROR_NOT_FOUND : CUDA_SUCCESS;
}

CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
                                const cuuint64_t *extents, const cuuint64_t *strides, const cuuint32_t *box,
                                const cuuint32_t *steps, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
    printf("encode %d %#llx", type, (unsigned long long)(uintptr_t)address);
    for (cuuint32_t i = 0; i < rank; i++)
        printf(" %llu:%llu/%u/%u", (unsigned long long)extents[i], i ? (unsigned long long)strides[i - 1] : 0, box[i], steps[i]);
    printf(" %d %d %d %d\n", interleave, swizzle, promotion, fill);
    for (int i = 0; i < 16; i++) map->words[i] = i;
    return CUDA_SUCCESS;
}

#define JOIN(a, b) a##b
#define NAME(host, suffix) JOIN(host, suffix)
int32_t NAME(HOST, _load)(const void *image);
void NAME(HOST, _unload)(void);
int32_t HOST(TAKES, CUstream);

int main(void) {
    int32_t loaded = NAME(HOST, _load)("image");
    int32_t code = HOST(CALL, (CUstream)7);
    NAME(HOST, _unload)();
    printf("returned %d %d\n", (int)loaded, (int)code);
    return 0;
}
