//! Bank conflicts: the cost of accesses to a tile in shared memory, and the layout that minimizes
//! it.

use std::fmt::Write;

use cute_algebra::{AnyLayout, Crd, LayoutLike, Tuple, crd2idx, product};
use cute_arch::banks::{Access, Choice, Conflicts, Crowd, Form, Forms, Traffic, choose};
use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::{
    error::{Error, Result, SettingError, at},
    eval::Session,
    options::{Field, Kind, settings},
    structure,
};

settings! {
    /// The options of `banks`, besides the bits of an element.
    Question of "banks";
    /// An access to the tile: a layout from (thread, value) to its elements; the number after @ is
    /// the number of values per instruction
    "access" "NAME=LAYOUT[@N]" also of "candidates" => accesses: Vec<String>,
    /// Search for a layout of this form on which no access has a conflict
    "choose" "FORM" => choose: Option<Wanted>,
}

/// The form of the layout that is searched.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wanted {
    /// An XOR of bits of the offset.
    Swizzle,
    /// Longer strides, with gaps between the rows.
    Padding,
    /// Whichever costs less.
    Both,
}

impl Field for Option<Wanted> {
    const KIND: Kind = Kind::Word(&["swizzle", "padding", "both"]);
}

/// The cost of the accesses, and the chosen layout if a search was requested.
pub struct Report {
    layout: AnyLayout<i64>,
    bits: i64,
    accesses: Vec<Access>,
    costs: Vec<Conflicts>,
    choice: Option<(Choice, &'static str)>,
}

/// Counts the conflicts, and searches for a layout if requested.
pub fn report(session: &Session, tile: &str, bits: Option<i64>, question: &Question) -> Result<Report> {
    let bits = bits.ok_or_else(|| missing("banks", "the bits of an element", "bits", "N"))?;
    let arg = session.argument("the tile", tile)?;
    let column = arg.column;
    let layout = arg.layout()?.to_const().ok_or_else(|| arg.not("a static layout"))?;
    let accesses: Vec<Access> =
        question.accesses.iter().map(|text| access(session, text)).collect::<Result<_>>()?;
    if accesses.is_empty() {
        return Err(missing("banks", "an access", "access", "NAME=LAYOUT[@N]"));
    }
    let costs: Vec<Conflicts> = accesses
        .iter()
        .map(|access| Ok(Traffic::behind(access, &layout, bits)?.conflicts(|offset| offset)))
        .collect::<cute_algebra::error::Result<_>>()
        .or_else(|error| at(column, Err(error)))?;
    let plain = match &layout {
        AnyLayout::Plain(plain) => plain,
        AnyLayout::Composed(composed) => composed.outer(),
    };
    let choice = match question.choose {
        None => None,
        Some(wanted) => {
            let (forms, form) = match wanted {
                Wanted::Swizzle => (Forms::Swizzles, "swizzle"),
                Wanted::Padding => (Forms::Paddings, "padding"),
                Wanted::Both => (Forms::Both, "swizzle or padding"),
            };
            Some((at(column, choose(plain, bits, &accesses, forms))?, form))
        }
    };
    Ok(Report { layout, bits, accesses, costs, choice })
}

impl Report {
    /// Whether the layout that was asked for, if any, has no conflicts.
    pub fn is_good(&self) -> bool {
        self.choice.as_ref().is_none_or(|(choice, _)| choice.is_free())
    }

    /// The costs and the chosen layout as text.
    pub fn text(&self) -> String {
        let mut text = format!("{}, {}-bit elements\n", self.layout, self.bits);
        self.write_costs(&mut text, &self.costs);
        if let Some((choice, form)) = &self.choice {
            text.push_str(&verdict(choice, form));
            self.write_costs(&mut text, &choice.best.conflicts);
        }
        text
    }

    fn write_costs(&self, text: &mut String, costs: &[Conflicts]) {
        for (Access { name, .. }, cost) in self.accesses.iter().zip(costs) {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "  {name}: {cost}");
        }
    }

