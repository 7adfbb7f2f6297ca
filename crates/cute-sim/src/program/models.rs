//! Models of matrix instructions, and places of constants, in the byte form.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

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
