"""Model files: the round trip of each format, --tensor, info --tensors, --dtype."""

import io
import json
import pathlib
import struct
import zipfile

from command_testing import BLOCK, CORRUPT, FAILED, LIMIT, USAGE, CommandTest, random_bytes, text_bytes

DATA = pathlib.Path(__file__).resolve().parents[1] / "model" / "data"

# File, a tensor in it, where that lies (tests/model has all of them), number of tensors.
SAMPLES = (
    ("numpy.safetensors", "layer.weight", 548, 192, 7),
    ("small.gguf", "q8_0", 3328, 544, 7),
    ("float32.npy", "array", 128, 384, 1),
    ("bfloat16.npy", "array", 128, 192, 1),
    ("arrays.npz", "nested/bias", 989, 48, 4),
    ("state_dict.pt", "1.running_var", 1600, 12, 7),
    ("checkpoint.pt", "list.1", 3056, 48, 14),
)


def bf16_weights(count, seed=3):
    """Numbers about as weights have them: few exponents, random mantissas."""
    noise = random_bytes(2 * count, seed)
    return b"".join(struct.pack("<H", 0x3C00 | (noise[2 * i] << 3 & 0x380) | noise[2 * i + 1] & 0x807F | noise[2 * i] << 8 & 0x8000)
                    for i in range(count))


def safetensors(tensors):
    """A safetensors file of (name, dtype, shape, bytes)."""
    entries, at = {"__metadata__": {"format": "pt"}}, 0
    for name, dtype, shape, data in tensors:
        entries[name] = {"dtype": dtype, "shape": shape, "data_offsets": [at, at + len(data)]}
        at += len(data)
    header = json.dumps(entries).encode()
    return struct.pack("<Q", len(header)) + header + b"".join(data for _, _, _, data in tensors)


class Formats(CommandTest):
    def test_round_trip(self):
        for name, *_ in SAMPLES:
            content = (DATA / name).read_bytes()
            for level in ("--fast", "-1", "-3", "-19"):
                with self.subTest(name=name, level=level):
                    self.write(name, content)
                    self.glyd(level, "-f", name)
                    self.assertEqual(self.glyd("-dc", name + ".glyd").stdout, content)
                    self.assertEqual(self.restored(self.archive(content, level)), content)

    def test_one_tensor(self):
        for name, tensor, offset, size, _ in SAMPLES:
            with self.subTest(name=name):
                content = (DATA / name).read_bytes()
                self.write(name, content)
                self.glyd(name)
                done = self.glyd("-d", "--tensor", tensor, name + ".glyd")
                self.assertEqual(done.stdout, content[offset:offset + size])

    def test_list(self):
        for name, tensor, offset, size, count in SAMPLES:
            with self.subTest(name=name):
                self.write(name, (DATA / name).read_bytes())
                self.glyd(name)
                lines = self.glyd("info", "--tensors", name + ".glyd").stdout.decode().splitlines()
                self.assertIn(f"{count} tensor", lines[0])
                self.assertEqual(len(lines), count + 2)
                self.assertTrue(any(line.endswith("  " + tensor) and f" {offset:,} " in line for line in lines))
                listed = json.loads(self.glyd("info", "--tensors", "--json", name + ".glyd").stdout)
                self.assertEqual(listed["status"], "ok")
                found = {entry["name"]: entry for entry in listed["tensors"]}
                self.assertEqual(len(found), count)
                self.assertEqual((found[tensor]["content_offset"], found[tensor]["bytes"]), (offset, size))

    def test_details_of_the_list(self):
        self.write("m", safetensors([("a\n", "F16", [2, 3], bytes(12)), ("b", "I64", [], bytes(8))]))
        self.glyd("m")
        listed = json.loads(self.glyd("info", "--tensors", "--json", "m.glyd").stdout)
        begin = len(self.read("m")) - 20
        self.assertEqual(listed["format"], "safetensors")
        self.assertEqual(listed["tensors"][0], {"name": "a\n", "dtype": "F16", "element_type": "fp16", "shape": [2, 3],
                                                "content_offset": begin, "bytes": 12})
        self.assertEqual(listed["tensors"][1]["shape"], [])
        self.assertIn(b"  a\\x0A\n", self.glyd("info", "--tensors", "m.glyd").stdout)


