//! Matrices of `tcgen05.mma` in tensor memory, which has 128 lanes of 512 columns of 32 bits. An
//! offset counts elements; a lane is 2^16 words.

use crate::atoms::{Broadcast, CopyAtom, CopyInstruction, MmaAtom, Space, TmemFill};
use cute_algebra::{
    Int, Layout, MmaOperand, Stride, TiledCopy, TiledMma, Tiler, Tuple, coalesce, composition,
    error::{Error, Result},
    make_layout, product, size, upcast,
};

/// The use of the lanes that a matrix of 64 rows leaves free.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TmemAlloc {
    /// The next matrix is placed there.
    Interleaved,
    /// They stay free.
    NonInterleaved,
    /// They hold the same rows again.
    Duplicated,
}

impl TmemAlloc {
    /// The allocation of an A in tensor memory: each CTA of a `pair` needs it in both halves of the
    /// lanes.
    pub fn of_a(pair: bool) -> Self {
        if pair { Self::Duplicated } else { Self::NonInterleaved }
    }

    /// The allocation of C. Beside an A of one CTA that is in tensor memory too (`with_a`), nothing
    /// is interleaved.
    pub fn of_c(pair: bool, with_a: bool) -> Self {
        if with_a && !pair { Self::NonInterleaved } else { Self::Interleaved }
    }
}

/// Lanes of the tensor memory of a CTA.
pub const LANES: i64 = 128;
/// Columns of a CTA's tensor memory, of 32 bits in each lane.
pub const COLUMNS: i64 = 512;
/// The smallest number of columns that can be allocated.
pub const LEAST_COLUMNS: i64 = 32;
/// Its capacity in bits.
const CAPACITY_BITS: i64 = LANES * COLUMNS * 32;

/// Checks that this number of columns can be allocated or freed at once.
///
/// ```
/// use cute_arch::tmem::check_columns;
/// assert!(check_columns(64).is_ok());
/// let why = check_columns(96).unwrap_err();
/// assert_eq!(why, "96 columns cannot be allocated: it takes a power of two from 32 to 512");
/// ```
pub fn check_columns(columns: i64) -> std::result::Result<(), String> {
    match (LEAST_COLUMNS..=COLUMNS).contains(&columns) && columns.count_ones() == 1 {
        true => Ok(()),
        false => Err(format!(
            "{columns} columns cannot be allocated: it takes a power of two from {LEAST_COLUMNS} to {COLUMNS}"
        )),
    }
}

