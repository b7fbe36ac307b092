#!/usr/bin/env python3
"""Makes test content: the same kind, size and seed give the same bytes on every machine and Python.

    corpus/generate.py logs --size 1M --seed 7 > some.log
    corpus/generate.py --list

As a module: generate.make("csv", 100_000, seed=1) -> bytes. Content is cut at exactly `size` bytes, mid-line if
need be. Randomness is an xorshift64* generator of this file, because that of Python's library may change.
"""

import argparse
import json
import sys

MASK = (1 << 64) - 1


class Random:
    """xorshift64* (Marsaglia 2003, Vigna 2014): 64 bits of state, never zero."""

    def __init__(self, seed):
        self._state = ((seed + 1) * 0x9E3779B97F4A7C15) & MASK or 1

    def next(self):
        """The next 64-bit number."""
        x = self._state
        x ^= x >> 12
        x ^= (x << 25) & MASK
        x ^= x >> 27
        self._state = x
        return (x * 0x2545F4914F6CDD1D) & MASK

    def below(self, bound):
        """A number from 0 to bound - 1. The high bits are the good ones."""
        return ((self.next() >> 32) * bound) >> 32

    def pick(self, choices):
        return choices[self.below(len(choices))]


WORDS = ("alpha", "beta", "cache", "delta", "engine", "frame", "graph", "handler", "index", "journal", "kernel",
         "ledger", "mirror", "node", "object", "packet", "queue", "record", "session", "table", "update", "volume",
         "window", "zone")
LEVELS = ("INFO", "INFO", "INFO", "INFO", "DEBUG", "DEBUG", "WARN", "ERROR")
CITIES = ("Aachen", "Bergen", "Córdoba", "Dublin", "Évora", "Florence", "Gdańsk", "Helsinki", "Izmir", "Łódź",
          "Malmö", "Zürich")


def _time_text(milliseconds):
    """A time on one of the days of January 2024, for lines that count upwards."""
    seconds, ms = divmod(milliseconds, 1000)
    minutes, second = divmod(seconds, 60)
    hours, minute = divmod(minutes, 60)
    day, hour = divmod(hours, 24)
    return f"2024-01-{day % 31 + 1:02d}T{hour:02d}:{minute:02d}:{second:02d}.{ms:03d}Z"


def _address(random):
    return f"10.{random.below(4)}.{random.below(256)}.{random.below(256)}"


def logs(random):
    """Lines of a service: time, level, thread, message with a few values in it."""
    clock = 0
    while True:
        clock += random.below(700)
        head = f"{_time_text(clock)} {random.pick(LEVELS)} [worker-{random.below(16)}] "
        kind = random.below(4)
        if kind == 0:
            text = f"GET /{random.pick(WORDS)}/{random.below(100000)} from {_address(random)} took {random.below(900)} ms"
        elif kind == 1:
            text = f"{random.pick(WORDS)} {random.pick(WORDS)}-{random.next():016x} stored in {random.below(9000)} us"
        elif kind == 2:
            text = f"connection from {_address(random)}:{1024 + random.below(60000)} closed after {random.below(5000)} bytes"
        else:
            text = f"retry {random.below(5)} of {random.pick(WORDS)}: timeout waiting for {random.pick(WORDS)}"
        yield (head + text + "\n").encode()


def csv_rows(random):
    """A table with a header, numbers, dates, empty fields and quoted text."""
    yield b"id,city,amount,date,note\n"
    number = 1000
    while True:
        number += 1 + random.below(3)
        note = random.pick(("", "", "", "ok", f'"{random.pick(WORDS)}, {random.pick(WORDS)}"', '"said ""no"""'))
        yield (f"{number},{random.pick(CITIES)},{random.below(100000) / 100:.2f},"
               f"2024-{1 + random.below(12):02d}-{1 + random.below(28):02d},{note}\n").encode()


