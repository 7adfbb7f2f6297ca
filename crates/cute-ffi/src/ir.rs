//! Safe wrappers for the functions of MLIR's C API that melior does not wrap.

use std::{ffi::c_void, iter::successors};

use melior::{
    Context, StringRef,
    ir::{
        Attribute, AttributeLike, Block, BlockLike, BlockRef, Location, Operation, Region, RegionLike, Type,
        TypeLike, Value, ValueLike,
        attribute::IntegerAttribute,
        operation::{OperationLike, OperationRef},
        r#type::IntegerType,
    },
};
use mlir_sys::*;
use smallvec::SmallVec;

unsafe extern "C" {
    fn cutePlacementText(a: MlirAttribute) -> MlirStringRef;
    fn cuteCoordAttrType(a: MlirAttribute) -> MlirType;
    fn cuteNvgpuWord(a: MlirAttribute, mnemonic: *mut MlirStringRef) -> MlirStringRef;
    fn cuteAttributes(op: MlirOperation) -> MlirAttribute;
    fn cuteIsIsolated(op: MlirOperation) -> bool;
    fn cuteIndexWidth(op: MlirOperation) -> u32;
    fn cuteFold(
        op: MlirOperation,
        operands: *const MlirAttribute,
        constant: *mut MlirAttribute,
        value: *mut MlirValue,
    ) -> bool;
    fn cuteRegisteredOps(c: MlirContext, dialect: MlirStringRef, f: MlirStringCallback, u: *mut c_void);
    fn cuteIsFunction(op: MlirOperation) -> bool;
    fn cuteIsSymbolTable(op: MlirOperation) -> bool;
    fn cuteMaxLaunchAttributes(t: MlirType) -> i32;
    fn cuteResolve(from: MlirOperation, symbol: MlirAttribute) -> MlirOperation;
    fn cuteDefaultDomain(op: MlirOperation) -> MlirStringRef;
    fn cuteSetDefaultDomain(c: MlirContext, domain: MlirStringRef);
}

/// The names of the ops that a context knows of a loaded dialect.
pub fn registered_ops(context: &Context, dialect: &str) -> Vec<String> {
    unsafe extern "C" fn push(name: MlirStringRef, out: *mut c_void) {
        // SAFETY: `out` is the list given below; the text lives for the call.
        unsafe { (*out.cast::<Vec<String>>()).push(crate::text(name).to_owned()) }
    }
    let mut names: Vec<String> = Vec::new();
    let dialect = StringRef::new(dialect).to_raw();
    // SAFETY: `push` writes to `names`, which outlives the call.
    unsafe { cuteRegisteredOps(context.to_raw(), dialect, Some(push), (&raw mut names).cast()) };
    names
}

/// The domain policy of an op's context, in the spelling of `cute.domain`.
pub fn default_domain(op: OperationRef<'_, '_>) -> String {
    // SAFETY: `op` is live, and with it the text.
    unsafe { crate::text(cuteDefaultDomain(op.to_raw())) }.to_owned()
}

/// Sets the domain policy of everything in a context that no `cute.domain` attribute covers.
pub fn set_default_domain(c: &Context, domain: &str) {
    // SAFETY: the context is live; C++ copies the text.
    unsafe { cuteSetDefaultDomain(c.to_raw(), StringRef::new(domain).to_raw()) }
}

/// Bits of a floating-point type.
pub fn float_width(t: Type<'_>) -> u32 {
    assert!(t.is_float(), "{t} has the width of a float");
    // SAFETY: `t` is a live float type.
    unsafe { mlirFloatTypeGetWidth(t.to_raw()) }
}

/// An entry of a dictionary attribute.
pub fn dictionary_get<'c>(dictionary: Attribute<'c>, name: &str) -> Option<Attribute<'c>> {
    // SAFETY: called only with dictionaries; a missing entry is null.
    unsafe {
        if !mlirAttributeIsADictionary(dictionary.to_raw()) {
            return None;
        }
        let raw = mlirDictionaryAttrGetElementByName(dictionary.to_raw(), StringRef::new(name).to_raw());
        Attribute::from_option_raw(raw)
    }
}

