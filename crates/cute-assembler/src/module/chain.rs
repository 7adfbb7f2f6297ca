//! The calls that were inlined around the lines of `.loc`. A `.loc` gives the place of one call
//! only; the chain follows from earlier ones, because compilers write the `.loc` of a call before
//! those that are inlined there, once for each function.

use super::files::Files;
use cute_machine::place::{Inlined, SourcePoint};
use cute_ptx::syntax::Location;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;

/// File, line and column.
pub(super) type Spot = (u32, u32, u32);

/// A label of `.debug_str`, and bytes from it: the name of a function.
pub(super) type Name<'a> = (&'a str, u64);

/// A place, or a call around it.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Link<'a> {
    /// The function that is inlined there.
    function: Option<Name<'a>>,
    /// The places that it may be: one, unless functions are inlined at several calls and the text
    /// does not say at which. At most [`MOST_ALTERNATIVES`].
    spots: Vec<Spot>,
}

/// From the place itself to the outermost call.
type Links<'a> = Rc<[Link<'a>]>;

const MOST_ALTERNATIVES: usize = 3;

/// Links of a chain at most; recursive functions could make them endless.
const MOST_LINKS: usize = 64;

/// The chains of one function.
#[derive(Default)]
pub(super) struct Chains<'a> {
    /// Those of all places so far, joined where a place has several.
    known: FxHashMap<Spot, Links<'a>>,
    /// The last `.loc`, and its own chain.
    last: Option<(Spot, Links<'a>)>,
    made: FxHashMap<Links<'a>, Chain>,
}

/// A place of a source, and the calls around it. It is cheap to clone.
#[derive(Clone)]
pub(super) struct Chain {
    pub(super) point: SourcePoint,
    pub(super) inlined: Arc<[Inlined]>,
}

impl<'a> Chains<'a> {
    /// The chain of a `.loc`.
    pub(super) fn of(&mut self, location: &Location<'a>, files: &Files<'a>) -> Chain {
        let Location { file, line, column, function, inlined_at } = *location;
        let own = (file, line, column);
        let alone = |spot| Link { function: None, spots: vec![spot] };
        let calls = inlined_at.map(|call| match &self.last {
            Some((last, links)) if *last == call => links.clone(),
            _ => self.known.get(&call).cloned().unwrap_or_else(|| Rc::from([alone(call)])),
        });
        let calls = calls.iter().flat_map(|links| links.iter()).take(MOST_LINKS - 1).cloned();
        let mut links: Vec<Link<'_>> = std::iter::once(alone(own)).chain(calls).collect();
        if let Some(call) = links.get_mut(1) {
            call.function = function;
        }
        // Templates that call themselves are inlined at one place again and again.
        links.dedup_by(|link, before| link.spots == before.spots);
        let links = Links::from(links);
        self.last = Some((own, links.clone()));
        match self.known.get_mut(&own) {
            None => {
                self.known.insert(own, links.clone());
            }
            Some(known) if *known != links => *known = joined(known, &links),
            Some(_) => {}
        }
        let made = self.made.entry(links.clone());
        made.or_insert_with(|| Chain { point: files.point(own), inlined: inlined(&links, files) }).clone()
    }
}

/// The alternatives of two chains of one place.
fn joined<'a>(a: &Links<'a>, b: &Links<'a>) -> Links<'a> {
    let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    let mut links: Vec<Link<'_>> = long.to_vec();
    for (link, others) in links.iter_mut().zip(short.iter()) {
        link.function = link.function.filter(|name| others.function == Some(*name));
        for other in &others.spots {
            if !link.spots.contains(other) && link.spots.len() < MOST_ALTERNATIVES {
                link.spots.push(*other);
            }
        }
    }
    links.into()
}

fn inlined(links: &Links<'_>, files: &Files<'_>) -> Arc<[Inlined]> {
    let call = |Link { function, spots }: &Link<'_>| Inlined {
        function: function.and_then(|name| files.function(name)),
        points: spots.iter().map(|spot| files.point(*spot)).collect(),
    };
    links.iter().skip(1).map(call).collect()
}
