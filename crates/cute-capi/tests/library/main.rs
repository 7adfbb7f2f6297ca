//! The C library as C sees it: statuses, messages, parts, and what it does with bad input.

mod bad_input;
mod calls;
mod header;
mod interface;
mod prove;
mod simulate;
mod symbols;

use std::{
    ffi::{CString, c_int, c_void},
    ptr,
};

use interface::*;