/// The names and values of a dictionary attribute; empty for another attribute.
pub fn dictionary_entries<'c>(dictionary: Attribute<'c>) -> impl Iterator<Item = (&'c str, Attribute<'c>)> {
    let raw = dictionary.to_raw();
    // SAFETY: entries are read only from a dictionary, up to their number; names and values live in
    // the context.
    unsafe {
        let count = if mlirAttributeIsADictionary(raw) { mlirDictionaryAttrGetNumElements(raw) } else { 0 };
        (0..count).map(move |i| {
            let entry = mlirDictionaryAttrGetElement(raw, i);
            (crate::text(mlirIdentifierStr(entry.name)), Attribute::from_raw(entry.attribute))
        })
    }
}

/// The mnemonic and the word of an attribute of `cute_nvgpu`: `atom_mma_field_sm90` and `accum_c`
/// for `#cute_nvgpu.atom_mma_field_sm90<accum_c>`. `None` for an attribute of another dialect.
pub fn nvgpu_word<'c>(a: Attribute<'c>) -> Option<(&'static str, &'c str)> {
    let mut mnemonic = MlirStringRef { data: std::ptr::null(), length: 0 };
    // SAFETY: any attribute may be passed, and the mnemonic is writable; it is a literal, and the
    // word lives in the context.
    unsafe {
        let word = cuteNvgpuWord(a.to_raw(), &mut mnemonic);
        (!mnemonic.data.is_null()).then(|| (crate::text(mnemonic), crate::text(word)))
    }
}

/// The text of an attribute whose dialect is not registered, without the name of the dialect:
/// `mbar_txn_kind<arrive>` for `#nvvm.mbar_txn_kind<arrive>`.
pub fn opaque_text<'c>(a: Attribute<'c>) -> Option<&'c str> {
    // SAFETY: the text is read only from an opaque attribute, and lives in the context.
    unsafe { mlirAttributeIsAOpaque(a.to_raw()).then(|| crate::text(mlirOpaqueAttrGetData(a.to_raw()))) }
}

/// The bytes of a string attribute. (melior's own function supports neither empty strings nor bytes
/// that are not UTF-8.)
pub fn string_bytes<'c>(a: Attribute<'c>) -> Option<&'c [u8]> {
    // SAFETY: called only with strings, whose bytes live in the context; MLIR uses a null pointer
    // for an empty string.
    unsafe {
        if !mlirAttributeIsAString(a.to_raw()) {
            return None;
        }
        let text = mlirStringAttrGetValue(a.to_raw());
        let empty = text.data.is_null();
        Some(if empty { &[] } else { std::slice::from_raw_parts(text.data.cast(), text.length) })
    }
}

/// The text of a string attribute, if it is one.
pub fn string<'c>(a: Attribute<'c>) -> Option<&'c str> {
    std::str::from_utf8(string_bytes(a)?).ok()
}

/// The name of a symbol.
pub fn symbol_name<'c>(op: OperationRef<'c, '_>) -> Option<&'c str> {
    string(op.attribute("sym_name").ok()?)
}

/// Whether a type is a pointer of the llvm dialect.
pub fn is_llvm_pointer(t: Type<'_>) -> bool {
    // SAFETY: any type may be passed.
    unsafe { mlirTypeIsALLVMPointerType(t.to_raw()) }
}

/// The coordinate type in `#cute.coord<"...">`.
pub fn coord_attribute_type<'c>(a: Attribute<'c>) -> Option<Type<'c>> {
    // SAFETY: any attribute may be passed; null for others.
    unsafe { Type::from_option_raw(cuteCoordAttrType(a.to_raw())) }
}

/// The text of a `#cute.placement`.
pub fn placement_text<'c>(a: Attribute<'c>) -> Option<&'c str> {
    // SAFETY: any attribute may be passed; null for others.
    let text = unsafe { cutePlacementText(a.to_raw()) };
    // SAFETY: the text is owned by the context.
    (!text.data.is_null()).then(|| unsafe { crate::text(text) })
}

/// The number of bits of `index` at an op, from the data layout around it.
pub fn index_width(op: OperationRef<'_, '_>) -> u32 {
    // SAFETY: `op` is live.
    unsafe { cuteIndexWidth(op.to_raw()) }
}

