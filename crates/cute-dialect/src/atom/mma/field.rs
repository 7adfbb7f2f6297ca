//! The fields in the types of MMA atoms besides shape and elements.

use cute_arch::{
    Element,
    atoms::{Major, MmaOp, Space},
};

use crate::syntax::named;

/// Fields that only some atoms have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MmaOptions {
    /// Majors of A and B.
    pub majors: (Major, Major),
    /// How products are combined.
    pub op: MmaOp,
    /// Whether A and B are negated.
    pub negated: (bool, bool),
    /// The places of A and B.
    pub frag: Frag,
    /// CTAs that one instruction is of.
    pub num_cta: i64,
    /// C is divided by 2 to this power.
    pub c_scale_exp: i64,
    /// Whether the state names lanes of D that the instruction does not write.
    pub lane_mask: bool,
    /// Type of the scales, and elements along K that share one.
    pub scale: Option<(Element, i64)>,
}

impl Default for MmaOptions {
    fn default() -> Self {
        Self {
            majors: (Major::K, Major::K),
            op: MmaOp::MulAdd,
            negated: (false, false),
            frag: Frag::Ss,
            num_cta: 1,
            c_scale_exp: 0,
            lane_mask: false,
            scale: None,
        }
    }
}

named! {
    /// The places of A and B.
    Frag {
        /// Both in shared memory.
        Ss "ss",
        /// A in registers.
        Rs "rs",
        /// A in tensor memory.
        Ts "ts",
    }
}

impl Frag {
    /// The places of A and B for A in a given space.
    pub(super) fn of(a: Space) -> Self {
        match a {
            Space::Register => Self::Rs,
            Space::Shared => Self::Ss,
            Space::Tensor => Self::Ts,
        }
    }
}

/// A field of the body of a type, after the shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TypeField {
    /// `(f32, f32) -> f32 `
    Function,
    /// `ab_major = (k, k)`
    Majors,
    /// `elem_type = (f16, f16, f32)`
    Elements,
    /// The space that some types print at their end.
    Space,
    /// `frag_kind = ss`
    Frag,
    /// `num_cta = 1`
    NumCta,
    /// `c_scale_exp = 0`
    ScaleExponent,
    /// `disable_output_lane = true`, if the state has that field.
    LaneMask,
    /// `sf_type = f8E8M0FNU`
    ScaleType,
    /// `vec_size = 32`
    ScaleVector,
    /// `arch_promote = sm_103`, of K = 96 alone.
    Promotion,
    /// `use_sf_layout_TV = true`
    ScaleLayout,
    /// `md_format = tid`, the order of the metadata of a sparse A; the only one.
    MetadataOrder,
    /// `e_type = i8`, the type of the metadata; the only one.
    MetadataType,
    /// `sparse_metadata_format = tid`: what `md_format` is elsewhere.
    MetadataFormat,
    /// `int_overflow = <satfinite>` or `binary_op = <xor_popc>`; empty for multiply-add.
    Operation,
    /// `a_neg = true` and `b_neg = true`, after the operation; empty if the matrix is not negated.
    Negation,
}

/// The field of the state for lanes of D that the instruction does not write: a bit for each, in 4
/// words per CTA.
pub const DISABLED_LANES: &str = "disable_output_lane";

impl TypeField {
    /// The keyword before its value; `None` if the value has no keyword.
    pub fn keyword(self) -> Option<&'static str> {
        Some(match self {
            Self::Function | Self::Space | Self::Operation | Self::Negation => return None,
            Self::Majors => "ab_major",
            Self::Elements => "elem_type",
            Self::Frag => "frag_kind",
            Self::NumCta => "num_cta",
            Self::ScaleExponent => "c_scale_exp",
            Self::LaneMask => DISABLED_LANES,
            Self::ScaleType => "sf_type",
            Self::ScaleVector => "vec_size",
            Self::Promotion => "arch_promote",
            Self::ScaleLayout => "use_sf_layout_TV",
            Self::MetadataOrder => "md_format",
            Self::MetadataType => "e_type",
            Self::MetadataFormat => "sparse_metadata_format",
        })
    }
}
