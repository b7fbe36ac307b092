"""Facts about this machine and this build that stand at the head of every CSV, as lines of '# key: value'."""

import datetime
import os
import pathlib
import platform
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


def cpu_model():
    """The processor's name as the kernel reports it."""
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def memory_gib():
    """Main memory in GiB."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30


def git_revision():
    """Revision of the working tree, with '+dirty' when tracked files differ from it."""
    def git(*words):
        return subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True, check=False)

    head = git("rev-parse", "--short=12", "HEAD")
    if head.returncode != 0:
        return "unknown"
    dirty = git("status", "--porcelain", "--untracked-files=no").stdout.strip()
    return head.stdout.strip() + ("+dirty" if dirty else "")


def build_type(program):
    """CMAKE_BUILD_TYPE of the build folder that `program` lies in; 'unknown' for an installed one."""
    for folder in pathlib.Path(program).resolve().parents:
        cache = folder / "CMakeCache.txt"
        if cache.is_file():
            for line in cache.read_text(encoding="utf-8").splitlines():
                if line.startswith("CMAKE_BUILD_TYPE:"):
                    return line.split("=", 1)[1] or "none"
    return "unknown"


def facts(tools, method):
    """The lines of a header: when, where, with what (`tools`: peers.Tool list) and how (`method`: list of lines)."""
    load = os.getloadavg()
    lines = [
        ("date", datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")),
        ("cpu", cpu_model()),
        ("cores", str(len(os.sched_getaffinity(0)))),
        ("memory", f"{memory_gib():.1f} GiB"),
        ("kernel", f"{platform.system()} {platform.release()}"),
        ("load", f"{load[0]:.2f} over the last minute when the measurement began"),
        ("revision", git_revision()),
    ]
    for tool in tools:
        lines.append(("version", f"{tool.name}: {tool.version()}"))
        if tool.name == "glyd":
            lines.append(("build", f"glyd: {build_type(tool.program)}, {tool.program}"))
    return [f"{key}: {value}" for key, value in lines] + [f"method: {line}" for line in method]