    /// The report as a JSON object.
    pub fn structure(&self) -> Json {
        let mut object = json!({ "layout": structure::constant(&self.layout), "bits": self.bits });
        let accesses = self.costs(&self.costs);
        if let Some(object) = object.as_object_mut() {
            object.insert("accesses".into(), accesses);
            if let Some((Choice { best, tried }, _)) = &self.choice {
                let free = best.conflicts.iter().all(|cost| cost.excess() == 0);
                let layout = structure::constant(&best.layout);
                let accesses = self.costs(&best.conflicts);
                let form = best.form.to_string();
                let choice = json!({ "free": free, "tried": tried, "form": form, "layout": layout, "accesses": accesses });
                object.insert("choice".into(), choice);
            }
        }
        object
    }

    fn costs(&self, costs: &[Conflicts]) -> Json {
        let cost = |(Access { name, .. }, cost): (&Access, &Conflicts)| {
            let Conflicts { instructions, passes, ideal, worst } = cost;
            let worst = worst
                .map(|(thread, value, passes)| json!({ "thread": thread, "value": value, "passes": passes }));
            json!({ "name": name, "instructions": instructions, "passes": passes, "minimum": ideal, "worst": worst })
        };
        self.accesses.iter().zip(costs).map(cost).collect()
    }

    /// For each access with conflicts the worst instruction: the bank in which most of its words
    /// are, and a thread for each of these words, with its address and its element of the tile.
    pub(crate) fn crowds(&self) -> Result<Json> {
        let mut crowds = Vec::new();
        for (access, cost) in self.accesses.iter().zip(&self.costs) {
            let Some((thread, value, passes)) = cost.worst else { continue };
            let traffic = at(1, Traffic::behind(access, &self.layout, self.bits))?;
            let Some(Crowd { bank, lanes }) = traffic.crowd(thread, value, |offset| offset) else { continue };
            let rows = match self.layout.outer().shape().mode(0) {
                Some(mode) => at(1, product(mode))?,
                None => 1,
            };
            let mut threads = Vec::new();
            for (thread, address) in &lanes {
                let own = [*thread, value].map(|i| Tuple::leaf(Crd::Int(i)));
                let element = at(1, crd2idx(&Tuple::from_modes(own), &access.layout))?;
                let element = *at(1, element.expect_int("an element"))?;
                threads.push(json!({
                    "thread": thread,
                    "value": value,
                    "address": address,
                    "row": element % rows.max(1),
                    "column": element / rows.max(1),
                }));
            }
            let Access { name, .. } = access;
            crowds.push(json!({
                "name": name,
                "bank": bank,
                "degree": lanes.len(),
                "passes": passes,
                "bytes": traffic.vector() * self.bits / 8,
                "threads": threads,
            }));
        }
        Ok(Json::Array(crowds))
    }
}

fn verdict(choice: &Choice, form: &str) -> String {
    let Choice { best, tried } = choice;
    let how = match best.form {
        Form::Swizzle(swizzle) if swizzle.is_identity() => "the layout as it is".to_string(),
        form => form.to_string(),
    };
    let candidates = if *tried == 1 { "1 candidate".to_string() } else { format!("{tried} candidates") };
    if choice.is_free() {
        format!("\nno conflicts with {how}, after trying {candidates}:\n{}\n", best.layout)
    } else {
        format!(
            "\nno {form} is free of conflicts, after trying all {candidates}; the fewest passes with {how}:\n{}\n",
            best.layout
        )
    }
}

pub(crate) fn missing(
    by: &'static str,
    what: &'static str,
    option: &'static str,
    value: &'static str,
) -> Error {
    Error::Setting(SettingError::Missing { by, what, option, value })
}

/// `NAME=LAYOUT` or `NAME=LAYOUT@N`
pub(crate) fn access(session: &Session, text: &str) -> Result<Access> {
    let named = |error| Error::Setting(SettingError::Inside { option: "access", error: Box::new(error) });
    let bad = || named(Error::Request(format!("expected NAME=LAYOUT or NAME=LAYOUT@N, found '{text}'")));
    let (name, rest) = text.split_once('=').ok_or_else(bad)?;
    let (layout, vector) = match rest.rsplit_once('@') {
        Some((layout, vector)) => (layout, Some(vector.trim().parse().map_err(|_| bad())?)),
        None => (rest, None),
    };
    let layout = || session.argument("the access", layout)?.constant();
    Ok(Access { name: name.trim().into(), layout: layout().map_err(named)?, vector })
}
