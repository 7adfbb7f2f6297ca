//! The arrangement of an array in memory under the layout of a view: the extents and strides that
//! its type leaves to run time.

use crate::argument::{Strides, reserved};
use cute_manifest::LayoutMode;
use std::mem::replace;

/// An array under a layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filled {
    /// Extent and stride of each axis, in the order of the axes.
    pub axes: Vec<(i64, i64)>,
    /// The place in memory of the elements, row by row.
    pub order: DimensionOrder,
}

/// Extents and strides of the dimensions of an array, the slowest of its row-major order first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DimensionOrder(Vec<(usize, usize)>);

impl DimensionOrder {
    /// That of a compact array whose first extent is the fastest.
    pub fn column_major(shape: &[usize]) -> Self {
        Self(shape.iter().copied().zip(column_major(shape)).collect())
    }

    /// That of an array with these strides in elements, which are not negative.
    pub fn of_strides(shape: &[usize], strides: &[i64]) -> Self {
        Self(shape.iter().copied().zip(strides.iter().map(|stride| *stride as usize)).collect())
    }

    /// Whether the elements lie row by row, without gaps.
    pub fn is_row_major(&self) -> bool {
        let mut size = 1usize;
        self.0.iter().rev().all(|(extent, stride)| {
            let fits = *stride == size || *extent == 1;
            size = size.saturating_mul(*extent);
            fits
        })
    }

    /// The place in memory of an element, both counted in elements, the element row by row.
    pub fn place(&self, i: usize) -> usize {
        if self.0.is_empty() {
            return i;
        }
        let digit = |(rest, at): (usize, usize), (extent, stride): &(usize, usize)| {
            (rest / extent, at + rest % extent * stride)
        };
        self.0.iter().rev().fold((i, 0), digit).1
    }

    /// The element at each place; `None` if elements share places.
    pub(crate) fn inverse(&self) -> Option<Inverse> {
        let mut size = 1;
        let weighed = |(extent, stride): &(usize, usize)| {
            let weight = size;
            size *= extent;
            (*extent, *stride, weight)
        };
        let axes = self.0.iter().rev().map(weighed).filter(|(extent, ..)| *extent != 1);
        let mut axes: Vec<_> = axes.collect();
        axes.sort_by_key(|(_, stride, _)| std::cmp::Reverse(*stride));
        self.is_injective().then_some(Inverse(axes))
    }

    /// The number of each element in memory, row by row; `None` if they lie row by row as well.
    fn moved(&self) -> Option<impl Iterator<Item = usize> + '_> {
        let size = self.0.iter().map(|(extent, _)| extent).product();
        (!self.is_row_major()).then(|| (0..size).map(|i| self.place(i)))
    }

    /// The elements of memory that `count` elements of the array need.
    pub fn reach(&self, count: usize) -> usize {
        let last = |sum: usize, (extent, stride): &(usize, usize)| {
            sum.saturating_add((extent - 1).saturating_mul(*stride))
        };
        if self.0.is_empty() || count == 0 { count } else { self.0.iter().fold(1, last) }
    }

    /// Whether different elements have different places, as far as extents and strides tell.
    fn is_injective(&self) -> bool {
        let mut by_stride: Vec<_> = self.0.iter().filter(|(extent, _)| *extent > 1).collect();
        by_stride.sort_by_key(|(_, stride)| *stride);
        let mut size = 1;
        by_stride.into_iter().all(|(extent, stride)| {
            let fits = *stride >= size;
            size = size.saturating_add((extent - 1).saturating_mul(*stride));
            fits
        })
    }

    /// The bytes as they lie in memory, of those row by row. Memory between elements is 0.
    ///
    /// # Errors
    /// Fails if there is not enough memory for the array, or if elements of different values share
    /// a place.
    pub fn to_memory(&self, rows: Vec<u8>, element: usize) -> Result<Vec<u8>, String> {
        let Some(places) = self.moved() else { return Ok(rows) };
        let size = self.reach(rows.len() / element) * element;
        let mut memory = reserved(size)?;
        memory.resize(size, 0);
        let mut holders = vec![usize::MAX; if self.is_injective() { 0 } else { size / element }];
        for (i, (from, to)) in rows.chunks_exact(element).zip(places).enumerate() {
            let place = &mut memory[to * element..][..element];
            if let Some(holder) = holders.get_mut(to) {
                if *holder != usize::MAX && *place != *from {
                    return Err(format!(
                        "elements {holder} and {i}, counted row by row, share their memory, but have different values"
                    ));
                }
                *holder = i;
            }
            place.copy_from_slice(from);
        }
        Ok(memory)
    }

    /// The bytes row by row, of those as they lie in memory.
    pub fn to_rows(&self, memory: Vec<u8>, element: usize) -> Vec<u8> {
        match self.moved() {
            None => memory,
            Some(places) => places.flat_map(|at| memory[at * element..][..element].iter().copied()).collect(),
        }
    }
}

