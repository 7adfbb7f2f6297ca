//! The domain policy of an op: everything that CuTe accepts (`extend`), or only what satisfies the
//! op's equation (`strict`).

use cute_algebra::{AnyLayout, Assumption, Dim, Domain, LayoutLike, Tile, Tiler};
use cute_ffi::ir::{self, default_domain, enclosing_attribute, string};
use melior::{
    Context,
    ir::{
        attribute::StringAttribute,
        operation::{OperationLike, OperationRef},
    },
};

use crate::{
    error::{Error, Result},
    ops::{AttributeName, Call, OpKind, atoms, extensions, products, scales},
    partition,
    value::Value,
};

const ATTRIBUTE: &str = "cute.domain";

/// The policy of the ops around `op`: the nearest `cute.domain`, else the context's default.
pub fn domain(op: OperationRef<'_, '_>) -> Result<Domain> {
    let default = || default_domain(op).parse().expect("a context's default is set by its name");
    Ok(stated_domain(op)?.unwrap_or_else(default))
}

/// The policy that the nearest `cute.domain` around `op` states.
pub fn stated_domain(op: OperationRef<'_, '_>) -> Result<Option<Domain>> {
    let Some(a) = enclosing_attribute(op, ATTRIBUTE) else { return Ok(None) };
    let stated = string(a).and_then(|name| name.parse().ok());
    stated.map(Some).ok_or(Error::Attribute { name: ATTRIBUTE, expected: "\"strict\" or \"extend\"" })
}

/// Sets the policy of everything in a context that no `cute.domain` attribute covers.
pub fn set_default_domain(c: &Context, domain: Domain) {
    ir::set_default_domain(c, domain.name());
}

/// Writes the default policy of its context to an op that does not state one, unless it is
/// `strict`, the default of every tool.
pub fn state_default_domain(op: OperationRef<'_, '_>) {
    let policy = default_domain(op);
    if policy != Domain::Strict.name() && !op.has_attribute(ATTRIBUTE) {
        ir::set_attribute(op, ATTRIBUTE, StringAttribute::new(ir::context(op), &policy).into());
    }
}

/// Whether runtime checks of an op check `assumption`: the assumptions of truncating divisions
/// always, and under `strict` also the conditions that [`check`] checks for static operands.
pub fn assumes(kind: OpKind, domain: Domain, assumption: Assumption) -> bool {
    use Assumption as A;
    match assumption {
        A::Divides | A::DividesOrLess | A::Commensurable | A::Fits | A::Nonzero | A::Ascends => true,
        A::Carries | A::Apart | A::Single => domain == Domain::Strict,
        A::Within => domain == Domain::Strict && kind == OpKind::Composition,
        A::InRange => domain == Domain::Strict && kind.indexes(),
        A::Covers => domain == Domain::Strict && kind.divides(),
    }
}

