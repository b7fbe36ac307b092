"""Runs one command and says what it cost: wall time, processor time, peak memory."""

import dataclasses
import os
import pathlib
import subprocess
import tempfile
import time

from . import peers


class CommandFailed(Exception):
    """A measured command did not exit with 0; the text has its command line and what it said."""


@dataclasses.dataclass(frozen=True)
class Cost:
    wall: float      # seconds
    cpu: float       # seconds of processor time, user and system, all threads
    rss_kib: int     # peak resident memory


class Launcher:
    """Starts commands through the program run_measured where it is built, else straight from Python."""

    def __init__(self, build_folder=None):
        extra = (build_folder,) if build_folder else ()
        self.program = peers.find_built("bench/run_measured", extra)
        handle, self._report = tempfile.mkstemp(prefix="glyd-bench-report-")
        os.close(handle)

    def close(self):
        os.unlink(self._report)

    def how(self):
        """One line for the header of a CSV."""
        if self.program:
            return "wall time, processor time and peak memory as bench/run_measured.c takes them (wait4)"
        return ("run_measured was not built, so commands were started from Python: peak memory below about 12 MiB is "
                "Python's own, and about 1 ms of each wall time too")

    def words(self, command, report):
        return [self.program, report, *command.words]

    def run(self, command):
        """Runs `command` (peers.Command) and returns its Cost. Raises CommandFailed."""
        stdout = open(command.stdout, "wb") if command.stdout else subprocess.DEVNULL
        try:
            if self.program:
                done = subprocess.run(self.words(command, self._report), stdin=subprocess.DEVNULL, stdout=stdout,
                                      stderr=subprocess.PIPE, check=False)
                if done.returncode != 0:
                    raise CommandFailed(f"{command.text()}\n{done.stderr.decode(errors='replace')}")
                cost, status = read_report(self._report)
                said = done.stderr
            else:
                cost, status, said = run_from_python(command, stdout)
        finally:
            if command.stdout:
                stdout.close()
        if status != 0:
            raise CommandFailed(f"exit status {status}: {command.text()}\n{said.decode(errors='replace')}")
        return cost


def read_report(path):
    """(Cost, exit status) from a report of run_measured."""
    wall, user, system, rss, status = pathlib.Path(path).read_text(encoding="ascii").split()
    return Cost(int(wall) / 1e9, (int(user) + int(system)) / 1e6, int(rss)), int(status)


def run_from_python(command, stdout):
    """(Cost, exit status, standard error) of a command started without run_measured."""
    with tempfile.TemporaryFile() as errors:
        start = time.perf_counter()
        process = subprocess.Popen(command.words, stdin=subprocess.DEVNULL, stdout=stdout, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        said = errors.read()
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss), process.returncode, said
