//! `tcgen05.ld` and `tcgen05.st`: `<f32, 32 DP, 32 bit, x64>`.

use cute_algebra::CopySide;
use cute_arch::atoms::{self, CopyInstruction, TmemShape};
use cute_ffi::{
    syntax::{ParseResult, Parser},
    types::Kind,
};
use melior::ir::Type;

use super::{CopyEnd, CopyEnds, CopyFamily, bits_of_row};
use crate::{
    atom::AtomError,
    space::Space,
    syntax::{element_type, positive, put, tokens},
};

/// A shape of tensor memory, between its lanes and the registers of a warp.
#[derive(Debug, Clone, PartialEq)]
pub struct TmemCopy<'c> {
    /// Element type.
    pub elem: Type<'c>,
    /// Lanes of tensor memory, 16 or 32: CuTe's data paths.
    pub lanes: i64,
    /// Bits of a lane.
    pub bits: i64,
    /// The number of repetitions of the shape along the columns.
    pub repeats: i64,
    /// Whether each word of tensor memory holds 16 bits, which the copy packs or unpacks.
    pub halves: bool,
    /// Whether it writes tensor memory.
    pub store: bool,
}

impl TmemCopy<'_> {
    /// The row of the registry. If there is none, the error lists what exists.
    pub fn entry(&self) -> Result<&'static atoms::CopyAtom, AtomError> {
        let Self { lanes, bits, repeats, halves, .. } = *self;
        let op = if self.store { "tcgen05.st" } else { "tcgen05.ld" };
        let row = |lanes: i64, bits: i64, repeats: i64| {
            let number = |n: i64| u32::try_from(n).ok();
            let (lanes, bits, repeats) = (number(lanes)?, number(bits)?, number(repeats)?);
            let shape = TmemShape { lanes, bits, repeats, halves };
            let load_or_store =
                if self.store { CopyInstruction::TmemStore } else { CopyInstruction::TmemLoad };
            atoms::CopyAtom::of(load_or_store(shape))
        };
        row(lanes, bits, repeats).ok_or_else(|| {
            let shapes = [(16, 32), (16, 64), (16, 128), (16, 256), (32, 32)].map(|(lanes, bits)| {
                let most = (0..=7).rev().map(|i| 1 << i).find(|x| row(lanes, bits, *x).is_some());
                format!("{lanes} DP, {bits} bit, x1 to x{}", most.unwrap_or(1))
            });
            AtomError::NoInstruction {
                asked: format!("{op} of {lanes} DP, {bits} bit, x{repeats}"),
                legal: format!(", in powers of two, {}", shapes.join("; ")),
            }
        })
    }
}

impl<'c> CopyFamily<'c> for TmemCopy<'c> {
    fn parse(p: &Parser<'c>, kind: Kind) -> Option<ParseResult<Self>> {
        match kind {
            Kind::TmemLoad => Some(parse(p, false)),
            Kind::TmemStore => Some(parse(p, true)),
            _ => None,
        }
    }

    fn print(&self, out: &mut String) {
        let Self { lanes, bits, repeats, .. } = self;
        put(out, format_args!(", {lanes} DP, {bits} bit, x{repeats}"));
        if self.halves {
            put(out, format_args!(", {}", halves(self.store)));
        }
    }

    fn kind(&self) -> Kind {
        if self.store { Kind::TmemStore } else { Kind::TmemLoad }
    }

    fn elem(&self) -> Type<'c> {
        self.elem
    }

    fn row(&self) -> Option<Result<&'static atoms::CopyAtom, AtomError>> {
        Some(self.entry())
    }

    fn bits(&self) -> i64 {
        bits_of_row(self.entry(), if self.store { CopySide::Src } else { CopySide::Dst })
    }

    fn rule(&self) -> Result<(), AtomError> {
        self.entry().map(|_| ())
    }

    fn ends(&self) -> Result<CopyEnds, AtomError> {
        let (tensor, registers) = (CopyEnd::Scattered(Space::Tmem), CopyEnd::Scattered(Space::Rmem));
        Ok(match self.store {
            true => CopyEnds::between("tcgen05.st", registers, tensor),
            false => CopyEnds::between("tcgen05.ld", tensor, registers),
        })
    }

    fn unconditional(&self) -> Option<&'static str> {
        Some(
            "a predicate on tcgen05.ld or tcgen05.st is not supported, because all lanes of a warp take part",
        )
    }

    fn swizzles_itself(&self) -> Option<&'static str> {
        Some("a copy to tensor memory")
    }
}

/// The word for halves of words.
fn halves(store: bool) -> &'static str {
    if store { "expand16b" } else { "pack16b" }
}

fn parse<'c>(p: &Parser<'c>, store: bool) -> ParseResult<TmemCopy<'c>> {
    let elem = element_type(p)?;
    p.expect(",")?;
    let lanes = positive(p, "a number of lanes, such as 32 DP")?;
    tokens(p, &["DP", ","])?;
    let bits = positive(p, "bits of a lane, such as 32 bit")?;
    tokens(p, &["bit", ","])?;
    let at = p.at();
    let Some(repeats) = p.keyword().and_then(|x| x.strip_prefix('x')?.parse().ok()) else {
        return p.error(at, "expected how often the shape repeats, such as x4");
    };
    let with_halves = p.optional(",");
    if with_halves {
        p.expect(halves(store))?;
    }
    Ok(TmemCopy { elem, lanes, bits, repeats, halves: with_halves, store })
}
