//! The messages that a user reads when an operation fails: the mode, the values and the rule.

use cute_algebra::{
    Domain, Error, ParseError, complement, composition, crd2idx, dice_tile, group, left_inverse,
    logical_divide, parse_composed, parse_coord, parse_layout, parse_shape, parse_stride, parse_swizzle,
    parse_tile, parse_tiler, shape_div, upcast, zipped_divide,
};

fn layout(text: &str) -> cute_algebra::Layout<cute_algebra::Dim> {
    parse_layout(text).unwrap()
}

#[track_caller]
fn refused<T: std::fmt::Debug>(result: Result<T, Error>, message: &str) {
    assert_eq!(result.unwrap_err().to_string(), message);
}

#[test]
fn composition_names_both_modes() {
    refused(
        composition(&layout("(4,8):(1,8)"), &parse_tiler("(2,(3,3)):(1,(5,1))").unwrap()),
        "mode (1,0) of the right operand: stride 5 is neither a multiple of, nor less than, extent 4 of mode 0 of the coalesced left operand (4,8):(1,8)",
    );
    refused(
        composition(&layout("(4,8):(1,8)"), &parse_tiler("6:1").unwrap()),
        "the right operand: extent 6 is not a multiple of 4, the part that mode 0 of the coalesced left operand (4,8):(1,8) takes",
    );
    refused(
        composition(&layout("(4,8):(1,8)"), &parse_tiler("(2,2):(1@0,1@2)").unwrap()),
        "the codomain of the right operand: rank 3, expected at most 2",
    );
}

#[test]
fn ranks_and_depths() {
    let a = layout("(4,(5,6)):(1,(4,20))");
    refused(crd2idx(&parse_coord("(1,2,3)").unwrap(), &a), "the coordinate: rank 3, expected exactly 2");
    refused(
        crd2idx(&parse_coord("(1,(2,(3,0)))").unwrap(), &a),
        "mode (1,1) of the coordinate: a tuple of rank 2 is given for a mode that has no modes of its own",
    );
    refused(zipped_divide(&a, &parse_tiler("(1,2,3)").unwrap()), "the tiler: rank 3, expected at most 2");
    refused(
        logical_divide(&a, &parse_tiler("[2;[1;2;3]]").unwrap()),
        "mode 1 of the tiler: rank 3, expected at most 2",
    );
    refused(
        zipped_divide(&a, &parse_tiler("[_;2]").unwrap()),
        "mode 0 of the layout: rank 1, expected a pair for `_` to split, rank 2",
    );
    refused(
        group(&a, 1, 3),
        "modes [1, 3) of a tuple of rank 2 do not exist: begin < end <= rank is required",
    );
    refused(
        dice_tile(&parse_coord("(1,_)").unwrap(), &parse_tile("[4:1;8:1;_]").unwrap()),
        "the projection has rank 2, but the tiler [4:1;8:1;_] has rank 3; give both the same number of modes",
    );
}

#[test]
fn values_and_rules() {
    refused(
        complement(&layout("(2,4):(1,1)"), parse_shape("8").unwrap().view()),
        "(2,4):(1,1) is not injective: stride 1 is less than 2, which the smaller strides already cover",
    );
    refused(
        complement(&layout("(2,4):(1,?)"), parse_shape("8").unwrap().view()),
        "complement: stride ? of (2,4):(1,?) is dynamic, but static strides are required",
    );
    refused(
        left_inverse(&layout("(4,7):(10,8)")),
        "left_inverse: 10 is a stride, but not a multiple of the smaller strides' period 8",
    );
    refused(
        upcast(&layout("(4,(7,3)):(1,(4,6))"), 4),
        "mode (1,1) of the stride: 6 does not divide, and is not divided by, the factor 4",
    );
    refused(
        shape_div(parse_shape("(4,128)").unwrap().view(), parse_shape("(2,40)").unwrap().view()),
        "mode 1 of shape_div: 128 does not divide, and is not divided by, 40",
    );
    refused(
        crd2idx(&parse_coord("(3,0)").unwrap(), &layout("(4,8):(4611686018427387904,1)")),
        "3 * 4611686018427387904 does not fit 64 bits",
    );
}

#[test]
fn text() {
    let error = |text| parse_layout(text).unwrap_err().to_string();
    assert_eq!(error("(4,0):(1,1)"), "column 1: mode 1 of the shape: extent 0 is not positive");
    assert_eq!(error("(4,8):(1,2,3)"), "column 1: shape and stride: (4,8) and (1,2,3) are not congruent");
    assert_eq!(error("(4,8):(1,4) x"), "column 13: expected the end, found `x`");
    assert_eq!(error("?{div=}"), "column 7: expected an integer, found `}`");
    assert_eq!(
        parse_swizzle("S<3,4,2>").unwrap_err().to_string(),
        "column 1: S<3,4,2> is not a valid swizzle: bits >= 0, base >= 0, |shift| >= bits and base + |shift| + bits <= 32 are required"
    );
}

#[test]
fn values_that_cannot_be_added_are_refused_where_they_are_written() {
    let refused = |error: ParseError, text: &str| assert_eq!(error.to_string(), text);
    let no_sum = |lhs: &str, rhs: &str| {
        format!("{lhs} and {rhs} cannot be added: a nonzero integer and a tuple have no sum")
    };
    refused(parse_layout("(2,3):(1,1@0)").unwrap_err(), &format!("column 7: {}", no_sum("1", "1@0")));
    refused(parse_stride("(1@1@0,1@0)").unwrap_err(), &format!("column 1: {}", no_sum("1@0", "1@1@0")));
    refused(parse_tile("[4:1;(2,2):(1@0,?)]").unwrap_err(), &format!("column 12: {}", no_sum("1@0", "?")));
    refused(
        parse_composed("(6,2):(1,3) o 2 o (2,3):(1@1,2@0)").unwrap_err(),
        &format!("column 1: {}", no_sum("2", "(0,0)")),
    );
    refused(
        parse_composed("S<3,4,3> o 0 o (4,2):(1@0,1@1)").unwrap_err(),
        "column 1: composed layout: S<3,4,3> takes one integer: offset 0 and the strides of (4,2):(1@0,1@1) must be integers",
    );
    refused(
        parse_composed("(4,5):(1,4) o 0 o ((?,?)):((?@0@0,?@1@0))").unwrap_err(),
        "column 1: composed layout: ((0,0)), of offset 0 and the values of ((?,?)):((?@0@0,?@1@0)), is not a coordinate of (4,5):(1,4): the coordinate: rank 1, expected exactly 2",
    );
    for text in ["S<5,29,5>", "S<10,20,10>", "S<0,33,0>"] {
        assert!(parse_swizzle(text).is_err(), "{text}");
    }
    for text in
        ["(1@0,(0,1@0@1))", "(1@0,1@1@0@1,1@1@1)", "((1@0,0),64@0,((0,1@1),1@2))", "(4@laneid,1@warpid)"]
    {
        assert_eq!(parse_stride(text).unwrap().to_string(), text);
    }
}

#[test]
fn the_strict_domain_gives_the_numbers() {
    refused(
        Domain::Strict.divide(&layout("(128,64):(1,128)"), &parse_tiler("(40,32)").unwrap()),
        "divide: mode 0: tiles of 40 in 128 elements cover 160",
    );
}
