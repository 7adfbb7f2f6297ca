//! The domain policy, of each thread.

use std::cell::Cell;

use cute_algebra::Domain;
use cute_eval::eval::Session;
use pyo3::{exceptions::PyValueError, prelude::*};

thread_local! {
    static POLICY: Cell<Domain> = const { Cell::new(Domain::Extend) };
}

/// The policy of this thread.
pub fn domain() -> Domain {
    POLICY.get()
}

/// A session with the policy of this thread.
pub fn session() -> Session {
    Session::new(domain())
}

fn name(domain: Domain) -> &'static str {
    match domain {
        Domain::Strict => "strict",
        Domain::Extend => "extend",
    }
}

/// The policy of this thread.
#[pyfunction]
pub fn policy() -> &'static str {
    name(domain())
}

/// Changes the policy of this thread, and returns the one before.
#[pyfunction]
pub fn set_policy(policy: &str) -> PyResult<&'static str> {
    let wanted: Domain = policy.parse().map_err(|_| {
        PyValueError::new_err(format!("the domain policy is 'strict' or 'extend', not '{policy}'"))
    })?;
    Ok(name(POLICY.replace(wanted)))
}
