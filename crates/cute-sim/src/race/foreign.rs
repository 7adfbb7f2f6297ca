//! Knowledge about the threads of whole clusters, which threads of other clusters publish and
//! acquire.
//!
//! A grid has many clusters, and their knowledge of each other mostly differs in a few of them. So
//! the map from clusters to times is persistent: copies share what they have in common, and joining
//! two of them skips the shared parts. It is a binary trie over the numbers of clusters, in which a
//! branch has two sides (a big-endian Patricia tree).

use std::sync::Arc;

/// A time for each component of a cluster's clocks, as runs of equal times: the end of each run,
/// and its time. Components after the last run are not known.
#[derive(Debug, Clone)]
pub(crate) struct Times(Arc<[(u32, u32)]>);

impl Times {
    pub(crate) fn new(times: &[u32]) -> Self {
        let mut runs: Vec<(u32, u32)> = Vec::new();
        for (end, time) in (1..).zip(times) {
            push(&mut runs, end, *time);
        }
        Times::of(runs)
    }

    fn of(mut runs: Vec<(u32, u32)>) -> Self {
        if runs.last().is_some_and(|(_, time)| *time == 0) {
            runs.pop();
        }
        Times(runs.into())
    }

    pub(crate) fn at(&self, component: u32) -> u32 {
        let run = self.0.partition_point(|(end, _)| *end <= component);
        self.0.get(run).map_or(0, |(_, time)| *time)
    }

    /// Raises the times in `to` to these. Returns whether any was lower.
    pub(crate) fn raise(&self, to: &mut Vec<u32>) -> bool {
        let end = self.0.last().map_or(0, |(end, _)| *end as usize);
        to.resize(to.len().max(end), 0);
        let (mut first, mut raised) = (0, false);
        for (end, time) in &*self.0 {
            for own in &mut to[first..*end as usize] {
                raised |= *own < *time;
                *own = (*own).max(*time);
            }
            first = *end as usize;
        }
        raised
    }

    /// The later time of each component: one of the two, if it is nowhere below the other.
    fn joined(&self, other: &Times) -> Times {
        let (mut one, mut two) = (self.0.iter().peekable(), other.0.iter().peekable());
        let mut runs = Vec::with_capacity(self.0.len().max(other.0.len()));
        loop {
            let (end, time) = match (one.peek(), two.peek()) {
                (Some((a, one)), Some((b, two))) => (*a.min(b), *one.max(two)),
                (Some(run), None) | (None, Some(run)) => **run,
                (None, None) => break,
            };
            push(&mut runs, end, time);
            one.next_if(|(own, _)| *own == end);
            two.next_if(|(own, _)| *own == end);
        }
        match runs {
            runs if runs[..] == *self.0 => self.clone(),
            runs if runs[..] == *other.0 => other.clone(),
            runs => Times::of(runs),
        }
    }
}

/// Continues the last run, or begins one.
fn push(runs: &mut Vec<(u32, u32)>, end: u32, time: u32) {
    match runs.last_mut() {
        Some((last, same)) if *same == time => *last = end,
        _ => runs.push((end, time)),
    }
}

/// The times up to which the clusters of a grid are known, and up to which the async proxy sees
/// them in global memory because a thread of another cluster fenced what it knew. The latter are
/// kept as if they were further clusters.
#[derive(Debug, Clone, Default)]
pub(crate) struct Foreign(Option<Arc<Node>>);

#[derive(Debug)]
enum Node {
    One {
        cluster: u32,
        times: Times,
    },
    /// Clusters whose numbers agree above `bit`, in `common`, and differ in it.
    Branch {
        common: u32,
        bit: u32,
        sides: [Arc<Node>; 2],
    },
}

impl Node {
    /// The common part of the numbers, and the bit in which they differ: 0 for one cluster.
    fn place(&self) -> (u32, u32) {
        match self {
            Node::One { cluster, .. } => (*cluster, 0),
            Node::Branch { common, bit, .. } => (*common, *bit),
        }
    }
}

/// A bit, and all bits below.
fn up_to(bit: u32) -> u32 {
    bit | bit.saturating_sub(1)
}

impl Foreign {
    /// Knowledge of one cluster.
    pub(crate) fn of_one(cluster: u32, times: Times) -> Self {
        Foreign(Some(Arc::new(Node::One { cluster: 2 * cluster, times })))
    }

    /// This knowledge, all of it visible to the async proxy.
    pub(crate) fn fenced(&self) -> Foreign {
        let mut all = self.clone();
        let mut left: Vec<&Arc<Node>> = self.0.iter().collect();
        while let Some(node) = left.pop() {
            match &**node {
                Node::One { cluster, times } => {
                    let seen = Node::One { cluster: cluster | 1, times: times.clone() };
                    all = all.joined(&Foreign(Some(Arc::new(seen))));
                }
                Node::Branch { sides, .. } => left.extend(sides),
            }
        }
        all
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Whether both are the same copy.
    pub(crate) fn is(&self, other: &Foreign) -> bool {
        match (&self.0, &other.0) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        }
    }

    /// Whether there is knowledge of other clusters than this one.
    pub(crate) fn is_beyond(&self, own: u32) -> bool {
        self.0
            .as_deref()
            .is_some_and(|node| !matches!(node, Node::One { cluster, .. } if *cluster == 2 * own))
    }

    /// The times of a cluster.
    pub(crate) fn of(&self, cluster: u32) -> Option<&Times> {
        self.at(2 * cluster)
    }

    /// The times up to which the async proxy sees a cluster.
    pub(crate) fn seen_of(&self, cluster: u32) -> Option<&Times> {
        self.at(2 * cluster + 1)
    }

