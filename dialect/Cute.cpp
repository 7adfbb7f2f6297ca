// Generated classes, storage and the calls into Rust. No decision about a layout is made here.

#include "Cuda.h"
#include "Spellings.h"
#include "mlir/AsmParser/AsmParser.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

#include "CuteDialect.cpp.inc"

namespace cute {
// Calls f with the class (as a null value of it) at a position of the list.
template <class F, class... Ts> static void atKind(int32_t kind, TypeList<Ts...>, F f) {
  int32_t i = 0;
  ((i++ == kind ? f(Ts()) : void()), ...);
}
template <class... Ts> static int32_t kindOfType(Type t, TypeList<Ts...>) {
  int32_t i = 0, found = -1;
  ((isa<Ts>(t) ? (void)(found = i) : void(), ++i), ...);
  return found;
}
} // namespace cute

#define GET_TYPEDEF_CLASSES
#include "CuteTypes.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "CuteAttrs.cpp.inc"

// Directives of the assembly format.
static ParseResult parseCoordString(OpAsmParser &p, cute::CoordValueAttr &a) {
  std::string body;
  SMLoc at = p.getCurrentLocation();
  if (p.parseString(&body))
    return failure();
  // The lexer has removed the quotes, which the type's own parser expects.
  Type t = parseType("!cute.coord<\"" + body + "\">", p.getContext());
  if (!t)
    return p.emitError(at, "invalid projection \"") << body << "\"";
  a = cute::CoordValueAttr::getChecked([&] { return p.emitError(at); }, p.getContext(), t);
  return success(static_cast<bool>(a));
}
static void printCoordString(OpAsmPrinter &p, Operation *, cute::CoordValueAttr a) {
  std::string s;
  llvm::raw_string_ostream(s) << a.getType();
  StringRef r = StringRef(s).drop_until([](char c) { return c == '"'; });
  p << r.drop_back();
}
static ParseResult parseLayoutOfView(OpAsmParser &p, std::optional<OpAsmParser::UnresolvedOperand> operand,
                                     Type &layout, Type &view) {
  SMLoc at = p.getCurrentLocation();
  if (p.parseType(view))
    return failure();
  if (!isa<cute::MemRefType, cute::CoordTensorType, cute::SmemDescViewType>(view))
    return p.emitError(at, "the result must be a memref, coord_tensor or smem_desc_view, found ") << view;
  if (operand)
    layout = cute::partOf(view, CuteLayoutPart);
  return success();
}
static void printLayoutOfView(OpAsmPrinter &p, Operation *, Value, Type, Type view) { p << view; }
static ParseResult parsePartsOfView(OpAsmParser &p, std::optional<OpAsmParser::UnresolvedOperand> operand,
                                    Type &iter, Type &layout, Type &view) {
  if (parseLayoutOfView(p, operand, layout, view))
    return failure();
  iter = cute::partOf(view, CuteIterPart);
  return success();
}
static void printPartsOfView(OpAsmPrinter &p, Operation *, Value, Type, Type, Type view) { p << view; }

#define GET_OP_CLASSES
#include "CuteOps.cpp.inc"