/// The folded result of an op.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Folded<'c, 'a> {
    /// The result is this attribute, of which MLIR makes a constant.
    Constant(Attribute<'c>),
    /// A value that already exists: an operand of the op.
    Value(Value<'c, 'a>),
}

/// Folds an op whose operands are these integers with MLIR's own folder, and returns its only
/// result; `None` if MLIR does not fold it. The operands are integers or of type `index`, and each
/// attribute has its operand's type. Ops with regions are not folded, because some fold by changing
/// their contents.
pub fn fold<'c, 'a>(op: OperationRef<'c, 'a>, operands: &[IntegerAttribute<'c>]) -> Option<Folded<'c, 'a>> {
    if op.region_count() > 0 || op.result_count() != 1 {
        return None;
    }
    let types = self::operands(op).into_iter().map(type_of);
    assert!(types.eq(operands.iter().map(|a| a.r#type())), "each operand has a constant of its type");
    let operands: Vec<_> = operands.iter().map(AttributeLike::to_raw).collect();
    let mut constant = MlirAttribute { ptr: std::ptr::null() };
    let mut value = MlirValue { ptr: std::ptr::null() };
    // SAFETY: `op` is live and has this number of operands; the result belongs to its context or is
    // one of its operands.
    unsafe {
        if !cuteFold(op.to_raw(), operands.as_ptr(), &mut constant, &mut value) {
            return None;
        }
        let constant = Attribute::from_option_raw(constant).map(Folded::Constant);
        constant.or_else(|| (!value.ptr.is_null()).then(|| Folded::Value(Value::from_raw(value))))
    }
}

/// An op as text in which values have the names that their locations give them.
pub fn named_text(op: OperationRef<'_, '_>) -> String {
    // SAFETY: the flags are live.
    text_with(op, |flags| unsafe { mlirOpPrintingFlagsPrintNameLocAsPrefix(flags) })
}

/// An op as text with the location of each op, which has the names of values, too.
pub fn located_text(op: OperationRef<'_, '_>) -> String {
    // SAFETY: the flags are live.
    text_with(op, |flags| unsafe { mlirOpPrintingFlagsEnableDebugInfo(flags, true, false) })
}

fn text_with(op: OperationRef<'_, '_>, set: impl FnOnce(MlirOpPrintingFlags)) -> String {
    unsafe extern "C" fn append(text: MlirStringRef, out: *mut c_void) {
        // SAFETY: `out` is the String given below, `text` is readable for the call.
        unsafe { (*out.cast::<String>()).push_str(crate::text(text)) }
    }
    let mut out = String::new();
    // SAFETY: `op` and `out` outlive the call; the flags are destroyed once.
    unsafe {
        let flags = mlirOpPrintingFlagsCreate();
        set(flags);
        mlirOperationPrintWithFlags(op.to_raw(), flags, Some(append), (&raw mut out).cast());
        mlirOpPrintingFlagsDestroy(flags);
    }
    out
}

/// The nearest attribute with that name on `op` or an enclosing op.
pub fn enclosing_attribute<'c>(op: OperationRef<'c, '_>, name: &str) -> Option<Attribute<'c>> {
    let mut raw = op.to_raw();
    // SAFETY: parents of a live op are live; null ends the walk.
    while !raw.ptr.is_null() {
        unsafe {
            let a = mlirOperationGetAttributeByName(raw, StringRef::new(name).to_raw());
            if let Some(a) = Attribute::from_option_raw(a) {
                return Some(a);
            }
            raw = mlirOperationGetParentOperation(raw);
        }
    }
    None
}

/// Attributes of an op, properties included, as one dictionary.
pub fn attribute_dictionary<'c>(op: OperationRef<'c, '_>) -> Attribute<'c> {
    // SAFETY: `op` is live; the dictionary lives in its context.
    unsafe { Attribute::from_raw(cuteAttributes(op.to_raw())) }
}

/// Resolves a symbol such as `@kernels::@add`, as seen from `op`. Other threads must not change the
/// ops that it may name.
pub fn resolve<'c, 'a>(op: OperationRef<'c, 'a>, symbol: Attribute<'c>) -> Option<OperationRef<'c, 'a>> {
    // SAFETY: `op` is live, and the found op lives in the same module; any attribute may be passed.
    let found = unsafe { cuteResolve(op.to_raw(), symbol.to_raw()) };
    // SAFETY: as above.
    (!found.ptr.is_null()).then(|| unsafe { OperationRef::from_raw(found) })
}

/// The number of attributes for which a `!cuda.launch_cfg` has room.
pub fn max_launch_attributes(t: Type<'_>) -> Option<u32> {
    // SAFETY: any type may be passed; negative for others.
    u32::try_from(unsafe { cuteMaxLaunchAttributes(t.to_raw()) }).ok()
}

/// Whether a type is `!cuda.<mnemonic>`.
pub fn is_cuda_type(t: Type<'_>, mnemonic: &str) -> bool {
    // SAFETY: a type lives in its context.
    let context: &Context = unsafe { crate::context(mlirTypeGetContext(t.to_raw())) };
    Type::parse(context, &format!("!cuda.{mnemonic}")) == Some(t)
}

/// Whether an op is valid; if not, MLIR reports the reason.
pub fn verify(op: OperationRef<'_, '_>) -> bool {
    // SAFETY: `op` is live.
    unsafe { mlirOperationVerify(op.to_raw()) }
}

/// The closest enclosing op whose body uses no values from outside, which is the function.
pub fn enclosing_isolated<'c, 'a>(op: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let mut at = block_of(op).and_then(parent_of)?;
    // SAFETY: `at` is live.
    while !unsafe { cuteIsIsolated(at.to_raw()) } {
        at = block_of(at).and_then(parent_of)?;
    }
    Some(at)
}

/// Every op below `root`, outer before inner, in order.
pub fn walk<'c, 'a>(root: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut out = Vec::new();
    walk_outer(root, |op| {
        out.push(op);
        true
    });
    out
}

/// Visits every op below `root`, outer before inner. The contents of an op are visited only if the
/// visit of the op returns true. The visit may erase ops, because the ops of a block are listed
/// before the first of them is visited.
pub fn walk_outer<'c, 'a>(root: OperationRef<'c, 'a>, mut visit: impl FnMut(OperationRef<'c, 'a>) -> bool) {
    fn walk<'c, 'a>(op: OperationRef<'c, 'a>, visit: &mut impl FnMut(OperationRef<'c, 'a>) -> bool) {
        if !visit(op) {
            return;
        }
        for block in blocks(op) {
            for op in ops(block) {
                walk(op, visit);
            }
        }
    }
    walk(root, &mut visit);
}

/// The blocks of each region of an op, in order.
pub fn blocks<'c, 'a>(op: OperationRef<'c, 'a>) -> Vec<BlockRef<'c, 'a>> {
    // SAFETY: `op` is live, its regions and their blocks live as long; null ends each list.
    unsafe {
        let count = mlirOperationGetNumRegions(op.to_raw());
        // Most ops.
        if count == 0 {
            return Vec::new();
        }
        let regions = (0..count).map(|i| mlirRegionGetFirstBlock(mlirOperationGetRegion(op.to_raw(), i)));
        let next =
            |block: &BlockRef<'c, 'a>| BlockRef::from_option_raw(mlirBlockGetNextInRegion(block.to_raw()));
        regions.flat_map(move |first| successors(BlockRef::from_option_raw(first), next)).collect()
    }
}

/// The arguments of a block, free of the borrow of the block.
pub fn arguments<'c, 'a>(block: BlockRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    // SAFETY: arguments live as long as their block.
    (0..block.argument_count())
        .map(|i| unsafe { Value::from_raw(mlirBlockGetArgument(block.to_raw(), i as isize)) })
        .collect()
}

/// The ops of a block, in order.
pub fn ops<'c, 'a>(block: BlockRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    // SAFETY: ops live as long as their block; null after the last.
    let next = |op: &OperationRef<'c, 'a>| unsafe {
        OperationRef::from_option_raw(mlirOperationGetNextInBlock(op.to_raw()))
    };
    successors(first_op(block), next).collect()
}

/// Whether an op is a function of any dialect.
pub fn is_function(op: OperationRef<'_, '_>) -> bool {
    // SAFETY: `op` is live.
    unsafe { cuteIsFunction(op.to_raw()) }
}

/// Whether an op is a symbol table, that is, a module of any dialect.
pub fn is_symbol_table(op: OperationRef<'_, '_>) -> bool {
    // SAFETY: `op` is live.
    unsafe { cuteIsSymbolTable(op.to_raw()) }
}

/// Whether an op is an entry point of the device, lowered or not.
pub fn is_kernel(op: OperationRef<'_, '_>) -> bool {
    let says_so = op.has_attribute("gpu.kernel") || op.has_attribute("nvvm.kernel");
    op_name(op) == "cuda.kernel" || is_function(op) && says_so
}

/// The functions below `root`, in order.
pub fn functions<'c, 'a>(root: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut found = Vec::new();
    walk_outer(root, |op| {
        let function = is_function(op);
        found.extend(function.then_some(op));
        !function
    });
    found
}

/// Whether the result types of an op are inferred, as declared in TableGen.
pub fn infers_types(op: OperationRef<'_, '_>) -> bool {
    // SAFETY: `op` is live; the id is that of a static interface.
    unsafe { mlirOperationImplementsInterface(op.to_raw(), mlirInferTypeOpInterfaceTypeID()) }
}

/// Whether the result types of the ops with this name are inferred.
pub fn infers_types_of(context: &Context, op: &str) -> bool {
    let op = StringRef::new(op).to_raw();
    // SAFETY: the context is live, MLIR reads the name during the call; the id is that of a static
    // interface.
    unsafe { mlirOperationImplementsInterfaceStatic(op, context.to_raw(), mlirInferTypeOpInterfaceTypeID()) }
}

/// The name of an op with its dialect.
pub fn op_name<'c>(op: OperationRef<'c, '_>) -> &'c str {
    // SAFETY: the name lives in the context.
    unsafe { crate::text(mlirIdentifierStr(mlirOperationGetName(op.to_raw()))) }
}

/// Inserts before `anchor` and returns the op in its place.
///
/// # Panics
/// Panics if the anchor is inside of the op, or if the op or its contents use values of another
/// module, which may be freed before them. While the anchor's block is not yet part of an op,
/// nothing is known about the values that it may use.
pub fn insert_before<'c, 'a>(anchor: OperationRef<'c, 'a>, op: Operation<'c>) -> OperationRef<'c, 'a> {
    let block = block_of(anchor).expect("ops are inserted before one that is in a block").to_raw();
    let is_around = op.region_count() > 0 && ancestors(anchor.to_raw()).any(|a| a.ptr == op.to_raw().ptr);
    assert!(!is_around, "an op cannot be inserted into itself");
    assert!(
        all_operands(op.to_raw(), &mut |value| is_reachable(value, anchor.to_raw(), op.to_raw())),
        "an op before '{}' uses a value of another module",
        op_name(anchor)
    );
    // SAFETY: ownership of `op` goes to the block, which is not in `op`.
    unsafe {
        let raw = op.into_raw();
        mlirBlockInsertOwnedOperationBefore(block, anchor.to_raw(), raw);
        OperationRef::from_raw(raw)
    }
}

/// A live op, and the ops around it.
pub(crate) fn ancestors(op: MlirOperation) -> impl Iterator<Item = MlirOperation> {
    // SAFETY: the parents of a live op are live; null ends the walk.
    let parent = |op: &MlirOperation| unsafe { some(mlirOperationGetParentOperation(*op)) };
    successors(some(op), parent)
}

/// The op whose region a live value is in; null if that region is not yet part of an op.
pub(crate) fn scope_of(value: MlirValue) -> MlirOperation {
    // SAFETY: a value is the result of a live op, or else the argument of a live block.
    unsafe {
        match mlirValueIsAOpResult(value) {
            true => mlirOperationGetParentOperation(mlirOpResultGetOwner(value)),
            false => mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value)),
        }
    }
}

/// Whether a predicate holds for each operand of a live op and of the ops in it.
fn all_operands(op: MlirOperation, holds: &mut impl FnMut(MlirValue) -> bool) -> bool {
    // SAFETY: operands, regions, blocks and ops live as long as the op that contains them; null
    // ends each list.
    unsafe {
        let own = (0..mlirOperationGetNumOperands(op)).all(|i| holds(mlirOperationGetOperand(op, i)));
        own && (0..mlirOperationGetNumRegions(op)).all(|i| {
            let first = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
            let block = |block: MlirBlock| (!block.ptr.is_null()).then_some(block);
            successors(block(first), |b| block(mlirBlockGetNextInRegion(*b))).all(|b| {
                successors(some(mlirBlockGetFirstOperation(b)), |op| some(mlirOperationGetNextInBlock(*op)))
                    .all(|op| all_operands(op, holds))
            })
        })
    }
}

/// Whether a value lives as long as what is inserted before `anchor` with the op `op`.
fn is_reachable(value: MlirValue, anchor: MlirOperation, op: MlirOperation) -> bool {
    let scope = scope_of(value);
    // Most values are in a region around the anchor.
    if ancestors(anchor).skip(1).any(|around| around.ptr == scope.ptr) {
        return true;
    }
    let root = |of: MlirOperation| ancestors(of).last().map(|root| root.ptr);
    // SAFETY: an op around a live op is live.
    let is_detached = |root: MlirOperation| unsafe { !mlirOperationGetBlock(root).ptr.is_null() };
    let value_root = root(scope);
    value_root.is_none()
        || value_root == Some(op.ptr)
        || value_root == root(anchor)
        || ancestors(anchor).last().is_some_and(is_detached)
}

pub(crate) fn some(op: MlirOperation) -> Option<MlirOperation> {
    (!op.ptr.is_null()).then_some(op)
}

/// The block an op is in.
pub fn block_of<'c, 'a>(op: OperationRef<'c, 'a>) -> Option<BlockRef<'c, 'a>> {
    op.block()
}

/// The block whose op or argument a value is.
pub fn block_of_value<'c, 'a>(value: Value<'c, 'a>) -> Option<BlockRef<'c, 'a>> {
    match definer(value) {
        Some(op) => block_of(op),
        // SAFETY: a live value that is not a result is the argument of a live block.
        None => unsafe { BlockRef::from_option_raw(mlirBlockArgumentGetOwner(value.to_raw())) },
    }
}

/// The op that a block is part of.
pub fn parent_of<'c, 'a>(block: BlockRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    block.parent_operation()
}

/// A value of a result or block argument, free of the borrow of its op.
pub fn result<'c, 'a>(op: OperationRef<'c, 'a>, i: usize) -> Option<Value<'c, 'a>> {
    // SAFETY: results live as long as their op.
    (i < op.result_count())
        .then(|| unsafe { Value::from_raw(mlirOperationGetResult(op.to_raw(), i as isize)) })
}

/// The results of an op.
pub fn results<'c, 'a>(op: OperationRef<'c, 'a>) -> SmallVec<[Value<'c, 'a>; 1]> {
    (0..).map_while(|i| result(op, i)).collect()
}

/// The operands of an op.
pub fn operands<'c, 'a>(op: OperationRef<'c, 'a>) -> SmallVec<[Value<'c, 'a>; 4]> {
    // SAFETY: operands live as long as their op.
    (0..op.operand_count())
        .map(|i| unsafe { Value::from_raw(mlirOperationGetOperand(op.to_raw(), i as isize)) })
        .collect()
}

/// Sets an attribute of an op, replacing an attribute with this name.
pub fn set_attribute<'c>(op: OperationRef<'c, '_>, name: &str, value: Attribute<'c>) {
    // SAFETY: both are live; MLIR copies the name.
    unsafe { mlirOperationSetAttributeByName(op.to_raw(), StringRef::new(name).to_raw(), value.to_raw()) }
}

/// Removes an attribute from an op.
pub fn remove_attribute(op: OperationRef<'_, '_>, name: &str) {
    // SAFETY: `op` is live and owned by the caller's pass.
    unsafe { mlirOperationRemoveAttributeByName(op.to_raw(), StringRef::new(name).to_raw()) };
}

/// The number that an `arith.constant` of at most 64 bits defines.
pub fn constant(value: Value<'_, '_>) -> Option<i64> {
    let op = definer(value).filter(|op| op_name(*op) == "arith.constant")?;
    let number = IntegerAttribute::try_from(op.attribute("value").ok()?).ok()?;
    let narrow = number.r#type().is_index() || IntegerType::try_from(number.r#type()).ok()?.width() <= 64;
    narrow.then(|| number.value())
}

/// The op that defines a value; `None` for a block argument.
pub fn definer<'c, 'a>(value: Value<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    // SAFETY: `value` is live; the op of a result lives as long as the result.
    unsafe {
        mlirValueIsAOpResult(value.to_raw())
            .then(|| OperationRef::from_raw(mlirOpResultGetOwner(value.to_raw())))
    }
}

/// A number that names a value as long as it lives.
pub fn identity(value: Value<'_, '_>) -> usize {
    value.to_raw().ptr as usize
}

/// Whether a value has uses.
pub fn is_used(value: Value<'_, '_>) -> bool {
    // SAFETY: the value is live, and so is its list of uses, which ends in null.
    unsafe { !mlirOpOperandIsNull(mlirValueGetFirstUse(value.to_raw())) }
}

/// A number that names a block as long as it lives.
pub fn block_identity(block: BlockRef<'_, '_>) -> usize {
    block.to_raw().ptr as usize
}

/// A number that names an op as long as it lives.
pub fn op_identity(op: OperationRef<'_, '_>) -> usize {
    op.to_raw().ptr as usize
}

/// The context of an op.
pub fn context<'c>(op: OperationRef<'c, '_>) -> &'c Context {
    // SAFETY: an op lives in its context.
    unsafe { crate::context(op.context().to_ref().to_raw()) }
}

/// The context of an attribute.
pub fn context_of_attribute<'c>(a: Attribute<'c>) -> &'c Context {
    // SAFETY: an attribute lives in its context.
    unsafe { crate::context(a.context().to_ref().to_raw()) }
}

