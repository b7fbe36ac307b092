"""The tables of bench/report, as Markdown."""

from . import results, suites, targets

# Rows of the README's table: setting and the name it gets.
README_ROWS = [
    (("glyd", "fast", "1"), "glyd --fast"), (("lz4", "1", "1"), "lz4 -1"), (("snappy", "-", "1"), "snappy"),
    (("glyd", "3", "1"), "**glyd**"), (("zstd", "3", "1"), "zstd -3"), (("gzip", "6", "1"), "gzip -6"),
    (("brotli", "5", "1"), "brotli -5"), (("glyd", "19", "1"), "glyd -19"), (("zstd", "19", "1"), "zstd -19"),
    (("xz", "6", "1"), "xz -6"),
]


def table(head, rows, right=()):
    """A Markdown table; columns whose number is in `right` are set to the right."""
    marks = ["---:" if column in right else "---" for column in range(len(head))]
    lines = [head, marks, *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines) + "\n"


def machine_line(tables):
    """One sentence on where the numbers of `tables` come from."""
    lines = []
    for item in tables:
        def fact(key, source=item):
            return ", ".join(source.facts(key)) or "unknown"
        lines.append(f"`{item.path.rsplit('/', 1)[-1]}`: {fact('cpu')}, {fact('cores')} cores, {fact('memory')}, "
                     f"{fact('kernel')}, {fact('date')}, revision {fact('revision')}; {'; '.join(item.facts('version'))}; "
                     f"load {fact('load')}")
    return "\n".join(f"- {line}" for line in lines) + "\n"


def mib(kib):
    return f"{kib / 1024:.0f}" if kib >= 10240 else f"{kib / 1024:.1f}"


def readme(measured):
    """Sizes and speeds of all programs over the files that all of them have."""
    rows = [(setting, name) for setting, name in README_ROWS if measured.of(setting, suites.SPEED_BYTES)]
    if not rows:
        return "No file of 4 MB or more was measured.\n"
    files = measured.common_files([setting for setting, _ in rows])
    if not files:
        return "No file of 4 MB or more was measured with all programs.\n"
    lines = []
    for setting, name in rows:
        sums = results.total(measured.of(setting)[file] for file in files)
        lines.append([name, f"{sums.packed:,}", f"{sums.ratio:.3f}", f"{sums.c_speed:.0f}", f"{sums.d_speed:.0f}",
                      mib(sums.c_rss), mib(sums.d_rss)])
        size = sums.bytes
    head = ["program", "bytes", "ratio", "MB/s in", "MB/s out", "MiB in", "MiB out"]
    return (table(head, lines, range(1, 7)) +
            f"\nOne thread, file to file, {len(files)} files of 4 MB and more, {size:,} bytes together; MB = 10^6 "
            "bytes; \"in\" is compression, \"out\" decompression; MiB: peak memory of the process.\n")


def target_table(outcomes):
    """The targets and, below, every file on which one is missed."""
    rows, missed = [], []
    for outcome in outcomes:
        target = outcome.target
        measured = "-" if outcome.total is None else f"{outcome.total:.4f} x"
        worst = "-"
        if outcome.per_file:
            values = [value for _, value in outcome.per_file]
            worst = f"{max(values) if target.at_most else min(values):.4f} x"
        rows.append([target.name, target.asked() if target.verdict else f"({target.asked()}, recorded only)", measured,
                     worst, len(outcome.per_file), outcome.word()])
        missed += [[target.name, name, f"{value:.4f} x", target.asked()] for name, value in outcome.missed()]
    text = table(["target", "asked", "in total", "worst file", "files", "result"], rows, (2, 3, 4))
    if missed:
        text += "\nMissed on these files:\n\n" + table(["target", "file", "measured", "asked"], missed, (2, 3))
    return text


def per_file(measured):
    """Glyd's default, -19 and --fast beside their peers on every file."""
    rows = []
    for name, result in measured.of(targets.GLYD_DEFAULT).items():
        cells = [name, f"{result.bytes:,}"]
        for ours, theirs in ((targets.GLYD_DEFAULT, targets.ZSTD_DEFAULT), (targets.GLYD_HIGH, targets.ZSTD_HIGH),
                             (targets.GLYD_FAST, targets.LZ4)):
            pair = measured.of(ours).get(name), measured.of(theirs).get(name)
            cells.append(f"{pair[0].packed / pair[1].packed:.4f}" if all(pair) else "-")
            fast_enough = all(pair) and result.bytes >= suites.SPEED_BYTES
            for attribute in ("c_wall", "d_wall"):
                times = [getattr(one, attribute) for one in pair] if fast_enough else None
                cells.append(f"{times[1] / times[0]:.2f}" if times else "-")
        rows.append(cells)
    head = ["file", "bytes"]
    for peer in ("zstd -3", "-19 / zstd -19", "--fast / lz4 -1"):
        head += [f"size / {peer}" if peer == "zstd -3" else f"size {peer}", "speed in", "speed out"]
    return table(head, rows, range(1, 11))


