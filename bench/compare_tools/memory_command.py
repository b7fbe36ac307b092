"""`bench/compare memory`: peak memory of the programs by level and number of threads, on one large file."""

import pathlib
import shutil
import sys
import tempfile

from . import content, csv_log, machine, measure, peers
from .suites import Setting

COLUMNS = ["bytes", "tool", "level", "threads", "c_rss_kib", "d_rss_kib", "c_wall", "d_wall", "round_trip"]
SETTINGS = [
    *[Setting("glyd", level, threads) for level in ("fast", "1", "3", "9", "15", "19") for threads in ("1", "2")],
    *[Setting("zstd", level, threads) for level in ("1", "3", "9", "15", "19") for threads in ("single", "1", "2")],
    Setting("lz4", "1"), Setting("gzip", "6"), Setting("brotli", "5"), Setting("xz", "6"),
]
METHOD = [
    f"{content.UNIT >> 20} MiB of log lines from corpus/generate.py, repeated, file to file; one run of each setting: "
    "memory does not vary as times do",
    "times are recorded beside it, from one run; take speeds from `bench/compare files`",
    "zstd, lz4, gzip and brotli decompress with the threads they choose themselves; glyd and xz with `threads`",
]


def run(args):
    """Carries the sub-command out; returns the exit status."""
    tools, missing = peers.find_tools(args.glyd, args.build, list(dict.fromkeys(item.tool for item in SETTINGS)))
    launcher = measure.Launcher(args.build)
    header = machine.facts(tools.values(), [launcher.how(), *METHOD])
    header += [f"missing: {name} was not found and is left out" for name in missing]
    pathlib.Path(args.work).mkdir(parents=True, exist_ok=True)
    work = pathlib.Path(tempfile.mkdtemp(prefix="memory-", dir=args.work))
    writer = csv_log.Writer(args.out, "memory", COLUMNS, header)
    whole = True
    try:
        source = work / "input"
        size = args.mib << 20
        content.write_repeated(source, content.unit(), size)
        digest = content.sha256(source)
        for setting in SETTINGS:
            if setting.tool in tools:
                whole &= measure_setting(setting, tools[setting.tool], launcher, source, size, digest, writer)
    finally:
        writer.close()
        launcher.close()
        shutil.rmtree(work)
    return 0 if whole else 1


def measure_setting(setting, tool, launcher, source, size, digest, writer):
    """One setting both ways into the CSV; False when the round trip failed."""
    packed = source.with_name("packed" + tool.suffix())
    restored = source.with_name("restored")
    compress = launcher.run(tool.compress(setting.level, setting.threads, str(source), str(packed)))
    decompress = launcher.run(tool.decompress(setting.threads, str(packed), str(restored)))
    same = content.sha256(restored) == digest
    packed.unlink()
    restored.unlink()
    writer.add({"bytes": size, "tool": setting.tool, "level": setting.level, "threads": setting.threads,
                "c_rss_kib": compress.rss_kib, "d_rss_kib": decompress.rss_kib, "c_wall": f"{compress.wall:.3f}",
                "d_wall": f"{decompress.wall:.3f}", "round_trip": "yes" if same else "NO"})
    print(f"{setting.label()}: {compress.rss_kib / 1024:.1f} MiB in, {decompress.rss_kib / 1024:.1f} MiB out",
          file=sys.stderr)
    if not same:
        print(f"bench/compare: {setting.label()} did not restore its input", file=sys.stderr)
    return same
