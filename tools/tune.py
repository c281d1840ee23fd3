#!/usr/bin/env python3
"""tune.py - measures whether the numbers of src/base/tuning.def are still right: each one's case
with the number as it is, at half and at double its value, in alternation.

    tools/tune.py                     all numbers
    tools/tune.py SUM_PARTS cached    these
    tools/tune.py SUM_PARTS --times 0.25,0.5,2,4 --cases 'reduce_sum,psum_*'
    tools/tune.py AWAY_MOST --neighbour       beside busy processes on all cores but one

For each factor a line has two ratios: the least and the median time with the number changed, over
that with the number as it is; less than 1 is faster. Where the case is a test, whether it passes,
and the ratio of the least times. The last column says `faster` where a factor wins 3 % or more, and
`nothing` where no factor changes the time by as much, nor fails the test or takes a quarter more of
its time: then the case is not the number's case, or nothing is and the number should go.

A row of TARGET is changed for all instruction sets, and measured with the one that TSR_CPU names,
or the processor's; its value is printed for that one.

What is measured is what is released: sources that use the number are compiled with a changed copy
of the table, and linked to a library, a plug-in or a test beside those of a release build
(build/tune). That takes Ninja, and ld.lld if it is not to take long."""
import argparse
import fnmatch
import json
import os
import pathlib
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from check_tuning import ROOT, ROW, TABLE
sys.path.insert(0, str(ROOT / "bench"))
from run import neighbours  # noqa: E402

SETS = ("fma", "avx2", "avx512")
WIDEST = ("avx512f", "avx512vl", "avx512bw", "avx512dq")
PLUGIN, LIBRARY = "tsr_native_objects.dir", "tsr_objects.dir"
LIBRARY_LTO = "tsr_lto_objects.dir"  # of a build that optimizes across files
CLEAR, CLEAR_OF_TESTS = 0.03, 0.25  # differences that are none of chance


def output_of(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **more)
    if done.returncode:
        line = command if isinstance(command, str) else " ".join(map(str, command))
        raise RuntimeError(f"{line[:200]}: exit status {done.returncode}\n{done.stderr.strip()}")
    return done.stdout


# ---- numbers

def column():
    """which member of a TARGET row counts here"""
    flags = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").split()
    here = 2 if all(f in flags for f in WIDEST) else 1 if "avx2" in flags else 0
    asked = os.environ.get("TSR_CPU")
    return min(here, SETS.index(asked)) if asked in SETS else here


class Number:
    """a row of the table"""

    def __init__(self, row):
        self.kind, self.name, self.numbers, self.unit, self.case, _ = row
        members = self.numbers.split(", ")
        self.value = members[column() if self.kind == "TARGET" else 0]

    def changed(self, times):
        """the table with this number times as large"""
        if self.kind == "TUNING":
            now = str(int(int(self.value) * times))
        else:
            now = ", ".join(f"{float(x) * times:g}" for x in self.numbers.split(", "))
        start = f"{self.kind}({self.name}, "
        return TABLE.read_text(encoding="utf-8").replace(start + self.numbers, start + now)

    def users(self):
        """the sources that are compiled with it"""
        if self.kind == "TARGET":
            return {ROOT / "src/pass/target.c"}
        word = re.compile(rf"\bTUNE_{self.name}\b")
        found = {path for path in (ROOT / "src").rglob("*.[ch]")
                 if word.search(path.read_text(encoding="utf-8"))}
        if any(path.suffix == ".h" for path in found):
            raise RuntimeError(f"{self.name} is used in a header: who includes it is not known")
        return found


# ---- builds

