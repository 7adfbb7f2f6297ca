//! Nothing: the package only names a dependency.
