"""What is asked of model files and of the entropy stage, what was measured, and whether it is met."""

import dataclasses

GLYD, ZIPNN = ("glyd", "3"), ("zipnn", "-")
# Speeds in and out, MB/s, and bits a weight above the floor, that are asked of bf16 weights.
BF16_IN, BF16_OUT, BF16_ABOVE_FLOOR = 700.0, 1500.0, 0.05
RANS_DECODE = 1.2  # 10^9 symbols a second with AVX2
HEADERS = ("names.", "vocabulary.")


@dataclasses.dataclass(frozen=True)
class Verdict:
    name: str
    subject: str     # a file, or content and parameters
    asked: str
    measured: str
    result: str      # met, MISSED, or in words where nothing is asked


def word(met):
    return "met" if met else "MISSED"


def by_file(tables):
    """{file: {(tool, level): row}} of tables of `bench/compare models`."""
    files = {}
    for table in tables:
        for row in table.rows:
            files.setdefault(row["file"], {})[row["tool"], row["level"]] = row
    return files


def _size_verdict(name, file, ours, peer, required):
    """Whether our file is not larger than the peer's; only said, not judged, where that is not `required`."""
    value = int(ours["compressed_bytes"]) / int(peer["compressed_bytes"])
    asked = "<= 1 x" if required else "(recorded only)"
    result = word(value <= 1) if required else "larger" if value > 1 else "not larger"
    return Verdict(name, file, asked, f"{value:.4f} x", result)


def _bf16_verdicts(file, row):
    size = int(row["bytes"]) / 1e6
    gap = float(row["bits_a_weight"]) - float(row["floor_bits"])
    speed_in, speed_out = size / float(row["c_wall_median"]), size / float(row["d_wall_median"])
    verdicts = [
        Verdict("bf16: bits a weight above the floor", file, f"<= {BF16_ABOVE_FLOOR}", f"{gap:.4f}",
                word(gap <= BF16_ABOVE_FLOOR)),
        Verdict("bf16: MB/s in", file, f">= {BF16_IN:g}", f"{speed_in:.0f}", word(speed_in >= BF16_IN)),
        Verdict("bf16: MB/s out", file, f">= {BF16_OUT:g}", f"{speed_out:.0f}", word(speed_out >= BF16_OUT)),
    ]
    if row["t_wall_median"]:
        speed = size / float(row["t_wall_median"])
        verdicts.append(Verdict("bf16: MB/s decoded and checked with -t, no file written", file, "(recorded only)",
                                f"{speed:.0f}", "at least as much" if speed >= BF16_OUT else "less"))
    return verdicts


def of_models(tables):
    """Verdicts from tables of `bench/compare models`."""
    verdicts = []
    for file, rows in by_file(tables).items():
        ours = rows.get(GLYD)
        if ours is None:
            continue
        if ours["floor_bits"]:
            verdicts += _bf16_verdicts(file, ours)
        header = file.rsplit("/", 1)[-1].startswith(HEADERS)
        for peer, name, required in ((("zstd", "3"), "size against zstd -3", True),
                                     (("zstd", "19"), "size against zstd -19", header),
                                     (ZIPNN, "size against zipnn", False)):
            if peer in rows:
                verdicts.append(_size_verdict(name + (", header alone" if header else ""), file, ours, rows[peer],
                                              required))
    return verdicts


def of_entropy(tables):
    """Verdicts from tables of `bench/compare entropy`."""
    rows = [row for table in tables for row in table.rows]
    verdicts = []
    for content in dict.fromkeys(row["content"] for row in rows):
        def best(stage, wanted, content=content):
            found = [(float(row["gb_per_s_median"]), row["parameters"]) for row in rows
                     if (row["stage"], row["content"]) == (stage, content) and wanted in row["parameters"]]
            return max(found, default=None)

        zstd, ours = best("huff0_decode", "chosen"), best("huffman_decode", "limit:11")
        if zstd and ours:
            verdicts.append(Verdict("Huffman decode, limit 11, against zstd's literal decoder", content, ">= 1 x",
                                    f"{ours[0]:.2f} / {zstd[0]:.2f} GB/s = {ours[0] / zstd[0]:.3f} x",
                                    word(ours[0] >= zstd[0])))
        rans = best("rans_decode", "avx2")
        if rans:
            verdicts.append(Verdict("rANS decode with AVX2, best form", f"{content}, {rans[1]}", f">= {RANS_DECODE} GB/s",
                                    f"{rans[0]:.2f} GB/s", word(rans[0] >= RANS_DECODE)))
    return verdicts
