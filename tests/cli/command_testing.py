"""What the tests of the command share: a folder of their own, the binary, and inputs that are hard on compressors."""

import os
import random
import shutil
import signal
import subprocess
import tempfile
import unittest

GLYD = os.path.abspath(os.environ["GLYD_BIN"])
SANITIZED = os.environ.get("GLYD_SANITIZED", "") != ""

OK, FAILED, USAGE, CORRUPT, LIMIT = 0, 1, 2, 3, 4

# Blocks of the default level are 8 MiB; one byte more than a multiple crosses into the next.
BLOCK = 8 << 20


def text_bytes(size, seed=1):
    """Lines of words: compresses well, but not to nothing."""
    source = random.Random(seed)
    words = [bytes(source.choices(b"abcdefghijklmnopqrstuvwxyz", k=source.randint(2, 10))) for _ in range(2000)]
    lines = [b" ".join(source.choices(words, k=12)) for _ in range(4000)]
    page = b"\n".join(lines) + b"\n"
    out = bytearray()
    while len(out) < size:
        out += b"%d " % len(out)
        out += page
    return bytes(out[:size])


def random_bytes(size, seed=2):
    return random.Random(seed).randbytes(size)


def small_inputs():
    return {
        "empty": b"",
        "one byte": b"x",
        "all equal": b"a" * 70000,
        "random": random_bytes(65537),
        "long lines": text_bytes(30000).replace(b"\n", b" ") * 3,
        "zero bytes": bytes(40000),
        "zeros and text": text_bytes(5000) + bytes(20000) + text_bytes(5000) + bytes(3),
        "binary": bytes(range(256)) * 100,
    }


class CommandTest(unittest.TestCase):
    """A test in a folder of its own, which is also the working directory of the command."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="glyd-cli-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content)
        return name

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def exists(self, name):
        return os.path.lexists(self.path(name))

    def files(self):
        """All names in the folder, hidden ones too."""
        return sorted(os.listdir(self.folder))

    def glyd(self, *words, stdin=b"", expect=OK, environment=None, **more):
        """Runs the command, checks its exit code, and returns the finished process with bytes in stdout and stderr."""
        done = subprocess.run([GLYD, *words], input=stdin, capture_output=True, cwd=self.folder, timeout=300,
                              env=environment, **more)
        self.assertEqual(done.returncode, expect, f"glyd {' '.join(map(str, words))}\n{done.stderr.decode(errors='replace')}")
        return done

    def start(self, *words, **more):
        """Starts the command and returns the running process."""
        streams = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        streams.update(more)
        process = subprocess.Popen([GLYD, *words], cwd=self.folder, **streams)

        def stop():
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
            process.communicate()

        self.addCleanup(stop)
        return process

    def archive(self, content, *options):
        """`content` as a glyd file in memory."""
        return self.glyd("-c", *options, stdin=content).stdout

    def restored(self, archive, *options):
        return self.glyd("-dc", *options, stdin=archive).stdout
