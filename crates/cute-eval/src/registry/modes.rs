//! Picking and regrouping modes.

use cute_algebra::{
    Error as Algebra, Layout, ModePath, Tuple, append, append_to_rank_with, flatten, get, group, prepend,
    prepend_to_rank_with, replace, reverse, select, take, unflatten,
};

use super::{Args, Function};
use crate::{error::Result, leaf::Leaf, value::Value};

fn pad(a: &Args) -> Result<Layout<Leaf>> {
    if a.count() > 2 { a.plain(2) } else { Ok(Layout::unit()) }
}

/// Makes a tuple of the kind of its most general argument: layouts, strides, coordinates, integers.
fn make_tuple(a: &Args) -> Result<Value> {
    let all = || (0..a.count()).map(|i| a.get(i));
    let any = |is: fn(&Value) -> bool| all().any(|arg| arg.is_ok_and(|arg| is(&arg.value)));
    if any(|v| matches!(v, Value::Layout(_))) {
        let modes = all().map(|arg| arg?.plain()).collect::<Result<Vec<_>>>()?;
        return Ok(Value::Layout(Layout::from_modes(modes).into()));
    }
    if any(|v| matches!(v, Value::Stride(_))) {
        let modes = all().map(|arg| arg?.stride()).collect::<Result<Vec<_>>>()?;
        return Ok(Value::Stride(Tuple::from_modes(modes)));
    }
    if any(|v| matches!(v, Value::Coord(_))) {
        let modes = all().map(|arg| arg?.coord()).collect::<Result<Vec<_>>>()?;
        return Ok(Value::Coord(Tuple::from_modes(modes)));
    }
    let modes = all().map(|arg| arg?.tuple()).collect::<Result<Vec<_>>>()?;
    Ok(Value::Tuple(Tuple::from_modes(modes)))
}

pub(super) const TABLE: &[Function] = &[
    Function::new(
        "get",
        "layout: layout|tuple, mode: integer...",
        "the mode at a path, outermost index first",
        "get(((2,2),4):((1,4),8), 0, 1)",
        |a| {
            let path = a.indices(1)?;
            match &a.get(0)?.value {
                Value::Tuple(tuple) => {
                    let missing = || Algebra::NoSuchMode {
                        what: "the tuple",
                        path: path.iter().copied().collect::<ModePath>(),
                    };
                    Ok(Value::Tuple(a.at(tuple.get(&path).map(|t| t.to_owned()).ok_or_else(missing))?))
                }
                _ => Ok(Value::Layout(a.at(get(&a.layout(0)?, &path))?)),
            }
        },
    ),
    Function::new(
        "make_tuple",
        "mode: integer|tuple|layout...",
        "the arguments as modes of one tuple or layout",
        "make_tuple(2, (3,4))",
        make_tuple,
    ),
    Function::new(
        "group",
        "layout: layout|tuple, begin: integer, end: integer",
        "modes [begin, end) wrapped into one",
        "group((4,5,6):(1,4,20), 0, 2)",
        |a| match &a.get(0)?.value {
            Value::Tuple(tuple) => Ok(Value::Tuple(a.at(tuple.group(a.index(1)?, a.index(2)?))?)),
            _ => Ok(Value::Layout(a.at(group(&a.layout(0)?, a.index(1)?, a.index(2)?))?)),
        },
    )
    .aliases(&["group_modes"]),
    Function::new(
        "flatten",
        "layout: layout|tuple",
        "all leaves as modes of one flat layout",
        "flatten((4,(2,2)):(4,(1,2)))",
        |a| match &a.get(0)?.value {
            Value::Tuple(tuple) => Ok(Value::Tuple(tuple.flatten())),
            _ => Ok(Value::Layout(a.at(flatten(&a.layout(0)?))?)),
        },
    ),
    Function::new(
        "unflatten",
        "layout: layout, profile: tuple",
        "the leaves regrouped by a profile",
        "unflatten((4,2,2):(4,1,2), (0,(0,0)))",
        |a| Ok(Value::Layout(a.at(unflatten(&a.layout(0)?, a.tuple(1)?.profile()))?)),
    ),
    Function::new(
        "select",
        "layout: layout|tuple, mode: integer...",
        "the modes at the given indices, in that order",
        "select((4,5,6):(1,4,20), 2, 0)",
        |a| match &a.get(0)?.value {
            Value::Tuple(tuple) => Ok(Value::Tuple(a.at(tuple.select(&a.indices(1)?))?)),
            _ => Ok(Value::Layout(a.at(select(&a.layout(0)?, &a.indices(1)?))?)),
        },
    ),
    Function::new(
        "take",
        "layout: layout|tuple, begin: integer, end: integer",
        "modes [begin, end)",
        "take((4,5,6):(1,4,20), 1, 3)",
        |a| match &a.get(0)?.value {
            Value::Tuple(tuple) => Ok(Value::Tuple(a.at(tuple.take(a.index(1)?, a.index(2)?))?)),
            _ => Ok(Value::Layout(a.at(take(&a.layout(0)?, a.index(1)?, a.index(2)?))?)),
        },
    ),
    Function::new(
        "reverse",
        "layout: layout",
        "the top-level modes in reverse",
        "reverse((4,8):(8,1))",
        |a| Ok(Value::Layout(a.at(reverse(&a.layout(0)?))?)),
    ),
    Function::new(
        "replace",
        "layout: layout, index: integer, mode: layout",
        "the layout with one mode replaced",
        "replace((4,5):(1,4), 1, 2:8)",
        |a| Ok(Value::Layout(a.at(replace(&a.layout(0)?, a.index(1)?, &a.plain(2)?))?)),
    ),
    Function::new(
        "append",
        "layout: layout, mode: layout",
        "the layout with one more mode at the end",
        "append(4:1, 8:4)",
        |a| Ok(Value::Layout(a.at(append(&a.layout(0)?, &a.plain(1)?))?)),
    ),
    Function::new(
        "prepend",
        "layout: layout, mode: layout",
        "the layout with one more mode in front",
        "prepend(4:1, 8:4)",
        |a| Ok(Value::Layout(a.at(prepend(&a.layout(0)?, &a.plain(1)?))?)),
    ),
    Function::new(
        "append_to_rank",
        "layout: layout, rank: integer, mode?: layout",
        "the layout padded at the end with 1:0, or with the given mode, up to a rank",
        "append_to_rank(8:2, 3)",
        |a| Ok(Value::Layout(a.at(append_to_rank_with(&a.layout(0)?, a.index(1)?, &pad(a)?))?)),
    )
    .aliases(&["append_to_rank_with", "append_n"]),
    Function::new(
        "prepend_to_rank",
        "layout: layout, rank: integer, mode?: layout",
        "the layout padded in front with 1:0, or with the given mode, up to a rank",
        "prepend_to_rank(8:2, 3)",
        |a| Ok(Value::Layout(a.at(prepend_to_rank_with(&a.layout(0)?, a.index(1)?, &pad(a)?))?)),
    )
    .aliases(&["prepend_to_rank_with", "prepend_n"]),
];
