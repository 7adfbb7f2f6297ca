//! The names of kernels in PTX. ptxas compiles a kernel with `cutlass` in its name by other
//! heuristics.

/// The word in a name that ptxas looks for.
pub const MARK: &str = "cutlass";

/// PTX whose kernel of one name has another one.
pub fn renamed(ptx: &str, from: &str, to: &str) -> String {
    const ENTRY: &str = ".entry";
    let mut text = String::with_capacity(ptx.len());
    let mut rest = ptx;
    while let Some((before, after)) = rest.split_once(ENTRY) {
        text += before;
        text += ENTRY;
        let name = after.trim_start();
        let end = name.find(|c| !is_part(c)).unwrap_or(name.len());
        let is_it = name.len() < after.len() && &name[..end] == from;
        text += &after[..after.len() - name.len()];
        text += if is_it { to } else { &name[..end] };
        rest = &name[end..];
    }
    text + rest
}

/// Whether a text is a name of PTX.
pub fn is_name(text: &str) -> bool {
    let starts = text.starts_with(|c: char| is_part(c) && !c.is_ascii_digit());
    let is_sign = text.len() == 1 && text.starts_with(['_', '$']);
    starts && !is_sign && text.chars().all(is_part)
}

fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_entry_of_this_name_is_renamed() {
        let ptx = ".visible .entry add(\n\t.param .u32 add_param_0)\n{ add.s32 %r1, %r2, 1; }\n.entry add2() { ret; }\n";
        let expected = ptx.replace(".entry add(", ".entry cutlass_add(");
        assert_eq!(renamed(ptx, "add", "cutlass_add"), expected);
        assert_eq!(renamed(ptx, "ad", "x"), ptx);
    }

    #[test]
    fn names_are_those_of_ptx() {
        assert!(["k", "_k", "$k1", "cutlass_gemm"].into_iter().all(is_name));
        assert!(!["", "1k", "a-b", "a b", "_", "$", "ä"].into_iter().any(is_name));
    }
}