/// Extent and stride of each axis, and the elements from one of its coordinates to the next, row by
/// row. The largest stride is first: each is larger than the elements of the later axes reach.
#[derive(Debug)]
pub(crate) struct Inverse(Vec<(usize, usize, usize)>);

impl Inverse {
    /// The element at a place of memory, counted row by row; `None` between elements.
    pub(crate) fn element(&self, place: usize) -> Option<usize> {
        let (mut rest, mut i) = (place, 0);
        for (extent, stride, weight) in &self.0 {
            let at = rest / stride;
            if at >= *extent {
                return None;
            }
            rest %= stride;
            i += at * weight;
        }
        (rest == 0).then_some(i)
    }
}

/// The strides of a compact array whose first extent is the fastest.
pub fn column_major(shape: &[usize]) -> Vec<usize> {
    shape.iter().scan(1usize, |size, extent| Some(replace(size, size.saturating_mul(*extent)))).collect()
}

/// Lays an array of this shape under the axes. An extent of the array is a mode of the layout, or
/// one axis. Without strides of its own the array is compact: if the type leaves the strides open,
/// the elements lie row by row; otherwise its static strides determine the order.
///
/// # Errors
/// Returns the part of the layout that no such array has.
pub fn fill(axes: &[LayoutMode], shape: &[usize], own: &Strides) -> Result<Filled, String> {
    let (extents, modes) = extents(axes, shape)?;
    let strides = match own {
        Strides::Open => compact(axes, shape, &extents, &modes)?,
        Strides::Usually(own) => match strided(axes, &extents, &modes, own) {
            Ok(strides) => strides,
            Err(_) => compact(axes, shape, &extents, &modes)?,
        },
        Strides::Exactly(own) => strided(axes, &extents, &modes, own)?,
    };
    let of = |axis: &usize| (extents[*axis] as usize, strides[*axis] as usize);
    let order = rows(&modes).iter().map(of).collect();
    Ok(Filled { axes: extents.into_iter().zip(strides).collect(), order: DimensionOrder(order) })
}

/// The strides of the axes if each mode has a stride of its own, and its leaves lie one after the
/// other.
fn strided(
    axes: &[LayoutMode],
    extents: &[i64],
    modes: &[Vec<usize>],
    own: &[i64],
) -> Result<Vec<i64>, String> {
    if own.len() != modes.len() {
        return Err(format!("the array has {} extents, but {} strides", modes.len(), own.len()));
    }
    if let Some(stride) = own.iter().find(|stride| **stride < 0) {
        return Err(format!(
            "the array has the stride {stride}, but the strides of a layout are not negative; pass a copy"
        ));
    }
    let mut strides = vec![0; axes.len()];
    for (axis_numbers, own) in modes.iter().zip(own) {
        let mut stride = *own;
        for i in axis_numbers {
            strides[*i] = match axes[*i].stride {
                Some(fixed) if fixed != stride && !is_single(axes, extents, *i) => {
                    return Err(format!(
                        "the array has the stride {stride} where {} has the stride {fixed}",
                        mode(&axes[*i].mode)
                    ));
                }
                fixed => fixed.unwrap_or(stride),
            };
            stride = stride.saturating_mul(extents[*i]);
        }
    }
    Ok(strides)
}

