"""`bench/compare models`: glyd, zstd, xz, lz4 and zipnn on model files, one thread, and the floor for bf16 weights."""

import dataclasses
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

from . import csv_log, files_command, machine, measure, model_floor, peers, suites
from .suites import Setting

COLUMNS = [*files_command.COLUMNS, "kind", "m_c_seconds", "m_d_seconds", "bf16_weights", "floor_bits",
           "floor_tensor_bits", "bits_a_weight"]
SETTINGS = [Setting("glyd", "3"), Setting("glyd", "fast"), Setting("zipnn", "-"), Setting("zstd", "3"),
            Setting("lz4", "1"), Setting("zstd", "19"), Setting("xz", "6")]
STRONG = Setting("glyd", "19")
# zipnn has to be told the type of what it gets. By the part of the file's name before its last suffix.
ZIPNN_TYPES = {"bf16": "bfloat16", "fp16": "float16", "fp32": "float32", "fp8-e4m3": "float8_e4m3fn",
               "fp8-e5m2": "float8_e5m2"}
DRIVER = machine.ROOT / "bench" / "zipnn_driver.py"

# As in files_command; less, because zstd -19 and xz are here for their sizes. Seconds.
LONG_RUN = 5.0

METHOD = [
    *files_command.method(LONG_RUN),
    "all programs with one thread",
    "kind: the element type, by the file's name",
    "zipnn runs through bench/zipnn_driver.py, which needs Python's start-up and imports; m_c_seconds and m_d_seconds "
    "are the medians of what it takes from buffer to buffer, without those and without reading and writing; it gets "
    "whole files and their type as bytearray_dtype, and only files of types that it knows",
    "files without a header (.bf16) are given to glyd with --dtype",
    "floor_bits: 8 + entropy of the exponents of all bf16 weights of a file; floor_tensor_bits: with a distribution for "
    "each tensor; bits_a_weight: compressed bytes of the whole file, header and other tensors included, by its weights",
]


@dataclasses.dataclass(frozen=True)
class Zipnn:
    """The package zipnn as a program; `kind` is its name for the type of the file, `log` where it writes seconds."""
    python: str
    kind: str = ""
    log: str = ""
    name: str = "zipnn"

    @property
    def program(self):
        return self.python

    def version(self):
        return version_of_zipnn(self.python)

    def compress(self, level, threads, source, target):
        del level, threads
        return peers.Command((self.python, str(DRIVER), "compress", self.kind or "TYPE", source, target,
                              self.log or "LOG"))

    def decompress(self, threads, source, target):
        del threads
        return peers.Command((self.python, str(DRIVER), "decompress", self.kind or "TYPE", source, target,
                              self.log or "LOG"))

    def test(self, threads, source):
        del threads, source

    def suffix(self):
        return ".znn"

    def in_memory(self):
        """{operation: median seconds} of what the driver wrote to the log."""
        seconds = {}
        for line in pathlib.Path(self.log).read_text(encoding="ascii").splitlines():
            operation, value = line.split()
            seconds.setdefault(operation, []).append(float(value))
        return {operation: statistics.median(values) for operation, values in seconds.items()}


