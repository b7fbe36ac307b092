"""The help text, the man page and the completion scripts all say the same."""

import os
import re
import shutil
import subprocess
import unittest

from command_testing import CommandTest

HERE = os.path.dirname(os.path.abspath(__file__))
MAN_PAGE = os.path.join(HERE, "..", "..", "man", "glyd.1.scd")
COMMANDS = ["info", "bench", "completion"]


def option_words(text):
    """All options in a text, short and long."""
    return set(re.findall(r"(?<![\w-])(--[a-z][a-z-]+|-[a-zA-Z])(?![\w])", text))


class Help(CommandTest):
    def test_golden(self):
        """After a wanted change: GLYD_UPDATE_GOLDEN=1 ctest -R help."""
        for command in ["", *COMMANDS]:
            shown = self.glyd(*command.split(), "--help").stdout.decode()
            path = os.path.join(HERE, "golden", f"help{'_' + command if command else ''}.txt")
            if os.environ.get("GLYD_UPDATE_GOLDEN"):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(shown)
            with open(path, encoding="utf-8") as file:
                self.assertEqual(shown, file.read(), path)

    def test_fits_a_terminal(self):
        for command in ["", *COMMANDS]:
            for line in self.glyd(*command.split(), "-h").stdout.decode().splitlines():
                self.assertLessEqual(len(line), 79, line)

    def test_wins_over_everything_else(self):
        for words in (["-h", "-d"], ["-d", "-h", "none"], ["-o", "x", "a", "b", "--help"]):
            self.assertIn(b"Usage: glyd", self.glyd(*words).stdout)

    def test_version(self):
        for word in ("-V", "--version"):
            self.assertRegex(self.glyd(word).stdout.decode(), r"^glyd \d+\.\d+\.\d+ \(format version 1\)\n$")

    @unittest.skipUnless(os.path.exists("/dev/full"), "there is no /dev/full")
    def test_write_errors_are_told(self):
        with open("/dev/full", "wb") as full:
            process = self.start("--help", stdout=full)
            _, error = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)
        self.assertIn(b"No space left", error)


@unittest.skipUnless(os.path.exists(MAN_PAGE), "there is no man page yet")
class ManPage(CommandTest):
    def test_options_agree(self):
        with open(MAN_PAGE, encoding="utf-8") as file:
            page = file.read().replace("\\-", "-").replace("*", " ").replace("_", " ")
        documented = option_words(page)
        for command in ["", *COMMANDS]:
            for word in option_words(self.options_part(command)):
                self.assertIn(word, documented, f"glyd {command} {word} is not in {MAN_PAGE}")
        for command in COMMANDS:
            self.assertIn(f"glyd {command}", page)

    def options_part(self, command):
        """The option column of the help text."""
        lines = self.glyd(*command.split(), "--help").stdout.decode().splitlines()
        return "\n".join(re.split(r"\s{2,}(?!-)", line[2:])[0] for line in lines if line.startswith("  -") or
                         line.startswith("      --"))


class Completion(CommandTest):
    def script(self, shell):
        script = self.glyd("completion", shell).stdout
        self.write(shell, script)
        return script.decode()

    def all_options(self):
        return option_words(self.glyd("--help").stdout.decode())

    def test_scripts_know_every_option(self):
        options = {word for word in self.all_options() if word.startswith("--")}
        self.assertGreater(len(options), 20)
        for shell in ("bash", "zsh", "fish"):
            script = self.script(shell)
            for option in options:
                self.assertIn(option[2:] if shell == "fish" else option, script, shell)
            for command in COMMANDS:
                self.assertIn(command, script)

    @unittest.skipUnless(shutil.which("bash"), "bash is not installed")
    def test_bash(self):
        self.script("bash")
        self.write("data file", b"")
        subprocess.run(["bash", "-n", "bash"], cwd=self.folder, check=True)
        cases = {("--dec",): {"--decompress"}, ("in",): {"info"}, ("dat",): {"data file"}, ("-T", ""): set(),
                 ("bench", "--run"): {"--runs"}, ("completion", ""): {"bash", "zsh", "fish"}, ("info", "--js"): {"--json"},
                 ("-o", "dat"): {"data file"}, ("-1",): {"-1", *(f"-1{digit}" for digit in range(10))}}
        for words, expected in cases.items():
            with self.subTest(words=words):
                line = " ".join(f"'{word}'" for word in ("glyd", *words))
                done = subprocess.run(["bash", "--norc", "-c", f'. ./bash; COMP_WORDS=({line}); COMP_CWORD={len(words)}; '
                                       'COMPREPLY=(); _glyd; printf "%s\\n" "${COMPREPLY[@]}"'],
                                      cwd=self.folder, capture_output=True, check=True)
                self.assertEqual(done.stderr, b"")
                self.assertEqual(set(filter(None, done.stdout.decode().split("\n"))), expected)

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh(self):
        self.script("zsh")
        done = subprocess.run(["zsh", "-n", "zsh"], cwd=self.folder, capture_output=True, check=True)
        self.assertEqual(done.stderr, b"")
        done = subprocess.run(["zsh", "-fc", "autoload -U compinit; compinit -u -d ./dump; . ./zsh; "
                               "print $_comps[glyd]"], cwd=self.folder, capture_output=True, check=True)
        self.assertEqual((done.stdout, done.stderr), (b"_glyd\n", b""))

    @unittest.skipUnless(shutil.which("fish"), "fish is not installed")
    def test_fish(self):
        self.script("fish")
        subprocess.run(["fish", "-n", "fish"], cwd=self.folder, check=True)
        environment = dict(os.environ, HOME=self.folder)
        for line, expected in (("glyd --dec", "--decompress"), ("glyd inf", "info"), ("glyd bench --run", "--runs"),
                               ("glyd completion z", "zsh"), ("glyd -1", "-19")):
            with self.subTest(line=line):
                done = subprocess.run(["fish", "-c", f"source ./fish; complete -C '{line}'"], cwd=self.folder,
                                      env=environment, capture_output=True, check=True)
                found = [row.split("\t")[0] for row in done.stdout.decode().splitlines()]
                self.assertIn(expected, found)
