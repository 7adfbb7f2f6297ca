//! The numbers of docs/errata.md: what each operation gives where published descriptions disagree.

use cute_algebra::*;

type Binary = fn(&Layout<Dim>, &Tiler<Dim>) -> std::result::Result<Layout<Dim>, Error>;
type Outcome = std::result::Result<(), Box<dyn std::error::Error>>;

fn layout(text: &str) -> Layout<Dim> {
    parse_layout(text).expect("a layout of this file")
}

fn tiler(text: &str) -> Tiler<Dim> {
    parse_tiler(text).expect("a tiler of this file")
}

fn shape(text: &str) -> Tuple<Dim> {
    parse_shape(text).expect("a shape of this file")
}

/// `op(left, right)` as text.
fn both(op: Binary, a: &str, b: &str) -> String {
    op(&layout(a), &tiler(b)).map_or_else(|e| format!("error: {e}"), |l| l.to_string())
}

#[test]
fn composition_applies_the_right_operand_first_and_extends() {
    assert_eq!(both(composition, "8:2", "4:1"), "4:2");
    assert_eq!(both(composition, "4:1", "8:2"), "8:2");
    assert_eq!(both(composition, "4:1", "16:1"), "16:1");
    assert_eq!(both(composition, "(10,4):(4,1)", "10:6"), "(2,5):(24,1)");
    assert!(Domain::Strict.composition(&layout("(10,4):(4,1)"), &tiler("10:6")).is_err());
    assert!(Domain::Strict.composition(&layout("8:2"), &tiler("4:1")).is_ok());
}

#[test]
fn divides_round_up_and_strict_does_not() {
    assert_eq!(both(logical_divide, "128:1", "40:1"), "(40,4):(1,40)");
    assert!(Domain::Strict.divide(&layout("128:1"), &tiler("40:1")).is_err());
    assert_eq!(both(logical_divide, "128:2", "32:1"), "(32,4):(2,64)");
    // The target is coalesced first.
    assert_eq!(both(logical_divide, "(6,4):(1,6)", "8:1"), "(8,3):(1,8)");
}

#[test]
fn a_layout_tiler_divides_the_whole_domain_a_shape_by_mode() {
    assert_eq!(both(tiled_divide, "(128,128):(1,128)", "(64,64):(1,64)"), "((64,64),4):((1,64),4096)");
    assert_eq!(both(tiled_divide, "(128,128):(1,128)", "(64,64)"), "((64,64),2,2):((1,128),64,8192)");
}

#[test]
fn products_scale_the_tiler_and_lead_with_the_block() {
    assert_eq!(both(logical_product, "128:1", "4:32"), "(128,4):(1,4096)");
    assert_eq!(both(tiled_product, "(2,5):(5,1)", "[3:1;4:1]"), "((2,5),3,4):((5,1),1,5)");
}

#[test]
fn coalesce_and_filters_keep_what_they_should() -> Outcome {
    assert_eq!(coalesce(&layout("(2,4):(4,1)"))?.to_string(), "(2,4):(4,1)");
    assert_eq!(filter_zeros(&layout("(4,3):(1,0)"))?.to_string(), "(4,1):(1,0)");
    assert_eq!(filter(&layout("(4,3):(1,0)"))?.to_string(), "4:1");
    Ok(())
}

#[test]
fn complements_fill_the_cotarget() -> Outcome {
    assert_eq!(complement(&layout("4:32"), shape("256").view())?.to_string(), "(32,2):(1,128)");
    assert_eq!(complement_in_cosize(&layout("4:2"))?.to_string(), "2:1");
    Ok(())
}

#[test]
fn left_inverse_is_a_quasi_inverse() -> Outcome {
    let inverse = left_inverse(&layout("8:2"))?;
    for i in 0..8 {
        let at = crd2idx(&Tuple::leaf(Crd::Int(Dim::fixed(2 * i))), &inverse)?;
        assert_eq!(at.to_string(), i.to_string());
    }
    assert_eq!(inverse.to_string(), "(2,8):(0,1)");
    Ok(())
}

#[test]
fn integer_divisors_fold_through_the_modes() -> Outcome {
    assert_eq!(ceil_div(shape("(4,5,6)").view(), shape("40").view())?.to_string(), "(1,1,3)");
    assert_eq!(shape_div(shape("(4,5,6)").view(), shape("40").view())?.to_string(), "(1,1,3)");
    assert!(shape_div(shape("128").view(), shape("40").view()).is_err());
    Ok(())
}

#[test]
fn indices_are_colexicographic_and_the_last_mode_grows() -> Outcome {
    let at = |i: i64| idx2crd(&Tuple::leaf(Dim::fixed(i)), &shape("(3,4,5)")).map(|c| c.to_string());
    assert_eq!(at(59)?, "(2,3,4)");
    assert_eq!(at(60)?, "(0,0,5)");
    Ok(())
}

#[test]
fn identities_step_along_bases() -> Outcome {
    assert_eq!(make_identity_layout(&shape("(4,2)"))?.to_string(), "(4,2):(1@0,1@1)");
    assert_eq!(make_identity_layout(&shape("(2,(3,4))"))?.to_string(), "(2,(3,4)):(1@0,(1@0@1,1@1@1))");
    Ok(())
}

#[test]
fn swizzles_read_above_what_they_write() -> Outcome {
    let s = parse_swizzle("S<3,4,3>")?;
    assert_eq!(s.apply(&0x18i64)?, 0x18);
    assert_eq!(s.apply(&0x80i64)?, 0x90);
    assert_eq!(s.apply(&s.apply(&0x3f0i64)?)?, 0x3f0);
    assert_eq!(parse_swizzle("S<0,0,0>")?.to_string(), "S<0,4,3>");
    Ok(())
}

#[test]
fn cosize_of_a_negative_stride_is_a_span() -> Outcome {
    assert_eq!(cosize(&layout("4:-1"))?.to_string(), "4");
    Ok(())
}

#[test]
fn slices_of_swizzled_layouts_decay_where_they_can() -> Outcome {
    let swizzled = parse_composed("S<3,4,3> o 0 o ((4,8),(2,4)):((64,2),(256,16))")?;
    assert_eq!(slice(&parse_coord("(_,0)")?, &swizzled)?.to_string(), "(((2,2),8)):(((64,144),2))");
    Ok(())
}
