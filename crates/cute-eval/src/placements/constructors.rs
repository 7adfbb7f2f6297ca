//! Constructors, called by name, that make placements from other values, and layouts from
//! placements: `{"op":"from_layout","args":["(4,8):(8,1)"]}`. Arguments are given in order, by name
//! (in an object at the end), or both. The whole call can also be given in Python syntax:
//! `{"op":"construct","call":"wg_local_layout(8, rows=64)"}`.

use std::str::FromStr;

use cute_algebra::{
    Layout, LinearLayout, ParseError, Stride, parse_layout, parse_layout_or_composed, product,
};
use cute_arch::smem::SmemSwizzle;
use cute_placement::{Placement, placement::StorageSwizzle};
use cute_placement::{
    bridge::{
        Threads, from_shared_memory, from_tensor_memory, from_thread_value, to_shared_memory,
        to_tensor_memory, to_thread_value,
    },
    constructors::{
        ConstructorError, Scales, TmemMma, is_trainium, mma_atom_layout, mma_atom_shape, mma_shared_layout,
        sf_smem_layout, sf_tmem_layout, tcgen05_atom_layout, tmem_datapath_layout, tmem_mma_operand_layout,
        to_psum, trainium, wg_local_layout,
    },
};
use serde_json::{Map, Value as Json, json};

use super::{described, ints, is, must, placement, python};
use crate::error::{Error, Result};

/// The function of a constructor, and its parameters as Python declares them. An alternative name
/// of a parameter follows after `|`.
struct Constructor {
    name: &'static str,
    parameters: &'static str,
    make: fn(&Bound) -> Result<Json>,
}

const fn constructor(
    name: &'static str,
    parameters: &'static str,
    make: fn(&Bound) -> Result<Json>,
) -> Constructor {
    Constructor { name, parameters, make }
}

