//! Models of matrix instructions in the byte form: a program names the row of the table of atoms,
//! and a reader finds the model that its own table makes of it.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::by_key::by_key;
use crate::tensor::{TmemMove, Wgmma};
use cute_arch::atoms::{MmaAtom, TmemShape};

by_key!(wgmma, Wgmma, String, |model| model.atom().name.clone(), |name| MmaAtom::by_name(&name)
    .and_then(Wgmma::of));

by_key!(tmem, TmemMove, TmemShape, |model| model.shape(), |shape| TmemMove::of(shape));

/// The place of a constant: a global or a parameter.
pub(super) mod constant {
    use super::*;
    use crate::finding::Place;
    use serde::ser::Error as _;

    #[derive(Serialize, Deserialize)]
    enum Constant {
        Global(String),
        Parameter(u32),
    }

    pub(in super::super) fn serialize<S: Serializer>(
        place: &Place,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let constant = match place {
            Place::Constant(name) => Constant::Global(name.clone()),
            Place::Parameter(number) => Constant::Parameter(*number),
            other => return Err(S::Error::custom(format!("{other} is not constant memory"))),
        };
        constant.serialize(serializer)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Place, D::Error> {
        Ok(match Constant::deserialize(deserializer)? {
            Constant::Global(name) => Place::Constant(name),
            Constant::Parameter(number) => Place::Parameter(number),
        })
    }
}
