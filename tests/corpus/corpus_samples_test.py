"""The samples of corpus/ are what MANIFEST.tsv says, all of them, and may be passed on."""

import csv
import hashlib
import pathlib
import unittest

CORPUS = pathlib.Path(__file__).resolve().parents[2] / "corpus"
COLUMNS = ["kind", "path", "sha256", "size", "licence", "origin"]
# A clone should stay small.
MOST_SAMPLE_BYTES = 2_000_000


def manifest():
    with open(CORPUS / "MANIFEST.tsv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


class Manifest(unittest.TestCase):
    def test_columns_and_kinds(self):
        rows = manifest()
        self.assertEqual(list(rows[0]), COLUMNS)
        for row in rows:
            self.assertIn(row["kind"], ("sample", "fetched"), row)
            self.assertRegex(row["sha256"], r"\A[0-9a-f]{64}\Z", row)
            for column in COLUMNS:
                self.assertTrue(row[column], f"{column} is empty: {row}")

    def test_samples_match(self):
        samples = [row for row in manifest() if row["kind"] == "sample"]
        self.assertTrue(samples)
        for row in samples:
            data = (CORPUS / row["path"]).read_bytes()
            self.assertEqual(len(data), int(row["size"]), row["path"])
            self.assertEqual(hashlib.sha256(data).hexdigest(), row["sha256"], row["path"])

    def test_every_sample_is_listed(self):
        listed = {row["path"] for row in manifest() if row["kind"] == "sample"}
        # Licence texts accompany the samples and are named in the licence column.
        licences = " ".join(row["licence"] for row in manifest())
        present = {str(path.relative_to(CORPUS)) for path in (CORPUS / "samples").rglob("*") if path.is_file()}
        self.assertEqual({path for path in present if path not in licences}, listed)

    def test_samples_are_small(self):
        self.assertLess(sum(path.stat().st_size for path in (CORPUS / "samples").rglob("*") if path.is_file()),
                        MOST_SAMPLE_BYTES)

    def test_the_first_sample_is_worth_showing(self):
        """install.sh compresses it before its user's eyes."""
        first = next(row for row in manifest() if row["kind"] == "sample")
        self.assertGreaterEqual(int(first["size"]), 300_000)
        self.assertLessEqual(int(first["size"]), 1_000_000)


if __name__ == "__main__":
    unittest.main()
