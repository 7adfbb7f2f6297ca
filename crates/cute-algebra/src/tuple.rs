//! Hierarchical tuples: a profile (the tree) and a flat list of leaves. `(4,(2,3))` has the leaves
//! 4, 2, 3 and two modes, the leaf `4` and the tuple `(2,3)`. A leaf is its own only mode, so that
//! algorithms need not treat it as a special case. The type of the leaves is arbitrary.

use std::fmt;

use smallvec::{SmallVec, smallvec};

use crate::error::{Error, ModePath, Result};

/// Marks a leaf in a preorder list of arities.
const LEAF: u32 = u32::MAX;

/// The tree of a tuple without its leaves: the number of modes of every node in preorder.
/// `(4,(2,2))` and `(1,(7,3))` have the same profile.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Profile(SmallVec<[u32; 8]>);

/// Copies the arities at once; `SmallVec`'s own `clone` copies them one by one.
impl Clone for Profile {
    fn clone(&self) -> Self {
        Self(SmallVec::from_slice(&self.0))
    }
}

impl Profile {
    /// The number of modes of every node in preorder; [`Profile::LEAF`] for a leaf.
    pub fn arities(&self) -> &[u32] {
        &self.0
    }

    /// The entry that stands for a leaf among the arities.
    pub const LEAF: u32 = LEAF;

    /// The profile with these arities; `None` when they do not describe exactly one tree.
    pub fn from_arities(arities: impl IntoIterator<Item = u32>) -> Option<Self> {
        let arities: SmallVec<[u32; 8]> = arities.into_iter().collect();
        // Each node closes one open place and opens one for each of its modes; the tree ends where
        // none is open.
        let mut open = 1usize;
        for &arity in &arities {
            open = open.checked_sub(1)?;
            open += if arity == LEAF { 0 } else { arity as usize };
        }
        (open == 0 && !arities.is_empty()).then_some(Self(arities))
    }

    /// The profile with these arities, which must describe exactly one tree.
    pub(crate) fn from_preorder(arities: SmallVec<[u32; 8]>) -> Self {
        debug_assert!(Self::from_arities(arities.iter().copied()).is_some());
        Self(arities)
    }

    /// Number of leaves.
    pub fn leaf_count(&self) -> usize {
        self.0.iter().filter(|&&arity| arity == LEAF).count()
    }
}

/// A tree of `T`: a leaf, or a list of trees. `4`, `(4)`, `()` and `(4,(2,2))` all differ.
///
/// ```
/// use cute_algebra::{Tuple, parse_int_tuple};
/// let t = parse_int_tuple("(4,(2,3))")?;
/// assert_eq!(t.rank(), 2);
/// assert_eq!(t.depth(), 2);
/// assert_eq!(t.mode(1).map(|m| m.to_string()), Some("(2,3)".to_string()));
/// assert_eq!(t.flatten().to_string(), "(4,2,3)");
/// # Ok::<(), cute_algebra::ParseError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Tuple<T> {
    profile: Profile,
    leaves: SmallVec<[T; 4]>,
}

/// A borrowed subtree of a [`Tuple`].
#[derive(Debug)]
pub struct TupleRef<'a, T> {
    profile: &'a [u32],
    leaves: &'a [T],
}

impl<T> Clone for TupleRef<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for TupleRef<'_, T> {}

impl<T: PartialEq> PartialEq for TupleRef<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        self.profile == other.profile && self.leaves == other.leaves
    }
}

/// Length of the first subtree in a preorder list, in nodes and in leaves.
fn extent(profile: &[u32]) -> (usize, usize) {
    let (mut open, mut nodes, mut leaves) = (1usize, 0usize, 0usize);
    for &arity in profile {
        nodes += 1;
        open -= 1;
        if arity == LEAF {
            leaves += 1;
        } else {
            open += arity as usize;
        }
        if open == 0 {
            break;
        }
    }
    (nodes, leaves)
}

impl<'a, T> TupleRef<'a, T> {
    /// Whether this is a leaf.
    pub fn is_leaf(&self) -> bool {
        self.profile.first() == Some(&LEAF)
    }

