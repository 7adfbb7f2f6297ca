//! Forms that CuTe prints, and the types and calls of its C++, can be pasted.

use cute_algebra::Domain;
use cute_eval::eval::Session;

fn value(text: &str) -> String {
    let mut session = Session::new(Domain::Extend);
    session.statement(text).map_or_else(|error| error.to_string(), |value| value.to_string())
}

#[test]
fn printed_forms_are_those_of_the_algebra() {
    for (text, expected) in [
        ("(_4,_8):(_8,_1)", "(4,8):(8,1)"),
        ("((_2,_2),8):((_1,_4),_-2)", "((2,2),8):((1,4),-2)"),
        ("(_4,8):(_1@0,_1@1)", "(4,8):(1@0,1@1)"),
        ("(_2,_)", "(2,_)"),
        ("Sw<3,4,3>", "S<3,4,3>"),
        ("cute::Swizzle<3,4,3>{}", "S<3,4,3>"),
        ("Sw<3,3,3> o _0 o (_8,_64):(_64,_1)", "S<3,3,3> o 0 o (8,64):(64,1)"),
        ("Layout<Shape<_4,_8>,Stride<_8,_1>>", "(4,8):(8,1)"),
        ("Layout<Shape <_4, Shape<_2,Int<4>>>, Stride<_8, Stride<_1,_2>>>{}", "(4,(2,4)):(8,(1,2))"),
        (
            "cute::Layout<cute::tuple<cute::C<4>, cute::C<8>>, cute::tuple<cute::C<8>, cute::C<1>>>",
            "(4,8):(8,1)",
        ),
        ("Layout<Shape<_4,_8>>{}(1,2)", "9"),
        ("Layout<_4>", "4:1"),
        ("integral_constant<int,7>{}", "7"),
        (
            "ComposedLayout<Swizzle<2,1,3>,_0,Layout<Shape<_8,_8>,Stride<_8,_1>>>",
            "S<2,1,3> o 0 o (8,8):(8,1)",
        ),
        ("make_layout(make_shape(4,8), make_stride(8,1))", "(4,8):(8,1)"),
        ("make_layout(make_shape(Int<4>{}, _8{}), LayoutRight{})", "(4,8):(8,1)"),
        ("make_layout(make_shape(4,8), GenColMajor{})", "(4,8):(1,4)"),
        ("zipped_divide((8,16):(16,1), make_tile(4:1, 8:1))", "((4,8),(2,2)):((16,1),(64,8))"),
        (
            "zipped_divide((8,16):(16,1), Tile<Layout<_4,_1>, Layout<_8,_1>>{})",
            "((4,8),(2,2)):((16,1),(64,8))",
        ),
        ("constexpr auto A = make_layout(make_shape(4,8)); // column-major", "(4,8):(1,4)"),
        ("using A = Layout<Shape<_4,_8>>;", "(4,8):(1,4)"),
        ("(4,8):(8,1) # row-major", "(4,8):(8,1)"),
        ("gmem_ptr[32b](0x7f8a00000000) o (8,4):(4,_1)", "(8,4):(4,1)"),
        ("smem_ptr_16b(0x10) o (8,4):(4,1)", "(8,4):(4,1)"),
        ("tmem_ptr[32b](0x0000.0000) o ((_128,_16),_1):((_65536,_1),_0)", "((128,16),1):((65536,1),0)"),
        ("ptr[16b]((nil)) o Sw<2,1,3> o _0 o (_8,_8):(_8,_1)", "S<2,1,3> o 0 o (8,8):(8,1)"),
        ("raw_ptr(0x7f00: f32, gmem, align<16>) o (8,5):(5,1)", "(8,5):(5,1)"),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
}

/// A swizzle before a pointer permutes bytes by their address. The index after it, in elements, is
/// that of CuTe's `as_position_independent_swizzle_layout`.
#[test]
fn a_swizzle_of_addresses_becomes_one_of_elements() {
    let tile = "(_8,_64):(_64,_1)";
    for (bits, swizzle) in [(8, "S<3,4,3>"), (16, "S<3,3,3>"), (32, "S<3,2,3>"), (4, "S<3,5,3>")] {
        let expected = format!("{swizzle} o 0 o (8,64):(64,1)");
        for text in [
            format!("Sw<3,4,3> o smem_ptr[{bits}b](unset) o {tile}"),
            format!("Sw<3,4,3>_smem_ptr[{bits}b](0x7f00) o {tile}"),
            format!(
                "ComposedLayout<Swizzle<3,4,3>, smem_ptr_flag_bits<{bits}>, Layout<Shape<_8,_64>,Stride<_64,_1>>>"
            ),
        ] {
            assert_eq!(value(&text), expected, "{text}");
        }
    }
    // Addresses and indices agree byte by byte.
    let mut session = Session::new(Domain::Extend);
    let mut at = |text: &str| -> i64 { session.statement(text).unwrap().to_string().parse().unwrap() };
    for (row, column) in [(0, 0), (1, 8), (5, 23), (7, 63)] {
        let byte = at(&format!("apply(S<3,4,3>, {})", 2 * (64 * row + column)));
        let index = at(&format!("(Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1))({row},{column})"));
        assert_eq!(byte, 2 * index, "({row},{column})");
    }
}

#[test]
fn what_is_not_complete_says_what_is_missing() {
    for (text, part) in [
        ("smem_ptr[16b](0x7f00)", "column 1: expected a layout after the pointer"),
        ("smem_ptr[16b] o 4:1", "expected an address in brackets"),
        ("smem_ptr[](0x0) o 4:1", "expected an integer"),
        ("Sw<3,4,3> o smem_ptr(unset) o 4:1", "expected the bits of an element"),
        ("Sw<3,4,3> o smem_ptr[0b](unset) o 4:1", "column 1: "),
        ("4:1 o smem_ptr[16b](unset) o 4:1", "expected a swizzle before a pointer"),
        ("Layout<Shape<_4>", "column 17: expected `,` or `>`, found the end"),
        ("Layout<_4,_1,_2>", "expected Layout<SHAPE,STRIDE>"),
        ("Sw<3,4>", "expected `,`, found `>`"),
        ("7 // 2", "column 3: expected `/` for a division, or `#` before a comment, found `//`"),
        ("shape(4:1) // 2", "found `//`"),
        ("Int<x>", "expected `,`"),
        (&"ptr(0) o ".repeat(70), "more than 64 nested brackets"),
    ] {
        assert!(value(text).contains(part), "{text}: {}", value(text));
    }
}
