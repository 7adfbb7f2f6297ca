"""An array with DLPack's protocol and nothing else, made of a numpy array by ctypes."""

import ctypes

VERSION, READ_ONLY = (1, 1), 1
KINDS = {"i": 0, "u": 1, "f": 2, "b": 6}


class Type(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32 * 2), ("rank", ctypes.c_int32), ("type", Type)]
    _fields_ += [("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)), ("offset", ctypes.c_uint64)]


class Managed(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p)]
    _fields_ += [("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("tensor", Tensor)]


class Array:
    """A view of a numpy array. ``kind`` replaces DLPack's code of the type: 4 is bfloat."""

    def __init__(self, array, *, kind=None, lanes=1, device=(1, 0), version=VERSION):
        self.array, self.device, self.version = array, device, version
        extents = ctypes.c_int64 * array.ndim
        self.shape = extents(*array.shape)
        self.strides = extents(*(stride // array.itemsize for stride in array.strides))
        code = KINDS.get(array.dtype.kind, 0) if kind is None else kind
        tensor = Tensor(array.ctypes.data, device, array.ndim, Type(code, 8 * array.itemsize, lanes), self.shape, self.strides, 0)
        self.managed = Managed(*version, None, None, 0 if array.flags.writeable else READ_ONLY, tensor)

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, *, max_version=None):
        is_new = max_version is not None and self.version[0] > 0
        make = ctypes.pythonapi.PyCapsule_New
        make.restype, make.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
        offset = 0 if is_new else Managed.tensor.offset
        return make(ctypes.addressof(self.managed) + offset, b"dltensor_versioned" if is_new else b"dltensor", None)
