"""The headers that kernels are made of compile for the device, without warnings and without spilling registers.

Usage: weights_cuda_compile_test.py NVCC. Exits 77, which ctest shows as skipped, when there is no such compiler or it is
older than CUDA 12, which was the first to know C++20 and sm_90a.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCE = ROOT / "tests/entropy/weights_lane_kernels.cu"
ARCHITECTURES = ("sm_80", "sm_90a")
SKIPPED = 77


def compile_for(nvcc, architecture, folder):
    """What ptxas said about registers; raises when the compiler fails or warns."""
    result = subprocess.run(
        [nvcc, "-std=c++20", "-O3", f"-arch={architecture}", "-cubin", "-Xptxas", "-v", "-Werror", "all-warnings",
         "-I", str(ROOT), "-o", str(folder / f"{architecture}.cubin"), str(SOURCE)],
        capture_output=True, text=True)
    if result.returncode != 0:
        raise SystemExit(f"{architecture}:\n{result.stderr}")
    return result.stderr


def is_usable(nvcc):
    if not pathlib.Path(nvcc).is_file():
        return False
    version = subprocess.run([nvcc, "--version"], capture_output=True, text=True)
    release = re.search(r"release (\d+)\.", version.stdout)
    return release is not None and int(release.group(1)) >= 12


def main():
    nvcc = sys.argv[1] if len(sys.argv) > 1 else ""
    if not is_usable(nvcc):
        print("no nvcc here")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        for architecture in ARCHITECTURES:
            said = compile_for(nvcc, architecture, pathlib.Path(folder))
            spills = [int(count) for count in re.findall(r"(\d+) bytes spill", said)]
            if not spills or any(spills):
                print(f"{architecture}: registers spilled\n{said}")
                return 1
            print(architecture, ", ".join(re.findall(r"Used \d+ registers", said)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
