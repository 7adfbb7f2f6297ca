//! Building ops before an anchor, result types inferred.

use cute_algebra::{Coord, Dim};
use cute_dialect::{
    types::{type_of, value_of},
    value::{MemRef, Value as Cute},
};
use cute_ffi::{
    self, Severity,
    ir::{self, insert_before},
};
use melior::{
    Context,
    ir::{
        Attribute, Identifier, Location, Region, RegionLike, Type, Value,
        attribute::{DenseI32ArrayAttribute, DenseI64ArrayAttribute, IntegerAttribute, StringAttribute},
        operation::{OperationBuilder, OperationRef},
        r#type::IntegerType,
    },
};

/// The error of a pass that cannot continue and has reported why, made by [`Build::fail`] and
/// similar methods. Impossible situations use `expect` instead, and become internal errors.
#[derive(Debug)]
pub struct Failed;

/// Result of building or rewriting.
pub type Built<T> = Result<T, Failed>;

/// Builds before an op, at its location or another.
#[derive(Clone, Copy)]
pub struct Build<'c> {
    anchor: OperationRef<'c, 'c>,
    location: Location<'c>,
}

impl<'c> Build<'c> {
    /// Builds before `anchor`.
    pub fn before(anchor: OperationRef<'c, 'c>) -> Self {
        Self::at(anchor, ir::location(anchor))
    }

    /// Builds before `anchor`, at another location.
    pub fn at(anchor: OperationRef<'c, 'c>, location: Location<'c>) -> Self {
        Self { anchor, location }
    }

    /// The op before which everything is built.
    pub fn anchor(&self) -> OperationRef<'c, 'c> {
        self.anchor
    }

