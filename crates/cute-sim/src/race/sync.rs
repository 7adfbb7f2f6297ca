//! The knowledge that atomic and volatile accesses publish, as PTX's memory model defines it.
//!
//! A *release pattern* is a write that releases, or a fence and a later write; an *acquire pattern*
//! is a read that acquires, or a read and a later fence. A location stores the release patterns
//! that a read observes there: those of its last write, and if that write was an atomic update,
//! those that the update itself observed. A write that is not an update replaces them.
//!
//! Each pattern reaches the threads in its scope. So the knowledge is kept by *distance*: what
//! reaches the threads of one block, of one cluster, and all threads.

use super::clock::of_launches;
use super::foreign::Foreign;
use super::scope::Scope;
use std::collections::HashMap;

/// A value of memory: address space, allocation, first byte, and bytes. Accesses of another width
/// are about another location, because they are not morally strong with those of this one.
pub(crate) type Location = (u32, u32, usize, u32);

/// Knowledge by distance, in the order of [`Scope::ALL`].
pub(crate) type Published = [Foreign; 3];

/// A thread that accesses a location.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Accessor {
    pub(crate) cluster: u32,
    pub(crate) block: u32,
    /// Its number in the block.
    pub(crate) thread: u32,
    /// The scope of its access.
    pub(crate) scope: Scope,
}

impl Accessor {
    /// Whether the scope of each of the two includes the thread of the other.
    fn meets(&self, other: &Accessor) -> bool {
        let apart = match () {
            () if self.block == other.block => Scope::Block,
            () if self.cluster == other.cluster => Scope::Cluster,
            () => Scope::Device,
        };
        self.scope.min(other.scope) >= apart
    }

    fn is_thread(&self, other: &Accessor) -> bool {
        (self.block, self.thread) == (other.block, other.thread)
    }
}

/// A write that releases.
#[derive(Debug)]
struct Release {
    by: Accessor,
    knowledge: Foreign,
}

/// Threads whose last release of a location is kept.
const RELEASES: usize = 4;

#[derive(Debug)]
struct Patterns {
    /// The last write and its value.
    writer: Accessor,
    value: u64,
    /// Knowledge that reaches all threads, those of a cluster, and those of a block.
    all: Foreign,
    clusters: HashMap<u32, Foreign>,
    blocks: HashMap<u32, Foreign>,
    /// A later write by the same thread belongs to the pattern of its last release.
    releases: Vec<Release>,
}

impl Patterns {
    fn forget(&mut self) {
        self.all = Foreign::default();
        self.clusters.clear();
        self.blocks.clear();
    }

    /// Adds knowledge for the threads at this distance from its writer.
    fn add(&mut self, who: &Accessor, distance: Scope, knowledge: &Foreign) {
        let known = match distance {
            Scope::Device => &mut self.all,
            Scope::Cluster => self.clusters.entry(who.cluster).or_default(),
            _ => self.blocks.entry(who.block).or_default(),
        };
        *known = known.joined(knowledge);
    }

    fn is_empty(&self) -> bool {
        self.all.is_empty() && self.clusters.is_empty() && self.blocks.is_empty() && self.releases.is_empty()
    }
}

/// A write of a location.
pub(crate) struct Written {
    pub(crate) value: u64,
    /// It is an atomic update, whose read has just been observed.
    pub(crate) updates: bool,
    pub(crate) releases: bool,
}

/// The patterns of the locations of a memory.
#[derive(Debug, Default)]
pub(crate) struct SyncTable(HashMap<Location, Patterns>);

impl SyncTable {
    /// The table of a launch that may acquire what launches before it left in these locations.
    pub(super) fn after(left: impl Iterator<Item = (Location, u64)>) -> Self {
        let writer = Accessor { cluster: u32::MAX, block: u32::MAX, thread: 0, scope: Scope::Device };
        let patterns = |value| Patterns {
            writer,
            value,
            all: of_launches(),
            clusters: HashMap::new(),
            blocks: HashMap::new(),
            releases: Vec::new(),
        };
        SyncTable(left.map(|(at, value)| (at, patterns(value))).collect())
    }

    /// The locations where something is published to all threads, and their values.
    pub(super) fn left(&self) -> impl Iterator<Item = (Location, u64)> {
        let published = self.0.iter().filter(|(_, patterns)| !patterns.all.is_empty());
        published.map(|(at, patterns)| (*at, patterns.value))
    }

    /// The knowledge that a read of `value` observes. If something else has changed the value since
    /// the last write here, such as a plain store, the read observes nothing.
    pub(crate) fn observe(&mut self, at: Location, value: u64, who: &Accessor) -> Published {
        let Some(patterns) = self.0.get_mut(&at) else { return Published::default() };
        if patterns.value != value {
            patterns.forget();
        }
        if !patterns.writer.meets(who) {
            return Published::default();
        }
        let within = |scope: Scope, known: Option<&Foreign>| {
            known.filter(|_| who.scope >= scope).cloned().unwrap_or_default()
        };
        [
            within(Scope::Block, patterns.blocks.get(&who.block)),
            within(Scope::Cluster, patterns.clusters.get(&who.cluster)),
            within(Scope::Device, Some(&patterns.all)),
        ]
    }

