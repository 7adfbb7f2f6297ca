"""Layouts as users of CuTe type them."""

import copy
import pickle
import random
import threading

import cute_mlir as cm
import pytest


def test_a_layout_is_a_function():
    layout = cm.Layout((4, 8), (8, 1))
    assert layout(2, 3) == layout((2, 3)) == layout(14) == 19
    assert (layout.shape, layout.stride, len(layout), layout.size(), layout.cosize()) == ((4, 8), (8, 1), 2, 32, 32)
    assert layout[0] == cm.Layout(4, 8) and layout[-1] == cm.Layout(8, 1)
    assert [str(mode) for mode in layout] == ["4:8", "8:1"]
    assert str(layout) == "(4,8):(8,1)" and eval(repr(layout), {"Layout": cm.Layout}) == layout
    with pytest.raises(IndexError, match="has no mode 2; it has 2"):
        layout[2]
    assert str(layout(2, None)) == "(8):(1)"


@pytest.mark.parametrize(
    "text", ["()", "1:0", "4:2", "(4):(2)", "((2,4),8):((1,16),2)", "(4,(2,(3,1))):(0,(8,(1,7)))", "(?,8):(8,?{i64 div=4})"]
)
def test_text_makes_a_layout_and_back(text):
    layout = cm.Layout(text) if text != "()" else cm.Layout(())
    again = eval(repr(layout), {"Layout": cm.Layout})
    assert again == layout and hash(again) == hash(layout)


def test_strides_are_compact_unless_given():
    assert str(cm.Layout((4, 8))) == "(4,8):(1,4)" and cm.Layout(6).shape == 6
    assert cm.Layout(cm.Layout((2, 3))) == cm.Layout((2, 3))


def test_values_of_all_classes_are_copied_and_pickled():
    mma = cm.TiledMma(cm.Atom("SM80_16x8x16_F32F16F16F32_TN"), (2, 2, 1), cm.Tile(32, 32, 16))
    for value in [
        cm.Layout(((2, 4), 8), ((1, 16), 2)),
        cm.Layout("(?,8):(8,1)"),
        cm.ComposedLayout(cm.Swizzle(3, 4, 3), 0, cm.Layout((8, 64), (64, 1))),
        cm.Swizzle(3, 4, 3),
        cm.Tile(4, cm.Layout(8, 2), None),
        cm.Int("?{div=8}"),
        cm.E(1, 0),
        cm.atoms["SM90_64x128x16_F32F16F16_SS"],
        mma,
    ]:
        for other in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
            assert type(other) is type(value) and other == value and hash(other) == hash(value), value
        assert value != 3 and value != cm.Layout(5, 7)


def test_dynamic_integers_and_bases():
    assert cm.Layout("(?,8):(8,1)").shape == (cm.Int("?"), 8)
    coordinates = cm.Layout((4, 8), (cm.E(0), cm.E(1)))
    assert str(coordinates) == "(4,8):(1@0,1@1)" and coordinates(2, 3) == (2, 3)
    assert cm.Layout("(?8,4):(4,1)").size() == cm.Int("?32")
    with pytest.raises(TypeError, match="has no offsets"):
        coordinates.offsets()


def test_errors_have_mode_values_and_rule():
    with pytest.raises(cm.LayoutError, match="stride 6 is neither") as caught:
        cm.composition(cm.Layout((4, 6), (1, 10)), cm.Layout((2, 2), (1, 6)))
    assert caught.value.mode == (1,)
    assert caught.value.values == {"stride": 6, "extent": 4, "lhs_mode": 0}
    assert caught.value.rule == "stride divisibility"
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.mode, again.values) == (str(caught.value), (1,), caught.value.values)
    with pytest.raises(cm.LayoutError, match="not congruent"):
        cm.Layout((4, 8), (1, (2, 3)))
    for wrong in [True, 1.5, object(), {}, 2**80]:
        with pytest.raises((TypeError, OverflowError)):
            cm.Layout((4, wrong))
    with pytest.raises(TypeError, match="composition takes 2 arguments"):
        cm._native.call("composition", cm.Layout(4))
    with pytest.raises(RecursionError, match="nest more than"):
        deep = 1
        for _ in range(1000):
            deep = (deep,)
        cm.Layout(deep)