    /// The leaf, if this is one.
    pub fn as_leaf(&self) -> Option<&'a T> {
        if self.is_leaf() { self.leaves.first() } else { None }
    }

    /// Number of modes; 1 for a leaf.
    pub fn rank(&self) -> usize {
        match self.profile.first() {
            Some(&LEAF) => 1,
            Some(&arity) => arity as usize,
            None => 0,
        }
    }

    /// Levels of nesting; 0 for a leaf, 1 for a flat tuple.
    pub fn depth(&self) -> usize {
        let (mut open, mut deepest): (SmallVec<[u32; 8]>, usize) = (smallvec![], 0);
        for &arity in self.profile {
            if arity == LEAF || arity == 0 {
                deepest = deepest.max(open.len() + usize::from(arity == 0));
                while let Some(last) = open.last_mut() {
                    *last -= 1;
                    if *last > 0 {
                        break;
                    }
                    open.pop();
                }
            } else {
                open.push(arity);
            }
        }
        deepest
    }

    /// The modes; a leaf yields itself.
    pub fn modes(&self) -> Modes<'a, T> {
        let (profile, left) = if self.is_leaf() {
            (self.profile, 1)
        } else {
            (self.profile.get(1..).unwrap_or(&[]), self.rank())
        };
        Modes { profile, leaves: self.leaves, left }
    }

    /// Mode `i`; mode 0 of a leaf is the leaf.
    pub fn mode(&self, i: usize) -> Option<TupleRef<'a, T>> {
        self.modes().nth(i)
    }

    /// The subtree at `path`, outermost first. A leaf is its own mode 0 and has no other modes.
    pub fn get(&self, path: &[usize]) -> Option<TupleRef<'a, T>> {
        if self.is_leaf() && path == [0] {
            return Some(*self);
        }
        path.iter().try_fold(*self, |t, &i| if t.is_leaf() { None } else { t.mode(i) })
    }

    /// All leaves, depth first.
    pub fn leaves(&self) -> &'a [T] {
        self.leaves
    }

    /// The tree without the leaves.
    pub fn profile(&self) -> Profile {
        Profile(SmallVec::from_slice(self.profile))
    }

    /// The number of modes of every node in preorder; [`Profile::LEAF`] for a leaf.
    pub(crate) fn arities(&self) -> &'a [u32] {
        self.profile
    }

    /// Whether both trees have the same profile.
    pub fn congruent<U>(&self, other: TupleRef<'_, U>) -> bool {
        self.profile == other.profile
    }

    /// Whether `self` is `other` with some subtrees replaced by leaves.
    pub fn weakly_congruent<U>(&self, other: TupleRef<'_, U>) -> bool {
        if self.is_leaf() {
            return true;
        }
        !other.is_leaf()
            && self.rank() == other.rank()
            && self.modes().zip(other.modes()).all(|(a, b)| a.weakly_congruent(b))
    }

    /// The path of every leaf, depth first.
    pub fn leaf_paths(&self) -> Vec<ModePath> {
        fn walk<T>(t: TupleRef<'_, T>, path: &ModePath, out: &mut Vec<ModePath>) {
            if t.is_leaf() {
                out.push(path.clone());
            } else {
                for (i, m) in t.modes().enumerate() {
                    walk(m, &path.child(i), out);
                }
            }
        }
        let mut out = Vec::new();
        walk(*self, &ModePath::root(), &mut out);
        out
    }

    /// The path of leaf `n`, which must exist.
    pub fn leaf_path(&self, n: usize) -> ModePath {
        self.leaf_paths().swap_remove(n)
    }

    /// The same tree with `f` applied to every leaf.
    pub fn map<U>(&self, f: impl FnMut(&'a T) -> U) -> Tuple<U> {
        Tuple { profile: self.profile(), leaves: self.leaves.iter().map(f).collect() }
    }

    /// [`map`](Self::map) with a function that can fail.
    pub fn try_map<U, E>(
        &self,
        f: impl FnMut(&'a T) -> std::result::Result<U, E>,
    ) -> std::result::Result<Tuple<U>, E> {
        let leaves = self.leaves.iter().map(f).collect::<std::result::Result<_, E>>()?;
        Ok(Tuple { profile: self.profile(), leaves })
    }

    /// The leaves of two congruent trees, pairwise; `None` when they are not congruent.
    pub fn zip<U: Clone>(&self, other: TupleRef<'_, U>) -> Option<Tuple<(T, U)>>
    where
        T: Clone,
    {
        self.congruent(other).then(|| Tuple {
            profile: self.profile(),
            leaves: self.leaves.iter().cloned().zip(other.leaves.iter().cloned()).collect(),
        })
    }

    /// An owned copy.
    pub fn to_owned(&self) -> Tuple<T>
    where
        T: Clone,
    {
        Tuple { profile: self.profile(), leaves: self.leaves.iter().cloned().collect() }
    }
}

/// Iterator over the modes of a [`TupleRef`].
#[derive(Debug, Clone)]
pub struct Modes<'a, T> {
    profile: &'a [u32],
    leaves: &'a [T],
    left: usize,
}

impl<'a, T> Iterator for Modes<'a, T> {
    type Item = TupleRef<'a, T>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let (nodes, count) = extent(self.profile);
        let (profile, rest) = self.profile.split_at_checked(nodes)?;
        let (leaves, rest_leaves) = self.leaves.split_at_checked(count)?;
        (self.profile, self.leaves) = (rest, rest_leaves);
        Some(TupleRef { profile, leaves })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<T> ExactSizeIterator for Modes<'_, T> {}

impl<T> Tuple<T> {
    /// A single leaf, such as `4`.
    pub fn leaf(leaf: T) -> Self {
        Self { profile: Profile(smallvec![LEAF]), leaves: smallvec![leaf] }
    }

    /// The tuple with the given modes: `()` for none, `(4)` for the leaf `4`.
    pub fn from_modes(modes: impl IntoIterator<Item = Self>) -> Self {
        let (mut profile, mut leaves): (SmallVec<[u32; 8]>, SmallVec<[T; 4]>) = (smallvec![0], smallvec![]);
        let mut rank = 0;
        for mode in modes {
            rank += 1;
            profile.extend_from_slice(&mode.profile.0);
            leaves.extend(mode.leaves);
        }
        if let Some(root) = profile.first_mut() {
            *root = rank;
        }
        Self { profile: Profile(profile), leaves }
    }

    /// The flat tuple of the given leaves.
    pub fn from_leaves(leaves: impl IntoIterator<Item = T>) -> Self {
        let leaves: SmallVec<[T; 4]> = leaves.into_iter().collect();
        let mut profile: SmallVec<[u32; 8]> = smallvec![LEAF; leaves.len() + 1];
        if let Some(root) = profile.first_mut() {
            *root = leaves.len() as u32;
        }
        Self { profile: Profile(profile), leaves }
    }

    /// The tree `profile` over the given leaves; `None` when their number differs.
    pub fn from_profile(profile: Profile, leaves: impl IntoIterator<Item = T>) -> Option<Self> {
        let leaves: SmallVec<[T; 4]> = leaves.into_iter().collect();
        (profile.leaf_count() == leaves.len()).then_some(Self { profile, leaves })
    }

    /// The tree `profile` over the given leaves, whose number must match.
    pub(crate) fn from_parts(profile: Profile, leaves: SmallVec<[T; 4]>) -> Self {
        debug_assert_eq!(profile.leaf_count(), leaves.len());
        Self { profile, leaves }
    }

    /// A borrowed view of the whole.
    pub fn view(&self) -> TupleRef<'_, T> {
        TupleRef { profile: &self.profile.0, leaves: &self.leaves }
    }

    /// Whether this is a leaf.
    pub fn is_leaf(&self) -> bool {
        self.view().is_leaf()
    }

    /// The leaf, if this is one.
    pub fn as_leaf(&self) -> Option<&T> {
        self.view().as_leaf()
    }

    /// Number of modes; 1 for a leaf.
    pub fn rank(&self) -> usize {
        self.view().rank()
    }

    /// Levels of nesting; 0 for a leaf, 1 for a flat tuple.
    pub fn depth(&self) -> usize {
        self.view().depth()
    }

    /// The modes; a leaf yields itself.
    pub fn modes(&self) -> Modes<'_, T> {
        self.view().modes()
    }

    /// Mode `i`; mode 0 of a leaf is the leaf.
    pub fn mode(&self, i: usize) -> Option<TupleRef<'_, T>> {
        self.view().mode(i)
    }

    /// The subtree at `path`, outermost first.
    pub fn get(&self, path: &[usize]) -> Option<TupleRef<'_, T>> {
        self.view().get(path)
    }

    /// All leaves, depth first.
    pub fn leaves(&self) -> &[T] {
        &self.leaves
    }

    /// The tree without the leaves.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// The same tree with `f` applied to every leaf.
    pub fn map<U>(&self, f: impl FnMut(&T) -> U) -> Tuple<U> {
        self.view().map(f)
    }

    /// [`map`](Self::map) with a function that can fail.
    pub fn try_map<U, E>(
        &self,
        f: impl FnMut(&T) -> std::result::Result<U, E>,
    ) -> std::result::Result<Tuple<U>, E> {
        self.view().try_map(f)
    }

    /// Whether both trees have the same profile.
    pub fn congruent<U>(&self, other: &Tuple<U>) -> bool {
        self.view().congruent(other.view())
    }

    /// Whether `self` is `other` with some subtrees replaced by leaves.
    pub fn weakly_congruent<U>(&self, other: &Tuple<U>) -> bool {
        self.view().weakly_congruent(other.view())
    }
}

