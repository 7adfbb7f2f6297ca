//! Models of matrix instructions in the byte form: a program names the row of the table of atoms,
//! and a reader finds the model that its own table makes of it.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// Serializes a model as its key.
macro_rules! by_key {
    ($module:ident, $model:ty, $key:ty, |$of:ident| $write:expr, |$found:ident| $read:expr) => {
        pub(super) mod $module {
            use super::*;

            pub(in super::super) fn serialize<S: Serializer>(
                $of: &&'static $model,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                let key: $key = $write;
                key.serialize(serializer)
            }

            pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
                deserializer: D,
            ) -> Result<&'static $model, D::Error> {
                let $found = <$key>::deserialize(deserializer)?;
                let model = $read;
                model.ok_or_else(|| D::Error::custom("an instruction that this version does not have"))
            }
        }
    };
}

use crate::tensor::{Matrices, MatrixElement, MatrixMove, Mma, TmemMove, Wgmma};
use cute_arch::atoms::{MmaAtom, TmemShape};

by_key!(mma, Mma, String, |model| model.atom().name.clone(), |name| MmaAtom::by_name(&name)
    .and_then(Mma::of));

by_key!(wgmma, Wgmma, String, |model| model.atom().name.clone(), |name| MmaAtom::by_name(&name)
    .and_then(Wgmma::of));

by_key!(tmem, TmemMove, TmemShape, |model| model.shape(), |shape| TmemMove::of(shape));

by_key!(matrices, Matrices, (MatrixMove, MatrixElement, u32, bool), |model| model.key(), |key| {
    Matrices::new(key.0, key.1, key.2, key.3).ok()
});

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
