//! The functions of the typed builder that are not those of ops, by the names that Python calls
//! them by: arithmetic, values from text, what needs types that the builder computes, and what
//! takes several ops. The functions of ops are called by `cute_build::ops::call`, which is
//! generated from `td/`.

use cute_algebra::{AnyLayout, Coord, Dim, Layout, MmaOperand, Tile, Tuple};
use cute_arch::{Element, atoms::Major};
use cute_build::{
    At, Builder, GemmOperand, Input, IntPredicate, Value,
    atoms::{self, Cache, CopyAtom, MmaKind, MmaOptions},
    call::meant,
    ops::cute,
    types::{self, Space},
};
use cute_dialect::{atom::Frag, value::Value as Cute};
use cute_kernels::{
    barriers,
    tma::{Loads, SharedTile, Shares, TileBoxes},
};
use melior::ir::Type;

use super::{blackwell, machine, worker::Failure};

pub(crate) type Answer<T> = Result<T, Failure>;

pub fn number<T: std::str::FromStr>(text: &str) -> Answer<T> {
    text.parse().map_err(|_| format!("'{text}' is not a number here").into())
}

pub fn operand(text: &str) -> Answer<MmaOperand> {
    match text {
        "A" => Ok(MmaOperand::A),
        "B" => Ok(MmaOperand::B),
        "C" => Ok(MmaOperand::C),
        _ => Err(format!("'{text}' is not A, B or C").into()),
    }
}

/// A matrix, or the scale factors of one.
fn gemm_operand(text: &str) -> Answer<GemmOperand> {
    match GemmOperand::NAMED.into_iter().find(|one| one.name() == text) {
        Some(operand) => Ok(operand),
        None => Err(format!("'{text}' is not A, B, C, SFA or SFB").into()),
    }
}

pub fn major(text: &str) -> Answer<Major> {
    match text {
        "k" => Ok(Major::K),
        "mn" => Ok(Major::Mn),
        _ => Err(format!("a major is \"k\" or \"mn\", not \"{text}\"").into()),
    }
}

fn predicate(text: &str) -> Answer<IntPredicate> {
    Ok(match text {
        "==" => IntPredicate::Eq,
        "!=" => IntPredicate::Ne,
        "<" => IntPredicate::Slt,
        "<=" => IntPredicate::Sle,
        ">" => IntPredicate::Sgt,
        ">=" => IntPredicate::Sge,
        _ => return Err(format!("there is no comparison '{text}'").into()),
    })
}

/// A copy atom: its kind, the type of its elements, and its numbers.
fn copy_atom<'c>(b: &Builder<'c>, texts: &[&str]) -> Answer<CopyAtom<'c>> {
    let elem = |text: &str| b.parse_type(text);
    Ok(match texts {
        ["universal", t, bits] => atoms::universal_copy(elem(t)?, number(bits)?)?,
        ["cp_async", t, bits, cache] => {
            let cache = if *cache == "always" { Cache::Always } else { Cache::Global };
            atoms::cp_async(elem(t)?, cache, number(bits)?)?
        }
        ["ldmatrix", t, matrices, order] => atoms::ldmatrix(elem(t)?, number(matrices)?, *order == "t")?,
        ["stmatrix", t, matrices, order] => atoms::stmatrix(elem(t)?, number(matrices)?, *order == "t")?,
        ["tmem_load", t, lanes, bits, repeats] => {
            atoms::tmem_load(elem(t)?, [number(lanes)?, number(bits)?, number(repeats)?])?
        }
        ["tmem_store", t, lanes, bits, repeats] => {
            atoms::tmem_store(elem(t)?, [number(lanes)?, number(bits)?, number(repeats)?])?
        }
        _ => return Err(format!("there is no copy atom {}", texts.join(" ")).into()),
    })
}

/// The scale factors of an MMA: their element, and the elements of K that share one; none for an
/// empty name.
pub fn scale(element: &str, vector: &str) -> Answer<Option<(Element, i64)>> {
    if element.is_empty() {
        return Ok(None);
    }
    Ok(Some((mlir_element(element)?, number(vector)?)))
}

