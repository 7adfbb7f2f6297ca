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
