#!/usr/bin/env python3
"""Runs the Python package zipnn on one file, for `bench/compare models --zipnn-python PATH`.

    PYTHON bench/zipnn_driver.py compress TYPE IN OUT LOG
    PYTHON bench/zipnn_driver.py decompress TYPE IN OUT LOG
    PYTHON bench/zipnn_driver.py version

TYPE is zipnn's bytearray_dtype. Appends one line to LOG: the operation and the seconds that zipnn took between two
buffers in memory, without the start of Python, imports, reading and writing. One thread.

PYTHON needs the packages numpy, zstandard and zipnn (pip install --no-deps zipnn). zipnn imports torch, though it does
not use it on bytes; names of torch are stood in for here, which spares it a second or two of start-up and some 200 MiB.
"""

import importlib.metadata
import pathlib
import sys
import time
import types


class StandIn(types.ModuleType):
    """A module with every name. Types compare as different from each other, like torch's."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        value = type(name, (), {})
        setattr(self, name, value)
        return value


def load_zipnn():
    """zipnn.ZipNN, with stand-ins for the torch that it imports."""
    torch = StandIn("torch")
    torch.jit = types.SimpleNamespace(script=lambda function: function)
    safetensors = StandIn("safetensors")
    safetensors.__path__ = []
    safetensors.torch = StandIn("safetensors.torch")
    sys.modules.update({"torch": torch, "safetensors": safetensors, "safetensors.torch": safetensors.torch})
    from zipnn import ZipNN  # pylint: disable=import-outside-toplevel
    return ZipNN


def main():
    if sys.argv[1:] == ["version"]:
        load_zipnn()
        print(f"zipnn {importlib.metadata.version('zipnn')} with numpy {importlib.metadata.version('numpy')}, "
              f"Python {sys.version.split()[0]}")
        return 0
    if len(sys.argv) != 6 or sys.argv[1] not in ("compress", "decompress"):
        print(__doc__, file=sys.stderr)
        return 2
    operation, kind, source, target, log = sys.argv[1:]
    coder = load_zipnn()(input_format="byte", bytearray_dtype=kind, threads=1)
    # It changes its input while it works (bits of floats are moved within the buffer), so a buffer of its own.
    content = bytearray(pathlib.Path(source).read_bytes())
    start = time.perf_counter()
    result = getattr(coder, operation)(content)
    seconds = time.perf_counter() - start
    pathlib.Path(target).write_bytes(result)
    with open(log, "a", encoding="ascii") as lines:
        lines.write(f"{operation} {seconds:.6f}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
