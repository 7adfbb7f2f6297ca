//! The types of the dialects. A type has a kind, the text of its body, and the value that the text
//! represents.

use std::ffi::c_void;

use melior::{
    Context, StringRef,
    ir::{Type, TypeLike},
};
use mlir_sys::{MlirContext, MlirStringRef, MlirType};

unsafe extern "C" {
    fn cuteTypeKind(t: MlirType) -> i32;
    fn cuteTypeName(kind: i32) -> MlirStringRef;
    fn cuteTypeExample(kind: i32) -> MlirStringRef;
    fn cuteTypeGet(c: MlirContext, kind: i32, inner: MlirType, body: MlirStringRef) -> MlirType;
    fn cuteTypeValue(t: MlirType) -> *mut c_void;
    fn cuteTypeSetValue(t: MlirType, value: *mut c_void) -> bool;
    fn cuteTypeReparse(t: MlirType) -> bool;
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

// Made of td/ by build/types.rs.
include!(concat!(env!("OUT_DIR"), "/types.rs"));

impl Kind {
    /// The body of an example of a type of this kind, from `td/`; `None` if it has no body.
    pub fn example(self) -> Option<&'static str> {
        // SAFETY: the example is a string literal.
        let text = unsafe { crate::text(cuteTypeExample(self as i32)) };
        Some(text).filter(|example| !example.is_empty())
    }
}

/// The meaning of types: the value that is stored with each type.
///
/// # Safety
/// Only one type may implement it, because otherwise one implementation would read a value that
/// another stored. A value may borrow only from the context, so that it lives as long as the type.
pub unsafe trait Meaning {
    /// The value of a type of a context that lives for `'c`. MLIR's threads share types, and so
    /// they share the values: any thread may read one, and any may drop it with the context.
    type Of<'c>: Send + Sync;
}

/// The data stored with a type: the function that drops the value, and the value.
#[repr(C)]
struct Stored<V> {
    drop: unsafe fn(*mut c_void),
    value: V,
}

/// The kind of a type; `None` for a type of another dialect.
pub fn kind_of(t: Type<'_>) -> Option<Kind> {
    // SAFETY: `t` is a live type.
    let kind = unsafe { cuteTypeKind(t.to_raw()) };
    Kind::ALL.get(usize::try_from(kind).ok()?).copied()
}

/// The value that a type of ours stores; `None` for a type of another dialect.
pub fn value<'c, M: Meaning>(t: Type<'c>) -> Option<&'c M::Of<'c>> {
    // SAFETY: `t` is a live type.
    let mut stored = unsafe { cuteTypeValue(t.to_raw()) };
    if stored.is_null() && kind_of(t).is_some() {
        // SAFETY: as above; parsing gives the type its value.
        stored = unsafe {
            cuteTypeReparse(t.to_raw());
            cuteTypeValue(t.to_raw())
        };
    }
    // SAFETY: `make` stored it for this context, which keeps it as long as the type.
    let stored = unsafe { stored.cast::<Stored<M::Of<'c>>>().as_ref() };
    stored.map(|stored| &stored.value)
}

/// Makes the type of a kind whose body is `inner`, if any, followed by the text `body`; `value`
/// returns the value that the body represents, for a type that has none yet.
pub fn make<'c, M: Meaning>(
    c: &'c Context,
    kind: Kind,
    inner: Option<Type<'c>>,
    body: &str,
    value: impl FnOnce() -> M::Of<'c>,
) -> Type<'c> {
    let inner = inner.map_or(MlirType { ptr: std::ptr::null() }, |t| t.to_raw());
    // SAFETY: C++ copies the text into the context.
    let t = unsafe { cuteTypeGet(c.to_raw(), kind as i32, inner, StringRef::new(body).to_raw()) };
    // SAFETY: `t` is one of our types; it takes the value, unless another thread was faster.
    unsafe {
        if cuteTypeValue(t).is_null() {
            let stored = Stored { drop: drop_stored::<M::Of<'c>>, value: value() };
            let stored = Box::into_raw(Box::new(stored));
            if !cuteTypeSetValue(t, stored.cast()) {
                drop(Box::from_raw(stored));
            }
        }
        Type::from_raw(t)
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cute_value_drop(stored: *mut c_void) {
    if !stored.is_null() {
        // SAFETY: `make` stored it, and it is dropped once, with the context; it begins with the
        // function that drops it.
        unsafe { (*stored.cast::<unsafe fn(*mut c_void)>())(stored) }
    }
}

/// # Safety
/// `stored` is a box that `make` gave to C++, of this type.
unsafe fn drop_stored<V>(stored: *mut c_void) {
    // SAFETY: promised by the caller.
    drop(unsafe { Box::from_raw(stored.cast::<Stored<V>>()) });
}

/// The context of a type, for as long as the type.
pub fn context_of<'c>(t: Type<'c>) -> &'c Context {
    // SAFETY: a type lives in its context, so the context lives for 'c.
    unsafe { crate::context(t.context().to_ref().to_raw()) }
}

/// The names in the order in which C++ lists them.
pub fn names() -> Vec<String> {
    (0..)
        .map_while(|i| {
            // SAFETY: any index may be passed; a null result ends the list.
            let name = unsafe { cuteTypeName(i) };
            // SAFETY: the name is a string literal.
            (!name.data.is_null()).then(|| unsafe { crate::text(name) }.to_string())
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
