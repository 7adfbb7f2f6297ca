//! The data of a page that draws an expression: tables of cells with everything that is known of
//! each, and the equations of one element. The page computes nothing itself.
//!
//! A question is an object. Only `expression` is needed:
//!
//! | field | meaning |
//! |---|---|
//! | `expression` | statements, one per line; the value of the last is drawn |
//! | `against` | a second expression, which is drawn too, with the cells that differ |
//! | `as` | `layout`, `thread-value`, `tensor-memory`, `boxes` or `placement`; by default whatever the value is |
//! | `bits` | bits of an element: shows addresses and banks, or registers |
//! | `tile` | the tile of a thread-value layout or of a tiled MMA, or the shape of a placement |
//! | `access` | accesses to the tile in shared memory, as `banks` takes them |
//! | `element`, `copy`, `ctas` | options of `tma`, for `tma(TENSOR, TILE, TILER)` |
//! | `physical` | whether to draw memory, or the registers of threads, below the picture too |
//! | `cell` | `[table, row, column]`: answers with the facts of this element instead |
//!
//! The answer has the `fields` that the value takes.
//!
//! ```
//! let answer = cute_eval::view::answer(br#"{"expression":"(2,2):(2,1)","bits":32}"#);
//! assert!(answer.text.contains(r#"{"name":"byte","from":4}"#), "{}", answer.text);
//! assert_eq!(answer.numbers[4..8], [0.0, 4.0, 8.0, 12.0]);
//! ```
//!
//! | file | pictures |
//! |---|---|
//! | `fields` | the fields of the page, and those that a value takes |
//! | `grid` | tables, the facts of an element, differences |
//! | `index` | layouts: index, address, line and bank |
//! | `operands` | divides, products and compositions with their operands |
//! | `owners` | the threads and values of a tile |
//! | `boxes` | the boxes of a copy by the TMA |
//! | `places` | placements along named axes |
//! | `tensor_memory` | layouts of tensor memory, and accumulators |
//! | `physical` | what lies at each place of a machine: `memory`, `fragments` |
//! | `crowds` | the threads that share a bank |

mod boxes;
mod crowds;
mod fields;
mod fragments;
mod grid;
mod index;
mod memory;
mod operands;
mod owners;
mod physical;
mod places;
mod tensor_memory;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use crate::{
    error::{Error, Result, SettingError},
    eval::Session,
    explain, placements,
    registry::{self, Arg},
    svg::{Picture as Options, palette},
    syntax::{self, Expr},
    tilings::{Atom, Tiling},
    tma::TmaOptions,
    value::Value,
};
use cute_algebra::Domain;
use cute_arch::atoms::MmaUnit;

use physical::Physical;

pub use grid::{Facet, Fact, GridDifference, Sheet, ViewGrid};

/// The way in which a value is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum As {
    /// A layout as the table of its indices.
    Layout,
    /// A layout from (thread, value) to the elements of a tile.
    ThreadValue,
    /// A layout of tensor memory.
    TensorMemory,
    /// The boxes of `tma(TENSOR, TILE, TILER)`.
    Boxes,
    /// A placement, or a layout as one.
    Placement,
}

/// A request of the page.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Question {
    expression: String,
    against: Option<String>,
    #[serde(rename = "as")]
    drawn: Option<As>,
    bits: Option<i64>,
    tile: Option<String>,
    access: Vec<String>,
    element: Option<String>,
    copy: Option<String>,
    ctas: Option<u32>,
    physical: bool,
    cell: Option<[i64; 3]>,
}

impl Question {
    /// The accesses, without empty lines.
    fn accesses(&self) -> Vec<String> {
        self.access.iter().filter(|text| !text.trim().is_empty()).cloned().collect()
    }

    /// Whether the tables are those of a layout, whose elements are accessed.
    fn is_tile(&self) -> bool {
        matches!(self.drawn, None | Some(As::Layout))
    }
}

/// The tables of a value, and the facts of their elements.
trait Picture {
    /// Its tables.
    fn sheet(&self) -> Result<Sheet>;

    /// Everything about one element.
    fn facts(&self, table: usize, row: i64, column: i64) -> Result<Vec<Fact>>;

    /// The number of its tables.
    fn tables(&self) -> usize {
        1
    }

    /// The places of a machine where its elements lie.
    fn physical(&self) -> Result<Vec<Physical>> {
        Ok(Vec::new())
    }

    /// The extents of the tile in shared memory that it is; `None` if it is something else.
    fn tile(&self) -> Option<[i64; 2]> {
        None
    }
}

