//! `tcgen05.cp`: shared memory to tensor memory. Types have the form
//! `<f8E8M0FNU, 32 DP, 128 bit, 1 cta, x4>`, or later `<f8E8M0FNU, num_dp = 32, num_bit = 128,
//! num_cta = 1, smem_major = k, broadcast = x4>`.

use cute_algebra::CopySide;
use cute_arch::{
    atoms::{self, Broadcast, CopyInstruction, TmemFill},
    smem::UNIT,
};
use cute_ffi::{
    syntax::{ParseResult, Parser},
    types::Kind,
};
use melior::ir::Type;

use super::{CopyEnd, CopyEnds, CopyFamily, bits_of_row, in_elements};
use crate::{
    atom::AtomError,
    space::Space,
    syntax::{element_type, one_of, positive, put, tokens},
};

/// The keywords of what arrives more than once.
const BROADCASTS: [(&str, Broadcast); 4] = [
    ("none", Broadcast::Nothing),
    ("lw_0213", Broadcast::Lw0213),
    ("lw_0123", Broadcast::Lw0123),
    ("x4", Broadcast::X4),
];

/// The keyword of what arrives more than once.
fn broadcast_name(broadcast: Broadcast) -> &'static str {
    BROADCASTS.iter().find(|(_, own)| *own == broadcast).expect("every broadcast has a keyword").0
}

/// A shape of tensor memory that is filled from shared memory.
#[derive(Debug, Clone, PartialEq)]
pub struct S2tCopy<'c> {
    /// Element type.
    pub elem: Type<'c>,
    /// Lanes of tensor memory that are given: CuTe's data paths.
    pub lanes: i64,
    /// Bits of a lane.
    pub bits: i64,
    /// CTAs that it fills tensor memory of.
    pub ctas: i64,
    /// The kind of repetition in tensor memory.
    pub broadcast: Broadcast,
    /// Whether K is contiguous in shared memory, if the type specifies it, as `sm100_s2t_copy_v2`
    /// does.
    pub k_major: Option<bool>,
}

impl S2tCopy<'_> {
    /// The copy of its row in the registry.
    pub fn fill(&self) -> Result<TmemFill, AtomError> {
        match self.entry()?.instruction {
            CopyInstruction::TmemCopy(fill) => Ok(fill),
            _ => unreachable!("the row is one of tcgen05.cp"),
        }
    }

    /// The row of the registry. If there is none, the error lists what exists.
    pub fn entry(&self) -> Result<&'static atoms::CopyAtom, AtomError> {
        let number = |n: i64| u32::try_from(n).ok();
        let fill = || {
            let (lanes, bits, ctas) = (number(self.lanes)?, number(self.bits)?, number(self.ctas)?);
            Some(TmemFill { lanes, bits, broadcast: self.broadcast, ctas })
        };
        fill().and_then(|fill| atoms::CopyAtom::of(CopyInstruction::TmemCopy(fill))).ok_or_else(|| {
            let text = |lanes: i64, bits: i64, broadcast: Broadcast| match broadcast {
                Broadcast::Nothing => format!("{lanes} DP, {bits} bit"),
                repeated => format!("{lanes} DP, {bits} bit, {}", broadcast_name(repeated)),
            };
            let shape = |atom: &atoms::CopyAtom| match atom.instruction {
                CopyInstruction::TmemCopy(TmemFill { lanes, bits, broadcast, ctas: 1 }) => {
                    Some(text(lanes.into(), bits.into(), broadcast))
                }
                _ => None,
            };
            let legal: Vec<_> = atoms::copy_atoms().iter().filter_map(shape).collect();
            let given = text(self.lanes, self.bits, self.broadcast);
            AtomError::NoInstruction {
                asked: format!("tcgen05.cp of {given}, {} cta", self.ctas),
                legal: format!(", of 1 or 2 cta, {}", legal.join("; ")),
            }
        })
    }
}