class Build:
    """a release build, and variants of it"""

    def __init__(self, folder, given):
        self.folder = folder
        self.linker = ["-fuse-ld=lld"] if shutil.which("ld.lld") else []
        if not shutil.which("ninja"):
            sys.exit("tune: there is no ninja (Debian and Ubuntu: ninja-build)")
        self.given = given
        if not given:
            output_of(["cmake", "--preset", "release", "-B", folder, "-G", "Ninja",
                       "-DTSR_TESTS=ON", "-DTSR_LTO=OFF"], cwd=ROOT)
            self.make("bench")
        lists = json.loads((folder / "compile_commands.json").read_text(encoding="utf-8"))
        self.compile = {}
        for entry in lists:
            if any(part in entry["command"] for part in (PLUGIN, LIBRARY, LIBRARY_LTO)):
                words = shlex.split(entry["command"])
                self.compile.setdefault(pathlib.Path(entry["file"]), []).append(words)
        self.listed = {}

    def make(self, target):
        if not self.given:
            output_of(["cmake", "--build", self.folder, "--target", target])

    def link(self, target, to, replaced, archive):
        """links a target to another place, with other objects"""
        command = output_of(["ninja", "-C", self.folder, "-t", "commands", "-s", target])
        words = [replaced.get(w, w) for w in shlex.split(command.strip().split("\n")[-1])]
        words = words[words.index("&&") + 1:]
        words = words[:words.index("&&")]
        if not any(w.startswith("-flto") for w in words):
            words += self.linker
        at = words.index("-o")
        words[at + 1] = str(to)
        words[at + 2:at + 2] = archive
        output_of(words, cwd=self.folder)

    def variant(self, number, times, folder):
        """compiles into the folder what the number is in; gives the changed objects, by the ones
        that they replace"""
        (folder / "base").mkdir(parents=True)
        (folder / "base/tuning.def").write_text(number.changed(times), encoding="utf-8")
        objects = {}
        for path in sorted(number.users()):
            for words in self.compile[path]:
                at = words.index("-o") + 1
                to = folder / f"{len(objects)}.o"
                objects[words[at]] = str(to)
                first = next(i for i, w in enumerate(words) if w.startswith("-I"))
                output_of(words[:first] + [f"-I{folder}"] + words[first:at] + [str(to)] +
                          words[at + 1:], cwd=self.folder)
        return objects

    def place(self, pattern, parts, objects, folder):
        """the library or the plug-in, in the folder: linked, if objects of these parts are new"""
        target = next(self.folder.glob(pattern)).name
        to = folder / re.sub(r"(so\.\d+\.\d+)\.\d+$", r"\1", target)
        if to.exists():
            return
        if any(part in name for name in objects for part in parts):
            self.link(target, to, objects, [])
        else:
            to.symlink_to(self.folder / target)

    def test(self, name):
        """command, folder and environment of a test"""
        if not self.listed.get(name, (None,))[0]:
            self.make(name.replace(".", "_"))
            shown = output_of(["ctest", "--test-dir", self.folder, "--show-only=json-v1"])
            for test in json.loads(shown)["tests"]:
                properties = {p["name"]: p["value"] for p in test["properties"]}
                self.listed[test["name"]] = (test.get("command"), properties)
        command, properties = self.listed[name]
        if not command:
            raise RuntimeError(f"{name} is not built")
        return command, properties["WORKING_DIRECTORY"], dict(
            x.split("=", 1) for x in properties["ENVIRONMENT"])


# ---- measuring

class Variant:
    """the case with a number as it is (times 1) or changed"""

    def __init__(self, build, number, case, times, folder):
        self.build, self.case, self.folder = build, case, folder
        objects = {}
        if times == 1:
            self.folder = build.folder
        elif not folder.exists():
            objects = build.variant(number, times, folder)
            (folder / "objects.json").write_text(json.dumps(objects), encoding="utf-8")
        else:
            objects = json.loads((folder / "objects.json").read_text(encoding="utf-8"))
        if times != 1:
            build.place("libtsr-cpu-*.so", (PLUGIN,), objects, folder)
        if times != 1 and not self.is_test():  # tests have the objects of the library in them
            build.place("libtsr.so.*.*.*", (LIBRARY, LIBRARY_LTO), objects, folder)
        self.of_tests = self.folder / "program"
        if self.is_test() and objects:
            target = os.path.relpath(build.test(case)[0][0], build.folder)
            parts = [new for old, new in objects.items() if LIBRARY in old]
            build.link(target, self.of_tests, objects, parts)
        elif self.is_test():
            self.of_tests = build.test(case)[0][0]
        self.times = []
        self.fails = False

    def is_test(self):
        return "." in self.case

    def environment(self):
        kept = {k: v for k, v in os.environ.items()
                if not k.startswith("TSR_") or k in ("TSR_CPU", "TSR_WORKERS")}
        return {**kept, "LD_LIBRARY_PATH": str(self.folder)}

    def run_test(self, limit):
        command, folder, environment = self.build.test(self.case)
        start = time.monotonic()
        done = subprocess.run(
            [self.of_tests, *command[1:]], cwd=folder, capture_output=True, check=False,
            timeout=limit, env={**self.environment(), **environment,
                                "TSR_PLUGIN_DIR": str(self.folder)})
        took = time.monotonic() - start
        self.times.append((took, took))
        self.fails = self.fails or done.returncode != 0

    def run_case(self, size, seconds, limit):
        printed = output_of([self.build.folder / "bench/bench", "time", self.case, size,
                             str(seconds)], timeout=limit, env=self.environment())
        figures = json.loads(printed)
        self.times.append((figures["min"], figures["median"]))

    def run(self, sizes, seconds, limit):
        if self.fails:
            return
        try:
            if self.is_test():
                self.run_test(limit)
            else:
                self.run_case(sizes[self.case], seconds, limit)
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            print(f"{self.case}: {error}", file=sys.stderr)
            self.fails = True

    def least(self):
        return min(t[0] for t in self.times)

    def median(self):
        return statistics.median(t[1] for t in self.times)


