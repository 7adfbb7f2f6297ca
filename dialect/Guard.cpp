// Calls into LLVM that return even after a fatal error of LLVM.

#include "Boundary.h"

#include "mlir/CAPI/Support.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"

#include <csetjmp>
#include <mutex>

namespace {
thread_local std::jmp_buf *innermost = nullptr;

void onFatal(void *, const char *reason, bool) {
  cute_fatal(mlirStringRefCreateFromCString(reason), innermost != nullptr);
  if (innermost)
    std::longjmp(*innermost, 1);
}
} // namespace

extern "C" {
void cuteHandleFatalErrors() {
  static std::once_flag once;
  std::call_once(once, [] { llvm::install_fatal_error_handler(onFatal); });
}

bool cuteGiveOptions(int32_t count, const char *const *options, MlirStringCallback f, void *u) {
  std::string why;
  llvm::raw_string_ostream out(why);
  bool taken = llvm::cl::ParseCommandLineOptions(count, options, "", &out);
  f(mlirStringRefCreate(why.data(), why.size()), u);
  return taken;
}

bool cuteGuarded(void (*f)(void *), void *data) {
  cuteHandleFatalErrors();
  std::jmp_buf here, *volatile outer = innermost;
  bool ended = false;
  if (setjmp(here) == 0) {
    innermost = &here;
    f(data);
    ended = true;
  }
  innermost = outer;
  return ended;
}
}