/// A value, and the picture of it.
#[derive(Serialize)]
struct View {
    /// The value as text.
    text: String,
    /// Its kind, with the article.
    kind: &'static str,
    /// The steps of the operation, if the expression is a call that has them.
    steps: Option<String>,
    #[serde(flatten)]
    sheet: Sheet,
    /// The fields that it takes.
    fields: &'static [&'static str],
    /// The reason why nothing is drawn, if nothing is.
    undrawn: Option<String>,
    /// Costs of the accesses, and the threads that share a bank.
    conflicts: Option<Json>,
}

/// An answer.
#[derive(Debug)]
pub struct Answer {
    /// An object, as JSON.
    pub text: String,
    /// The values of its tables, from the place that the object names.
    pub numbers: Vec<f64>,
}

/// The answer to a question.
pub fn answer(text: &[u8]) -> Answer {
    let mut numbers = Vec::new();
    let question = serde_json::from_slice(text)
        .map_err(|error| Error::Request(format!("not a request for a picture: {error}")));
    let text = question
        .and_then(|question| answered(&question, &mut numbers))
        .unwrap_or_else(|error| json!({ "error": error.text(Some(fields::label)) }).to_string());
    Answer { text, numbers }
}

fn answered(question: &Question, numbers: &mut Vec<f64>) -> Result<String> {
    let shown = Shown::new(question, &question.expression)?;
    if let Some([table, row, column]) = question.cell {
        let Some(picture) = &shown.picture else {
            return Err(Error::Request("this value has no cells".into()));
        };
        let facts = shown.facts(picture.as_ref(), question, [table, row, column])?;
        return text(&json!({ "facts": facts }));
    }
    let mut view = shown.view(question)?;
    let Some(against) = question.against.as_ref().filter(|text| !text.trim().is_empty()) else {
        view.pack(numbers);
        return text(&view);
    };
    let other = Shown::new(question, against).and_then(|shown| shown.view(question));
    let inside = |error| SettingError::Inside { option: "against", error: Box::new(error) };
    let mut other = other.map_err(|error| Error::Setting(inside(error)))?;
    let differences = grid::differences(&view.sheet, &other.sheet);
    view.pack(numbers);
    other.pack(numbers);

    #[derive(Serialize)]
    struct Both {
        #[serde(flatten)]
        view: View,
        against: View,
        differences: Vec<GridDifference>,
    }
    text(&Both { view, against: other, differences })
}

impl View {
    fn pack(&mut self, numbers: &mut Vec<f64>) {
        self.sheet.grids.iter_mut().flatten().flatten().for_each(|grid| grid.pack(numbers));
    }
}

fn text(answer: &impl Serialize) -> Result<String> {
    serde_json::to_string(answer).map_err(|error| Error::Request(error.to_string()))
}

/// An expression, its value, and its picture.
struct Shown {
    session: Session,
    /// The last statement, without its name.
    last: String,
    text: String,
    kind: &'static str,
    fields: &'static [&'static str],
    picture: Option<Box<dyn Picture>>,
    undrawn: Option<String>,
}

/// The statements of a text, one per line, each with its number. Comments are removed.
fn lines(text: &str) -> impl DoubleEndedIterator<Item = (usize, &str)> {
    (1..)
        .zip(text.lines().map(syntax::uncommented))
        .collect::<Vec<_>>()
        .into_iter()
        .filter(|(_, line)| !line.trim().is_empty())
}

impl Shown {
    fn new(question: &Question, text: &str) -> Result<Self> {
        let mut session = Session::new(Domain::Extend);
        let mut statements: Vec<_> = lines(text).collect();
        let count = statements.len();
        let (number, last) = statements
            .pop()
            .ok_or_else(|| Error::Request("write an expression, such as (4,8):(8,1)".into()))?;
        let in_line = |number: usize, error: Error| match count {
            1 => error,
            _ => Error::Request(format!("line {number}: {}", error.text(Some(fields::label)))),
        };
        for (number, statement) in statements {
            session.statement(statement).map_err(|error| in_line(number, error))?;
        }
        Self::last(question, session, last).map_err(|error| in_line(number, error))
    }

