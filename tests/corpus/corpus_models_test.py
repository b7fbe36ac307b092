"""The writers of model files write what the formats say, the casts round as they claim, and the manifest lists what
corpus/fetch_models makes."""

import collections
import csv
import importlib.util
import io
import json
import os
import pathlib
import pickle
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile

CORPUS = pathlib.Path(__file__).resolve().parents[2] / "corpus"
sys.path.insert(0, str(CORPUS))

import model_writers  # noqa: E402

HAS_NUMPY = importlib.util.find_spec("numpy") is not None


class StateUnpickler(pickle.Unpickler):
    """Reads data.pkl without torch: globals become their names, storages tuples."""

    def find_class(self, module, name):
        if (module, name) == ("collections", "OrderedDict"):
            return collections.OrderedDict
        if name == "_rebuild_tensor_v2":
            return lambda storage, offset, shape, stride, *_: (storage, offset, shape, stride)
        return f"{module}.{name}"

    def persistent_load(self, pid):
        return pid


class Writers(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name) / "model"

    def test_safetensors_come_back_in_the_formats_order(self):
        tensors = [("b", "BF16", (2, 3), bytes(range(12))), ("z", "F32", (1,), b"\1\2\3\4"),
                   ("a", "BF16", (0, 7), b""), ("é", "I8", (3,), b"xyz")]
        model_writers.write_safetensors(self.path, tensors, {"format": "pt"})
        found, metadata = model_writers.read_safetensors(self.path)
        self.assertEqual([(name, kind, tuple(shape), bytes(data)) for name, kind, shape, data in found],
                         [tensors[1], tensors[2], tensors[0], tensors[3]])
        self.assertEqual(metadata, {"format": "pt"})
        content = self.path.read_bytes()
        length = struct.unpack("<Q", content[:8])[0]
        self.assertEqual(length % 8, 0)
        self.assertEqual(json.loads(content[8:8 + length])["b"]["data_offsets"], [4, 16])

    def test_gguf_keeps_the_other_files_metadata(self):
        text = struct.pack("<Q", 3) + b"key"
        array = struct.pack("<IIQ", 9, 8, 2) + (struct.pack("<Q", 2) + b"ab") * 2
        pairs = text + array + text + struct.pack("<IB", 7, 1) + text + struct.pack("<IIQ", 9, 5, 3) + bytes(12)
        source = struct.pack("<4sIQQ", b"GGUF", 3, 0, 3) + pairs + bytes(13)
        metadata = model_writers.gguf_metadata(source)
        self.assertEqual(metadata, (3, pairs))
        model_writers.write_gguf(self.path, [("w", "Q8_0", (2, 32), b"q" * 68), ("n", "F32", (2,), b"norms..."),], metadata)
        content = self.path.read_bytes()
        self.assertEqual(struct.unpack_from("<4sIQQ", content), (b"GGUF", 3, 2, 3))
        self.assertEqual(model_writers.gguf_metadata(content), metadata)
        infos = content[24 + len(pairs):]
        self.assertEqual(struct.unpack_from("<Q1sIQQIQ", infos), (1, b"w", 2, 32, 2, 8, 0))
        self.assertEqual(struct.unpack_from("<Q1sIQIQ", infos, 41), (1, b"n", 1, 2, 0, 96))
        data = -(-(24 + len(pairs) + 41 + 33) // 32) * 32
        self.assertEqual(content[data:data + 68], b"q" * 68)
        self.assertEqual(content[data + 96:data + 104], b"norms...")
        self.assertEqual(len(content) % 32, 0)
        self.assertRaises(ValueError, model_writers.gguf_metadata, b"GGUF" + bytes(20))

    def test_torch_zip_is_what_torch_load_reads(self):
        tensors = [("layer.weight", "BFloat16Storage", (3, 4), bytes(range(24))), ("step", "LongStorage", (), bytes(8))]
        model_writers.write_torch_zip(self.path, tensors)
        self.assertNotIn("torch", sys.modules)
        with zipfile.ZipFile(self.path) as file:
            self.assertIsNone(file.testzip())
            self.assertEqual(file.namelist(), ["archive/data.pkl", "archive/byteorder", "archive/data/0",
                                               "archive/data/1", "archive/version"])
            content = self.path.read_bytes()
            for info in file.infolist():
                name, extra = struct.unpack_from("<HH", content, info.header_offset + 26)
                self.assertEqual((info.header_offset + 30 + name + extra) % 64, 0, info.filename)
            state = StateUnpickler(io.BytesIO(file.read("archive/data.pkl"))).load()
            self.assertEqual(file.read("archive/data/0"), tensors[0][3])
        self.assertEqual(state, collections.OrderedDict([
            ("layer.weight", (("storage", "torch.BFloat16Storage", "0", "cpu", 12), 0, (3, 4), (4, 1))),
            ("step", (("storage", "torch.LongStorage", "1", "cpu", 1), 0, (), ()))]))


@unittest.skipUnless(HAS_NUMPY, "numpy is not installed (corpus/fetch_models brings its own)")
class Casts(unittest.TestCase):
    def setUp(self):
        import numpy
        import weight_casts
        self.numpy, self.casts = numpy, weight_casts

    def values(self, *values):
        return self.numpy.array(values, self.numpy.float32)

    def test_bf16_ties_to_even(self):
        found = self.casts.bf16(self.values(1.0, 1.00390625, 1.01171875, -0.0))
        self.assertEqual(found.tolist(), [0x3F80, 0x3F80, 0x3F82, 0x8000])

    def test_fp8_rounds_to_the_nearest_code(self):
        for cast, mantissa_bits, bias, greatest in ((self.casts.fp8_e4m3, 3, 7, 448), (self.casts.fp8_e5m2, 2, 15, 57344)):
            codes, table = range(128), []
            for code in codes:
                exponent, mantissa = code >> mantissa_bits, code & ((1 << mantissa_bits) - 1)
                table.append(mantissa * 2.0 ** (1 - bias - mantissa_bits) if exponent == 0 else
                             (1 + mantissa / 2**mantissa_bits) * 2.0 ** (exponent - bias))
            table = [value for value in table if value <= greatest]
            self.assertEqual(cast(self.values(*table)).tolist(), list(range(len(table))))
            middles = [(low + high) / 2 for low, high in zip(table, table[1:])]
            even = [code + code % 2 for code in range(len(middles))]
            self.assertEqual(cast(self.values(*middles)).tolist(), even)
            self.assertEqual(cast(-self.values(*middles)).tolist(), [code | 128 for code in even])
            self.assertEqual(cast(self.values(1e9)).tolist(), [len(table) - 1])

    def test_k_quants_of_exact_values(self):
        numpy = self.numpy
        weights = numpy.tile(numpy.arange(-16, 16, dtype=numpy.float32), 8)[None]
        weights[0, ::16] = -31
        block = self.casts.q6_k(weights * 127)
        self.assertEqual(block.shape, (1, 210))
        self.assertEqual(block[0, 192:208].tolist(), [127] * 16)
        self.assertEqual(block[0, 208:].view(numpy.float16)[0], 1.0)
        ramp = numpy.tile(numpy.arange(16, dtype=numpy.float32), 16)[None] * 63
        block = self.casts.q4_k(ramp)
        self.assertEqual(block.shape, (1, 144))
        self.assertEqual(block[0, :2].view(numpy.float16)[0], 1.0)
        self.assertEqual(block[0, 4:16].tolist(), [0xFF] * 4 + [0] * 4 + [0x0F] * 4)
        self.assertEqual(block[0, 16:32].tolist(), [code * 17 for code in range(16)])


class Fetching(unittest.TestCase):
    def test_the_manifest_lists_what_make_models_writes(self):
        with open(CORPUS / "MANIFEST.tsv", newline="", encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
                    if row["path"].startswith("models/")]
        self.assertLess(sum(int(row["size"]) for row in rows), 700_000_000)
        listed = {row["path"].removeprefix("models/") for row in rows}
        for name in ("minilm.bf16.safetensors", "minilm.fp32.npz", "minilm.fp16.npy", "minilm.words.bf16",
                     "minilm.bf16.bin", "minilm.q4_k.gguf", "gauss.bf16.safetensors", "names.bf16.safetensors"):
            self.assertIn(name, listed)

    def test_options(self):
        done = subprocess.run([str(CORPUS / "fetch"), "--models", "--whole"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("--models goes with neither", done.stderr)
        done = subprocess.run([str(CORPUS / "fetch_models"), "--help"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0)
        self.assertIn("corpus/fetch --models [DIR]", done.stdout)

    def test_what_is_there_is_left_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(CORPUS / "MANIFEST.tsv", encoding="utf-8") as file:
                paths = [line.split("\t")[1] for line in file if line.startswith("fetched\tmodels/")]
            os.mkdir(os.path.join(folder, "models"))
            for path in paths:
                pathlib.Path(folder, path).touch()
            done = subprocess.run([str(CORPUS / "fetch"), "--models", folder], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("there already", done.stdout)


if __name__ == "__main__":
    unittest.main()
