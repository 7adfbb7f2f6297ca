//! The places of operations.

use crate::ir;
use cute_ffi::place::{FilePoint, LocationPoints, location_identity};
use cute_machine::place::{Inlined, PlaceParts, SourceFile, SourcePlace, SourcePoint, Words};
use cute_sim::program::Site;
use melior::ir::Location;
use melior::ir::operation::{OperationLike, OperationRef};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

/// The names and places of a kernel's operations. Operations share them.
#[derive(Default)]
pub(crate) struct Places(RefCell<Known>);

#[derive(Default)]
struct Known {
    names: HashMap<String, Arc<str>>,
    files: HashMap<String, SourceFile>,
    /// By location.
    places: HashMap<usize, SourcePlace>,
}

impl Places {
    /// The site of an operation.
    pub(crate) fn site(&self, op: OperationRef<'_, '_>) -> Site {
        let mut known = self.0.borrow_mut();
        let (name, location) = (ir::name(op), op.location());
        let op = match known.names.get(&name) {
            Some(shared) => shared.clone(),
            None => known.names.entry(name.clone()).or_insert(name.into()).clone(),
        };
        let identity = location_identity(location);
        let location = match known.places.get(&identity) {
            Some(shared) => shared.clone(),
            None => {
                let place = read(location, &mut known.files);
                known.places.entry(identity).or_insert(place).clone()
            }
        };
        Site { op, location }
    }
}

/// The place of one operation.
pub(crate) fn place(location: Location<'_>) -> SourcePlace {
    read(location, &mut HashMap::new())
}

fn read(location: Location<'_>, files: &mut HashMap<String, SourceFile>) -> SourcePlace {
    let LocationPoints { own, calls, is_plain } = LocationPoints::of(location);
    let mut point = |FilePoint { file, line, column }: FilePoint| {
        let shared = files.get(&file).cloned();
        let file = shared.unwrap_or_else(|| {
            let made = SourceFile::of(&file);
            files.insert(file, made.clone());
            made
        });
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        SourcePoint::new(file, number(line), Some(number(column)))
    };
    let mut own = own.into_iter().map(&mut point);
    let (first, others) = (own.next(), own.collect());
    let calls = calls.into_iter();
    let inlined =
        calls.map(|points| Inlined { function: None, points: points.into_iter().map(&mut point).collect() });
    let inlined = inlined.collect();
    let words = (!is_plain).then(|| Box::new(Words { text: text(location).into(), others }));
    PlaceParts { point: first, inlined, origin: None, words }.into()
}

/// A location as MLIR prints it, without the `loc(...)` around it.
fn text(location: Location<'_>) -> String {
    let text = location.to_string();
    let bare = text.strip_prefix("loc(").and_then(|t| t.strip_suffix(')')).unwrap_or(&text);
    bare.replace('"', "")
}
