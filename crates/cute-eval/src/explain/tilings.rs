//! The steps of tilings: from an atom to a tiled MMA or copy, and from a tensor to the part of a
//! thread.

use cute_algebra::{
    AnyLayout, CopySide, LayoutLike, MmaOperand, TiledCopy, TiledMma, Tiler, error::Result, zipped_divide,
};

use super::Steps;
use crate::{
    leaf::{Leaf, text},
    tilings::Tiling,
    value::show_layout,
};

/// The facts of a tiling, one per line.
pub(super) fn tiling(s: &mut Steps, tiling: &Tiling) -> Result<()> {
    if let Tiling::Mma { mma, .. } = tiling {
        let atom = mma.atom();
        s.line(format!(
            "tiled_product(thr_id, atom_layout) = tiled_product({}, {})",
            atom.thr_id,
            mma.atom_layout()
        ));
    }
    tiling.facts()?.into_iter().for_each(|fact| s.line(format!("{} = {}", fact.name, fact.value)));
    Ok(())
}

/// The steps of thrfrg; with a thread, those of its partition.
pub(super) fn thrfrg(
    s: &mut Steps,
    mma: &TiledMma,
    which: MmaOperand,
    tensor: &AnyLayout<Leaf>,
    thread: Option<&Leaf>,
) -> Result<()> {
    let calls =
        ["logical_divide(tensor", "zipped_divide(permuted", "composition(atoms", "zipped_divide(values"];
    let steps = mma.steps(which, tensor)?;
    for ((call, tiler), (name, made)) in calls.iter().zip(mma.tilers(which)?).zip(steps.named()) {
        s.line(format!("{name} = {call}, {tiler}) = {}", show_layout(made)));
    }
    if let Some(thread) = thread {
        let [v, m, n, k] = mma.vmnk(thread)?.map(|leaf| text(&leaf));
        let vmnk = mma.thr_layout_vmnk();
        let index = text(thread);
        s.line(format!("thread {index} is (v,m,n,k) = ({v},{m},{n},{k}) of {vmnk}"));
        let [i, j] = which.of([m, n, k]);
        let open = vec!["_"; tensor.outer().rank()].join(",");
        s.line(format!("its slice of threads: (({v},({i},{j})),(_,({open})))"));
    }
    Ok(())
}

/// The steps of tidfrg; with a thread, those of its partition.
pub(super) fn tidfrg(
    s: &mut Steps,
    copy: &TiledCopy,
    side: CopySide,
    tensor: &AnyLayout<Leaf>,
    thread: Option<&Leaf>,
) -> Result<()> {
    let tiler = copy.tiler().map(&mut |n: &i64| Leaf::fixed(*n));
    let tiles = zipped_divide(tensor, &Tiler::Tile(tiler))?;
    s.line(format!("tiles = zipped_divide(tensor, {}) = {}", copy.tiler(), show_layout(&tiles)));
    let tv = copy.layout_tv(side)?;
    s.line(format!("(thread, value) of {side} to the index in a tile: {tv}"));
    let threads = copy.tidfrg(side, tensor)?;
    s.line(format!("threads = composition(tiles, [{tv};_]), unpacked = {}", show_layout(&threads)));
    if let Some(thread) = thread {
        let rest = threads.outer().mode(2)?;
        let open =
            if rest.is_leaf() { "_".to_string() } else { format!("({})", vec!["_"; rest.rank()].join(",")) };
        s.line(format!("its slice of threads: ({},_,{open})", text(thread)));
    }
    Ok(())
}