const CONSTRUCTORS: &[Constructor] = &[
    constructor("from_layout", "layout", |a| {
        Ok(described(&is(Placement::from_layout(&a.layout("layout")?))?))
    }),
    constructor("from_linear", "linear", |a| {
        let linear: LinearLayout = a.text("linear")?.parse().map_err(|e| wrong("linear", e))?;
        Ok(described(&is(Placement::from_linear(&linear))?))
    }),
    constructor("to_linear", "self|layout, shape", |a| {
        Ok(json!(is(a.placement("self")?.to_linear(&a.ints("shape")?))?.to_string()))
    }),
    constructor("from_thread_value", "tv, shape, thr_id=null, tx=false", |a| {
        let (tv, shape) = (a.layout("tv")?, a.ints("shape")?);
        let threads = if a.truth("tx")? { Threads::Block } else { Threads::LanesAndWarps };
        Ok(described(&is(from_thread_value(&tv, &a.thr_id(&tv)?, &shape, threads))?))
    }),
    constructor("to_thread_value", "self|layout, shape, thr_id=\"32:1\"", |a| {
        let thr_id = a.layout("thr_id")?;
        Ok(json!(is(to_thread_value(&a.placement("self")?, &thr_id, &a.ints("shape")?))?.to_string()))
    }),
    constructor("from_tensor_memory", "tensor, bits=32", |a| {
        Ok(described(&is(from_tensor_memory(&a.layout("tensor")?, a.int("bits")?))?))
    }),
    constructor("to_tensor_memory", "self|layout, shape, bits=32", |a| {
        let place = is(to_tensor_memory(&a.placement("self")?, &a.ints("shape")?, a.int("bits")?))?;
        Ok(json!({"offset": place.0, "layout": place.1.to_string()}))
    }),
    constructor("from_shared_memory", "tensor, bits", |a| {
        let layout = parse_layout_or_composed(a.text("tensor")?).map_err(|e| wrong("tensor", e))?;
        let layout = layout.to_const().ok_or_else(|| must("tensor", "static"))?;
        Ok(described(&is(from_shared_memory(&layout, a.int("bits")?))?))
    }),
    constructor("to_shared_memory", "self|layout, shape, bits", |a| {
        let place = to_shared_memory(&a.placement("self")?, &a.ints("shape")?, a.int("bits")?);
        Ok(json!(is(place)?.to_string()))
    }),
    constructor(
        "ComposeLayout",
        "per_element, swizzle_len, atom_len, tile_layout|tile, swizzle_inner=true",
        |a| {
            let [m, b, s] = [a.int("per_element")?, a.int("swizzle_len")?, a.int("atom_len")?];
            let swizzle = is(StorageSwizzle::new(m, b, s, a.truth("swizzle_inner")?))?;
            Ok(described(&is(a.placement("tile_layout")?.swizzled(swizzle))?))
        },
    ),
    constructor("tmem_datapath_layout", "datapath|letter, rows, cols, sub_slab=0", |a| {
        let path = a.named("datapath")?;
        made(tmem_datapath_layout(path, a.int("rows")?, a.int("cols")?, a.int("sub_slab")?))
    }),
    constructor(
        "tmem_mma_operand_layout",
        "operand, shape, dtype=null, M, cta_group, ws=false, sparse=false, group=null",
        |a| {
            let operand = a.named("operand")?;
            if a.has("dtype") {
                a.bits()?;
            }
            let (m, cta_group) = (a.int("M")?, a.int("cta_group")?);
            let mma = TmemMma { m, cta_group, ws: a.truth("ws")?, sparse: a.truth("sparse")? };
            let group = if a.has("group") { Some(a.ints("group")?) } else { None };
            made(tmem_mma_operand_layout(operand, &a.ints("shape")?, mma, group.as_deref()))
        },
    ),
    constructor("tcgen05_atom_layout", "instr_shape, tensor_shape|shape, dtype", |a| {
        let atom = a.named("instr_shape")?;
        made(tcgen05_atom_layout(atom, &a.ints("tensor_shape")?, a.bits()?))
    }),
    constructor("wg_local_layout", "cols, rows=128", |a| {
        made(wg_local_layout(a.int("cols")?, a.int("rows")?))
    }),
    constructor("mma_atom_layout", "dtype, swizzle_mode|mode", |a| {
        made(mma_atom_layout(a.bits()?, a.mode()?))
    }),
    constructor("mma_atom_shape", "dtype, swizzle_mode|mode, shape=null", |a| {
        let shape = if a.has("shape") { Some(a.ints("shape")?) } else { None };
        Ok(json!(mma_atom_shape(a.bits()?, a.mode()?, shape.as_deref()).map_err(refused)?))
    }),
    constructor("mma_shared_layout", "dtype, swizzle_mode|mode, shape", |a| {
        made(mma_shared_layout(a.bits()?, a.mode()?, &a.ints("shape")?))
    }),
    constructor("sf_tmem_layout", SCALES, |a| made(sf_tmem_layout(a.scales()?))),
    constructor("sf_smem_layout", SCALES, |a| made(sf_smem_layout(a.scales()?))),
    constructor("trainium", "annotation, shape, is_psum=false", |a| {
        let tensor = trainium(a.text("annotation")?, &a.ints("shape")?);
        made(if a.truth("is_psum")? { tensor.and_then(|tensor| to_psum(&tensor)) } else { tensor })
    }),
    constructor("to_psum", "self|layout", |a| made(to_psum(&a.placement("self")?))),
    constructor("is_trainium", "self|layout", |a| {
        Ok(json!(is_trainium(&a.placement("self")?).map_err(refused)?))
    }),
];

const SCALES: &str = "rows, SF_K, sf_per_mma, sf_reuse=1, pipe_depth=null";

fn wrong(key: &str, error: ParseError) -> Error {
    Error::Named { name: key.to_string(), error: Box::new(Error::Request(error.to_string())) }
}

