"""glyd -l and glyd info: what they say agrees with the file, and they decode nothing."""

import os
import subprocess
import unittest

from command_testing import BLOCK, CORRUPT, FAILED, GLYD, CommandTest, random_bytes, text_bytes


class List(CommandTest):
    def test_table(self):
        self.write("a.glyd", self.archive(text_bytes(BLOCK + 1)))
        self.write("b.glyd", self.archive(b""))
        lines = self.glyd("-l", "a.glyd", "b.glyd").stdout.decode().splitlines()
        self.assertEqual(lines[0].split(), ["Compressed", "Content", "Ratio", "Blocks", "Check", "Name"])
        self.assertRegex(lines[1], r"KiB +8\.00 MiB +\d+\.\d{3} +2  XXH3-128  a\.glyd$")
        self.assertRegex(lines[2], r" B +0 B +- +0  XXH3-128  b\.glyd$")
        self.assertRegex(lines[3], r"2 files$")
        self.assertEqual(len(lines), 4)

    def test_exact_numbers_and_no_total_for_one_file(self):
        self.write("a.glyd", self.archive(text_bytes(100001)))
        lines = self.glyd("-lv", "a.glyd").stdout.decode().splitlines()
        self.assertEqual(len(lines), 2)
        size = os.path.getsize(self.path("a.glyd"))
        self.assertEqual(lines[1].split(), [str(size), "100001", f"{100001 / size:.3f}", "1", "XXH3-128", "a.glyd"])

    def test_content_is_not_decoded(self):
        """Damage inside a block is not met."""
        archive = bytearray(self.archive(text_bytes(100000)))
        archive[1000] ^= 1
        self.write("a.glyd", archive)
        self.glyd("-l", "a.glyd")
        self.glyd("-t", "a.glyd", expect=CORRUPT)

    def test_other_files(self):
        archive = self.archive(b"words")
        self.write("cut.glyd", archive[:-1])
        self.write("text.glyd", b"just some words, not an archive")
        self.write("empty.glyd", b"")
        self.write("good.glyd", archive)
        done = self.glyd("-l", "cut.glyd", "text.glyd", "empty.glyd", "good.glyd", "none", expect=CORRUPT)
        self.assertIn(b"good.glyd", done.stdout)
        for name in (b"cut.glyd", b"text.glyd", b"empty.glyd", b"none"):
            self.assertIn(b"glyd: " + name + b": ", done.stderr)

    def test_a_pipe_says_why_not(self):
        done = self.glyd("-l", stdin=self.archive(b"words"), expect=FAILED)
        self.assertIn(b"not a pipe", done.stderr)

    def test_a_file_on_standard_input(self):
        self.write("a.glyd", self.archive(b"words"))
        with open(self.path("a.glyd"), "rb") as file:
            done = subprocess.run([GLYD, "-l"], stdin=file, capture_output=True, check=True)
        self.assertIn(b"standard input", done.stdout)

    @unittest.skipUnless(os.path.exists("/dev/full"), "there is no /dev/full")
    def test_full_output(self):
        self.write("a.glyd", self.archive(b"words"))
        with open("/dev/full", "wb") as full:
            process = self.start("-l", "a.glyd", stdout=full)
            _, error = process.communicate(timeout=60)
        self.assertEqual(process.returncode, FAILED)
        self.assertIn(b"No space left", error)


class Info(CommandTest):
    def info(self, *words, locale="C.UTF-8"):
        environment = dict(os.environ, LC_ALL=locale)
        return self.glyd("info", *words, environment=environment).stdout.decode()

    def test_tree(self):
        content = text_bytes(BLOCK) + random_bytes(BLOCK) + b"end" * 100
        self.write("a.glyd", self.archive(content))
        tree = self.info("a.glyd")
        size = os.path.getsize(self.path("a.glyd"))
        self.assertIn(f"({size:,} bytes) -> 16.0 MiB ({len(content):,} bytes)", tree)
        self.assertIn("└─ frame 1 at 0", tree)
        self.assertIn("blocks: 3", tree)
        rows = [line.split() for line in tree.splitlines() if line.startswith("   │  ") and "in file" not in line]
        self.assertEqual([row[3] for row in rows], ["0", "8,388,608", "16,777,216"])  # content offsets
        self.assertEqual([row[5] for row in rows], ["8,388,608", "8,388,608", "300"])  # content sizes
        self.assertEqual(rows[0][-1], "zstd")
        self.assertEqual(rows[1][-1], "stored")
        self.assertRegex(tree, r"XXH3-128 of the content: [0-9a-f]{32}")

    def test_plain_letters_where_the_locale_has_no_others(self):
        self.write("a.glyd", self.archive(b"words"))
        tree = self.info("a.glyd", locale="C")
        self.assertTrue(tree.isascii())
        self.assertIn("`- frame 1", tree)

    def test_several_frames_and_skippable_ones(self):
        skippable = b"\x50\x2a\x4d\x18" + (3).to_bytes(4, "little") + b"abc"
        self.write("a.glyd", self.archive(b"one") + skippable + self.archive(b"two!"))
        tree = self.info("a.glyd")
        self.assertIn("├─ frame 1 at 0", tree)
        self.assertIn("├─ frame 2 at ", tree)
        self.assertIn("└─ skippable frames: 1", tree)
        self.assertEqual(self.restored(self.read("a.glyd")), b"onetwo!")

    def test_long_lists_are_shortened_unless_asked_for(self):
        self.write("a.glyd", self.archive(bytes(12 << 20), "--long=20"))
        short = self.info("a.glyd")
        self.assertIn("... 4 more; -v shows all", short)
        self.assertIn("11,534,336", short)  # the last block
        full = self.info("-v", "a.glyd")
        self.assertNotIn("more;", full)
        self.assertEqual(len(full.splitlines()), len(short.splitlines()) + 4 - 1)  # 4 blocks for the line of dots

    def test_damage(self):
        self.write("a.glyd", self.archive(b"words")[:-3])
        self.glyd("info", "a.glyd", expect=CORRUPT)
