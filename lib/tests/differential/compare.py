"""compare.py BUILD [--seeds FIRST-LAST] [--jobs N] [--keep]: makes the seeds' programs, runs each
on our library and on libuv, and shows where the logs differ, shrunk, as a C program."""

import argparse
import concurrent.futures
import difflib
import os
import pathlib
import sys
import time

sys.dont_write_bytecode = True  # nothing of it stays in the folder of the sources

import emit
import generate
import libraries
import rules
import shrink

BATCH = 40
REPEATS = 4
LINES = 60  # of a difference are shown; all are in the file


def same(ours, theirs):
    theirs = rules.normalised(theirs)
    ours = rules.brought_near(theirs, rules.normalised(ours))
    return ours == theirs or rules.is_open(theirs, ours)


class Comparison:
    def __init__(self, ours, peers):
        self.ours, self.peers = ours, peers

    def peers_for(self, text):
        words = text.split("\n", 1)[0].split()
        if words[:1] != ["for"]:
            return self.peers
        return [peer for peer in self.peers if peer.version in words]

    def batch(self, seeds):
        """[(seed, text, peer)] of the programs whose logs differ each time they are run."""
        programs = {str(seed): generate.program(seed) for seed in seeds}
        found = []
        ours = self.ours.run(programs)
        for peer in self.peers:
            wanted = {name: text for name, text in programs.items()
                      if peer in self.peers_for(text)}
            theirs = peer.run(wanted)
            for name, text in wanted.items():
                if rules.gives_no_verdict(theirs[name]):
                    if rules.ends_among_threads(text) and rules.has_died(ours[name]):
                        found.append((int(name), text, peer))
                    continue
                if not same(ours[name], theirs[name]) and (
                        rules.has_died(ours[name]) or self.differs(text, peer)):
                    found.append((int(name), text, peer))
        return found

    def differs(self, text, peer, repeats=REPEATS):
        """Whether no run of ours gives a log that a run of the peer gives."""
        ours, theirs = [], []
        for _ in range(repeats):
            ours.append(self.ours.run({"it": text})["it"])
            theirs.append(peer.run({"it": text})["it"])
            if rules.ends_among_threads(text) and rules.has_died(ours[-1]):
                return True
            if rules.gives_no_verdict(theirs[-1]) or any(
                    same(left, right) for left in ours for right in theirs):
                return False
        return True

    def report(self, seed, text, peer, folder):
        """Shrinks the program and writes what it shows into the folder."""
        small = shrink.shrink(text, lambda one: self.differs(one, peer, repeats=2))
        ours = rules.normalised(self.ours.run({"it": small})["it"])
        theirs = rules.normalised(peer.run({"it": small})["it"])
        diff = "\n".join(difflib.unified_diff(theirs, ours, f"{peer.name} {peer.version}", "ours",
                                              lineterm="", n=12))
        diff += f"\n{self.ours.complaint[-4000:]}"
        folder.mkdir(parents=True, exist_ok=True)
        base = folder / f"{seed}-{peer.version}"
        for ending, content in (("program", small), ("diff", diff + "\n"),
                                ("c", emit.program(small))):
            pathlib.Path(f"{base}.{ending}").write_text(content, encoding="utf-8")
        return small, diff


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--seeds", default="1-20000")
    parser.add_argument("--peer", choices=("debian", "testing", "both"), default="both")
    parser.add_argument("--jobs", type=int, default=2 * (os.cpu_count() or 1))
    parser.add_argument("--most", type=int, default=20, help="differences to shrink")
    return parser.parse_args()


def libraries_for(arguments):
    build = arguments.build.resolve()
    peers = []
    if arguments.peer in ("debian", "both"):
        peers.append(libraries.debian(build))
    if arguments.peer in ("testing", "both"):
        peers.append(libraries.testing(build))
    return libraries.ours(build), [peer for peer in peers if peer is not None]


def known():
    """{seed: reason} of the programs that meet a known difference."""
    text = (pathlib.Path(__file__).parent / "known.txt").read_text(encoding="utf-8")
    rows = (line.split(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    return {int(seed): reason for seed, reason in rows}


def main():
    arguments = parse()
    ours, peers = libraries_for(arguments)
    if not peers:
        print("There is no libuv to compare with.")
        return 77
    first, last = (int(word) for word in arguments.seeds.split("-"))
    comparison = Comparison(ours, peers)
    began = time.monotonic()
    found = []
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        waiting = [pool.submit(comparison.batch, range(start, min(start + BATCH, last + 1)))
                   for start in range(first, last + 1, BATCH)]
        for future in waiting:
            found += future.result()
    reasons = known()
    for seed in sorted({seed for seed, _, _ in found if seed in reasons}):
        print(f"Seed {seed} differs, as is known: {reasons[seed]}")
    found = [row for row in found if row[0] not in reasons]
    folder = arguments.build / "differential"
    for seed, text, peer in found[:arguments.most]:
        small, diff = comparison.report(seed, text, peer, folder)
        shown = "\n".join(diff.split("\n")[:LINES])
        print(f"Seed {seed} differs from {peer.name} {peer.version}:\n{small}\n{shown}\n")
    versions = " and ".join(peer.version for peer in peers)
    print(f"{last - first + 1} programs, compared with libuv {versions}: {len(found)} differ "
          f"({time.monotonic() - began:.0f} s)")
    if len(found) > arguments.most:
        print("Also:", " ".join(f"{seed}({peer.version})" for seed, _, peer in
                                found[arguments.most:]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
