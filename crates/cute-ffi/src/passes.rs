//! The passes and the pipeline that `td/Passes.td` declares, with their options: MLIR receives
//! their declarations once, and calls one entry point with the values of the options. The code of
//! the passes is in cute-lower.

use std::{ffi::c_void, fmt, slice, sync::OnceLock};

use melior::{StringRef, ir::operation::OperationLike};
use mlir_sys::{MlirOperation, MlirStringCallback, MlirStringRef};

use crate::{Severity, rewrite::Rewriter};

unsafe extern "C" {
    fn cuteRegisterPasses(passes: *const RawDeclaration, count: isize, pipeline: *const RawDeclaration);
}

/// The code of the passes.
pub struct Passes {
    /// Runs a pass; returns whether it succeeded, after reporting its errors.
    pub run: fn(Pass<'_>, &mut Rewriter<'_>) -> bool,
    /// The passes of `cute-compile`, as a textual pipeline.
    pub pipeline: fn(&CompileOptions<'_>) -> String,
}

/// A pass or a pipeline, as `td/` declares it.
struct Declaration {
    class: &'static str,
    name: &'static str,
    summary: &'static str,
    options: &'static [DeclaredOption],
}

/// An option of a pass or of the pipeline.
struct DeclaredOption {
    name: &'static str,
    sentence: &'static str,
    /// The least and the most of a number other than 0, which stands for none.
    range: Option<(u32, u32)>,
    of: RawType,
    preset: fn() -> RawValue,
}

macro_rules! passes {
    ($($pass:ident $class:literal $name:literal $summary:literal $({
        $($field:ident: $type:ty as $declared:ty = $default:literal, $option:literal $sentence:literal $range:expr;)*
    })?)*) => {
        /// A pass with its options.
        ///
        /// A `match` over it without `_` does not compile while a pass is missing. The text of a
        /// pass is an element of a textual pipeline.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Pass<'t> {
            $(#[doc = $summary] $pass $({ $(#[doc = $sentence] $field: $type),* })?),*
        }

        impl Pass<'_> {
            /// The name in a textual pipeline.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$pass { .. } => $name),* }
            }
        }

        impl fmt::Display for Pass<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Self::$pass { $($($field),*)? } => {
                        write_pass(f, $name, &[$($(($option, $field)),*)?])
                    })*
                }
            }
        }

        const DECLARATIONS: &[Declaration] = &[$(Declaration {
            class: $class,
            name: $name,
            summary: $summary,
            options: &[$($(DeclaredOption {
                name: $option,
                sentence: $sentence,
                range: $range,
                of: <$declared as OfOption<'static>>::TYPE,
                preset: || <$declared as OfOption<'static>>::raw($default),
            }),*)?],
        }),*];

        /// The passes in the same order, each made from the values of its options.
        const MADE: &[for<'t> fn(&mut Values<'t>) -> Pass<'t>] =
            &[$(|_values| Pass::$pass { $($($field: _values.next()),*)? }),*];
    };
}

macro_rules! pipeline {
    ($pipeline:ident $class:literal $name:literal $summary:literal {
        $($field:ident: $type:ty as $declared:ty = $default:literal, $option:literal $sentence:literal $range:expr;)*
    }) => {
        /// The options of `cute-compile`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct CompileOptions<'t> {
            $(#[doc = $sentence] pub $field: $type,)*
        }

        impl<'t> CompileOptions<'t> {
            /// The defaults for a target.
            pub const fn new(target: &'t str) -> Self {
                Self { target, ..Self { $($field: $default),* } }
            }

            fn read(values: &mut Values<'t>) -> Self {
                Self { $($field: values.next()),* }
            }
        }

        const PIPELINE: Declaration = Declaration {
            class: $class,
            name: $name,
            summary: $summary,
            options: &[$(DeclaredOption {
                name: $option,
                sentence: $sentence,
                range: $range,
                of: <$declared as OfOption<'static>>::TYPE,
                preset: || <$declared as OfOption<'static>>::raw($default),
            }),*],
        };
    };
}

// Generated from td/ by build/passes.rs.
include!(concat!(env!("OUT_DIR"), "/passes.rs"));
include!(concat!(env!("OUT_DIR"), "/options.rs"));

/// Writes an element of a textual pipeline. An option without a text is left out.
fn write_pass(f: &mut fmt::Formatter<'_>, name: &str, options: &[(&str, &dyn fmt::Display)]) -> fmt::Result {
    let options = options.iter().map(|(option, value)| (option, value.to_string()));
    let given = options.filter(|(_, text)| !text.is_empty()).map(|(option, text)| format!("{option}={text}"));
    match given.collect::<Vec<_>>().join(" ") {
        none if none.is_empty() => f.write_str(name),
        options => write!(f, "{name}{{{options}}}"),
    }
}

/// `CuteValue` of `dialect/Boundary.h`.
#[repr(C)]
struct RawValue {
    text: MlirStringRef,
    flag: bool,
    number: u32,
}

/// `CuteOptionType` of `dialect/Boundary.h`.
#[repr(i32)]
#[derive(Clone, Copy)]
enum RawType {
    Text,
    Flag,
    Number,
}

/// `CuteOption` of `dialect/Boundary.h`.
#[repr(C)]
struct RawOption {
    name: MlirStringRef,
    sentence: MlirStringRef,
    r#type: RawType,
    preset: RawValue,
}