/// The layout of a fragment `((M,N),RestM,RestN,..)` of elements of `bits`, each in `storage_bits`,
/// in the tensor memory of a CTA that multiplies alone or in a `pair`.
///
/// ```text
/// M = 128          (128,N):(lane,c)
/// M = 64, alone    ((16,4),N):((lane,32*lane),c)
/// M = 64, of a pair (64,(N/2,2)):(lane,(c,64*lane)), duplicated (128,N):(lane,c)
/// M = 32, of a pair (32,(N/4,4)):(lane,(c,32*lane))
/// ```
///
/// where c is storage_bits / bits. Further matrices follow in columns; interleaved ones first fill
/// the lanes in between. A CTA alone has nothing to duplicate, a pair leaves no lanes free, and 32
/// rows are not duplicated.
///
/// ```
/// use cute_algebra::parse_shape;
/// use cute_arch::tmem::{TmemAlloc, fragment};
/// let shape = parse_shape("((64,128),2,2)").unwrap().to_const().unwrap();
/// let c = fragment(&shape, 32, 32, TmemAlloc::Interleaved, false)?;
/// assert_eq!(c.to_string(), "(((16,4),128),2,2):(((65536,2097152),1),1048576,128)");
/// # Ok::<(), cute_algebra::Error>(())
/// ```
pub fn fragment(
    shape: &Tuple<i64>,
    bits: i64,
    storage_bits: i64,
    alloc: TmemAlloc,
    pair: bool,
) -> Result<Layout<i64>> {
    if ![4, 8, 16, 32].contains(&bits) || storage_bits > 32 || storage_bits % bits != 0 || storage_bits < bits
    {
        return fail(format!("elements of {bits} b in {storage_bits} b do not fill words of 32"));
    }
    let (lane, step) = (lane_stride(bits), storage_bits / bits);
    let one = shape.mode(0).map(|mode| mode.modes().map(product).collect::<Result<Vec<_>>>()).transpose()?;
    let Some(&[m, n]) = one.as_deref().filter(|_| !shape.is_leaf()) else {
        return fail(format!("{shape} is not ((M,N),RestM,RestN,..)"));
    };
    let refused = match (pair, alloc) {
        (false, TmemAlloc::Duplicated) => Some("rows are duplicated for a pair of CTAs only"),
        (true, TmemAlloc::NonInterleaved) => {
            Some("a pair of CTAs leaves no lanes free: interleaved or duplicated")
        }
        (true, TmemAlloc::Duplicated) if m == 32 => Some("32 rows are not duplicated"),
        _ => None,
    };
    if let Some(why) = refused {
        return fail(format!("{m} x {n}: {why}"));
    }
    let needed = product(shape.view())?.mul(&storage_bits)?;
    if needed > CAPACITY_BITS {
        return fail(format!(
            "{shape} of {storage_bits} b takes {needed} b, but tensor memory has {CAPACITY_BITS} b: {LANES} \
             lanes of {COLUMNS} columns"
        ));
    }
    let twice = pair && m == 64 && alloc == TmemAlloc::Duplicated;
    let parts = if pair && !twice { 128 / m.max(1) } else { 1 };
    let (rows, columns) = match (pair, m) {
        (_, 128) => (leaf(128, lane)?, leaf(n, step)?),
        (false, 64) => (two((16, lane), (4, 32 * lane))?, leaf(n, step)?),
        (true, 64) if twice => (leaf(128, lane)?, leaf(n, step)?),
        (true, 64 | 32) if n % parts == 0 => (leaf(m, lane)?, two((n / parts, step), (parts, m * lane))?),
        _ => {
            return fail(format!(
                "{m} x {n}: a single CTA has 64 or 128 rows; a CTA of a pair has 32, 64 or 128, and 128 / rows must divide N"
            ));
        }
    };
    let next = (n / parts).mul(&step)?;
    let places = match (pair, m, alloc) {
        (false, 64, TmemAlloc::Interleaved) => two((2, 16 * lane), (LAST, next))?,
        _ => leaf(LAST, next)?,
    };
    repeated(Layout::from_modes([rows, columns]), shape, places)
}

/// The layout of C of shape `tile`, which one CTA has, or a pair: the [`fragment`] of the part that
/// a tiling of this atom takes.
pub fn accumulator(atom: &MmaAtom, mma: &TiledMma, tile: &Tuple<i64>) -> Result<Layout<i64>> {
    let pair = atom.instruction.ctas == 2;
    let alloc = TmemAlloc::of_c(pair, atom.a.from == Space::Tensor);
    fragment(&mma.partition_shape(MmaOperand::C, tile)?, atom.c.bits.into(), 32, alloc, pair)
}

/// The layout of one-byte scales `((MN,(vector,K)),RestMN,RestK,..)`, one for each `vector`
/// elements. 32 lanes hold them, and the other lanes hold copies. If a pair multiplies by B and has
/// 128 rows (`two_by_two`), the copies come two by two.
///
/// ```text
/// (((32,MN/32),4),(vector,K)):(((lane,4),32*lane),(0,1))
/// (((32,MN/64),2,2),(vector,K)):(((lane,4),64*lane,32*lane),(0,1))    two by two
/// ```
///
/// A column holds four of K; the others follow in it, then in further columns.
///
/// ```
/// use cute_algebra::parse_shape;
/// use cute_arch::tmem::scale_fragment;
/// let shape = parse_shape("((128,(32,2)),2,2)").unwrap().to_const().unwrap();
/// let scales = scale_fragment(&shape, false)?;
/// assert_eq!(scales.to_string(), "((((32,4),4),(32,2)),2,2):((((262144,4),8388608),(0,1)),2,16)");
/// # Ok::<(), cute_algebra::Error>(())
/// ```
pub fn scale_fragment(shape: &Tuple<i64>, two_by_two: bool) -> Result<Layout<i64>> {
    let part = |path: &[usize]| shape.get(path).and_then(|part| part.as_leaf().copied());
    let (Some(mn), Some(vector), Some(k)) = (part(&[0, 0]), part(&[0, 1, 0]), part(&[0, 1, 1])) else {
        return fail(format!("{shape} is not ((MN,(vector,K)),RestMN,RestK,..)"));
    };
    let lanes = if two_by_two { 64 } else { 32 };
    if mn < 1 || mn % lanes != 0 || ![1, 2, 4].contains(&k) {
        return fail(format!("{mn} x {k} scales: MN must be a multiple of {lanes}, and K must be 1, 2 or 4"));
    }
    let lane = (1 << 16) * 4;
    let columns = mn / lanes;
    let own = two((32, lane), (columns, 4))?;
    let copies =
        if two_by_two { vec![leaf(2, 64 * lane)?, leaf(2, 32 * lane)?] } else { vec![leaf(4, 32 * lane)?] };
    let rows = Layout::from_modes([own].into_iter().chain(copies));
    let one = Layout::from_modes([rows, two((vector, 0), (k, 1))?]);
    repeated(one, shape, two((4 / k, k), (LAST, 4 * columns))?)
}