namespace cute {
static void append(MlirStringRef s, void *u) { static_cast<std::string *>(u)->append(s.data, s.length); }

// Ops by the names of CuTe DSL 4.3.
static StringRef currentName(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
      .Case("cute.tuple.product", "cute.tuple_product")
      .Case("cute.tuple.product_each", "cute.tuple_product_each")
      .Default("");
}
ParseResult unknown(AsmParser &p, SMLoc at, CuteNameKind kind, StringRef name) {
  std::string text;
  cute_unknown_name(kind, wrap(name), append, &text);
  return p.emitError(at, text);
}
std::optional<Dialect::ParseOpHook> opHook(StringRef name) {
  static auto renamed = [](OpAsmParser &p, OperationState &s) -> ParseResult {
    s.name = OperationName(currentName(s.name.getStringRef()), p.getContext());
    return s.name.getRegisteredInfo()->getParseAssemblyFn()(p, s);
  };
  static auto refused = [](OpAsmParser &p, OperationState &s) -> ParseResult {
    return unknown(p, p.getNameLoc(), CuteOpName, s.name.getStringRef());
  };
  if (currentName(name).empty())
    return refused;
  return renamed;
}
std::optional<Dialect::ParseOpHook> CuteDialect::getParseOperationHook(StringRef name) const {
  return opHook(name);
}
Type CuteDialect::parseType(DialectAsmParser &p) const {
  return parseKnown(p, *const_cast<CuteDialect *>(this), generatedTypeParser);
}
void CuteDialect::printType(Type t, DialectAsmPrinter &p) const { (void)generatedTypePrinter(t, p); }

ParseResult parseProperties(OpAsmParser &p, OperationState &s) {
  if (failed(p.parseOptionalLess()))
    return success();
  Attribute a;
  SMLoc at = p.getCurrentLocation();
  if (p.parseAttribute(a) || p.parseGreater())
    return failure();
  auto properties = dyn_cast<DictionaryAttr>(a);
  if (!properties)
    return p.emitError(at, "expected a dictionary of properties, found ") << a;
  for (NamedAttribute one : properties)
    s.attributes.set(one.getName(), one.getValue());
  return success();
}
ParseResult parseResults(OpAsmParser &p, OperationState &s) {
  if (p.parseOptionalArrowTypeList(s.types))
    return failure();
  size_t wanted = p.getNumResults();
  if (s.types.size() == 1 && wanted > 1 && !s.name.hasTrait<OpTrait::OneResult>())
    s.types.append(wanted - 1, Type(s.types.front()));
  return success();
}
// The attribute of an op that leaves the copy it makes open, which is written `auto`.
static constexpr StringLiteral autoCopy = "auto_copy";
ParseResult parseFunctional(OpAsmParser &p, OperationState &s) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SMLoc at = p.getCurrentLocation();
  if (p.parseOperandList(operands, OpAsmParser::Delimiter::Paren))
    return failure();
  return parseFunctional(p, s, at, operands);
}
ParseResult parseFunctional(OpAsmParser &p, OperationState &s, SMLoc at,
                            ArrayRef<OpAsmParser::UnresolvedOperand> operands) {
  SmallVector<Type> types;
  if (llvm::is_contained(s.name.getAttributeNames(), autoCopy) && succeeded(p.parseOptionalKeyword("auto")))
    s.addAttribute(autoCopy, p.getBuilder().getUnitAttr());
  if (parseProperties(p, s) || p.parseOptionalAttrDict(s.attributes) ||
      failed(s.name.verifyInherentAttrs(
          s.attributes, [&] { return p.emitError(at) << "'" << s.name.getStringRef() << "' op "; })) ||
      p.parseColon())
    return failure();
  bool parens = succeeded(p.parseOptionalLParen());
  bool none = parens && succeeded(p.parseOptionalRParen());
  return failure((!none && (p.parseTypeList(types) || (parens && p.parseRParen()))) || parseResults(p, s) ||
                 p.resolveOperands(operands, types, at, s.operands));
}
void printFunctional(OpAsmPrinter &p, Operation *op) {
  p << '(' << op->getOperands() << ')';
  if (op->hasAttr(autoCopy))
    p << " auto";
  p.printOptionalAttrDict(op->getAttrs(), autoCopy);
  p << " : ";
  p.printFunctionalType(op);
}

ParseResult parseVectorAccess(OpAsmParser &p, OperationState &s) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SMLoc at = p.getCurrentLocation();
  if (succeeded(p.parseOptionalLParen())) {
    if (p.parseOperandList(operands) || p.parseRParen())
      return failure();
    return parseFunctional(p, s, at, operands);
  }
  Type view;
  if (p.parseOperandList(operands) || p.parseOptionalAttrDict(s.attributes) || p.parseColonType(view))
    return failure();
  SmallVector<Type> types;
  if (operands.size() > 1)
    types.push_back(partOf(view, CuteVectorPart));
  types.push_back(view);
  return p.resolveOperands(operands, types, at, s.operands);
}
void printVectorAccess(OpAsmPrinter &p, Operation *op) {
  p << ' ' << op->getOperands();
  p.printOptionalAttrDict(op->getAttrs());
  p << " : " << op->getOperands().back().getType();
}

void CuteDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "CuteTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "CuteAttrs.cpp.inc"
      >();
  addOps(*this, TypeList<
#define GET_OP_LIST
#include "CuteOps.cpp.inc"
                    >{});
}
// A unit attribute is the one value of a static type, anything else a machine constant.
Operation *CuteDialect::materializeConstant(OpBuilder &b, Attribute v, Type t, Location l) {
  if (isa<UnitAttr>(v)) {
    OperationState state(l, StaticOp::getOperationName());
    state.addTypes(t);
    return b.create(state);
  }
  return arith::ConstantOp::materialize(b, v, t, l);
}