fn refused(error: ConstructorError) -> Error {
    Error::Request(error.to_string())
}

fn made(placement: std::result::Result<Placement, ConstructorError>) -> Result<Json> {
    Ok(described(&placement.map_err(refused)?))
}

/// Runs the constructor with that name, with or without a class in front of it; `None` if there is
/// no such constructor.
pub fn construct(op: &str, list: &[Json], named: &Map<String, Json>) -> Option<Result<Json>> {
    let name = op.rsplit('.').next()?;
    let constructor = CONSTRUCTORS.iter().find(|constructor| constructor.name == name)?;
    Some(Bound::new(constructor, list, named).and_then(|bound| (constructor.make)(&bound)))
}

/// The parameters of the constructor with that name.
pub fn parameters(name: &str) -> Option<&'static str> {
    CONSTRUCTORS.iter().find(|constructor| constructor.name == name).map(|known| known.parameters)
}

/// Whether there is a constructor with that name, without a class in front of it.
pub fn is_constructor(name: &str) -> bool {
    CONSTRUCTORS.iter().any(|constructor| constructor.name == name)
}

/// Evaluates a call in Python syntax, and returns the result as text.
pub fn called(call: &Json) -> Result<Json> {
    let text = call.as_str().ok_or_else(|| must("call", "text"))?;
    let mut made: Option<Json> = None;
    for call in python::calls(text)? {
        // A method takes its object as the first argument.
        let name = &call.name;
        let list: Vec<Json> = made.into_iter().chain(call.list).collect();
        let names = || CONSTRUCTORS.iter().map(|known| known.name).collect::<Vec<_>>().join(", ");
        let unknown =
            || Error::Request(format!("'{name}' is not a constructor; the constructors are {}", names()));
        let result = construct(name, &list, &call.named).ok_or_else(unknown)??;
        made = Some(result.get("notation").cloned().unwrap_or(result));
    }
    Ok(made.unwrap_or_default())
}

/// The arguments of a constructor, each with the value that it has.
struct Bound {
    values: Map<String, Json>,
}

impl Bound {
    fn new(constructor: &Constructor, list: &[Json], named: &Map<String, Json>) -> Result<Self> {
        let Constructor { name, parameters, .. } = constructor;
        let error = |why: String| Err(Error::Request(format!("{name}({parameters}): {why}")));
        let (list, last) = match list.split_last() {
            Some((Json::Object(last), list)) => (list, Some(last)),
            _ => (list, None),
        };
        let (mut list, mut values) = (list.iter(), Map::new());
        let mut named: Map<String, Json> =
            named.iter().chain(last.into_iter().flatten()).map(|(k, v)| (k.clone(), v.clone())).collect();
        for parameter in parameters.split(", ") {
            let (names, default) = parameter.split_once('=').map_or((parameter, None), |(n, d)| (n, Some(d)));
            let own = names.split('|').next().unwrap_or_default();
            let by_name = names.split('|').find_map(|name| named.remove(name));
            let value = match (list.next(), by_name) {
                (Some(_), Some(_)) => return error(format!("two arguments '{own}'")),
                (Some(value), None) => value.clone(),
                (None, Some(value)) => value,
                (None, None) => match default.map(serde_json::from_str) {
                    Some(Ok(value)) => value,
                    _ => return error(format!("the argument '{own}' is missing")),
                },
            };
            values.insert(own.to_string(), value);
        }
        if let Some((name, _)) = named.iter().next() {
            return error(format!("there is no parameter '{name}'"));
        }
        match list.next() {
            Some(value) => error(format!("{value} is one argument too many")),
            None => Ok(Self { values }),
        }
    }

    fn get(&self, key: &str) -> &Json {
        self.values.get(key).unwrap_or(&Json::Null)
    }

    fn has(&self, key: &str) -> bool {
        !self.get(key).is_null()
    }

