"""Runs mandoc's lint over a man page. Usage: lint_man_page.py MANDOC PAGE

scdoc puts a paragraph macro before every heading and definition, which mandoc calls superfluous; those warnings are
left out, everything else fails.
"""

import subprocess
import sys


def main():
    mandoc, page = sys.argv[1:]
    result = subprocess.run([mandoc, "-Tlint", "-Wwarning", page], capture_output=True, text=True)
    findings = [line for line in result.stdout.splitlines() if "paragraph macro" not in line]
    print("\n".join(findings))
    return 1 if findings or result.stderr else 0


if __name__ == "__main__":
    sys.exit(main())