/// The strides of the axes for an array without gaps.
fn compact(
    axes: &[LayoutMode],
    shape: &[usize],
    extents: &[i64],
    modes: &[Vec<usize>],
) -> Result<Vec<i64>, String> {
    let rows = rows(modes);
    let mut strides = vec![0; axes.len()];
    let mut open: Vec<usize> = rows.clone();
    let mut size = 1i64;
    while !open.is_empty() {
        let fits = |axis: &usize| axes[*axis].stride == Some(size) || is_single(axes, extents, *axis);
        let next = open.iter().rposition(fits);
        let next = next.or_else(|| open.iter().rposition(|axis| axes[*axis].stride.is_none()));
        let Some(next) = next else {
            let axis = &axes[open[open.len() - 1]];
            return Err(format!(
                "a compact array {} does not have the stride {} of {}; give the array strides, as in \
                 TYPE[{0},strides={}]",
                text(shape),
                axis.stride.unwrap_or(size),
                mode(&axis.mode),
                example(axes, extents, modes)
            ));
        };
        let axis = open.remove(next);
        strides[axis] = axes[axis].stride.unwrap_or(size);
        size = size.saturating_mul(extents[axis]);
    }
    Ok(strides)
}

/// Strides that an array could have under the layout: the static ones, and an N for each other.
fn example(axes: &[LayoutMode], extents: &[i64], modes: &[Vec<usize>]) -> String {
    let stride = |mode: &Vec<usize>| {
        let used = mode.iter().find(|i| extents[**i] != 1).or(mode.first());
        used.and_then(|i| axes[*i].stride).map_or("N".to_owned(), |stride| stride.to_string())
    };
    modes.iter().map(stride).collect::<Vec<_>>().join("x")
}

/// The axes, the slowest of the array's row-major order first: within a mode the first leaf is the
/// fastest.
fn rows(modes: &[Vec<usize>]) -> Vec<usize> {
    modes.iter().flat_map(|mode| mode.iter().rev().copied()).collect()
}

/// Like [`fill`] if each element of the array is a byte that packs several elements of the layout,
/// along its mode of stride 1.
///
/// # Errors
/// Like [`fill`]; also returns an error if the layout does not have such a mode.
pub fn fill_packed(
    axes: &[LayoutMode],
    shape: &[usize],
    strides: &Strides,
    packed: usize,
) -> Result<Filled, String> {
    let contiguous = axes.iter().find(|axis| axis.stride == Some(1));
    let contiguous = contiguous.ok_or("elements of less than a byte need a mode of stride 1")?;
    let at = match axes.iter().position(|axis| axis == contiguous) {
        Some(leaf) if shape.len() == axes.len() => leaf,
        _ => contiguous.mode.first().copied().unwrap_or(0),
    };
    let mut elements = shape.to_vec();
    let Some(bytes) = elements.get_mut(at) else { return fill(axes, shape, strides) };
    *bytes *= packed;
    // The array's strides count bytes.
    let widened = |own: &[i64]| {
        let stride =
            |(i, stride): (usize, &i64)| if i == at { *stride } else { stride.saturating_mul(packed as i64) };
        own.iter().enumerate().map(stride).collect()
    };
    let strides = match strides {
        Strides::Open => Strides::Open,
        Strides::Usually(own) => Strides::Usually(widened(own)),
        Strides::Exactly(own) => Strides::Exactly(widened(own)),
    };
    let filled = fill(axes, &elements, &strides)?;
    let step = |&(extent, stride): &(usize, usize)| match (extent, stride) {
        (1, stride) => Ok((1, stride)),
        (extent, 1) => Ok((extent / packed, 1)),
        (extent, stride) if stride % packed == 0 => Ok((extent, stride / packed)),
        (_, stride) => Err(format!("a stride of {stride} elements is not a whole number of bytes")),
    };
    let order = filled.order.0.iter().map(step).collect::<Result<_, _>>()?;
    Ok(Filled { axes: filled.axes, order: DimensionOrder(order) })
}

