"""-d and -t on what other tools wrote. Python makes gzip, bzip2, xz and lzma; zstd and lz4 files need their tools."""

import bz2
import gzip
import lzma
import os
import shutil
import subprocess

from command_testing import CORRUPT, FAILED, LIMIT, CommandTest, random_bytes, small_inputs, text_bytes

PYTHON_FORMATS = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".lzma": lambda content: lzma.compress(content, format=lzma.FORMAT_ALONE),
}
TOOLS = {".gz": ["gzip", "-c"], ".bz2": ["bzip2", "-c"], ".xz": ["xz", "-c"], ".lzma": ["xz", "--format=lzma", "-c"],
         ".zst": ["zstd", "-qc"], ".lz4": ["lz4", "-qc"]}
# A .lzma file holds one stream only.
CONCATENATE = [".gz", ".bz2", ".xz", ".zst", ".lz4"]


def skippable(payload):
    return b"\x5a\x2a\x4d\x18" + len(payload).to_bytes(4, "little") + payload


class MadeByPython(CommandTest):
    def test_all_inputs(self):
        for suffix, compress in PYTHON_FORMATS.items():
            for name, content in small_inputs().items():
                with self.subTest(suffix=suffix, name=name):
                    self.assertEqual(self.restored(compress(content)), content)

    def test_files_get_their_names(self):
        for suffix, compress in PYTHON_FORMATS.items():
            with self.subTest(suffix=suffix):
                self.write("data" + suffix, compress(b"words"))
                self.glyd("-t", "data" + suffix)
                self.glyd("-d", "--rm", "data" + suffix)
                self.assertEqual(self.files(), ["data"])
                self.assertEqual(self.read("data"), b"words")
                os.unlink(self.path("data"))

    def test_every_truncation(self):
        content = text_bytes(500)
        for suffix, compress in PYTHON_FORMATS.items():
            archive = compress(content)
            for size in range(0, len(archive), 3):
                if suffix == ".lzma" and size >= len(archive) - 6:
                    continue  # its end is not marked by more than that
                with self.subTest(suffix=suffix, size=size):
                    self.write("data" + suffix, archive[:size])
                    self.glyd("-d", "data" + suffix, expect=CORRUPT)
                    self.assertEqual(self.files(), ["data" + suffix])
            os.unlink(self.path("data" + suffix))

    def test_limit_of_output(self):
        for suffix, compress in PYTHON_FORMATS.items():
            with self.subTest(suffix=suffix):
                done = self.glyd("-dc", "--max-output=1M", stdin=compress(bytes(3 << 20)), expect=LIMIT)
                self.assertLessEqual(len(done.stdout), 1 << 20)
                self.assertIn(b"--max-output", done.stderr)

    def test_trailing_garbage(self):
        for suffix in (".gz", ".bz2", ".xz"):
            with self.subTest(suffix=suffix):
                self.glyd("-t", stdin=PYTHON_FORMATS[suffix](b"words") + b"garbage after it", expect=CORRUPT)

    def test_what_needs_a_glyd_file_says_so(self):
        self.write("data.gz", gzip.compress(b"words"))
        for words, command in ((["-l"], b"-l"), (["info"], b"info"), (["-d", "--range=0:1"], b"--range"),
                               (["-d", "--salvage"], b"--salvage")):
            done = self.glyd(*words, "data.gz", expect=FAILED)
            self.assertIn(b"is a gzip file; " + command + b" needs a glyd file", done.stderr)

    def test_unknown_format(self):
        for content in (b"", b"x", b"just some words that no tool has written"):
            done = self.glyd("-dc", stdin=content, expect=CORRUPT)
            self.assertIn(b"not a glyd file, nor one of another format", done.stderr)


class MadeByTools(CommandTest):
    def packed(self, suffix, content):
        tool = TOOLS[suffix]
        if not shutil.which(tool[0]):
            self.skipTest(f"{tool[0]} is not installed")
        return subprocess.run(tool, input=content, capture_output=True, check=True).stdout

    def check(self, suffix):
        content = text_bytes(3 << 20) + random_bytes(200000)
        archive = self.packed(suffix, content)
        self.assertEqual(self.restored(archive), content)
        self.write("data" + suffix, archive)
        self.glyd("-t", "data" + suffix)
        self.glyd("-d", "data" + suffix)
        self.assertEqual(self.read("data"), content)
        if suffix in CONCATENATE:
            both = self.packed(suffix, b"first ") + self.packed(suffix, b"second")
            self.assertEqual(self.restored(both), b"first second")

    def test_gzip(self):
        self.check(".gz")

    def test_bzip2(self):
        self.check(".bz2")

    def test_xz(self):
        self.check(".xz")

    def test_lzma(self):
        self.check(".lzma")

    def test_zstd(self):
        self.check(".zst")

    def test_lz4(self):
        self.check(".lz4")

    def test_skippable_frames_in_front(self):
        """glyd, zstd and lz4 share them; what follows decides."""
        front = skippable(b"note") + skippable(bytes(5000))
        for suffix in (".zst", ".lz4"):
            with self.subTest(suffix=suffix):
                self.assertEqual(self.restored(front + self.packed(suffix, b"words")), b"words")
        self.assertEqual(self.restored(front + self.archive(b"words")), b"words")

    def test_suffix_does_not_decide(self):
        self.write("data.gz", self.packed(".zst", b"words"))
        self.glyd("-d", "data.gz")
        self.assertEqual(self.read("data"), b"words")