/// Checks the conditions of the policy in force, beyond the op's types.
pub fn check<'c>(op: OperationRef<'c, '_>, call: &Call<'_, 'c, Dim>) -> Result<()> {
    use OpKind as K;
    let domain = domain(op)?;
    match call.kind {
        K::Composition => domain.composition(&call.layout(0)?, &call.tiler(1)?)?,
        K::LogicalDivide | K::ZippedDivide | K::FlatDivide => {
            domain.divide(&call.layout(0)?, &call.tiler(1)?)?
        }
        K::TiledDivide => {
            let (layout, tiler) = (call.layout(0)?, call.tiler(1)?);
            partition::check_tiled_divide(&layout, &tiler, domain)?;
            domain.divide(&layout, &tiler)?;
        }
        K::LogicalProduct
        | K::ZippedProduct
        | K::TiledProduct
        | K::FlatProduct
        | K::BlockedProduct
        | K::RakedProduct => {
            let block = call.layout(0)?;
            match block.outer().has_basis() {
                true => domain.product_of_bases(&block, call.plain(1)?)?,
                false => domain.product(&block, &call.tiler(1)?)?,
            }
        }
        K::TileToShape => {
            domain.tile_to_shape(&call.layout(0)?, call.shape(1)?.view(), products::order(call)?)?
        }
        K::Complement => match call.optional(1) {
            Some(Value::Shape(cotarget)) => domain.complement(call.plain(0)?, cotarget.view())?,
            Some(Value::Layout(cotarget)) => domain.complement(call.plain(0)?, cotarget.shape().view())?,
            _ => domain.complement_in_cosize(call.plain(0)?)?,
        },
        K::RightInverse if !call.layout(0)?.outer().has_basis() => domain.right_inverse(&call.layout(0)?)?,
        K::LeftInverse => match call.layout(0)? {
            AnyLayout::Plain(layout) if layout.has_basis() => domain.left_inverse_of_bases(&layout)?,
            layout => domain.left_inverse(&layout)?,
        },
        K::MaxCommonLayout | K::MaxCommonVector => domain.max_common(&call.layout(0)?, &call.layout(1)?)?,
        K::Idx2Crd => extensions::check_index(call, domain)?,
        K::Crd2Idx | K::LayoutEval => match call.operand(1)? {
            Value::Shape(shape) => {
                domain.coordinate(call.coord(0)?, shape.view())?;
                domain.index(call.coord(0)?, shape.view())?
            }
            _ => at(domain, call, 1, 0)?,
        },
        K::Slice | K::MemRefLoad | K::MemRefStore if call.operand(0)?.layout().is_some() => {
            at(domain, call, 0, 1)?
        }
        K::LocalTile => {
            let projection = call.attributes.coord(AttributeName::Proj)?;
            domain.local_tile(&call.layout(0)?, &call.tiler(1)?, call.coord(2)?, projection)?
        }
        K::GetFlatCoord | K::GetHierCoord => {
            let what = if call.kind == K::GetFlatCoord { "get_flat_coord" } else { "get_hier_coord" };
            domain.coord_of_value(call.plain(1)?, &extensions::integer(call, 0)?, what)?
        }
        K::LocalPartition => {
            let (layout, index) = (call.layout(0)?, extensions::integer(call, 2)?);
            let projection = call.attributes.coord(AttributeName::Proj)?;
            domain.local_partition(&layout, call.plain(1)?, &index, projection)?
        }
        K::OuterPartition => domain.outer_partition(&call.layout(0)?, &call.tiler(1)?, call.coord(2)?)?,
        K::OuterLogicalDivide | K::OuterZippedDivide | K::OuterTiledDivide | K::OuterFlatDivide => {
            extensions::check_outer_divide(call, domain)?
        }
        K::MakeTiledCopy => {
            if let Value::TiledCopy(tiled) = call.declared(0)? {
                domain.tile_of_copy(&tiled.tiling()?)?;
            }
        }
        kind if kind.derives_copy() => {
            if let Value::TiledCopy(tiled) = atoms::derived_copy(call)? {
                domain.tile_of_copy(&tiled.tiling()?)?;
            }
        }
        K::MakeTiledMma => {
            if let Value::TiledMma(tiled) = call.declared(0)? {
                domain.tiled_mma(&tiled.tiling()?)?;
            }
        }
        K::TiledPartition => partition::check_tiled_partition(call, domain)?,
        K::TiledMmaPartition => {
            let (tiling, which) = scales::tiling_of_matrix(call)?;
            let [tile, ..] = tiling.tilers(which)?;
            domain.divide(&call.layout(1)?, &lifted(&tile))?
        }
        K::TiledCopyPartitionS | K::TiledCopyPartitionD => {
            domain.divide(&call.layout(1)?, &Tiler::Tile(call.tiled_copy(0)?.tiler.clone()))?
        }
        _ => {}
    }
    Ok(())
}

/// The coordinate lies in the domain of the layout, and its offset in the width of its indices.
fn at(domain: Domain, call: &Call<'_, '_, Dim>, layout: usize, coord: usize) -> Result<()> {
    let (coord, layout) = (call.coord(coord)?, call.layout(layout)?);
    domain.coordinate(coord, layout.outer().shape().view())?;
    Ok(domain.offset(coord, &layout)?)
}

/// A static tile as a tiler.
fn lifted(tile: &Tile<i64>) -> Tiler<Dim> {
    Tiler::Tile(tile.map(&mut |n| Dim::fixed(*n)))
}
