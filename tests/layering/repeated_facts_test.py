"""What has to be written in several places says the same in all of them: versions, the ABI number, package lists."""

import re
import unittest

import source_tree


def found(path, pattern):
    match = re.search(pattern, source_tree.text(path), re.M)
    if match is None:
        raise AssertionError(f"{path}: nothing matches {pattern}")
    return match.group(1)


def shell_list(path):
    """The words of PACKAGES in a shell script."""
    return set(found(path, r'^PACKAGES="([^"]*)"').split())


class Versions(unittest.TestCase):
    def test_version(self):
        version = found("CMakeLists.txt", r"^project\(glyd VERSION (\S+)")
        self.assertEqual(found("codec/capi/glyd.h", r'^#define GLYD_VERSION "([^"]+)"'), version)
        self.assertEqual(found("debian/changelog", r"\Aglyd \(([^)]+)\)"), version)

    def test_abi_version(self):
        number = found("CMakeLists.txt", r"^set\(GLYD_ABI_VERSION (\d+)\)")
        self.assertEqual(found("codec/capi/glyd.h", r"^#define GLYD_ABI_VERSION (\d+)"), number)
        self.assertEqual(found("cmake/glyd.map", r"^GLYD_(\d+) \{"), number)
        self.assertEqual(found("debian/control", r"^Package: libglyd(\d+)$"), number)
        self.assertIn(f"Depends: libglyd{number} (= ", source_tree.text("debian/control"))
        self.assertTrue((source_tree.ROOT / f"debian/libglyd{number}.install").is_file())


class Packages(unittest.TestCase):
    def test_the_tests_install_what_a_build_needs(self):
        self.assertEqual(shell_list("install.sh") - shell_list("tests/run"), set())

    def test_debian_builds_with_what_the_installer_asks_for(self):
        fields = found("debian/control", r"^Build-Depends: ((?:.*\n)(?: .*\n)*)")
        build_depends = {word.split()[0] for word in fields.split(",")}
        # Every Debian build has a C++ compiler.
        self.assertEqual(shell_list("install.sh") - build_depends, {"g++"})

    def test_the_build_names_its_libraries(self):
        comment = " ".join(re.findall(r"^# (.*)", source_tree.text("cmake/Dependencies.cmake"), re.M))
        libraries = {package for package in shell_list("install.sh") if package.endswith("-dev")}
        self.assertEqual(libraries - set(re.findall(r"[\w+-]+-dev", comment)), set())


if __name__ == "__main__":
    unittest.main()
