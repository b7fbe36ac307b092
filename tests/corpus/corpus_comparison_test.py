"""The scripts of bench/ count right: verdicts of the report, the CSV's form, and the picture, from made-up numbers."""

import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

BENCH = pathlib.Path(__file__).resolve().parents[2] / "bench"
sys.path.insert(0, str(BENCH))

from compare_tools import (csv_log, files_command, memory_command, results, startup_command,  # noqa: E402
                           stream_command, targets)


def row(file, size, tool, level, packed, seconds, threads="1", round_trip="yes"):
    """A CSV row in which every time is `seconds`."""
    times = {name: seconds for name in files_command.COLUMNS if "_wall_" in name or "_cpu_" in name}
    return {"suite": "issue3", "file": file, "bytes": size, "sha256": "0" * 64, "tool": tool, "level": level,
            "threads": threads, "runs": 3, "compressed_bytes": packed, "c_rss_kib": 20480, "d_rss_kib": 1024,
            "round_trip": round_trip, **times}


def made_up_csv(folder, rows, kind="files", columns=files_command.COLUMNS):
    path = pathlib.Path(folder) / f"{kind}.csv"
    writer = csv_log.Writer(path, kind, columns, ["cpu: none", "version: glyd: 0"])
    for item in rows:
        writer.add(item)
    writer.close()
    return path


ROWS = [
    row("large", 100_000_000, "glyd", "3", 1000, 1.0), row("large", 100_000_000, "zstd", "3", 1000, 1.0),
    row("large", 100_000_000, "glyd", "3", 1000, 0.5, "2"), row("large", 100_000_000, "zstd", "3", 1000, 0.45, "2"),
    row("middle", 5_000_000, "glyd", "3", 1010, 0.5), row("middle", 5_000_000, "zstd", "3", 1000, 0.1),
    row("small", 1000, "glyd", "3", 100, 9.0), row("small", 1000, "zstd", "3", 100, 1.0),
]


class Verdicts(unittest.TestCase):
    def outcomes(self, rows):
        with tempfile.TemporaryDirectory() as folder:
            table = csv_log.read(str(made_up_csv(folder, rows)))
        return {outcome.target.name: outcome for outcome in targets.evaluate(results.Results([table]))}

    def test_a_file_that_misses_is_named_though_the_total_is_met(self):
        outcome = self.outcomes(ROWS)["default level against zstd -3: size"]
        self.assertAlmostEqual(outcome.total, 2110 / 2100)
        self.assertEqual(outcome.missed(), [("middle", 1.01)])
        self.assertEqual(outcome.word(), "MISSED on 1 of 3 files")

    def test_small_files_do_not_count_for_speed(self):
        outcome = self.outcomes(ROWS)["default level against zstd -3, one thread: compression speed"]
        self.assertEqual([name for name, _ in outcome.per_file], ["large", "middle"])
        self.assertAlmostEqual(outcome.total, 1.1 / 1.5)
        self.assertEqual(outcome.word(), "MISSED")

    def test_two_threads_only_on_large_files(self):
        found = self.outcomes(ROWS)
        slow = found["two threads against zstd -3 -T2, files >= 64 MB: compression speed"]
        fast = found["two threads against the zstd program, files >= 64 MB: decompression speed"]
        self.assertEqual((slow.word(), fast.word()), ("MISSED", "met"))
        self.assertAlmostEqual(fast.total, 2.0)
        self.assertEqual(len(fast.per_file), 1)

    def test_what_was_not_measured_is_not_met(self):
        self.assertEqual(self.outcomes(ROWS)["-19 against zstd -19: size"].word(), "not measured")


class Programs(unittest.TestCase):
    def run_script(self, name, *words):
        return subprocess.run([sys.executable, str(BENCH / name), *map(str, words)], capture_output=True, text=True,
                              check=False)

    def test_report_prints_misses_and_failed_round_trips(self):
        rows = [*ROWS, row("broken", 10, "glyd", "3", 5, 1.0, round_trip="NO")]
        with tempfile.TemporaryDirectory() as folder:
            done = self.run_script("report", made_up_csv(folder, rows))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("## Round trips that FAILED\n\n- broken: glyd 3 1\n", done.stdout)
        self.assertIn("| default level against zstd -3: size | middle | 1.0100 x | <= 1.005 x |", done.stdout)

    def test_report_shows_memory_starts_and_streams(self):
        start = dict.fromkeys(startup_command.COLUMNS, 0.0015) | {
            "case": "--version", "bytes": "-", "tool": "zstd", "level": "-", "threads": "-", "rss_kib": 2048}
        peak = dict.fromkeys(memory_command.COLUMNS, 1) | {
            "bytes": 64 << 20, "tool": "glyd", "level": "19", "threads": "2", "c_rss_kib": 204800, "d_rss_kib": 20480,
            "round_trip": "NO"}
        stream = {"operation": "compress", "bytes": 10 << 30, "threads": 1, "wall": "100.0", "cpu": "90.0",
                  "rss_kib": 102400, "limit_kib": stream_command.limit_kib(1), "within_limit": "NO",
                  "round_trip": "yes"}
        with tempfile.TemporaryDirectory() as folder:
            done = self.run_script("report", made_up_csv(folder, [start], "startup", startup_command.COLUMNS),
                                   made_up_csv(folder, [peak], "memory", memory_command.COLUMNS),
                                   made_up_csv(folder, [stream], "stream", stream_command.COLUMNS))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("| --version | - | zstd | - | 1.50 | 1.50 | 1.50 | 2.0 |", done.stdout)
        self.assertIn("| glyd | 19 | 2 | 64 | 200 | 20 |", done.stdout)
        self.assertIn("- glyd 19 2 did NOT restore its input", done.stdout)
        self.assertIn("| compress | 10 GiB | 1 | 100 | 88 | 107 | MISSED |", done.stdout)

    def test_plot_draws_every_setting(self):
        with tempfile.TemporaryDirectory() as folder:
            rows = [item for item in ROWS if item["threads"] == "1"]
            rows.append(row("large", 100_000_000, "zstd", "9", 900, 2.0))
            rows.append(row("middle", 5_000_000, "zstd", "9", 900, 2.0))
            done = self.run_script("plot", made_up_csv(folder, rows), "--out", folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            for name in ("compression.svg", "decompression.svg"):
                picture = xml.etree.ElementTree.parse(pathlib.Path(folder) / name)
                tips = [element.text for element in picture.iter("{http://www.w3.org/2000/svg}title")]
                self.assertEqual(len(tips), 3)
                self.assertIn("zstd -9: 26.2 MB/s, ratio 58333.333", tips)

    def test_other_files_are_refused(self):
        for name, words in (("report", []), ("plot", ["--out", "."])):
            done = self.run_script(name, __file__, *words)
            self.assertEqual(done.returncode, 1)
            self.assertIn("not a CSV that bench/compare wrote", done.stderr)

    def test_compare_without_files_says_what_to_do(self):
        with tempfile.TemporaryDirectory() as folder:
            done = self.run_script("compare", "files", "--suite", "quick", "--corpus", folder, "--glyd", sys.executable,
                                   "--out", pathlib.Path(folder) / "out.csv")
        self.assertEqual(done.returncode, 1)
        self.assertIn("run corpus/fetch", done.stderr)


if __name__ == "__main__":
    unittest.main()