    fn last(question: &Question, mut session: Session, last: &str) -> Result<Self> {
        if let Some(placement) = placements::of_expression(last) {
            let placement = placement?;
            let text = placement.to_string();
            let (picture, undrawn) = drawn(places::of(&session, question, placement));
            let (last, kind, fields) = (last.into(), "a placement", &["tile"] as &[_]);
            return Ok(Self { session, last, text, kind, fields, picture, undrawn });
        }
        let (name, node) = syntax::statement(last)?;
        if let Expr::Call(called, _) = &node.expr
            && called == "tma"
            && registry::find(called).is_none()
        {
            return Self::copy(question, session, last);
        }
        if question.drawn == Some(As::Boxes) {
            return Err(Error::Request("boxes are drawn of a call tma(TENSOR, TILE, TILER)".into()));
        }
        let value = session.statement(last)?;
        let text = value.answer()?.trim_end().to_string();
        let kind = value.kind();
        let fields = fields::of(question.drawn, &value);
        let plain = question.drawn.is_none() && question.bits.is_none() && question.accesses().is_empty();
        let linked = plain.then(|| operands::of(&session, &node, &value)).flatten();
        let (picture, undrawn) = match linked {
            Some(linked) => (Some(linked), None),
            None => drawn(picture(&session, question, value)),
        };
        let last = match name {
            Some(_) => last.split_once('=').map_or(last, |(_, rest)| rest),
            None => last,
        };
        let last = last.trim().to_string();
        Ok(Self { session, last, text, kind, fields, picture, undrawn })
    }

    /// The copy of `tma(TENSOR, TILE, TILER)`.
    fn copy(question: &Question, session: Session, last: &str) -> Result<Self> {
        let called = session.called(&syntax::expression(last)?)?;
        let words: Vec<String> =
            called.into_iter().flat_map(|(_, args)| args).map(|(_, value)| value.to_string()).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let &[tensor, memory, tiler] = words.as_slice() else {
            return Err(Error::Request("tma takes three arguments: tma(TENSOR, TILE, TILER)".into()));
        };
        let options = TmaOptions {
            element: question.element.clone(),
            copy: question.copy.clone(),
            ctas: question.ctas,
            ..TmaOptions::default()
        };
        let words = [tensor, memory, tiler];
        let text = crate::tma::list(&session, words, &options)?;
        let (picture, undrawn) = drawn(boxes::of(&session, words, &options).map(Some));
        let kind = "a copy by the TMA";
        let (last, text) = (String::new(), text.trim_end().into());
        Ok(Self { session, last, text, kind, fields: &["element"], picture, undrawn })
    }

    /// The facts of an element, and of its place if the table is that of a machine.
    fn facts(
        &self,
        picture: &dyn Picture,
        question: &Question,
        [table, mut row, mut column]: [i64; 3],
    ) -> Result<Vec<Fact>> {
        let mut table = usize::try_from(table)
            .map_err(|_| Error::Request(format!("cell: tables are counted from 0, not from {table}")))?;
        let mut facts = Vec::new();
        if question.physical && table >= picture.tables() {
            let places = picture.physical()?;
            let count = picture.tables() + places.len();
            let place = places.get(table - picture.tables()).ok_or_else(|| grid::no_table(table, count))?;
            let (of_place, cell) = place.facts(row, column)?;
            facts = of_place;
            let (Some(of), Some(cell)) = (place.of, cell) else { return Ok(facts) };
            [row, column] = cell;
            table = of;
        }
        facts.extend(picture.facts(table, row, column)?);
        let accesses = question.accesses();
        if let (Some(extents), false, true) = (picture.tile(), accesses.is_empty(), question.is_tile()) {
            facts.extend(crowds::facts(&self.session, &accesses, extents, [row, column])?);
        }
        Ok(facts)
    }

    fn view(self, question: &Question) -> Result<View> {
        let mut undrawn = self.undrawn;
        let mut sheet = match self.picture.as_ref().map(|picture| picture.sheet()) {
            Some(Ok(sheet)) => sheet,
            Some(Err(error)) => {
                undrawn = Some(error.text(Some(fields::label)));
                Sheet::default()
            }
            None => Sheet::default(),
        };
        let steps = explain::explain(&self.session, &self.last).ok();
        let accesses = question.accesses();
        let conflicts = match accesses.is_empty() {
            true => None,
            false => Some(crowds::of(&self.session, &self.last, question.bits, accesses.clone())?),
        };
        if let Some(grid) = sheet.grids.first_mut().and_then(|row| row.first_mut()?.as_mut())
            && conflicts.is_some()
            && question.is_tile()
        {
            crowds::add_facets(&self.session, &accesses, grid)?;
        }
        if let (true, Some(picture)) = (question.physical, &self.picture) {
            match picture
                .physical()
                .and_then(|all| all.iter().map(Physical::grid).collect::<Result<Vec<_>>>())
            {
                Ok(grids) => sheet.grids.extend(grids.into_iter().map(|grid| vec![Some(grid)])),
                Err(error) => {
                    let why = error.text(Some(fields::label));
                    sheet.notes.push(format!("The physical side is not drawn: {why}"));
                }
            }
        }
        sheet.notes.extend(fields::unused(question, self.kind, self.fields));
        let fields = self.fields;
        Ok(View { text: self.text, kind: self.kind, fields, steps, sheet, undrawn, conflicts })
    }
}

