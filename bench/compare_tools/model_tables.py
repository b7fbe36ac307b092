"""The tables of bench/report about model files and the entropy stage, as Markdown."""

from . import markdown, model_targets, suites

SHOWN = [(("glyd", "3"), "glyd"), (("glyd", "fast"), "glyd --fast"), (("glyd", "19"), "glyd -19"),
         (("zipnn", "-"), "zipnn"), (("zstd", "3"), "zstd -3"), (("zstd", "19"), "zstd -19"), (("xz", "6"), "xz -6"),
         (("lz4", "1"), "lz4 -1")]


def _shown(files):
    """Settings that were measured on any file, with their names."""
    return [(setting, name) for setting, name in SHOWN if any(setting in rows for rows in files.values())]


def _one(rows):
    """Any row of a file: for the columns that all share."""
    return next(iter(rows.values()))


def sizes(tables):
    """Compressed sizes in per cent of the file."""
    files = model_targets.by_file(tables)
    shown = _shown(files)
    lines = []
    for file, rows in files.items():
        size = int(_one(rows)["bytes"])
        lines.append([file, f"{size:,}"] + [f"{int(rows[setting]['compressed_bytes']) / size:.2%}" if setting in rows
                                            else "-" for setting, _ in shown])
    return markdown.table(["file", "bytes", *(name for _, name in shown)], lines, range(1, 2 + len(shown)))


def speeds(tables):
    """MB/s both ways and peak memory, files of 4 MB and more."""
    files = model_targets.by_file(tables)
    shown = _shown(files)
    lines = []
    for file, rows in files.items():
        size = int(_one(rows)["bytes"])
        if size < suites.SPEED_BYTES:
            continue
        cells = [file]
        for setting, _ in shown:
            row = rows.get(setting)
            cells.append(f"{speed(row, 'c_wall_median')} / {speed(row, 'd_wall_median')}" if row else "-")
            if setting == model_targets.ZIPNN:
                cells.append(f"{speed(row, 'm_c_seconds')} / {speed(row, 'm_d_seconds')}" if row else "-")
        lines.append(cells)
    head = ["file"]
    for setting, name in shown:
        head += [name, "zipnn in memory"] if setting == model_targets.ZIPNN else [name]
    peak = ", ".join(f"{name} {most_memory(files, setting, 'c_rss_kib')} / {most_memory(files, setting, 'd_rss_kib')}"
                     for setting, name in shown)
    return (markdown.table(head, lines, range(1, len(head))) +
            "\nMB/s in / out, 10^6 bytes of content, file to file, one thread, medians. zipnn's files include the start of "
            f"Python; \"in memory\" is what it takes between two buffers. Most peak memory, MiB in / out: {peak}.\n")


def speed(row, column):
    return f"{int(row['bytes']) / 1e6 / float(row[column]):.0f}"


def most_memory(files, setting, column):
    return markdown.mib(max(int(rows[setting][column]) for rows in files.values() if setting in rows))


def floors(tables):
    """Bits a weight of bf16 files beside their floor."""
    files = model_targets.by_file(tables)
    shown = _shown(files)
    lines = []
    for file, rows in files.items():
        first = _one(rows)
        if first["floor_bits"]:
            lines.append([file, f"{int(first['bf16_weights']):,}", f"{float(first['floor_bits']):.4f}",
                          f"{float(first['floor_tensor_bits']):.4f}"] +
                         [f"{float(rows[setting]['bits_a_weight']):.4f}" if setting in rows else "-"
                          for setting, _ in shown])
    head = ["file", "bf16 weights", "floor", "floor by tensor", *(name for _, name in shown)]
    return (markdown.table(head, lines, range(1, len(head))) +
            "\nBits a weight, the whole file with its header counted. Floor: 8 + entropy of the exponents, of all tensors "
            "together or of each.\n")


def verdict_table(verdicts):
    """Every verdict; misses once more in a list would only repeat it."""
    rows = [[item.name, item.subject, item.asked, item.measured, item.result] for item in verdicts]
    return markdown.table(["target", "on", "asked", "measured", "result"], rows, (2, 3))


def entropy(tables):
    """Speeds of the entropy stage's parts, contents side by side."""
    rows = [row for item in tables for row in item.rows]
    contents = list(dict.fromkeys(row["content"] for row in rows))
    cells = {}
    for row in rows:
        text = f"{float(row['gb_per_s_median']):.2f}"
        if row["bits_a_symbol"] and not row["stage"].endswith("encode"):
            text += f" ({float(row['bits_a_symbol']):.3f})"
        cells.setdefault((row["stage"], row["parameters"]), {})[row["content"]] = text
    lines = [[stage, parameters, *(found.get(content, "-") for content in contents)]
             for (stage, parameters), found in cells.items()]
    return (markdown.table(["stage", "parameters", *contents], lines, range(2, 2 + len(contents))) +
            "\nGB/s (10^9 bytes of content a second of processor time), one thread, medians; in brackets bits a symbol.\n")


def failed(tables):
    """Lines about round trips that went wrong."""
    return [f"{row['file']}: {row['tool']} {row['level']}" for item in tables for row in item.rows
            if row["round_trip"] != "yes"]