    /// The context.
    pub fn context(&self) -> &'c Context {
        ir::context(self.anchor)
    }

    /// The location of everything that is built.
    pub fn location(&self) -> Location<'c> {
        self.location
    }

    /// Reports an error at the anchor.
    pub fn fail<T>(&self, text: &str) -> Built<T> {
        cute_ffi::emit(self.location(), Severity::Error, text, &[]);
        Err(Failed)
    }

    /// Reports that the anchor op does not support something, prefixed with the op's name.
    pub fn refuse<T>(&self, why: &str) -> Built<T> {
        self.fail(&format!("'{}' op: {why}", ir::op_name(self.anchor)))
    }

    /// Unwraps a result of the algebra or of `cute-dialect`; an error is reported at the anchor.
    pub fn ask<T>(&self, answer: Result<T, impl std::fmt::Display>) -> Built<T> {
        answer.or_else(|why| self.refuse(&why.to_string()))
    }

    /// Warns at the anchor, with its name.
    pub fn warn(&self, why: &str) {
        let text = format!("'{}' op {why}", ir::op_name(self.anchor));
        cute_ffi::emit(self.location(), Severity::Warning, &text, &[]);
    }

    fn builder(
        &self,
        name: &str,
        operands: &[Value<'c, 'c>],
        attributes: &[(&str, Attribute<'c>)],
    ) -> OperationBuilder<'c> {
        let c = self.context();
        let named: Vec<_> = attributes.iter().map(|(n, a)| (Identifier::new(c, n), *a)).collect();
        OperationBuilder::new(name, self.location()).add_operands(operands).add_attributes(&named)
    }

    fn insert(
        &self,
        name: &str,
        op: Result<melior::ir::Operation<'c>, melior::Error>,
    ) -> Built<OperationRef<'c, 'c>> {
        match op {
            Ok(op) => Ok(insert_before(self.anchor, op)),
            Err(_) => self.fail(&format!("cannot build '{name}'")),
        }
    }

    /// An op whose result types are inferred.
    pub fn inferred(
        &self,
        name: &str,
        operands: &[Value<'c, 'c>],
        attributes: &[(&str, Attribute<'c>)],
    ) -> Built<Value<'c, 'c>> {
        let op = self.builder(name, operands, attributes).enable_result_type_inference().build();
        self.insert(name, op).map(self::result)
    }

    /// An op with one declared result.
    pub fn typed(
        &self,
        name: &str,
        operands: &[Value<'c, 'c>],
        result: Type<'c>,
        attributes: &[(&str, Attribute<'c>)],
    ) -> Built<Value<'c, 'c>> {
        let op = self.builder(name, operands, attributes).add_results(&[result]).build();
        self.insert(name, op).map(self::result)
    }

    /// An op with declared results.
    pub fn many(
        &self,
        name: &str,
        operands: &[Value<'c, 'c>],
        results: &[Type<'c>],
    ) -> Built<Vec<Value<'c, 'c>>> {
        let op = self.builder(name, operands, &[]).add_results(results).build();
        let op = self.insert(name, op)?;
        Ok((0..results.len())
            .map(|i| ir::result(op, i).expect("the op has the results it was given"))
            .collect())
    }

    /// An intrinsic of LLVM by its name.
    pub fn intrinsic(
        &self,
        name: &str,
        operands: &[Value<'c, 'c>],
        result: Type<'c>,
        more: &[(&str, Attribute<'c>)],
    ) -> Built<Value<'c, 'c>> {
        let list = |counts: &[i32]| DenseI32ArrayAttribute::new(self.context(), counts).into();
        let own = [
            ("intrin", StringAttribute::new(self.context(), name).into()),
            ("op_bundle_sizes", list(&[])),
            ("operandSegmentSizes", list(&[operands.len() as i32, 0])),
        ];
        self.typed("llvm.call_intrinsic", operands, result, &[&own, more].concat())
    }

    /// An intrinsic of LLVM without a result.
    pub fn command(&self, name: &str, operands: &[Value<'c, 'c>]) -> Built<()> {
        let list = |counts: &[i32]| DenseI32ArrayAttribute::new(self.context(), counts).into();
        let attributes = [
            ("intrin", StringAttribute::new(self.context(), name).into()),
            ("op_bundle_sizes", list(&[])),
            ("operandSegmentSizes", list(&[operands.len() as i32, 0])),
        ];
        self.effect("llvm.call_intrinsic", operands, &attributes, Vec::new()).map(|_| ())
    }

    /// The field at a path into nested structs. It has type `t`.
    pub fn part(&self, of: Value<'c, 'c>, path: &[usize], t: Type<'c>) -> Built<Value<'c, 'c>> {
        let path: Vec<_> = path.iter().map(|i| *i as i64).collect();
        let position = DenseI64ArrayAttribute::new(self.context(), &path).into();
        self.typed("llvm.extractvalue", &[of], t, &[("position", position)])
    }

    /// An op without results.
    pub fn effect(
        &self,
        name: &str,
        operands: &[Value<'c, 'c>],
        attributes: &[(&str, Attribute<'c>)],
        regions: Vec<Region<'c>>,
    ) -> Built<OperationRef<'c, 'c>> {
        let op = self.builder(name, operands, attributes).add_regions_vec(regions).build();
        self.insert(name, op)
    }

    /// A coordinate, its dynamic leaves given.
    pub fn coord(&self, coord: Coord<Dim>, leaves: &[Value<'c, 'c>]) -> Built<Value<'c, 'c>> {
        let t = type_of(self.context(), &Cute::Coord(coord));
        self.typed("cute.make_coord", leaves, t, &[])
    }

    /// `cute.static` of a value.
    pub fn fixed(&self, value: &Cute<'c, Dim>) -> Built<Value<'c, 'c>> {
        self.typed("cute.static", &[], type_of(self.context(), value), &[])
    }

    /// An i1 constant.
    pub fn flag(&self, value: bool) -> Built<Value<'c, 'c>> {
        let t = IntegerType::new(self.context(), 1).into();
        let value = IntegerAttribute::new(t, i64::from(value)).into();
        self.typed("arith.constant", &[], t, &[("value", value)])
    }

    /// An i32 constant.
    pub fn i32(&self, value: i64) -> Built<Value<'c, 'c>> {
        self.constant(32, value)
    }

    /// An integer constant of this width.
    pub fn constant(&self, bits: u32, value: i64) -> Built<Value<'c, 'c>> {
        let t = IntegerType::new(self.context(), bits).into();
        self.typed("arith.constant", &[], t, &[("value", IntegerAttribute::new(t, value).into())])
    }

    /// An attribute of MLIR's dialects, as they spell it.
    pub fn attribute(&self, text: &str) -> Attribute<'c> {
        attribute(self.context(), text)
    }

    /// A type of MLIR's dialects, as they spell it.
    pub fn parse_type(&self, text: &str) -> Type<'c> {
        Type::parse(self.context(), text).unwrap_or_else(|| panic!("MLIR reads {text}"))
    }

    /// An integer attribute of 32 bits.
    pub fn i32_attribute(&self, value: i64) -> Attribute<'c> {
        IntegerAttribute::new(IntegerType::new(self.context(), 32).into(), value).into()
    }

    /// An integer attribute of 64 bits.
    pub fn i64_attribute(&self, value: i64) -> Attribute<'c> {
        IntegerAttribute::new(IntegerType::new(self.context(), 64).into(), value).into()
    }
}

/// A builder for the body of an `if` on `pred`.
pub fn conditional<'c>(b: &Build<'c>, pred: Value<'c, 'c>) -> Built<Build<'c>> {
    let (then, otherwise) = (Region::new(), Region::new());
    then.append_block(ir::block(&[]));
    let op = b.effect("scf.if", &[pred], &[], vec![then, otherwise])?;
    Ok(Build::before(ir::append(op, "scf.yield").expect("the branch has a block")))
}

/// Where the body of a loop over `[0, count)` is built, and the index.
pub fn counted<'c>(b: &Build<'c>, count: Value<'c, 'c>) -> Built<(Build<'c>, Value<'c, 'c>)> {
    let t = ir::type_of(count);
    let number = |n: i64| b.typed("arith.constant", &[], t, &[("value", IntegerAttribute::new(t, n).into())]);
    let (zero, one) = (number(0)?, number(1)?);
    let region = Region::new();
    region.append_block(ir::block(&[(t, b.location())]));
    let looped = b.effect("scf.for", &[zero, count, one], &[], vec![region])?;
    let end = ir::append(looped, "scf.yield").expect("the loop has a block");
    let index = ir::block_argument(looped, 0).expect("the block has its index");
    Ok((Build::before(end), index))
}

/// The first result of an op that has one.
pub fn result<'c>(op: OperationRef<'c, 'c>) -> Value<'c, 'c> {
    ir::result(op, 0).unwrap_or_else(|| panic!("'{}' has a result", ir::op_name(op)))
}

/// The memref of a value that the verifier has checked to be a view.
pub fn view_of<'c>(value: Value<'c, 'c>) -> MemRef<'c, Dim> {
    match value_of(ir::type_of(value)).into_owned() {
        Cute::MemRef(view) => view,
        other => panic!("the verifier asks for a memref, and lets {} pass", other.what()),
    }
}

/// An attribute of MLIR's dialects, as they spell it.
pub fn attribute<'c>(c: &'c Context, text: &str) -> Attribute<'c> {
    Attribute::parse(c, text).unwrap_or_else(|| panic!("MLIR reads {text}"))
}