/// Whether an axis has one element and a static stride, so that its stride is never used.
fn is_single(axes: &[LayoutMode], extents: &[i64], axis: usize) -> bool {
    extents[axis] == 1 && axes[axis].stride.is_some()
}

/// The extents of the axes; and for each extent of the array, its axes, the fastest first.
fn extents(axes: &[LayoutMode], shape: &[usize]) -> Result<(Vec<i64>, Vec<Vec<usize>>), String> {
    let mut modes: Vec<Vec<usize>> = Vec::new();
    for (i, axis) in axes.iter().enumerate() {
        match modes.last_mut() {
            Some(last) if !axis.mode.is_empty() && axes[last[0]].mode.first() == axis.mode.first() => {
                last.push(i)
            }
            _ => modes.push(vec![i]),
        }
    }
    if shape.len() == axes.len() {
        modes = (0..axes.len()).map(|i| vec![i]).collect();
    } else if shape.len() != modes.len() {
        return Err(format!(
            "the array {} has {} extent{}, but the layout has {} mode{}",
            text(shape),
            shape.len(),
            if shape.len() == 1 { "" } else { "s" },
            modes.len(),
            if modes.len() == 1 { "" } else { "s" },
        ));
    }
    let mut extents = vec![0; axes.len()];
    for (number, (mode_axes, extent)) in modes.iter().zip(shape).enumerate() {
        let extent = i64::try_from(*extent).map_err(|_| "an extent of more than 63 bits".to_owned())?;
        let fixed: i64 = mode_axes.iter().filter_map(|i| axes[*i].extent).product();
        let open = mode_axes.iter().filter(|i| axes[**i].extent.is_none()).count();
        let whole = match mode_axes.as_slice() {
            [one] => mode(&axes[*one].mode),
            _ => mode(&[number]),
        };
        if open == 0 && extent != fixed {
            return Err(format!("the array {} has {extent} where {whole} is {fixed}", text(shape)));
        }
        if open > 1 {
            return Err(format!(
                "{whole} has {open} extents that are passed; give the extent of each of its leaves"
            ));
        }
        if fixed == 0 || extent % fixed != 0 {
            return Err(format!(
                "the array {} has {extent} where {whole} is a multiple of {fixed}",
                text(shape)
            ));
        }
        for i in mode_axes {
            extents[*i] = axes[*i].extent.unwrap_or(extent / fixed);
        }
    }
    Ok((extents, modes))
}

/// The extents of a layout and the order of its elements in memory, if it is completely known.
pub(crate) fn known(axes: &[LayoutMode]) -> Option<(Vec<usize>, DimensionOrder)> {
    let extent = |axis: &LayoutMode| axis.extent.and_then(|extent| usize::try_from(extent).ok());
    let stride = |axis: &LayoutMode| axis.stride.filter(|stride| *stride >= 0);
    let shape = axes.iter().map(extent).collect::<Option<Vec<_>>>()?;
    let strides = axes.iter().map(stride).collect::<Option<Vec<_>>>()?;
    let order = DimensionOrder::of_strides(&shape, &strides);
    Some((shape, order))
}

/// The distance in elements from the first to the last element of the layout, if it is completely
/// known.
pub fn reach(axes: &[LayoutMode]) -> Option<i64> {
    axes.iter().try_fold(1i64, |n, a| {
        Some(n.saturating_add((a.extent? - 1).saturating_mul(a.stride?.saturating_abs())))
    })
}

fn text(shape: &[usize]) -> String {
    shape.iter().map(ToString::to_string).collect::<Vec<_>>().join("x")
}

