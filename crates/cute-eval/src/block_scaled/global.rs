//! Requests about scale factors in global memory.

use cute_algebra::{Dim, Layout, Tuple, Width, cosize, filter_zeros, size, size_at};
use cute_arch::{
    atoms::Major,
    block_scaled::{
        SF_BLOCK, SfBlock, SfVec, sf_atom, sf_tensor_atom, tile_atom_to_shape, tile_atom_to_shape_sfa,
        tile_atom_to_shape_sfb, tile_atom_to_shape_sfd,
    },
};
use serde_json::{Map, Value as Json, json};

use super::{algebra, below, offset, scales};
use crate::{
    error::Result,
    inputs::{Inputs, put, values, wrong},
    leaf::{Leaf, leaf},
};

/// The block of a family; `sm1xx_output` is that of scale factors which an epilogue makes.
fn block(inputs: &Inputs<'_>) -> Result<SfBlock> {
    match inputs.text("family")? {
        "sm1xx" | "sm1xx_output" => Ok(SfBlock::Sm1xx),
        "sm103" => Ok(SfBlock::Sm103),
        other => Err(wrong("family", format!("{other} is not one of sm1xx, sm103 and sm1xx_output"))),
    }
}

fn vector(inputs: &Inputs<'_>) -> Result<SfVec> {
    scales(SfVec::new(inputs.integer("sf_vec")?.try_into().unwrap_or(i64::MAX)))
}

pub fn major(inputs: &Inputs<'_>, key: &str) -> Result<Major> {
    match inputs.text(key)? {
        "K" => Ok(Major::K),
        "MN" => Ok(Major::Mn),
        other => Err(wrong(key, format!("the major must be K or MN, not {other}"))),
    }
}

/// `sf_atom`: a block of scale factors.
pub fn atom(inputs: &Inputs<'_>) -> Result<Json> {
    let (block, vec) = (block(inputs)?, vector(inputs)?);
    let atom = |major| scales(sf_atom::<i64>(block, vec, major));
    let own = atom(major(inputs, "major")?)?;
    Ok(json!({
        "sf_atom": own.to_string(),
        "sf_k_major_atom": atom(Major::K)?.to_string(),
        "sf_mn_major_atom": atom(Major::Mn)?.to_string(),
        "blk_mn": SF_BLOCK[0],
        "blk_sf": SF_BLOCK[1],
        "size": algebra(size(&own))?,
        "cosize": algebra(cosize(&own))?,
    }))
}

/// An extent that is known at run time only, of 32 bits.
fn at_run_time(value: i64) -> Tuple<Leaf> {
    Tuple::leaf(leaf(Dim::dynamic(Width::I32, 1), Some(value)))
}

/// The layout of A, B or D, whichever `operand` names.
fn of_operand(inputs: &Inputs<'_>, problem: &Tuple<Leaf>) -> Result<Layout<Leaf>> {
    let (block, vec) = (block(inputs)?, vector(inputs)?);
    scales(match inputs.text("operand")? {
        "A" => tile_atom_to_shape_sfa(block, problem, vec),
        "B" => tile_atom_to_shape_sfb(block, problem, vec),
        "D" => tile_atom_to_shape_sfd(major(inputs, "major")?, problem, vec),
        other => return Err(wrong("operand", format!("{other} is not A, B or D"))),
    })
}

/// The layout of scale factors, with its sizes and offsets at some coordinates; returns it as
/// numbers.
fn put_layout(object: &mut Map<String, Json>, layout: &Layout<Leaf>) -> Result<Layout<i64>> {
    put(object, "layout", layout)?;
    let distinct = algebra(filter_zeros(layout))?;
    put(object, "layout_nonzero", &distinct)?;
    let numbers = values(layout)?;
    object.insert("size".into(), json!(algebra(size(&numbers))?));
    object.insert("cosize".into(), json!(algebra(cosize(&numbers))?));
    object.insert("scale_count".into(), json!(algebra(size(&values(&distinct)?))?));
    Ok(numbers)
}

