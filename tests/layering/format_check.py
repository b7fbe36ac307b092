"""Exits 1 and names the files that clang-format would change. Usage: format_check.py CLANG_FORMAT"""

import subprocess
import sys

import source_tree


def main():
    clang_format = sys.argv[1]
    result = subprocess.run(
        [clang_format, "--dry-run", "-Werror", *map(str, source_tree.sources())],
        cwd=source_tree.ROOT, capture_output=True, text=True)
    names = sorted({line.split(":")[0] for line in result.stderr.splitlines() if ": error:" in line})
    for name in names:
        print(f"{name}: not formatted; run `cmake --build build/dev --target format`")
    return 1 if names or result.returncode != 0 else 0


if __name__ == "__main__":
    sys.exit(main())
