"""corpus/generate.py makes the same bytes for ever: results and tests that are built on them stay comparable."""

import hashlib
import pathlib
import subprocess
import sys
import unittest

CORPUS = pathlib.Path(__file__).resolve().parents[2] / "corpus"
sys.path.insert(0, str(CORPUS))

import generate  # noqa: E402  (found through the line above)

SIZE = 200_000
# First 16 digits of the sha256 of 200 000 bytes with seed 1. A change here makes older measurements incomparable.
GOLDEN = {
    "logs": "0dd29c5f1cd6f4a6",
    "csv": "049c5f8c89a974d1",
    "jsonl": "a666214688951ecf",
    "sql": "7875d55dbb9c40a6",
    "random": "91214200f5614072",
    "equal": "0d3257f0eec25555",
    "sparse": "4f7f95cd95e3827f",
    "records": "a590616ca37b1a4b",
    "long-lines": "a382d99b887540d8",
    "nul": "6c9b4a53e7a672fb",
    "crlf": "ac23aef81b88c9c8",
    "invalid-utf8": "0d2ed66982c16d98",
}


class Generators(unittest.TestCase):
    def test_golden_bytes(self):
        made = {kind: hashlib.sha256(generate.make(kind, SIZE)).hexdigest()[:16] for kind in generate.KINDS}
        self.assertEqual(made, GOLDEN)

    def test_size_is_exact_and_a_prefix_of_more(self):
        for kind in generate.KINDS:
            longer = generate.make(kind, 70_001, seed=5)
            for size in (0, 1, 17, 65_536, 70_000):
                made = generate.make(kind, size, seed=5)
                self.assertEqual(len(made), size, kind)
                self.assertEqual(made, longer[:size], kind)

    def test_seeds_differ(self):
        for kind in generate.KINDS:
            self.assertNotEqual(generate.make(kind, 100_000, 1), generate.make(kind, 100_000, 2), kind)

    def test_kinds_are_what_they_are_named(self):
        self.assertIn(b"\r\n", generate.make("crlf", SIZE))
        self.assertIn(b"\0", generate.make("nul", SIZE))
        self.assertEqual(len(set(generate.make("equal", SIZE))), 1)
        self.assertGreater(generate.make("sparse", SIZE).count(0), SIZE * 9 // 10)
        self.assertRaises(UnicodeDecodeError, generate.make("invalid-utf8", SIZE).decode)
        self.assertGreater(max(map(len, generate.make("long-lines", 2_000_000).split(b"\n"))), 100_000)

    def test_command_writes_the_same(self):
        command = [sys.executable, str(CORPUS / "generate.py"), "logs", "--size", "4K", "--seed", "3"]
        made = subprocess.run(command, check=True, capture_output=True).stdout
        self.assertEqual(made, generate.make("logs", 4096, 3))

    def test_command_refuses_a_bad_size(self):
        command = [sys.executable, str(CORPUS / "generate.py"), "logs", "--size", "many"]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("'many' is not a size", done.stderr)


if __name__ == "__main__":
    unittest.main()