def test_the_policy_is_that_of_the_block_and_the_thread():
    inside, outside = cm.Layout(4, 2), cm.Layout(8, 1)
    assert str(inside @ outside) == "8:2"
    with cm.domain("strict"):
        with pytest.raises(cm.LayoutError, match="reaches 7"):
            inside @ outside
        found = []
        thread = threading.Thread(target=lambda: found.append(str(inside @ outside)))
        thread.start()
        thread.join()
        assert found == ["8:2"]
    assert str(inside @ outside) == "8:2"
    with pytest.raises(ValueError, match="'strict' or 'extend', not 'loose'"), cm.domain("loose"):
        pass


def test_offsets_are_the_values_of_the_layout():
    numpy = pytest.importorskip("numpy")
    layout = cm.Layout(((2, 4), 8), ((1, 16), 2))
    offsets = layout.offsets()
    assert offsets.dtype == numpy.int64 and list(offsets) == [layout(i) for i in range(64)]
    offsets[0] = 5
    with pytest.raises(MemoryError):
        cm.Layout(2**60, 0).offsets()


def test_batches_compute_what_single_calls_do():
    generator = random.Random(1)
    left, right = [], []
    while len(left) < 300:
        a = cm.Layout(tuple(generator.choice([1, 2, 4, 8]) for _ in range(3)), tuple(generator.choice([0, 1, 2, 4, 8, 64]) for _ in range(3)))
        b = cm.Layout(generator.choice([2, 4]), generator.choice([1, 2, 4]))
        try:
            a @ b, cm.logical_divide(a, b)
        except cm.LayoutError:
            continue
        left.append(a)
        right.append(b)
    assert cm.compositions(left, right) == [a @ b for a, b in zip(left, right)]
    for name in ("logical_divide", "zipped_divide", "tiled_divide", "flat_divide"):
        assert cm.divides(name, left, right) == [getattr(cm, name)(a, b) for a, b in zip(left, right)]
    with pytest.raises(ValueError, match="one list has 300 layouts"):
        cm.compositions(left, right[1:])
    with pytest.raises(TypeError, match="a list of layouts has"):
        cm.compositions([3], [4])


def test_atoms_and_tilings_have_their_facts():
    atom = cm.atoms["SM80_16x8x16_F32F16F16F32_TN"]
    assert str(atom.layoutC_TV) == "((4,8),(2,2)):((32,1),(16,8))" and "layoutA_TV" in atom.facts
    assert len(cm.atoms) > 300 and atom in cm.atoms.values()
    with pytest.raises(KeyError, match="^\"no atom is called 'SM80_16x8x16_F32F16F16F32_TT'; did you mean"):
        cm.atoms["SM80_16x8x16_F32F16F16F32_TT"]
    with pytest.raises(AttributeError, match="has no 'layoutD_TV'"):
        atom.layoutD_TV
    mma = cm.TiledMma(atom, (2, 2, 1), cm.Tile(32, 32, 16))
    offset, layout = mma.partition_C(cm.Layout((64, 64), (64, 1)), 33)
    assert (offset, str(layout)) == (1026, "((2,2),2,4):((1,512),2048,16)")


def test_pictures_and_explanations():
    layout = cm.Layout((4, 8), (8, 1))
    assert layout._repr_svg_().startswith("<svg") and cm.svg(layout) == layout._repr_svg_()
    assert cm.explain("coalesce", cm.Layout((2, 4), (1, 2))).endswith("= 8:1\n")
    conflicts = cm.banks(cm.Layout((8, 64), (64, 1)), 16, "load=(8,8):(1,8)")
    assert conflicts["accesses"][0]["passes"] == 8


def test_a_swizzle_without_conflicts_is_chosen():
    chosen = cm.choose_swizzle(cm.Layout((8, 64), (64, 1)), 16, "load=(8,8):(1,8)")
    assert isinstance(chosen, cm.Swizzle)
    swizzled = cm.banks(cm.ComposedLayout(chosen, 0, cm.Layout((8, 64), (64, 1))), 16, "load=(8,8):(1,8)")
    assert swizzled["accesses"][0]["passes"] == swizzled["accesses"][0]["minimum"] < 8


