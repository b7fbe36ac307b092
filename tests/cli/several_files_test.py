"""Several inputs: one that fails does not stop the others, and the worst one gives the exit code."""

import os

from command_testing import CORRUPT, FAILED, LIMIT, OK, CommandTest, text_bytes


class SeveralFiles(CommandTest):
    def test_all_are_done(self):
        for name in "abc":
            self.write(name, name.encode() * 1000)
        self.glyd("a", "b", "c")
        for name in "abc":
            self.assertEqual(self.restored(self.read(name + ".glyd")), name.encode() * 1000)

    def test_bad_ones_among_good_ones(self):
        self.write("first", b"words")
        os.mkdir(self.path("folder"))
        self.write("last", b"more words")
        done = self.glyd("first", "missing", "folder", "last", expect=FAILED)
        self.assertIn(b"glyd: missing: No such file", done.stderr)
        self.assertIn(b"glyd: folder: is a folder", done.stderr)
        self.assertEqual(self.restored(self.read("first.glyd")), b"words")
        self.assertEqual(self.restored(self.read("last.glyd")), b"more words")

    def test_exit_code_is_the_worst(self):
        good = self.archive(text_bytes(100000))
        self.write("good.glyd", good)
        self.write("damaged.glyd", good[:-5])
        self.write("large.glyd", self.archive(bytes(2000000)))
        cases = {("good.glyd",): OK, ("good.glyd", "missing"): FAILED, ("missing", "large.glyd", "good.glyd"): LIMIT,
                 ("damaged.glyd", "large.glyd", "missing"): CORRUPT, ("large.glyd", "damaged.glyd"): CORRUPT}
        for names, code in cases.items():
            with self.subTest(names=names):
                self.glyd("-t", "--max-output=1M", *names, expect=code)

    def test_failures_do_not_remove_inputs(self):
        good = self.archive(b"words")
        self.write("good.glyd", good)
        self.write("damaged.glyd", good[:-1])
        self.glyd("-d", "--rm", "good.glyd", "damaged.glyd", expect=CORRUPT)
        self.assertEqual(self.files(), ["damaged.glyd", "good"])

    def test_test_mode(self):
        self.write("a.glyd", self.archive(b"words"))
        self.write("b.glyd", self.archive(b"words")[:-1])
        done = self.glyd("-t", "a.glyd", "b.glyd", expect=CORRUPT)
        self.assertIn(b"a.glyd: whole", done.stderr)
        self.assertIn(b"glyd: b.glyd: the input ends too early", done.stderr)
        self.assertEqual(self.files(), ["a.glyd", "b.glyd"])

    def test_test_mode_keeps_with_rm(self):
        self.write("a.glyd", self.archive(b"words"))
        self.glyd("-t", "--rm", "a.glyd")
        self.assertEqual(self.files(), ["a.glyd"])


class Folders(CommandTest):
    def setUp(self):
        super().setUp()
        os.makedirs(self.path("tree/deep/er"))
        self.contents = {"tree/a": b"a" * 5000, "tree/deep/b": b"b" * 6000, "tree/deep/er/c": b"c" * 7000}
        for name, content in self.contents.items():
            self.write(name, content)
        os.symlink("a", self.path("tree/link"))
        os.mkfifo(self.path("tree/pipe"))

    def below(self):
        return sorted(os.path.relpath(os.path.join(folder, name), self.folder)
                      for folder, _, names in os.walk(self.path("tree")) for name in names)

    def test_there_and_back(self):
        self.glyd("--recursive", "--rm", "tree")
        self.assertEqual(self.below(), sorted([name + ".glyd" for name in self.contents] + ["tree/link", "tree/pipe"]))
        self.glyd("-t", "--recursive", "tree")
        self.glyd("-l", "--recursive", "tree")
        self.glyd("-d", "--recursive", "--rm", "tree")
        self.assertEqual(self.below(), sorted([*self.contents, "tree/link", "tree/pipe"]))
        for name, content in self.contents.items():
            self.assertEqual(self.read(name), content)

    def test_archives_are_passed_over(self):
        self.glyd("--recursive", "tree")
        self.glyd("--recursive", "-f", "tree")
        self.assertFalse(any(name.endswith(".glyd.glyd") for name in self.below()))

    def test_files_and_folders_together(self):
        self.write("single", b"words")
        self.glyd("--recursive", "single", "tree")
        self.assertTrue(self.exists("single.glyd"))
        self.assertTrue(self.exists("tree/deep/b.glyd"))

    def test_to_standard_output_in_order_of_names(self):
        archive = self.glyd("-c", "--recursive", "tree").stdout
        self.assertEqual(self.restored(archive), b"".join(self.contents[name] for name in sorted(self.contents)))
