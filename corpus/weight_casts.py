"""Weights in other element types, with numpy: what corpus/make_models.py casts by.

Only operations whose result does not depend on the processor: single roundings, comparisons, least and greatest.
Sums are not among them, because their order is the library's.
"""

import numpy


def bf16(values):
    """float32 -> bfloat16 as uint16, to nearest, ties to even. Values must not be NaN."""
    bits = numpy.ascontiguousarray(values, numpy.float32).view(numpy.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(numpy.uint16)


def _fp8(values, mantissa_bits, bias, greatest):
    """float32 -> sign, exponent, mantissa in one byte, to nearest, ties to even; beyond `greatest` becomes `greatest`."""
    sign = (numpy.signbit(values).astype(numpy.uint8)) << 7
    size = numpy.minimum(numpy.abs(values), numpy.float32(greatest))
    shift = 23 - mantissa_bits
    bits = size.view(numpy.uint32)
    rounded = (bits + ((1 << (shift - 1)) - 1) + ((bits >> shift) & 1)) >> shift
    normal = rounded.astype(numpy.int64) - ((127 - bias) << mantissa_bits)
    # Below the least normal number steps are equal; adding a number whose own steps are that long rounds to them.
    step = 2.0 ** (1 - bias - mantissa_bits)
    magic = numpy.float32(step * 2**23)
    small = ((size + magic).view(numpy.uint32) - magic.view(numpy.uint32)).astype(numpy.int64)
    code = numpy.where(size < numpy.float32(2.0 ** (1 - bias)), small, normal)
    return sign | code.astype(numpy.uint8)


def fp8_e4m3(values):
    """float32 -> float8 e4m3 ("fn": no infinities, greatest value 448)."""
    return _fp8(values, 3, 7, 448.0)


def fp8_e5m2(values):
    """float32 -> float8 e5m2 (greatest finite value 57344)."""
    return _fp8(values, 2, 15, 57344.0)


def row_scaled(values, greatest):
    """(values / scale, scale): one float32 scale a row, so that the row's greatest magnitude becomes `greatest`."""
    scale = numpy.abs(values).max(axis=1, keepdims=True) / numpy.float32(greatest)
    scale = numpy.where(scale == 0, numpy.float32(1), scale).astype(numpy.float32)
    return values / scale, scale


def int8(values):
    """Row-scaled values of at most 127 -> int8, to nearest, ties to even."""
    return numpy.rint(values).astype(numpy.int8)


def _blocks(values, size):
    """Blocks of 256 weights cut into groups of `size`. The number of weights must be a multiple of 256."""
    return numpy.ascontiguousarray(values, numpy.float32).reshape(-1, 256 // size, size)


def _inverse(scale):
    """1 / scale, and 0 where the scale is 0."""
    return numpy.divide(1, scale, out=numpy.zeros_like(scale), where=scale != 0)


def q6_k(values):
    """Weights -> GGUF's Q6_K blocks of 210 bytes. A plain quantiser: scales come from the greatest magnitude of each 16
    weights, without the search for better ones that the original has; the layout is the same."""
    groups = _blocks(values, 16)
    scale = numpy.abs(groups).max(axis=2) / numpy.float32(31)
    whole = (scale.max(axis=1, keepdims=True) / numpy.float32(127)).astype(numpy.float16)
    codes = numpy.rint(scale * _inverse(whole.astype(numpy.float32))).clip(0, 127)
    step = codes.astype(numpy.float32) * whole.astype(numpy.float32)
    q = numpy.rint(groups * _inverse(step)[..., None]).clip(-32, 31).astype(numpy.int8) + 32
    # 256 codes of 6 bits: halves of 128 hold four runs of 32; low 4 bits in pairs, high 2 bits in fours.
    q = q.astype(numpy.uint8).reshape(-1, 2, 4, 32)
    low, high = q & 15, q >> 4
    ql = low[:, :, 0:2] | (low[:, :, 2:4] << 4)
    qh = high[:, :, 0] | (high[:, :, 1] << 2) | (high[:, :, 2] << 4) | (high[:, :, 3] << 6)
    count = q.shape[0]
    return numpy.concatenate([ql.reshape(count, 128), qh.reshape(count, 64), codes.astype(numpy.uint8),
                              whole.view(numpy.uint8).reshape(count, 2)], axis=1)


def q4_k(values):
    """Weights -> GGUF's Q4_K blocks of 144 bytes. A plain quantiser: scale and minimum of each 32 weights come from its
    least and greatest one, without the search for better ones that the original has; the layout is the same."""
    groups = _blocks(values, 32)
    least = numpy.minimum(groups.min(axis=2), 0)
    scale = (groups.max(axis=2) - least) / numpy.float32(15)
    floor = -least
    parts, steps = [], []
    for part in (scale, floor):
        whole = (part.max(axis=1, keepdims=True) / numpy.float32(63)).astype(numpy.float16)
        code = numpy.rint(part * _inverse(whole.astype(numpy.float32))).clip(0, 63)
        parts.append((whole, code.astype(numpy.uint8)))
        steps.append(code.astype(numpy.float32) * whole.astype(numpy.float32))
    q = numpy.rint((groups + steps[1][..., None]) * _inverse(steps[0])[..., None]).clip(0, 15).astype(numpy.uint8)
    q = q.reshape(-1, 4, 2, 32)
    count = q.shape[0]
    # 8 scales and 8 minima of 6 bits in 12 bytes: the upper 2 bits of the last four lie above the first four.
    (d, s), (dmin, m) = parts
    scales = numpy.concatenate([s[:, :4] | ((s[:, 4:] >> 4) << 6), m[:, :4] | ((m[:, 4:] >> 4) << 6),
                                (s[:, 4:] & 15) | ((m[:, 4:] & 15) << 4)], axis=1)
    return numpy.concatenate([d.view(numpy.uint8).reshape(count, 2), dmin.view(numpy.uint8).reshape(count, 2), scales,
                              (q[:, :, 0] | (q[:, :, 1] << 4)).reshape(count, 128)], axis=1)
