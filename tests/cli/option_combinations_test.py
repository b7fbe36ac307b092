"""Every input comes back, whatever the options."""

import itertools
import os
import subprocess

from command_testing import BLOCK, GLYD, CommandTest, random_bytes, small_inputs, text_bytes

LEVELS = [[f"-{level}"] for level in (1, 2, 3, 6, 9, 12, 16, 19)] + [["--fast"], ["--fast=1"], ["--fast=1000"]]
WINDOWS = [[], ["--long"], ["--long=20"]]
DTYPES = ["bf16", "fp16", "fp32", "fp64", "fp8-e4m3", "fp8-e5m2", "int8", "int16", "int32", "int64", "q4_0", "q5_1", "q8_0",
          "q2_k", "q6_k", "iq4_xs", "mxfp4", "bytes"]


class SmallInputs(CommandTest):
    def test_levels_and_windows(self):
        for name, content in small_inputs().items():
            for level, window in itertools.product(LEVELS, WINDOWS):
                if level == ["--fast"] and window:
                    continue
                with self.subTest(name=name, level=level, window=window):
                    archive = self.archive(content, *level, *window)
                    self.assertEqual(self.restored(archive), content)

    def test_levels_and_element_types(self):
        for name, content in small_inputs().items():
            for level, dtype in itertools.product((["--fast"], ["-1"], ["-19", "--long=20"]), DTYPES):
                with self.subTest(name=name, level=level, dtype=dtype):
                    archive = self.archive(content, *level, "--dtype", dtype)
                    self.assertEqual(self.restored(archive), content)
                    self.assertLess(len(archive), len(content) + 200)

    def test_threads_do_not_change_the_bytes(self):
        for name, content in small_inputs().items():
            archives = {self.archive(content, f"-T{threads}") for threads in (0, 1, 2, 5)}
            self.assertEqual(len(archives), 1, name)

    def test_file_options(self):
        """-k, --rm, -f, -v, -q, sparse and progress switches in all combinations, on files."""
        switches = [["-k"], ["--rm"]], [[], ["-f"]], [[], ["-v"], ["-q"], ["-qq"]], [[], ["--sparse"], ["--no-sparse"]], \
            [[], ["--progress"], ["--no-progress"]], [[], ["--json"]]
        content = small_inputs()["zeros and text"]
        for choice in itertools.product(*switches):
            options = list(itertools.chain(*choice))
            with self.subTest(options=options):
                self.write("data", content)
                self.glyd(*options, "data")
                self.assertEqual(self.exists("data"), "--rm" not in options)
                self.assertTrue(self.exists("data.glyd"))
                if self.exists("data"):
                    os.unlink(self.path("data"))
                self.glyd("-d", *options, "data.glyd")
                self.assertEqual(self.read("data"), content)
                self.assertEqual(self.exists("data.glyd"), "--rm" not in options)
                for name in self.files():
                    os.unlink(self.path(name))


class SeveralBlocks(CommandTest):
    def test_content_that_crosses_blocks(self):
        for name, content in {"text": text_bytes(BLOCK + (1 << 20) + 1), "random": random_bytes(BLOCK + 1),
                              "exactly one block": text_bytes(BLOCK), "zeros": bytes(2 * BLOCK + 1)}.items():
            archives = set()
            for threads in ("-T1", "-T3"):
                with self.subTest(name=name, threads=threads):
                    self.write("data", content)
                    self.glyd("-f", threads, "data")
                    archives.add(self.read("data.glyd"))
                    self.glyd("-df", threads, "data.glyd", "-o", "back")
                    self.assertEqual(self.read("back"), content)
            self.assertEqual(len(archives), 1)

    def test_pipe_of_several_blocks(self):
        content = text_bytes(2 * BLOCK + 12345)
        done = subprocess.run(f"'{GLYD}' -T2 | '{GLYD}' -d -T2", shell=True, input=content, capture_output=True,
                              check=True)
        self.assertEqual(done.stdout, content)

    def test_known_size_changes_nothing_in_the_content(self):
        content = text_bytes(BLOCK + 7)
        self.write("data", content)
        self.glyd("data")
        self.assertEqual(self.restored(self.read("data.glyd")), content)
        self.assertEqual(self.restored(self.archive(content)), content)
