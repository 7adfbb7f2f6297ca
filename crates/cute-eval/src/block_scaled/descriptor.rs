//! Requests about instruction descriptors of `tcgen05.mma`.

use cute_arch::{
    Element,
    atoms::{
        DescribedScales, FORMAT_BITS, InstructionDescriptor, Major, Tcgen05Kind, descriptor_fields,
        with_scales_at,
    },
};
use serde_json::{Map, Value as Json, json};

use super::{
    global::major,
    hex,
    types::{Named, element},
};
use crate::{
    error::{Error, Result},
    inputs::{Inputs, wrong},
};

/// The code of a type that is set at run time.
const AT_RUN_TIME: u32 = 7;

fn extent(inputs: &Inputs<'_>, key: &str) -> Result<u32> {
    let value = inputs.integer(key)?;
    value.try_into().map_err(|_| wrong(key, format!("{value} does not fit 32 bits")))
}

/// The kind of instruction that multiplies A and B, among `kinds`.
fn kind_of(
    a: &Named<'_>,
    b: &Named<'_>,
    kinds: impl IntoIterator<Item = Tcgen05Kind>,
) -> Result<Tcgen05Kind> {
    let found = kinds.into_iter().find(|kind| a.is_read_by(*kind) && b.is_read_by(*kind));
    found.ok_or_else(|| {
        Error::Request(format!(
            "no kind of tcgen05.mma reads A {} and B {} as they are named",
            a.name, b.name
        ))
    })
}

