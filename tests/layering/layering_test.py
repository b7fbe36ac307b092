"""The shape of the source tree: who may include whom, and the rules that keep names and lists in step."""

import re
import unittest

import source_tree

# Room -> rooms it may include, itself always among them. The most specific room of a file counts. The picture is in
# HACKING.md.
FACADE = {"codec", "codec/base", "codec/stream", "codec/entropy", "codec/model", "codec/transform", "codec/plan",
          "codec/frame"}
ROOMS = {
    "codec/base": set(),
    "codec/stream": {"codec/base"},
    "codec/model": {"codec/base", "codec/stream"},
    "codec/entropy": {"codec/base"},
    "codec/transform": {"codec/base", "codec/entropy"},
    "codec/plan": {"codec/base", "codec/transform"},
    "codec/frame": {"codec/base", "codec/transform", "codec/plan"},
    "codec": FACADE,
    "codec/capi": FACADE,
    # The facade and what it speaks in, not what is behind it.
    "cli": {"codec", "codec/base", "codec/stream", "codec/model"},
    "bench": FACADE | {"codec/capi", "cli"},
    "tests": FACADE | {"codec/capi", "cli", "bench"},
}

# Outside header -> beginnings of the paths that may include it.
OUTSIDE = {
    r"zstd.*\.h": {"codec/transform/zstd/", "codec/stream/foreign_", "tests/"},
    r"lz4.*\.h": {"codec/transform/lz4/", "codec/stream/foreign_", "tests/"},
    r"xx.*\.h": {"codec/base/"},
    r"(zlib|bzlib|lzma)\.h": {"codec/stream/foreign_", "tests/"},
    r"boost/.*": {"codec/stream/"},
    r"CLI/.*": {"cli/"},
    r"fmt/.*": {"cli/"},
    r"simdjson\.h": {"codec/model/safetensors_", "columnar/"},
    r"gtest/.*": {"tests/"},
    r"benchmark/.*": {"bench/"},
    r"snappy.*\.h": {"bench/"},
}

SAME_NAME_ALLOWED = {"CMakeLists.txt", "README.md", "spec.md", "copyright", "changelog"}
MAX_LINES = 600


def room_of(path):
    folders = [str(parent) for parent in path.parents]
    return next((folder for folder in folders if folder in ROOMS), None)


def includes(path):
    """(line, name, is_ours) of every #include."""
    for match in re.finditer(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', source_tree.text(path), re.M):
        line = source_tree.text(path).count("\n", 0, match.start()) + 1
        yield line, match.group(2), match.group(1) == '"'


class Layering(unittest.TestCase):
    def test_rooms_include_only_what_they_may(self):
        wrong = []
        for path in source_tree.sources():
            room = room_of(path)
            if room is None:
                continue
            for line, name, is_ours in includes(path):
                if not is_ours or "/" not in name:
                    continue
                target = room_of(source_tree.pathlib.PurePosixPath(name))
                if target is not None and target != room and target not in ROOMS[room]:
                    wrong.append(f"{path}:{line}: {room} may not include {target} ({name})")
        self.assertEqual(wrong, [])

    def test_includes_are_relative_to_the_root(self):
        wrong = []
        for path in source_tree.sources():
            for line, name, is_ours in includes(path):
                # glyd.h is installed, so its users find it by its bare name.
                if is_ours and name != "glyd.h" and not (source_tree.ROOT / name).is_file():
                    wrong.append(f"{path}:{line}: {name}")
        self.assertEqual(wrong, [])

    def test_outside_libraries_stay_in_their_rooms(self):
        wrong = []
        for path in source_tree.sources():
            for line, name, is_ours in includes(path):
                for pattern, places in OUTSIDE.items():
                    if not is_ours and re.fullmatch(pattern, name) and not str(path).startswith(tuple(places)):
                        wrong.append(f"{path}:{line}: <{name}> belongs to {sorted(places)}")
        self.assertEqual(wrong, [])


class Names(unittest.TestCase):
    def test_file_names_are_unique(self):
        seen = {}
        wrong = []
        for path in source_tree.sources() + [p for p in source_tree.files() if p.suffix in (".py", ".md", ".sh")]:
            if path.name in SAME_NAME_ALLOWED:
                continue
            if path.name in seen and seen[path.name] != path:
                wrong.append(f"{path} and {seen[path.name]}")
            seen[path.name] = path
        self.assertEqual(wrong, [])

    def test_files_are_short_and_end_with_a_newline(self):
        wrong = []
        for path in source_tree.sources():
            text = source_tree.text(path)
            if not text.endswith("\n") or text.endswith("\n\n"):
                wrong.append(f"{path}: does not end with one newline")
            if text.count("\n") > MAX_LINES:
                wrong.append(f"{path}: {text.count(chr(10))} lines, more than {MAX_LINES}")
        self.assertEqual(wrong, [])

    def test_no_package_registry_is_named(self):
        hosts = re.compile(r"\b(" + "|".join(["py" + r"pi\.(org|io)", r"pythonhosted\.org", "deb" + r"ian\.org",
                                              "npm" + r"js\.", r"crates\.io", r"proxy\.golang"]) + ")")
        wrong = [str(path) for path in source_tree.files()
                 if path.suffix not in (".glyd", ".gz", ".svg") and "samples/" not in str(path)
                 and hosts.search(source_tree.text(path))]
        self.assertEqual(wrong, [])


class Lists(unittest.TestCase):
    def test_transform_ids_agree_with_the_format(self):
        header = source_tree.text("codec/transform/transform_ids.h")
        in_code = {(int(number), re.sub(r"(?<!^)([A-Z])", r"-\1", name).lower())
                   for name, number in re.findall(r"^  k(\w+) = (\d+),", header, re.M)}
        in_format = {(int(number), name)
                     for number, name in re.findall(r"^\| (\d+) \| ([\w-]+) \| codec/transform", source_tree.text("codec/FORMAT.md"), re.M)}
        self.assertTrue(in_code)
        self.assertEqual(in_code, in_format)

    def test_error_numbers_agree_with_the_c_header(self):
        in_list = {(re.sub(r"(?<!^)([A-Z])", r"_\1", name).upper(), int(number)) for name, number in
                   re.findall(r"X\((\w+), (\d+),", source_tree.text("codec/base/error_list.h"))}
        in_header = {(name.removeprefix("E_"), int(number)) for name, number in
                     re.findall(r"^  GLYD_(E_\w+|OK) = (\d+)", source_tree.text("codec/capi/glyd.h"), re.M)}
        self.assertTrue(in_list)
        self.assertEqual(in_list, in_header)

    def test_every_transform_has_its_spec(self):
        folders = {path.parent for path in source_tree.sources() if str(path).startswith("codec/transform/")}
        missing = [str(folder) for folder in folders if str(folder) != "codec/transform"
                   and not (source_tree.ROOT / folder / "spec.md").is_file()]
        self.assertEqual(missing, [])


if __name__ == "__main__":
    unittest.main()
