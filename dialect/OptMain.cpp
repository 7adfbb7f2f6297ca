// mlir-opt's own main function, with everything registered. Linked into executables only.

#include "Cute.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

enum Domain { Strict, Extend };
static llvm::cl::opt<Domain>
    domain("cute-domain", llvm::cl::init(Strict),
           llvm::cl::desc("Domain policy if no cute.domain attribute specifies one"),
           llvm::cl::values(clEnumValN(Strict, "strict", "an op's equation must hold"),
                            clEnumValN(Extend, "extend", "what CuTe accepts")));

static llvm::cl::opt<bool> isImport("import",
                                    llvm::cl::desc("Take a module of CuTe DSL to today's dialects first"));

// MlirOptMain on a module of CuTe DSL, after Rust has imported it.
static LogicalResult importAndRun(StringRef input, StringRef output, DialectRegistry &registry) {
  std::string why, text;
  auto in = openInputFile(input, &why);
  auto out = in ? openOutputFile(output, &why) : nullptr;
  if (!out) {
    llvm::errs() << why << '\n';
    return failure();
  }
  StringRef module = in->getBuffer(), name = in->getBufferIdentifier();
  auto push = [](MlirStringRef part, void *whole) { *static_cast<std::string *>(whole) += unwrap(part); };
  switch (cute_opt_import(wrap(module), wrap(name), push, &text)) {
  case CuteFailed:
    return failure();
  case CuteModule:
    if (!domain.getNumOccurrences())
      domain = Extend;
    if (!text.empty())
      in = llvm::MemoryBuffer::getMemBufferCopy(text, name);
    break;
  case CuteOther:
    break;
  }
  if (failed(MlirOptMain(out->os(), std::move(in), registry, MlirOptMainConfig::createFromCLOptions())))
    return failure();
  out->keep();
  return success();
}

extern "C" int cuteOptMain(int argc, char **argv) {
  DialectRegistry r;
  r.addExtension(+[](MLIRContext *, cute::CuteDialect *d) {
    d->defaultDomain = domain == Extend ? "extend" : "strict";
  });
  registerAllDialects(r);
  registerAllExtensions(r);
  registerAllPasses();
  cuteRegisterDialects(wrap(&r));
  auto [input, output] =
      registerAndParseCLIOptions(argc, argv, "cute-opt: mlir-opt with the cute dialect\n", r);
  return asMainReturnCode(isImport ? importAndRun(input, output, r)
                                   : MlirOptMain(argc, argv, input, output, r));
}
