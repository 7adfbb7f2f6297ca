//! `cute.print_view`: the elements of a view as text, in the format of CuTe DSL's `print_tensor`.
//!
//! Mode 0 runs over rows and mode 1 over the elements of a row. Each further mode nests such
//! matrices, the last mode outermost. A view of one mode has one element per row:
//!
//! ```text
//! tensor(raw_ptr(0x00007f5f81200400: f32, gmem, align<4>) o (2,3):(3,1), data=
//!        [[ 0.000000,  1.000000,  2.000000, ],
//!         [ 3.000000,  4.000000,  5.000000, ]])
//! ```
//!
//! With `verbose` there is one line per element, which begins with its coordinate.

use cute_algebra::{self as algebra, Crd, Dim, Int, LayoutLike, Tuple, Width};
use cute_build::predicate::{self, IntPredicate};
use cute_dialect::{
    ops::print::directive,
    types::{scalar_type, value_of},
    value::Value as Cute,
};
use cute_ffi::{
    floats::{FloatType, float_type},
    ir,
};
use melior::ir::{
    Attribute, Type, Value, ValueLike,
    attribute::{BoolAttribute, DenseI32ArrayAttribute, StringAttribute},
    operation::{OperationLike, OperationRef},
    r#type::IntegerType,
};

use super::{layout_of, rank};
use crate::{
    Builder, Built,
    print::{Formats, Stream},
};

/// The number of elements up to which a static view is written out without loops.
const MOST_WRITTEN_OUT: i64 = 1024;

/// The number of arguments that the `printf` of a GPU accepts.
const MOST_ARGUMENTS: usize = 32;

/// The column at which the elements begin.
const INDENT: usize = 7;

/// A coordinate in one mode.
#[derive(Clone, Copy)]
enum Index<'c> {
    Static(i64),
    Dynamic(Value<'c, 'c>, Width),
}

/// An element type that can be printed, with its bits.
#[derive(Clone, Copy)]
enum Element {
    Float(u32),
    Integer(u32),
}

impl Element {
    fn of(t: Type<'_>) -> Option<Self> {
        match float_type(t) {
            Some(FloatType::F16 | FloatType::Bf16) => Some(Self::Float(16)),
            Some(FloatType::F32) => Some(Self::Float(32)),
            Some(FloatType::F64) => Some(Self::Float(64)),
            _ => IntegerType::try_from(t).ok().map(|t| t.width()).filter(|n| *n <= 64).map(Self::Integer),
        }
    }
}

/// A view that is being printed.
struct Page<'a, 'c> {
    view: Value<'c, 'c>,
    formats: &'a Formats,
    /// The type of the elements; those of a tensor of coordinates have none.
    element: Option<Element>,
    is_signed: bool,
    verbose: bool,
    /// The extents of the modes.
    extents: Vec<Dim>,
    /// The modes, outermost first.
    order: Vec<usize>,
    in_loops: bool,
}

/// Text that is still to be written, and the arguments of its directives.
#[derive(Default)]
struct Text<'c> {
    format: String,
    arguments: Vec<Value<'c, 'c>>,
}

/// Writes an op out.
pub(super) fn expand<'c>(op: OperationRef<'c, 'c>, formats: &Formats) -> Built<()> {
    let b = Builder::before(op);
    let view = ir::operands(op)[0];
    let has = |name| {
        let attribute = op.attribute(name).ok().and_then(|a| BoolAttribute::try_from(a).ok());
        attribute.is_some_and(|flag| flag.value())
    };
    let element = match value_of(ir::type_of(view)).into_owned() {
        Cute::MemRef(view) => {
            let t = view.iter.elem.expect("a memref has elements");
            let Some(element) = Element::of(t) else {
                return b.refuse(&format!(
                    "cannot print elements of type {t}, only f16, bf16, f32, f64 and integers: convert the tensor first"
                ));
            };
            Some(element)
        }
        _ => None,
    };
    let layout = layout_of(view);
    let extents = layout.outer().shape().modes().map(|mode| algebra::product(mode));
    let extents = b.ask(extents.collect::<Result<Vec<_>, _>>())?;
    let size = b.ask(algebra::size(&layout))?;
    let (modes, verbose) = (rank(view), has("verbose"));
    let order =
        if verbose || modes < 2 { (0..modes).collect() } else { (2..modes).rev().chain([0, 1]).collect() };
    let in_loops = size.as_static().is_none_or(|size| size > MOST_WRITTEN_OUT);
    let page =
        Page { view, formats, element, is_signed: has("is_signed"), verbose, extents, order, in_loops };
    let header = if verbose { "tensor({}, data= (" } else { "tensor({}, data=" };
    let header: Attribute = StringAttribute::new(b.context(), header).into();
    b.effect("cute.print", &[view], &[("fmt", header)])?;

    let mut text = Text::default();
    if !verbose {
        text.format += &" ".repeat(INDENT);
    }
    page.modes(&b, 0, &mut vec![Index::Static(0); modes], &mut text)?;
    text.format += ")\n";
    page.flush(&b, &mut text)
}

