"""Installs the build into a staged prefix and builds programs against it as a user would.

Usage: install_test.py BUILD_FOLDER CMAKE CC CXX. C89 and C++11 consumers, shared and static library, pkg-config and
find_package: eight programs, each of which is run. Also: the shared library shows nothing but glyd_*, and a simdjson
built from its sources is in the libraries and asked of nobody.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def run(*command, **options):
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True, **options)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def check_exports(library):
    names = re.findall(r"^[0-9a-f]+ [A-Za-z] (\S+)$", run("nm", "-D", "--defined-only", library), re.M)
    names = {name.split("@")[0] for name in names} - {"GLYD_1"}
    strangers = sorted(name for name in names if not name.startswith("glyd_"))
    if strangers or "glyd_compress" not in names:
        sys.exit(f"{library} exports {strangers[:10]}, or no glyd_compress")
    header = (HERE.parents[1] / "codec/capi/glyd.h").read_text()
    declared = set(re.findall(r"^GLYD_API [^;]*?(glyd_\w+)\(", header, re.M))
    if declared != names:
        sys.exit(f"glyd.h and the library differ in {sorted(declared ^ names)}")


def check_simdjson(build, library):
    """Who links libglyd.a needs simdjson, or has it in there under a name of its own."""
    source = re.search(r"^GLYD_SIMDJSON_SOURCE:PATH=(.*)$", (build / "CMakeCache.txt").read_text(), re.M).group(1)
    folder = library.parent
    asked = [path.name for path in (folder / "pkgconfig/glyd.pc", folder / "cmake/glyd/glydConfig.cmake")
             if re.search(r"(libxxhash|liblz4) simdjson", path.read_text())]
    if asked != ([] if source else ["glyd.pc", "glydConfig.cmake"]):
        sys.exit(f"GLYD_SIMDJSON_SOURCE is '{source}', and simdjson is asked for by {asked}")
    if source:
        symbols = run("nm", "--format=posix", folder / "libglyd.a")
        # An Itanium-mangled name of a namespace is its length and the word.
        strangers = re.findall(r"^\S*8simdjson\S* .*$", symbols, re.M)
        if strangers or "13glyd_simdjson" not in symbols:
            sys.exit(f"libglyd.a has these names of simdjson's: {strangers[:10]}, or no simdjson")
        if "simdjson" in run("readelf", "-d", library):
            sys.exit(f"{library} loads simdjson")


def pkg_config_consumers(prefix, library_folder, work, cc, cxx):
    environment = dict(os.environ, PKG_CONFIG_PATH=str(library_folder / "pkgconfig"))
    flags = {}
    for kind, extra in (("shared", []), ("static", ["--static"])):
        flags[kind] = run("pkg-config", "--cflags", "--libs", *extra, "glyd", env=environment).split()
    # -lglyd would take the shared library where both are.
    archive = str(library_folder / "libglyd.a")
    flags["static"] = [archive if flag == "-lglyd" else flag for flag in flags["static"]]
    for kind, words in flags.items():
        c_program, cxx_program = work / f"c_{kind}", work / f"cxx_{kind}"
        run(cc, "-std=c89", "-pedantic", "-Wall", "-Wextra", "-Werror", HERE / "consumer.c", "-o", c_program, *words)
        run(cxx, "-std=c++11", "-pedantic", "-Wall", "-Wextra", "-Werror", HERE / "cxx_consumer.cc", "-o", cxx_program,
            *words)
        yield c_program
        yield cxx_program


def find_package_consumers(prefix, work, cmake):
    source = work / "source"
    source.mkdir()
    template = (HERE / "find_package_consumer.cmake.in").read_text()
    (source / "CMakeLists.txt").write_text(template.replace("@SOURCE@", str(HERE)))
    run(cmake, "-S", source, "-B", work / "build", f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Release")
    run(cmake, "--build", work / "build")
    return [work / "build" / f"{language}_{kind}" for language in ("c", "cxx") for kind in ("glyd", "glyd_static")]


def main():
    build, cmake, cc, cxx = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        prefix = work / "prefix"
        run(cmake, "--install", build, "--prefix", prefix)
        library = next(prefix.rglob("libglyd.so"))
        check_exports(library)
        check_simdjson(pathlib.Path(build), library)
        environment = dict(os.environ, LD_LIBRARY_PATH=str(library.parent))
        programs = list(pkg_config_consumers(prefix, library.parent, work, cc, cxx))
        programs += find_package_consumers(prefix, work, cmake)
        for program in programs:
            print(f"{program.name}: {run(program, env=environment).strip()}")
        for path in ("bin/glyd", "include/glyd.h", "include/glyd.hpp"):
            if not (prefix / path).exists():
                sys.exit(f"{path} was not installed")
        print(run(prefix / "bin/glyd", "--version", env=environment).strip())
        run(cmake, "--install", build, env=dict(os.environ, DESTDIR=str(work / "staged")))
        if not list((work / "staged").rglob("glyd.pc")):
            sys.exit("DESTDIR is not honoured")


if __name__ == "__main__":
    main()
