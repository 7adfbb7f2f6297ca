// A CUDA driver for tests, as far as `cutec run --gpu` calls one: a device whose memory is the host's. It
// takes PTX and no cubin, knows one kernel, `twice`, and prints of each launch what a GPU would see: extents,
// shared memory, and of each parameter as many bytes as its PTX declares, highest first.
//
// The environment says how it behaves: FAKE_VERSION, FAKE_DEVICES, FAKE_MAJOR and FAKE_MINOR are numbers,
// FAKE_WRONG is an element that comes out wrong, FAKE_FAILS a function that returns 700.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t address;

enum {
  SUCCESS = 0,
  NO_DEVICE = 100,
  INVALID_VALUE = 1,
  INVALID_IMAGE = 200,
  NOT_FOUND = 500,
  ILLEGAL_ADDRESS = 700
};

static char *ptx, kernel[64];
static int dynamic_limit = 48 << 10;
static void *context;

static int number(const char *name, int otherwise) {
  const char *text = getenv(name);
  return text ? atoi(text) : otherwise;
}

static int outcome(const char *function) {
  const char *fails = getenv("FAKE_FAILS");
  return fails && !strcmp(fails, function) ? ILLEGAL_ADDRESS : SUCCESS;
}

#define DOES(what)                                                                                           \
  do {                                                                                                       \
    int code = outcome(__func__);                                                                            \
    if (code == SUCCESS) {                                                                                   \
      what;                                                                                                  \
    }                                                                                                        \
    return code;                                                                                             \
  } while (0)

int cuGetErrorName(int code, const char **text) {
  *text = code == ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR_OTHER";
  return SUCCESS;
}
int cuGetErrorString(int code, const char **text) {
  *text = code == ILLEGAL_ADDRESS ? "an illegal memory access was encountered" : "another error";
  return SUCCESS;
}

int cuDriverGetVersion(int *version) { DOES(*version = number("FAKE_VERSION", 13000)); }
int cuInit(unsigned flags) { return flags || number("FAKE_DEVICES", 1) == 0 ? NO_DEVICE : SUCCESS; }
int cuDeviceGetCount(int *count) { DOES(*count = number("FAKE_DEVICES", 1)); }
int cuDeviceGet(int *device, int ordinal) { DOES(*device = ordinal); }
int cuDeviceGetName(char *name, int size, int device) { DOES(snprintf(name, size, "Fake GPU %d", device)); }
int cuDeviceGetAttribute(int *value, int attribute, int device) {
  (void)device;
  DOES(*value = attribute == 75 ? number("FAKE_MAJOR", 9) : attribute == 76 ? number("FAKE_MINOR", 0) : 1);
}
int cuDevicePrimaryCtxRetain(void **c, int device) { DOES(*c = &context + device); }
int cuDevicePrimaryCtxRelease_v2(int device) { return device; }
int cuCtxGetCurrent(void **c) { DOES(*c = context); }
int cuCtxSetCurrent(void *c) { DOES(context = c); }

int cuModuleLoadData(void **module, const void *image) {
  if (memcmp(image,
             "\x7f"
             "ELF",
             4) == 0)
    return INVALID_IMAGE;
  DOES(*module = ptx = strdup(image));
}
int cuModuleUnload(void *module) { DOES(free(module)); }
int cuModuleGetFunction(void **function, void *module, const char *name) {
  char entry[80];
  snprintf(entry, sizeof entry, ".entry %s(", name);
  *function = strstr(module, entry);
  return *function ? SUCCESS : NOT_FOUND;
}
int cuFuncSetAttribute(void *function, int attribute, int value) {
  (void)function;
  if (attribute != 8)
    return INVALID_VALUE;
  DOES(dynamic_limit = value);
}

int cuMemAllocAsync(address *at, size_t bytes, void *stream) {
  if (bytes == 0 || stream)
    return INVALID_VALUE;
  DOES(*at = (address)malloc(bytes));
}
int cuMemFreeAsync(address at, void *stream) { DOES(stream ? (void)0 : free((void *)at)); }
int cuMemcpyHtoDAsync_v2(address to, const void *from, size_t bytes, void *stream) {
  DOES(stream ? (void *)0 : memcpy((void *)to, from, bytes));
}
int cuMemcpyDtoHAsync_v2(void *to, address from, size_t bytes, void *stream) {
  DOES(stream ? (void *)0 : memcpy(to, (void *)from, bytes));
}
int cuStreamSynchronize(void *stream) { DOES((void)stream); }

int cuEventCreate(void **event, unsigned flags) {
  (void)flags;
  DOES(*event = malloc(1));
}
int cuEventDestroy_v2(void *event) { DOES(free(event)); }
int cuEventRecord(void *event, void *stream) { DOES(((void)event, (void)stream)); }
int cuEventSynchronize(void *event) { DOES((void)event); }
int cuEventElapsedTime_v2(float *ms, void *from, void *to) { DOES(*ms = from == to ? 0 : 0.5f); }

static void twice(const float *x, float *y, int n, int threads) {
  for (int i = 0; i < n && i < threads; ++i)
    y[i] = x[i] + x[i];
  int wrong = number("FAKE_WRONG", -1);
  if (wrong >= 0)
    y[wrong] += 1;
}

// `CUlaunchAttribute`, of which a value takes 64 bytes, and `CUlaunchConfig`.
struct attribute {
  unsigned id, pad, value[16];
};
struct config {
  unsigned grid[3], block[3], shared;
  void *stream;
  const struct attribute *attributes;
  unsigned count;
};

int cuLaunchKernelEx(const struct config *config, const char *function, void **parameters, void **extra) {
  unsigned shared = config->shared;
  const unsigned *grid = config->grid, *block = config->block;
  if (config->stream || extra || (int)shared > dynamic_limit)
    return INVALID_VALUE;
  sscanf(function, ".entry %63[^(]", kernel);
  fprintf(stderr, "launch %s grid %u %u %u block %u %u %u shared %u", kernel, grid[0], grid[1], grid[2],
          block[0], block[1], block[2], shared);
  for (const struct attribute *a = config->attributes; a < config->attributes + config->count; ++a) {
    const char *name = a->id == 4 ? "cluster" : a->id == 11 ? "preferred" : NULL;
    if (name)
      fprintf(stderr, " %s %u %u %u", name, a->value[0], a->value[1], a->value[2]);
    else
      fprintf(stderr, " attribute %u %u", a->id, a->value[0]);
  }
  fprintf(stderr, ":");
  const char *end = strchr(function + strlen(".entry ") + strlen(kernel) + 1, ')');
  int count = 0;
  for (const char *p = strstr(function, ".param ."); p && p < end; p = strstr(p + 1, ".param ."), ++count) {
    // `.param .u32 name`, or for an f16 `.param .align 2 .b8 name[2]`.
    const char *type = p + strlen(".param ");
    int bytes = strncmp(type, ".align", 6) ? atoi(type + 2) / 8 : atoi(strchr(type, '[') + 1);
    fprintf(stderr, " ");
    for (int i = bytes; i-- > 0;)
      fprintf(stderr, "%02x", ((uint8_t *)parameters[count])[i]);
  }
  fprintf(stderr, "\n");
  if (!strcmp(kernel, "twice"))
    twice(*(float **)parameters[0], *(float **)parameters[1], *(int *)parameters[2], grid[0] * block[0]);
  return outcome(__func__);
}
