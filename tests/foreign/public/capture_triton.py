"""Compiles a kernel of Triton or Gluon as the host function of its file launches it, without PyTorch and a GPU.

    python capture_triton.py FILE OUT DESCRIPTION

DESCRIPTION is JSON: the statements to execute, the arrays that they see, the kernel and the target. The file is imported as it is, with
stand-ins for PyTorch and pytest: an array has a name, a shape and a type, but no values. The launch does not run: it is written to
OUT.metadata with its arguments, and its PTX to OUT.
"""

import importlib.util
import json
import math
import os
import sys
import types
from pathlib import Path
from unittest.mock import MagicMock

import triton
from triton.backends.compiler import GPUTarget
from triton.runtime import driver, jit

SIZES = {"f64": 8, "f32": 4, "i32": 4, "u32": 4, "f16": 2, "bf16": 2, "i64": 8, "i16": 2, "i8": 1, "u8": 1}
SIZES |= {"f8E4M3FN": 1, "f8E5M2": 1}
TORCH = {"f64": "float64", "f32": "float32", "i32": "int32", "f16": "float16", "bf16": "bfloat16", "i64": "int64", "i16": "int16"}
TORCH |= {"i8": "int8", "u8": "uint8", "u32": "uint32", "f8E4M3FN": "float8_e4m3fn", "f8E5M2": "float8_e5m2"}
SWIZZLES = [None, "32B", "64B", "128B"]


class Type:
    """A type of PyTorch's."""

    def __init__(self, element):
        self.element, self.itemsize = element, SIZES[element]
        self.is_floating_point = "f" in element

    def __str__(self):
        return f"torch.{TORCH[self.element]}"

    __repr__ = __str__


DTYPES = {element: Type(element) for element in TORCH}


class Tensor:
    """An array without values."""

    is_cuda, device = True, "cuda"

    def __init__(self, element, shape, name=None, strides=None):
        self.dtype, self.shape, self.name = DTYPES[element], tuple(shape), name
        self.strides = tuple(strides or [math.prod(self.shape[i + 1 :]) for i in range(len(self.shape))])
        # Arrays of which this one is another view.
        self.root = self

    def view(self, shape, strides):
        made = Tensor(self.dtype.element, shape, strides=strides)
        made.root = self.root
        return made

    def data_ptr(self):
        return 1 << 20

    def stride(self, at=None):
        return self.strides if at is None else self.strides[at]

    def size(self, at=None):
        return self.shape if at is None else self.shape[at]

    def dim(self):
        return len(self.shape)

    ndim = property(dim)

    def numel(self):
        return math.prod(self.shape)

    def element_size(self):
        return self.dtype.itemsize

    def is_contiguous(self):
        return self.strides == Tensor(self.dtype.element, self.shape).strides

    def contiguous(self):
        return self

    def transpose(self, a, b):
        order = list(range(len(self.shape)))
        order[a], order[b] = order[b], order[a]
        return self.permute(*order)

    def permute(self, *order):
        return self.view([self.shape[i] for i in order], [self.strides[i] for i in order])

    @property
    def T(self):
        return self.permute(*reversed(range(len(self.shape))))

    def reshape(self, *shape):
        shape = list(shape[0] if isinstance(shape[0], (tuple, list)) else shape)
        if -1 in shape:
            shape[shape.index(-1)] = -self.numel() // math.prod(shape)
        return self.view(shape, None)

    def __len__(self):
        return self.shape[0]


def allocated(*shape, dtype=DTYPES["f32"], **_):
    shape = shape[0] if isinstance(shape[0], (tuple, list)) else shape
    return Tensor(dtype.element, shape)


def torch(capability):
    """A module with the types of PyTorch and functions that allocate."""
    made = MagicMock()
    made.__spec__ = None
    for element, name in TORCH.items():
        setattr(made, name, DTYPES[element])
    made.Tensor = Tensor
    made.empty = made.zeros = made.ones = allocated
    made.empty_like = made.zeros_like = lambda x, dtype=None, **_: Tensor((dtype or x.dtype).element, x.shape)
    made.cuda.get_device_capability = lambda *_: divmod(capability, 10)
    made.cuda.is_available = lambda: True
    made.cuda.get_device_properties = lambda *_: types.SimpleNamespace(multi_processor_count=SMS[0], name="GPU")
    return made


# The multiprocessors that the host function sees.
SMS = [4]
LAUNCHED = []


class Launcher:
    def __init__(self, src, metadata):
        self.src, self.metadata = src, metadata

    def __call__(self, x, y, z, stream, function, packed, launch_metadata, enter, leave, *arguments):
        LAUNCHED.append([self.src, self.metadata, (x, y, z), arguments, None])


class Target(GPUTarget):
    """A target that files for newer versions of Triton may ask, too."""

    def is_cuda_backend(self):
        return True


class Driver:
    launcher_cls = Launcher

    def __init__(self, capability):
        self.target = Target("cuda", capability, 32)
        self.utils = types.SimpleNamespace(
            load_binary=lambda *_: (None, None, 0, 0, 1024),
            unload_module=lambda *_: None,
            get_device_properties=lambda *_: {"max_shared_mem": 232448, "multiprocessor_count": SMS[0], "warpSize": 32, "max_num_regs": 65536},
        )

    def get_current_target(self):
        return self.target

    def get_current_device(self):
        return 0

    def get_current_stream(self, _):
        return 0

    def get_device_interface(self):
        return MagicMock()


