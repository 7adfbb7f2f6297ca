//! Names the library, so that a program that is linked with a path finds it in other folders too.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libcute.so");
}
