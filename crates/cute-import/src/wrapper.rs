//! TVM-FFI functions. CuTe DSL adds them to a module when its own passes have run, so that they
//! mark a module whose kernels are compiled already. The module before any pass has none.

/// The prefix of their names.
const PREFIX: &str = "__tvm_ffi_";
/// The op that defines them.
const FUNCTION: &str = "llvm.func";

/// The first such function of a text, in custom or generic assembly: its position and its name.
pub fn first(text: &str) -> Option<(usize, &str)> {
    text.match_indices(FUNCTION).find_map(|(at, _)| {
        let (before, after) = (&text[..at], text[at..].lines().next().unwrap_or_default());
        let line = before.rsplit('\n').next().unwrap_or_default().trim_start();
        // In generic assembly, the op begins at the quote before its name.
        let (at, opening) = match line {
            "" => (at, "@"),
            "\"" => (at - 1, "sym_name = \""),
            _ => return None,
        };
        let (_, name) = after.split_once(opening)?;
        let end = name.find(|c: char| !(c.is_ascii_alphanumeric() || "_$.".contains(c)));
        let name = &name[..end.unwrap_or(name.len())];
        name.starts_with(PREFIX).then_some((at, name))
    })
}

/// The error for such a function.
pub fn unsupported(name: &str) -> String {
    format!(
        "'{FUNCTION}' op @{name} is a TVM-FFI function, which CuTe DSL adds after its own passes; use the module \
         before any pass, which has the host function without TVM-FFI"
    )
}

#[cfg(test)]
mod tests {
    use super::first;

    #[test]
    fn only_a_definition_counts() {
        let found = |text| first(text).map(|(at, name)| (at, name.to_owned()));
        assert_eq!(found("{\n  llvm.func internal @__tvm_ffi_a(%x: i32)"), Some((4, "__tvm_ffi_a".into())));
        assert_eq!(
            found("{\n  \"llvm.func\"() <{CConv = c, sym_name = \"__tvm_ffi_a\"}> ({"),
            Some((4, "__tvm_ffi_a".into()))
        );
        assert_eq!(found("// llvm.func @__tvm_ffi_a()"), None);
        assert_eq!(found("llvm.func @a() attributes {also = @__tvm_ffi_a}"), None);
        assert_eq!(found("func.func @__tvm_ffi_a()"), None);
        assert_eq!(found("llvm.func"), None);
    }
}
