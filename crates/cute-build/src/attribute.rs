//! Attributes from Rust values.

use crate::predicate::{self, FloatPredicate, IntPredicate};
use melior::{
    Context,
    ir::{
        Attribute, Type,
        attribute::{
            ArrayAttribute, BoolAttribute, DenseI32ArrayAttribute, DenseI64ArrayAttribute, IntegerAttribute,
            StringAttribute, TypeAttribute,
        },
        r#type::IntegerType,
    },
};

use crate::{
    Builder, Error, Result,
    diagnostics::{NO_REASON, column, reported_at},
};

/// A value that is an attribute of MLIR.
pub trait IntoAttribute<'c> {
    /// Converts the value to an attribute.
    fn attribute(self, context: &'c Context) -> Attribute<'c>;
}

macro_rules! attributes {
    ($($t:ty, |$value:ident, $context:ident| $attribute:expr;)*) => {$(
        impl<'c> IntoAttribute<'c> for $t {
            fn attribute(self, $context: &'c Context) -> Attribute<'c> {
                let $value = self;
                $attribute.into()
            }
        }
    )*};
}

attributes! {
    Attribute<'c>, |attribute, _context| attribute;
    Type<'c>, |t, _context| TypeAttribute::new(t);
    &str, |text, context| StringAttribute::new(context, text);
    bool, |value, context| BoolAttribute::new(context, value);
    i32, |n, context| IntegerAttribute::new(IntegerType::new(context, 32).into(), n.into());
    i64, |n, context| IntegerAttribute::new(IntegerType::new(context, 64).into(), n);
    &[i32], |list, context| DenseI32ArrayAttribute::new(context, list);
    &[i64], |list, context| DenseI64ArrayAttribute::new(context, list);
    IntPredicate, |how, context| predicate::attribute(context, how.number()).1;
    FloatPredicate, |how, context| predicate::attribute(context, how.number()).1;
}

impl<'c> IntoAttribute<'c> for &[String] {
    fn attribute(self, context: &'c Context) -> Attribute<'c> {
        let texts: Vec<_> = self.iter().map(|text| text.as_str().attribute(context)).collect();
        ArrayAttribute::new(context, &texts).into()
    }
}

impl<'c, const N: usize> IntoAttribute<'c> for [i32; N] {
    fn attribute(self, context: &'c Context) -> Attribute<'c> {
        self.as_slice().attribute(context)
    }
}

/// An attribute from its text.
///
/// # Errors
/// [`Error::Type`], with what MLIR reports.
pub fn parse_attribute<'c>(context: &'c Context, text: &str) -> Result<Attribute<'c>> {
    let parsed = reported_at(context, NO_REASON, column, || Attribute::parse(context, text));
    parsed.map_err(|why| Error::Type { text: text.into(), why })
}

impl<'c> Builder<'c> {
    /// An attribute from a Rust value.
    pub fn attr(&self, value: impl IntoAttribute<'c>) -> Attribute<'c> {
        value.attribute(self.context())
    }

    /// A unit attribute.
    pub fn unit(&self) -> Attribute<'c> {
        Attribute::unit(self.context())
    }

    /// An attribute from its text.
    ///
    /// # Errors
    /// [`Error::Type`] with MLIR's reason; in a pass, a report at the anchor.
    pub fn attribute(&self, text: &str) -> Result<Attribute<'c>> {
        parse_attribute(self.context(), text).or_else(|why| self.lift(why))
    }
}