def json_lines(random):
    """One object a line, with a nested one, an array, a null now and then and a float."""
    number = 0
    while True:
        number += 1
        record = {"id": number, "user": {"name": random.pick(WORDS) + str(random.below(500)), "city": random.pick(CITIES)},
                  "tags": [random.pick(WORDS) for _ in range(random.below(4))],
                  "score": random.below(10000) / 100, "parent": random.pick((None, number - random.below(50)))}
        yield (json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n").encode()


def sql(random):
    """A dump: a table, then INSERT statements of many rows."""
    yield b"CREATE TABLE orders (id INTEGER PRIMARY KEY, item TEXT, price REAL, placed TEXT);\n"
    number = 0
    while True:
        rows = []
        for _ in range(20 + random.below(20)):
            number += 1
            item = random.pick((random.pick(WORDS), f"{random.pick(WORDS)}''s", "NULL"))
            item = item if item == "NULL" else f"'{item}'"
            rows.append(f"({number},{item},{random.below(50000) / 100:.2f},'2024-01-{1 + random.below(28):02d}')")
        yield ("INSERT INTO orders VALUES " + ",".join(rows) + ";\n").encode()


def random_bytes(random):
    """Nothing to find."""
    while True:
        yield random.next().to_bytes(8, "little")


def all_equal(random):
    """One byte value, which the seed chooses."""
    piece = bytes([random.below(256)]) * 65536
    while True:
        yield piece


def sparse(random):
    """Zeros with a little island of text every 64 KiB or so, like a disk image."""
    while True:
        yield bytes(32768 + random.below(65536))
        yield " ".join(random.pick(WORDS) for _ in range(1 + random.below(200))).encode()


def records(random):
    """Binary records of 24 bytes: counter, time that grows, small number, measured value that drifts, flags."""
    time, value = 1_700_000_000_000, 20_000
    number = 0
    while True:
        number += 1
        time += 900 + random.below(200)
        value += random.below(41) - 20
        yield (number.to_bytes(4, "little") + time.to_bytes(8, "little") + random.below(12).to_bytes(2, "little")
               + value.to_bytes(4, "little", signed=True) + random.pick((0, 0, 0, 1, 4)).to_bytes(2, "little")
               + bytes(4))


def long_lines(random):
    """Lines of 100 000 to 1 000 000 bytes."""
    while True:
        size = 100_000 + random.below(900_000)
        pieces, held = [], 0
        while held < size:
            piece = random.pick(WORDS) + str(random.below(1000)) + " "
            pieces.append(piece)
            held += len(piece)
        yield ("".join(pieces)[:size] + "\n").encode()


def nul_bytes(random):
    """Text with NUL bytes as separators, and runs of them."""
    while True:
        yield random.pick(WORDS).encode() + b"\0" * random.pick((1, 1, 1, 2, 40))


def crlf(random):
    """Lines that end in CR LF, with a lone CR or LF now and then."""
    while True:
        words = " ".join(random.pick(WORDS) for _ in range(random.below(12)))
        yield words.encode() + random.pick((b"\r\n",) * 14 + (b"\n", b"\r"))


def invalid_utf8(random):
    """Mostly UTF-8 text, with stray continuation bytes, cut sequences, overlong forms and surrogates in it."""
    broken = (b"\x80", b"\xc3", b"\xe2\x82", b"\xf0\x9f\x98", b"\xc0\xaf", b"\xed\xa0\x80", b"\xff", b"\xf5\x80\x80\x80")
    while True:
        yield random.pick(CITIES).encode() + random.pick((b" ",) * 12 + (b"\n", random.pick(broken)))


KINDS = {
    "logs": logs, "csv": csv_rows, "jsonl": json_lines, "sql": sql, "random": random_bytes, "equal": all_equal,
    "sparse": sparse, "records": records, "long-lines": long_lines, "nul": nul_bytes, "crlf": crlf,
    "invalid-utf8": invalid_utf8,
}


def pieces(kind, size, seed=1):
    """Yields `size` bytes of content of a kind in pieces of about 64 KiB. Raises KeyError for an unknown kind."""
    source = KINDS[kind](Random(seed))
    left, held, gathered = size, 0, []
    while left > 0:
        piece = next(source)[:left]
        gathered.append(piece)
        held += len(piece)
        left -= len(piece)
        if held >= 65536 or left == 0:
            yield b"".join(gathered)
            held, gathered = 0, []


def make(kind, size, seed=1):
    """`size` bytes of content of a kind."""
    return b"".join(pieces(kind, size, seed))


def size_in_bytes(text):
    """'1500', '64K', '10M', '1G': powers of 1024."""
    units = {"K": 10, "M": 20, "G": 30}
    shift = units.get(text[-1:].upper(), 0)
    try:
        value = int(text[:-1] if shift else text) << shift
    except ValueError:
        value = -1
    if value < 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size such as 1500, 64K or 10M")
    return value


def main():
    parser = argparse.ArgumentParser(description="Writes made-up content to standard output.")
    parser.add_argument("kind", nargs="?", choices=sorted(KINDS))
    parser.add_argument("--size", type=size_in_bytes, default=1 << 20, help="bytes; K, M, G allowed (default 1M)")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other bytes (default 1)")
    parser.add_argument("--list", action="store_true", help="list the kinds")
    args = parser.parse_args()
    if args.list:
        for name, function in KINDS.items():
            print(f"{name:13} {function.__doc__.splitlines()[0]}")
        return 0
    if args.kind is None:
        parser.error("say which kind (--list shows them)")
    try:
        for piece in pieces(args.kind, args.size, args.seed):
            sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        sys.stderr.close()  # the reader has enough; Python would complain once more at exit
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
