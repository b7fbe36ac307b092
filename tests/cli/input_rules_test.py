"""What may be an input, and inputs that misbehave."""

import os
import socket
import time
import unittest

from command_testing import BLOCK, FAILED, CommandTest, random_bytes, text_bytes


class Kinds(CommandTest):
    def test_missing(self):
        done = self.glyd("none", expect=FAILED)
        self.assertEqual(done.stderr, b"glyd: none: No such file or directory\n")

    def test_empty_name(self):
        done = self.glyd("", expect=FAILED)
        self.assertIn(b"''", done.stderr)

    def test_folder(self):
        os.mkdir(self.path("folder"))
        for words in (["folder"], ["-d", "folder"], ["-t", "folder"], ["-l", "folder"], ["-cf", "folder"],
                      ["info", "folder"], ["bench", "folder"]):
            done = self.glyd(*words, expect=FAILED)
            self.assertIn(b"folder", done.stderr)
        self.assertEqual(self.files(), ["folder"])

    def test_device(self):
        for words in (["/dev/zero"], ["-c", "/dev/zero"], ["-f", "/dev/null"]):
            done = self.glyd(*words, expect=FAILED)
            self.assertIn(b"device", done.stderr)

    def test_device_on_standard_input(self):
        with open("/dev/null", "rb") as null:
            process = self.start(stdin=null)
            archive, _ = process.communicate(timeout=60)
        self.assertEqual(self.restored(archive), b"")

    def test_links_are_refused_where_the_output_would_lie_beside_them(self):
        self.write("data", b"words")
        os.symlink("data", self.path("link"))
        done = self.glyd("link", expect=FAILED)
        self.assertIn(b"symbolic link", done.stderr)
        self.assertEqual(self.files(), ["data", "link"])
        self.glyd("-f", "link")
        self.assertEqual(self.restored(self.read("link.glyd")), b"words")

    def test_links_are_followed_when_the_output_is_elsewhere(self):
        self.write("data", b"words")
        os.symlink("data", self.path("link"))
        self.assertEqual(self.restored(self.glyd("-c", "link").stdout), b"words")
        self.glyd("link", "-o", "out")
        self.glyd("--rm", "link", "-o", "out2", expect=FAILED)
        self.assertEqual(self.files(), ["data", "link", "out"])

    def test_dangling_link(self):
        os.symlink("none", self.path("link"))
        done = self.glyd("-c", "link", expect=FAILED)
        self.assertIn(b"No such file", done.stderr)

    def test_socket(self):
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(self.path("socket"))
            done = self.glyd("socket", expect=FAILED)
            self.assertIn(b"not a regular file", done.stderr)

    def test_named_pipe(self):
        os.mkfifo(self.path("pipe"))
        done = self.glyd("pipe", expect=FAILED)
        self.assertIn(b"not a regular file", done.stderr)
        process = self.start("-c", "pipe")
        with open(self.path("pipe"), "wb") as pipe:
            pipe.write(b"words")
        archive, _ = process.communicate(timeout=60)
        self.assertEqual(self.restored(archive), b"words")

    def test_process_substitution(self):
        reader, writer = os.pipe()
        process = self.start("-c", f"/dev/fd/{reader}", pass_fds=[reader])
        os.close(reader)
        os.write(writer, b"words")
        os.close(writer)
        archive, _ = process.communicate(timeout=60)
        self.assertEqual(self.restored(archive), b"words")

    @unittest.skipUnless(os.path.exists("/proc/self/status"), "there is no /proc")
    def test_file_that_hides_its_size(self):
        archive = self.glyd("-c", "/proc/version").stdout
        with open("/proc/version", "rb") as file:
            self.assertEqual(self.restored(archive), file.read())

    @unittest.skipUnless(os.geteuid() == 0, "needs to become another user")
    def test_unreadable(self):
        os.chmod(self.folder, 0o777)
        self.write("data", b"secret")
        os.chmod(self.path("data"), 0o600)
        done = self.glyd("data", expect=FAILED, user=1234, group=1234, extra_groups=[])
        self.assertIn(b"Permission denied", done.stderr)
        self.assertEqual(self.files(), ["data"])

    @unittest.skipUnless(os.path.exists("/proc/self/mem"), "there is no /proc")
    def test_reading_fails(self):
        done = self.glyd("-c", "/proc/self/mem", expect=FAILED)
        self.assertIn(b"reading the input: Input/output error", done.stderr)


class Changing(CommandTest):
    """Files that are written to while the command reads them."""

    def compress_while(self, disturb):
        """Compresses `data`, and disturbs it while it is being read."""
        size = 6 * BLOCK
        self.write("data", text_bytes(size))
        process = self.start("-19", "-T1", "data")
        deadline = time.monotonic() + 60
        # /proc tells how far the command has read.
        while time.monotonic() < deadline and not self.has_begun_reading(process.pid):
            time.sleep(0.005)
        disturb(size)
        _, error = process.communicate(timeout=300)
        return process.returncode, error

    def has_begun_reading(self, pid):
        try:
            for entry in os.listdir(f"/proc/{pid}/fd"):
                if os.readlink(f"/proc/{pid}/fd/{entry}") == self.path("data"):
                    with open(f"/proc/{pid}/fdinfo/{entry}") as info:
                        return int(info.readline().split()[1]) > 0
        except OSError:
            pass
        return False

    def assert_refused(self, outcome):
        code, error = outcome
        self.assertEqual(code, FAILED, error)
        self.assertIn(b"changed while it was read", error)
        self.assertEqual(self.files(), ["data"])

    def test_growing(self):
        def disturb(_):
            with open(self.path("data"), "ab") as file:
                file.write(b"more")
        self.assert_refused(self.compress_while(disturb))

    def test_shrinking(self):
        self.assert_refused(self.compress_while(lambda size: os.truncate(self.path("data"), size - 1)))

    def test_rewritten_in_place(self):
        def disturb(_):
            with open(self.path("data"), "r+b") as file:
                file.write(b"other")
        self.assert_refused(self.compress_while(disturb))

    def test_removed_meanwhile(self):
        """The file is open, so its content is still there to read."""
        code, error = self.compress_while(lambda _: os.unlink(self.path("data")))
        self.assertEqual(code, 0, error)
        self.assertEqual(self.restored(self.read("data.glyd")), text_bytes(6 * BLOCK))

    def test_vanishing_before_its_turn(self):
        os.mkfifo(self.path("pipe"))
        self.write("second", b"words")
        process = self.start("-c", "pipe", "second")
        with open(self.path("pipe"), "wb") as pipe:
            pipe.write(b"first")
            os.unlink(self.path("second"))
        archive, error = process.communicate(timeout=60)
        self.assertEqual(process.returncode, FAILED)
        self.assertIn(b"second: No such file", error)
        self.assertEqual(self.restored(archive), b"first")

    def test_growing_standard_input(self):
        """`glyd < log` while somebody writes to the log."""
        # More than the blocks in flight hold, and nobody takes the output: so glyd cannot be through when the log grows.
        self.write("log", random_bytes(32 << 20))
        with open(self.path("log"), "rb") as log:
            process = self.start("--fast", "-T1", "-c", stdin=log)
            process.stdout.read(1)
            with open(self.path("log"), "ab") as file:
                file.write(b"more")
            _, error = process.communicate(timeout=60)
        self.assertEqual(process.returncode, FAILED)
        self.assertIn(b"changed while it was read", error)