def noise(measured):
    """The speed targets once more from the best runs and from processor time, which noise disturbs less."""
    rows = []
    for ours, theirs, least in ((targets.GLYD_DEFAULT, targets.ZSTD_DEFAULT, suites.SPEED_BYTES),
                                (targets.GLYD_DEFAULT, targets.ZSTD_SINGLE, suites.SPEED_BYTES),
                                (targets.GLYD_TWO, targets.ZSTD_TWO, suites.TWO_THREAD_BYTES),
                                (targets.GLYD_TWO, targets.ZSTD_DEFAULT, suites.TWO_THREAD_BYTES),
                                (targets.GLYD_FAST, targets.LZ4, suites.SPEED_BYTES)):
        pairs = measured.pairs(ours, theirs, least)
        if not pairs:
            continue
        our, their = results.total(pair[1] for pair in pairs), results.total(pair[2] for pair in pairs)
        rows.append([" ".join(ours), " ".join(theirs)] +
                    [f"{getattr(their, field) / getattr(our, field):.3f} x"
                     for field in ("c_wall", "c_best", "c_cpu", "d_wall", "d_best", "d_cpu")])
    head = ["glyd (level, threads)", "against", "in: median", "in: best", "in: processor", "out: median", "out: best",
            "out: processor"]
    return table(head, rows, range(2, 8))


def memory(measured):
    """Peak memory of glyd and zstd, most of all files."""
    rows = []
    for setting in measured.settings():
        if setting[0] in ("glyd", "zstd", "lz4"):
            every = measured.of(setting).values()
            rows.append([" ".join(setting), mib(max(one.c_rss for one in every)), mib(max(one.d_rss for one in every))])
    return table(["program, level, threads", "MiB in", "MiB out"], rows, (1, 2))


def memory_by_setting(tables):
    """Peak memory by level and threads, from tables of `bench/compare memory`."""
    rows = [[row["tool"], row["level"], row["threads"], f"{int(row['bytes']) >> 20}", mib(int(row["c_rss_kib"])),
             mib(int(row["d_rss_kib"]))] for item in tables for row in item.rows]
    failed = [f"- {row['tool']} {row['level']} {row['threads']} did NOT restore its input\n"
              for item in tables for row in item.rows if row["round_trip"] != "yes"]
    head = ["program", "level", "threads", "MiB of content", "MiB in", "MiB out"]
    return table(head, rows, (1, 2, 3, 4, 5)) + ("\n" + "".join(failed) if failed else "")


def startup(tables):
    """Start-up time and memory, from tables of `bench/compare startup`."""
    rows = [[row["case"], row["bytes"], row["tool"] + (f" -{row['level']}" if row["level"] != "-" else ""),
             row["threads"],
             f"{float(row['wall_median']) * 1e3:.2f}", f"{float(row['wall_min']) * 1e3:.2f}",
             f"{float(row['cpu_median']) * 1e3:.2f}", mib(int(row["rss_kib"]))] for item in tables for row in item.rows]
    head = ["operation", "bytes", "program", "threads", "ms median", "ms best", "ms processor", "MiB"]
    return table(head, rows, (1, 3, 4, 5, 6, 7))


def stream(tables):
    """Memory of long streams, from tables of `bench/compare stream`."""
    rows = [[row["operation"], f"{int(row['bytes']) / 2**30:g} GiB", row["threads"], mib(int(row["rss_kib"])),
             mib(int(row["limit_kib"])), f"{int(row['bytes']) / 1e6 / float(row['wall']):.0f}",
             "met" if row["within_limit"] == "yes" and row["round_trip"] == "yes" else "MISSED"]
            for item in tables for row in item.rows]
    return table(["operation", "stream", "threads", "MiB measured", "MiB allowed", "MB/s", "result"], rows,
                 (1, 2, 3, 4, 5))
