"""--range and --salvage."""

import json
import os
import re
import subprocess

from command_testing import BLOCK, CORRUPT, FAILED, GLYD, LIMIT, OK, CommandTest, random_bytes, text_bytes

MIB = 1 << 20


class Range(CommandTest):
    @classmethod
    def setUpClass(cls):
        cls.content = text_bytes(5 * MIB + 3)

    def setUp(self):
        super().setUp()
        # Blocks of 1 MiB.
        self.write("data.glyd", self.archive(self.content, "--long=20"))

    def test_any_range(self):
        size = len(self.content)
        for text, begin, end in (("0:1", 0, 1), ("0:", 0, size), ("1M:1M", MIB, 2 * MIB), ("1048575:2", MIB - 1, MIB + 1),
                                 ("3K:5K", 3072, 8192), (f"{size - 1}:1", size - 1, size), (f"{size}:", size, size),
                                 (f"{size}:0", size, size), ("5:0", 5, 5), ("4MiB:", 4 * MIB, size)):
            with self.subTest(range=text):
                done = self.glyd("-d", "--range", text, "data.glyd")
                self.assertEqual(done.stdout, self.content[begin:end])
        self.assertEqual(self.files(), ["data.glyd"])

    def test_to_a_file(self):
        self.glyd("-d", "--range=1M:10", "data.glyd", "-o", "part")
        self.assertEqual(self.read("part"), self.content[MIB:MIB + 10])

    def test_outside(self):
        size = len(self.content)
        for text in (f"{size + 1}:", f"{size}:1", f"0:{size + 1}", "10G:1"):
            done = self.glyd("-d", "--range", text, "data.glyd", expect=FAILED)
            self.assertIn(str(size).encode(), done.stderr)
            self.assertEqual(done.stdout, b"")

    def test_over_several_frames(self):
        self.write("two.glyd", self.archive(b"0123456789") + self.archive(b"abcdef"))
        self.assertEqual(self.glyd("-d", "--range=8:4", "two.glyd").stdout, b"89ab")

    def test_damage_elsewhere_does_not_matter(self):
        archive = bytearray(self.read("data.glyd"))
        archive[len(archive) // 2] ^= 0x10
        self.write("data.glyd", archive)
        self.assertEqual(self.glyd("-d", "--range=0:1000", "data.glyd").stdout, self.content[:1000])
        self.glyd("-d", "--range=0:", "data.glyd", expect=CORRUPT)

    def test_limits_and_pipes(self):
        self.glyd("-d", "--range=0:2M", "--max-output=1M", "data.glyd", expect=LIMIT)
        done = self.glyd("-d", "--range=0:1", stdin=self.read("data.glyd"), expect=FAILED)
        self.assertIn(b"not a pipe", done.stderr)


class Salvage(CommandTest):
    """Frames of 1 MiB blocks, damaged."""

    def setUp(self):
        super().setUp()
        self.content = random_bytes(5 * MIB + 100)  # stored, so that offsets in the file are easy to find
        self.archive_bytes = self.archive(self.content, "--long=20")

    def salvage(self, archive, expect):
        self.write("data.glyd", archive)
        done = self.glyd("-df", "--salvage", "data.glyd", expect=expect)
        return done.stderr.decode()

    def test_whole_file(self):
        self.salvage(self.archive_bytes, OK)
        self.assertEqual(self.read("data"), self.content)

    def test_damaged_block_becomes_zeros(self):
        damaged = bytearray(self.archive_bytes)
        damaged[2 * MIB + 5000] ^= 1
        error = self.salvage(damaged, CORRUPT)
        expected = self.content[:2 * MIB] + bytes(MIB) + self.content[3 * MIB:]
        self.assertEqual(self.read("data"), expected)
        self.assertIn(f"lost: content {2 * MIB} to {3 * MIB - 1} ({MIB:,} bytes)", error)
        self.assertIn("one range lost", error)

    def test_two_gaps(self):
        damaged = bytearray(self.archive_bytes)
        damaged[MIB + 5000] ^= 1
        damaged[4 * MIB + 5000] ^= 1
        error = self.salvage(damaged, CORRUPT)
        self.assertEqual(len(re.findall("lost: content", error)), 2)
        expected = self.content[:MIB] + bytes(MIB) + self.content[2 * MIB:4 * MIB] + bytes(MIB) + self.content[5 * MIB:]
        self.assertEqual(self.read("data"), expected)

    def test_cut_short(self):
        error = self.salvage(self.archive_bytes[:3 * MIB + 1000], CORRUPT)
        self.assertEqual(self.read("data"), self.content[:3 * MIB])
        self.assertIn("lost", error)

    def test_header_destroyed(self):
        """All blocks are whole, so nothing is lost."""
        self.salvage(b"\0" * 20 + self.archive_bytes[20:], OK)
        self.assertEqual(self.read("data"), self.content)

    def test_nothing_to_salvage(self):
        done = self.salvage(b"this was never an archive" * 100, CORRUPT)
        self.assertIn("nothing in it is whole", done)
        self.assertEqual(self.files(), ["data.glyd"])

    def test_damaged_input_stays(self):
        damaged = bytearray(self.archive_bytes)
        damaged[2 * MIB + 5000] ^= 1
        self.write("data.glyd", damaged)
        self.glyd("-d", "--rm", "--salvage", "data.glyd", expect=CORRUPT)
        self.assertEqual(self.files(), ["data", "data.glyd"])
        os.unlink(self.path("data"))
        self.write("data.glyd", self.archive_bytes)
        self.glyd("-d", "--rm", "--salvage", "data.glyd")
        self.assertEqual(self.files(), ["data"])

    def test_without_salvage_nothing_is_written(self):
        damaged = bytearray(self.archive_bytes)
        damaged[2 * MIB + 5000] ^= 1
        self.write("data.glyd", damaged)
        self.glyd("-d", "data.glyd", expect=CORRUPT)
        self.assertEqual(self.files(), ["data.glyd"])

    def test_to_standard_output(self):
        damaged = bytearray(self.archive_bytes)
        damaged[5000] ^= 1
        self.write("data.glyd", damaged)
        done = self.glyd("-dc", "--salvage", "data.glyd", expect=CORRUPT)
        self.assertEqual(done.stdout, bytes(MIB) + self.content[MIB:])


class Damage(CommandTest):
    """Every cut and many flips of a small archive: an error, and no output."""

    def test_every_truncation(self):
        archive = self.archive(text_bytes(300))
        for size in range(len(archive)):
            done = self.glyd("-dc", stdin=archive[:size], expect=CORRUPT)
            self.assertNotEqual(done.stderr, b"")

    def test_flips(self):
        """Some bits of a compressed block mean nothing, so the right content may come out; wrong content never."""
        content = text_bytes(300)
        archive = self.archive(content)
        errors = 0
        for at in range(len(archive)):
            flipped = bytearray(archive)
            flipped[at] ^= 1 << (at % 8)
            self.write("data.glyd", flipped)
            done = subprocess.run([GLYD, "-d", "data.glyd"], cwd=self.folder, capture_output=True)
            if done.returncode == OK:
                self.assertEqual(self.read("data"), content)
                os.unlink(self.path("data"))
            else:
                errors += 1
                self.assertEqual(done.returncode, CORRUPT)
                self.assertNotEqual(done.stderr, b"")
            self.assertEqual(self.files(), ["data.glyd"])
        self.assertGreater(errors, len(archive) * 9 // 10)

    def test_trailing_garbage(self):
        done = self.glyd("-dc", stdin=self.archive(b"words") + b"garbage", expect=CORRUPT)
        self.assertIn(b"follows", done.stderr)

    def test_block_boundary(self):
        self.write("data.glyd", self.archive(random_bytes(BLOCK) + b"tail"))
        (frame,) = json.loads(self.glyd("info", "--json", "data.glyd").stdout)["frames"]
        boundary = frame["blocks"][1]["file_offset"]
        done = self.glyd("-t", stdin=self.read("data.glyd")[:boundary], expect=CORRUPT)
        self.assertIn(b"ends too early", done.stderr)
