"""`bench/compare startup`: time and memory of starting the programs: to say their version, and for next to no data."""

import pathlib
import shutil
import statistics
import tempfile

from . import content, csv_log, machine, measure, peers

COLUMNS = ["case", "bytes", "tool", "level", "threads", "runs", "wall_median", "wall_min", "wall_max", "cpu_median",
           "rss_kib"]
SIZES = (0, 1, 1000)
# Level and threads as a user gets them who says nothing, but for threads: glyd's default is all processors.
SETTINGS = (("glyd", "3", "1"), ("glyd", "3", "0"), ("zstd", "3", "1"), ("zstd", "3", "single"), ("lz4", "1", "1"),
            ("gzip", "6", "1"), ("brotli", "5", "1"), ("xz", "6", "1"))
METHOD = [
    "seconds from start to exit of the process with --version, and on files of 0, 1 and 1000 bytes; programs take "
    "turns run by run",
    "peak memory is the most of all runs",
]


def run(args):
    """Carries the sub-command out; returns the exit status."""
    tools, missing = peers.find_tools(args.glyd, args.build, list(dict.fromkeys(name for name, _, _ in SETTINGS)))
    launcher = measure.Launcher(args.build)
    header = machine.facts(tools.values(), [launcher.how(), *METHOD])
    header += [f"missing: {name} was not found and is left out" for name in missing]
    pathlib.Path(args.work).mkdir(parents=True, exist_ok=True)
    work = pathlib.Path(tempfile.mkdtemp(prefix="startup-", dir=args.work))
    writer = csv_log.Writer(args.out, "startup", COLUMNS, header)
    try:
        measure_version(args.runs, tools, launcher, writer)
        for size in SIZES:
            measure_size(args.runs, [case for case in SETTINGS if case[0] in tools], tools, launcher, size, work,
                         writer)
    finally:
        writer.close()
        launcher.close()
        shutil.rmtree(work)
    return 0


def measure_version(runs, tools, launcher, writer):
    """`--version` of every program: loading it and nothing else."""
    costs = {name: [] for name in tools}
    for turn in range(runs + 1):
        for name, tool in tools.items():
            cost = launcher.run(peers.Command((tool.program, "--version")))
            if turn > 0:  # the first turn brings the programs into the page cache
                costs[name].append(cost)
    for name, samples in costs.items():
        writer.add({"case": "--version", "bytes": "-", "tool": name, "level": "-", "threads": "-",
                    **summary(samples)})


def summary(samples):
    """The columns that are made from the costs of all runs."""
    walls = [cost.wall for cost in samples]
    return {"runs": len(samples), "wall_median": f"{statistics.median(walls):.6f}", "wall_min": f"{min(walls):.6f}",
            "wall_max": f"{max(walls):.6f}",
            "cpu_median": f"{statistics.median(cost.cpu for cost in samples):.6f}",
            "rss_kib": max(cost.rss_kib for cost in samples)}


def measure_size(runs, settings, tools, launcher, size, work, writer):
    """All settings both ways on a file of `size` bytes, `runs` times in turns."""
    source = work / "input"
    source.write_bytes(content.log_text(size))
    costs = {(case, setting): [] for setting in settings for case in ("compress", "decompress")}
    for turn in range(runs + 1):
        for setting in settings:
            name, level, threads = setting
            packed = work / ("packed" + tools[name].suffix())
            restored = work / "restored"
            for path in (packed, restored):
                path.unlink(missing_ok=True)
            pair = (launcher.run(tools[name].compress(level, threads, str(source), str(packed))),
                    launcher.run(tools[name].decompress(threads, str(packed), str(restored))))
            if turn > 0:  # the first turn brings the programs into the page cache
                costs["compress", setting].append(pair[0])
                costs["decompress", setting].append(pair[1])
    for (case, (name, level, threads)), samples in costs.items():
        writer.add({"case": case, "bytes": size, "tool": name, "level": level, "threads": threads,
                    **summary(samples)})