impl<T: Clone> Tuple<T> {
    /// The leaves of two congruent trees, pairwise; `None` when they are not congruent.
    pub fn zip<U: Clone>(&self, other: &Tuple<U>) -> Option<Tuple<(T, U)>> {
        self.view().zip(other.view())
    }

    /// The flat tuple of all leaves; a leaf stays a leaf.
    #[must_use]
    pub fn flatten(&self) -> Self {
        if self.is_leaf() { self.clone() } else { Self::from_leaves(self.leaves.iter().cloned()) }
    }

    /// The leaves regrouped by `profile`; `None` when their number differs.
    pub fn unflatten(&self, profile: &Profile) -> Option<Self> {
        Self::from_profile(profile.clone(), self.leaves.iter().cloned())
    }

    /// Wraps modes `[begin, end)` into one: `(4,5,6)` with `[0,2)` is `((4,5),6)`.
    pub fn group(&self, begin: usize, end: usize) -> Result<Self> {
        self.check_range(begin, end)?;
        let mut modes: Vec<Self> = self.modes().map(|m| m.to_owned()).collect();
        let grouped = Self::from_modes(modes.drain(begin..end).collect::<Vec<_>>());
        modes.insert(begin, grouped);
        Ok(Self::from_modes(modes))
    }

    /// Modes `[begin, end)`: `(4,5,6)` with `[1,3)` gives `(5,6)`.
    pub fn take(&self, begin: usize, end: usize) -> Result<Self> {
        self.check_range(begin, end)?;
        Ok(Self::from_modes(self.modes().skip(begin).take(end - begin).map(|m| m.to_owned())))
    }