    fn int(&self, key: &str) -> Result<i64> {
        self.get(key).as_i64().ok_or_else(|| must(key, "an integer of 64 bits"))
    }

    fn ints(&self, key: &str) -> Result<Vec<i64>> {
        ints(key, self.get(key))
    }

    fn truth(&self, key: &str) -> Result<bool> {
        self.get(key).as_bool().ok_or_else(|| must(key, "true or false"))
    }

    fn text(&self, key: &str) -> Result<&str> {
        self.get(key).as_str().ok_or_else(|| must(key, "text"))
    }

    fn placement(&self, key: &str) -> Result<Placement> {
        placement(key, self.get(key))
    }

    fn layout(&self, key: &str) -> Result<Layout<i64>> {
        let layout = parse_layout(self.text(key)?).map_err(|error| wrong(key, error))?;
        layout.to_const().ok_or_else(|| must(key, "static"))
    }

    /// The map from the threads of `tv` to lanes; by default, the identity on that number of lanes.
    fn thr_id(&self, tv: &Layout<i64>) -> Result<Layout<i64>> {
        if self.has("thr_id") {
            return self.layout("thr_id");
        }
        let threads = is(tv.mode(0).and_then(|threads| product(threads.shape().view())))?;
        is(Layout::scalar(threads, Stride::int(1)))
    }

    /// The argument with this name.
    fn named<T: FromStr<Err = ConstructorError>>(&self, key: &str) -> Result<T> {
        self.text(key)?.parse().map_err(refused)
    }

    /// The number of bits of an element. `dtype` is the name of a type or the number itself.
    fn bits(&self) -> Result<i64> {
        let dtype = self.get("dtype");
        if let Some(bits) = dtype.as_i64() {
            return Ok(bits);
        }
        let bits = dtype.as_str().and_then(bits_of);
        bits.ok_or_else(|| {
            must("dtype", &format!("a type such as float16, int8 or float8_e4m3fn, or its bits, not {dtype}"))
        })
    }

    /// A swizzle mode, given by its number or by its name here, in CuTe or in TIRx.
    fn mode(&self) -> Result<SmemSwizzle> {
        let mode = self.get("swizzle_mode");
        let name = mode.as_i64().map(|n| n.to_string()).or_else(|| mode.as_str().map(str::to_string));
        let name = name.unwrap_or_default();
        let name = name.trim_start_matches("SwizzleMode.").trim_start_matches("SWIZZLE_");
        Ok(match name.trim_end_matches("_ATOM") {
            "0" | "NONE" => SmemSwizzle::Interleave,
            "1" | "32B" => SmemSwizzle::B32,
            "2" | "64B" => SmemSwizzle::B64,
            "3" | "128B" => SmemSwizzle::B128,
            other => other.parse().map_err(|_| {
                must("swizzle_mode", &format!("0, 1, 2, 3 or NONE, 32B, 64B, 128B, not {mode}"))
            })?,
        })
    }

    fn scales(&self) -> Result<Scales> {
        Ok(Scales {
            rows: self.int("rows")?,
            sf_k: self.int("SF_K")?,
            sf_per_mma: self.int("sf_per_mma")?,
            sf_reuse: self.int("sf_reuse")?,
            pipe_depth: if self.has("pipe_depth") { Some(self.int("pipe_depth")?) } else { None },
        })
    }
}

/// The number of bits of a type, by its name: `float8_e4m3fn` has 8.
fn bits_of(dtype: &str) -> Option<i64> {
    if dtype == "bool" {
        return Some(8);
    }
    let kind = ["bfloat", "float", "uint", "int"].into_iter().find_map(|kind| dtype.strip_prefix(kind))?;
    let (bits, format) = kind.split_once('_').map_or((kind, ""), |(bits, format)| (bits, format));
    let plain = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric());
    bits.parse().ok().filter(|bits| (1..=128).contains(bits) && plain(format))
}
