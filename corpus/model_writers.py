"""Writers of model files: safetensors, GGUF, PyTorch's zip, NumPy's. The same tensors give the same bytes.

A tensor is (name, type, shape, bytes-like); `type` is the name that the format has for it.
"""

import collections
import io
import json
import pickle
import struct
import sys
import types
import zipfile
import zlib

SAFETENSORS_SIZES = {"I64": 8, "F32": 4, "BF16": 2, "F16": 2, "F8_E4M3": 1, "F8_E5M2": 1, "I8": 1}


def write_safetensors(path, tensors, metadata):
    """A safetensors file, its tensors in the order that the format's own library gives them: longer elements first,
    then by name. The header is padded with spaces to a multiple of 8."""
    ordered = sorted(tensors, key=lambda tensor: (-SAFETENSORS_SIZES[tensor[1]], tensor[0]))
    header, at = {"__metadata__": metadata}, 0
    for name, kind, shape, data in ordered:
        size = memoryview(data).nbytes
        header[name] = {"dtype": kind, "shape": list(shape), "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for *_, data in ordered:
            file.write(data)


def read_safetensors(path):
    """([(name, type, shape, bytes)], metadata) of a whole file, in its order."""
    with open(path, "rb") as file:
        content = memoryview(file.read())
    start = 8 + struct.unpack("<Q", content[:8])[0]
    header = json.loads(bytes(content[8:start]))
    metadata = header.pop("__metadata__", {})
    return [(name, entry["dtype"], entry["shape"],
             content[start + entry["data_offsets"][0]:start + entry["data_offsets"][1]])
            for name, entry in header.items()], metadata


# GGUF: numbers of tensor types, and sizes of the metadata's values that have a fixed one.
GGUF_TYPES = {"F32": 0, "F16": 1, "Q4_0": 2, "Q8_0": 8, "Q4_K": 12, "Q6_K": 14, "BF16": 30}
_GGUF_VALUE_SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
_GGUF_STRING, _GGUF_ARRAY = 8, 9
GGUF_ALIGNMENT = 32


def gguf_metadata(content):
    """(number of keys, their bytes) of a GGUF file of version 2 or 3."""
    magic, version, _, keys = struct.unpack_from("<4sIQQ", content)
    if magic != b"GGUF" or version not in (2, 3):
        raise ValueError("not a GGUF file of version 2 or 3")
    start = at = struct.calcsize("<4sIQQ")

    def after_string(place):
        return place + 8 + struct.unpack_from("<Q", content, place)[0]

    def after_value(kind, place):
        if kind == _GGUF_STRING:
            return after_string(place)
        if kind != _GGUF_ARRAY:
            return place + _GGUF_VALUE_SIZES[kind]
        inner, count = struct.unpack_from("<IQ", content, place)
        place += 12
        if inner in _GGUF_VALUE_SIZES:
            return place + count * _GGUF_VALUE_SIZES[inner]
        for _ in range(count):
            place = after_value(inner, place)
        return place

    for _ in range(keys):
        at = after_string(at)
        at = after_value(struct.unpack_from("<I", content, at)[0], at + 4)
    return keys, bytes(content[start:at])


def write_gguf(path, tensors, metadata):
    """A GGUF file of version 3 with the `metadata` (of gguf_metadata) of another one. Shapes as in PyTorch: the format
    wants them reversed."""
    keys, pairs = metadata
    infos, at = [], 0
    for name, kind, shape, data in tensors:
        text = name.encode()
        infos.append(struct.pack(f"<Q{len(text)}sI{len(shape)}QIQ", len(text), text, len(shape), *reversed(shape),
                                 GGUF_TYPES[kind], at))
        at += -(-memoryview(data).nbytes // GGUF_ALIGNMENT) * GGUF_ALIGNMENT
    head = struct.pack("<4sIQQ", b"GGUF", 3, len(tensors), keys) + pairs + b"".join(infos)
    with open(path, "wb") as file:
        file.write(head + bytes(-len(head) % GGUF_ALIGNMENT))
        for *_, data in tensors:
            file.write(data)
            file.write(bytes(-memoryview(data).nbytes % GGUF_ALIGNMENT))


def _zip_member(file, name, data, alignment):
    """Appends a stored member whose data begins at a multiple of `alignment`; returns its entry for the directory."""
    data, text = memoryview(data).cast("B"), name.encode()
    at, extra = file.tell(), b""
    if alignment > 1:
        # PyTorch's way: an extra field "FB" (a field is 4 bytes and its content) that ends where the data begins.
        extra_size = -(at + 30 + len(text) + 4) % alignment
        extra = struct.pack("<2sH", b"FB", extra_size) + b"Z" * extra_size
    common = struct.pack("<HHHHHIIIHH", 20, 0, 0, 0, 0x21, zlib.crc32(data), data.nbytes, data.nbytes, len(text),
                         len(extra))
    file.write(b"PK\3\4" + common + text + extra)
    file.write(data)
    # The directory does without the padding.
    return (b"PK\1\2" + struct.pack("<H", 20) + common[:-2] + struct.pack("<HHHHII", 0, 0, 0, 0, 0, at) + text)


def write_stored_zip(path, members, alignment=1):
    """A zip of stored members [(name, bytes-like)], each of less than 4 GiB, dated 1980-01-01."""
    with open(path, "wb") as file:
        directory = [_zip_member(file, name, data, alignment) for name, data in members]
        start, size = file.tell(), sum(map(len, directory))
        file.write(b"".join(directory))
        file.write(b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, len(directory), len(directory), size, start, 0))


def write_npz(path, arrays):
    """A NumPy .npz: a zip of stored .npy members."""
    import numpy  # pylint: disable=import-outside-toplevel  (the other writers do without)
    members = []
    for name, array in arrays:
        out = io.BytesIO()
        numpy.lib.format.write_array(out, array, version=(1, 0), allow_pickle=False)
        members.append((name + ".npy", out.getbuffer()))
    write_stored_zip(path, members)
    with zipfile.ZipFile(path) as check:
        if check.testzip() is not None:
            raise ValueError(f"{path}: the zip that was written is damaged")


class _Storage:
    """Stands for torch's storage while pickling: becomes a persistent id."""

    def __init__(self, kind, key, count):
        self.kind, self.key, self.count = kind, key, count


class _Tensor:
    """Stands for torch.Tensor while pickling: is rebuilt by torch's own function."""

    def __init__(self, rebuild, storage, shape):
        self.rebuild, self.storage, self.shape = rebuild, storage, tuple(shape)

    def __reduce_ex__(self, protocol):
        stride, step = [], 1
        for length in reversed(self.shape):
            stride.insert(0, step)
            step *= length
        return self.rebuild, (self.storage, 0, self.shape, tuple(stride), False, collections.OrderedDict())


class _StatePickler(pickle.Pickler):
    """Storages become the tuples that torch.load looks for."""

    def persistent_id(self, obj):
        if isinstance(obj, _Storage):
            return ("storage", obj.kind, obj.key, "cpu", obj.count)
        return None


def _pickled_state(tensors):
    """data.pkl: an OrderedDict of tensors, with the globals that torch.save names (none of torch is needed)."""
    torch, utilities = types.ModuleType("torch"), types.ModuleType("torch._utils")

    def rebuild(*_):
        raise NotImplementedError

    rebuild.__module__, rebuild.__name__, rebuild.__qualname__ = "torch._utils", "_rebuild_tensor_v2", "_rebuild_tensor_v2"
    utilities._rebuild_tensor_v2 = rebuild
    for kind in {tensor[1] for tensor in tensors}:
        setattr(torch, kind, type(kind, (), {"__module__": "torch"}))
    before = {name: sys.modules.get(name) for name in ("torch", "torch._utils")}
    sys.modules.update({"torch": torch, "torch._utils": utilities})
    try:
        state = collections.OrderedDict()
        for number, (name, kind, shape, data) in enumerate(tensors):
            size = memoryview(data).nbytes // TORCH_STORAGE_SIZES[kind]
            state[name] = _Tensor(rebuild, _Storage(getattr(torch, kind), str(number), size), shape)
        out = io.BytesIO()
        _StatePickler(out, 2).dump(state)
        return out.getvalue()
    finally:
        for name, module in before.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module


TORCH_STORAGE_SIZES = {"LongStorage": 8, "FloatStorage": 4, "BFloat16Storage": 2, "HalfStorage": 2}


def write_torch_zip(path, tensors, folder="archive"):
    """What torch.save writes for a state dict, one storage a tensor. Types are names of torch's storage classes."""
    members = [(f"{folder}/data.pkl", _pickled_state(tensors)), (f"{folder}/byteorder", b"little")]
    members += [(f"{folder}/data/{number}", tensor[3]) for number, tensor in enumerate(tensors)]
    write_stored_zip(path, [*members, (f"{folder}/version", b"3\n")], alignment=64)
