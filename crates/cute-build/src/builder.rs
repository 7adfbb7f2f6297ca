//! The place where ops are built: an insertion point and a location.

use cute_ffi::ir::{self, insert_before};
use melior::{
    Context,
    ir::{
        BlockLike, BlockRef, Location, Operation, Type,
        operation::{OperationLike, OperationRef},
    },
};

use crate::{Draft, Error, Result};

/// A value of the IR.
pub type Value<'c> = melior::ir::Value<'c, 'c>;

/// The point at which ops are inserted.
#[derive(Clone, Copy)]
enum Point<'c> {
    Before(OperationRef<'c, 'c>),
    EndOf(BlockRef<'c, 'c>),
}

/// The reader of what is built, who decides where errors go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reader {
    /// A pass, whose user reads diagnostics at the ops of their program.
    Pass,
    /// A program that builds IR. It gets the error, which names the value.
    Author,
}

/// Builds ops at an insertion point, at a location. It is a copy of two positions, so that a loop
/// passes a builder for its body to a closure and the builder outside stays usable.
#[derive(Clone, Copy)]
pub struct Builder<'c> {
    context: &'c Context,
    point: Point<'c>,
    /// The location without a name. Where there is none, an op is at the line of Rust that builds
    /// it.
    place: Option<Location<'c>>,
    /// The location with a name, if a name was given.
    location: Option<Location<'c>>,
    reader: Reader,
    /// Whether each op is verified when it is built.
    checked: bool,
}

/// The line of Rust that calls the function that calls this one.
#[track_caller]
fn caller(context: &Context) -> Location<'_> {
    let place = std::panic::Location::caller();
    Location::new(context, place.file(), place.line() as usize, place.column() as usize)
}

impl<'c> Builder<'c> {
    /// Builds before an op, in a pass: an error is reported at the op, and is then
    /// [`Error::Reported`].
    pub fn before(anchor: OperationRef<'c, 'c>) -> Self {
        Self::before_in(ir::context(anchor), anchor)
    }

    /// [`before`](Self::before) for callers that already have the anchor's context, because looking
    /// it up costs more than the rest.
    pub fn before_in(context: &'c Context, anchor: OperationRef<'c, 'c>) -> Self {
        let place = Some(ir::location(anchor));
        Self {
            context,
            point: Point::Before(anchor),
            place,
            location: place,
            reader: Reader::Pass,
            checked: false,
        }
    }

    /// Builds at the end of a block, for the author of a program: an error states its reason.
    pub fn at_end(block: BlockRef<'c, 'c>, place: Location<'c>) -> Self {
        let context = ir::context_of_attribute(place.to_attribute());
        Self::by_line(context, block).at(place)
    }

    /// Builds at the end of a block, for the author of a program: each op is at the line of Rust
    /// that calls the builder, and so is an error. A helper that should not be that line itself is
    /// `#[track_caller]`.
    pub fn by_line(context: &'c Context, block: BlockRef<'c, 'c>) -> Self {
        let point = Point::EndOf(block);
        Self { context, point, place: None, location: None, reader: Reader::Author, checked: false }
    }

    /// The same at another location.
    pub fn at(self, place: Location<'c>) -> Self {
        Self { place: Some(place), location: Some(place), ..self }
    }

    /// The same, which verifies each op without regions when it is built, so that a broken rule
    /// is an error there.
    pub fn checked(self) -> Self {
        Self { checked: true, ..self }
    }

    /// The same, at the caller's line for good: for closures, whose own line would be taken
    /// otherwise.
    #[track_caller]
    pub(crate) fn here(&self) -> Self {
        let place = match self.place {
            None => Some(caller(self.context)),
            given => given,
        };
        Self { place, location: self.location.or(place), ..*self }
    }

    /// Names the next value: its location becomes `loc("name"(..))`, by which printed IR can call
    /// it. Loops and branches do not pass the name on to their bodies.
    #[track_caller]
    pub fn named(&self, name: &str) -> Self {
        let place = match self.place {
            Some(place) => place,
            None => caller(self.context),
        };
        Self { location: Some(Location::name(self.context, name, place)), ..*self }
    }

    /// The same builder without the name.
    pub fn unnamed(&self) -> Self {
        Self { location: self.place, ..*self }
    }

    /// The same builder with a name for a value that the author has not named.
    #[track_caller]
    pub(crate) fn or_named(&self, name: &str) -> Self {
        if self.is_for_author() && self.location == self.place { self.named(name) } else { *self }
    }

