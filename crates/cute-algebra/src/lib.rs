//! CuTe layout algebra.