fn mode(path: &[usize]) -> String {
    match path {
        [] => "the layout".into(),
        path => cute_algebra::ModePath::from_iter(path.iter().copied()).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The axes of a layout; 0 is dynamic.
    fn axes(leaves: &[(&[usize], i64, Option<i64>)]) -> Vec<LayoutMode> {
        let axis = |(mode, extent, stride): &(&[usize], i64, Option<i64>)| LayoutMode {
            mode: mode.to_vec(),
            extent: (*extent != 0).then_some(*extent),
            stride: *stride,
        };
        leaves.iter().map(axis).collect()
    }

    fn filled(leaves: &[(&[usize], i64, Option<i64>)], shape: &[usize]) -> Result<Vec<(i64, i64)>, String> {
        fill(&axes(leaves), shape, &Strides::Open).map(|f| f.axes)
    }

    #[test]
    fn rows_are_contiguous_unless_the_type_says_otherwise() {
        let two = |s0, s1| [(&[0][..], 0, s0), (&[1][..], 0, s1)];
        assert_eq!(filled(&two(None, None), &[3, 5]), Ok(vec![(3, 5), (5, 1)]));
        assert_eq!(filled(&two(None, Some(1)), &[3, 5]), Ok(vec![(3, 5), (5, 1)]));
        assert_eq!(filled(&two(Some(1), None), &[3, 5]), Ok(vec![(3, 1), (5, 3)]));
        assert_eq!(filled(&two(Some(1), Some(3)), &[3, 5]), Ok(vec![(3, 1), (5, 3)]));
        // The stride of a single element is never used.
        assert_eq!(filled(&two(Some(7), None), &[1, 5]), Ok(vec![(1, 7), (5, 1)]));
        let pitched = filled(&two(Some(8), Some(1)), &[3, 5]).unwrap_err();
        assert_eq!(
            pitched,
            "a compact array 3x5 does not have the stride 8 of mode 0; give the array strides, as in TYPE[3x5,strides=8x1]"
        );
        assert!(filled(&two(Some(0), Some(1)), &[3, 5]).is_err());
    }

    #[test]
    fn an_array_has_strides_of_its_own() {
        let with = |leaves: &[(&[usize], i64, Option<i64>)], shape: &[usize], own: &[i64]| {
            fill(&axes(leaves), shape, &Strides::Exactly(own.to_vec()))
        };
        let two = |s0, s1| [(&[0][..], 0, s0), (&[1][..], 0, s1)];
        let pitched = with(&two(Some(8), Some(1)), &[2, 3], &[8, 1]).unwrap();
        assert_eq!((pitched.axes, pitched.order.reach(6)), (vec![(2, 8), (3, 1)], 11));
        assert_eq!(
            pitched.order.to_memory(vec![1, 2, 3, 4, 5, 6], 1).unwrap(),
            [1, 2, 3, 0, 0, 0, 0, 0, 4, 5, 6]
        );
        assert_eq!(pitched.order.to_rows(vec![1, 2, 3, 0, 0, 0, 0, 0, 4, 5, 6], 1), [1, 2, 3, 4, 5, 6]);
        assert_eq!(with(&two(None, None), &[2, 3], &[1, 2]).unwrap().axes, [(2, 1), (3, 2)]);
        assert_eq!(
            with(&two(Some(8), Some(1)), &[2, 3], &[4, 1]).unwrap_err(),
            "the array has the stride 4 where mode 0 has the stride 8"
        );
        // The leaves of a mode lie one after the other.
        let nested = [(&[0, 0][..], 4, None), (&[0, 1][..], 0, None), (&[1][..], 0, Some(1))];
        assert_eq!(with(&nested, &[12, 5], &[7, 1]).unwrap().axes, [(4, 7), (3, 28), (5, 1)]);
        assert!(with(&nested, &[12, 5], &[7]).unwrap_err().contains("2 extents, but 1 strides"));
        // Elements that share a place have one value.
        let repeated = with(&two(Some(0), Some(1)), &[2, 3], &[0, 1]).unwrap().order;
        assert_eq!(repeated.to_memory(vec![1, 2, 3, 1, 2, 3], 1).unwrap(), [1, 2, 3]);
        assert_eq!(
            repeated.to_memory(vec![1, 2, 3, 1, 9, 3], 1).unwrap_err(),
            "elements 1 and 4, counted row by row, share their memory, but have different values"
        );
        assert_eq!(with(&two(None, None), &[0, 3], &[8, 1]).unwrap().order.reach(0), 0);
    }

    #[test]
    fn the_strides_of_a_file_yield_to_those_of_the_type() {
        let columns = |s0, s1| {
            let axes = axes(&[(&[0], 0, s0), (&[1], 0, s1)]);
            fill(&axes, &[2, 3], &Strides::Usually(vec![1, 2])).unwrap().axes
        };
        assert_eq!(columns(None, None), [(2, 1), (3, 2)]);
        assert_eq!(columns(None, Some(1)), [(2, 3), (3, 1)]);
    }

    #[test]
    fn an_extent_is_a_mode_or_a_leaf() {
        let nested = [(&[0, 0][..], 4, Some(1)), (&[0, 1][..], 0, None), (&[1][..], 0, None)];
        // Mode 0 is contiguous, its first leaf the fastest; so the array is column-major.
        assert_eq!(filled(&nested, &[12, 5]), Ok(vec![(4, 1), (3, 20), (5, 4)]));
        assert_eq!(filled(&nested, &[4, 3, 5]), Ok(vec![(4, 1), (3, 20), (5, 4)]));
        assert_eq!(
            filled(&nested, &[10, 5]).unwrap_err(),
            "the array 10x5 has 10 where mode 0 is a multiple of 4"
        );
        assert_eq!(
            filled(&nested, &[60]).unwrap_err(),
            "the array 60 has 1 extent, but the layout has 2 modes"
        );
        let fixed = [(&[0][..], 4, Some(8)), (&[1][..], 8, Some(1))];
        assert_eq!(filled(&fixed, &[4, 7]).unwrap_err(), "the array 4x7 has 7 where mode 1 is 8");
        assert_eq!(reach(&axes(&fixed)), Some(32));
        assert_eq!(filled(&[(&[], 0, Some(1))], &[9]), Ok(vec![(9, 1)]));
        let open = [(&[0, 0][..], 0, None), (&[0, 1][..], 0, None), (&[1][..], 0, None)];
        assert!(filled(&open, &[12, 5]).unwrap_err().starts_with("mode 0 has 2 extents that are passed"));
    }

    #[test]
    fn bytes_may_pack_elements_of_the_contiguous_mode() {
        let columns = axes(&[(&[0], 0, Some(1)), (&[1], 0, None)]);
        let filled = fill_packed(&columns, &[2, 3], &Strides::Open, 2).unwrap();
        assert_eq!(filled.axes, [(4, 1), (3, 4)]);
        assert_eq!(filled.order.to_memory((0..6).collect(), 1).unwrap(), [0, 3, 1, 4, 2, 5]);
        let rows = axes(&[(&[0], 0, Some(8)), (&[1], 8, Some(1))]);
        assert_eq!(fill_packed(&rows, &[3, 4], &Strides::Open, 2).unwrap().axes, [(3, 8), (8, 1)]);
        let open = axes(&[(&[0], 0, None)]);
        assert!(fill_packed(&open, &[4], &Strides::Open, 2).unwrap_err().contains("need a mode of stride 1"));
    }

    #[test]
    fn elements_find_their_place_and_back() {
        let axes = axes(&[(&[0], 0, Some(1)), (&[1], 0, None)]);
        let order = fill(&axes, &[2, 3], &Strides::Open).unwrap().order;
        let memory = order.to_memory((0..12).collect(), 2).unwrap();
        assert_eq!(memory, [0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11]);
        assert_eq!(order.to_rows(memory, 2), (0..12).collect::<Vec<u8>>());
        assert_eq!(DimensionOrder::default().to_memory(vec![1, 2], 2), Ok(vec![1, 2]));
    }
}
