#!/usr/bin/env python3
"""Makes model files of many formats and element types out of one real model; corpus/fetch --models calls it.

    corpus/make_models.py --model FOLDER --vocabularies FOLDER --out FOLDER

FOLDER of --model: model.safetensors (fp32) and tokenizer.json of all-MiniLM-L6-v2. --vocabularies: the files
ggml-vocab-*.gguf of llama.cpp. Needs the packages numpy and gguf, and is the only script here that does.
The same inputs and package versions give the same bytes; corpus/MANIFEST.tsv has their hashes.
"""

import argparse
import math
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True

import gguf  # noqa: E402
import model_writers  # noqa: E402
import numpy  # noqa: E402
import weight_casts  # noqa: E402

WORDS = "embeddings.word_embeddings.weight"


class Model:
    """The real model: every tensor as (name, numpy array), as it was and as bf16."""

    def __init__(self, folder):
        self.path = pathlib.Path(folder) / "model.safetensors"
        self.tokenizer = (pathlib.Path(folder) / "tokenizer.json").read_text(encoding="utf-8")
        kinds = {"F32": numpy.float32, "I64": numpy.int64}
        entries, self.metadata = model_writers.read_safetensors(self.path)
        self.tensors = [(name, numpy.frombuffer(data, kinds[kind]).reshape(shape)) for name, kind, shape, data in entries]

    def weights(self):
        """The float32 tensors."""
        return [(name, array) for name, array in self.tensors if array.dtype == numpy.float32]

    def array(self, name):
        return dict(self.tensors)[name]

    def cast(self, kind, function, wanted=lambda array: True):
        """Tensors for write_safetensors: those that `wanted` says as `kind` by `function` (which gives one array, or
        one and its scales), other float32 ones as bf16, integers as they are."""
        result = []
        for name, array in self.tensors:
            if array.dtype != numpy.float32:
                result.append((name, "I64", array.shape, array.data))
            elif not wanted(array):
                result.append((name, "BF16", array.shape, weight_casts.bf16(array).data))
            else:
                done = function(array)
                if isinstance(done, tuple):
                    result.append((name + "_scale", "F32", done[1].shape, done[1].data))
                    done = done[0]
                result.append((name, kind, array.shape, done.data))
        return result


def scaled(function, greatest):
    """A cast of a matrix whose rows were brought to `greatest` before."""
    def cast(array):
        values, scale = weight_casts.row_scaled(array, greatest)
        return function(values), scale
    return cast


def is_matrix(array):
    return array.ndim == 2


def make_safetensors(model, out):
    shutil.copyfile(model.path, out / "minilm.fp32.safetensors")
    for name, kind, function, wanted in (
            ("bf16", "BF16", weight_casts.bf16, lambda array: True),
            ("fp16", "F16", lambda array: array.astype(numpy.float16), lambda array: True),
            ("fp8-e4m3", "F8_E4M3", scaled(weight_casts.fp8_e4m3, 448), is_matrix),
            ("fp8-e5m2", "F8_E5M2", scaled(weight_casts.fp8_e5m2, 57344), is_matrix),
            ("int8", "I8", scaled(weight_casts.int8, 127), is_matrix)):
        model_writers.write_safetensors(out / f"minilm.{name}.safetensors", model.cast(kind, function, wanted),
                                        model.metadata)


def make_arrays(model, out):
    """NumPy's and PyTorch's formats, and an array without any header."""
    layers = [(name, array) for name, array in model.weights() if name.startswith("encoder.")]
    model_writers.write_npz(out / "minilm.fp32.npz", layers)
    numpy.save(out / "minilm.fp16.npy", model.array(WORDS).astype(numpy.float16), allow_pickle=False)
    (out / "minilm.words.bf16").write_bytes(weight_casts.bf16(model.array(WORDS)).tobytes())
    model_writers.write_torch_zip(out / "minilm.bf16.bin", [
        (name, "BFloat16Storage", array.shape, weight_casts.bf16(array).data) if array.dtype == numpy.float32 else
        (name, "LongStorage", array.shape, array.data) for name, array in model.tensors])