/// The coordinates of `modes`, the first slowest, each with its offset.
fn samples(layout: &Layout<i64>, modes: [Vec<i64>; 3]) -> Result<Json> {
    let mut all = Vec::new();
    let [rows, columns, batches] = &modes;
    for (row, column) in rows.iter().flat_map(|row| columns.iter().map(move |column| (row, column))) {
        for batch in batches {
            let coord = [*row, *column, *batch];
            let at = offset(layout, &coord[..layout.rank()])?;
            all.push(json!([row, column, batch, at]));
        }
    }
    Ok(all.into())
}

/// The extents of a problem.
fn extents(problem: &Tuple<Leaf>) -> Result<Vec<i64>> {
    let sizes = algebra(cute_algebra::product_each(problem.view()))?;
    sizes.leaves().iter().map(crate::inputs::number).collect()
}

/// `sf_layout`: the scale factors of A or B for a problem.
pub fn layout(inputs: &Inputs<'_>) -> Result<Json> {
    let problem = inputs.valued_shape("problem_shape")?;
    let layout = of_operand(inputs, &problem)?;
    let mut object = Map::new();
    let numbers = put_layout(&mut object, &layout)?;
    let rounded = [0, 1].map(|mode| algebra(size_at(&numbers, &[mode])));
    let [rows, k] = rounded;
    object.insert("rounded_extents".into(), json!(Tuple::from_leaves([rows?, k?]).to_string()));
    let (problem, vec) = (extents(&problem)?, vector(inputs)?.elements());
    let rows = if inputs.text("operand")? == "A" { problem[0] } else { problem[1] };
    let (k, batches) = (problem[2], problem.get(3).copied().unwrap_or(1));
    let [block_rows, factors] = SF_BLOCK;
    let modes = [
        below(rows, [0, 1, 31, 32, block_rows - 1, rows - 1, block_rows]),
        below(k, [0, vec - 1, vec, factors * vec - 1, k - 1, factors * vec]),
        below(batches, [0, batches - 1]),
    ];
    object.insert("samples_mn_k_l_offset".into(), samples(&numbers, modes)?);
    Ok(object.into())
}

/// `sf_layout_deduce`: the layout whose extents are all known at run time only.
pub fn deduced(inputs: &Inputs<'_>) -> Result<Json> {
    let problem = Tuple::from_modes((0..4).map(|_| at_run_time(0)));
    let mut object = Map::new();
    put(&mut object, "layout", &of_operand(inputs, &problem)?)?;
    Ok(object.into())
}

/// A shape with one more mode of extent 1, which is known at run time only, if `rank` needs it.
fn padded(shape: Tuple<Leaf>, rank: usize) -> Tuple<Leaf> {
    if shape.rank() + 1 == rank { shape.append(at_run_time(1)) } else { shape }
}

/// `sf_output_layout`: the scale factors that an epilogue makes of D.
pub fn output(inputs: &Inputs<'_>) -> Result<Json> {
    let problem = padded(inputs.valued_shape("problem_shape")?, 4);
    let layout = tile_atom_to_shape_sfd(major(inputs, "major")?, &problem, vector(inputs)?);
    let mut object = Map::new();
    let numbers = put_layout(&mut object, &scales(layout)?)?;
    let problem = extents(&problem)?;
    let (m, n) = (problem[0], problem[1]);
    let modes = [below(m, [0, 1, 17, 32, m - 1]), below(n, [0, 1, 15, 16, 33, n - 1]), vec![0]];
    object.insert("samples_m_n_l_offset".into(), samples(&numbers, modes)?);
    Ok(object.into())
}

/// `sf_tensor_layout`: a matrix of scale factors over their own coordinates.
pub fn tensor(inputs: &Inputs<'_>) -> Result<Json> {
    let shape = padded(inputs.valued_shape("problem_shape")?, 3);
    let layout = scales(tile_atom_to_shape(&shape))?;
    let mut object = Map::new();
    object.insert("sf_atom".into(), json!(sf_tensor_atom::<i64>().to_string()));
    put(&mut object, "layout", &layout)?;
    let numbers = values(&layout)?;
    object.insert("size".into(), json!(algebra(size(&numbers))?));
    object.insert("cosize".into(), json!(algebra(cosize(&numbers))?));
    Ok(object.into())
}
