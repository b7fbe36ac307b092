"""Hashes of files, and a long stream of text that is made in memory."""

import hashlib
import pathlib
import sys

from . import machine

PIECE = 1 << 20
# The text that long streams repeat. Longer than what the default level remembers, so that the repetition is not found.
UNIT = 48 << 20


def sha256(path):
    """Hash of the file at `path`, in hexadecimal."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while piece := file.read(PIECE):
            digest.update(piece)
    return digest.hexdigest()


def log_text(size, seed=1):
    """`size` bytes of log lines from corpus/generate.py; the same bytes on every machine."""
    folder = str(pathlib.Path(machine.ROOT) / "corpus")
    if folder not in sys.path:
        sys.path.insert(0, folder)
    import generate  # pylint: disable=import-outside-toplevel
    return generate.make("logs", size, seed)


def unit():
    """The UNIT bytes of text that long streams repeat."""
    return log_text(UNIT)


def write_repeated(path, text, total):
    """Writes a file of `total` bytes: `text` again and again, the last time cut."""
    with open(path, "wb") as file:
        left = total
        while left > 0:
            left -= file.write(memoryview(text)[:left])
