"""Summaries, warnings, errors, progress and JSON."""

import json
import os
import pty
import re
import select
import subprocess
import time

from command_testing import CORRUPT, FAILED, GLYD, LIMIT, OK, CommandTest, text_bytes


class Summaries(CommandTest):
    def test_one_line_for_each_file(self):
        self.write("data", text_bytes(2 << 20))
        done = self.glyd("data")
        self.assertRegex(done.stderr.decode(), r"^data: \d+\.\d\d% \(2\.00 MiB -> [\d.]+ KiB, data\.glyd\)\n$")
        self.assertEqual(done.stdout, b"")
        done = self.glyd("-df", "data.glyd")
        self.assertEqual(done.stderr, b"data.glyd: 2.00 MiB, data\n")
        done = self.glyd("-t", "data.glyd")
        self.assertEqual(done.stderr, b"data.glyd: whole (2.00 MiB)\n")

    def test_quiet(self):
        self.write("data", b"words")
        self.assertEqual(self.glyd("-q", "data").stderr, b"")
        self.assertIn(b"exists", self.glyd("-q", "data", expect=FAILED).stderr)
        self.assertEqual(self.glyd("-qq", "data", expect=FAILED).stderr, b"")
        self.assertEqual(self.glyd("-q", "-c", "--rm", "data").stderr, b"")

    def test_verbose(self):
        self.write("data", text_bytes(1 << 20))
        self.assertRegex(self.glyd("-v", "data").stderr.decode(), r", \d+\.\d\d s, [\d.]+ MB/s\n$")
        self.assertIn(b"MB/s", self.glyd("-v", "-c", "data").stderr)

    def test_names_cannot_talk_to_the_terminal(self):
        self.write("evil\x1b[2Jname", b"words")
        for done in (self.glyd("evil\x1b[2Jname"), self.glyd("evil\x1b[2Jname", expect=FAILED)):
            self.assertNotIn(b"\x1b", done.stderr)
            self.assertIn(b"evil\\x1B[2Jname", done.stderr)

    def test_errors_say_where(self):
        archive = bytearray(self.archive(text_bytes(100000)))
        archive[len(archive) // 2] ^= 1
        self.write("data.glyd", archive)
        done = self.glyd("-d", "data.glyd", expect=CORRUPT)
        self.assertRegex(done.stderr.decode(), r"^glyd: data\.glyd: .* at offset \d+.*--salvage.*\n$")
        self.assertEqual(self.files(), ["data.glyd"])

    def test_limits_say_which_option_helps(self):
        archive = self.archive(bytes(3 << 20))
        done = self.glyd("-dc", "--max-output=1M", stdin=archive, expect=LIMIT)
        self.assertIn(b"--max-output", done.stderr)
        self.assertEqual(done.stdout, b"")
        done = self.glyd("-dc", "-M64K", stdin=archive, expect=LIMIT)
        self.assertIn(b"-M", done.stderr)
        done = self.glyd("-c", "-19", "-M1M", stdin=text_bytes(100000), expect=LIMIT)
        self.assertIn(b"-M", done.stderr)


class OnTerminal(CommandTest):
    """Standard error is a terminal."""

    def run_on_terminal(self, *words, stdin=subprocess.DEVNULL, feed=None, environment=None):
        master, slave = pty.openpty()
        process = subprocess.Popen([GLYD, *words], stdin=stdin, stdout=subprocess.DEVNULL, stderr=slave,
                                   cwd=self.folder, env=environment)
        os.close(slave)
        shown = b""
        try:
            if feed:
                feed(process.stdin)
                process.stdin.close()
            while select.select([master], [], [], 60)[0]:
                piece = os.read(master, 4096)
                if not piece:
                    break
                shown += piece
        except OSError:  # a closed terminal ends in EIO
            pass
        os.close(master)
        return process.wait(timeout=60), shown.decode()

    @staticmethod
    def slowly(pipe):
        for _ in range(4):
            pipe.write(text_bytes(100000))
            pipe.flush()
            time.sleep(0.15)

    def test_progress_is_shown_and_cleared(self):
        code, shown = self.run_on_terminal("-o", "out", stdin=subprocess.PIPE, feed=self.slowly)
        self.assertEqual(code, OK)
        self.assertRegex(shown, r"\rstandard input: [\d.]+ KiB -> ")
        self.assertIn("MB/s", shown)
        last = shown.rindex("\r\x1b[K")
        self.assertRegex(shown[last:], r"^\r\x1b\[Kstandard input: .*out\)\r\n$")

    def test_progress_switched_off(self):
        for option in ("--no-progress", "-q", "--json"):
            _, shown = self.run_on_terminal(option, "-o", "out-" + option, stdin=subprocess.PIPE, feed=self.slowly)
            self.assertNotIn("\x1b", shown)

    def test_progress_keeps_out_of_a_pager(self):
        """Content on a pipe: who reads it may use the same terminal."""
        reader, writer = os.pipe()
        master, slave = pty.openpty()
        process = subprocess.Popen([GLYD], stdin=subprocess.PIPE, stdout=writer, stderr=slave)
        os.close(slave)
        os.close(writer)
        self.slowly(process.stdin)
        process.stdin.close()
        self.assertEqual(process.wait(timeout=60), OK)
        os.close(reader)
        try:
            shown = os.read(master, 4096)
        except OSError:  # a closed terminal ends in EIO
            shown = b""
        os.close(master)
        self.assertEqual(shown, b"")

    def test_colours_only_for_errors_and_only_where_wanted(self):
        environment = dict(os.environ, TERM="xterm")
        environment.pop("NO_COLOR", None)
        self.assertIn("\x1b[31m", self.run_on_terminal("none", environment=environment)[1])
        self.write("data", b"words")
        self.assertNotIn("\x1b", self.run_on_terminal("data", environment=environment)[1])
        self.assertNotIn("\x1b", self.run_on_terminal("--no-color", "none", environment=environment)[1])
        environment["NO_COLOR"] = "1"
        self.assertNotIn("\x1b", self.run_on_terminal("none", environment=environment)[1])
        environment = dict(os.environ, TERM="dumb")
        self.assertNotIn("\x1b", self.run_on_terminal("none", environment=environment)[1])

    def test_no_colours_in_a_pipe(self):
        self.assertNotIn(b"\x1b", self.glyd("none", expect=FAILED).stderr)


class Progress(CommandTest):
    def test_forced_where_no_terminal_is(self):
        process = self.start("--progress", "-o", "out")
        OnTerminal.slowly(process.stdin)
        _, error = process.communicate(timeout=60)
        self.assertIn(b"\rstandard input: ", error)
        self.assertTrue(error.endswith(b"out)\n"))

    def test_none_by_default(self):
        process = self.start("-o", "out")
        OnTerminal.slowly(process.stdin)
        _, error = process.communicate(timeout=60)
        self.assertNotIn(b"\r", error)


class Json(CommandTest):
    def lines(self, stream):
        return [json.loads(line) for line in stream.decode().splitlines()]

    def test_one_object_for_each_file(self):
        content = text_bytes(100000)
        self.write("data", content)
        done = self.glyd("--json", "data", "none", expect=FAILED)
        good, bad = self.lines(done.stdout)
        size = len(self.read("data.glyd"))
        self.assertEqual((good["name"], good["operation"], good["status"], good["output"]),
                         ("data", "compress", "ok", "data.glyd"))
        self.assertEqual((good["input_bytes"], good["output_bytes"]), (len(content), size))
        self.assertAlmostEqual(good["ratio"], len(content) / size, places=3)
        self.assertGreaterEqual(good["seconds"], 0)
        self.assertNotIn("error", good)
        self.assertEqual((bad["name"], bad["status"]), ("none", "failed"))
        self.assertIn("No such file", bad["error"])
        self.assertEqual(done.stderr, b"glyd: none: No such file or directory\n")

    def test_status_of_damage_and_limits(self):
        archive = self.archive(text_bytes(100000))
        self.write("damaged.glyd", archive[:-1])
        self.write("good.glyd", archive)
        damaged, large = self.lines(self.glyd("--json", "-t", "--max-output=1", "damaged.glyd", "good.glyd",
                                              expect=LIMIT).stdout)
        self.assertEqual((damaged["status"], large["status"]), ("limit", "limit"))
        (damaged,) = self.lines(self.glyd("--json", "-t", "damaged.glyd", expect=CORRUPT).stdout)
        self.assertEqual((damaged["status"], damaged["operation"]), ("corrupt", "test"))

    def test_goes_to_stderr_when_content_goes_to_stdout(self):
        self.write("data", b"words")
        done = self.glyd("--json", "-c", "data")
        self.assertEqual(self.restored(done.stdout), b"words")
        (line,) = self.lines(done.stderr)
        self.assertEqual((line["name"], line["input_bytes"]), ("data", 5))
        self.assertNotIn("output", line)

    def test_only_json_on_its_stream(self):
        """Warnings and errors for people keep out of it."""
        self.write("data", b"words")
        done = self.glyd("--json", "-c", "--rm", "data", "none", expect=FAILED)
        self.assertEqual([line["status"] for line in self.lines(done.stderr)], ["ok", "failed"])

    def test_any_name(self):
        for name in (b'quote"back\\slash', b"new\nline", b"\xff\xfebytes", "é€😀".encode()):
            with open(os.path.join(os.fsencode(self.folder), name), "wb") as file:
                file.write(b"words")
            (line,) = self.lines(self.glyd("--json", os.fsdecode(name)).stdout)
            self.assertEqual(os.fsencode(line["name"]), name)

    def test_list_and_info(self):
        self.write("data.glyd", self.archive(b"one") + self.archive(b"two!"))
        (listed,) = self.lines(self.glyd("-l", "--json", "data.glyd").stdout)
        self.assertEqual((listed["operation"], listed["output_bytes"], listed["frames"], listed["blocks"]),
                         ("list", 7, 2, 2))
        (info,) = self.lines(self.glyd("info", "--json", "data.glyd").stdout)
        self.assertEqual([frame["content_size"] for frame in info["frames"]], [3, 4])
        block = info["frames"][1]["blocks"][0]
        self.assertEqual((block["content_size"], block["content_offset"]), (4, 3))
        self.assertTrue(re.fullmatch("[0-9a-f]{32}", info["frames"][0]["xxh3_128"]))
        (bad,) = self.lines(self.glyd("-l", "--json", "none", expect=FAILED).stdout)
        self.assertEqual(bad["status"], "failed")

    def test_bench(self):
        self.write("data", text_bytes(200000))
        lines = self.lines(self.glyd("bench", "--json", "--runs=1", "--levels=fast,1", "data").stdout)
        self.assertEqual([line["level"] for line in lines], ["fast", "1"])
        for line in lines:
            self.assertEqual(line["input_bytes"], 200000)
            self.assertGreater(line["compress_mb_s"], 0)
            self.assertGreater(line["decompress_mb_s"], 0)