/// The location of an op.
pub fn location<'c>(op: OperationRef<'c, '_>) -> Location<'c> {
    op.location()
}

/// The op's first block, if it has one.
pub fn body<'c, 'a>(op: OperationRef<'c, 'a>) -> Option<BlockRef<'c, 'a>> {
    // SAFETY: regions and blocks live as long as their op.
    unsafe {
        if mlirOperationGetNumRegions(op.to_raw()) == 0 {
            return None;
        }
        let block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op.to_raw(), 0));
        BlockRef::from_option_raw(block)
    }
}

/// The first op of a block.
pub fn first_op<'c, 'a>(block: BlockRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    // SAFETY: ops live as long as their block; null for an empty one.
    unsafe { OperationRef::from_option_raw(mlirBlockGetFirstOperation(block.to_raw())) }
}

/// Type of a value.
pub fn type_of<'c>(value: Value<'c, '_>) -> Type<'c> {
    value.r#type()
}

/// An empty block.
pub fn block<'c>(arguments: &[(Type<'c>, Location<'c>)]) -> Block<'c> {
    Block::new(arguments)
}

/// An argument of a block, free of the borrow of the block.
pub fn argument<'c, 'a>(block: BlockRef<'c, 'a>, i: usize) -> Option<Value<'c, 'a>> {
    // SAFETY: arguments live as long as their block.
    (i < block.argument_count())
        .then(|| unsafe { Value::from_raw(mlirBlockGetArgument(block.to_raw(), i as isize)) })
}

