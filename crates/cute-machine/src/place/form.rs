//! Places for programs that read JSON: the text for people, and the fields beside it.

use super::{Inlined, PlaceTable, SourcePlace, SourcePoint};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The fields of a place. In JSON, a file, line or column that is not known is `null`, so is an
/// `origin`, and `inlined` is a list.
#[derive(Debug, Clone, Copy)]
pub struct PlaceFields<'p>(pub &'p SourcePlace);

/// File, line and column, with the whole name of the file.
#[derive(Serialize)]
struct Point<'p> {
    file: Option<&'p str>,
    line: Option<u32>,
    column: Option<u32>,
}

#[derive(Serialize)]
struct Call<'p> {
    function: Option<&'p str>,
    #[serde(flatten)]
    point: Point<'p>,
    /// Other places where the call may be.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    or: Vec<Point<'p>>,
}

fn point(of: Option<&SourcePoint>) -> Point<'_> {
    Point {
        file: of.map(|point| point.file.path()),
        line: of.map(|point| point.line),
        column: of.and_then(SourcePoint::known_column),
    }
}

fn call(Inlined { function, points }: &Inlined) -> Call<'_> {
    let or = points.iter().skip(1).map(|other| point(Some(other))).collect();
    Call { function: function.as_deref(), point: point(points.first()), or }
}

impl Serialize for PlaceFields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Point { file, line, column } = point(self.0.point.as_ref());
        let inlined: Vec<Call<'_>> = self.0.inlined.iter().map(call).collect();
        let mut object = serializer.serialize_struct("Place", 5)?;
        object.serialize_field("file", &file)?;
        object.serialize_field("line", &line)?;
        object.serialize_field("column", &column)?;
        object.serialize_field("inlined", &inlined)?;
        object.serialize_field("origin", &self.0.origin.as_ref().map(|origin| point(Some(origin))))?;
        object.end()
    }
}

/// Serializes a place as three fields of the object that has it: `location`, the text for people;
/// `chain`, the texts of the place and its calls with whole names of files, if PTX names a source;
/// `place`, the fields.
///
/// # Errors
///
/// Those of the serializer.
pub fn described<S: Serializer>(place: &SourcePlace, serializer: S) -> Result<S::Ok, S::Error> {
    let chain = chain(place);
    let mut object = serializer.serialize_struct("Described", 3)?;
    object.serialize_field("location", place)?;
    match chain.is_empty() {
        true => object.skip_field("chain")?,
        false => object.serialize_field("chain", &chain)?,
    }
    object.serialize_field("place", &PlaceFields(place))?;
    object.end()
}

fn chain(place: &SourcePlace) -> Vec<String> {
    let Some(_) = &place.origin else { return Vec::new() };
    let calls = place.inlined.iter().map(|call| {
        let points: Vec<String> = call.points.iter().map(SourcePoint::whole).collect();
        points.join(" or ")
    });
    place.point.iter().map(SourcePoint::whole).chain(calls).collect()
}

impl Serialize for SourcePlace {
    /// The text for people. In the byte form of programs, the data.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            return serializer.collect_str(self);
        }
        let mut table = PlaceTable::default();
        table.add(self);
        table.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for SourcePlace {
    /// From the byte form of programs alone: texts are not read back.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::Error;
        if deserializer.is_human_readable() {
            return Err(D::Error::custom("a place cannot be read from its text"));
        }
        let places = PlaceTable::deserialize(deserializer)?.places().map_err(D::Error::custom)?;
        places.into_iter().next().ok_or_else(|| D::Error::custom("a place is missing"))
    }
}
