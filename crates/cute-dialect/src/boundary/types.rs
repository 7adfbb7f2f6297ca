//! Types of the dialects: a kind, an integer tape and nested types.

use std::slice;

use melior::{
    Context,
    ir::{Type, TypeLike},
};
use mlir_sys::{MlirContext, MlirStringRef, MlirType};

unsafe extern "C" {
    fn cuteTypeKind(t: MlirType) -> i32;
    fn cuteTypeName(kind: i32) -> MlirStringRef;
    fn cuteTypeGet(
        c: MlirContext,
        kind: i32,
        tape: *const i64,
        words: usize,
        types: *const MlirType,
        n: usize,
    ) -> MlirType;
    fn cuteTypeTape(t: MlirType, words: *mut usize) -> *const i64;
    fn cuteTypeTypes(t: MlirType, out: *mut MlirType, capacity: usize) -> usize;
}

macro_rules! kinds {
    ($($kind:ident $name:literal,)*) => {
        /// The types of the dialects, in the order of `td/`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum Kind { $($kind),* }

        impl Kind {
            /// All kinds, in order.
            pub const ALL: &[Self] = &[$(Self::$kind),*];

            /// The name with its dialect: `cute.layout`.
            pub fn name(self) -> &'static str {
                match self { $(Self::$kind => $name),* }
            }
        }
    };
}

kinds! {
    IntTuple "cute.int_tuple",
    Shape "cute.shape",
    Stride "cute.stride",
    Coord "cute.coord",
    Layout "cute.layout",
    Tile "cute.tile",
    Swizzle "cute.swizzle",
    ComposedLayout "cute.composed_layout",
    Ptr "cute.ptr",
    MemRef "cute.memref",
    ArithTupleIter "cute.arith_tuple_iter",
    CoordTensor "cute.coord_tensor",
    TiledCopy "cute.tiled_copy",
    AssumedI32 "cute.i32",
    AssumedI64 "cute.i64",
    FastDivmodDivisor "cute.fast_divmod_divisor",
    UniversalCopy "cute_nvgpu.atom.universal_copy",
    SimtAsyncCopy "cute_nvgpu.atom.simt_async_copy",
}

/// The kind of a type; `None` for a type of another dialect.
pub fn kind_of(t: Type<'_>) -> Option<Kind> {
    // SAFETY: `t` is a live type.
    let kind = unsafe { cuteTypeKind(t.to_raw()) };
    Kind::ALL.get(usize::try_from(kind).ok()?).copied()
}

/// The tape of one of our types; empty for any other.
pub fn tape<'c>(t: Type<'c>) -> &'c [i64] {
    let mut words = 0;
    // SAFETY: `t` is a live type; the tape is owned by the context and outlives it.
    unsafe {
        let data = cuteTypeTape(t.to_raw(), &mut words);
        if data.is_null() { &[] } else { slice::from_raw_parts(data, words) }
    }
}

/// The types nested in one of our types.
pub fn nested<'c>(t: Type<'c>) -> Option<Type<'c>> {
    let mut out = MlirType { ptr: std::ptr::null() };
    // SAFETY: room for one type is given.
    let n = unsafe { cuteTypeTypes(t.to_raw(), &mut out, 1) };
    // SAFETY: the first was written when there is one.
    (n > 0).then(|| unsafe { Type::from_raw(out) })
}

/// The type of a kind with this tape and nested type.
pub fn make<'c>(c: &'c Context, kind: Kind, tape: &[i64], nested: Option<Type<'c>>) -> Type<'c> {
    let types: Vec<_> = nested.iter().map(|t| t.to_raw()).collect();
    // SAFETY: the slices live until the call returns; C++ copies them into the context.
    unsafe {
        let t = cuteTypeGet(c.to_raw(), kind as i32, tape.as_ptr(), tape.len(), types.as_ptr(), types.len());
        Type::from_raw(t)
    }
}

/// The context of a type, for as long as the type.
pub fn context_of<'c>(t: Type<'c>) -> &'c Context {
    // SAFETY: a type lives in its context, so the context lives for 'c.
    unsafe { super::context(t.context().to_ref().to_raw()) }
}

/// The names that C++ knows, in its order.
pub fn names() -> Vec<String> {
    (0..)
        .map_while(|i| {
            // SAFETY: any index may be asked for; a null answer ends the list.
            let name = unsafe { cuteTypeName(i) };
            // SAFETY: the name is a string literal.
            (!name.data.is_null()).then(|| unsafe { super::text(name) }.to_string())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn kinds_are_in_the_order_of_td() {
        let names: Vec<_> = super::Kind::ALL.iter().map(|k| k.name().to_string()).collect();
        assert_eq!(super::names(), names);
    }
}