/// An argument of the first block of `op`'s first region.
pub fn block_argument<'c, 'a>(op: OperationRef<'c, 'a>, i: usize) -> Option<Value<'c, 'a>> {
    argument(body(op)?, i)
}

/// The first block of the region that a block is in.
pub fn entry_of<'c, 'a>(block: BlockRef<'c, 'a>) -> Option<BlockRef<'c, 'a>> {
    // SAFETY: the region of a live block is live.
    unsafe { BlockRef::from_option_raw(mlirRegionGetFirstBlock(mlirBlockGetParentRegion(block.to_raw()))) }
}

/// The location of an argument of the first block of `op`'s first region.
pub fn argument_location<'c>(op: OperationRef<'c, 'c>, i: usize) -> Option<Location<'c>> {
    let argument = block_argument(op, i)?;
    // SAFETY: the argument is live, its location lives in the context.
    Some(unsafe { Location::from_raw(mlirValueGetLocation(argument.to_raw())) })
}

/// The name that the location of an argument gives it, if it is a word that no other one has:
/// front ends may name several arguments alike, such as `<module>`.
pub fn argument_name(op: OperationRef<'_, '_>, i: usize) -> Option<String> {
    let arguments = arguments(body(op)?);
    // SAFETY: arguments are live, their locations live in the context.
    let of =
        |argument: &Value<'_, '_>| unsafe { Location::from_raw(mlirValueGetLocation(argument.to_raw())) };
    let name = location_name(of(arguments.get(i)?))?;
    let is_word = name.chars().all(|c| c.is_alphanumeric() || "_$.-".contains(c));
    let mut others = arguments.iter().enumerate().filter(|(other, _)| *other != i);
    (is_word && others.all(|(_, other)| location_name(of(other)).as_ref() != Some(&name))).then_some(name)
}

