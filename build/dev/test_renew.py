"""Tests of renew.py: what it makes of a test and of the output of a tool."""

import unittest

import renew

TEST = """\
// RUN: %opt %s | FileCheck %s --check-prefix=BASE
// BASE-LABEL: @sum(
// BASE-NEXT: %[[TWO:.*]] = arith.constant 2 : i32
// BASE-NEXT: %[[V0:.*]] = arith.muli %arg0, %[[TWO]] : i32
// BASE-NEXT: return %[[V0]]
// BASE-LABEL: @same(
// BASE-NEXT: {{.*}}cute.static
// BASE-NEXT: return
// BASE-LABEL: @chosen(
// BASE: arith.addi
func.func @sum(%arg0: i32)
"""

OUTPUT = """\
module {
  func.func @sum(%arg0: i32) -> i32 {
    %c2_i32 = arith.constant 2 : i32
    %0 = arith.muli %arg0, %c2_i32 overflow<nsw> : i32
    %1 = arith.addi %0, %c2_i32 : i32
    return %1 : i32
  }
  func.func @same() {
    %0 = cute.static : !cute.layout<"4:1">
    return
  }
  func.func @chosen() {
    return
  }
}
"""

RENEWED = TEST.replace(
    """\
// BASE-NEXT: %[[V0:.*]] = arith.muli %arg0, %[[TWO]] : i32
// BASE-NEXT: return %[[V0]]
""",
    """\
// BASE-NEXT: %[[V0:.*]] = arith.muli %arg0, %[[TWO]] overflow<nsw> : i32
// BASE-NEXT: %[[V1:.*]] = arith.addi %[[V0]], %[[TWO]] : i32
// BASE-NEXT: return %[[V1]] : i32
""",
)


class Renew(unittest.TestCase):
    def test_complete_functions_are_renewed_and_others_stay(self):
        self.assertEqual(renew.renew_checks(TEST, "BASE", OUTPUT), RENEWED)
        self.assertEqual(renew.renew_checks(RENEWED, "BASE", OUTPUT), RENEWED)
        self.assertEqual(renew.renew_checks(TEST, "FOLD", OUTPUT), TEST)

    def test_a_function_that_is_gone_stays(self):
        self.assertEqual(renew.renew_checks(TEST, "BASE", "module {\n}\n"), TEST)

    def test_diagnostics_are_renewed_where_one_is_missing_and_one_is_new(self):
        test = "// expected-error @below {{'cute.copy' op has rank 3}}\n%0 = cute.copy\n// expected-error@+1 {{a tile}}\n%1 = cute.tile\n"
        log = """\
# | /t.mlir:2:1: error: unexpected error: 'cute.copy' op has 3 modes
# | /t.mlir:1:1: error: expected error "'cute.copy' op has rank 3" was not produced
# | /t.mlir:4:1: error: unexpected error: 'cute.tile' op needs a tile of 8
# | /t.mlir:3:1: error: expected error "a tile" was not produced
"""
        renewed = renew.renew_diagnostics(test, log)
        self.assertEqual(renewed, test.replace("has rank 3", "has 3 modes").replace("a tile", "needs a tile of 8"))
        two = log + "# | /t.mlir:2:9: error: unexpected error: another\n"
        self.assertIn("has rank 3", renew.renew_diagnostics(test, two))


if __name__ == "__main__":
    unittest.main()