    /// The modes at `indices`, in that order.
    pub fn select(&self, indices: &[usize]) -> Result<Self> {
        let mode = |&i: &usize| {
            let missing = || Error::NoSuchMode { what: "the tuple", path: ModePath::from_iter([i]) };
            self.mode(i).map(|m| m.to_owned()).ok_or_else(missing)
        };
        Ok(Self::from_modes(indices.iter().map(mode).collect::<Result<Vec<_>>>()?))
    }

    /// The tuple with one more mode at the end; a leaf becomes mode 0.
    #[must_use]
    pub fn append(&self, mode: Self) -> Self {
        Self::from_modes(self.modes().map(|m| m.to_owned()).chain([mode]))
    }

    /// The tuple with one more mode in front; a leaf becomes the last mode.
    #[must_use]
    pub fn prepend(&self, mode: Self) -> Self {
        Self::from_modes([mode].into_iter().chain(self.modes().map(|m| m.to_owned())))
    }

    /// The tuple with mode `i` replaced.
    pub fn replace(&self, i: usize, mode: Self) -> Result<Self> {
        self.check_range(i, i.saturating_add(1))?;
        Ok(Self::from_modes(
            self.modes().enumerate().map(|(n, m)| if n == i { mode.clone() } else { m.to_owned() }),
        ))
    }

    fn check_range(&self, begin: usize, end: usize) -> Result<()> {
        let rank = self.rank();
        if begin < end && end <= rank { Ok(()) } else { Err(Error::ModeRange { begin, end, rank }) }
    }
}

impl<T: fmt::Display> fmt::Display for TupleRef<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(leaf) = self.as_leaf() {
            return write!(f, "{leaf}");
        }
        write!(f, "(")?;
        for (i, mode) in self.modes().enumerate() {
            write!(f, "{}{mode}", if i == 0 { "" } else { "," })?;
        }
        write!(f, ")")
    }
}

impl<T: fmt::Display> fmt::Display for Tuple<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.view().fmt(f)
    }
}
