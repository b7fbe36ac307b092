"""`bench/compare stream`: a long stream through pipes, to see that memory stays bounded both ways."""

import pathlib
import subprocess
import sys
import tempfile
import threading

from . import content, csv_log, machine, measure, peers

COLUMNS = ["operation", "bytes", "threads", "wall", "cpu", "rss_kib", "limit_kib", "within_limit", "round_trip"]
WRITE = 1 << 20
METHOD = [
    f"{content.UNIT >> 20} MiB of log lines from corpus/generate.py, repeated, written to `glyd -c`, its output piped to "
    "`glyd -d -c`, whose output is compared byte by byte; both run at the same time, nothing touches a disk",
    "limit: 64 MiB + 24 MiB a thread for each of the two processes (issue 3)",
]


def limit_kib(threads):
    """What issue 3 allows a process with `threads` threads, in KiB."""
    return (64 + 24 * threads) << 10


class Feeder(threading.Thread):
    """Writes `total` bytes of the repeated unit to a pipe and closes it."""

    def __init__(self, unit, total, pipe):
        super().__init__(daemon=True)
        self._unit, self._total, self._pipe = memoryview(unit), total, pipe

    def run(self):
        written = 0
        try:
            while written < self._total:
                at = written % len(self._unit)
                size = min(WRITE, len(self._unit) - at, self._total - written)
                self._pipe.write(self._unit[at:at + size])
                written += size
            self._pipe.close()
        except BrokenPipeError:
            pass  # the compressor's exit status tells


def equals_stream(unit, total, pipe):
    """Whether `pipe` yields exactly `total` bytes of the repeated unit. Reads it to its end."""
    expected = memoryview(unit)
    taken, same = 0, True
    buffer = bytearray(WRITE)
    while size := pipe.readinto(buffer):
        at = 0
        while at < size:
            place = taken % len(unit)
            step = min(size - at, len(unit) - place)
            same = same and buffer[at:at + step] == expected[place:place + step]
            at, taken = at + step, taken + step
    return same and taken == total


def run_pipe(glyd, launcher, threads, unit, total, reports):
    """Runs both processes; returns ([compress Cost, decompress Cost], round trip is right)."""
    options = (f"-T{threads}", "-q")
    commands = (peers.Command((glyd.program, "-c", *options)), peers.Command((glyd.program, "-d", "-c", *options)))
    first = subprocess.Popen(launcher.words(commands[0], str(reports[0])), stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE)
    second = subprocess.Popen(launcher.words(commands[1], str(reports[1])), stdin=first.stdout,
                              stdout=subprocess.PIPE)
    first.stdout.close()
    Feeder(unit, total, first.stdin).start()
    same = equals_stream(unit, total, second.stdout)
    costs = []
    for process, command, report in zip((first, second), commands, reports):
        if process.wait() != 0:
            raise measure.CommandFailed(command.text())
        cost, status = measure.read_report(report)
        if status != 0:
            raise measure.CommandFailed(f"exit status {status}: {command.text()}")
        costs.append(cost)
    return costs, same


def run(args):
    """Carries the sub-command out; returns the exit status."""
    tools, _ = peers.find_tools(args.glyd, args.build, ["glyd"])
    launcher = measure.Launcher(args.build)
    if not launcher.program:
        print("bench/compare: stream needs the program run_measured: cmake --preset bench && cmake --build --preset "
              "bench, or name the build folder with --build", file=sys.stderr)
        launcher.close()
        return 1
    total = int(args.gib * 2**30)
    unit = content.unit()
    writer = csv_log.Writer(args.out, "stream", COLUMNS, machine.facts(tools.values(), [launcher.how(), *METHOD]))
    right = True
    with tempfile.TemporaryDirectory(prefix="glyd-stream-") as folder:
        reports = [pathlib.Path(folder) / name for name in ("compress", "decompress")]
        for threads in (1, 2):
            costs, same = run_pipe(tools["glyd"], launcher, threads, unit, total, reports)
            right = right and same
            for operation, cost in zip(("compress", "decompress"), costs):
                within = cost.rss_kib <= limit_kib(threads)
                writer.add({"operation": operation, "bytes": total, "threads": threads, "wall": f"{cost.wall:.3f}",
                            "cpu": f"{cost.cpu:.3f}", "rss_kib": cost.rss_kib, "limit_kib": limit_kib(threads),
                            "within_limit": "yes" if within else "NO", "round_trip": "yes" if same else "NO"})
                print(f"{operation}, {threads} threads: {cost.rss_kib / 1024:.1f} MiB of at most "
                      f"{limit_kib(threads) / 1024:.0f} MiB", file=sys.stderr)
    writer.close()
    launcher.close()
    return 0 if right else 1
