// Creates ops from lists that the caller owns. mlirOperationCreate takes over lists in memory of their own.

#include "Boundary.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Operation.h"

using namespace mlir;

extern "C" MlirOperation cuteCreate(const CuteDraft *d) {
  Location location = unwrap(d->location);
  auto name = RegisteredOperationName::lookup(unwrap(d->name), location.getContext());
  SmallVector<std::unique_ptr<Region>, 1> regions;
  for (intptr_t i = 0; i < d->numRegions; ++i)
    regions.emplace_back(unwrap(d->regions[i]));
  if (!name)
    return {nullptr};
  OperationState state(location, *name);
  for (intptr_t i = 0; i < d->numOperands; ++i)
    state.operands.push_back(unwrap(d->operands[i]));
  for (intptr_t i = 0; i < d->numAttributes; ++i)
    state.addAttribute(unwrap(d->attributes[i].name), unwrap(d->attributes[i].attribute));
  for (intptr_t i = 0; i < d->numResults; ++i)
    state.types.push_back(unwrap(d->results[i]));
  state.addRegions(regions);
  return wrap(Operation::create(state));
}