/// The width of a leaf as a machine integer.
fn width_of(leaf: &Dim) -> Width {
    let is_short = leaf.as_static().is_some_and(|value| i32::try_from(value).is_ok());
    leaf.width().unwrap_or(if is_short { Width::I32 } else { Width::I64 })
}

impl<'c> Page<'_, 'c> {
    /// Writes all coordinates of the modes from `depth` on, for fixed coordinates of those before.
    fn modes(
        &self,
        b: &Builder<'c>,
        depth: usize,
        at: &mut Vec<Index<'c>>,
        text: &mut Text<'c>,
    ) -> Built<()> {
        let Some(mode) = self.order.get(depth).copied() else { return self.element(b, at, text) };
        let inner = self.order.len() - depth - 1;
        // The elements of a row have no separator between them, nor have lines.
        let is_nested = !self.verbose && inner > 0;
        let separator = match inner {
            _ if self.verbose => String::new(),
            0 if depth == 0 => format!(",\n{}", " ".repeat(INDENT)),
            0 => String::new(),
            1 => format!(",\n{}", " ".repeat(INDENT + depth + 1)),
            _ => format!(",\n\n{}", " ".repeat(INDENT + depth + 1)),
        };
        let is_row = !self.verbose && inner == 0 && depth > 0;
        if is_nested || is_row {
            text.format += "[";
        }
        match self.extents[mode].as_static().filter(|_| !self.in_loops) {
            Some(extent) => {
                for i in 0..extent {
                    at[mode] = Index::Static(i);
                    self.modes(b, depth + 1, at, text)?;
                    if i + 1 < extent {
                        text.format += &separator;
                    }
                }
            }
            None => self.in_loop(b, (mode, depth), at, &separator, text)?,
        }
        if is_nested || is_row {
            text.format += "]";
        }
        Ok(())
    }

    /// Writes the coordinates of one mode in a loop.
    fn in_loop(
        &self,
        b: &Builder<'c>,
        (mode, depth): (usize, usize),
        at: &mut Vec<Index<'c>>,
        separator: &str,
        text: &mut Text<'c>,
    ) -> Built<()> {
        self.flush(b, text)?;
        let extent = &self.extents[mode];
        let width = extent.width().unwrap_or(Width::I64);
        let count = match extent.as_static() {
            Some(extent) => b.constant(64, extent)?,
            None => {
                let mode: Attribute = DenseI32ArrayAttribute::new(b.context(), &[mode as i32]).into();
                let size = b.inferred("cute.size", &[self.view], &[("mode", mode)])?;
                b.inferred("cute.get_scalars", &[size], &[])?
            }
        };
        let (inside, index) = b.counted(count)?;
        at[mode] = Index::Dynamic(index, width);
        self.modes(&inside, depth + 1, at, text)?;
        self.flush(&inside, text)?;
        if separator.is_empty() {
            return Ok(());
        }
        let one = inside.constant(width.bits(), 1)?;
        let next = inside.typed("arith.addi", &[index, one], index.r#type(), &[])?;
        let predicate = predicate::attribute(b.context(), IntPredicate::Slt.number());
        let flag = IntegerType::new(b.context(), 1).into();
        let is_followed = inside.typed("arith.cmpi", &[next, count], flag, &[predicate])?;
        let between = inside.conditional(is_followed)?;
        self.flush(&between, &mut Text { format: separator.into(), arguments: vec![] })
    }

    /// Writes one element.
    fn element(&self, b: &Builder<'c>, at: &[Index<'c>], text: &mut Text<'c>) -> Built<()> {
        if self.verbose {
            text.format += "\t(";
            for (i, index) in at.iter().enumerate() {
                text.format += if i == 0 { "" } else { "," };
                match index {
                    Index::Static(i) => text.format += &i.to_string(),
                    Index::Dynamic(i, width) => {
                        text.format += directive(*width);
                        text.arguments.push(*i);
                    }
                }
            }
            text.format += ")= ";
        }
        let alone = !self.verbose && self.order.len() < 2;
        text.format += if alone { "[" } else { "" };
        self.value(b, at, text)?;
        text.format += match (self.verbose, alone) {
            (true, _) => "\n",
            (_, true) => ", ]",
            (_, false) => ", ",
        };
        if text.arguments.len() >= MOST_ARGUMENTS - self.order.len() {
            self.flush(b, text)?;
        }
        Ok(())
    }

    /// Appends the value of an element to the text.
    fn value(&self, b: &Builder<'c>, at: &[Index<'c>], text: &mut Text<'c>) -> Built<()> {
        let leaf = |index: &Index<'c>| match index {
            Index::Static(i) => Dim::fixed(*i),
            Index::Dynamic(_, width) => Dim::dynamic(*width, 1),
        };
        let modes = at.iter().map(|index| Tuple::leaf(Crd::Int(leaf(index))));
        let is_leaf = layout_of(self.view).outer().shape().is_leaf();
        let coord = if is_leaf {
            modes.into_iter().next().expect("a leaf is one mode")
        } else {
            Tuple::from_modes(modes)
        };
        let dynamic: Vec<_> = at
            .iter()
            .filter_map(|index| match index {
                Index::Dynamic(value, _) => Some(*value),
                Index::Static(_) => None,
            })
            .collect();
        let coord = b.make_coord(coord, &dynamic)?;
        let Some(element) = self.element else { return self.coordinate(b, coord, text) };
        let value = b.inferred("cute.memref.load", &[self.view, coord], &[])?;
        let (directive, argument) = self.argument(b, element, value)?;
        text.format += directive;
        text.arguments.push(argument);
        Ok(())
    }

    /// Appends an element of a tensor of coordinates to the text.
    fn coordinate(&self, b: &Builder<'c>, coord: Value<'c, 'c>, text: &mut Text<'c>) -> Built<()> {
        let layout = b.inferred("cute.get_layout", &[self.view], &[])?;
        let iter = b.inferred("cute.get_iter", &[self.view], &[])?;
        let offset = b.inferred("cute.crd2idx", &[coord, layout], &[])?;
        let iter = b.inferred("cute.add_offset", &[iter, offset], &[])?;
        let tuple = b.inferred("cute.deref_arith_tuple_iter", &[iter], &[])?;
        let found = value_of(ir::type_of(tuple)).into_owned();
        let Cute::IntTuple(leaves) = &found else { panic!("a coordinate is an int_tuple") };
        let spelled = |leaf: &Dim| match leaf.as_static() {
            Some(value) => value.to_string(),
            None => directive(width_of(leaf)).to_owned(),
        };
        text.format += &leaves.map(spelled).to_string();
        let types: Vec<_> =
            leaves.leaves().iter().map(|leaf| scalar_type(b.context(), width_of(leaf))).collect();
        let scalars = b.many("cute.get_scalars", &[tuple], &types)?;
        let dynamic = leaves.leaves().iter().zip(scalars).filter(|(leaf, _)| !leaf.is_static());
        text.arguments.extend(dynamic.map(|(_, scalar)| scalar));
        Ok(())
    }

    /// The directive and the argument for an element that was loaded.
    fn argument(
        &self,
        b: &Builder<'c>,
        element: Element,
        value: Value<'c, 'c>,
    ) -> Built<(&'static str, Value<'c, 'c>)> {
        // The place of a sign is left free where numbers stand below each other.
        let float = if self.verbose { "%f" } else { "% f" };
        let (bits, width, op, t, directive) = match (element, self.is_signed) {
            (Element::Float(bits), _) => (bits, 64, "arith.extf", b.parse_type("f64")?, float),
            (Element::Integer(bits), is_signed) => {
                let (width, directives) =
                    if bits > 32 { (Width::I64, ["%llu", "%lld"]) } else { (Width::I32, ["%u", "%d"]) };
                let op = if is_signed { "arith.extsi" } else { "arith.extui" };
                (bits, width.bits(), op, scalar_type(b.context(), width), directives[usize::from(is_signed)])
            }
        };
        let argument = if bits == width { value } else { b.typed(op, &[value], t, &[])? };
        Ok((directive, argument))
    }

    /// Writes the text so far.
    fn flush(&self, b: &Builder<'c>, text: &mut Text<'c>) -> Built<()> {
        let Text { format, arguments } = std::mem::take(text);
        if format.is_empty() {
            return Ok(());
        }
        self.formats.write(b.anchor(), Stream::Output, &format, &arguments)
    }
}
