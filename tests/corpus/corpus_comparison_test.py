"""The scripts of bench/ count right: verdicts of the report, the CSV's form, and the picture, from made-up numbers."""

import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

BENCH = pathlib.Path(__file__).resolve().parents[2] / "bench"
sys.path.insert(0, str(BENCH))

from compare_tools import (csv_log, entropy_command, files_command, memory_command, model_floor,  # noqa: E402
                           model_targets, models_command, results, startup_command, stream_command, targets)


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


def model_row(file, tool, level, packed, seconds, **more):
    """A row of `bench/compare models` for a file of 10 MB and 5 million weights."""
    columns = dict.fromkeys(models_command.COLUMNS, "")
    return {**columns, **row(file, 10_000_000, tool, level, packed, seconds), "suite": "models",
            "t_wall_median": "", **more}


def stage_row(stage, content, parameters, speed):
    return {"stage": stage, "content": content, "parameters": parameters, "runs": 3, "gb_per_s_median": speed,
            "gb_per_s_best": speed, "bits_a_symbol": "2.5", "entropy_bits": "2.4"}


FLOOR = {"bf16_weights": 5_000_000, "floor_bits": "10.60000", "floor_tensor_bits": "10.50000"}
MODEL_ROWS = [
    model_row("models/m.bf16.safetensors", "glyd", "3", 6_650_000, 0.01, **FLOOR, bits_a_weight="10.64000"),
    model_row("models/m.bf16.safetensors", "zipnn", "-", 6_600_000, 0.2, **FLOOR, bits_a_weight="10.56000",
              m_c_seconds="0.020000", m_d_seconds="0.010000"),
    model_row("models/m.bf16.safetensors", "zstd", "3", 8_000_000, 0.05, **FLOOR, bits_a_weight="12.80000"),
    model_row("models/names.safetensors", "glyd", "3", 1010, 0.01),
    model_row("models/names.safetensors", "zstd", "19", 1000, 0.01),
]
STAGE_ROWS = [stage_row("huffman_decode", "text", "limit:11", "2.0"), stage_row("huff0_decode", "text", "chosen", "2.5"),
              stage_row("rans_decode", "text", "avx2 bits:12 ways:32", "2.1"),
              stage_row("rans_decode", "text", "avx2 bits:12 ways:8", "0.5")]


class Models(unittest.TestCase):
    def test_floor_of_known_exponents(self):
        # Signs and mantissas differ; the exponents are 127, 127, 128, 0.
        data = bytes.fromhex("813f" "ffbf" "0140" "0180")
        self.assertEqual(list(model_floor.exponents(data)), [127, 127, 128, 0])
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "some.bf16"
            path.write_bytes(data)
            found = model_floor.floor_of(path)
            self.assertEqual((found.weights, found.bits, found.tensor_bits), (4, 9.5, 9.5))
            header = (b'{"a":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]},"b":{"dtype":"BF16","shape":[2],'
                      b'"data_offsets":[4,8]}}')
            path = path.with_suffix(".safetensors")
            path.write_bytes(len(header).to_bytes(8, "little") + header + data)
            self.assertEqual([size for _, size in model_floor.bf16_regions(path)], [4, 4])
            self.assertIsNone(model_floor.floor_of(path))  # most of it is the header

    def test_types_come_from_names(self):
        for name, kind in (("minilm.fp8-e4m3.safetensors", "fp8-e4m3"), ("minilm.words.bf16", "bf16"),
                           ("minilm.q4_k.gguf", "q4_k"), ("model.gguf", "gguf")):
            self.assertEqual(models_command.element_kind(name), kind)

    def test_verdicts(self):
        with tempfile.TemporaryDirectory() as folder:
            models = csv_log.read(str(made_up_csv(folder, MODEL_ROWS, "models", models_command.COLUMNS)))
            stages = csv_log.read(str(made_up_csv(folder, STAGE_ROWS, "entropy", entropy_command.COLUMNS)))
        found = {(item.name, item.subject): item.result for item in model_targets.of_models([models])}
        file, names = "models/m.bf16.safetensors", "models/names.safetensors"
        self.assertEqual(found, {
            ("bf16: bits a weight above the floor", file): "met", ("bf16: MB/s in", file): "met",
            ("bf16: MB/s out", file): "MISSED", ("size against zstd -3", file): "met",
            ("size against zipnn", file): "larger", ("size against zstd -19, header alone", names): "MISSED"})
        found = {(item.name, item.subject): item.result for item in model_targets.of_entropy([stages])}
        self.assertEqual(found, {
            ("Huffman decode, limit 11, against zstd's literal decoder", "text"): "MISSED",
            ("rANS decode with AVX2, best form", "text, avx2 bits:12 ways:32"): "met"})

    def test_rows_of_google_benchmark(self):
        def one(name, speed, kind="iteration"):
            return {"name": name, "run_name": name, "family_index": 0, "run_type": kind, "symbols": speed, "bits": 2.5}
        report = {"benchmarks": [one("rans_decode/text/avx2/bits:12", 1e9), one("rans_decode/text/avx2/bits:12", 3e9),
                                 one("rans_decode/text/avx2/bits:12", 2e9),
                                 one("rans_decode/text/avx2/bits:12", 9e9, "aggregate")]}
        found, = entropy_command.rows(report)
        self.assertEqual((found["stage"], found["content"], found["parameters"], found["runs"]),
                         ("rans_decode", "text", "avx2 bits:12", 3))
        self.assertEqual((found["gb_per_s_median"], found["gb_per_s_best"]), ("2.0000", "3.0000"))


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

    def test_report_shows_models_and_stages(self):
        with tempfile.TemporaryDirectory() as folder:
            done = self.run_script("report", made_up_csv(folder, MODEL_ROWS, "models", models_command.COLUMNS),
                                   made_up_csv(folder, STAGE_ROWS, "entropy", entropy_command.COLUMNS))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("| models/m.bf16.safetensors | 10,000,000 | 66.50% | 66.00% | 80.00% | - |", done.stdout)
        self.assertIn("| models/m.bf16.safetensors | 1000 / 1000 | 50 / 50 | 500 / 1000 | 200 / 200 | - |", done.stdout)
        self.assertIn("| models/m.bf16.safetensors | 5,000,000 | 10.6000 | 10.5000 | 10.6400 | 10.5600 | 12.8000 | - |",
                      done.stdout)
        self.assertIn("| rans_decode | avx2 bits:12 ways:32 | 2.10 (2.500) |", done.stdout)

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

    def test_models_without_zipnn_or_files_say_so(self):
        with tempfile.TemporaryDirectory() as folder:
            done = self.run_script("compare", "models", "--corpus", folder, "--glyd", sys.executable, "--out",
                                   pathlib.Path(folder) / "out.csv")
        self.assertEqual(done.returncode, 1)
        self.assertIn("zipnn is left out: --zipnn-python PATH", done.stderr)
        self.assertIn("run corpus/fetch --models", done.stderr)


if __name__ == "__main__":
    unittest.main()