/// `CuteDeclaration` of `dialect/Boundary.h`.
#[repr(C)]
struct RawDeclaration {
    class: MlirStringRef,
    name: MlirStringRef,
    summary: MlirStringRef,
    count: isize,
    options: *const RawOption,
}

impl RawDeclaration {
    /// The options live for the rest of the process, as MLIR's list of passes does.
    fn new(of: &Declaration) -> Self {
        let raw = |text: &'static str| StringRef::new(text).to_raw();
        let option = |option: &DeclaredOption| {
            let DeclaredOption { name, sentence, of, preset, .. } = *option;
            RawOption { name: raw(name), sentence: raw(sentence), r#type: of, preset: preset() }
        };
        let options: &[_] = Vec::leak(of.options.iter().map(option).collect());
        let (class, name, summary) = (raw(of.class), raw(of.name), raw(of.summary));
        Self { class, name, summary, count: options.len() as isize, options: options.as_ptr() }
    }
}

/// The values of options, in the order of their declaration.
struct Values<'t>(slice::Iter<'t, RawValue>);

impl<'t> Values<'t> {
    /// # Safety
    /// There are `count` values, which live for `'t` together with their texts.
    unsafe fn new(count: isize, values: *const RawValue) -> Self {
        let count = usize::try_from(count).unwrap_or(0);
        match count {
            0 => Self([].iter()),
            // SAFETY: promised by the caller.
            _ => Self(unsafe { slice::from_raw_parts(values, count) }.iter()),
        }
    }

    /// Why a value is not in the range of its option.
    fn out_of_range(&self, options: &[DeclaredOption]) -> Option<String> {
        let mut all = options.iter().zip(self.0.clone());
        all.find_map(|(option, RawValue { number, .. })| {
            let (least, most) = option.range?;
            let is_wrong = *number != 0 && !(least..=most).contains(number);
            is_wrong.then(|| {
                format!("option '{}' must be a number from {least} to {most}, found '{number}'", option.name)
            })
        })
    }

    fn next<T: OfOption<'t>>(&mut self) -> T {
        T::read(self.0.next().expect("C++ passes a value for each declared option"))
    }
}

/// The types of options.
trait OfOption<'t> {
    const TYPE: RawType;

    /// A value of the declaration, whose texts are literals.
    fn raw(value: Self) -> RawValue
    where
        Self: 'static;

    /// The value, which is among [`Values`].
    fn read(value: &'t RawValue) -> Self;
}

impl OfOption<'_> for bool {
    const TYPE: RawType = RawType::Flag;

    fn raw(flag: Self) -> RawValue {
        RawValue { text: StringRef::new("").to_raw(), flag, number: 0 }
    }

    fn read(value: &RawValue) -> Self {
        value.flag
    }
}

impl OfOption<'_> for u32 {
    const TYPE: RawType = RawType::Number;

    fn raw(number: Self) -> RawValue {
        RawValue { text: StringRef::new("").to_raw(), flag: false, number }
    }

    fn read(value: &RawValue) -> Self {
        value.number
    }
}

impl<'t> OfOption<'t> for &'t str {
    const TYPE: RawType = RawType::Text;

    fn raw(text: Self) -> RawValue
    where
        Self: 'static,
    {
        RawValue { text: StringRef::new(text).to_raw(), flag: false, number: 0 }
    }

    fn read(value: &'t RawValue) -> Self {
        // SAFETY: whoever made `Values` promised that the text lives for 't.
        unsafe { crate::text(value.text) }
    }
}

static PASSES: OnceLock<Passes> = OnceLock::new();

/// Registers the passes and the pipeline `cute-compile` with MLIR.
pub fn register(passes: Passes) {
    // A thread that arrives during the registration waits for its end.
    PASSES.get_or_init(|| {
        let declarations: &[_] = Vec::leak(DECLARATIONS.iter().map(RawDeclaration::new).collect());
        let pipeline = Box::leak(Box::new(RawDeclaration::new(&PIPELINE)));
        // SAFETY: registration happens once. It runs no pass. The declarations are never freed.
        unsafe { cuteRegisterPasses(declarations.as_ptr(), declarations.len() as isize, pipeline) };
        passes
    });
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cute_pass_run(
    number: i32,
    op: MlirOperation,
    count: isize,
    values: *const RawValue,
) -> bool {
    let Some(passes) = PASSES.get() else { return false };
    let Some(made) = usize::try_from(number).ok().and_then(|number| MADE.get(number)) else { return false };
    // SAFETY: MLIR calls with the live op of the pass, and with values that live for the call.
    let (mut rewriter, mut values) = unsafe { (Rewriter::new(op), Values::new(count, values)) };
    let wrong = values.out_of_range(DECLARATIONS[number as usize].options);
    let pass = made(&mut values);
    let location = rewriter.root().location();
    if let Some(why) = wrong {
        crate::emit(location, Severity::Error, &format!("{}: {why}", pass.name()), &[]);
        return false;
    }
    let done = crate::guarded(pass.name(), location, || {
        let done = (passes.run)(pass, &mut rewriter);
        if done {
            rewriter.bury().unwrap_or_else(|why| panic!("{why}"));
        }
        done.then_some(())
    });
    done.is_some()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cute_pipeline(
    count: isize,
    values: *const RawValue,
    f: MlirStringCallback,
    u: *mut c_void,
) -> bool {
    let Some(passes) = PASSES.get() else { return false };
    // SAFETY: the values live for the call; `f` and `u` belong together.
    unsafe {
        let text = (passes.pipeline)(&CompileOptions::read(&mut Values::new(count, values)));
        crate::give(&text, f, u)
    }
}
