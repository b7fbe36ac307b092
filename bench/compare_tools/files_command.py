"""`bench/compare files`: every program of a suite on every file of it, file to file."""

import pathlib
import shutil
import statistics
import sys
import tempfile

from . import content, csv_log, machine, measure, peers, suites

COLUMNS = ["suite", "file", "bytes", "sha256", "tool", "level", "threads", "runs", "compressed_bytes",
           "c_wall_median", "c_wall_min", "c_wall_max", "c_cpu_median", "c_rss_kib",
           "d_wall_median", "d_wall_min", "d_wall_max", "d_cpu_median", "d_rss_kib",
           "t_wall_median", "t_wall_min", "round_trip"]

# A setting that takes longer than this on a file, both ways together, is not repeated on it. Seconds.
LONG_RUN = 30.0

def method(long_run):
    """Lines for the header; `long_run` in seconds as LONG_RUN."""
    return [line.format(long_run=long_run) for line in _METHOD]


_METHOD = [
    "seconds from start to exit of the process, file to file on one file system; the output does not exist before; "
    "data is not synced to the disk, in none of the programs",
    "the page cache is warm: every input was read before; programs take turns run by run, and a new one begins each "
    "round, so that noise hits all alike",
    "median, least and most of `runs` runs; a setting that takes more than {long_run:g} s on a file is not repeated on it",
    f"speeds are meant to be taken from files of {suites.SPEED_BYTES} bytes and more only; smaller ones (and 1 run "
    "instead of all) are here for their sizes",
    "round_trip: yes when the sha256 of the restored file was that of the input in every run",
    "t_wall: glyd -t and zstd -t, which decode and check but write nothing; empty for the others",
    "peak memory (rss) is the most of all runs",
    "files with the content of an earlier one are left out",
]


class Samples:
    """What the runs of one setting on one file cost."""

    def __init__(self, setting, long_run):
        self.setting, self.long_run = setting, long_run
        self.compress, self.decompress, self.test = [], [], []
        self.size = 0
        self.same = True

    def long(self):
        return bool(self.compress) and self.compress[-1].wall + self.decompress[-1].wall > self.long_run

    def row(self):
        row = {"tool": self.setting.tool, "level": self.setting.level, "threads": self.setting.threads,
               "runs": len(self.compress), "compressed_bytes": self.size,
               "round_trip": "yes" if self.same else "NO"}
        for prefix, costs in (("c", self.compress), ("d", self.decompress)):
            walls = [cost.wall for cost in costs]
            row[f"{prefix}_wall_median"] = f"{statistics.median(walls):.6f}"
            row[f"{prefix}_wall_min"] = f"{min(walls):.6f}"
            row[f"{prefix}_wall_max"] = f"{max(walls):.6f}"
            row[f"{prefix}_cpu_median"] = f"{statistics.median(cost.cpu for cost in costs):.6f}"
            row[f"{prefix}_rss_kib"] = max(cost.rss_kib for cost in costs)
        walls = [cost.wall for cost in self.test]
        row["t_wall_median"] = f"{statistics.median(walls):.6f}" if walls else ""
        row["t_wall_min"] = f"{min(walls):.6f}" if walls else ""
        return row


def run_once(samples, tool, launcher, source, digest, work):
    """One compression and one decompression of `source`; adds what they cost to `samples`."""
    packed = work / (source.name + tool.suffix())
    restored = work / (source.name + ".restored")
    for path in (packed, restored):
        path.unlink(missing_ok=True)
    threads = samples.setting.threads
    compress = launcher.run(tool.compress(samples.setting.level, threads, str(source), str(packed)))
    decompress = launcher.run(tool.decompress(threads, str(packed), str(restored)))
    test = tool.test(threads, str(packed))
    if test is not None:
        samples.test.append(launcher.run(test))
    samples.compress.append(compress)
    samples.decompress.append(decompress)
    samples.size = packed.stat().st_size
    samples.same = samples.same and content.sha256(restored) == digest
    for path in (packed, restored):
        path.unlink()


def measure_file(settings, tools, launcher, runs, source, digest, work, long_run=LONG_RUN):
    """All settings on one file, in turns. Returns a list of Samples."""
    all_samples = [Samples(setting, long_run) for setting in settings if setting.tool in tools]
    for turn in range(runs):
        first = turn % len(all_samples)
        for samples in all_samples[first:] + all_samples[:first]:
            if not samples.long():
                run_once(samples, tools[samples.setting.tool], launcher, source, digest, work)
    return all_samples


def command_lines(settings, tools):
    """The command line of every setting with IN and OUT for the files, for the header."""
    lines = []
    for setting in settings:
        if setting.tool in tools:
            tool = tools[setting.tool]
            lines.append(f"command: {tool.compress(setting.level, setting.threads, 'IN', 'OUT').text()}  ;  "
                         f"{tool.decompress(setting.threads, 'OUT', 'IN').text()}")
    return lines


def run(args):
    """Carries the sub-command out; returns the exit status."""
    settings = suites.settings(args.suite, args.setting)
    if not settings:
        print(f"bench/compare: no setting of the suite {args.suite} matches {' or '.join(args.setting)}; a setting is "
              "named like 'glyd 3 threads 1'", file=sys.stderr)
        return 2
    tools, missing = peers.find_tools(args.glyd, args.build, suites.tool_names(settings))
    files = suites.files(args.suite, args.corpus, args.only, args.file)
    if not files:
        print(f"bench/compare: no files to measure below {args.corpus}: run corpus/fetch, or name a folder with "
              "--corpus or files with --file", file=sys.stderr)
        return 1
    launcher = measure.Launcher(args.build)
    header = machine.facts(tools.values(), [launcher.how(), *method(LONG_RUN)]) + command_lines(settings, tools)
    header += [f"missing: {name} was not found and is left out" for name in missing]
    pathlib.Path(args.work).mkdir(parents=True, exist_ok=True)
    work = pathlib.Path(tempfile.mkdtemp(prefix="compare-", dir=args.work))
    writer = csv_log.Writer(args.out, "files", COLUMNS, header)
    failed = False
    try:
        for name, path, digest in files:
            failed |= not measure_and_write(args, settings, tools, launcher, work, writer, (name, path, digest))
    finally:
        writer.close()
        launcher.close()
        shutil.rmtree(work)
    return 1 if failed else 0


def measure_and_write(args, settings, tools, launcher, work, writer, file):
    """One file of the suite into the CSV; False when a round trip failed."""
    name, path, digest = file
    source = work / path.name
    shutil.copyfile(path, source)  # same file system as the outputs, and in the page cache
    size = source.stat().st_size
    runs = args.runs if size >= suites.SPEED_BYTES else 1
    whole = True
    settings = [setting for setting in settings if size >= setting.min_bytes]
    for samples in measure_file(settings, tools, launcher, runs, source, digest, work):
        row = {"suite": args.suite, "file": name, "bytes": size, "sha256": digest, **samples.row()}
        writer.add(row)
        if not samples.same:
            print(f"bench/compare: {samples.setting.label()} did not restore {name}", file=sys.stderr)
            whole = False
        if not args.quiet:
            print(f"{name}: {samples.setting.label()}: {size / samples.size:.3f}, "
                  f"{size / 1e6 / float(row['c_wall_median']):.1f} MB/s in, "
                  f"{size / 1e6 / float(row['d_wall_median']):.1f} MB/s out", file=sys.stderr)
    source.unlink()
    return whole