def version_of_zipnn(python):
    """One line; raises MissingProgram when `python` cannot import zipnn."""
    done = subprocess.run([python, str(DRIVER), "version"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise peers.MissingProgram(f"{python} cannot run bench/zipnn_driver.py: {last} (pip install numpy zstandard; "
                                   "pip install --no-deps zipnn)")
    return done.stdout.strip()


def element_kind(name):
    """'minilm.fp8-e4m3.safetensors' -> 'fp8-e4m3'; 'minilm.words.bf16' -> 'bf16'."""
    parts = pathlib.Path(name).name.split(".")
    return parts[-1] if parts[-1] in ZIPNN_TYPES else parts[-2] if len(parts) > 2 else parts[-1]


def knows_types(glyd):
    """Whether this glyd has --dtype."""
    done = subprocess.run([glyd.program, "--help"], capture_output=True, text=True, check=False)
    return "--dtype" in done.stdout


def tools_for(tools, path, work):
    """`tools` as they are used on the file at `path`: glyd with its type where there is no header, zipnn with the type,
    or left out where it has none for it."""
    kind = element_kind(path.name)
    chosen = dict(tools)
    if path.suffix == f".{kind}" and "glyd" in tools and knows_types(tools["glyd"]):
        chosen["glyd"] = dataclasses.replace(tools["glyd"], options=("--dtype", kind))
    if "zipnn" in tools:
        if kind in ZIPNN_TYPES:
            log = work / "zipnn-seconds"
            log.unlink(missing_ok=True)
            chosen["zipnn"] = dataclasses.replace(tools["zipnn"], kind=ZIPNN_TYPES[kind], log=str(log))
        else:
            del chosen["zipnn"]
    return chosen


def extra_columns(samples, tools, floor):
    """The columns that `bench/compare files` does not have."""
    row = {"m_c_seconds": "", "m_d_seconds": "", "bf16_weights": "", "floor_bits": "", "floor_tensor_bits": "",
           "bits_a_weight": ""}
    if samples.setting.tool == "zipnn":
        seconds = tools["zipnn"].in_memory()
        row.update(m_c_seconds=f"{seconds['compress']:.6f}", m_d_seconds=f"{seconds['decompress']:.6f}")
    if floor:
        row.update(bf16_weights=floor.weights, floor_bits=f"{floor.bits:.5f}",
                   floor_tensor_bits=f"{floor.tensor_bits:.5f}",
                   bits_a_weight=f"{8 * samples.size / floor.weights:.5f}")
    return row


def measure_and_write(args, settings, tools, launcher, work, writer, file):
    """One file into the CSV; False when a round trip failed."""
    name, path, digest = file
    source = work / path.name
    shutil.copyfile(path, source)  # same file system as the outputs, and in the page cache
    size = source.stat().st_size
    floor = model_floor.floor_of(source)
    chosen = tools_for(tools, source, work)
    runs = args.runs if size >= suites.SPEED_BYTES else 1
    whole = True
    for samples in files_command.measure_file(settings, chosen, launcher, runs, source, digest, work,
                                              LONG_RUN):
        row = {"suite": "models", "file": name, "bytes": size, "sha256": digest, "kind": element_kind(name),
               **samples.row(), **extra_columns(samples, chosen, floor)}
        writer.add(row)
        whole &= samples.same
        if not samples.same:
            print(f"bench/compare: {samples.setting.label()} did not restore {name}", file=sys.stderr)
        if not args.quiet:
            print(progress(row), file=sys.stderr)
    source.unlink()
    return whole


def progress(row):
    """One line about a row for the terminal."""
    def speed(seconds):
        return f"{int(row['bytes']) / 1e6 / float(seconds):.0f}"

    text = (f"{row['file']}: {row['tool']} {row['level']}: {row['compressed_bytes']:,} bytes, "
            f"{speed(row['c_wall_median'])} MB/s in, {speed(row['d_wall_median'])} MB/s out")
    if row["m_c_seconds"]:
        text += f", in memory {speed(row['m_c_seconds'])} and {speed(row['m_d_seconds'])}"
    if row["floor_bits"]:
        text += f", {row['bits_a_weight']} bits a weight (floor {row['floor_bits']})"
    return text


def find_tools(args, settings):
    """(tools, header lines about missing ones). zipnn is there when --zipnn-python says where."""
    wanted = [name for name in suites.tool_names(settings) if name != "zipnn"]
    tools, missing = peers.find_tools(args.glyd, args.build, wanted)
    notes = [f"missing: {name} was not found and is left out" for name in missing]
    if any(setting.tool == "zipnn" for setting in settings):
        if args.zipnn_python:
            version_of_zipnn(args.zipnn_python)
            tools["zipnn"] = Zipnn(args.zipnn_python)
        else:
            notes.append("missing: zipnn is left out, as --zipnn-python did not say where it is")
            print("bench/compare: zipnn is left out: --zipnn-python PATH names a Python that has it", file=sys.stderr)
    return tools, notes


def run(args):
    """Carries the sub-command out; returns the exit status."""
    settings = [*SETTINGS, *([STRONG] if args.strong else [])]
    settings = suites.matching(settings, args.setting)
    if not settings:
        print(f"bench/compare: no setting matches {' or '.join(args.setting)}; a setting is named like 'glyd 3 "
              "threads 1'", file=sys.stderr)
        return 2
    tools, notes = find_tools(args, settings)
    files = suites.files("models", args.corpus, args.only, args.file)
    if not files:
        print(f"bench/compare: no model files below {args.corpus}: run corpus/fetch --models, or name a folder with "
              "--corpus or files with --file", file=sys.stderr)
        return 1
    launcher = measure.Launcher(args.build)
    header = machine.facts(tools.values(), [launcher.how(), *METHOD])
    header += files_command.command_lines(settings, tools) + notes
    pathlib.Path(args.work).mkdir(parents=True, exist_ok=True)
    work = pathlib.Path(tempfile.mkdtemp(prefix="models-", dir=args.work))
    writer = csv_log.Writer(args.out, "models", COLUMNS, header)
    whole = True
    try:
        for file in files:
            whole &= measure_and_write(args, settings, tools, launcher, work, writer, file)
    finally:
        writer.close()
        launcher.close()
        shutil.rmtree(work)
    return 0 if whole else 1
