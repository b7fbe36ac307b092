"""Rows of `bench/compare files` as numbers, looked up by file and setting."""

import dataclasses

from . import suites


@dataclasses.dataclass(frozen=True)
class Result:
    """One setting on one file, or the sum over files. Seconds, bytes, KiB."""
    bytes: int
    packed: int
    c_wall: float
    d_wall: float
    c_best: float
    d_best: float
    c_cpu: float
    d_cpu: float
    c_rss: int
    d_rss: int
    t_wall: float = 0.0  # decoding without writing; 0 when the program has no such mode

    @property
    def ratio(self):
        return self.bytes / self.packed

    @property
    def c_speed(self):
        """MB/s (10^6 bytes) of content, from the median."""
        return self.bytes / 1e6 / self.c_wall

    @property
    def d_speed(self):
        return self.bytes / 1e6 / self.d_wall


def from_row(row):
    """The Result of one CSV row."""
    return Result(int(row["bytes"]), int(row["compressed_bytes"]), float(row["c_wall_median"]),
                  float(row["d_wall_median"]), float(row["c_wall_min"]), float(row["d_wall_min"]),
                  float(row["c_cpu_median"]), float(row["d_cpu_median"]), int(row["c_rss_kib"]),
                  int(row["d_rss_kib"]), float(row.get("t_wall_median") or 0))


def total(results):
    """The sum of several results; peak memory is the most of them."""
    results = list(results)
    fields = {field.name: sum(getattr(result, field.name) for result in results)
              for field in dataclasses.fields(Result)}
    fields["c_rss"] = max(result.c_rss for result in results)
    fields["d_rss"] = max(result.d_rss for result in results)
    return Result(**fields)


class Results:
    """All rows of one or more tables of `bench/compare files`."""

    def __init__(self, tables):
        self._by_setting = {}
        self.failed = []  # "file: setting" of round trips that went wrong
        for table in tables:
            for row in table.rows:
                setting = (row["tool"], row["level"], row["threads"])
                self._by_setting.setdefault(setting, {})[row["file"]] = from_row(row)
                if row["round_trip"] != "yes":
                    self.failed.append(f"{row['file']}: {' '.join(setting)}")

    def settings(self):
        """(tool, level, threads) of all rows, in the order of the files."""
        return list(self._by_setting)

    def of(self, setting, min_bytes=0):
        """{file: Result} of a setting on files of at least `min_bytes`."""
        return {name: result for name, result in self._by_setting.get(setting, {}).items()
                if result.bytes >= min_bytes}

    def pairs(self, ours, theirs, min_bytes=0):
        """[(file, our Result, their Result)] of files that both settings have."""
        others = self.of(theirs, min_bytes)
        return [(name, result, others[name]) for name, result in self.of(ours, min_bytes).items() if name in others]

    def common_files(self, settings, min_bytes=suites.SPEED_BYTES):
        """Files of at least `min_bytes` that all `settings` have."""
        names = [set(self.of(setting, min_bytes)) for setting in settings]
        return sorted(set.intersection(*names)) if names else []