    fn at(&self, cluster: u32) -> Option<&Times> {
        let mut node = self.0.as_deref()?;
        loop {
            match node {
                Node::One { cluster: own, times } => return (*own == cluster).then_some(times),
                Node::Branch { bit, sides, .. } => node = &sides[usize::from(cluster & bit != 0)],
            }
        }
    }

    /// The union of both: one of the two, if it has all that the other has.
    pub(crate) fn joined(&self, other: &Foreign) -> Foreign {
        Foreign(match (&self.0, &other.0) {
            (Some(one), Some(other)) => Some(join(one, other)),
            (one, other) => one.clone().or_else(|| other.clone()),
        })
    }
}

fn join(one: &Arc<Node>, two: &Arc<Node>) -> Arc<Node> {
    if Arc::ptr_eq(one, two) {
        return one.clone();
    }
    let ((a, bit), (b, other)) = (one.place(), two.place());
    let apart = (a ^ b) & !up_to(bit.max(other));
    if apart != 0 {
        let bit = 1 << apart.ilog2();
        let (zero, one) = if a & bit == 0 { (one, two) } else { (two, one) };
        return Arc::new(Node::Branch { common: a & !up_to(bit), bit, sides: [zero.clone(), one.clone()] });
    }
    match (&**one, &**two) {
        (Node::One { cluster, times }, Node::One { times: others, .. }) => {
            let joined = times.joined(others);
            if Arc::ptr_eq(&joined.0, &times.0) {
                one.clone()
            } else if Arc::ptr_eq(&joined.0, &others.0) {
                two.clone()
            } else {
                Arc::new(Node::One { cluster: *cluster, times: joined })
            }
        }
        (Node::Branch { sides: [c, d], .. }, Node::Branch { sides: [e, f], .. }) if bit == other => {
            either(one, Some(two), [join(c, e), join(d, f)])
        }
        (Node::Branch { sides, .. }, _) if bit > other => under(one, sides, bit, two, b),
        (_, Node::Branch { sides, .. }) => under(two, sides, other, one, a),
        (Node::Branch { .. }, Node::One { .. }) => unreachable!("the bit of a branch is not 0"),
    }
}

/// The branch `whole` with a node joined to one of its sides.
fn under(whole: &Arc<Node>, sides: &[Arc<Node>; 2], bit: u32, node: &Arc<Node>, place: u32) -> Arc<Node> {
    let [zero, one] = sides;
    let sides =
        if place & bit == 0 { [join(zero, node), one.clone()] } else { [zero.clone(), join(one, node)] };
    either(whole, None, sides)
}

/// The branch with these sides: one of the given ones, if it has them.
fn either(one: &Arc<Node>, other: Option<&Arc<Node>>, sides: [Arc<Node>; 2]) -> Arc<Node> {
    let has = |node: &&Arc<Node>| match &***node {
        Node::Branch { sides: own, .. } => own.iter().zip(&sides).all(|(own, side)| Arc::ptr_eq(own, side)),
        Node::One { .. } => false,
    };
    if let Some(node) = std::iter::once(one).chain(other).find(has) {
        return node.clone();
    }
    let (common, bit) = one.place();
    Arc::new(Node::Branch { common, bit, sides })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;
    use std::collections::BTreeMap;

    #[test]
    fn runs_are_the_times_they_were_made_of() {
        let times = Times::new(&[4, 4, 0, 7, 0, 0]);
        assert_eq!(times.0[..], [(2, 4), (3, 0), (4, 7)]);
        assert_eq!([0, 1, 2, 3, 4, 9].map(|i| times.at(i)), [4, 4, 0, 7, 0, 0]);
        let mut dense = vec![5, 1];
        assert!(times.raise(&mut dense) && !times.raise(&mut dense));
        assert_eq!(dense, [5, 4, 0, 7]);
    }

    /// Unions agree with those of ordinary maps, and are the larger map if one contains the other.
    #[test]
    fn unions_are_those_of_maps() {
        let mut rng = Rng::with_seed(3);
        let mut made: Vec<(Foreign, BTreeMap<u32, Vec<u32>>)> = vec![Default::default()];
        for _ in 0..400 {
            let clusters = [5, 300, u32::MAX / 2][rng.usize(..3)];
            let cluster = rng.u32(..clusters);
            let times: Vec<u32> = (0..rng.usize(1..6)).map(|_| rng.u32(1..4)).collect();
            let single = (Foreign::of_one(cluster, Times::new(&times)), BTreeMap::from([(cluster, times)]));
            let mut pick = || made[rng.usize(..made.len())].clone();
            let (one, two, single) = (pick(), pick(), single);
            let (mut union, mut map) = one.clone();
            for (other, others) in [two, single] {
                union = union.joined(&other);
                for (cluster, times) in others {
                    let own = map.entry(cluster).or_default();
                    own.resize(own.len().max(times.len()), 0);
                    own.iter_mut().zip(&times).for_each(|(own, time)| *own = (*own).max(*time));
                }
                assert!(union.joined(&other).is(&union));
            }
            assert!(one.0.joined(&union).is(&union) || map == one.1);
            for (cluster, times) in &map {
                let own = union.of(*cluster).expect("it is in the union");
                assert!((0..8).all(|i| own.at(i) == times.get(i as usize).copied().unwrap_or(0)));
            }
            let fenced = union.fenced();
            assert!(map.keys().all(|cluster| fenced.seen_of(*cluster).is_some()));
            assert!(map.keys().all(|cluster| union.seen_of(*cluster).is_none()));
            made.push((union, map));
        }
    }
}