def test_the_quick_start_of_tensor_layouts_runs():
    from cute_mlir import Layout, complement, compose, logical_divide

    layout = Layout((4, 8), (1, 4))
    assert (str(layout), layout(2, 3)) == ("(4,8):(1,4)", 14)
    assert str(compose(Layout((4, 2), (1, 4)), Layout((2, 4), (4, 1)))) == "(2,4):(4,1)"
    assert logical_divide(layout, Layout((2, 4))).size() == 32
    assert complement(Layout(4, 2)).size() == 2


def test_a_placement_is_read_and_applied():
    placement = cm.Placement("S[(4,32) : (1@warpid,1@laneid)]", target="cuda")
    assert placement.canonicalize() == cm.Placement(str(placement.canonicalize()), target="cuda")
    with pytest.raises(ValueError):
        cm.Placement("S[(4,32")


def test_tuples_of_layouts_are_tilers():
    L = cm.Layout
    a, tiler = L((16, 8), (8, 1)), (L(4, 2), L(2, 4))
    assert cm.composition(a, tiler) == a @ tiler == cm.composition(a, cm.Tile(*tiler)) == L((4, 2), (16, 4))
    # The example of CuTe's documentation.
    assert str(cm.composition(L((12, (4, 8)), (59, (13, 1))), (L(3, 4), L(8, 2)))) == "(3,(2,4)):(236,(26,1))"
    assert str(cm.zipped_divide(a, tiler)) == "((4,2),((2,2),4)):((16,4),((8,64),1))"
    for name in ("logical_divide", "zipped_divide", "tiled_divide", "flat_divide"):
        assert getattr(cm, name)(a, list(tiler)) == getattr(cm, name)(a, cm.Tile(*tiler))
    block = L((2, 2))
    for name in ("logical_product", "zipped_product", "tiled_product", "flat_product"):
        assert getattr(cm, name)(block, (L(3), 4)) == getattr(cm, name)(block, cm.Tile(L(3), 4))
    # None leaves a mode as it is, and a tuple of integers goes on mode by mode.
    assert cm.composition(a, (L(4, 2), None)) == L((4, 8), (16, 1)) and cm.composition(a, (4, None)) == L((4, 8), (8, 1))
    nested = L(((4, 4), 8), ((1, 4), 16))
    assert str(cm.composition(nested, ((2, 2), L(4)))) == "((2,2),4):((1,4),16)"
    assert cm.local_tile(a, tiler, (1, 0))[1] == cm.local_tile(a, cm.Tile(*tiler), (1, 0))[1]
    with pytest.raises(TypeError, match="a mode of a tuple must be an integer, a plain layout"):
        cm.composition(a, (L(4, 2), cm.Swizzle(3, 4, 3)))


def test_layouts_are_made_of_layouts():
    L = cm.Layout
    modes = [L(4, 1), L(8, 4)]
    for made in (cm.make_layout(*modes), cm.make_layout(modes), cm.make_layout(mode for mode in modes), L(tuple(modes))):
        assert made == L((4, 8), (1, 4))
    assert cm.make_layout((4, 8), stride=(8, 1)) == cm.make_layout((4, 8), (8, 1)) == L((4, 8), (8, 1))
    assert L(extent for extent in (2, 3)) == L((2, 3))
    with pytest.raises(ValueError, match="more than"):
        import itertools

        L(itertools.repeat(1))
    swizzled = cm.make_composed_layout(cm.Swizzle(3, 4, 3), 0, L((8, 64), (64, 1)))
    assert swizzled == cm.ComposedLayout(cm.Swizzle(3, 4, 3), 0, L((8, 64), (64, 1))) and len(swizzled) == 2
    assert (swizzled.inner, swizzled.offset, swizzled.outer) == (cm.Swizzle(3, 4, 3), 0, L((8, 64), (64, 1)))
    tiler, tv = cm.make_layout_tv(L((4, 32), (32, 1)), L((4, 4), (4, 1)))
    assert (tiler, str(tv)) == ((16, 128), "((32,4),(4,4)):((64,4),(16,1))")


