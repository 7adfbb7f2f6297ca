//! Maxwell: exchanges of 2 x 2 blocks of words between neighbours by shuffles.

use crate::{
    atoms::{
        family::{CopyFamily, THREAD},
        model::CopyInstruction::Shuffle,
    },
    feature::Availability,
};

const SHUFFLE: CopyFamily =
    CopyFamily { thr_id: "32:1", src: "(32,64):(64,1)", on: Availability::From(5, 0), ..THREAD };

pub(crate) const COPY: &[CopyFamily] = &[
    CopyFamily {
        name: "SM50_Shuffle_U32_2x2Trans_XOR1",
        instruction: |_| Shuffle { lane_mask: 1 },
        dst: "((2,16),(32,2)):((32,128),(1,64))",
        ..SHUFFLE
    },
    CopyFamily {
        name: "SM50_Shuffle_U32_2x2Trans_XOR4",
        instruction: |_| Shuffle { lane_mask: 4 },
        dst: "((4,2,4),(32,2)):((64,32,512),(1,256))",
        ..SHUFFLE
    },
];