def verdict(base, others):
    if base.fails:
        return "broken"
    ratios = [x.least() / base.least() for x in others if not x.fails]
    clear = CLEAR_OF_TESTS if base.is_test() else CLEAR
    if not base.is_test() and any(r <= 1 - clear for r in ratios):
        return "faster"
    return "" if len(ratios) < len(others) or any(r >= 1 + clear for r in ratios) else "nothing"


def ratios_of(x, base):
    """two fields"""
    if x.fails or base.fails:
        return ["fails", "fails"]
    least = f"{x.least() / base.least():.3f}"
    return ["passes", least] if base.is_test() else [least, f"{x.median() / base.median():.3f}"]


def measure(build, number, case, options, folder):
    """the fields of a line"""
    variants = [Variant(build, number, case, times, folder / f"{number.name}-{times:g}")
                for times in [1, *options.times]]
    for _ in range(options.runs):
        for variant in variants:
            variant.run(options.sizes, options.seconds, options.limit)
    base, others = variants[0], variants[1:]
    fields = [number.name, number.value, case]
    for x in others:
        fields += ratios_of(x, base)
    return fields + [verdict(base, others)]


# ---- command line

def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", 1)[0],
                                     epilog=__doc__.split("\n\n", 1)[1],
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("names", nargs="*", metavar="NAME", help="which numbers; all if none is named")
    add("--times", default="0.5,2", metavar="F,...", help="factors (0.5,2)")
    add("--cases", default="", metavar="CASE,...",
        help="other cases than the table's; * stands for any letters")
    add("--runs", type=int, default=5, help="processes for each factor (5)")
    add("--seconds", type=float, default=0.2, help="time of each (0.2)")
    add("--size", default="full", choices=("full", "tiny"), help="of cases (full)")
    add("--limit", type=float, default=120, help="seconds a process may take (120)")
    add("--neighbour", action="store_true",
        help="keep all cores but one busy meanwhile: for numbers of workers that are late")
    add("--tsv", type=pathlib.Path, metavar="FILE", help="the same for machines")
    add("--build", type=pathlib.Path, metavar="FOLDER",
        help="a build with Ninja that is taken as it is, instead of build/tune")
    options = parser.parse_args()
    options.times = [float(x) for x in options.times.split(",")]
    return options


def jobs(options, known):
    """pairs of number and case"""
    rows = [Number(row) for row in ROW.findall(TABLE.read_text(encoding="utf-8"))]
    lost = set(options.names) - {row.name for row in rows}
    if lost:
        sys.exit(f"tune: there is no number {', '.join(sorted(lost))}")
    for row in rows:
        if options.names and row.name not in options.names:
            continue
        if not options.cases:
            yield row, row.case
        for pattern in options.cases.split(",") if options.cases else ():
            yield from ((row, case) for case in fnmatch.filter(known, pattern) or [pattern])


def heads(options):
    each = [f"x{times:g} {what}" for times in options.times for what in ("min", "med")]
    return ["name", "value", "case", *each, "says"]


def print_line(fields, tsv):
    print(f"{fields[0]:18}{fields[1]:>11}  {fields[2]:18}", *(f"{x:>9}" for x in fields[3:]),
          flush=True)
    if tsv:
        print(*fields, sep="\t", file=tsv, flush=True)


def main():
    options = arguments()
    build = Build((options.build or ROOT / "build/tune").resolve(), bool(options.build))
    cases = [json.loads(line) for line in
             output_of([build.folder / "bench/bench", "list"]).splitlines()]
    options.sizes = {c["case"]: ",".join(map(str, c[options.size]))
                     for c in cases if c["kind"] != "process"}
    todo = list(jobs(options, list(options.sizes)))
    tsv = options.tsv.open("w", encoding="utf-8") if options.tsv else None
    print_line(heads(options), tsv)
    start, failed = time.monotonic(), False
    with tempfile.TemporaryDirectory() as folder, neighbours(options.neighbour):
        for i, (number, case) in enumerate(todo):
            left = (time.monotonic() - start) / i * (len(todo) - i) if i else 0
            about = f", about {left / 60:.0f} min left" if i else ""
            print(f"[{i + 1}/{len(todo)}{about}] {number.name} by {case}", file=sys.stderr)
            fields = measure(build, number, case, options, pathlib.Path(folder))
            failed = failed or fields[-1] == "broken"
            print_line(fields, tsv)
            if i + 1 == len(todo) or todo[i + 1][0] is not number:
                for made in pathlib.Path(folder).iterdir():
                    shutil.rmtree(made)
    return 1 if failed else 0


sys.exit(main())
