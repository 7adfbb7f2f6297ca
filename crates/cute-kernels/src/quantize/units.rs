//! The 16 adjacent elements that a thread converts, and their places in memory.

use cute_algebra::{Crd, Dim, Layout, Stride, Tuple, Width};
use cute_arch::block_scaled::{SF_BLOCK, sf_tensor_atom};
use cute_build::{
    IntPredicate,
    types::{self, Space},
};
use melior::{Context, ir::Type};

use crate::{Builder, Built, Error, Value, tiling};

use super::{QuantizedFormat, Wide};

/// Elements of a thread.
pub(super) const UNIT: i64 = 16;

/// The bytes of a block of factors.
const BLOCK: i64 = SF_BLOCK[0] * SF_BLOCK[1];

/// A vector of the elements of a thread.
pub(super) fn row(element: Type<'_>) -> Type<'_> {
    Type::vector(&[UNIT as u64], element)
}

/// The arguments of a kernel.
pub(super) struct Parameters<'c> {
    /// The matrix of wide floats.
    pub wide: Value<'c>,
    /// The matrix of small floats.
    pub narrow: Value<'c>,
    pub factors: Value<'c>,
    /// The factor of the whole matrix.
    pub scale: Option<Value<'c>>,
}

/// The work of a block: some rows of one block of factors along K.
#[derive(Clone, Copy)]
pub(super) struct Units {
    pub format: QuantizedFormat,
    pub wide: Wide,
    pub rows: i64,
}

impl Units {
    /// Units of a row in a block.
    fn across(self) -> i64 {
        SF_BLOCK[1] * self.format.units()
    }

    /// Elements of a row in a block.
    fn columns(self) -> i64 {
        self.across() * UNIT
    }

    /// The blocks of a grid for a matrix with these extents: those of all rows that have factors.
    pub fn grid(self, [rows, columns]: &[String; 2]) -> [String; 2] {
        let of_factors = SF_BLOCK[0];
        [
            format!("ceil({rows} / {of_factors}) * {}", of_factors / self.rows),
            format!("ceil({columns} / {})", self.columns()),
        ]
    }

    pub fn threads(self) -> i64 {
        self.rows * self.across()
    }

    /// The types of the wide matrix, the small floats and the factors.
    pub fn types<'c>(self, c: &'c Context) -> Result<[Type<'c>; 3], Error> {
        let [rows, columns] = [1, UNIT].map(|divisor| Dim::dynamic(Width::I32, divisor));
        let strides = [Dim::dynamic(Width::I64, UNIT), Dim::fixed(1)].map(Stride::int);
        let matrix = Layout::new(Tuple::from_leaves([rows, columns]), Tuple::from_leaves(strides))?;
        let bytes = Tuple::from_leaves([Dim::dynamic(Width::I32, BLOCK)]);
        let bytes = Layout::new(bytes, Tuple::from_leaves([Stride::int(Dim::fixed(1))]))?;
        let of = |element, layout: &Layout<Dim>| {
            types::pointer(types::element(c, element)?, Space::Gmem).align(16).memref(layout.clone())
        };
        let (wide, narrow) = (self.wide.element(), self.format.element());
        Ok([of(wide, &matrix)?, of(narrow, &matrix)?, of(self.format.factor(), &bytes)?])
    }

    /// The unit of this thread.
    pub fn of_thread<'c>(self, code: &Builder<'c>, parameters: &Parameters<'c>) -> Built<Unit<'c>> {
        let tid = code.named("tid").register("tid.x")?;
        let (block, block_k) =
            (code.named("block").register("ctaid.x")?, code.named("block_k").register("ctaid.y")?);
        let across = code.i32(self.across())?;
        let in_block = code.named("row_in_block").div_unsigned(tid, across)?;
        let of_row = code.named("unit_of_row").rem_unsigned(tid, across)?;
        let first = code.named("first").mul(block, code.i32(self.rows)?)?;
        let row = code.named("row").add(first, in_block)?;
        let before = code.named("before").mul(block_k, across)?;
        let column = code.named("column").mul(code.add(before, of_row)?, code.i32(UNIT)?)?;

        let (rows, columns) = (
            code.named("rows").size(parameters.wide, &[0])?,
            code.named("columns").size(parameters.wide, &[1])?,
        );
        let row_inside = code.named("row_inside").compare(IntPredicate::Slt, row, rows)?;
        let column_inside = code.named("column_inside").compare(IntPredicate::Slt, column, columns)?;
        let inside = code.named("inside").and(row_inside, column_inside)?;

        let units = code.i32(self.format.units())?;
        let factor = code.named("factor").div_unsigned(of_row, units)?;
        let first = code.named("first_of_factor").is(code.rem_unsigned(of_row, units)?, 0)?;
        // ceil(K / elements of a block)
        let per_block = self.across() * UNIT;
        let more = code.named("more").add(columns, code.i32(per_block - 1)?)?;
        let blocks = code.named("blocks").div_unsigned(more, code.i32(per_block)?)?;
        Ok(Unit { units: self, row, column, inside, factor, first, block_k, blocks })
    }
}