def gguf_tensors(model, kind, quantise, block):
    """Matrices in blocks of `block` weights where a row is a multiple of that, everything else in fp32. For K-quants
    (`block` 256) two rows of 384 are taken as one of 768, because 384 is not a multiple of 256."""
    result = []
    for name, array in model.weights():
        if is_matrix(array) and array.shape[1] % block and array.shape[0] % 2 == 0:
            array = array.reshape(array.shape[0] // 2, array.shape[1] * 2)
        if is_matrix(array) and array.shape[1] % block == 0:
            result.append((name, kind, array.shape, numpy.ascontiguousarray(quantise(array)).data))
        else:
            result.append((name, "F32", array.shape, array.data))
    return result


def make_gguf(model, vocabularies, out):
    """Each with the metadata of a real vocabulary: the model's own (bert-bge), or a larger one."""
    package = {name: gguf.GGMLQuantizationType[name] for name in ("Q8_0", "Q4_0")}
    for name, kind, quantise, block, vocabulary in (
            ("q8_0", "Q8_0", lambda array: gguf.quantize(array, package["Q8_0"]), 32, "bert-bge"),
            ("q4_0", "Q4_0", lambda array: gguf.quantize(array, package["Q4_0"]), 32, "bert-bge"),
            ("bf16", "BF16", weight_casts.bf16, 1, "bert-bge"),
            ("q4_k", "Q4_K", weight_casts.q4_k, 256, "llama-bpe"),
            ("q6_k", "Q6_K", weight_casts.q6_k, 256, "gpt-2")):
        metadata = model_writers.gguf_metadata((vocabularies / f"ggml-vocab-{vocabulary}.gguf").read_bytes())
        model_writers.write_gguf(out / f"minilm.{name}.gguf", gguf_tensors(model, kind, quantise, block), metadata)
    for vocabulary in ("llama-bpe", "gpt-2"):
        shutil.copyfile(vocabularies / f"ggml-vocab-{vocabulary}.gguf", out / f"vocabulary.{vocabulary}.gguf")


def make_gaussian(out):
    """Eight matrices of 2048 x 2048: Gaussian, each row with a scale of its own whose logarithm is Gaussian too, with
    a standard deviation of 0.25."""
    random = numpy.random.Generator(numpy.random.PCG64(4))
    tensors = []
    for number in range(8):
        scales = [0.02 * math.exp(0.25 * value) for value in random.standard_normal(2048)]
        values = random.standard_normal((2048, 2048), numpy.float32) * numpy.array(scales, numpy.float32)[:, None]
        tensors.append((f"layers.{number}.weight", "BF16", values.shape, weight_casts.bf16(values).data))
    model_writers.write_safetensors(out / "gauss.bf16.safetensors", tensors, {"format": "pt"})


def make_long_header(model, out):
    """A header of 36,945 tensors named as those of a mixture of 128 experts in 94 layers, each tiny and of zeros, so
    that nearly all of the file is names, shapes and offsets, with a tokenizer's text in its metadata."""
    tensors = []

    def add(name, *shape):
        tensors.append((name, "BF16", shape, bytes(2 * math.prod(shape))))

    for layer in range(94):
        prefix = f"model.layers.{layer}."
        for part, shape in (("q_proj", (8, 4)), ("k_proj", (2, 4)), ("v_proj", (2, 4)), ("o_proj", (4, 8))):
            add(f"{prefix}self_attn.{part}.weight", *shape)
        for part in ("self_attn.q_norm", "self_attn.k_norm", "input_layernorm", "post_attention_layernorm"):
            add(f"{prefix}{part}.weight", 4)
        add(f"{prefix}mlp.gate.weight", 16, 4)
        for expert in range(128):
            for part, shape in (("gate_proj", (3, 4)), ("up_proj", (3, 4)), ("down_proj", (4, 3))):
                add(f"{prefix}mlp.experts.{expert}.{part}.weight", *shape)
    add("model.embed_tokens.weight", 64, 4)
    add("model.norm.weight", 4)
    add("lm_head.weight", 64, 4)
    model_writers.write_safetensors(out / "names.bf16.safetensors", tensors,
                                    {"format": "pt", "tokenizer.json": model.tokenizer})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, type=pathlib.Path)
    parser.add_argument("--vocabularies", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    model = Model(args.model)
    make_safetensors(model, args.out)
    make_arrays(model, args.out)
    make_gguf(model, args.vocabularies, args.out)
    make_gaussian(args.out)
    make_long_header(model, args.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
