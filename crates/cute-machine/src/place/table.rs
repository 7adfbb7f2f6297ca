//! The byte form of places: each file, each chain of calls and each place once.

use super::{Inlined, PlaceParts, SourceFile, SourcePlace, SourcePoint, Words};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::Arc;

/// Different places, by their numbers.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct PlaceTable {
    /// The path, and the name for people if it is another.
    files: Vec<(String, Option<String>)>,
    chains: Vec<Vec<Call>>,
    places: Vec<Row>,
    #[serde(skip)]
    known: Known,
}

/// File, line and column.
type Point = (u32, u32, Option<u32>);

#[derive(Debug, Serialize, Deserialize)]
struct Call {
    function: Option<String>,
    points: Vec<Point>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Row {
    point: Option<Point>,
    /// The number of its chain, from 1 on; 0 for no calls.
    chain: u32,
    origin: Option<Point>,
    words: Option<(String, Vec<Point>)>,
}

/// The numbers of all that is in the table.
#[derive(Debug, Default)]
struct Known {
    files: HashMap<SourceFile, u32>,
    chains: HashMap<Arc<[Inlined]>, u32>,
    places: HashMap<SourcePlace, u32>,
}

impl PlaceTable {
    /// The number of a place, which is added if it is not there.
    pub fn add(&mut self, place: &SourcePlace) -> u32 {
        if let Some(number) = self.known.places.get(place) {
            return *number;
        }
        let row = Row {
            point: place.point.as_ref().map(|point| self.point(point)),
            chain: self.chain(&place.inlined),
            origin: place.origin.as_ref().map(|point| self.point(point)),
            words: place.words.as_deref().map(|Words { text, others }| {
                (text.to_string(), others.iter().map(|point| self.point(point)).collect())
            }),
        };
        let number = self.places.len() as u32;
        self.places.push(row);
        self.known.places.insert(place.clone(), number);
        number
    }

    fn point(&mut self, SourcePoint { file, line, column }: &SourcePoint) -> Point {
        let next = self.files.len() as u32;
        let number = *self.known.files.entry(file.clone()).or_insert(next);
        if number == next {
            let shown = (file.path() != file.shown()).then(|| file.shown().to_owned());
            self.files.push((file.path().to_owned(), shown));
        }
        (number, *line, *column)
    }

    fn chain(&mut self, calls: &Arc<[Inlined]>) -> u32 {
        if calls.is_empty() {
            return 0;
        }
        if let Some(number) = self.known.chains.get(calls) {
            return *number;
        }
        let chain = calls.iter().map(|Inlined { function, points }| Call {
            function: function.as_deref().map(str::to_owned),
            points: points.iter().map(|point| self.point(point)).collect(),
        });
        let chain = chain.collect();
        self.chains.push(chain);
        let number = self.chains.len() as u32;
        self.known.chains.insert(calls.clone(), number);
        number
    }

    /// The places by their numbers.
    ///
    /// # Errors
    ///
    /// The sentence about a number of something that the table does not have.
    pub fn places(self) -> Result<Vec<SourcePlace>, &'static str> {
        let named = self.files.iter();
        let files: Vec<SourceFile> =
            named.map(|(path, shown)| SourceFile::new(path, shown.as_ref().unwrap_or(path))).collect();
        let point = |(file, line, column): Point| {
            let file = files.get(file as usize).ok_or("a place names a file that is not there")?;
            Ok(SourcePoint::new(file.clone(), line, column))
        };
        let points = |all: Vec<Point>| all.into_iter().map(point).collect::<Result<Vec<_>, &'static str>>();
        let call = |Call { function, points: all }: Call| {
            Ok(Inlined { function: function.map(Arc::from), points: points(all)? })
        };
        let chain =
            |calls: Vec<Call>| calls.into_iter().map(call).collect::<Result<Arc<[_]>, &'static str>>();
        let chains = self.chains.into_iter().map(chain).collect::<Result<Vec<_>, _>>()?;
        let place = |Row { point: own, chain, origin, words }: Row| {
            let inlined = match chain.checked_sub(1) {
                None => Arc::default(),
                Some(number) => {
                    chains.get(number as usize).ok_or("a place names calls that are not there")?.clone()
                }
            };
            let words = words.map(|(text, others)| {
                Ok::<_, &'static str>(Box::new(Words { text: text.into(), others: points(others)? }))
            });
            Ok(SourcePlace::from(PlaceParts {
                point: own.map(point).transpose()?,
                inlined,
                origin: origin.map(point).transpose()?,
                words: words.transpose()?,
            }))
        };
        self.places.into_iter().map(place).collect()
    }
}
