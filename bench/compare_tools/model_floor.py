"""How small bf16 weights can get when each is coded by itself: 8 bits of sign and mantissa, and the entropy of the
exponents (Shannon 1948)."""

import collections
import dataclasses
import json
import math
import pathlib

# A header beyond this is no header. Bytes; the format's own library has the same limit.
MOST_HEADER_BYTES = 100_000_000
# A file counts as one of bf16 weights when they are at least this part of it.
LEAST_PART = 0.9

_HIGH_SEVEN = bytes((value & 0x7F) << 1 for value in range(256))
_TOP_BIT = bytes(value >> 7 for value in range(256))


@dataclasses.dataclass(frozen=True)
class Floor:
    weights: int           # how many bf16 weights
    bits: float            # 8 + entropy of all exponents together, in bits a weight
    tensor_bits: float     # the same with a distribution for each tensor, averaged over weights


def exponents(data):
    """The 8 bits of exponent of every little-endian bf16 weight in `data`, one a byte."""
    high, low = data[1::2].translate(_HIGH_SEVEN), data[0::2].translate(_TOP_BIT)
    # No byte of the one has a bit of the other: one addition of two very long numbers joins them all.
    joined = int.from_bytes(high, "little") | int.from_bytes(low, "little")
    return joined.to_bytes(len(high), "little")


def entropy_bits(counts):
    """Bits in all of as many symbols as `counts` says, by their own distribution."""
    total = sum(counts.values())
    return sum(count * math.log2(total / count) for count in counts.values())


def bf16_regions(path):
    """[(offset, size)] of the bf16 tensors of a safetensors file, or of a headerless array (.bf16); else []."""
    path = pathlib.Path(path)
    if path.suffix == ".bf16":
        return [(0, path.stat().st_size // 2 * 2)]
    if path.suffix != ".safetensors":
        return []
    with open(path, "rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if length > MOST_HEADER_BYTES:
            return []
        header = json.loads(file.read(length))
    return [(8 + length + entry["data_offsets"][0], entry["data_offsets"][1] - entry["data_offsets"][0])
            for name, entry in header.items() if name != "__metadata__" and entry["dtype"] == "BF16"]


def floor_of(path):
    """The Floor of a file that is bf16 weights for the greatest part, else None."""
    regions = bf16_regions(path)
    size = sum(region[1] for region in regions)
    if not size or size < LEAST_PART * pathlib.Path(path).stat().st_size:
        return None
    together, by_tensor = collections.Counter(), 0.0
    with open(path, "rb") as file:
        for offset, length in regions:
            file.seek(offset)
            counts = collections.Counter(exponents(file.read(length)))
            by_tensor += entropy_bits(counts)
            together.update(counts)
    weights = size // 2
    return Floor(weights, 8 + entropy_bits(together) / weights, 8 + by_tensor / weights)