type Made = Result<Option<Box<dyn Picture>>>;

/// The picture, or the reason why there is none.
fn drawn(made: Made) -> (Option<Box<dyn Picture>>, Option<String>) {
    match made {
        Ok(picture) => (picture, None),
        Err(error) => (None, Some(error.text(Some(fields::label)))),
    }
}

/// The picture of a value; `None` if it is a value without one.
fn picture(session: &Session, question: &Question, value: Value) -> Made {
    let options =
        Options { tile: question.tile.clone().filter(|tile| !tile.trim().is_empty()), ..Options::default() };
    let what = Arg { what: "a picture".into(), column: 1, value };
    match question.drawn {
        Some(As::ThreadValue) => {
            let tile = crate::svg::matrix_of(session, &options)?;
            return owners::of_layout(&what.constant()?, tile, question.bits).map(Some);
        }
        Some(As::TensorMemory) => {
            return tensor_memory::of(&what.constant()?, question.bits.unwrap_or(32)).map(Some);
        }
        Some(As::Placement) => return places::of_layout(&what.constant()?).map(Some),
        Some(As::Layout | As::Boxes) | None => {}
    }
    match &what.value {
        Value::Atom(Atom::Mma(_)) => {
            let tiled = session.call(1, "tiled_mma", vec![(1, what.value.clone())])?;
            picture(session, question, tiled)
        }
        Value::Atom(Atom::Copy(atom)) => owners::of_copy_atom(atom, question.bits).map(Some),
        Value::Tiling(tiling) => match &**tiling {
            Tiling::Mma { atom, mma } => {
                let tile = crate::svg::tile_of(session, mma, &options)?;
                match atom.instruction.unit {
                    MmaUnit::Tcgen05 => tensor_memory::of_accumulator(atom, mma, tile).map(Some),
                    _ => owners::of_mma(atom, mma, tile).map(Some),
                }
            }
            Tiling::Copy { value_bits, copy, .. } => owners::of_copy(copy, *value_bits).map(Some),
        },
        Value::Tuple(tuple) if tuple.is_leaf() && question.drawn.is_none() => Ok(None),
        Value::Tuple(_) | Value::Layout(_) | Value::Part { .. } => {
            index::of(what.value, question.bits).map(Some)
        }
        Value::Swizzle(swizzle) => index::of_swizzle(*swizzle, question.bits).map(Some),
        Value::Coord(_) | Value::Stride(_) | Value::Tile(_) | Value::Truth(_) => Ok(None),
    }
}

/// The functions, each with its parameters, its description, an example and the fields that the
/// example needs; the labels of the fields; and the colours of cells as CSS.
pub fn about() -> Json {
    let entry = |name: &str, parameters: &str, doc: &str, example: &str, fields: Json| {
        json!({
            "name": name, "parameters": parameters, "doc": doc, "example": example, "fields": fields,
        })
    };
    let functions = registry::functions()
        .map(|f| entry(f.name, f.parameters, f.doc, f.example, json!({})))
        .chain([entry(
            "tma",
            "tensor: layout, tile: layout, tiler: tile",
            "the boxes that the TMA copies for the first tile: cp.async.bulk.tensor of PTX, SM90_TMA_LOAD of CuTe",
            "tma((512,128):(128,1), S<3,4,3> o 0 o (64,(64,2)):(64,(1,4096)), (64,128))",
            json!({"element": "f16"}),
        )])
        .chain(placements::listed().map(|f| {
            entry(f.name, f.parameters, f.doc, f.example, json!({"tile": f.tile}))
        }));
    let palette: Vec<_> = (0..palette::COLOURS).map(palette::css).collect();
    let labels: serde_json::Map<_, _> =
        fields::LABELS.iter().map(|(name, label)| ((*name).to_string(), json!(label))).collect();
    json!({
        "functions": functions.collect::<Json>(),
        "fields": labels,
        "palette": palette,
    })
}
