"""Standard input and output."""

import os
import pty
import shutil
import signal
import subprocess
import unittest

from command_testing import FAILED, GLYD, OK, CommandTest, random_bytes, text_bytes


class Pipes(CommandTest):
    def test_no_file_means_standard_streams(self):
        content = text_bytes(100000)
        archive = self.glyd(stdin=content).stdout
        self.assertLess(len(archive), len(content))
        self.assertEqual(self.glyd("-d", stdin=archive).stdout, content)
        self.assertEqual(self.files(), [])

    def test_dash_means_standard_input(self):
        content = b"words"
        archive = self.glyd("-", stdin=content).stdout
        self.assertEqual(self.glyd("-d", "-", stdin=archive).stdout, content)

    def test_standard_input_to_a_named_file(self):
        self.glyd("-o", "out.glyd", stdin=b"words")
        self.glyd("-d", "-o", "back", stdin=self.read("out.glyd"))
        self.assertEqual(self.read("back"), b"words")

    def test_stdout_option_keeps_the_input_and_its_folder(self):
        self.write("data", b"words")
        for option in (["-c"], ["-o", "-"], ["--stdout"]):
            archive = self.glyd(*option, "data").stdout
            self.assertEqual(self.restored(archive), b"words")
        self.assertEqual(self.files(), ["data"])

    def test_rm_removes_nothing_when_writing_to_stdout(self):
        self.write("data", b"words")
        done = self.glyd("-c", "--rm", "data")
        self.assertTrue(self.exists("data"))
        self.assertIn(b"kept", done.stderr)

    def test_several_files_to_stdout_are_concatenated(self):
        self.write("a", b"first ")
        self.write("b", b"second")
        self.assertEqual(self.restored(self.glyd("-c", "a", "b").stdout), b"first second")

    def test_slow_small_pieces(self):
        process = self.start("-T2")
        content = random_bytes(10000)
        for at in range(0, len(content), 999):
            process.stdin.write(content[at:at + 999])
            process.stdin.flush()
        archive, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, OK)
        process = self.start("-d")
        for at in range(0, len(archive), 7):
            process.stdin.write(archive[at:at + 7])
            process.stdin.flush()
        self.assertEqual(process.communicate(timeout=60)[0], content)

    def test_appended_archives_decode_to_the_concatenation(self):
        self.assertEqual(self.restored(self.archive(b"one ") + self.archive(b"") + self.archive(b"two")), b"one two")

    def test_no_summary_beside_content(self):
        self.assertEqual(self.glyd(stdin=b"words").stderr, b"")

    def test_file_on_standard_input_from_its_position(self):
        self.write("data", b"skipped" + b"kept" * 100)
        with open(self.path("data"), "rb", buffering=0) as file:
            file.read(7)
            done = subprocess.run([GLYD], stdin=file, capture_output=True, check=True)
        self.assertEqual(self.restored(done.stdout), b"kept" * 100)

    def test_non_blocking_streams_are_waited_for(self):
        reader, writer = os.pipe()
        os.set_blocking(reader, False)
        process = self.start("-c", stdin=reader)
        os.close(reader)
        os.write(writer, b"late words")
        os.close(writer)
        archive, _ = process.communicate(timeout=60)
        self.assertEqual(self.restored(archive), b"late words")


class BrokenPipe(CommandTest):
    def test_dies_silently_by_sigpipe(self):
        content = text_bytes(3 << 20)
        self.write("data", content)
        self.glyd("data")
        for words in (["-dc", "data.glyd"], ["-c", "--fast=1000", "data"]):
            process = self.start(*words)
            process.stdout.read(1)
            process.stdout.close()
            process.wait(timeout=60)
            self.assertEqual(process.returncode, -signal.SIGPIPE, words)
            self.assertEqual(process.stderr.read(), b"")
            process.stdout = None

    def test_head_takes_what_it_wants(self):
        self.write("data", text_bytes(3 << 20))
        self.glyd("data")
        done = subprocess.run(f"'{GLYD}' -dc data.glyd | head -c1", shell=True, cwd=self.folder, capture_output=True)
        self.assertEqual((done.stdout, done.stderr, done.returncode), (b"0", b"", 0))


class Terminals(CommandTest):
    def run_on_terminal(self, *words):
        """Standard output is a terminal. Returns exit code, what the terminal showed, and standard error."""
        master, slave = pty.openpty()
        done = subprocess.run([GLYD, *words], stdin=subprocess.DEVNULL, stdout=slave, stderr=subprocess.PIPE,
                              cwd=self.folder, timeout=60)
        os.close(slave)
        shown = b""
        try:
            while piece := os.read(master, 4096):
                shown += piece
        except OSError:  # a closed terminal ends in EIO
            pass
        os.close(master)
        return done.returncode, shown, done.stderr

    def test_compressed_bytes_are_refused(self):
        self.write("data", b"words")
        code, shown, error = self.run_on_terminal("-c", "data")
        self.assertEqual((code, shown), (FAILED, b""))
        self.assertIn(b"terminal", error)
        self.assertIn(b"-f", error)

    def test_force_writes_them(self):
        self.write("data", b"words")
        code, shown, _ = self.run_on_terminal("-cf", "data")
        self.assertEqual(code, OK)
        self.assertIn(b"words", shown)

    def test_content_is_welcome(self):
        self.write("data.glyd", self.archive(b"words\n"))
        code, shown, _ = self.run_on_terminal("-dc", "data.glyd")
        self.assertEqual((code, shown), (OK, b"words\r\n"))

    def test_no_archive_is_typed_at_a_terminal(self):
        master, slave = pty.openpty()
        done = subprocess.run([GLYD, "-d"], stdin=slave, capture_output=True, timeout=60)
        os.close(slave)
        os.close(master)
        self.assertEqual(done.returncode, FAILED)
        self.assertIn(b"terminal", done.stderr)


@unittest.skipUnless(shutil.which("tar"), "tar is not installed")
class Tar(CommandTest):
    def test_use_compress_program(self):
        os.mkdir(self.path("tree"))
        contents = {f"tree/{i}": text_bytes(3000, seed=i) for i in range(5)}
        for name, content in contents.items():
            self.write(name, content)
        environment = dict(os.environ, PATH=os.path.dirname(os.path.abspath(GLYD)) + ":" + os.environ.get("PATH", ""))
        for program in ("glyd", "glyd -19"):
            subprocess.run(["tar", "-I", program, "-cf", "x.tar.glyd", "tree"], cwd=self.folder, env=environment,
                           check=True, capture_output=True)
            os.rename(self.path("tree"), self.path("gone"))
            done = subprocess.run(["tar", "-I", program, "-xf", "x.tar.glyd"], cwd=self.folder, env=environment,
                                  check=True, capture_output=True)
            self.assertEqual(done.stderr, b"")
            for name, content in contents.items():
                self.assertEqual(self.read(name), content)
            shutil.rmtree(self.path("gone"))