    /// A write, and the knowledge that it publishes.
    pub(crate) fn write(&mut self, at: Location, who: &Accessor, written: &Written, published: &Published) {
        let Written { value, updates, releases } = *written;
        let is_silent = published.iter().all(Foreign::is_empty);
        if is_silent && !self.0.contains_key(&at) {
            return;
        }
        let patterns = self.0.entry(at).or_insert_with(|| Patterns {
            writer: *who,
            value,
            all: Foreign::default(),
            clusters: HashMap::new(),
            blocks: HashMap::new(),
            releases: Vec::new(),
        });
        if !updates || !patterns.writer.meets(who) {
            patterns.forget();
        }
        (patterns.value, patterns.writer) = (value, *who);
        for (distance, knowledge) in Scope::ALL.into_iter().zip(published) {
            if !knowledge.is_empty() {
                patterns.add(who, distance, knowledge);
            }
        }
        let own = patterns.releases.iter().position(|release| release.by.is_thread(who));
        if releases {
            let most = own.or((patterns.releases.len() >= RELEASES).then_some(0));
            if let Some(old) = most {
                patterns.releases.remove(old);
            }
            let knowledge = published.iter().find(|known| !known.is_empty()).cloned().unwrap_or_default();
            patterns.releases.push(Release { by: *who, knowledge });
        } else if let Some(own) = own {
            let Release { by, knowledge } = &patterns.releases[own];
            let (by, knowledge) = (*by, knowledge.clone());
            for distance in Scope::ALL.into_iter().filter(|distance| by.scope.min(who.scope) >= *distance) {
                patterns.add(who, distance, &knowledge);
            }
        }
        if patterns.is_empty() {
            self.0.remove(&at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::foreign::Times;
    use super::*;

    const AT: Location = (1, 0, 0, 4);

    fn who(block: u32, scope: Scope) -> Accessor {
        Accessor { cluster: block / 2, block, thread: 0, scope }
    }

    fn knowledge(cluster: u32) -> Foreign {
        Foreign::of_one(cluster, Times::new(&[cluster + 1]))
    }

    /// Publishes `knowledge` to all threads in the scope.
    fn published(scope: Scope, knowledge: &Foreign) -> Published {
        Scope::ALL.map(|distance| if scope >= distance { knowledge.clone() } else { Foreign::default() })
    }

    fn write(table: &mut SyncTable, who: &Accessor, value: u64, updates: bool, known: Option<u32>) {
        let known = known.map_or_else(Foreign::default, knowledge);
        let written = Written { value, updates, releases: !known.is_empty() };
        table.write(AT, who, &written, &published(who.scope, &known));
    }

    fn sees(table: &mut SyncTable, who: &Accessor, value: u64, cluster: u32) -> bool {
        table.observe(AT, value, who).iter().any(|known| known.of(cluster).is_some())
    }

    #[test]
    fn updates_continue_a_release_and_other_writes_end_it() {
        let mut table = SyncTable::default();
        let [a, b, c] = [0, 2, 4].map(|block| who(block, Scope::Device));
        write(&mut table, &a, 1, false, Some(0));
        write(&mut table, &b, 2, true, None);
        assert!(sees(&mut table, &c, 2, 0));
        write(&mut table, &b, 3, false, None);
        assert!(!sees(&mut table, &c, 3, 0));
        // A later write by the thread that released belongs to its pattern.
        write(&mut table, &a, 4, false, None);
        assert!(sees(&mut table, &c, 4, 0));
        // A value that no such write left.
        assert!(!sees(&mut table, &c, 9, 0));
    }

    #[test]
    fn each_scope_must_include_the_other_thread() {
        for (scope, reached) in [(Scope::Block, 1), (Scope::Cluster, 2), (Scope::Device, 3)] {
            for narrow_reader in [false, true] {
                let mut table = SyncTable::default();
                let (writer, reader) =
                    if narrow_reader { (Scope::Device, scope) } else { (scope, Scope::Device) };
                write(&mut table, &who(0, writer), 1, false, Some(0));
                let seen = [0, 1, 2].map(|block| sees(&mut table, &who(block, reader), 1, 0));
                assert_eq!(seen, [0, 1, 2].map(|distance| distance < reached), "{scope:?} {narrow_reader}");
            }
        }
    }

    /// An update in a scope that does not include the last writer observes nothing of its pattern.
    #[test]
    fn a_narrow_update_ends_a_chain() {
        let mut table = SyncTable::default();
        write(&mut table, &who(0, Scope::Device), 1, false, Some(0));
        write(&mut table, &who(2, Scope::Block), 2, true, None);
        assert!(!sees(&mut table, &who(2, Scope::Device), 2, 0));
    }
}