impl<'c> CopyFamily<'c> for S2tCopy<'c> {
    fn parse(p: &Parser<'c>, kind: Kind) -> Option<ParseResult<Self>> {
        match kind {
            Kind::S2tCopy => Some(parse(p)),
            Kind::Sm100S2tCopyV2 => Some(parse_named(p)),
            _ => None,
        }
    }

    fn print(&self, out: &mut String) {
        let Self { lanes, bits, ctas, broadcast, k_major, .. } = self;
        match k_major {
            None => put(out, format_args!(", {lanes} DP, {bits} bit, {ctas} cta")),
            Some(k) => {
                let major = if *k { "k" } else { "mn" };
                put(
                    out,
                    format_args!(
                        ", num_dp = {lanes}, num_bit = {bits}, num_cta = {ctas}, smem_major = {major}"
                    ),
                );
            }
        }
        if *broadcast != Broadcast::Nothing {
            let name = if k_major.is_some() { "broadcast = " } else { "" };
            put(out, format_args!(", {name}{}", broadcast_name(*broadcast)));
        }
    }

    fn kind(&self) -> Kind {
        if self.k_major.is_some() { Kind::Sm100S2tCopyV2 } else { Kind::S2tCopy }
    }

    fn elem(&self) -> Type<'c> {
        self.elem
    }

    fn row(&self) -> Option<Result<&'static atoms::CopyAtom, AtomError>> {
        Some(self.entry())
    }

    fn bits(&self) -> i64 {
        bits_of_row(self.entry(), CopySide::Dst)
    }

    fn rule(&self) -> Result<(), AtomError> {
        self.entry().map(|_| ())
    }

    fn ends(&self) -> Result<CopyEnds, AtomError> {
        let (src, dst) = (CopyEnd::Descriptors, CopyEnd::Scattered(Space::Tmem));
        Ok(CopyEnds { name: "tcgen05.cp", src, dst, otherwise: None })
    }

    fn is_elected(&self) -> bool {
        true
    }

    /// In shared memory, a value is a unit of 16 bytes.
    fn values_of(&self, side: CopySide) -> i64 {
        let bits = self.bits_of(side);
        if side == CopySide::Src { bits / UNIT } else { in_elements(bits, self.elem) }
    }

    fn swizzles_itself(&self) -> Option<&'static str> {
        Some("a copy to tensor memory")
    }
}

/// The first spelling.
fn parse<'c>(p: &Parser<'c>) -> ParseResult<S2tCopy<'c>> {
    let elem = element_type(p)?;
    p.expect(",")?;
    let lanes = positive(p, "a number of lanes, such as 32 DP")?;
    tokens(p, &["DP", ","])?;
    let bits = positive(p, "bits of a lane, such as 128 bit")?;
    tokens(p, &["bit", ","])?;
    let ctas = positive(p, "a number of CTAs, such as 1 cta")?;
    p.expect("cta")?;
    let broadcast = if p.optional(",") { repeated(p)? } else { Broadcast::Nothing };
    Ok(S2tCopy { elem, lanes, bits, ctas, broadcast, k_major: None })
}

/// The later spelling.
fn parse_named<'c>(p: &Parser<'c>) -> ParseResult<S2tCopy<'c>> {
    let elem = element_type(p)?;
    let named = |name: &str, what: &str| {
        tokens(p, &[",", name, "="])?;
        positive(p, what)
    };
    let lanes = named("num_dp", "a number of lanes")?;
    let bits = named("num_bit", "bits of a lane")?;
    let ctas = named("num_cta", "a number of CTAs")?;
    tokens(p, &[",", "smem_major", "="])?;
    let k_major = Some(one_of(p, "the contiguous mode", &[("k", true), ("mn", false)])?);
    let broadcast = if p.optional(",") {
        tokens(p, &["broadcast", "="])?;
        repeated(p)?
    } else {
        Broadcast::Nothing
    };
    Ok(S2tCopy { elem, lanes, bits, ctas, broadcast, k_major })
}

fn repeated(p: &Parser<'_>) -> ParseResult<Broadcast> {
    one_of(p, "what is repeated", &BROADCASTS)
}