/// `make_tmem_copy`: four warps, each at the same place of its own 32 lanes, copy a tensor of
/// elements of `bits` whose layout in tensor memory is `tensor`. `make_s2t_copy`, for an atom that
/// reads shared memory: each CTA copies at the same place.
///
/// ```
/// use cute_algebra::parse_layout;
/// use cute_arch::{atoms::CopyAtom, tmem::tmem_copy};
/// let load = CopyAtom::by_name("SM100_TMEM_LOAD_32dp32b16x").unwrap();
/// let c = parse_layout("((128,128),1,1):((65536,1),0,0)").unwrap().to_const().unwrap();
/// let copy = tmem_copy(load, 32, &c)?;
/// assert_eq!(copy.tiler().to_string(), "[(64,32):(32,1);1:0;1:0]");
/// assert_eq!(copy.tv().to_string(), "((32,4),(16,32)):((0,1),(4,64))");
/// # Ok::<(), cute_algebra::Error>(())
/// ```
pub fn tmem_copy(atom: &CopyAtom, bits: i64, tensor: &Layout<i64>) -> Result<TiledCopy> {
    let Some(memory) = &atom.tensor_memory else {
        return fail(format!("{} does not touch tensor memory", atom.name));
    };
    if ![4, 8, 16, 32].contains(&bits) {
        return fail(format!("elements of {bits} b do not fill words of 32"));
    }
    fits(bits, tensor)?;
    let threads = match atom.instruction {
        CopyInstruction::TmemCopy(TmemFill { lanes: 4, .. }) => {
            return fail(format!(
                "{} refreshes some lanes of a tensor and cannot copy a whole tensor; call the atom instead of a tiled copy",
                atom.name
            ));
        }
        CopyInstruction::TmemCopy(fill) => leaf(fill.ctas.into(), 0)?,
        _ => two((32, 0), (4, 32 * lane_stride(bits)))?,
    };
    let values = coalesce(&upcast(memory, bits)?)?;
    TiledCopy::cotiled(atom.layouts(bits)?, &Layout::from_modes([threads, values]), tensor)
}

/// Why elements of shared memory are not those of a call of `tcgen05.cp`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the message explains each field")]
pub enum NoFill {
    #[error(transparent)]
    Algebra(#[from] Error),
    #[error(
        "the atom reads {lanes} lanes once and writes them {times} times, so repetitions in the source must have stride 0, found {again}"
    )]
    Repeated { lanes: u32, times: i64, again: Box<Layout<i64>> },
}

impl TmemFill {
    /// The (lanes, elements) of `bits` that an instruction reads, from all elements of a call in
    /// the order of its row: lanes and bits, in two halves if these go to different lanes, then
    /// repetitions.
    ///
    /// ```
    /// use cute_algebra::parse_layout;
    /// use cute_arch::atoms::{Broadcast, TmemFill};
    /// let fill = |broadcast| TmemFill { lanes: 64, bits: 128, broadcast, ctas: 1 };
    /// let of = |broadcast, text: &str| {
    ///     let first = parse_layout(text).unwrap().to_const().unwrap();
    ///     fill(broadcast).taken(8, &first).map(|tile| tile.to_string())
    /// };
    /// let halves = "(32,16,2,2):(16,1,512,0)";
    /// assert_eq!(of(Broadcast::Lw0123, halves).unwrap(), "(64,16):(16,1)");
    /// let other = of(Broadcast::Lw0123, "(32,16,2,2):(16,1,512,1024)").unwrap_err();
    /// assert!(other.to_string().ends_with("must have stride 0, found 2:1024"));
    /// ```
    ///
    /// # Errors
    /// [`NoFill`].
    pub fn taken(self, bits: i64, first: &Layout<i64>) -> std::result::Result<Layout<i64>, NoFill> {
        let Self { lanes, .. } = self;
        let (all, values) = (i64::from(lanes), i64::from(self.bits) / bits);
        let halves = if self.broadcast == Broadcast::Lw0123 { 2 } else { 1 };
        let times = size(first)? / (all * values).max(1);
        let shape = Tuple::from_leaves([all / halves, values, halves, times]);
        let parts = composition(first, &Tiler::Layout(make_layout(&shape)?))?;
        let again = parts.mode(3)?;
        if times > 1 && again.flat().any(|(extent, stride)| *extent > 1 && !stride.is(0)) {
            return Err(NoFill::Repeated { lanes, times, again: again.into() });
        }
        let read = coalesce(&Layout::from_modes([parts.mode(0)?, parts.mode(2)?]))?;
        Ok(Layout::from_modes([read, parts.mode(1)?]))
    }
}

