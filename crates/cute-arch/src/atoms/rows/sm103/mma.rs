//! Datacentre Blackwell of compute capability 10.3: `tcgen05.mma` on fp4 with K = 96. The
//! instruction is that of K = 64; its descriptor asks for the longer K.

use crate::{
    atoms::{
        family::MmaFamily,
        kind::{Tcgen05Kind::Mxf4nvf4, WIDE_K},
        rows::sm100::mma::{BY_16, SCALED, SCALED_PAIR},
    },
    element::Element::{self, Ue4m3, Ue8m0},
    feature::Availability,
};

/// The family with K = 96, and a factor for each `vector` elements.
const fn wide(by: Element, vector: u32, family: MmaFamily) -> MmaFamily {
    MmaFamily {
        n: BY_16,
        k: WIDE_K,
        types: Mxf4nvf4.row().products,
        scale: Some((by, vector, None)),
        on: Availability::Family(&[(10, 3)]),
        ..family
    }
}

pub(crate) const MMA: &[MmaFamily] = &[
    MmaFamily { name: "SM103_MXF4_ULTRA_SS_VS<{a},{b},{c_t},ue8m0,{m},{n},32>", ..wide(Ue8m0, 32, SCALED) },
    MmaFamily { name: "SM103_MXF4_ULTRA_SS_VS<{a},{b},{c_t},ue4m3,{m},{n},16>", ..wide(Ue4m3, 16, SCALED) },
    MmaFamily { name: "SM103_MXF4_ULTRA_SS_VS<{a},{b},{c_t},ue8m0,{m},{n},16>", ..wide(Ue8m0, 16, SCALED) },
    MmaFamily {
        name: "SM103_MXF4_ULTRA_2x1SM_SS_VS<{a},{b},{c_t},ue8m0,{m},{n},32>",
        ..wide(Ue8m0, 32, SCALED_PAIR)
    },
    MmaFamily {
        name: "SM103_MXF4_ULTRA_2x1SM_SS_VS<{a},{b},{c_t},ue4m3,{m},{n},16>",
        ..wide(Ue4m3, 16, SCALED_PAIR)
    },
    MmaFamily {
        name: "SM103_MXF4_ULTRA_2x1SM_SS_VS<{a},{b},{c_t},ue8m0,{m},{n},16>",
        ..wide(Ue8m0, 16, SCALED_PAIR)
    },
];