/// A tiled MMA: kind, M, N, K, the elements of A, B and C, the majors, where A is, the layout of
/// the atoms, the permutation, which may be empty, and scale factors.
fn mma<'c>(b: &Builder<'c>, state: &[Value<'c>], texts: &[&str]) -> Answer<Value<'c>> {
    let [kind, m, n, k, ea, eb, ec, ma, mb, place, layout, permutation, element, vector] = texts else {
        return Err("an MMA has fourteen parts".into());
    };
    let scale = scale(element, vector)?;
    let kind = match *kind {
        "fma" => MmaKind::UniversalFma,
        "mma_sync" if scale.is_some() => MmaKind::Sm120Scaled,
        "mma_sync" => MmaKind::Sm80,
        "wgmma" => MmaKind::Sm90,
        _ => return Err(format!("there is no kind of MMA '{kind}'").into()),
    };
    let elems = [b.parse_type(ea)?, b.parse_type(eb)?, b.parse_type(ec)?];
    let frag = if *place == "registers" { Frag::Rs } else { Frag::Ss };
    let options = MmaOptions { majors: (major(ma)?, major(mb)?), frag, scale, ..MmaOptions::default() };
    let atom = atoms::mma(kind, [number(m)?, number(n)?, number(k)?], elems, options)?;
    let tiled = match *permutation {
        "" => atoms::plain_mma(atom, *layout)?,
        permutation => atoms::tiled_mma(atom, *layout, permutation)?,
    };
    Ok(b.tiled_mma(&tiled, state)?)
}

/// A tile that the TMA moves: elements, rows, columns, major.
fn tma_tile(texts: &[&str]) -> Answer<SharedTile> {
    let [element, rows, columns, of_major] = texts else { return Err("a tile has four parts".into()) };
    let element: Element = mlir_element(element)?;
    Ok(SharedTile::new("a matrix", element, [number(rows)?, number(columns)?], major(of_major)?)?)
}

/// The element that has this name in MLIR.
pub fn mlir_element(text: &str) -> Answer<Element> {
    let name = match text {
        "f8E4M3FN" => "e4m3",
        "f8E5M2" => "e5m2",
        "f8E8M0FNU" => "ue8m0",
        "f4E2M1FN" => "e2m1",
        "i8" => "s8",
        other => other,
    };
    Ok(name.parse()?)
}

fn memory<'c>(
    b: &Builder<'c>,
    space: Space,
    element: &str,
    align: &str,
    swizzle: &str,
    layout: &str,
) -> Answer<Type<'c>> {
    let layout: AnyLayout<Dim> = layout.resolved()?;
    let pointer = types::pointer(b.parse_type(element)?, space).align(number(align)?);
    Ok(match swizzle {
        "" => pointer,
        swizzle => pointer.swizzle(swizzle.resolved()?),
    }
    .memref(layout)?)
}

/// The values that a function makes, in a list.
trait Made<'c> {
    fn made(self) -> Vec<Value<'c>>;
}

impl<'c> Made<'c> for () {
    fn made(self) -> Vec<Value<'c>> {
        Vec::new()
    }
}

impl<'c> Made<'c> for Value<'c> {
    fn made(self) -> Vec<Value<'c>> {
        vec![self]
    }
}

impl<'c, const N: usize> Made<'c> for [Value<'c>; N] {
    fn made(self) -> Vec<Value<'c>> {
        self.to_vec()
    }
}

/// `words! { b; "name" [values] [texts] => result, .. }` is the function [`call`] and the list of
/// its names. A name may have several lines.
macro_rules! words {
    ($b:ident; $($name:literal $values:pat, $texts:pat => $made:expr;)*) => {
        /// The names of all words.
        const WORDS: &[&str] = &[$($name),*];

        /// Calls a function of the builder.
        #[allow(clippy::too_many_lines, reason = "a table of one line per function")]
        pub fn call<'c>(
            $b: &Builder<'c>,
            word: &str,
            values: &[Value<'c>],
            texts: &[&str],
        ) -> Answer<Vec<Value<'c>>> {
            match (word, values, texts) {
                $(($name, $values, $texts) => Ok(Made::made($made)),)*
                _ => Err(unknown(word, values.len(), texts.len()).into()),
            }
        }
    };
}