def test_functions_take_the_arguments_of_cute():
    layout = cm.Layout((16, 8), (8, 1))
    assert cm.crd2idx((1, 2), (4, 8), (8, 1)) == cm.crd2idx((1, 2), (4, 8), stride=(8, 1)) == 10
    assert cm.idx2crd(10, (4, 8), (8, 1)) == (1, 2) and cm.idx2crd((9, 3), (4, 8), (8, 1)) == (1, 3)
    # Of C++, recast_layout<Old, New>(layout), and of CuTe DSL, recast_layout(new, old, layout).
    assert cm.recast_layout(layout, 16, 32) == cm.recast_layout(32, 16, layout) == cm.Layout((16, 4), (4, 1))
    assert str(cm.coalesce(cm.Layout(((2, 2), 4), ((1, 2), 4)), target_profile=(1, 1))) == "(4,4):(1,4)"
    assert cm.size(layout, mode=[0]) == cm.size(layout, 0) == 16 and cm.pad_tuple((4, 8), 4, 2) == (4, 8, 2, 2)
    with pytest.raises(TypeError, match="argument 3 of pad_tuple"):
        cm.pad_tuple((4, 8), 4, at_end=0)  # it has no element
    assert cm.prefix_product((2, (1, 3)), 5) == (5, (10, 10)) and cm.elem_scale((2, 3), ((2, 2), 5)) == (8, 15)
    assert cm.inner_product((1, (2, 3)), (4, (5, 6))) == 32
    for wrong in (lambda: cm.elem_scale((2, 3), 4), lambda: cm.prefix_product(4, (1, 2)), lambda: cm.idx2crd((1, 2), 4, 1)):
        with pytest.raises(cm.LayoutError, match="do not have the same modes"):
            wrong()


def test_coordinates_are_integers_and_none():
    plain = cm.Layout((4, 8), (8, 1))
    for layout in (plain, cm.Swizzle(1, 0, 1) @ plain, cm.Layout("(4,?8):(8,1)")):
        for coord in [("1",), ((1, "2"),), (1, "2")]:
            with pytest.raises(TypeError, match="is text, but a coordinate has integers and None"):
                layout(*coord)
    assert plain(40) == 40 // 4 + 8 * (40 % 4) and plain(4, 0) == 32  # as in CuTe
    with cm.domain("strict"):
        for coord in [(40,), (4, 0), (-1,), ((0, 8),), (4, None)]:
            with pytest.raises(cm.LayoutError, match="is outside"):
                plain(*coord)
        assert plain(31) == 31 and str(plain(3, None)) == "(8):(1)"


def test_short_ways_do_what_the_table_of_functions_does():
    # What has a list in it, or another class of integers, goes the long way.
    class Index(int):
        pass

    layouts = [((4, 8), (8, 1)), ((2, (3, 4)), (1, (8, 2))), ((4, 1), (0, 0)), ((3, 5), (cm.E(0), cm.E(1)))]
    for policy in ("extend", "strict"):
        with cm.domain(policy):
            for shape, stride in layouts:
                layout = cm.Layout(shape, stride)
                assert cm.Layout(list(shape), list(stride)) == layout
                for coord in [(1, 2), (0, 0), (3, 9), (1, None), (None, 0), 5, -1, 70, (1, 2, 3), None]:
                    given = [coord] if not isinstance(coord, tuple) else [list(coord)]
                    long = [Index(coord)] if isinstance(coord, int) else given
                    results = []
                    for arguments in ([coord], long):
                        try:
                            results.append(str(layout(*arguments)))
                        except cm.LayoutError as error:
                            results.append(str(error))
                    assert results[0] == results[1], (policy, layout, coord)


def test_operands_that_are_missing_are_named():
    with pytest.raises(TypeError, match=r"Swizzle takes bits, base and shift, as in Swizzle\(3, 4, 3\)"):
        cm.Swizzle(3, 3)
    with pytest.raises(TypeError, match="ComposedLayout takes inner, offset and outer"):
        cm.ComposedLayout(cm.Swizzle(3, 4, 3), 0)