/// The unit of a thread.
pub(super) struct Unit<'c> {
    units: Units,
    row: Value<'c>,
    column: Value<'c>,
    /// Whether it is in the matrix.
    pub inside: Value<'c>,
    /// The number of its factor in the block of factors.
    factor: Value<'c>,
    /// Whether it is the first one that has the factor.
    pub first: Value<'c>,
    block_k: Value<'c>,
    /// Blocks of factors along K.
    blocks: Value<'c>,
}

impl<'c> Unit<'c> {
    /// The unit of a matrix, as a view of `count` elements of `element`.
    fn view(&self, code: &Builder<'c>, matrix: Value<'c>, element: Type<'c>, count: i64) -> Built<Value<'c>> {
        let wide =
            |name: &str, value| code.named(name).typed("arith.extui", &[value], code.integer_type(64), &[]);
        let layout = code.named("layout").inferred("cute.get_layout", &[matrix], &[])?;
        let stride = code.named("stride").inferred("cute.get_stride", &[layout], &[])?;
        let dynamic = [("only_dynamic", code.unit())];
        let pitch = code.named("pitch");
        let pitch = pitch.typed("cute.get_scalars", &[stride], code.integer_type(64), &dynamic)?;
        let row = code.named("row_begin").mul(wide("row", self.row)?, pitch)?;
        let at = code.named("at").add(row, wide("column", self.column)?)?;
        let unit = code.named("unit").div_unsigned(at, code.constant(64, UNIT)?)?;
        let offset = code.named("offset").mul(unit, code.constant(64, count)?)?;
        let pointer = code.named("iter").inferred("cute.get_iter", &[matrix], &[])?;
        let words = types::pointer(element, Space::Gmem).align(16).ptr()?;
        let pointer = code.named("words").typed("cute.recast_iter", &[pointer], words, &[])?;
        let pointer = advanced(code, pointer, offset, count)?;
        code.named("view")
            .view_of(pointer, code.layout(tiling::strided([count], [1])?.map(|n| Dim::fixed(*n)))?)
    }

    /// The elements of the wide matrix as f32.
    pub fn load_wide(&self, code: &Builder<'c>, matrix: Value<'c>) -> Built<Value<'c>> {
        let element = types::element(code.context(), self.units.wide.element())?;
        let x = code.named("loaded").load_vec(self.view(code, matrix, element, UNIT)?)?;
        match self.units.wide {
            Wide::F32 => Ok(x),
            _ => code.named("x").typed("arith.extf", &[x], row(Type::float32(code.context())), &[]),
        }
    }

