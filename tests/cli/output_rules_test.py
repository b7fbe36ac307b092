"""Names, overwriting, and what the output inherits from the input."""

import os
import stat
import unittest

from command_testing import CORRUPT, FAILED, CommandTest, text_bytes

SUFFIXES = {"x.glyd": "x", "x.tar.glyd": "x.tar", "x.gz": "x", "x.bz2": "x", "x.xz": "x", "x.lzma": "x",
            "x.zst": "x", "x.lz4": "x", "x.tgz": "x.tar", "x.tbz2": "x.tar", "x.txz": "x.tar", "x.tzst": "x.tar",
            "x.tlz4": "x.tar", "a.b.glyd": "a.b"}


class Names(CommandTest):
    def test_suffixes(self):
        archive = self.archive(b"words")
        for name, restored in SUFFIXES.items():
            with self.subTest(name=name):
                self.write(name, archive)
                self.glyd("-d", name)
                self.assertEqual(self.read(restored), b"words")
                os.unlink(self.path(restored))
                os.unlink(self.path(name))

    def test_unknown_suffix_says_what_to_do(self):
        for name in ("x.bin", "x", ".glyd", "x.GLYD"):
            with self.subTest(name=name):
                self.write(name, self.archive(b"words"))
                done = self.glyd("-d", name, expect=FAILED)
                self.assertIn(b"-o", done.stderr)
                self.assertEqual(self.files(), [name])
                self.glyd("-d", name, "-o", "back")
                self.assertEqual(self.read("back"), b"words")
                os.unlink(self.path("back"))
                os.unlink(self.path(name))

    def test_suffix_only_below_a_folder(self):
        os.mkdir(self.path("f"))
        self.write("f/.gz", self.archive(b"words"))
        self.glyd("-d", "f/.gz", expect=FAILED)

    def test_archive_is_not_compressed_again_unless_forced(self):
        self.write("x.glyd", self.archive(b"words"))
        done = self.glyd("x.glyd", expect=FAILED)
        self.assertIn(b"already", done.stderr)
        self.assertEqual(self.files(), ["x.glyd"])
        self.glyd("-f", "x.glyd")
        self.assertEqual(self.files(), ["x.glyd", "x.glyd.glyd"])
        self.assertEqual(self.restored(self.restored(self.read("x.glyd.glyd"))), b"words")

    def test_name_too_long_for_a_suffix(self):
        name = "n" * 253
        self.write(name, b"words")
        done = self.glyd(name, expect=FAILED)
        self.assertIn(b"too long", done.stderr)
        self.assertEqual(self.files(), [name])

    def test_odd_names(self):
        for name in (b"with space", b"-dash", b"new\nline", b"\xff\xfe", "é".encode(), b"[brackets]", b"*"):
            with self.subTest(name=name):
                path = os.path.join(os.fsencode(self.folder), name)
                with open(path, "wb") as file:
                    file.write(b"words")
                self.glyd("--", os.fsdecode(name))
                os.unlink(path)
                self.glyd("-d", "--rm", "--", os.fsdecode(name) + ".glyd")
                with open(path, "rb") as file:
                    self.assertEqual(file.read(), b"words")
                os.unlink(path)

    def test_output_named_with_brackets(self):
        self.write("data", b"words")
        self.glyd("data", "-o", "[a,b]")
        self.assertEqual(self.restored(self.read("[a,b]")), b"words")

    def test_files_named_like_commands(self):
        for name in ("info", "bench", "completion"):
            self.write(name, b"words")
            self.glyd("./" + name)
            self.glyd("-f", name)
            self.glyd("-f", "--", name)
            self.assertEqual(self.restored(self.read(name + ".glyd")), b"words")


