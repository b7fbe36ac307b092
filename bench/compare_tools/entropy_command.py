"""`bench/compare entropy`: the stages of codec/entropy by themselves, as bench/micro_entropy.cc runs them."""

import json
import pathlib
import statistics
import subprocess
import sys

from . import content, csv_log, machine, peers

COLUMNS = ["stage", "content", "parameters", "runs", "gb_per_s_median", "gb_per_s_best", "bits_a_symbol",
           "entropy_bits"]
WEIGHTS, TEXT = "models/minilm.bf16.safetensors", "general/linux_src.tar"
METHOD = [
    "bench/micro_entropy.cc: Google Benchmark, one thread, everything in memory; 4 MiB of each content in blocks, each "
    "with its own table",
    "repetitions of all benchmarks take turns in random order; median and best of `runs`",
    "gb_per_s: 10^9 bytes of content a second, of processor time",
    "stages: histogram; model: counting and making the code or the normalised counts; encode: without that; pack: both; "
    "decode: reading the table, building the decoder's and decoding",
    "huff0 is the literal coder of zstd, from its sources, with its table limit of 11 bits: pack counts and makes the code "
    "too; decode: `chosen` is what zstd takes, 4X1 and 4X2 are its two decoders; missing where it finds nothing to gain",
    "weights: packing and unpacking a matrix of bf16 for VRAM; bytes of bf16 a second, bits a weight",
    "content: exponent and mantissa (with sign) of bf16 weights, text, skewed (probabilities 1/2, 1/4 ...), flat (random "
    "bytes)",
    "bits_a_symbol: with tables; entropy_bits: the least with one distribution for each block",
]


def measure(program, words):
    """The JSON that a micro-benchmark prints. Raises MissingProgram with what it said when it fails."""
    done = subprocess.run([program, *words], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise peers.MissingProgram(f"{program} ended with status {done.returncode}")
    return json.loads(done.stdout)


def rows(report):
    """CSV rows of a report of Google Benchmark, in the order of the names' first appearance."""
    runs = {}
    for run in report["benchmarks"]:
        if run.get("error_occurred"):
            raise peers.MissingProgram(f"{run['name']}: {run.get('error_message', 'failed')}")
        if run["run_type"] == "iteration":
            runs.setdefault(run["run_name"], []).append(run)
    result = []
    for name in sorted(runs, key=lambda name: (runs[name][0].get("family_index", 0), name)):
        speeds = [run["symbols"] / 1e9 for run in runs[name]]
        stage, kind, *parameters = name.split("/")
        first = runs[name][0]
        result.append({
            "stage": stage, "content": kind, "parameters": " ".join(parameters) or "-", "runs": len(speeds),
            "gb_per_s_median": f"{statistics.median(speeds):.4f}", "gb_per_s_best": f"{max(speeds):.4f}",
            "bits_a_symbol": f"{first['bits']:.5f}" if "bits" in first else "",
            "entropy_bits": f"{first['entropy']:.5f}" if "entropy" in first else ""})
    return result


def content_words(corpus):
    """(flags for micro_entropy, header lines that say what the contents are)."""
    words, lines = [], []
    for flag, relative, instead in (("weights", WEIGHTS, "Gaussian weights"), ("text", TEXT, "made-up text")):
        path = pathlib.Path(corpus) / relative
        if path.is_file():
            words.append(f"--{flag}={path}")
            lines.append(f"content: {flag}: {relative}, sha256 {content.sha256(path)}")
        else:
            lines.append(f"content: {flag}: {instead}, as {relative} is not there")
            print(f"bench/compare: {path} is not there (corpus/fetch brings it): {instead} instead", file=sys.stderr)
    return words, lines


def run(args):
    """Carries the sub-command out; returns the exit status."""
    program = peers.find_built("bench/micro_entropy", (args.build,) if args.build else ())
    if not program:
        raise peers.MissingProgram("no bench/micro_entropy: build it (cmake --preset bench && cmake --build --preset "
                                   "bench) or name the build folder with --build")
    words, lines = content_words(args.corpus)
    words += [f"--benchmark_repetitions={args.runs}", f"--benchmark_min_time={args.seconds}",
              "--benchmark_enable_random_interleaving=true", "--benchmark_format=json",
              f"--benchmark_filter={args.filter}"]
    header = machine.facts([], METHOD)
    header += [f"version: micro_entropy of this revision, {machine.build_type(program)}",
               f"build: micro_entropy: {machine.build_type(program)}, {program}", *lines,
               "command: " + " ".join([program, *words])]
    report = measure(program, words)
    header.append(f"content: blocks of {report['context'].get('block_kib', '?')} KiB")
    writer = csv_log.Writer(args.out, "entropy", COLUMNS, header)
    found = rows(report)
    for row in found:
        writer.add(row)
    writer.close()
    if not any(row["stage"].startswith("huff0") for row in found):
        print("bench/compare: without zstd's decoder: give CMake -DGLYD_HUFF0_SOURCE=DIR (bench/README.md)",
              file=sys.stderr)
    return 0
