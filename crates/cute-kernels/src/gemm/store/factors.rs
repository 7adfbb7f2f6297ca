//! D quantized: a thread computes the factors of the row that it has of a part, and writes them to
//! global memory. Four factors of a row are adjacent there, and a part has all four of them.

use cute_arch::block_scaled::SF_BLOCK;
use cute_build::{
    IntPredicate,
    types::{self, Space},
};
use melior::ir::Type;

use super::Epilogue;
use crate::{
    At, Builder, Built, Value,
    gemm::raster::Place,
    quantize::{
        QuantizedFormat,
        factor::{Rule, magnitude, of_magnitude},
    },
    tiling::strided,
};

impl<'c> Epilogue<'_, 'c> {
    /// The values of a row of a part, divided by the factors of their vectors, which it writes.
    pub(super) fn quantized(
        &self,
        code: &Builder<'c>,
        values: Value<'c>,
        (format, factors): (QuantizedFormat, Value<'c>),
        part: Place<'c>,
    ) -> Built<Value<'c>> {
        let (vector, row) = (format.vector().elements(), cute_ffi::ir::type_of(values));
        let float = Type::float32(code.context());
        let list = |n: i64| code.attribute(&format!("[{n}]"));
        let [_, together] = SF_BLOCK;
        let words = self.values() / (vector * together);
        let values = self.without_padding(code, values, part)?;
        let mut scaled = values;
        for word in 0..words {
            let mut codes = Vec::new();
            for i in 0..together {
                let first = (word * together + i) * vector;
                let place = [("offsets", list(first)?), ("strides", list(1)?)];
                let taken = [&place[..], &[("sizes", list(vector)?)]].concat();
                let t = Type::vector(&[vector as u64], float);
                let x = code.named("vector").typed("vector.extract_strided_slice", &[values], t, &taken)?;
                let most = magnitude(code, x)?;
                let norm = self.arguments.norm_constant;
                let factor = of_magnitude(code, (format, Rule::Cutlass), most, norm)?;
                let all = code.named("multipliers").broadcast(factor.multiplier, x)?;
                let x = code.named("vector").mul(x, all)?;
                scaled =
                    code.named("scaled").typed("vector.insert_strided_slice", &[x, scaled], row, &place)?;
                codes.push(factor.code);
            }
            self.store_factors(code, (factors, &codes), (part, words, word))?;
        }
        Ok(scaled)
    }

    /// The values with zeros in place of those beyond the columns of D. These may be NaN, where the
    /// factors of B beyond its rows are; factors of zeros are 0.
    fn without_padding(&self, code: &Builder<'c>, values: Value<'c>, part: Place<'c>) -> Built<Value<'c>> {
        let (count, t) = (self.values(), cute_ffi::ir::type_of(values));
        let columns = code.named("columns").size(self.arguments.descriptors[2][1], &[1])?;
        let first = code.named("first").mul(part.n, code.i32(count)?)?;
        let left = code.named("left").sub(columns, first)?;
        let is_ragged = code.named("is_ragged").compare(IntPredicate::Slt, left, code.i32(count)?)?;
        let masked = code.named("values").either(
            is_ragged,
            &[t],
            |code| {
                let places: Vec<_> = (0..count).map(|i| i.to_string()).collect();
                let row = Type::vector(&[count as u64], code.i32_type());
                let places = code.attribute(&format!("dense<[{}]> : {row}", places.join(", ")))?;
                let places = code.named("places").typed("arith.constant", &[], row, &[("value", places)])?;
                let left = code.named("left").broadcast(left, places)?;
                let inside = code.named("inside").compare(IntPredicate::Slt, places, left)?;
                let zeros = code.named("zeros").number(t, 0)?;
                Ok(vec![code.named("inside").select(inside, values, zeros)?])
            },
            |_| Ok(vec![values]),
        )?;
        Ok(masked[0])
    }

    /// Writes four factors of this thread's row, if the matrix has a block of factors for them: a
    /// part has `words` blocks.
    fn store_factors(
        &self,
        code: &Builder<'c>,
        (factors, codes): (Value<'c>, &[Value<'c>]),
        (part, words, word): (Place<'c>, i64, i64),
    ) -> Built<()> {
        let first = code.named("first").mul(part.n, code.i32(words)?)?;
        let column = code.named("column").add(first, code.i32(word)?)?;
        let below = |name: &str, at, mode| {
            code.named(name).compare(IntPredicate::Slt, at, code.size(factors, &[mode])?)
        };
        let inside = code.named("inside").and(below("row", part.m, 2)?, below("column", column, 3)?)?;
        code.if_then(inside, |code| {
            let word = Type::vector(&[1], code.i32_type());
            let bytes = Type::vector(&[codes.len() as u64], code.integer_type(8));
            let packed = code.named("codes").typed("vector.from_elements", codes, bytes, &[])?;
            let packed = code.named("word").typed("vector.bitcast", &[packed], word, &[])?;
            let mut at = vec![At::All, At::All, At::Value(part.m), At::Value(column)];
            at.extend(part.batch.map(At::Value));
            let block = code.named("block").slice(factors, &at)?;
            let block = code.named("block").inferred("cute.get_iter", &[block], &[])?;
            let t = types::pointer(code.i32_type(), Space::Gmem).align(4).ptr()?;
            let block = code.named("block").typed("cute.recast_iter", &[block], t, &[])?;
            // The rows of a block: 32 of them are adjacent for each of four groups of lanes.
            let lane = code.named("lane").rem_unsigned(self.thread, code.i32(32)?)?;
            let above = code.named("above").mul(lane, code.i32(4)?)?;
            let place = code.named("place").add(above, self.warp)?;
            let own = code.named("own").add_offset(block, place)?;
            let own = code.named("own").view_of(own, code.layout(strided([1], [0])?)?)?;
            code.store_vec(packed, own)
        })
    }
}