/// The columns that a tensor of elements of `bits` takes: CUTLASS's `find_tmem_tensor_col_offset`.
///
/// ```
/// use cute_algebra::parse_layout;
/// use cute_arch::tmem::columns_of;
/// let scales = parse_layout("((((32,4),4),(32,2)),1,(2,2)):((((262144,4),8388608),(0,1)),0,(2,16))");
/// assert_eq!(columns_of(8, &scales.unwrap().to_const().unwrap()), 8);
/// ```
pub fn columns_of(bits: i64, tensor: &Layout<i64>) -> i64 {
    reached(bits, tensor)[1]
}

/// The word by which instructions name the place of an element of `bits` at this offset: the column
/// in the lower 16 bits, the lane above it, and the place within the column at the top.
///
/// ```
/// use cute_arch::tmem::address;
/// assert_eq!(address(8, 262144 + 4 + 3), 0xc001_0001); // byte 3 of column 1 in lane 1
/// assert_eq!(address(32, 65536 + 1), 0x0001_0001);
/// ```
pub fn address(bits: i64, offset: i64) -> u32 {
    (offset as u32).rotate_right((32 / bits).ilog2())
}

/// The numbers of lanes and columns that a tensor of elements of `bits` reaches.
fn reached(bits: i64, tensor: &Layout<i64>) -> [i64; 2] {
    let (lane, per_column) = (lane_stride(bits), 32 / bits);
    let (mut lanes, mut elements) = (0i64, 0i64);
    for (extent, stride) in tensor.flat() {
        let (steps, stride) = ((extent - 1).max(0), stride.as_static().unwrap_or(0).max(0));
        lanes = lanes.saturating_add(steps.saturating_mul(stride / lane));
        elements = elements.saturating_add(steps.saturating_mul(stride % lane));
    }
    [lanes.saturating_add(1), elements / per_column + 1]
}

/// Checks that a tensor of elements of `bits` stays within the existing lanes and columns.
fn fits(bits: i64, tensor: &Layout<i64>) -> Result<()> {
    let [lanes, columns] = reached(bits, tensor);
    match lanes <= LANES && columns <= COLUMNS {
        true => Ok(()),
        false => fail(format!(
            "{tensor} of elements of {bits} b reaches lane {} and column {}, but tensor memory has {LANES} \
             lanes of {COLUMNS} columns",
            lanes - 1,
            columns - 1
        )),
    }
}

/// The extent of an open-ended mode: more than any tensor memory has.
const LAST: i64 = 1 << 24;

/// `one`, and the rest modes of `shape` at `places`, first mode first.
fn repeated(one: Layout<i64>, shape: &Tuple<i64>, places: Layout<i64>) -> Result<Layout<i64>> {
    let rest = make_layout(&Tuple::from_modes(shape.modes().skip(1).map(|mode| mode.to_owned())))?;
    let others = composition(&places, &Tiler::Layout(rest))?;
    let others = others.modes().map(|mode| mode.to_owned()).collect::<Vec<_>>();
    Ok(Layout::from_modes([one].into_iter().chain(others)))
}

fn leaf(extent: i64, stride: i64) -> Result<Layout<i64>> {
    Layout::scalar(extent, Stride::int(stride))
}

fn two(a: (i64, i64), b: (i64, i64)) -> Result<Layout<i64>> {
    Ok(Layout::from_modes([leaf(a.0, a.1)?, leaf(b.0, b.1)?]))
}

/// The stride between adjacent lanes, in elements of 4 to 32 bits: an address has the lane in its
/// upper 16 bits.
pub fn lane_stride(bits: i64) -> i64 {
    (1 << 16) * (32 / bits)
}

fn fail<T>(why: String) -> Result<T> {
    Err(Error::Unsupported { what: "tensor-memory fragment", why })
}
