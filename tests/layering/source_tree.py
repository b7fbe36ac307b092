"""The files of the repository, as the tests of its shape see them."""

import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


def files():
    """Paths relative to ROOT of all files that git tracks or would track; all files where there is no git."""
    try:
        listing = subprocess.run(
            ["git", "-c", f"safe.directory={ROOT}", "ls-files", "-co", "--exclude-standard", "-z"],
            cwd=ROOT, check=True, capture_output=True).stdout
        names = [name for name in listing.decode().split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        names = [str(path.relative_to(ROOT)) for path in ROOT.rglob("*") if path.is_file()]
        names = [name for name in names if not name.startswith(("build/", ".git/"))]
    return sorted(pathlib.PurePosixPath(name) for name in names if (ROOT / name).is_file())


def sources(suffixes=(".h", ".hpp", ".cc", ".c", ".cu", ".cuh")):
    return [path for path in files() if path.suffix in suffixes]


def text(path):
    return (ROOT / path).read_text(encoding="utf-8", errors="replace")