class Overwriting(CommandTest):
    def test_refused_without_force(self):
        self.write("data", b"words")
        self.write("data.glyd", b"precious")
        done = self.glyd("data", expect=FAILED)
        self.assertIn(b"data.glyd exists; use -f", done.stderr)
        self.assertEqual(self.read("data.glyd"), b"precious")
        self.assertEqual(self.files(), ["data", "data.glyd"])

    def test_forced(self):
        self.write("data", b"words")
        self.write("data.glyd", b"precious")
        self.glyd("-f", "data")
        self.assertEqual(self.restored(self.read("data.glyd")), b"words")
        self.assertEqual(self.files(), ["data", "data.glyd"])

    def test_old_output_stays_when_the_new_one_fails(self):
        self.write("data.glyd", self.archive(text_bytes(50000))[:-20])
        self.write("data", b"precious")
        self.glyd("-df", "data.glyd", expect=CORRUPT)
        self.assertEqual(self.read("data"), b"precious")
        self.assertEqual(self.files(), ["data", "data.glyd"])

    def test_input_is_never_its_own_output(self):
        self.write("data", b"words")
        os.link(self.path("data"), self.path("other"))
        for output in ("data", "./data", "other"):
            done = self.glyd("-f", "data", "-o", output, expect=FAILED)
            self.assertIn(b"same file", done.stderr)
        self.assertEqual(self.read("data"), b"words")

    def test_folder_as_output(self):
        self.write("data", b"words")
        os.mkdir(self.path("data.glyd"))
        done = self.glyd("-f", "data", expect=FAILED)
        self.assertIn(b"is a folder", done.stderr)

    def test_folder_that_does_not_exist(self):
        self.write("data", b"words")
        done = self.glyd("data", "-o", "none/out", expect=FAILED)
        self.assertIn(b"No such file", done.stderr)

    def test_existing_link_stays_a_link(self):
        self.write("data", b"words")
        os.mkdir(self.path("store"))
        self.write("store/real", b"old")
        os.symlink("store/real", self.path("data.glyd"))
        self.glyd("data", expect=FAILED)
        self.glyd("-f", "data")
        self.assertTrue(os.path.islink(self.path("data.glyd")))
        self.assertEqual(self.restored(self.read("store/real")), b"words")

    def test_dangling_link_is_not_overwritten_unasked(self):
        self.write("data", b"words")
        os.symlink("nowhere", self.path("data.glyd"))
        self.glyd("data", expect=FAILED)
        self.glyd("-f", "data")
        self.assertEqual(self.restored(self.read("data.glyd")), b"words")

    def test_devices_are_written_to(self):
        self.write("data", b"words")
        self.glyd("data", "-o", "/dev/null")
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))


class Inheritance(CommandTest):
    def test_mode_and_times(self):
        self.write("data", b"words")
        os.chmod(self.path("data"), 0o640)
        os.utime(self.path("data"), ns=(1_600_000_000_123_456_789, 1_500_000_000_987_654_321))
        self.glyd("data")
        packed = os.stat(self.path("data.glyd"))
        self.assertEqual(stat.S_IMODE(packed.st_mode), 0o640)
        self.assertEqual(packed.st_mtime_ns, 1_500_000_000_987_654_321)
        os.unlink(self.path("data"))
        self.glyd("-d", "data.glyd")
        restored = os.stat(self.path("data"))
        self.assertEqual(stat.S_IMODE(restored.st_mode), 0o640)
        self.assertEqual(restored.st_mtime_ns, 1_500_000_000_987_654_321)

    def test_read_only_input(self):
        self.write("data", b"words")
        os.chmod(self.path("data"), 0o444)
        self.glyd("--rm", "data")
        self.assertEqual(stat.S_IMODE(os.stat(self.path("data.glyd")).st_mode), 0o444)

    def test_from_standard_input_the_umask_decides(self):
        old = os.umask(0o027)
        try:
            self.glyd("-o", "out", stdin=b"words")
        finally:
            os.umask(old)
        self.assertEqual(stat.S_IMODE(os.stat(self.path("out")).st_mode), 0o640)

    @unittest.skipUnless(os.geteuid() == 0, "only root gives files away")
    def test_owner(self):
        self.write("data", b"words")
        os.chown(self.path("data"), 1234, 2345)
        os.chmod(self.path("data"), 0o4755)
        self.glyd("data")
        info = os.stat(self.path("data.glyd"))
        self.assertEqual((info.st_uid, info.st_gid, stat.S_IMODE(info.st_mode)), (1234, 2345, 0o4755))

    @unittest.skipUnless(os.geteuid() == 0, "needs to become another user")
    def test_other_user_gets_no_more_than_allowed(self):
        os.chmod(self.folder, 0o777)
        self.write("data", b"words")
        os.chown(self.path("data"), 0, 0)
        os.chmod(self.path("data"), 0o4754)
        self.glyd("data", user=1234, group=2345, extra_groups=[])
        info = os.stat(self.path("data.glyd"))
        self.assertEqual((info.st_uid, info.st_gid), (1234, 2345))
        self.assertEqual(stat.S_IMODE(info.st_mode), 0o744)

    def test_rm_and_keep_last_one_counts(self):
        self.write("data", b"words")
        self.glyd("--rm", "-k", "data")
        self.assertEqual(self.files(), ["data", "data.glyd"])
        self.glyd("-k", "--rm", "-f", "data")
        self.assertEqual(self.files(), ["data.glyd"])