static BodyStorage *storageOf(Type t) {
  return isa<CuteDialect, CuteNvgpuDialect>(t.getDialect()) ? static_cast<BodyStorage *>(t.getImpl())
                                                            : nullptr;
}
// The source of `<"...">`, as most bodies are, between the quotes; empty for any other. The source ends with
// a 0.
static StringRef quotedSource(const char *at) {
  if (at[0] != '<' || at[1] != '"')
    return {};
  size_t n = strcspn(at + 2, "\"\\\n");
  return at[n + 2] == '"' && at[n + 3] == '>' ? StringRef(at + 2, n) : StringRef();
}
// A quoted body is parsed once per context.
Type parseBody(AsmParser &p, int32_t kind) {
  auto *dialect = p.getContext()->getOrLoadDialect<CuteDialect>();
  StringRef source = quotedSource(p.getCurrentLocation().getPointer());
  if (!source.empty()) {
    std::lock_guard lock(dialect->knownMutex);
    if (dialect->known.empty())
      dialect->known.resize(cuteTypeKinds());
    if (Type t = dialect->known[kind].lookup(source))
      return p.parseLess() || p.parseString(nullptr) || p.parseGreater() ? Type() : t;
  }
  Type t = unwrap(cute_type_parse(reinterpret_cast<CuteParser *>(&p), wrap(p.getContext()), kind));
  if (t && !source.empty()) {
    std::lock_guard lock(dialect->knownMutex);
    dialect->known[kind].try_emplace(source, t);
  }
  return t;
}
void printBody(AsmPrinter &p, Type t) {
  BodyStorage *s = storageOf(t);
  if (!s || (s->body.empty() && !s->inner))
    return;
  p << '<';
  if (s->inner)
    p << s->inner;
  p.getStream() << s->body << '>';
}
Attribute parseCoordAttr(AsmParser &p) {
  SMLoc at = p.getCurrentLocation();
  Type t = parseType<CoordType>(p);
  return t ? p.getChecked<CoordValueAttr>(at, p.getContext(), t) : Attribute();
}
LogicalResult verifyCoordAttr(function_ref<InFlightDiagnostic()> error, Type t) {
  std::string why;
  return cute_coord_attribute_error(wrap(t), append, &why) ? error() << why : success();
}
std::optional<std::string> parseText(AsmParser &p, StringRef mnemonic) {
  std::string text;
  if (!cute_text_parse(reinterpret_cast<CuteParser *>(&p), wrap(mnemonic), append, &text))
    return std::nullopt;
  return text;
}
void printText(AsmPrinter &p, StringRef text) {
  cute_text_print(reinterpret_cast<CutePrinter *>(&p), wrap(text));
}
Type partOf(Type t, CutePart part) {
  Type r = unwrap(cute_type_part(wrap(t), part));
  return r ? r : NoneType::get(t.getContext());
}

static SmallVector<MlirValue> wrapAll(ValueRange values) {
  return llvm::map_to_vector(values, [](Value v) { return wrap(v); });
}
static CuteRequest about(CuteQuestion q, Operation *op, ArrayRef<MlirValue> operands) {
  CuteRequest r{};
  r.question = q;
  r.op = wrap(op);
  r.location = wrap(op->getLoc());
  r.numOperands = operands.size();
  r.operands = operands.data();
  r.attributes = wrap(static_cast<Attribute>(op->getAttrDictionary()));
  return r;
}
LogicalResult verifyInRust(CuteOp fn, Operation *op) {
  auto operands = wrapAll(op->getOperands());
  CuteRequest r = about(CuteVerify, op, operands);
  return success(fn(&r));
}
LogicalResult verifyOthers(Operation *op, LogicalResult verified) {
  if (failed(verified))
    cute_verify_others(wrap(op));
  return verified;
}
LogicalResult foldInRust(CuteOp fn, Operation *op, SmallVectorImpl<OpFoldResult> &out) {
  auto operands = wrapAll(op->getOperands());
  CuteRequest r = about(CuteFold, op, operands);
  r.answer = &out;
  return success(fn(&r) && out.size() == op->getNumResults() && !out.empty());
}
OpFoldResult foldOneInRust(CuteOp fn, Operation *op) {
  SmallVector<OpFoldResult> out;
  return failed(foldInRust(fn, op, out)) ? OpFoldResult() : out.front();
}
LogicalResult infer(CuteOp fn, MLIRContext *c, std::optional<Location> loc, ValueRange values,
                    DictionaryAttr attributes, SmallVectorImpl<Type> &types) {
  auto operands = wrapAll(values);
  CuteRequest r{};
  r.question = CuteInfer;
  r.quiet = !loc;
  r.location = wrap(loc.value_or(UnknownLoc::get(c)));
  r.numOperands = operands.size();
  r.operands = operands.data();
  r.attributes = wrap(static_cast<Attribute>(attributes));
  r.answer = &types;
  return success(fn(&r));
}
ParseResult inferParsed(OperationState &s, InferReturnTypes *infer) {
  s.types.clear();
  if (succeeded(infer(s.getContext(), s.location, s.operands, s.attributes.getDictionary(s.getContext()),
                      s.getRawProperties(), {}, s.types)))
    return success();
  auto operands = wrapAll(s.operands);
  cute_verify_parsed(operands.size(), operands.data());
  return failure();
}
} // namespace cute