/// The word of `fields`. Types that are set at run time have a code of their own.
fn word(fields: &InstructionDescriptor, kind: Tcgen05Kind, [a, b]: [&Named<'_>; 2]) -> Result<u32> {
    let word = fields.word(kind).ok_or_else(|| {
        let [m, n, _] = fields.shape;
        Error::Request(format!(
            "{} has no descriptor with M = {m}, N = {n} and the accumulator {}: M must be a multiple of 16 \
             below 512, N one of 8 below 512, and the accumulator one of the kind",
            kind.row().keyword,
            fields.d
        ))
    })?;
    let open = [a, b].map(|named| if named.element.is_none() { AT_RUN_TIME } else { 0 });
    Ok(word | open[0] << FORMAT_BITS[0] | open[1] << FORMAT_BITS[1])
}

/// The fields that all descriptors have, of A and B that no code stands for yet.
fn fields(
    inputs: &Inputs<'_>,
    kind: Tcgen05Kind,
    [a, b]: [&Named<'_>; 2],
    [a_major, b_major]: [Major; 2],
) -> Result<InstructionDescriptor> {
    let any = kind.row().formats[0].1;
    Ok(InstructionDescriptor {
        shape: [extent(inputs, "m")?, extent(inputs, "n")?, kind.k()],
        d: Element::F32,
        a: a.element.unwrap_or(any),
        b: b.element.unwrap_or(any),
        negate: [inputs.flag("a_negate")?, inputs.flag("b_negate")?],
        majors: [a_major, b_major],
        saturates: inputs.flag("saturate")?,
        max_shift: 0,
        scales: None,
    })
}

fn majors(inputs: &Inputs<'_>) -> Result<[Major; 2]> {
    Ok([major(inputs, "a_major")?, major(inputs, "b_major")?])
}

fn listed(word: u32, is_scaled: bool) -> Json {
    descriptor_fields(word, is_scaled)
        .map(|(name, value)| (name.to_owned(), json!(value)))
        .collect::<Map<_, _>>()
        .into()
}

/// The descriptor in the upper half of the word that CUTLASS passes; the lower half is the address
/// of the metadata of a sparse A.
fn with_metadata(word: u32) -> Json {
    json!(format!("{:#018x}", u64::from(word) << 32))
}

/// `instr_desc`: a descriptor without scale factors.
pub fn plain(inputs: &Inputs<'_>) -> Result<Json> {
    let (a, b) = (element(inputs, "a")?, element(inputs, "b")?);
    let kind = kind_of(&a, &b, Tcgen05Kind::ALL.into_iter().filter(|kind| !kind.is_scaled()))?;
    let d = inputs.text("c")?.parse::<Element>().map_err(|error| wrong("c", error))?;
    let max_shift = extent(inputs, "max_shift")?;
    if max_shift > 3 {
        return Err(wrong("max_shift", format!("{max_shift} is not one of 0, 1, 2 and 3")));
    }
    let fields = InstructionDescriptor { d, max_shift, ..fields(inputs, kind, [&a, &b], majors(inputs)?)? };
    let word = word(&fields, kind, [&a, &b])?;
    Ok(json!({
        "desc": hex(word),
        "fields": listed(word, false),
        "runtime_idesc_e": with_metadata(word),
    }))
}

/// The kind that a request names, or that A and B have if they are set at run time; and K.
fn scaled_kind(inputs: &Inputs<'_>, a: &Named<'_>, b: &Named<'_>) -> Result<(Tcgen05Kind, u32)> {
    let key = "instruction_kind";
    let text = inputs.text(key)?;
    let (name, k) = match text.split_once(" K=") {
        Some((name, k)) => (name, Some(k.parse::<u32>().map_err(|error| wrong(key, error))?)),
        None => (text, None),
    };
    let scaled = || Tcgen05Kind::ALL.into_iter().filter(|kind| kind.is_scaled());
    let kind = match scaled().find(|kind| kind.row().name == name) {
        Some(kind) => kind_of(a, b, [kind])?,
        None if a.element.is_none() || b.element.is_none() => kind_of(a, b, scaled())?,
        None => {
            let names: Vec<_> = scaled().map(|kind| kind.row().name).collect();
            return Err(wrong(key, format!("{name} is not one of {}", names.join(", "))));
        }
    };
    let k = k.unwrap_or(kind.k());
    match kind.has_k(k) {
        true => Ok((kind, k)),
        false => Err(wrong(key, format!("{name} does not have K = {k}"))),
    }
}

/// The word of a descriptor with scale factors, which begin at byte 0 of a column.
fn scaled_word(inputs: &Inputs<'_>, majors: [Major; 2]) -> Result<u32> {
    let (a, b) = (element(inputs, "a")?, element(inputs, "b")?);
    let (kind, k) = scaled_kind(inputs, &a, &b)?;
    let scale = inputs.text("sf")?.parse::<Element>().map_err(|error| wrong("sf", error))?;
    if !kind.row().scales.iter().any(|own| own.element == scale) {
        let legal: Vec<_> = kind.row().scales.iter().map(|own| own.element.name()).collect();
        return Err(wrong("sf", format!("{} takes {}, not {scale}", kind.row().keyword, legal.join(" or "))));
    }
    let fields = fields(inputs, kind, [&a, &b], majors)?;
    let scales =
        Some(DescribedScales { element: scale, first: [0; 2], count: kind.default_scales().unwrap_or(4) });
    let shape = [fields.shape[0], fields.shape[1], k];
    word(&InstructionDescriptor { shape, scales, ..fields }, kind, [&a, &b])
}

/// `instr_desc_block_scaled`: a descriptor with scale factors.
pub fn scaled(inputs: &Inputs<'_>) -> Result<Json> {
    let word = scaled_word(inputs, majors(inputs)?)?;
    Ok(json!({ "desc": hex(word), "fields": listed(word, true) }))
}

/// An address in tensor memory, as hexadecimal digits.
fn address(inputs: &Inputs<'_>, key: &str) -> Result<u32> {
    let text = inputs.text(key)?;
    let digits = text.strip_prefix("0x").and_then(|digits| u32::from_str_radix(digits, 16).ok());
    digits.ok_or_else(|| wrong(key, format!("{text} is not a word such as 0x80000004")))
}

/// `runtime_instr_desc_block_scaled`: a descriptor with the addresses of the scale factors.
pub fn with_addresses(inputs: &Inputs<'_>) -> Result<Json> {
    let word = scaled_word(inputs, [Major::K; 2])?;
    let wide = descriptor_fields(word, true).any(|field| field == ("k_size", 1));
    if extent(inputs, "k_size_bit")? != u32::from(wide) {
        return Err(wrong("k_size_bit", "this bit is 1 for K = 96 alone"));
    }
    if extent(inputs, "sparse_id2")? != 0 {
        return Err(wrong("sparse_id2", "this field is for sparse matrices, and must be 0"));
    }
    let addresses = [address(inputs, "tmem_sfa_addr")?, address(inputs, "tmem_sfb_addr")?];
    let word = with_scales_at(word, addresses);
    let ids: Map<_, _> = descriptor_fields(word, true)
        .filter(|(name, _)| name.ends_with("_sf_id"))
        .map(|(name, value)| (name.to_owned(), json!(value)))
        .collect();
    let mut object = Map::from_iter(ids);
    object.insert("desc".into(), hex(word));
    object.insert("idesc_e".into(), with_metadata(word));
    Ok(object.into())
}