def keep_ptx():
    """Makes each launch keep its PTX."""
    run = jit.JITFunction.run

    def kept(self, *arguments, **named):
        before = len(LAUNCHED)
        kernel = run(self, *arguments, **named)
        if len(LAUNCHED) > before:
            LAUNCHED[-1][-1] = kernel.asm["ptx"]
        return kernel

    jit.JITFunction.run = kept


def rename_back():
    """Gives functions of Gluon the names that they had before, for files of that time."""
    from triton.experimental.gluon.language.nvidia import blackwell, hopper
    from triton.experimental.gluon.language.nvidia.ampere import async_copy

    for module in (hopper.tma, blackwell.tma):
        module.async_copy_global_to_shared = module.async_load
        module.async_copy_global_to_shared_im2col = getattr(module, "async_load_im2col", None)
        module.async_copy_shared_to_global = module.async_store
    async_copy.async_copy_global_to_shared = async_copy.async_load


def pass_map(value, made, arrays):
    """The texts of a descriptor: a tensor map, extents and strides."""
    made = made if isinstance(made, dict) else made._asdict()
    base, size = value.base, value.base.dtype.itemsize
    given = [arrays(base.root), f"box={'x'.join(map(str, made['block_size']))}"]
    root = base.root
    if tuple(value.shape) != root.shape or tuple(value.strides) != root.strides:
        strides = [stride * size for stride in reversed(value.strides[:-1])]
        given.append(f"shape={'x'.join(map(str, reversed(value.shape)))}")
        given[1] = f"box={'x'.join(map(str, reversed(made['block_size'])))}"
        if strides:
            given.append(f"strides={'x'.join(map(str, strides))}")
    if SWIZZLES[made["swizzle"]]:
        given.append(f"swizzle={SWIZZLES[made['swizzle']]}")
    return [f"tensor_map({','.join(given)})", *map(str, value.shape), *map(str, value.strides)]


def texts(launched):
    """The arguments of `cutec run`: numbers, `null`, maps, and `&NAME` for an array. Memory that a launch allocates is an array."""
    source, metadata, grid, arguments, _ = launched
    passed, maps = [], iter(metadata.tensordesc_meta or [])

    def name(tensor):
        if tensor.name is None:
            sys.exit("the launch has an array without a name: assign it in the statements")
        return tensor.name

    def add(value, kind):
        if isinstance(value, tuple) and not isinstance(kind, str):
            for one, its in zip(value, kind):
                add(one, its)
        elif kind == "constexpr":
            return
        elif isinstance(value, Tensor):
            passed.append(f"&{name(value.root)}")
        elif hasattr(value, "block_shape"):
            passed.extend(pass_map(value, next(maps), name))
        else:
            passed.append("null" if value is None else str(int(value) if isinstance(value, bool) else value))

    for value, kind in zip(arguments, source.signature.values()):
        add(value, kind)
    for what in ("global_scratch", "profile_scratch"):
        size = getattr(metadata, f"{what}_size") * math.prod(grid) * metadata.num_ctas
        passed.append(f"{what}:u8[{size}]" if size else "null")
    return passed


def main():
    file, out, described = Path(sys.argv[1]), Path(sys.argv[2]), json.loads(sys.argv[3])
    capability = described["target"]
    SMS[0] = described["sms"]
    os.environ["TRITON_DEFAULT_FP_FUSION"] = "1"
    os.environ["TRITON_CACHE_DIR"] = str(out.parent / "triton-cache")
    sys.modules["torch"] = torch(capability)
    for other in ("pytest", "numpy.testing", "torch.nn", "torch.nn.functional", "matplotlib", "matplotlib.pyplot", "tabulate"):
        sys.modules.setdefault(other, MagicMock())
    # Files compare with cuBLAS, which is not there.
    nvidia = triton._C.libtriton.nvidia
    if hasattr(nvidia, "cublas"):
        nvidia.cublas.CublasLt = MagicMock()
    driver.set_active(Driver(capability))
    keep_ptx()
    rename_back()
    sys.path.insert(0, str(file.parent))
    spec = importlib.util.spec_from_file_location(f"public_{file.stem.replace('-', '_')}", file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    arrays = {name: Tensor(element, shape, name) for name, (element, shape) in described["arrays"].items()}
    seen = {**vars(module), **arrays}
    exec(described["run"], seen)
    for name, value in seen.items():
        if isinstance(value, Tensor) and value.root.name is None:
            value.root.name = name
    found = [launched for launched in LAUNCHED if launched[0].fn.__name__ == described["kernel"]]
    if not found:
        sys.exit(f"{described['kernel']} was not launched, but {[launched[0].fn.__name__ for launched in LAUNCHED]}")
    launched = found[described.get("which", 0)]
    _, metadata, grid, _, ptx = launched
    options = {"shared": metadata.shared}
    if metadata.num_ctas > 1:
        options["cluster"] = metadata.num_ctas
        grid = (grid[0] * metadata.num_ctas, *grid[1:])
    if metadata.launch_cooperative_grid:
        options["cooperative"] = None
    out.write_text(ptx)
    launch = {"kernel": metadata.name, "grid": list(grid), "block": 32 * metadata.num_warps, "arguments": texts(launched)}
    Path(f"{out}.metadata").write_text(json.dumps({**launch, "options": options}))


if __name__ == "__main__":
    main()
