// The C++ half of the boundary: everything that crosses between C++ and Rust, and nothing else.
// Its counterpart is crates/cute-ffi.

#ifndef CUTE_BOUNDARY_H
#define CUTE_BOUNDARY_H

#include "mlir-c/IR.h"
#include "llvm-c/Types.h"

extern "C" {

// A request to the Rust half of an op.
enum CuteQuestion : int32_t { CuteVerify, CuteFold, CuteInfer };
struct CuteRequest {
  CuteQuestion question;
  bool quiet;       // inference without a location: no diagnostics
  MlirOperation op; // null for CuteInfer
  MlirLocation location;
  intptr_t numOperands;
  const MlirValue *operands;
  MlirAttribute attributes; // dictionary, properties included
  void *answer;             // CuteInfer: for cuteAnswerType; CuteFold: for the two others
};
typedef bool (*CuteOp)(CuteRequest *);
void cuteAnswerType(void *answer, MlirType);
void cuteAnswerAttribute(void *answer, MlirAttribute);
void cuteAnswerValue(void *answer, MlirValue);

// Types: a kind (position in the list of td/), the type that the body begins with (or null), the text of the
// rest, and the value that Rust made of them.
int32_t cuteTypeKind(MlirType); // -1: not ours
int32_t cuteTypeKinds();
MlirStringRef cuteTypeName(int32_t kind);
MlirStringRef cuteTypeExample(int32_t kind); // of a body
MlirType cuteTypeGet(MlirContext, int32_t kind, MlirType inner, MlirStringRef body);
void *cuteTypeValue(MlirType);                // null: not ours, or not given yet
bool cuteTypeSetValue(MlirType, void *value); // false: has one already
bool cuteTypeReparse(MlirType);               // a type made by replacing its inner type gets its value

// Type and attribute bodies.
struct CuteParser;  // mlir::AsmParser
struct CutePrinter; // mlir::AsmPrinter
bool cuteParseOptional(CuteParser *, MlirStringRef token);
bool cuteParseKeyword(CuteParser *, MlirStringCallback, void *);
bool cuteParseString(CuteParser *, MlirStringCallback, void *);
bool cuteParseInteger(CuteParser *, int64_t *);
bool cuteParseDimensions(CuteParser *, int64_t *dimensions, intptr_t count); // `16x8x16`; reports an error
MlirType cuteParseType(CuteParser *);
MlirType cuteParseOptionalType(CuteParser *, bool *found); // null and found: an error was reported
const char *cuteParserLocation(CuteParser *);
void cuteParserError(CuteParser *, const char *location, MlirStringRef);
MlirContext cuteParserContext(CuteParser *);
void cutePrintText(CutePrinter *, MlirStringRef);
MlirType cuteCoordAttrType(MlirAttribute);      // null: not a #cute.coord
MlirStringRef cutePlacementText(MlirAttribute); // null: not a #cute.placement
// The word of an attribute of `cute_nvgpu`: `accum_c`, and its mnemonic; null: of another dialect.
MlirStringRef cuteNvgpuWord(MlirAttribute, MlirStringRef *mnemonic);

// Diagnostics. Severity: 0 error, 1 warning, 2 remark.
void cuteEmit(MlirLocation, int32_t severity, MlirStringRef, intptr_t notes, const MlirLocation *,
              const MlirStringRef *);

// Rewriting the signatures of functions, calls and structured control flow 1:N; true on success.
struct CuteSignatures;
CuteSignatures *cuteSignaturesNew(MlirContext);
void cuteSignaturesDelete(CuteSignatures *);
bool cuteSignaturesConvert(CuteSignatures *, MlirOperation function);
// Rewrites an op by MLIR's patterns that no separate pass runs; false if they do not converge.
enum CutePatterns : int32_t { CutePolynomials, CuteReductions };
bool cuteApplyPatterns(MlirOperation, CutePatterns);
// The domain policy of a context, in the spelling of `cute.domain`; the dialect object stores it.
MlirStringRef cuteDefaultDomain(MlirOperation);
void cuteSetDefaultDomain(MlirContext, MlirStringRef);
// Facts that MLIR's C API does not provide.
bool cuteIsFunction(MlirOperation);         // by its interface
bool cuteIsSymbolTable(MlirOperation);      // by its trait
uint32_t cuteOverflowFlags(MlirOperation);  // of `arith` and `llvm`: bit 0 nsw, bit 1 nuw
bool cuteArrayLength(MlirType, uint64_t *); // false: not an `!llvm.array`
bool cuteIsCompatible(MlirType);            // with the llvm dialect, all parts included
void cuteRegisteredOps(MlirContext, MlirStringRef dialect, MlirStringCallback, void *); // their names
bool cuteFastmathFlags(MlirOperation,
                       uint32_t *); // of any dialect, as `llvm` numbers them; false: cannot have any
MlirAttribute cuteFastmathAttr(MlirContext, uint32_t); // the `#llvm.fastmath` of these flags
MlirStringRef cuteKeyword(MlirAttribute); // of an enumeration of `nvvm` or `gpu`; null: not one that is read
bool cuteMmaShape(MlirAttribute, int32_t[3]);                        // m, n, k; false: not an `#nvvm.shape`
int32_t cuteMaxLaunchAttributes(MlirType);                           // -1: not a `!cuda.launch_cfg`
MlirOperation cuteResolve(MlirOperation from, MlirAttribute symbol); // null: not found
MlirAttribute cuteAttributes(MlirOperation);                         // one dictionary, with the properties
bool cuteIsIsolated(MlirOperation);                                  // from above
uint32_t cuteIndexWidth(MlirOperation); // bits of `index` by the data layout around the op
// The only result of an op for these operands: a constant, or an existing value; false if it is not known.
bool cuteFold(MlirOperation, const MlirAttribute *operands, MlirAttribute *, MlirValue *);

// An op to create. Its regions pass to the op, or are freed.
struct CuteDraft {
  MlirStringRef name;
  MlirLocation location;
  intptr_t numOperands;
  const MlirValue *operands;
  intptr_t numAttributes;
  const MlirNamedAttribute *attributes;
  intptr_t numResults;
  const MlirType *results;
  intptr_t numRegions;
  const MlirRegion *regions;
};
MlirOperation cuteCreate(const CuteDraft *); // null: the op is not registered

// A place that holds the context's address, and lives as long as the context; null without our dialect.
const MlirContext *cuteContextPlace(MlirContext);

// Null, after diagnostics, for a text that does not parse; the text ends in a NUL. Locations contain `name`.
MlirModule cuteModuleParse(MlirContext, MlirStringRef text, MlirStringRef name, bool verify);
void cuteRegisterUndrifted(MlirDialectRegistry);

// LLVM's fatal errors. `cuteGuarded` calls f(data), and returns false if that ended in a fatal error. The
// destructors of f's frames are not run then, and everything that it worked on is lost.
void cuteHandleFatalErrors();
bool cuteGuarded(void (*f)(void *), void *data);
// Gives LLVM command line options, once; false, after the reason, if it does not take them.
bool cuteGiveOptions(int32_t count, const char *const *options, MlirStringCallback, void *);

// Removes the flag `contract`; the C API of LLVM only adds flags.
void cuteForbidContraction(LLVMValueRef instruction);
// Turns the constant expressions that use a global into instructions; the C API of LLVM has no function for
// that.
void cuteExpandConstants(LLVMValueRef global);
// Passes on LLVM IR: the version of their interface, and their registration with a `PassBuilder`.
uint32_t cuteLlvmPluginApi();
void cuteRegisterLlvmPasses(void *builder);

// Passes and the pipeline `cute-compile`, as td/Passes.td declares them; the declarations are never freed.
enum CuteOptionType : int32_t { CuteText, CuteFlag, CuteNumber };
struct CuteValue { // of an option: one of them, by its type
  MlirStringRef text;
  bool flag;
  uint32_t number;
};
struct CuteOption {
  MlirStringRef name, sentence;
  CuteOptionType type;
  CuteValue preset;
};
struct CuteDeclaration {
  MlirStringRef className, name, summary;
  intptr_t numOptions;
  const CuteOption *options;
};

// In Rust. Hidden, so that no library exports what only its own two halves call.
#pragma GCC visibility push(hidden)
void cute_fatal(MlirStringRef reason, bool guarded); // comes back if guarded
MlirType cute_type_parse(CuteParser *, MlirContext, int32_t kind);
void cute_value_drop(void *);
// Report the errors of other ops: in the function of an op that is not valid, and of those that a parser has
// read before one whose result types cannot be inferred from the operands.
void cute_verify_others(MlirOperation);
void cute_verify_parsed(intptr_t numOperands, const MlirValue *operands);
bool cute_coord_attribute_error(MlirType, MlirStringCallback, void *); // true: it is none, and why
// The mnemonic of the attributes that name fields of an atom's state; false: it has no state.
bool cute_field_attribute(MlirType, MlirStringCallback, void *);
// The normal form of a `#cute.<mnemonic>`.
bool cute_text_parse(CuteParser *, MlirStringRef mnemonic, MlirStringCallback, void *);
void cute_text_print(CutePrinter *, MlirStringRef);
enum CutePart : int32_t {
  CuteIterPart,
  CuteLayoutPart,
  CuteVectorPart,
  CuteAtomPart,
  CuteShapePart,
  CuteStridePart,
  CuteInnerPart,
  CuteOffsetPart,
  CuteOuterPart
};
MlirType cute_type_part(MlirType, CutePart); // null: has none
bool cute_type_leaves(MlirType, void (*)(MlirType, void *), void *);
enum CuteNameKind : int32_t { CuteTypeName, CuteOpName };
void cute_unknown_name(CuteNameKind, MlirStringRef name, MlirStringCallback, void *); // the error
// A pass, by its place in the list of declarations, with the values of its options in their order; the
// pipeline as text.
bool cute_pass_run(int32_t number, MlirOperation, intptr_t count, const CuteValue *);
bool cute_pipeline(intptr_t count, const CuteValue *, MlirStringCallback, void *);
// What code for a GPU needs around LLVM's optimization; nothing for other modules.
enum CuteStep : int32_t { CuteBeforeOptimization, CuteAfterOptimization };
void cute_llvm_step(LLVMModuleRef, CuteStep);

// `cute-opt --import`: classifies a text, and pushes the text that replaces it.
enum CuteFound : int32_t { CuteOther, CuteModule, CuteFailed };
CuteFound cute_opt_import(MlirStringRef text, MlirStringRef name, MlirStringCallback, void *);
#pragma GCC visibility pop

// Registration, for Rust.
void cuteRegisterDialects(MlirDialectRegistry);
void cuteRegisterPasses(const CuteDeclaration *passes, intptr_t count, const CuteDeclaration *pipeline);
bool cuteVersionMatches(MlirStringCallback,
                        void *); // false, with both versions, where the host's LLVM differs
}

#endif
