"""The targets of issue 3, "What it must show": what is asked, what was measured, whether it is met, file by file."""

import dataclasses

from . import results, suites

GLYD_DEFAULT, ZSTD_DEFAULT, ZSTD_SINGLE = ("glyd", "3", "1"), ("zstd", "3", "1"), ("zstd", "3", "single")
GLYD_TWO, ZSTD_TWO = ("glyd", "3", "2"), ("zstd", "3", "2")
GLYD_HIGH, ZSTD_HIGH = ("glyd", "19", "1"), ("zstd", "19", "1")
GLYD_FAST, LZ4 = ("glyd", "fast", "1"), ("lz4", "1", "1")


@dataclasses.dataclass(frozen=True)
class Target:
    """`measure` gives a number of two Results; met when it is at most (`at_most`) or at least `bound`."""
    name: str
    ours: tuple
    theirs: tuple
    measure: callable
    bound: float
    at_most: bool
    min_bytes: int
    verdict: bool = True  # False: recorded beside the target, not itself asked for

    def meets(self, value):
        return value <= self.bound if self.at_most else value >= self.bound

    def asked(self):
        return f"{'<=' if self.at_most else '>='} {self.bound:g} x"


@dataclasses.dataclass(frozen=True)
class Outcome:
    target: Target
    total: float           # over all files together; None when nothing was measured
    per_file: list         # [(file, value)]

    def missed(self):
        return [(name, value) for name, value in self.per_file if not self.target.meets(value)]

    def word(self):
        """met, MISSED, or not measured. Met means: in total and on every file."""
        if self.total is None:
            return "not measured"
        if not self.target.meets(self.total):
            return "MISSED"
        count = len(self.missed())
        return f"MISSED on {count} of {len(self.per_file)} files" if count else "met"


def size(ours, theirs):
    return ours.packed / theirs.packed


def in_speed(ours, theirs):
    return theirs.c_wall / ours.c_wall


def out_speed(ours, theirs):
    return theirs.d_wall / ours.d_wall


def test_speed(ours, theirs):
    return theirs.t_wall / ours.t_wall


def _speed_pair(title, ours, theirs, bounds, min_bytes, verdict=True):
    return [Target(f"{title}: compression speed", ours, theirs, in_speed, bounds[0], False, min_bytes, verdict),
            Target(f"{title}: decompression speed", ours, theirs, out_speed, bounds[1], False, min_bytes, verdict)]


TARGETS = [
    Target("default level against zstd -3: size", GLYD_DEFAULT, ZSTD_DEFAULT, size, 1.005, True, 0),
    *_speed_pair("default level against zstd -3, one thread", GLYD_DEFAULT, ZSTD_DEFAULT, (0.95, 0.95),
                 suites.SPEED_BYTES),
    *_speed_pair("the same against zstd --single-thread", GLYD_DEFAULT, ZSTD_SINGLE, (0.95, 0.95),
                 suites.SPEED_BYTES, False),
    Target("two threads against zstd -3 -T2, files >= 64 MB: compression speed", GLYD_TWO, ZSTD_TWO, in_speed, 1.0,
           False, suites.TWO_THREAD_BYTES),
    Target("two threads against the zstd program, files >= 64 MB: decompression speed", GLYD_TWO, ZSTD_DEFAULT,
           out_speed, 1.8, False, suites.TWO_THREAD_BYTES),
    Target("the same with -t, which decodes and checks but writes no file", GLYD_TWO, ZSTD_DEFAULT, test_speed, 1.8,
           False, suites.TWO_THREAD_BYTES, False),
    Target("-19 against zstd -19: size", GLYD_HIGH, ZSTD_HIGH, size, 1.005, True, 0),
    Target("--fast against lz4 -1: size", GLYD_FAST, LZ4, size, 1.005, True, 0),
    *_speed_pair("--fast against lz4 -1", GLYD_FAST, LZ4, (0.9, 0.9), suites.SPEED_BYTES),
]


def evaluate(measured):
    """One Outcome for each target, from a results.Results."""
    outcomes = []
    for target in TARGETS:
        pairs = measured.pairs(target.ours, target.theirs, target.min_bytes)
        if not pairs:
            outcomes.append(Outcome(target, None, []))
            continue
        ours = results.total(pair[1] for pair in pairs)
        theirs = results.total(pair[2] for pair in pairs)
        outcomes.append(Outcome(target, target.measure(ours, theirs),
                                [(name, target.measure(our, their)) for name, our, their in pairs]))
    return outcomes
