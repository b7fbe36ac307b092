"""The programs that are compared: how each is asked for a level and threads, file to file."""

import dataclasses
import os
import pathlib
import shutil
import subprocess

from . import machine

# Where a build may have put glyd and the small programs of bench/CMakeLists.txt, best first.
BUILD_FOLDERS = ("build/bench", "build/release", "build/ci", "build")


class MissingProgram(Exception):
    """A program that cannot be found; the text says which and what to do."""


@dataclasses.dataclass(frozen=True)
class Command:
    """One command line. `stdout`: the file that standard output goes to, for programs that have no output option."""
    words: tuple
    stdout: str = ""

    def text(self):
        return " ".join(self.words) + (f" > {self.stdout}" if self.stdout else "")


@dataclasses.dataclass(frozen=True)
class Tool:
    name: str
    program: str
    options: tuple = ()  # more words for glyd when it compresses

    def version(self):
        """One line that names the version."""
        if self.name == "snappy":
            return snappy_version()
        out = subprocess.run([self.program, "--version"], capture_output=True, text=True, check=False)
        return (out.stdout or out.stderr).strip().splitlines()[0].strip("* ")

    def compress(self, level, threads, source, target):
        """The command that compresses the file `source` to the new file `target`."""
        p = self.program
        if self.name == "glyd":
            return Command((p, level_flag(level), f"-T{threads}", *self.options, "-q", "-k", source, "-o", target))
        if self.name == "zstd":
            mode = "--single-thread" if threads == "single" else f"-T{threads}"
            return Command((p, level_flag(level), mode, "-q", "-k", source, "-o", target))
        if self.name == "lz4":
            return Command((p, level_flag(level), "-q", "-f", source, target))
        if self.name == "brotli":
            return Command((p, "-q", level, "-k", source, "-o", target))
        if self.name == "xz":
            return Command((p, level_flag(level), f"-T{threads}", "-k", "-c", source), target)
        if self.name == "gzip":
            return Command((p, level_flag(level), "-k", "-c", source), target)
        return Command((p, source, target))  # snappy_driver

    def decompress(self, threads, source, target):
        """The command that restores `source` to the new file `target`."""
        p = self.program
        if self.name == "glyd":
            return Command((p, "-d", f"-T{threads}", "-q", "-k", source, "-o", target))
        if self.name == "zstd":
            mode = ("--single-thread",) if threads == "single" else ()
            return Command((p, "-d", *mode, "-q", "-k", source, "-o", target))
        if self.name == "lz4":
            return Command((p, "-d", "-q", "-f", source, target))
        if self.name == "brotli":
            return Command((p, "-d", "-k", source, "-o", target))
        if self.name == "xz":
            return Command((p, "-d", f"-T{threads}", "-k", "-c", source), target)
        if self.name == "gzip":
            return Command((p, "-d", "-k", "-c", source), target)
        return Command((p, "-d", source, target))

    def test(self, threads, source):
        """The command that decodes `source` and writes nothing, or None for programs without one."""
        if self.name == "glyd":
            return Command((self.program, "-t", f"-T{threads}", "-q", source))
        if self.name == "zstd":
            mode = ("--single-thread",) if threads == "single" else ()
            return Command((self.program, "-t", *mode, "-q", source))
        return None

    def suffix(self):
        """The suffix the program expects of its files."""
        return {"glyd": ".glyd", "zstd": ".zst", "lz4": ".lz4", "brotli": ".br", "xz": ".xz", "gzip": ".gz"}.get(
            self.name, ".snappy")


def level_flag(level):
    """'3' -> '-3', 'fast' -> '--fast', 'fast=5' -> '--fast=5'."""
    return f"--{level}" if level.startswith("fast") else f"-{level}"


def snappy_version():
    """libsnappy tells its version only to its packages."""
    out = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "libsnappy1v5"], capture_output=True, text=True,
                         check=False) if shutil.which("dpkg-query") else None
    version = out.stdout.strip() if out and out.returncode == 0 else "version unknown"
    return f"libsnappy {version}, block format in pieces of 1 MiB (bench/snappy_driver.cc)"


def find_built(relative, extra_folders=()):
    """A program of a build folder, or None."""
    for folder in (*extra_folders, *(machine.ROOT / name for name in BUILD_FOLDERS)):
        candidate = pathlib.Path(folder) / relative
        if candidate.is_file() and os.access(candidate, os.X_OK):
            return str(candidate)
    return None


def find_tools(glyd_path, build_folder, wanted):
    """Tools by name. Returns (tools, names that are missing); raises MissingProgram when it is glyd."""
    extra = (build_folder,) if build_folder else ()
    found, missing = {}, []
    for name in wanted:
        if name == "glyd":
            program = glyd_path or find_built("cli/glyd", extra) or shutil.which("glyd")
            if not program or not os.access(program, os.X_OK):
                raise MissingProgram("no glyd program found: build it (cmake --preset release && cmake --build "
                                     "--preset release) or name it with --glyd PATH")
            program = str(pathlib.Path(program).resolve())
        elif name == "snappy":
            program = find_built("bench/snappy_driver", extra)
        else:
            program = shutil.which(name)
        if program:
            found[name] = Tool(name, program)
        else:
            missing.append(name)
    return found, missing
