"""Runs of zeros become holes, and content of 4 GiB and a byte goes through."""

import os
import subprocess

from command_testing import BLOCK, GLYD, SANITIZED, CommandTest, random_bytes

MIB = 1 << 20


class Holes(CommandTest):
    def used(self, name):
        return os.stat(self.path(name)).st_blocks * 512

    def holes_are_possible(self):
        with open(self.path("probe"), "wb") as file:
            file.truncate(MIB)
        possible = self.used("probe") < MIB
        os.unlink(self.path("probe"))
        return possible

    def setUp(self):
        super().setUp()
        if not self.holes_are_possible():
            self.skipTest("this file system has no holes")

    def test_default_for_files(self):
        content = b"begin" + bytes(16 * MIB) + b"end"
        self.write("data.glyd", self.archive(content))
        self.glyd("-d", "data.glyd")
        self.assertEqual(self.read("data"), content)
        self.assertLess(self.used("data"), 64 * 1024)
        self.glyd("-df", "--no-sparse", "data.glyd")
        self.assertEqual(self.read("data"), content)
        self.assertGreaterEqual(self.used("data"), 16 * MIB)

    def test_shapes(self):
        """Zeros at the begin, at the end, everywhere, and in pieces of all lengths around a page."""
        page = 4096
        pieces = b"".join(bytes(page + n - 2) + b"x" * (page * 2 + n) for n in range(5))
        for content in (bytes(1), bytes(page), bytes(page + 1), bytes(9 * MIB), b"x" + bytes(9 * MIB), bytes(9 * MIB) + b"x",
                        pieces, b"x" * page + bytes(page) + b"x" * page, bytes(page - 1) + b"x", random_bytes(100000),
                        bytes(BLOCK - 1) + b"x" + bytes(BLOCK)):
            self.write("data.glyd", self.archive(content))
            self.glyd("-df", "data.glyd")
            self.assertEqual(self.read("data"), content)
            with open(self.path("out"), "wb") as out:
                subprocess.run([GLYD, "-dc", "--sparse", self.path("data.glyd")], stdout=out, check=True)
            self.assertEqual(self.read("out"), content)

    def test_standard_output(self):
        content = b"begin" + bytes(4 * MIB)
        self.write("data.glyd", self.archive(content))
        for options, holes in (([], False), (["--sparse"], True)):
            with open(self.path("out"), "wb") as out:
                subprocess.run([GLYD, "-dc", *options, self.path("data.glyd")], stdout=out, check=True)
            self.assertEqual(self.read("out"), content)
            self.assertEqual(self.used("out") < MIB, holes)

    def test_standard_output_behind_other_bytes(self):
        """Holes would be wrong where the file has bytes already, or is appended to."""
        content = b"begin" + bytes(MIB) + b"end"
        self.write("data.glyd", self.archive(content))
        with open(self.path("out"), "wb", buffering=0) as out:
            out.write(b"before ")
            subprocess.run([GLYD, "-dc", "--sparse", self.path("data.glyd")], stdout=out, check=True)
            out.write(b" after")
        self.assertEqual(self.read("out"), b"before " + content + b" after")
        old = self.read("out")
        with open(self.path("out"), "r+b") as out:
            subprocess.run([GLYD, "-dc", "--sparse", self.path("data.glyd")], stdout=out, check=True)
        self.assertEqual(self.read("out"), content + old[len(content):])
        with open(self.path("log"), "ab") as out:
            out.write(b"line\n")
            out.flush()
            subprocess.run([GLYD, "-dc", "--sparse", self.path("data.glyd")], stdout=out, check=True)
        self.assertEqual(self.read("log"), b"line\n" + content)

    def test_salvaged_gaps_are_holes(self):
        content = random_bytes(3 * MIB)
        archive = bytearray(self.archive(content, "--long=20"))
        archive[MIB + 5000] ^= 1
        self.write("data.glyd", archive)
        self.glyd("-d", "--salvage", "data.glyd", expect=3)
        self.assertEqual(self.read("data"), content[:MIB] + bytes(MIB) + content[2 * MIB:])
        self.assertLess(self.used("data"), 5 * MIB // 2)


class FourGib(CommandTest):
    SIZE = (4 << 30) + 1

    def test_there_and_back(self):
        if SANITIZED:
            self.skipTest("takes too long under a sanitizer")
        with open(self.path("data"), "wb") as file:
            file.truncate(self.SIZE)
            file.seek(self.SIZE // 2)
            file.write(b"island")
        self.glyd("--rm", "data")
        self.assertLess(os.path.getsize(self.path("data.glyd")), 1 << 20)
        self.assertIn(b"4,294,967,297 bytes", self.glyd("info", "data.glyd").stdout)
        done = self.glyd("-d", f"--range={self.SIZE // 2}:6", "data.glyd")
        self.assertEqual(done.stdout, b"island")
        self.glyd("-d", "data.glyd")
        self.assertEqual(os.path.getsize(self.path("data")), self.SIZE)
        with open(self.path("data"), "rb") as file:
            file.seek(self.SIZE // 2 - 5)
            self.assertEqual(file.read(16), bytes(5) + b"island" + bytes(5))
        self.assertLess(os.stat(self.path("data")).st_blocks * 512, 1 << 20)