/// The answer to a word that the table does not have.
fn unknown(word: &str, values: usize, texts: usize) -> String {
    if WORDS.contains(&word) {
        return format!("the word '{word}' of the builder does not take {values} values and {texts} texts");
    }
    let meant = meant(word, WORDS.iter().copied());
    format!("the builder has no word '{word}'{meant}")
}

words! { b;
    "add" &[x, y], [] => b.add(x, y)?;
    "sub" &[x, y], [] => b.sub(x, y)?;
    "mul" &[x, y], [] => b.mul(x, y)?;
    "div" &[x, y], [] => b.div(x, y)?;
    "rem" &[x, y], [] => b.rem(x, y)?;
    "div_unsigned" &[x, y], [] => b.div_unsigned(x, y)?;
    "rem_unsigned" &[x, y], [] => b.rem_unsigned(x, y)?;
    "min" &[x, y], [] => b.min(x, y)?;
    "max" &[x, y], [] => b.max(x, y)?;
    "and" &[x, y], [] => b.and(x, y)?;
    "or" &[x, y], [] => b.or(x, y)?;
    "xor" &[x, y], [] => b.xor(x, y)?;
    "shift_left" &[x, y], [] => b.shift_left(x, y)?;
    "shift_right" &[x, y], [] => b.shift_right(x, y)?;
    "compare" &[x, y], [how] => b.compare(predicate(how)?, x, y)?;
    "select" &[c, x, y], [] => b.select(c, x, y)?;
    "broadcast" &[x, like], [] => b.broadcast(x, like)?;
    "convert" &[x], [t] => b.convert(x, b.parse_type(t)?)?;
    "i32" [], [n] => b.i32(number(n)?)?;
    "truth" [], [n] => b.truth(*n == "1")?;
    "integer" [], [t, n] => b.number(b.parse_type(t)?, number(n)?)?;
    "float" [], [t, n] => b.float(b.parse_type(t)?, number(n)?)?;
    "register" [], [name] => b.register(name)?;
    "warp" &[thread], [] => barriers::warp(b, thread)?;

    // Values of the algebra, from their text.
    "layout" [], [t] => b.layout(*t)?;
    "composed_layout" [], [t] => match Input::<AnyLayout<Dim>>::resolved(*t)? {
        AnyLayout::Plain(layout) => b.layout(layout)?,
        AnyLayout::Composed(layout) => b.fixed(&Cute::ComposedLayout(layout))?,
    };
    "tile" [], [t] => b.tile(Input::<Tile<Dim>>::resolved(*t)?)?;
    "swizzle" [], [t] => b.swizzle(*t)?;
    "coord" leaves, [t] => b.make_coord(Input::<Coord<Dim>>::resolved(*t)?, leaves)?;
    "int_tuple" [], [t] => b.int_tuple(*t)?;
    "int_tuple" leaves, [t] => {
        cute::make_int_tuple(b, leaves, types::int_tuple(b.context(), Input::<Tuple<Dim>>::resolved(*t)?)?)?
    };
    "shape" [], [t] => b.shape(*t)?;
    "shape" leaves, [t] => {
        cute::make_shape(b, leaves, types::shape(b.context(), Input::<Tuple<Dim>>::resolved(*t)?)?)?
    };
    "stride" [], [t] => cute::r#static(b, types::stride(b.context(), t)?)?;
    "stride" leaves, [t] => cute::make_stride(b, leaves, types::stride(b.context(), t)?)?;

    // Ops whose types the builder computes.
    "inside_of" &[coordinates, shape], [] => b.inside_of(coordinates, shape)?;
    "load_fragment" &[copy, from], [] => b.load_fragment(copy, from, None)?;
    "load_fragment" &[copy, from, predicate], [] => b.load_fragment(copy, from, Some(predicate))?;
    "fragment_like" &[of], [] => b.fragment_like(of)?;
    "fill" &[of], [n] => b.fill(of, number(n)?)?;
    "add_offset" &[pointer, n], [] => b.add_offset(pointer, At::Value(n))?;
    "add_offset" &[pointer], [n] => b.add_offset(pointer, number::<i64>(n)?)?;
    "view_of" &[pointer, layout], [] => b.view_of(pointer, layout)?;
    "alloca" [], [element, align, swizzle, layout] => {
        b.alloca(memory(b, Space::Rmem, element, align, swizzle, layout)?)?
    };
    // The dynamic memory of a kernel that a host function launches, or else static memory.
    "shared" [], [how, element, align, swizzle, layout] => {
        shared(b, how, memory(b, Space::Smem, element, align, swizzle, layout)?)?
    };
    "shared_tile" [], [how, stages, tile @ ..] => {
        let stages = if stages.is_empty() { None } else { Some(number(stages)?) };
        shared(b, how, tma_tile(tile)?.view(b.context(), stages)?)?
    };

    // Atoms, tiled copies and MMAs.
    "copy_atom" [], parts => b.atom(copy_atom(b, parts)?)?;
    "tiled_copy" [], [how, threads, values, parts @ ..] => {
        let atom = copy_atom(b, parts)?;
        let (threads, values): (Layout<i64>, Layout<i64>) = (threads.resolved()?, values.resolved()?);
        machine::tiled_copy(b, how, atoms::tiled_copy(atom, threads, values)?)?
    };
    "tiled_copy_tv" [], [how, tv, tiler, parts @ ..] => {
        machine::tiled_copy(b, how, atoms::tiled_copy_tv(copy_atom(b, parts)?, *tv, *tiler)?)?
    };
    "mma" state, parts => mma(b, state, parts)?;
    "umma" places, parts => blackwell::umma(b, places, parts)?;
    "accumulating" &[mma, adds], [] => b.accumulating(mma, adds)?;
    "mma_fragment" &[mma, like], [which] => b.mma_fragment(mma, gemm_operand(which)?, like)?;
    "mma_descriptors" &[mma, part], [which] => b.mma_descriptors(mma, operand(which)?, part)?;
    "umma_descriptors" &[mma, memory], [which] => blackwell::descriptors(b, mma, operand(which)?, memory)?;
    "warpgroup_coord" &[group], [] => barriers::warpgroup_coord(b, group)?;

    // Tensor memory, and the scale factors there.
    "tensor_memory" [], [columns] => blackwell::word(b, number(columns)?)?;
    "tensor_pointer" &[address], [element] => blackwell::pointer(b, address, element)?;
    "tensor_fence" [], [when] => barriers::fence_tmem(b, when)?;
    "tensor_wait" [], [what] => barriers::wait_tmem(b, what)?;
    "scale_factors" &[mma, shared, first], parts => blackwell::scale_factors(b, mma, [shared, first], parts)?;
    "scale_factors_of" factors, [block] => blackwell::factors(factors)?.of_block(b, number(block)?)?;
    "copy_factors" &[ref factors @ .., stage], [] => blackwell::factors(factors)?.copy(b, stage)?;
    "bulk_load" &[from, to, barrier], [] => blackwell::bulk_load(b, from, to, barrier)?;

    // The TMA.
    "tma_load" &[tensor], [ctas, blocks, tile @ ..] => {
        let loads = Loads { pair: *ctas == "2", blocks: number(blocks)? };
        tma_tile(tile)?.describe_load(b, "load", tensor, loads)?
    };
    "tma_store" &[tensor], tile => tma_tile(tile)?.describe_store(b, "store", tensor)?;
    // The parts of several blocks of a cluster, of which this one has a rank, or whole tiles.
    "tma_partition" &[atom, memory, tiles, ref rank @ ..], [blocks] => {
        let boxes = match rank.first() {
            None => TileBoxes::new(b, "boxes", atom, memory, tiles)?,
            Some(rank) => {
                let shares = Shares { blocks: number(blocks)?, rank: *rank };
                TileBoxes::shared(b, "boxes", (atom, shares), memory, tiles)?
            }
        };
        [boxes.atom, boxes.tensor, boxes.memory]
    };
    "tma_prefetch" &[atom], [] => TileBoxes::prefetch(b, atom)?;
    // With a map of the kernel's own, or a mask of blocks, or both, in the order of their names.
    "tma_copy" &[atom, tensor, memory, barrier, ref more @ ..], names => {
        let own = |name| names.iter().position(|own| *own == name).map(|at| more[at]);
        TileBoxes { atom, tensor, memory, map: own("map") }.load(b, None, barrier, own("mask"))?;
    };
    "tma_copy_out" &[atom, tensor, memory, ref map @ ..], [] => {
        TileBoxes { atom, tensor, memory, map: map.first().copied() }.store(b)?;
    };
    "publish_map" &[map, copy], [] => machine::publish_map(b, map, copy)?;
    "commit_stores" [], [] => cute_kernels::tma::commit_stores(b)?;
    "wait_for_stores" [], [pending] => cute_kernels::tma::wait_for_stores(b, number(pending)?)?;

    // Barriers, fences and registers.
    "barrier_init" &[barrier], [n] => barriers::init_barrier(b, barrier, number(n)?)?;
    "barrier_wait" &[barrier, parity], [] => barriers::wait(b, barrier, parity)?;
    "barrier_arrive" &[barrier], [] => barriers::arrive(b, barrier)?;
    "barrier_arrive" &[barrier, block], [] => barriers::arrive_at(b, barrier, block)?;
    "barrier_wait_in_cluster" &[barrier, parity], [] => barriers::wait_in_cluster(b, barrier, parity)?;
    "barrier_publish" &[barrier, block], [] => barriers::publish_to(b, barrier, block)?;
    "barrier_expect" &[barrier], [bytes] => barriers::expect(b, barrier, number(bytes)?)?;
    "barrier_commit" &[barrier, ref mask @ ..], [ctas] => {
        barriers::commit(b, barrier, mask.first().copied(), number(ctas)?)?;
    };
    "named_barrier" &[id], [threads] => barriers::named_barrier(b, id, number(threads)?)?;
    "named_arrival" &[id], [threads] => barriers::named_arrival(b, id, number(threads)?)?;
    "warp_barrier" [], [] => barriers::warp_barrier(b)?;
    "cluster_barrier" [], [how] => barriers::cluster_barrier(b, *how == "publishes")?;
    "cluster_arrival" [], [how] => barriers::cluster_arrival(b, *how == "publishes")?;
    "cluster_wait" [], [] => barriers::cluster_wait(b)?;
    "fence_for_tma" [], [] => barriers::fence_for_tma(b)?;
    "registers" [], [action, count] => barriers::limit_registers(b, action, number(count)?)?;

    // Memory of LLVM, of other blocks of a cluster, and requests for tiles.
    "address" &[pointer], [] => machine::address(b, pointer)?;
    "load_there" &[pointer, block], [] => machine::load_there(b, pointer, block)?;
    "store_there" &[pointer, block, value], [] => machine::store_there(b, pointer, block, value)?;
    "store_async" &[pointer, block, value, barrier], [] => {
        machine::store_async(b, pointer, block, value, barrier)?;
    };
    "try_cancel" &[response, barrier], [how] => barriers::try_cancel(b, response, barrier, *how == "all")?;
    "query_cancel" &[response], [field, t] => barriers::query_cancel(b, response, field, b.parse_type(t)?)?;
}

/// Shared memory: `dynamic` is a part of what the launch provides, `static` is not, and `auto`
/// leaves the layout of static memory open.
fn shared<'c>(b: &Builder<'c>, how: &str, t: Type<'c>) -> Answer<Value<'c>> {
    Ok(match how {
        "dynamic" => b.alloca(t)?,
        _ => cute::memref_alloc_smem(b, None, false, how == "auto", None, t)?,
    })
}