/// The name of a location `loc("name"(..))`.
pub fn location_name(location: Location<'_>) -> Option<String> {
    // SAFETY: the location is live; an identifier lives as long as its context, and its text with
    // it.
    unsafe {
        let location = location.to_raw();
        if !mlirLocationIsAName(location) {
            return None;
        }
        let name = crate::text(mlirIdentifierStr(mlirLocationNameGetName(location)));
        (!name.is_empty()).then(|| name.to_owned())
    }
}

/// Names a value through the location of its op, or its own if it is an argument, unless it has
/// a name.
pub fn name_value(value: Value<'_, '_>, name: &str) {
    // SAFETY: the value is live, and so is the op that defines it; MLIR copies the name.
    unsafe {
        let (raw, definer) = (value.to_raw(), definer(value));
        let place = match definer {
            Some(op) => mlirOperationGetLocation(op.to_raw()),
            None => mlirValueGetLocation(raw),
        };
        if mlirLocationIsAName(place) {
            return;
        }
        let context = mlirLocationGetContext(place);
        let named = mlirLocationNameGet(context, StringRef::new(name).to_raw(), place);
        match definer {
            Some(op) => mlirOperationSetLocation(op.to_raw(), named),
            None => mlirBlockArgumentSetLocation(raw, named),
        }
    }
}