// The boundary, called from Rust.
extern "C" {
void cuteAnswerType(void *answer, MlirType t) {
  static_cast<SmallVectorImpl<Type> *>(answer)->push_back(unwrap(t));
}
void cuteAnswerAttribute(void *answer, MlirAttribute a) {
  static_cast<SmallVectorImpl<OpFoldResult> *>(answer)->push_back(unwrap(a));
}
void cuteAnswerValue(void *answer, MlirValue v) {
  static_cast<SmallVectorImpl<OpFoldResult> *>(answer)->push_back(unwrap(v));
}

int32_t cuteTypeKind(MlirType t) {
  cute::BodyStorage *s = cute::storageOf(unwrap(t));
  if (s && s->kind.load(std::memory_order_relaxed) < 0)
    s->kind = cute::kindOfType(unwrap(t), cute::AllTypes{});
  return s ? s->kind.load(std::memory_order_relaxed) : -1;
}
int32_t cuteTypeKinds() {
  int32_t n = 0;
  MlirStringRef s;
  do
    s = cuteTypeName(n++);
  while (s.data);
  return n - 1;
}
MlirStringRef cuteTypeName(int32_t kind) {
  MlirStringRef r{nullptr, 0};
  cute::atKind(kind, cute::AllTypes{}, [&](auto t) { r = wrap(StringRef(decltype(t)::name)); });
  return r;
}
MlirStringRef cuteTypeExample(int32_t kind) {
  MlirStringRef r{nullptr, 0};
  cute::atKind(kind, cute::AllTypes{}, [&](auto t) { r = wrap(StringRef(decltype(t)::example)); });
  return r;
}
MlirType cuteTypeGet(MlirContext c, int32_t kind, MlirType inner, MlirStringRef body) {
  Type r;
  cute::atKind(kind, cute::AllTypes{},
               [&](auto t) { r = decltype(t)::get(unwrap(c), unwrap(body), unwrap(inner)); });
  return wrap(r);
}
void *cuteTypeValue(MlirType t) {
  auto *s = cute::storageOf(unwrap(t));
  return s ? s->value.load(std::memory_order_acquire) : nullptr;
}
bool cuteTypeSetValue(MlirType t, void *value) {
  void *none = nullptr;
  return cute::storageOf(unwrap(t))->value.compare_exchange_strong(none, value, std::memory_order_acq_rel);
}
bool cuteTypeReparse(MlirType t) {
  std::string text;
  llvm::raw_string_ostream(text) << unwrap(t);
  return parseType(text, unwrap(t).getContext()) == unwrap(t);
}

static AsmParser &parser(CuteParser *p) { return *reinterpret_cast<AsmParser *>(p); }
bool cuteParseOptional(CuteParser *p, MlirStringRef token) {
  AsmParser &a = parser(p);
  StringRef t = unwrap(token);
  if (t == "<")
    return succeeded(a.parseOptionalLess());
  if (t == ">")
    return succeeded(a.parseOptionalGreater());
  if (t == ",")
    return succeeded(a.parseOptionalComma());
  if (t == "=")
    return succeeded(a.parseOptionalEqual());
  if (t == "(")
    return succeeded(a.parseOptionalLParen());
  if (t == ")")
    return succeeded(a.parseOptionalRParen());
  if (t == "->")
    return succeeded(a.parseOptionalArrow());
  return succeeded(a.parseOptionalKeyword(t));
}
bool cuteParseKeyword(CuteParser *p, MlirStringCallback f, void *u) {
  StringRef k;
  if (failed(parser(p).parseOptionalKeyword(&k)))
    return false;
  f(wrap(k), u);
  return true;
}
bool cuteParseString(CuteParser *p, MlirStringCallback f, void *u) {
  std::string s;
  if (failed(parser(p).parseOptionalString(&s)))
    return false;
  f(wrap(StringRef(s)), u);
  return true;
}
bool cuteParseInteger(CuteParser *p, int64_t *i) {
  OptionalParseResult r = parser(p).parseOptionalInteger(*i);
  return r.has_value() && succeeded(*r);
}
bool cuteParseDimensions(CuteParser *p, int64_t *dimensions, intptr_t count) {
  SmallVector<int64_t> found;
  SMLoc at = parser(p).getCurrentLocation();
  if (failed(parser(p).parseDimensionList(found, /*allowDynamic=*/false, /*withTrailingX=*/false)))
    return false;
  if (found.size() != size_t(count))
    return parser(p).emitError(at, "expected ") << count << " extents, found " << found.size(), false;
  llvm::copy(found, dimensions);
  return true;
}
MlirType cuteParseType(CuteParser *p) {
  Type t;
  return failed(parser(p).parseType(t)) ? MlirType{nullptr} : wrap(t);
}
MlirType cuteParseOptionalType(CuteParser *p, bool *found) {
  Type t;
  OptionalParseResult r = parser(p).parseOptionalType(t);
  *found = r.has_value();
  return r.has_value() && succeeded(*r) ? wrap(t) : MlirType{nullptr};
}
const char *cuteParserLocation(CuteParser *p) { return parser(p).getCurrentLocation().getPointer(); }
void cuteParserError(CuteParser *p, const char *at, MlirStringRef text) {
  parser(p).emitError(SMLoc::getFromPointer(at), unwrap(text));
}
MlirContext cuteParserContext(CuteParser *p) { return wrap(parser(p).getContext()); }
void cutePrintText(CutePrinter *p, MlirStringRef s) {
  reinterpret_cast<AsmPrinter *>(p)->getStream() << unwrap(s);
}
MlirType cuteCoordAttrType(MlirAttribute a) {
  auto c = dyn_cast_or_null<cute::CoordValueAttr>(unwrap(a));
  return c ? wrap(c.getType()) : MlirType{nullptr};
}
MlirStringRef cutePlacementText(MlirAttribute a) {
  auto d = dyn_cast_or_null<cute::PlacementAttr>(unwrap(a));
  return d ? wrap(d.getText()) : MlirStringRef{nullptr, 0};
}

void cuteEmit(MlirLocation loc, int32_t severity, MlirStringRef text, intptr_t n, const MlirLocation *locs,
              const MlirStringRef *notes) {
  Location l = unwrap(loc);
  InFlightDiagnostic d = severity == 0 ? emitError(l) : severity == 1 ? emitWarning(l) : emitRemark(l);
  d << unwrap(text);
  for (intptr_t i = 0; i < n; ++i)
    d.attachNote(unwrap(locs[i])) << unwrap(notes[i]);
}

MlirStringRef cuteDefaultDomain(MlirOperation op) {
  return wrap(StringRef(unwrap(op)->getContext()->getOrLoadDialect<cute::CuteDialect>()->defaultDomain));
}
void cuteSetDefaultDomain(MlirContext c, MlirStringRef domain) {
  unwrap(c)->getOrLoadDialect<cute::CuteDialect>()->defaultDomain = unwrap(domain).str();
}
const MlirContext *cuteContextPlace(MlirContext c) {
  auto *d = unwrap(c)->getLoadedDialect<cute::CuteDialect>();
  return d ? reinterpret_cast<const MlirContext *>(&d->place) : nullptr;
}
void cuteRegisterDialects(MlirDialectRegistry r) {
  reinterpret_cast<DialectRegistry *>(r.ptr)
      ->insert<cute::CuteDialect, cute::CuteNvgpuDialect, cute::cuda::CudaDialect>();
}
}
