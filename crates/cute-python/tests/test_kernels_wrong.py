"""Wrong kernels in Python: each of kernels_wrong.txt has its message, at the line that ends with `# !`."""

import importlib.util
import pathlib

import pytest

from conftest import needs_compiler

TEXT = (pathlib.Path(__file__).parent / "kernels_wrong.txt").read_text()
HEAD = 'import numpy as np\nfrom cute_mlir import kernels as ck\nV = ck.Tensor[ck.f32, "?:1"]\n\n'


def cases():
    for part in TEXT.split("== ")[1:]:
        name, _, rest = part.partition("\n")
        program, _, message = rest.rpartition("-> ")
        yield pytest.param(program, message.strip(), id=name)


@needs_compiler
@pytest.mark.parametrize("program, message", list(cases()))
def test_a_wrong_kernel_has_its_message_at_its_line(program, message, tmp_path):
    from cute_mlir import kernels as ck

    file = tmp_path / "wrong.py"
    file.write_text(HEAD + program)
    spec = importlib.util.spec_from_file_location("wrong", file)
    module = importlib.util.module_from_spec(spec)
    with pytest.raises(ck.KernelError) as caught:
        spec.loader.exec_module(module)
        module.k.mlir
    text = str(caught.value)
    assert message in text
    line = next(i for i, line in enumerate((HEAD + program).splitlines(), 1) if line.endswith("# !"))
    assert text.startswith(f"{file}:{line}: "), text


@needs_compiler
def test_words_are_for_kernels():
    from cute_mlir import kernels as ck

    with pytest.raises(ck.KernelError, match="this is a word of kernels"):
        ck.sync()
    with pytest.raises(ck.KernelError, match="states its threads per block"):
        ck.kernel(lambda x: x)
    with pytest.raises(ck.KernelError, match="not a lambda"):
        ck.kernel(block=32)(lambda x: x)


@needs_compiler
def test_a_word_of_the_builder_that_is_not_there_names_those_near_it():
    import cute_mlir_compiler as compiler

    session, at = compiler.Session(), [("k.py", 3, 1)]

    def refused(method, *given):
        with pytest.raises(compiler.Failed) as caught:
            getattr(session, method)(at, *given)
        return caught.value.args[0]

    assert refused("word", "ad", [], []) == "the builder has no word 'ad'; did you mean 'add' or 'and'?"
    assert "'add' of the builder does not take 0 values and 1 texts" in refused("word", "add", [], ["x"])
    assert refused("call", "cute.locl_tile", [], [], []).startswith("there is no op 'cute.locl_tile'; did you mean 'cute.local_tile'")
    assert refused("call", "cute.get_shape", [], [], []) == "'cute.get_shape' takes operands for 1 parameters, found 0"
    assert refused("call", "cute.get_shape", [[]], [], []) == "'cute.get_shape' takes one value for 'input', found 0"
    attributes = [("begn", "0"), ("end", "2")]
    assert refused("call", "cute.group_modes", [[]], attributes, []) == (
        "'cute.group_modes' has no attribute 'begn'; did you mean 'begin'?"
    )
    tuple_ = session.word(at, "int_tuple", [], ["(2,3)"])[0][0]
    attributes = [("begin", "x"), ("end", "2")]
    assert refused("call", "cute.group_modes", [[tuple_]], attributes, []) == (
        "'cute.group_modes' takes integers for 'begin', found 'x'"
    )
    made = session.call(at, "cute.group_modes", [[tuple_]], [("begin", "0"), ("end", "2")], [])
    assert made[0][1:] == ("int_tuple", "((2,3))")


@needs_compiler
def test_a_tile_may_reach_past_its_layout_where_the_domain_is_extended():
    from cute_mlir import kernels as ck

    View = ck.Tensor[ck.f32, "72:1"]  # noqa: N806

    @ck.kernel(block=32, domain="extend")
    def tiles(x: View):
        x[0] = ck.f32(ck.size(ck.zipped_divide(x, 64), 1))

    assert 'cute.domain = "extend"' in tiles.mlir
    with pytest.raises(ck.KernelError, match="domain is .strict. or .extend., not 'none'"):
        ck.kernel(block=32, domain="none")(lambda x: None)
