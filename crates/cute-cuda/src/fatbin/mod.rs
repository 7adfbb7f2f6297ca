//! The code that nvcc puts into a program: fat binaries, and the PTX in them.
