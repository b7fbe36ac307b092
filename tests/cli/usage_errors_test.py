"""Command lines that make no sense are refused before anything is done, with exit code 2 and a word on why."""

import os

from command_testing import OK, USAGE, CommandTest

ERRORS = [
    (["-x"], "-x is not an option"),
    (["--none"], "--none is not an option"),
    (["--decomp"], "--decomp is not an option"),
    (["-dkx"], "-x is not an option"),
    (["-r", "data"], "--recursive"),
    (["-0"], "-0: levels are -1 to -19"),
    (["-20"], "-20: levels are -1 to -19"),
    (["-99999999999999999999"], "levels are -1 to -19"),
    (["--fast=0"], "'0' is not a number from 1 to 1000"),
    (["--fast=1001"], "'1001' is not a number"),
    (["--fast="], "--fast= needs a value"),
    (["--fast=x"], "'x' is not a number"),
    (["--long=19"], "'19' is not a number from 20 to 31"),
    (["--long=32"], "'32' is not a number"),
    (["--fast", "--long"], "no long window"),
    (["-T"], "-T needs a value"),
    (["-Tx"], "'x' is not a number"),
    (["-T-1"], "'-1' is not a number"),
    (["-T", "1.5"], "'1.5' is not a number"),
    (["-T2000"], "'2000' is not a number from 0 to 1024"),
    (["--threads="], "--threads needs a value"),
    (["-M"], "-M needs a value"),
    (["-M0"], "0 is too little"),
    (["-M12X"], "'12X' is not a size"),
    (["-M-5"], "'-5' is not a size"),
    (["-M99999999999999T"], "is not a size"),
    (["--max-output=many"], "'many' is not a size"),
    (["-o"], "-o needs a value"),
    (["-o", ""], "not empty"),
    (["-o", "x", "a", "b"], "takes one input"),
    (["-o", "x", "-o", "y", "a"], "only once"),
    (["-c", "-o", "x", "a"], "choose one of --stdout and --output"),
    (["-t", "-o", "x", "a"], "nothing is written"),
    (["--recursive", "-o", "x", "a"], "does not go with --recursive"),
    (["--range", "1:2", "a"], "--range goes with -d"),
    (["-d", "--range", "12", "a"], "'12' is not OFFSET:LENGTH"),
    (["-d", "--range", ":5", "a"], "is not OFFSET:LENGTH"),
    (["-d", "--range=-1:5", "a"], "is not OFFSET:LENGTH"),
    (["-d", "--range=18446744073709551615:5", "a"], "is not OFFSET:LENGTH"),
    (["--salvage", "a"], "--salvage goes with -d"),
    (["-d", "--salvage", "--range=1:2", "a"], "choose one"),
    (["-d", "--tensor", "t", "--range=1:2", "a"], "choose one of --range and --tensor"),
    (["--tensor", "t", "a"], "--tensor goes with -d"),
    (["-d", "--tensor="], "--tensor needs a value"),
    (["--dtype", "float", "a"], "'float' is none of bytes, bf16"),
    (["-d", "--rm", "--range=1:2", "a"], "--rm does not go with --range"),
    (["--force=yes", "a"], "--force takes no value"),
    (["info"], "info needs a file"),
    (["info", "-d", "a"], "-d is not an option here"),
    (["info", "-3", "a"], "-3 is not an option here"),
    (["bench"], "bench needs a file"),
    (["bench", "--levels", "20", "a"], "'20' is not a range"),
    (["bench", "--levels", "5-2", "a"], "'5-2' is not a range"),
    (["bench", "--levels", "", "a"], "not empty"),
    (["bench", "--levels", "1,,2", "a"], "'1,,2' is not a range"),
    (["bench", "--levels", "-0", "a"], "is not a range"),
    (["bench", "--runs", "0", "a"], "'0' is not a number from 1"),
    (["bench", "--csv", "--json", "a"], "choose one of --csv and --json"),
    (["completion"], "name of a shell"),
    (["completion", "tcsh"], "name of a shell"),
    (["completion", "bash", "zsh"], "name of a shell"),
]


class UsageErrors(CommandTest):
    def test_refused_and_explained(self):
        for name in ("data", "a", "b"):
            self.write(name, b"words")
        for words, text in ERRORS:
            with self.subTest(words=words):
                done = self.glyd(*words, expect=USAGE)
                self.assertIn(text, done.stderr.decode())
                self.assertIn("glyd --help", done.stderr.decode())
                self.assertEqual(done.stdout, b"")
                self.assertEqual(self.files(), ["a", "b", "data"])

    def test_nothing_is_done_before_the_whole_line_is_read(self):
        self.write("data", b"words")
        self.glyd("data", "--none", expect=USAGE)
        self.assertEqual(self.files(), ["data"])


class Clusters(CommandTest):
    """Command lines that do make sense."""

    def test_short_options_combine(self):
        lines = [["-19f", "data"], ["-f19", "data"], ["-kf", "data"], ["-fT0", "data"], ["-fT", "2", "data"],
                 ["-f", "-M512M", "data"], ["-fM", "512MiB", "data"], ["-f9T1", "data"], ["-fqodata.glyd", "data"],
                 ["-fo", "data.glyd", "--", "data"], ["data", "-f"], ["--force", "--threads=2", "--memory=1G", "data"],
                 ["--force", "--threads", "2", "data"], ["-f1", "-19", "data"], ["--fast", "-f", "data"],
                 ["--long", "-f", "data"], ["-f", "--fast=5", "--long=21", "data"]]
        self.write("data", b"words" * 1000)
        for words in lines:
            with self.subTest(words=words):
                self.glyd(*words, expect=OK)
                self.assertEqual(self.restored(self.read("data.glyd")), b"words" * 1000)
                os.unlink(self.path("data.glyd"))

    def test_decompressing_accepts_what_compressing_does(self):
        """`tar -I "glyd -19 --long"` adds -d to it."""
        archive = self.archive(b"words", "-19", "--long")
        self.assertEqual(self.glyd("-19", "--long", "-T2", "-d", stdin=archive).stdout, b"words")

    def test_last_operation_counts(self):
        self.write("data.glyd", self.archive(b"words"))
        self.glyd("-dt", "data.glyd")
        self.assertEqual(self.files(), ["data.glyd"])
        self.glyd("-td", "data.glyd")
        self.assertEqual(self.files(), ["data", "data.glyd"])

    def test_level_after_fast_counts(self):
        content = bytes(range(256)) * 400 + b"abcdefgh" * 5000
        self.assertEqual(self.archive(content, "--fast", "-19"), self.archive(content, "-19"))
        self.assertEqual(self.archive(content, "-19", "--fast"), self.archive(content, "--fast"))

    def test_default_level_is_3(self):
        content = b"some words that repeat " * 3000
        self.assertEqual(self.archive(content), self.archive(content, "-3"))
