//! An op in the making.

use std::array::from_fn;

use cute_ffi::{create, ir};
use melior::ir::{
    Attribute, Identifier, Region, Type,
    operation::{OperationBuilder, OperationLike, OperationRef},
};
use smallvec::SmallVec;

use crate::{
    Builder, Error, IntoAttribute, Result, Value,
    diagnostics::{NO_REASON, reported},
};

/// An op in the making: each call adds an argument, the last one builds and inserts the op.
pub struct Draft<'c, 'n> {
    builder: Builder<'c>,
    name: &'n str,
    operands: SmallVec<[Value<'c>; 4]>,
    /// Operands of each argument.
    segments: SmallVec<[i32; 4]>,
    attributes: SmallVec<[(Identifier<'c>, Attribute<'c>); 2]>,
    regions: Vec<Region<'c>>,
    /// The declared types of the results; without them, MLIR infers the types.
    results: Option<SmallVec<[Type<'c>; 1]>>,
}

impl<'c, 'n> Draft<'c, 'n> {
    pub(crate) fn new(builder: Builder<'c>, name: &'n str) -> Self {
        let (operands, segments, attributes, regions) = Default::default();
        Self { builder, name, operands, segments, attributes, regions, results: None }
    }

    /// The operands of one argument.
    pub fn operands(mut self, values: &[Value<'c>]) -> Self {
        self.operands.extend_from_slice(values);
        self.segments.push(i32::try_from(values.len()).unwrap_or(i32::MAX));
        self
    }

    /// Records the number of operands of each argument, for an op whose total does not determine
    /// it.
    pub fn segmented(self) -> Self {
        let segments = self.segments.clone();
        self.attribute("operandSegmentSizes", &segments[..])
    }

    /// An attribute: an integer, a list of integers, a string, a type, or an attribute of MLIR.
    pub fn attribute(mut self, name: &str, value: impl IntoAttribute<'c>) -> Self {
        let context = self.builder.context();
        self.attributes.push((Identifier::new(context, name), value.attribute(context)));
        self
    }

    /// An attribute that may be absent.
    pub fn optional(self, name: &str, value: Option<Attribute<'c>>) -> Self {
        match value {
            Some(value) => self.attribute(name, value),
            None => self,
        }
    }

    /// A unit attribute, if `value`.
    pub fn flag(self, name: &str, value: bool) -> Self {
        let unit = Attribute::unit(self.builder.context());
        self.optional(name, value.then_some(unit))
    }

    /// Attributes by name.
    pub fn attributes(self, named: &[(&str, Attribute<'c>)]) -> Self {
        named.iter().fold(self, |draft, (name, value)| draft.attribute(name, *value))
    }

    /// The attributes of another op, or some of them.
    pub fn attributes_of(mut self, named: &[(Identifier<'c>, Attribute<'c>)]) -> Self {
        self.attributes.extend_from_slice(named);
        self
    }

    /// Adds the regions of the op.
    pub fn regions(mut self, regions: Vec<Region<'c>>) -> Self {
        self.regions.extend(regions);
        self
    }

    /// The types of the results. Without this call they are inferred, and an op that MLIR does not
    /// infer types for has no results.
    pub fn results(mut self, types: &[Type<'c>]) -> Self {
        self.results = Some(types.into());
        self
    }

    /// Builds and inserts the op.
    ///
    /// # Errors
    /// [`Error::Build`] with MLIR's reason.
    #[track_caller]
    pub fn build(self) -> Result<OperationRef<'c, 'c>> {
        let Self { builder, name, operands, attributes, regions, results, .. } = self;
        builder.build(name, &operands, &attributes, regions, results.as_deref())
    }

    /// Builds an op and returns its only result.
    ///
    /// # Errors
    /// As [`build`](Self::build), and [`Error::Results`].
    #[track_caller]
    pub fn value(self) -> Result<Value<'c>> {
        self.array::<1>().map(|[value]| value)
    }

    /// Builds an op and returns its results.
    ///
    /// # Errors
    /// As [`build`](Self::build).
    #[track_caller]
    pub fn values(self) -> Result<Vec<Value<'c>>> {
        let op = self.build()?;
        Ok((0..).map_while(|i| ir::result(op, i)).collect())
    }

    /// Builds an op and returns its results, of a number that the caller knows.
    ///
    /// # Errors
    /// As [`build`](Self::build), and [`Error::Results`].
    #[track_caller]
    pub fn array<const N: usize>(self) -> Result<[Value<'c>; N]> {
        let builder = self.builder;
        builder.results(self.build()?)
    }

    /// Builds an op for its effect.
    ///
    /// # Errors
    /// As [`build`](Self::build).
    #[track_caller]
    pub fn done(self) -> Result<()> {
        self.build().map(|_| ())
    }
}

/// Ops in one call each, for callers that have lists of operands and attributes.
impl<'c> Builder<'c> {
    /// Builds and inserts an op. Without `results`, MLIR infers their types.
    #[track_caller]
    fn build(
        &self,
        name: &str,
        operands: &[Value<'c>],
        attributes: &[(Identifier<'c>, Attribute<'c>)],
        regions: Vec<Region<'c>>,
        results: Option<&[Type<'c>]>,
    ) -> Result<OperationRef<'c, 'c>> {
        if results.is_none() && ir::infers_types_of(self.context(), name) {
            return self.build_inferred(name, operands, attributes, regions);
        }
        let types = results.unwrap_or_default();
        match create(name, self.location(), operands, attributes, types, regions) {
            Some(op) => self.insert(op),
            None => {
                let why = "its dialect is not loaded; cute_mlir::load does that".into();
                self.lift(Error::Build { op: name.into(), why })
            }
        }
    }

    /// Builds and inserts an op whose result types MLIR infers.
    #[track_caller]
    fn build_inferred(
        &self,
        name: &str,
        operands: &[Value<'c>],
        attributes: &[(Identifier<'c>, Attribute<'c>)],
        regions: Vec<Region<'c>>,
    ) -> Result<OperationRef<'c, 'c>> {
        let op = OperationBuilder::new(name, self.location())
            .add_operands(operands)
            .add_attributes(attributes)
            .enable_result_type_inference();
        let op = if regions.is_empty() { op } else { op.add_regions_vec(regions) };
        if !self.is_for_author() {
            // A pass leaves MLIR's diagnostics to the handlers of the context.
            let Ok(op) = op.build() else { return self.fail(&format!("cannot build '{name}'")) };
            return self.insert(op);
        }
        let made = reported(self.context(), NO_REASON, || op.build().ok());
        // The error has the place and the op already.
        let place = crate::diagnostics::place(self.location());
        let why = |why: String| why.replace(&format!("{place}'{name}' op "), "").replace(&place, "");
        match made {
            Ok(op) => self.insert(op),
            Err(text) => self.lift(Error::Build { op: name.into(), why: why(text) }),
        }
    }

    /// The results of an op, of a number that the caller knows.
    #[track_caller]
    fn results<const N: usize>(&self, op: OperationRef<'c, 'c>) -> Result<[Value<'c>; N]> {
        let results = op.result_count();
        if results != N {
            return self.lift(Error::Results { op: ir::op_name(op).into(), results, expected: N });
        }
        Ok(from_fn(|i| ir::result(op, i).expect("the op has as many results")))
    }

    /// An op whose only result has an inferred type.
    ///
    /// # Errors
    /// As [`Draft::value`].
    #[track_caller]
    pub fn inferred(
        &self,
        name: &str,
        operands: &[Value<'c>],
        attributes: &[(&str, Attribute<'c>)],
    ) -> Result<Value<'c>> {
        self.op(name).operands(operands).attributes(attributes).value()
    }

    /// An op with one declared result.
    ///
    /// # Errors
    /// As [`Draft::value`].
    #[track_caller]
    pub fn typed(
        &self,
        name: &str,
        operands: &[Value<'c>],
        result: Type<'c>,
        attributes: &[(&str, Attribute<'c>)],
    ) -> Result<Value<'c>> {
        let context = self.context();
        let attributes: SmallVec<[_; 2]> =
            attributes.iter().map(|(name, value)| (Identifier::new(context, name), *value)).collect();
        self.typed_with(name, operands, result, &attributes)
    }

    /// [`typed`](Self::typed), with the names of the attributes as MLIR has them.
    ///
    /// # Errors
    /// As [`Draft::value`].
    #[track_caller]
    pub fn typed_with(
        &self,
        name: &str,
        operands: &[Value<'c>],
        result: Type<'c>,
        attributes: &[(Identifier<'c>, Attribute<'c>)],
    ) -> Result<Value<'c>> {
        let [value] = self.results(self.build(name, operands, attributes, Vec::new(), Some(&[result]))?)?;
        Ok(value)
    }

    /// An op with declared results.
    ///
    /// # Errors
    /// As [`Draft::build`].
    #[track_caller]
    pub fn many(&self, name: &str, operands: &[Value<'c>], results: &[Type<'c>]) -> Result<Vec<Value<'c>>> {
        self.op(name).operands(operands).results(results).values()
    }

    /// An op without results.
    ///
    /// # Errors
    /// As [`Draft::build`].
    #[track_caller]
    pub fn effect(
        &self,
        name: &str,
        operands: &[Value<'c>],
        attributes: &[(&str, Attribute<'c>)],
    ) -> Result<()> {
        self.op(name).operands(operands).attributes(attributes).results(&[]).done()
    }

    /// An intrinsic of LLVM by its name, with a result.
    ///
    /// # Errors
    /// As [`Draft::value`].
    #[track_caller]
    pub fn intrinsic(
        &self,
        name: &str,
        operands: &[Value<'c>],
        result: Type<'c>,
        more: &[(&str, Attribute<'c>)],
    ) -> Result<Value<'c>> {
        self.called(name, operands).attributes(more).results(&[result]).value()
    }

    /// An intrinsic of LLVM without a result.
    ///
    /// # Errors
    /// As [`Draft::build`].
    #[track_caller]
    pub fn command(&self, name: &str, operands: &[Value<'c>]) -> Result<()> {
        self.called(name, operands).results(&[]).done()
    }

    fn called(&self, name: &str, operands: &[Value<'c>]) -> Draft<'c, 'static> {
        let count = i32::try_from(operands.len()).unwrap_or(i32::MAX);
        self.op("llvm.call_intrinsic")
            .operands(operands)
            .attribute("intrin", name)
            .attribute("op_bundle_sizes", &[] as &[i32])
            .attribute("operandSegmentSizes", &[count, 0][..])
    }

    /// The field at a path into nested structs of `llvm`. It has type `t`.
    ///
    /// # Errors
    /// As [`Draft::value`].
    #[track_caller]
    pub fn part(&self, of: Value<'c>, path: &[usize], t: Type<'c>) -> Result<Value<'c>> {
        let path: Vec<_> = path.iter().map(|i| *i as i64).collect();
        self.op("llvm.extractvalue").operands(&[of]).attribute("position", &path[..]).results(&[t]).value()
    }
}
