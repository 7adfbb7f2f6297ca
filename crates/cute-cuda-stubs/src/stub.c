// Finds the functions behind the stubs: the only C of the libraries, which forward and decide nothing.

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

// STUB_NOT_STARTED is the error of a call without the simulator, STUB_NAMES the generated table.
#define LINE                                                                                                 \
  "error: this program was not started by `cutec exec`, so CUDA calls fail: run `cutec exec -- PROGRAM`\n"
#define TEXT "no CUDA: `cutec exec` does not answer this call"

// What a function returns to a caller for which there is no answer: entries.rs writes the letters.
enum kind { CODE = 'c', TEXT_RESULT = 't', TEXT_OUT = 'o', HANDLE = 'h', STRUCT = 's' };

typedef const void *lookup(const char *);
typedef int missing(const char *);

struct answer {
  const void *address;
  intptr_t value;
};

struct name {
  const char *name; // with @VERSION behind it
  enum kind kind;
};

extern const struct name cute_cuda_stub_names[] __attribute__((visibility("hidden")));
extern _Atomic(const void *) cute_cuda_stub_slots[] __attribute__((visibility("hidden")));

static _Atomic(lookup *) find;
static _Atomic(missing *) miss;
static atomic_flag said = ATOMIC_FLAG_INIT;

static void say(const char *text) {
  size_t length = 0;
  while (text[length])
    length++;
  if (write(2, text, length) < 0)
    return;
}

static void load(void) {
  const char *path = getenv("CUTE_CUDA_LIBRARY");
  void *library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
  if (!library) {
    if (!atomic_flag_test_and_set(&said)) {
      say(path ? "error: CUDA calls fail: " : LINE);
      if (path) {
        say(dlerror());
        say("\n");
      }
    }
    return;
  }
  atomic_store(&miss, (missing *)dlsym(library, "cute_cuda_missing"));
  atomic_store(&find, (lookup *)dlsym(library, "cute_cuda_function"));
}

// The address of function `index`, or null and what its caller gets instead. `arguments` are the
// saved registers of its integer arguments.
__attribute__((visibility("hidden"))) struct answer cute_cuda_stub_find(unsigned index, intptr_t *arguments) {
  static intptr_t handle[1];
  const struct name *name = &cute_cuda_stub_names[index];
  struct answer answer = {NULL, STUB_NOT_STARTED};
  if (!atomic_load(&find))
    load();
  lookup *function = atomic_load(&find);
  if (function) {
    answer.address = function(name->name);
    if (answer.address) {
      atomic_store(&cute_cuda_stub_slots[index], answer.address);
      return answer;
    }
    missing *count = atomic_load(&miss);
    answer.value = count ? count(name->name) : STUB_NOT_STARTED;
  }
  switch (name->kind) {
  case TEXT_OUT:
    if (arguments[1])
      *(const char **)arguments[1] = TEXT;
    break;
  case TEXT_RESULT:
    answer.value = (intptr_t)TEXT;
    break;
  case HANDLE:
    answer.value = (intptr_t)handle;
    break;
  case STRUCT: // The caller has passed where it is to be.
    answer.value = arguments[0];
    break;
  case CODE:
    break;
  }
  return answer;
}
