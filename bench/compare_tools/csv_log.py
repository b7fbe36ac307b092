"""CSV files of measurements: '#' lines with the facts of machine.facts(), a line of column names, rows."""

import csv
import dataclasses
import pathlib


class Writer:
    """Writes rows as they are measured, so that an interrupted run keeps what it has."""

    def __init__(self, path, kind, columns, header):
        pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
        self._file = open(path, "w", newline="", encoding="utf-8")
        self._file.write(f"# glyd bench/compare {kind}\n")
        for line in header:
            self._file.write(f"# {line}\n")
        self._rows = csv.DictWriter(self._file, fieldnames=columns, lineterminator="\n")
        self._rows.writeheader()
        self._file.flush()

    def add(self, row):
        self._rows.writerow(row)
        self._file.flush()

    def close(self):
        self._file.close()


@dataclasses.dataclass
class Table:
    path: str
    kind: str      # the sub-command that wrote it: files, startup, memory, stream
    header: list   # the '#' lines without the '#'
    rows: list     # dicts of strings

    def facts(self, key):
        """Values of all header lines 'key: value'."""
        return [line.split(": ", 1)[1] for line in self.header if line.startswith(key + ": ")]


def read(path):
    """The Table in `path`. Raises ValueError when bench/compare did not write it."""
    with open(path, newline="", encoding="utf-8") as file:
        lines = file.read().splitlines()
    header = [line[1:].strip() for line in lines if line.startswith("#")]
    if not header or not header[0].startswith("glyd bench/compare "):
        raise ValueError(f"{path}: not a CSV that bench/compare wrote (its first line must say so)")
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    return Table(path, header[0].rsplit(" ", 1)[1], header[1:], rows)
