//! Requests whose arguments have names: a tiling with all its facts about tensors and threads.

use cute_algebra::{CopySide, Layout, MmaOperand, Tuple};
use serde_json::{Map, Value as Json};

use super::{Reply, argument, result};
use crate::{
    error::{Error, Result, at},
    eval::Session,
    registry::Arg,
    structure,
    value::Value,
};

/// The named arguments of a request.
pub(super) struct Named<'a> {
    session: &'a Session,
    args: &'a Map<String, Json>,
}

/// The requests that [`answer`] handles.
const NAMED: &str = "tiled_mma, tiled_copy, gmma_smem_layout, smem_descriptor, gmma_partition, umma_partition, tmem_fragment and tmem_copy";

/// Answers `{"op": op, "args": {..}}`.
pub(super) fn answer(session: &Session, op: &str, args: &Map<String, Json>) -> Result<Reply> {
    let named = Named { session, args };
    if let Some(made) = match op {
        "tiled_mma" => {
            Some((named.mma()?, "thrfrg", MmaOperand::ALL.map(|which| which.to_string()).to_vec()))
        }
        "tiled_copy" => Some((named.copy()?, "tidfrg", CopySide::ALL.map(|side| side.to_string()).to_vec())),
        _ => None,
    } {
        let (made, all, letters) = made;
        return named.partitions(&made, all, &letters);
    }
    let found = match op {
        "gmma_smem_layout" => named.smem_layout().map(Json::Object),
        "smem_descriptor" => named.smem_descriptor().map(Json::Object),
        "gmma_partition" => named.gmma_partition().map(Json::Object),
        "umma_partition" => named.umma_partition().map(Json::Object),
        "tmem_copy" => named.tmem_copy().map(Json::Object),
        "tmem_fragment" => named.tmem_fragment().map(Json::Object),
        _ => Err(Error::Request(format!("'{op}' takes no named arguments; {NAMED} do"))),
    };
    Ok(found?.into())
}

impl Named<'_> {
    /// The value of an argument; `None` if it is absent or null.
    pub(super) fn optional(&self, key: &str) -> Result<Option<Value>> {
        let value = match self.args.get(key) {
            None | Some(Json::Null) => return Ok(None),
            Some(value) => argument(self.session, value),
        };
        value.map(Some).map_err(|error| Error::Named { name: key.to_string(), error: Box::new(error) })
    }

    fn value(&self, key: &str) -> Result<(usize, Value)> {
        Ok((1, self.optional(key)?.ok_or_else(|| missing(key))?))
    }

    pub(super) fn text(&self, key: &str) -> Result<&str> {
        let missing = || Error::Request(format!("the argument '{key}' must be text"));
        self.args.get(key).and_then(Json::as_str).ok_or_else(missing)
    }

    /// An argument in the form that functions take.
    fn arg(&self, key: &str) -> Result<Option<Arg>> {
        let value = self.optional(key)?;
        Ok(value.map(|value| Arg { what: format!("'{key}'").into(), column: 1, value }))
    }

    pub(super) fn number(&self, key: &str) -> Result<i64> {
        self.arg(key)?.ok_or_else(|| missing(key))?.number()
    }

    pub(super) fn constant(&self, key: &str) -> Result<Layout<i64>> {
        self.arg(key)?.ok_or_else(|| missing(key))?.constant()
    }

    /// A static tuple; `None` if it is absent or null.
    pub(super) fn ints(&self, key: &str) -> Result<Option<Tuple<i64>>> {
        let Some(arg) = self.arg(key)? else { return Ok(None) };
        arg.tuple()?.to_const().map(Some).ok_or_else(|| arg.not("static integers"))
    }

    /// The requested threads; `None` if there is no list.
    fn threads(&self) -> Result<Vec<i64>> {
        let Some(list) = self.args.get("threads") else { return Ok(Vec::new()) };
        let indices = list.as_array().and_then(|list| list.iter().map(Json::as_i64).collect());
        indices.ok_or_else(|| Error::Request(format!("'threads' must be a list of integers, not {list}")))
    }

    fn mma(&self) -> Result<Value> {
        let mut args = vec![self.value("atom")?, self.value("atom_layout")?];
        args.extend(self.optional("permutation")?.map(|tile| (1, tile)));
        self.session.call(1, "tiled_mma", args)
    }

    fn copy(&self) -> Result<Value> {
        let kind = self.text("kind")?;
        let mut args = vec![self.value("copy")?, self.value("value_bits")?];
        match kind {
            "make_tiled_copy" => args.extend([self.value("thr_layout")?, self.value("val_layout")?]),
            "make_cotiled_copy" => args.extend([self.value("atom_tv_layout")?, self.value("data_layout")?]),
            "tiled_copy" => args.extend([self.value("layout_tv")?, self.value("tiler_mn")?]),
            "make_tiled_copy_A" | "make_tiled_copy_B" | "make_tiled_copy_C" | "make_tiled_copy_C_atom" => {
                args.push((1, self.mma()?));
            }
            other => return Err(Error::Request(format!("'{other}' is not a constructor of tiled copies"))),
        }
        self.session.call(1, kind, args)
    }

    /// The facts of the tiling and, for each tensor given by its letter, the partition over all
    /// threads and the parts of the requested threads.
    fn partitions(&self, made: &Value, all: &str, letters: &[String]) -> Result<Reply> {
        let mut out = Map::new();
        if let Value::Tiling(tiling) = made {
            out.extend(
                at(1, tiling.facts())?
                    .into_iter()
                    .map(|fact| (fact.name, Json::from(fact.value.to_string()))),
            );
            out.insert("threads".to_string(), Json::from(tiling.threads()));
        }
        let mut structure = structure::of(made);
        let threads = self.threads()?;
        for letter in letters.iter().filter(|letter| self.args.contains_key(*letter)) {
            let (own, tensor) = ((1, made.clone()), self.value(letter)?);
            let name = format!("{all}_{letter}");
            let mut parts =
                vec![(name.clone(), self.session.call(1, &name, vec![own.clone(), tensor.clone()])?)];
            for t in &threads {
                let thread = (1, Value::integer(*t));
                let partition = format!("partition_{letter}");
                let part = self.session.call(1, &partition, vec![own.clone(), tensor.clone(), thread])?;
                parts.push((format!("t{t}_{letter}"), part));
            }
            for (name, value) in parts {
                if let Json::Object(object) = &mut structure {
                    object.insert(name.clone(), structure::of(&value));
                }
                out.insert(name, result(&value));
            }
        }
        Ok(Reply { result: Json::Object(out), value: Some(structure) })
    }
}

pub(super) fn missing(key: &str) -> Error {
    Error::Request(format!("the argument '{key}' is missing"))
}
