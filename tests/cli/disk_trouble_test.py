"""Full disks, read-only places, limits of file size: an error, the input stays, and nothing partial stays."""

import os
import resource
import shutil
import signal
import subprocess
import unittest

from command_testing import CORRUPT, FAILED, GLYD, OK, SANITIZED, CommandTest, random_bytes, text_bytes


class WithoutPrivileges(CommandTest):
    @unittest.skipUnless(os.path.exists("/dev/full"), "there is no /dev/full")
    def test_full_device(self):
        self.write("data", text_bytes(100000))
        done = self.glyd("--rm", "data", "-o", "/dev/full", expect=FAILED)
        self.assertIn(b"writing the output: No space left on device", done.stderr)
        self.assertTrue(self.exists("data"))
        with open("/dev/full", "wb") as full:
            process = self.start("-c", "data", stdout=full)
            _, error = process.communicate(timeout=60)
        self.assertEqual(process.returncode, FAILED)
        self.assertIn(b"No space left on device", error)

    def test_limit_of_file_size(self):
        """SIGXFSZ would kill the command before it could say what is wrong."""
        self.write("data", random_bytes(200000))
        limit = 65536
        process = self.start("--rm", "data",
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        _, error = process.communicate(timeout=60)
        self.assertEqual(process.returncode, FAILED)
        self.assertIn(b"File too large", error)
        self.assertEqual(self.files(), ["data"])

    def test_closed_streams(self):
        self.write("data", b"words")
        done = subprocess.run(["sh", "-c", f"exec '{GLYD}' -c data >&-"], cwd=self.folder, capture_output=True)
        self.assertEqual(done.returncode, FAILED)
        done = subprocess.run(["sh", "-c", f"exec '{GLYD}' <&-"], cwd=self.folder, capture_output=True)
        self.assertEqual(done.returncode, FAILED)
        done = subprocess.run(["sh", "-c", f"exec '{GLYD}' data <&- >&- 2>&-"], cwd=self.folder)
        self.assertEqual(done.returncode, OK)
        self.assertEqual(self.restored(self.read("data.glyd")), b"words")

    def test_messages_do_not_get_into_files(self):
        """With standard error closed, its number must not be given to a file that is opened later."""
        self.write("data", b"words")
        done = subprocess.run(["sh", "-c", f"exec '{GLYD}' -cv --rm data missing 2>&- >out"], cwd=self.folder)
        self.assertEqual(done.returncode, FAILED)
        self.assertEqual(self.restored(self.read("out")), b"words")
        self.assertEqual(self.read("data"), b"words")

    def test_output_that_appears_meanwhile_is_not_overwritten(self):
        process = self.start("-o", "out")
        process.stdin.write(text_bytes(1 << 20))
        process.stdin.flush()
        self.write("out", b"precious")
        _, error = process.communicate(timeout=60)
        self.assertEqual(process.returncode, FAILED)
        self.assertIn(b"File exists", error)
        self.assertEqual(self.files(), ["out"])
        self.assertEqual(self.read("out"), b"precious")


@unittest.skipUnless(os.geteuid() == 0, "only root mounts file systems")
class Mounted(CommandTest):
    def mount(self, options):
        os.mkdir(self.path("disk"))
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", self.path("disk")], capture_output=True)
        if done.returncode != 0:
            self.skipTest("mounting is not allowed here")
        self.addCleanup(subprocess.run, ["umount", self.path("disk")], capture_output=True)

    def on_disk(self):
        return sorted(os.listdir(self.path("disk")))

    def test_full_disk(self):
        self.mount("size=1m")
        content = random_bytes(3 << 20)
        self.write("data", content)
        self.write("data.glyd", self.archive(content))
        for words in (["--rm", "data", "-o", "disk/out"], ["--rm", "-d", "data.glyd", "-o", "disk/out"]):
            done = self.glyd(*words, expect=FAILED)
            self.assertIn(b"No space left on device", done.stderr)
            self.assertEqual(self.on_disk(), [])
        self.assertEqual(self.files(), ["data", "data.glyd", "disk"])

    def test_full_disk_keeps_the_old_output(self):
        self.mount("size=1m")
        self.write("data", random_bytes(3 << 20))
        self.write("disk/out", b"precious")
        self.glyd("-f", "data", "-o", "disk/out", expect=FAILED)
        self.assertEqual(self.read("disk/out"), b"precious")
        self.assertEqual(self.on_disk(), ["out"])

    def test_read_only(self):
        self.mount("size=1m")
        self.write("disk/data", b"words")
        subprocess.run(["mount", "-o", "remount,ro", self.path("disk")], check=True)
        done = self.glyd("disk/data", expect=FAILED)
        self.assertIn(b"Read-only file system", done.stderr)
        self.assertEqual(self.on_disk(), ["data"])
        done = self.glyd("--rm", "disk/data", "-o", "out", expect=FAILED)
        self.assertIn(b"could not remove it", done.stderr)
        self.assertEqual(self.restored(self.read("out")), b"words")

    def test_folder_that_may_not_be_written(self):
        os.chmod(self.folder, 0o755)
        os.mkdir(self.path("theirs"))
        self.write("theirs/data", b"words")
        done = self.glyd("theirs/data", expect=FAILED, user=1234, group=1234, extra_groups=[])
        self.assertIn(b"Permission denied", done.stderr)
        self.assertEqual(os.listdir(self.path("theirs")), ["data"])


def can_inject_faults():
    if SANITIZED or not shutil.which("strace"):  # the leak checker does not work under a tracer
        return False
    return subprocess.run(["strace", "-o", os.devnull, "true"], capture_output=True).returncode == 0


@unittest.skipUnless(can_inject_faults(), "needs strace and the right to trace")
class WithoutUnnamedFiles(CommandTest):
    """A file system without O_TMPFILE, as FAT and NFS are: the hidden temporary is used. strace makes the open of the
    folder fail as it does there."""

    def setUp(self):
        super().setUp()
        os.mkdir(self.path("disk"))
        self.tracer = ["strace", "-f", "-o", os.devnull, "-P", "disk", "-e", "trace=openat,renameat2", "-e",
                       "inject=openat:error=EOPNOTSUPP"]

    def traced(self, *words, expect, tracer=()):
        done = subprocess.run([*self.tracer, *tracer, GLYD, *words], cwd=self.folder, capture_output=True, timeout=60)
        self.assertEqual(done.returncode, expect, done.stderr)
        return done

    def on_disk(self):
        return sorted(os.listdir(self.path("disk")))

    def test_there_and_back(self):
        content = text_bytes(300000)
        self.write("disk/data", content)
        self.traced("--rm", "disk/data", expect=OK)
        self.assertEqual(self.on_disk(), ["data.glyd"])
        self.traced("-d", "disk/data.glyd", expect=OK)
        self.assertEqual(self.read("disk/data"), content)
        self.traced("disk/data", expect=FAILED)
        self.traced("-f", "disk/data", expect=OK)
        self.assertEqual(self.on_disk(), ["data", "data.glyd"])
        self.assertEqual(self.restored(self.read("disk/data.glyd")), content)

    def test_failure_removes_the_temporary(self):
        self.write("disk/data.glyd", self.archive(text_bytes(300000))[:-9])
        self.traced("-d", "disk/data.glyd", expect=CORRUPT)
        self.assertEqual(self.on_disk(), ["data.glyd"])

    def test_signal_removes_the_temporary(self):
        os.mkfifo(self.path("pipe"))
        process = subprocess.Popen([*self.tracer, GLYD, "pipe", "-o", "disk/out"], cwd=self.folder,
                                   stderr=subprocess.PIPE)
        with open(self.path("pipe"), "wb", buffering=0) as pipe:
            pipe.write(text_bytes(1 << 20))
            (name,) = self.on_disk()
            self.assertTrue(name.startswith(".glyd-"))
            with open(f"/proc/{process.pid}/task/{process.pid}/children") as children:
                os.kill(int(children.read().split()[0]), signal.SIGTERM)
            process.communicate(timeout=60)
        self.assertEqual(process.returncode, 143)
        self.assertEqual(self.on_disk(), [])

    def test_output_that_appears_meanwhile_is_not_overwritten(self):
        os.mkfifo(self.path("pipe"))
        process = subprocess.Popen([*self.tracer, GLYD, "pipe", "-o", "disk/out"], cwd=self.folder,
                                   stderr=subprocess.PIPE)
        with open(self.path("pipe"), "wb", buffering=0) as pipe:
            pipe.write(text_bytes(1 << 20))
            self.write("disk/out", b"precious")
        _, error = process.communicate(timeout=60)
        self.assertEqual(process.returncode, FAILED)
        self.assertIn(b"File exists", error)
        self.assertEqual(self.read("disk/out"), b"precious")
        self.assertEqual(self.on_disk(), ["out"])
