"""glyd bench: the shape of its tables and the sizes in them. Speeds are not judged."""

import csv
import io
import re

from command_testing import FAILED, LIMIT, CommandTest, text_bytes


class Bench(CommandTest):
    def test_table_has_the_shape_of_zstd_b(self):
        content = text_bytes(300000)
        self.write("data", content)
        out = self.glyd("bench", "--runs", "2", "--levels", "fast,-5,1-3", "data").stdout.decode()
        row = re.compile(r"^ *(fast|-?\d+)#data +: *300000 -> *(\d+) \(x(\d+\.\d{3})\), +[\d.]+ MB/s -\d+%, +[\d.]+ MB/s -\d+%$")
        rows = [row.match(line) for line in out.splitlines()]
        self.assertTrue(all(rows), out)
        self.assertEqual([match[1] for match in rows], ["fast", "-5", "1", "2", "3"])
        for match, level in zip(rows, ("--fast", "--fast=5", "-1", "-2", "-3")):
            self.write("one", content)
            self.glyd("-f", level, "one")
            self.assertEqual(int(match[2]), len(self.read("one.glyd")), level)
            self.assertAlmostEqual(float(match[3]), 300000 / int(match[2]), places=2)

    def test_default_is_level_3(self):
        self.write("data", text_bytes(50000))
        self.assertRegex(self.glyd("bench", "--runs=1", "data").stdout.decode(), r"^ +3#data .*\n$")
        self.assertRegex(self.glyd("bench", "--runs=1", "-7", "data").stdout.decode(), r"^ +7#data .*\n$")

    def test_csv(self):
        self.write("a,b", text_bytes(50000))
        self.write("c", text_bytes(60000))
        out = self.glyd("bench", "--csv", "--runs=1", "--levels=1,2", "-T2", "a,b", "c").stdout.decode()
        rows = list(csv.DictReader(io.StringIO(out)))
        self.assertEqual([(row["file"], row["level"]) for row in rows], [("a,b", "1"), ("a,b", "2"), ("c", "1"), ("c", "2")])
        for row in rows:
            self.assertEqual((row["threads"], row["runs"]), ("2", "1"))
            self.assertGreater(float(row["compress_mb_s"]), 0)
            self.assertGreater(float(row["decompress_mb_s"]), 0)
            self.assertAlmostEqual(float(row["ratio"]), int(row["content_bytes"]) / int(row["compressed_bytes"]), places=3)

    def test_files_that_cannot_be_measured(self):
        self.write("empty", b"")
        self.write("good", b"words" * 1000)
        done = self.glyd("bench", "--runs=1", "empty", "none", "good", expect=FAILED)
        self.assertIn(b"empty: is empty", done.stderr)
        self.assertIn(b"none: No such file", done.stderr)
        self.assertIn(b"#good", done.stdout)

    def test_memory_limit(self):
        self.write("data", bytes(5 << 20))
        self.glyd("bench", "--runs=1", "-M4M", "data", expect=LIMIT)

    def test_nothing_is_written(self):
        self.write("data", b"words" * 1000)
        self.glyd("bench", "--runs=1", "data")
        self.assertEqual(self.files(), ["data"])
