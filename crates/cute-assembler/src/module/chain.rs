//! The calls that were inlined around the lines of `.loc`. A `.loc` gives the place of one call
//! only; the chain follows from earlier ones, because compilers write the `.loc` of a call before
//! those that are inlined there, once for each function.

use super::files::Files;
use cute_ptx::syntax::Location;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;

/// File, line and column.
pub(super) type Spot = (u32, u32, u32);

/// The places that a link of a chain may be: one, unless functions are inlined at several calls and
/// the text does not say at which. At most [`MOST_ALTERNATIVES`].
type Link = Vec<Spot>;

/// From the place itself to the outermost call.
type Links = Rc<[Link]>;

const MOST_ALTERNATIVES: usize = 3;

/// Links of a chain at most; recursive functions could make them endless.
const MOST_LINKS: usize = 64;

/// The chains of one function.
#[derive(Default)]
pub(super) struct Chains {
    /// Those of all places so far, joined where a place has several.
    known: FxHashMap<Spot, Links>,
    /// The last `.loc`, and its own chain.
    last: Option<(Spot, Links)>,
    texts: FxHashMap<Links, Chain>,
}

/// A chain as text.
#[derive(Clone)]
pub(super) struct Chain {
    /// The text for people: the place, the innermost call from the user's own files, and the
    /// outermost call.
    pub(super) short: Arc<str>,
    /// All of it.
    pub(super) whole: Arc<[Arc<str>]>,
}

impl Chains {
    /// The chain of a `.loc`.
    pub(super) fn of(&mut self, location: &Location, files: &Files<'_>) -> Chain {
        let Location { file, line, column, inlined_at } = *location;
        let own = (file, line, column);
        let calls = inlined_at.map(|call| match &self.last {
            Some((last, links)) if *last == call => links.clone(),
            _ => self.known.get(&call).cloned().unwrap_or_else(|| Rc::from([vec![call]])),
        });
        let calls = calls.iter().flat_map(|links| links.iter()).take(MOST_LINKS - 1).cloned();
        let mut links: Vec<Link> = std::iter::once(vec![own]).chain(calls).collect();
        // Templates that call themselves are inlined at one place again and again.
        links.dedup();
        let links = Links::from(links);
        self.last = Some((own, links.clone()));
        match self.known.get_mut(&own) {
            None => {
                self.known.insert(own, links.clone());
            }
            Some(known) if *known != links => *known = joined(known, &links),
            Some(_) => {}
        }
        let texts = self.texts.entry(links.clone());
        texts.or_insert_with(|| text(&links, files)).clone()
    }
}

/// The alternatives of two chains of one place.
fn joined(a: &Links, b: &Links) -> Links {
    let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    let mut links: Vec<Link> = long.to_vec();
    for (link, others) in links.iter_mut().zip(short.iter()) {
        for other in others {
            if !link.contains(other) && link.len() < MOST_ALTERNATIVES {
                link.push(*other);
            }
        }
    }
    links.into()
}

fn text(links: &Links, files: &Files<'_>) -> Chain {
    let join = |link: &Link, name: &dyn Fn(&Spot) -> String| {
        let places: Vec<String> = link.iter().map(name).collect();
        places.join(" or ")
    };
    let whole = links.iter().map(|link| join(link, &|spot| files.whole(*spot)).into()).collect();
    let outermost = links.len() - 1;
    // The user's files are those beside the file of the kernel.
    let folder = |i: usize| files.folder(links[i][0].0);
    let own = (1..=outermost).find(|i| folder(*i) == folder(outermost)).unwrap_or(outermost);
    let mut shown = vec![0, own, outermost];
    shown.dedup();
    let places: Vec<String> =
        shown.into_iter().map(|i| join(&links[i], &|spot| files.short(*spot))).collect();
    Chain { short: places.join(", inlined at ").into(), whole }
}
