//! How the tensor cores of each device add the products of an `mma.sync`.

use crate::tensor::sums::{Evidence, Query, Row, Rule, Unit, Window};
use cute_arch::Element;

/// The unit of `mma.sync`, and of `wmma`, which consists of such.
pub(crate) static UNIT: Unit = Unit { name: "mma.sync", row };

fn row((major, minor): (u32, u32), query: &Query) -> Row {
    use Evidence::{Assumed, Measured, Modelled};
    let k = query.shape[2];
    if query.scaled {
        return Row::windows(Window::wide(k, query), if major == 12 { Modelled } else { Assumed });
    }
    if query.a == Element::F16 && query.shape == [8, 8, 4] {
        return of_quad_pairs((major, minor), query);
    }
    match (major, minor) {
        (..=7, _) => Row::windows(Window::narrow(8.min(k), query), Modelled),
        (8, 9) if query.are_fp8() => Row::windows(Window::short(16.min(k)), Measured),
        (8, _) => {
            let products = if query.a == Element::Tf32 { 4 } else { 8 };
            // The order of two windows is known from one model alone.
            let evidence = if k <= products { Measured } else { Modelled };
            Row::windows(Window::narrow(products.min(k), query), evidence)
        }
        (9..=11, _) if query.are_fp8() => {
            let half = Query { a: Element::F16, b: Element::F16, ..*query };
            Row { rule: Rule::ThroughHalves(Window::wide(k / 2, &half)), evidence: Measured }
        }
        (9, _) | (10, 0) => Row::windows(Window::wide(k, query), Measured),
        (10 | 11, _) => Row::windows(Window::wide(k, query), Assumed),
        _ => {
            let is_narrow = |element| matches!(element, Element::E3m2 | Element::E2m3 | Element::E2m1);
            let evidence = if is_narrow(query.a) || is_narrow(query.b) { Assumed } else { Modelled };
            Row::windows(Window::wide(k, query), evidence)
        }
    }
}

/// `mma.m8n8k4` of halves, the instruction of Volta.
fn of_quad_pairs(device: (u32, u32), query: &Query) -> Row {
    match device {
        (7, 0..5) => {
            let floor = if query.d == Element::F16 { -19 } else { Window::NO_FLOOR };
            let window = Window { products: 4, below: 23, fraction: 23, floor, keeps_zero: false };
            Row::windows(window, Evidence::Measured)
        }
        (7, _) => Row::windows(Window::narrow(4, query), Evidence::Modelled),
        _ => Row { rule: Rule::Threads, evidence: Evidence::Modelled },
    }
}