class Tensor(CommandTest):
    def setUp(self):
        super().setUp()
        # More than a block, so that a tensor lies in two of them.
        self.first, self.second = bf16_weights(BLOCK // 4 + 1000), random_bytes(BLOCK)
        self.content = safetensors([("model.layers.0.weight", "BF16", [len(self.first) // 2], self.first),
                                    ("model.layers.1.weight", "F8_E4M3", [len(self.second)], self.second),
                                    ("[a,b]", "U8", [3], b"xyz"), ("=", "U8", [1], b"="), ("empty", "F32", [0], b"")])
        self.write("model", self.content)
        self.glyd("model")

    def test_bytes(self):
        for name, data in (("model.layers.0.weight", self.first), ("model.layers.1.weight", self.second),
                           ("[a,b]", b"xyz"), ("=", b"="), ("empty", b"")):
            with self.subTest(name=name):
                self.assertEqual(self.glyd("-d", "--tensor", name, "model.glyd").stdout, data)
                self.assertEqual(self.glyd("-d", f"--tensor={name}", "model.glyd").stdout, data)
        self.assertEqual(self.files(), ["model", "model.glyd"])

    def test_to_a_file(self):
        self.glyd("-d", "--tensor", "[a,b]", "model.glyd", "-o", "part")
        self.assertEqual(self.read("part"), b"xyz")

    def test_a_name_that_is_not_there(self):
        done = self.glyd("-d", "--tensor", "model.layers.2.weight", "model.glyd", expect=FAILED)
        self.assertIn(b"no tensor 'model.layers.2.weight' among its 5; near it: model.layers.0.weight, "
                      b"model.layers.1.weight, ", done.stderr)
        done = self.glyd("-d", "--tensor", "layers.1", "model.glyd", "-o", "part", expect=FAILED)
        self.assertIn(b"near it: model.layers.1.weight, ", done.stderr)
        self.assertEqual(done.stdout, b"")
        self.assertFalse(self.exists("part"))

    def test_other_files(self):
        self.write("text", text_bytes(1000))
        self.glyd("text")
        for words in (("-d", "--tensor", "a", "text.glyd"), ("info", "--tensors", "text.glyd")):
            done = self.glyd(*words, expect=FAILED)
            self.assertIn(b"its content is no model file", done.stderr)
        done = self.glyd("-d", "--tensor", "a", "model", expect=CORRUPT)
        self.assertIn(b"not a glyd file", done.stderr)
        self.glyd("info", "--tensors", "missing.glyd", expect=FAILED)
        self.write("none", safetensors([]))
        self.glyd("none")
        self.assertIn(b"nor any other", self.glyd("-d", "--tensor", "a", "none.glyd", expect=FAILED).stderr)
        self.assertIn(b"0 tensors", self.glyd("info", "--tensors", "none.glyd").stdout)

    def test_damage_elsewhere_does_not_matter(self):
        archive = bytearray(self.read("model.glyd"))
        # The first block holds the header and most of the first tensor; the last tensor before the damaged place is whole.
        archive[-300] ^= 1
        self.write("model.glyd", archive)
        done = self.glyd("-d", "--tensor", "model.layers.0.weight", "model.glyd")
        self.assertEqual(done.stdout, self.first)
        archive[200] ^= 1
        self.write("model.glyd", archive)
        self.glyd("-d", "--tensor", "model.layers.0.weight", "model.glyd", expect=CORRUPT)

    def test_limits_and_pipes(self):
        self.glyd("-d", "--tensor", "model.layers.1.weight", "--max-output=1M", "model.glyd", expect=LIMIT)
        done = self.glyd("-d", "--tensor", "=", stdin=self.read("model.glyd"), expect=FAILED)
        self.assertIn(b"not a pipe", done.stderr)

    def test_usage(self):
        for words, text in ((("--tensor", "a", "model"), b"--tensor goes with -d"),
                            (("-d", "--tensor", "a", "--range", "0:1", "model.glyd"), b"choose one of --range and --tensor"),
                            (("-d", "--tensor", "a", "--salvage", "model.glyd"), b"choose one of --tensor and --salvage"),
                            (("-d", "--tensor", "a", "--rm", "model.glyd"), b"--rm does not go with --tensor"),
                            (("-d", "--tensor", "a", "--recursive", "."), b"--tensor does not go with --recursive"),
                            (("-d", "--tensor="), b"needs a value"),
                            (("-d", "--tensors", "model.glyd"), b"is not an option here")):
            with self.subTest(words=words):
                self.assertIn(text, self.glyd(*words, expect=USAGE).stderr)


class ElementTypes(CommandTest):
    def setUp(self):
        super().setUp()
        self.weights = bf16_weights(300000)

    def test_arrays_without_a_header(self):
        for content in (self.weights, self.weights + b"x", b"", b"x"):
            for dtype in ("bf16", "fp16", "fp32", "fp64", "fp8-e4m3", "fp8-e5m2", "int8", "int16", "int32", "int64", "q4_0",
                          "q8_0", "q6_k", "mxfp4", "bytes"):
                with self.subTest(size=len(content), dtype=dtype):
                    self.assertEqual(self.restored(self.archive(content, "--dtype", dtype)), content)
        self.write("w", self.weights)
        self.glyd("--dtype=bf16", "w")
        self.assertEqual(self.glyd("-dc", "w.glyd").stdout, self.weights)
        # A file and a pipe give the same bytes but for the size, which a pipe does not tell beforehand.
        self.assertLess(abs(len(self.read("w.glyd")) - len(self.archive(self.weights, "--dtype=bf16"))), 32)

    def test_it_is_smaller(self):
        plain = len(self.archive(self.weights))
        typed = len(self.archive(self.weights, "--dtype=bf16"))
        self.assertLess(typed, 0.95 * plain)
        # A header tells the same.
        with_header = len(self.archive(safetensors([("w", "BF16", [len(self.weights) // 2], self.weights)])))
        self.assertLess(with_header, typed + 400)

    def test_formats_with_their_directory_at_the_end(self):
        """A file is looked at as a whole, whatever the size of the blocks."""
        weights = bf16_weights(BLOCK // 2 + 100000)
        self.write("w.npz", stored_zip("w.npy", npy("<V2", weights)))
        self.glyd("w.npz")
        self.assertLess(len(self.read("w.npz.glyd")), 1.02 * len(self.archive(weights, "--dtype=bf16")))
        self.assertEqual(self.glyd("-dc", "w.npz.glyd").stdout, self.read("w.npz"))
        self.assertEqual(self.glyd("-d", "--tensor=w", "w.npz.glyd").stdout, weights)

    def test_little_memory(self):
        """What is enough for a file of bytes is enough for a model."""
        content = safetensors([("w", "BF16", [BLOCK], random_bytes(2 * BLOCK))])
        for memory in ("-M54M", "-M64M", "-M80M", "-M128M"):
            self.write("m", content)
            self.glyd("-f", "-T1", memory, "m")
            self.assertEqual(self.glyd("-dc", "m.glyd").stdout, content)

    def test_bench(self):
        self.write("w", self.weights)
        sizes = [json.loads(self.glyd("bench", "--json", "--runs=1", *words, "w").stdout)["output_bytes"]
                 for words in ((), ("--dtype=bf16",))]
        self.assertLess(sizes[1], 0.95 * sizes[0])

    def test_an_unknown_type(self):
        done = self.glyd("--dtype=float32", "w", expect=USAGE)
        self.assertIn(b"'float32' is none of bytes, bf16, fp16, fp32, ", done.stderr)
        self.assertIn(b", iq4_xs, mxfp4\n", done.stderr)
        self.glyd("--dtype=strings", "w", expect=USAGE)


def npy(descr, data):
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': ({len(data) // 2},), }}".encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data


def stored_zip(name, data):
    """A zip archive of one member, as numpy.savez writes it."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(zipfile.ZipInfo(name), data)
    return file.getvalue()