    /// Stores f32 as elements of the wide matrix.
    pub fn store_wide(&self, code: &Builder<'c>, matrix: Value<'c>, x: Value<'c>) -> Built<()> {
        let element = types::element(code.context(), self.units.wide.element())?;
        let x = match self.units.wide {
            Wide::F32 => x,
            _ => code.named("rounded").typed("arith.truncf", &[x], row(element), &[])?,
        };
        code.store_vec(x, self.view(code, matrix, element, UNIT)?)
    }

    /// The words of 32 bits in which the small floats are packed.
    fn words(&self, code: &Builder<'c>, matrix: Value<'c>) -> Built<Value<'c>> {
        let count = UNIT * i64::from(self.units.format.element().bits()) / 32;
        self.view(code, matrix, code.i32_type(), count)
    }

    pub fn load_words(&self, code: &Builder<'c>, matrix: Value<'c>) -> Built<Value<'c>> {
        code.named("packed").load_vec(self.words(code, matrix)?)
    }

    pub fn store_words(&self, code: &Builder<'c>, matrix: Value<'c>, words: Value<'c>) -> Built<()> {
        code.store_vec(words, self.words(code, matrix)?)
    }

    /// The block of factors that has this unit's, and the coordinate there.
    fn place(&self, code: &Builder<'c>, factors: Value<'c>) -> Built<[Value<'c>; 2]> {
        let rows = code.i32(SF_BLOCK[0])?;
        let along = code.named("block_of_rows").div_unsigned(self.row, rows)?;
        let block = code.named("before").mul(along, self.blocks)?;
        let block = code.named("block").add(block, self.block_k)?;
        let block = code.named("block").typed("arith.extui", &[block], code.integer_type(64), &[])?;
        let offset = code.named("offset").mul(block, code.constant(64, BLOCK)?)?;
        let pointer = code.named("iter").inferred("cute.get_iter", &[factors], &[])?;
        let pointer = advanced(code, pointer, offset, BLOCK)?;
        let view = code.named("factors").view_of(pointer, code.layout(sf_tensor_atom::<Dim>())?)?;
        let row = code.named("row_of_block").rem_unsigned(self.row, rows)?;
        let leaf = || Tuple::leaf(Crd::Int(Dim::dynamic(Width::I32, 1)));
        let at = Tuple::from_modes([leaf(), leaf()]);
        Ok([view, code.named("at").make_coord(at, &[row, self.factor])?])
    }

    pub fn load_factor(&self, code: &Builder<'c>, factors: Value<'c>) -> Built<Value<'c>> {
        let [view, at] = self.place(code, factors)?;
        let factor = code.named("factor").inferred("cute.memref.load", &[view, at], &[])?;
        code.named("code").typed("arith.bitcast", &[factor], code.integer_type(8), &[])
    }

    /// Stores the code of a factor, a byte.
    pub fn store_factor(&self, code: &Builder<'c>, factors: Value<'c>, byte: Value<'c>) -> Built<()> {
        let [view, at] = self.place(code, factors)?;
        let element = types::element(code.context(), self.units.format.factor())?;
        let factor = code.named("factor").typed("arith.bitcast", &[byte], element, &[])?;
        code.effect("cute.memref.store", &[view, at, factor], &[])
    }
}

/// A pointer that is `offset` elements further on, a multiple of `divisor`.
fn advanced<'c>(code: &Builder<'c>, pointer: Value<'c>, offset: Value<'c>, divisor: i64) -> Built<Value<'c>> {
    let known = types::parse(code.context(), &format!("!cute.i64<divby {divisor}>"))?;
    let offset = code.named("offset").typed("cute.assume", &[offset], known, &[])?;
    let t = types::parse(code.context(), &format!("!cute.int_tuple<\"?{{i64 div={divisor}}}\">"))?;
    let offset = code.named("offset").typed("cute.make_int_tuple", &[offset], t, &[])?;
    code.named("pointer").inferred("cute.add_offset", &[pointer, offset], &[])
}