    /// The context of the ops that are built.
    pub fn context(&self) -> &'c Context {
        self.context
    }

    /// The location of what is built next.
    #[track_caller]
    pub fn location(&self) -> Location<'c> {
        match self.location {
            Some(location) => location,
            None => caller(self.context),
        }
    }

    /// The op before which everything is built.
    pub fn anchor(&self) -> OperationRef<'c, 'c> {
        match self.point {
            Point::Before(op) => op,
            Point::EndOf(_) => panic!("a builder at the end of a block has no anchor"),
        }
    }

    /// Whether the builder writes a program, and does not change one.
    pub(crate) fn is_for_author(&self) -> bool {
        self.reader == Reader::Author
    }

    /// A builder at the end of a block, such as one of an op that this builder has built.
    pub fn inside(&self, block: BlockRef<'c, 'c>) -> Self {
        Self { point: Point::EndOf(block), ..self.unnamed() }
    }

    /// A builder before another op.
    pub(crate) fn moved(&self, anchor: OperationRef<'c, 'c>) -> Self {
        Self { point: Point::Before(anchor), ..self.unnamed() }
    }

    /// Inserts an op, and verifies it if this builder does so.
    #[track_caller]
    pub(crate) fn insert(&self, op: Operation<'c>) -> Result<OperationRef<'c, 'c>> {
        let op = match self.point {
            Point::Before(anchor) => insert_before(anchor, op),
            Point::EndOf(block) => block.append_operation(op),
        };
        if self.checked
            && op.region_count() == 0
            && let Err(text) = crate::verify::one(op)
        {
            let place = crate::diagnostics::place(self.location());
            return self.lift(Error::Rule(text.replace(&place, "")));
        }
        Ok(op)
    }

    /// An op of any dialect, by its name.
    pub fn op<'n>(&self, name: &'n str) -> Draft<'c, 'n> {
        Draft::new(*self, name)
    }

    /// Reports an error at the op that a pass lowers, or returns it to the author of a program. The
    /// error names the value that would have been built.
    ///
    /// # Errors
    /// Always.
    #[track_caller]
    pub fn fail<T>(&self, text: &str) -> Result<T> {
        if self.is_for_author() {
            return Err(Error::Rule(text.into()).at(self.location()));
        }
        cute_ffi::emit(self.location(), cute_ffi::Severity::Error, text, &[]);
        Err(Error::Reported)
    }

    /// Reports that the anchor does not support something, prefixed with the op's name.
    ///
    /// # Errors
    /// Always.
    #[track_caller]
    pub fn refuse<T>(&self, why: &str) -> Result<T> {
        match self.point {
            Point::Before(anchor) => self.fail(&format!("'{}' op: {why}", ir::op_name(anchor))),
            Point::EndOf(_) => self.fail(why),
        }
    }

    /// Unwraps a result of the algebra or of `cute-dialect`.
    ///
    /// # Errors
    /// An error goes where [`refuse`](Self::refuse) sends it.
    #[track_caller]
    pub fn ask<T>(&self, answer: std::result::Result<T, impl std::fmt::Display>) -> Result<T> {
        match answer {
            Ok(answer) => Ok(answer),
            Err(why) => self.refuse(&why.to_string()),
        }
    }

    /// Warns at the anchor, with its name.
    pub fn warn(&self, why: &str) {
        let text = format!("'{}' op {why}", ir::op_name(self.anchor()));
        cute_ffi::emit(self.location(), cute_ffi::Severity::Warning, &text, &[]);
    }

    /// A type from its text.
    ///
    /// # Errors
    /// [`Error::Type`] with MLIR's reason; in a pass, a report at the anchor.
    #[track_caller]
    pub fn parse_type(&self, text: &str) -> Result<Type<'c>> {
        match crate::types::parse(self.context, text) {
            Ok(parsed) => Ok(parsed),
            Err(why) => self.lift(why),
        }
    }

    /// An error as the reader of this builder gets it.
    #[track_caller]
    pub(crate) fn lift<T>(&self, error: Error) -> Result<T> {
        if self.is_for_author() { Err(error.at(self.location())) } else { self.fail(&error.to_string()) }
    }

    /// A part of an op that the caller gave.
    #[track_caller]
    pub(crate) fn given<T>(&self, given: Result<T>) -> Result<T> {
        match given {
            Ok(given) => Ok(given),
            Err(error) => self.lift(error),
        }
    }
}
