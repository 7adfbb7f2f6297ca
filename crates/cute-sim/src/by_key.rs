//! Models of instructions in the byte form of programs: a program names the row of a table, and a
//! reader finds the model that its own table makes of it.

/// Serializes a model as its key.
macro_rules! by_key {
    ($module:ident, $model:ty, $key:ty, |$of:ident| $write:expr, |$found:ident| $read:expr) => {
        pub(super) mod $module {
            use super::*;
            use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

            pub fn serialize<S: Serializer>($of: &&'static $model, serializer: S) -> Result<S::Ok, S::Error> {
                let key: $key = $write;
                key.serialize(serializer)
            }

            pub fn deserialize<'de, D: Deserializer<'de>>(
                deserializer: D,
            ) -> Result<&'static $model, D::Error> {
                let $found = <$key>::deserialize(deserializer)?;
                let model = $read;
                model.ok_or_else(|| D::Error::custom("an instruction that this version does not have"))
            }
        }
    };
}

pub(crate) use by_key;
