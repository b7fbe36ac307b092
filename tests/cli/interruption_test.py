"""Stopped in the middle: the input stays, nothing partial stays, and the exit code says by what."""

import os
import signal
import subprocess
import time

from command_testing import BLOCK, GLYD, CommandTest, text_bytes


class Interruption(CommandTest):
    def start_and_wait_until_busy(self, *words):
        """The command compresses a pipe that this test keeps open, so it is certain to be in the middle."""
        os.mkfifo(self.path("pipe"))
        process = self.start(*words, "pipe", "-o", "out")
        self.pipe = open(self.path("pipe"), "wb", buffering=0)
        self.addCleanup(self.pipe.close)
        self.pipe.write(text_bytes(1 << 20))
        return process

    def assert_nothing_left(self):
        self.assertEqual(self.files(), ["pipe"])

    def test_signals_while_compressing(self):
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)):
            with self.subTest(signal=number):
                process = self.start_and_wait_until_busy("-T2")
                process.send_signal(number)
                self.assertEqual(process.wait(timeout=60), code)
                self.assert_nothing_left()
                os.unlink(self.path("pipe"))

    def test_kill_9(self):
        process = self.start_and_wait_until_busy("-T2")
        process.kill()
        self.assertEqual(process.wait(timeout=60), -signal.SIGKILL)
        self.assert_nothing_left()

    def test_many_kills_at_any_moment(self):
        """Killed early, late, or not at all: either the whole output is there or none, and the input always is."""
        content = text_bytes(2 * BLOCK)
        self.write("data", content)
        for number in range(12):
            process = self.start("--rm" if number % 2 else "-k", "-1", "data")
            time.sleep(0.004 * number)
            process.kill()
            process.wait(timeout=60)
            names = self.files()
            self.assertIn(names, (["data"], ["data", "data.glyd"], ["data.glyd"]))
            if "data.glyd" in names:
                self.glyd("-qd", "data.glyd", "-o", "back")
                self.assertEqual(self.read("back"), content)
                os.unlink(self.path("back"))
                os.unlink(self.path("data.glyd"))
            else:
                self.assertEqual(names, ["data"])
            self.write("data", content)

    def test_old_output_survives_kill(self):
        os.mkfifo(self.path("pipe"))
        self.write("out", b"precious")
        process = self.start("-f", "pipe", "-o", "out")
        with open(self.path("pipe"), "wb", buffering=0) as pipe:
            pipe.write(text_bytes(1 << 20))
            process.kill()
            process.wait(timeout=60)
        self.assertEqual(self.read("out"), b"precious")

    def test_interrupt_while_decompressing(self):
        archive = self.archive(text_bytes(2 * BLOCK))
        process = self.start_and_wait_until_busy("-d")
        # What was written to the pipe so far was no archive, so this process ends by itself; the next one does not.
        process.wait(timeout=60)
        self.assert_nothing_left()
        os.unlink(self.path("pipe"))
        os.mkfifo(self.path("pipe"))
        process = self.start("-d", "pipe", "-o", "out")
        with open(self.path("pipe"), "wb", buffering=0) as pipe:
            pipe.write(archive[:len(archive) // 2])
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(timeout=60), 130)
        self.assert_nothing_left()

    def test_ignored_signals_stay_ignored(self):
        """As under nohup."""
        process = subprocess.Popen([GLYD], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        process.stdin.write(b"words")
        process.stdin.flush()
        process.send_signal(signal.SIGHUP)
        archive, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)
        self.assertEqual(self.restored(archive), b"words")

    def test_progress_line_is_wiped(self):
        process = self.start_and_wait_until_busy("--progress")
        time.sleep(0.15)
        self.pipe.write(b"more")
        shown = b""
        while b"MB/s" not in shown:
            piece = os.read(process.stderr.fileno(), 4096)
            self.assertNotEqual(piece, b"")
            shown += piece
        process.send_signal(signal.SIGINT)
        _, rest = process.communicate(timeout=60)
        self.assertTrue((shown + rest).endswith(b"\r\x1b[K"))
        self.assertEqual(process.returncode, 130)
