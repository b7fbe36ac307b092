"""What is measured: which files, and which program at which level with how many threads."""

import dataclasses
import fnmatch
import pathlib

from . import content

# Speeds are only taken from files of at least this many bytes; smaller ones measure how fast a process starts.
SPEED_BYTES = 4_000_000
# Two threads only make sense when there are blocks enough for both, and issue 3 asks from here on.
TWO_THREAD_BYTES = 64_000_000


@dataclasses.dataclass(frozen=True)
class Setting:
    tool: str
    level: str
    threads: str = "1"       # a number, or "single" for zstd --single-thread
    min_bytes: int = 0       # only on files of at least this size

    def label(self):
        return f"{self.tool} {self.level} threads {self.threads}"


def _levels(tool, *levels):
    return [Setting(tool, str(level)) for level in levels]


ISSUE3 = [
    Setting("glyd", "3"), Setting("zstd", "3"), Setting("zstd", "3", "single", SPEED_BYTES),
    Setting("glyd", "3", "2", TWO_THREAD_BYTES), Setting("zstd", "3", "2", TWO_THREAD_BYTES),
    Setting("glyd", "fast"), Setting("lz4", "1"), Setting("snappy", "-"),
    Setting("gzip", "6"), Setting("brotli", "5"),
    Setting("glyd", "19"), Setting("zstd", "19"), Setting("xz", "6"),
]

LEVELS = [
    *_levels("glyd", "fast", "fast=5", "fast=1", *range(1, 20)), *_levels("zstd", "fast=5", "fast=1", *range(1, 20)),
    *_levels("lz4", 1, 3, 6, 9, 12), *_levels("snappy", "-"), *_levels("gzip", 1, 3, 6, 9),
    *_levels("brotli", 0, 1, 3, 5, 7, 9, 10, 11), *_levels("xz", 0, 1, 3, 6, 9),
]

QUICK = [Setting("glyd", "3"), Setting("zstd", "3"), Setting("glyd", "fast"), Setting("lz4", "1")]

# The files of a suite, as globs below the corpus folder. Kinds are mixed, so that no program's strong side decides.
FILES = {
    "issue3": ("general/*", "tables/*", "logs/*", "pairs/*"),
    "levels": ("general/linux_src.tar", "general/mdn_compat.json", "general/debian_packages.txt",
               "tables/flights200k.jsonl"),
    "quick": ("general/linux_src.tar", "tables/flights200k.jsonl", "logs/linux_syslog.log"),
    "models": ("models/*",),
}
SETTINGS = {"issue3": ISSUE3, "levels": LEVELS, "quick": QUICK}


def matching(chosen, wanted=()):
    """Those of the settings `chosen` whose label matches one of the globs `wanted` (none: all)."""
    return [setting for setting in chosen
            if not wanted or any(fnmatch.fnmatch(setting.label(), glob) for glob in wanted)]


def settings(suite, wanted=()):
    """The settings of `suite` whose label matches one of the globs `wanted` (none: all)."""
    return matching(SETTINGS[suite], wanted)


def tool_names(chosen):
    """Programs that the settings `chosen` need, each once, in order."""
    return list(dict.fromkeys(setting.tool for setting in chosen))


def files(suite, corpus, only, extra):
    """[(name, path, sha256)] of the suite's files below `corpus`, then the files in `extra`, whose name or file name
    matches `only` (None: all). A file whose content was there before under another name is left out."""
    chosen = []
    if corpus:
        for pattern in FILES[suite]:
            chosen += [(str(path.relative_to(corpus)), path) for path in sorted(pathlib.Path(corpus).glob(pattern))]
    chosen += [(pathlib.Path(path).name, pathlib.Path(path)) for path in extra]
    seen, result = set(), []
    for name, path in chosen:
        if only and not (fnmatch.fnmatch(name, only) or fnmatch.fnmatch(path.name, only)):
            continue
        if not path.is_file() or path.stat().st_size == 0:
            continue
        digest = content.sha256(path)
        if digest not in seen:
            seen.add(digest)
            result.append((name, path.resolve(), digest))
    return result