/// Replaces an op without attributes by one with results, which takes over its regions.
///
/// # Panics
/// Panics if no loaded dialect has the op, or if it is in no block.
pub fn with_results<'c, 'a>(op: OperationRef<'c, 'a>, types: &[Type<'c>]) -> OperationRef<'c, 'a> {
    let take = |i| {
        let region = Region::new();
        // SAFETY: both regions are live, and `region` is empty.
        unsafe { mlirRegionTakeBody(region.to_raw(), mlirOperationGetRegion(op.to_raw(), i)) };
        region
    };
    let regions = (0..op.region_count() as isize).map(take).collect();
    let new = crate::create(op_name(op), op.location(), &operands(op), &[], types, regions);
    let new = insert_before(op, new.expect("the dialect of a live op is loaded"));
    // SAFETY: the op is in a block, has no results that are used, and nothing refers to it any
    // more: callers go on with the new one.
    unsafe { mlirOperationDestroy(op.to_raw()) };
    new
}

/// Names an argument through its location, as `loc("name"(..))` does.
pub fn name_argument(op: OperationRef<'_, '_>, i: usize, name: &str) {
    let Some(argument) = block_argument(op, i) else { return };
    let context = context(op).to_raw();
    // SAFETY: the argument and the context are live; MLIR copies the name.
    unsafe {
        let place = mlirValueGetLocation(argument.to_raw());
        let named = mlirLocationNameGet(context, StringRef::new(name).to_raw(), place);
        mlirBlockArgumentSetLocation(argument.to_raw(), named);
    }
}
