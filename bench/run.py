#!/usr/bin/env python3
"""run.py - each case of the benchmark here and in JAX, in alternation; `make bench` calls it.

For every case both sides first compute the same values, which are compared. Then come rounds of
three processes: ours, JAX as it comes, and JAX with glibc's allocator told to keep memory; and of
one more for a case that is written in C too, or that does the work of another one of ours. A
process measures for a while and gives its median. Every figure in the table is the median of these
medians; a ratio is that of JAX to ours, and its spread the smallest and the largest of the rounds.

`bound` is how much of a limit of this machine ours reaches, all cores together; the limits are
measured in the same run, at its start and its end. Results go to FOLDER/results.jsonl, one object
a line, and FOLDER/results.md.

--isa restricts both sides to an instruction set below the processor's. --neighbour keeps all cores
but one busy while the cases are measured, and measures ours with one worker too. --crowd measures
ours with four times as many workers as it has otherwise."""
import argparse
import contextlib
import fnmatch
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
SIDES = ("ours", "peer", "peer_tuned")
KEEP_MEMORY = {"MALLOC_MMAP_MAX_": "0", "MALLOC_ARENA_MAX": "1",
               "MALLOC_TRIM_THRESHOLD_": str(1 << 40)}
# settings of libraries that would change what either side does
DROPPED = ("OPENBLAS_", "OMP_", "GOMP_", "MKL_", "MALLOC_", "XLA_", "JAX_", "ONEDNN_", "DNNL_",
           "TSR_DEBUG", "TSR_CPU")
# what restricts either side, and the libraries in it, to an instruction set
ISAS = {"avx2": {"TSR_CPU": "avx2", "XLA_FLAGS": "--xla_cpu_max_isa=AVX2",
                 "ONEDNN_MAX_CPU_ISA": "AVX2", "OPENBLAS_CORETYPE": "Haswell"}}
ONE = "ours_one"  # ours with one worker, beside busy neighbours
MANY = "ours_many"  # ours with four times as many
# sides of ours with other numbers of workers: their heads, and the ratio of one to the other time
WORKERS = {ONE: ("one worker", "ours to it", "of_one", "ours", ONE),
           MANY: ("4x workers", "it to ours", "of_many", MANY, "ours")}
TIMES_AS_MANY = 4
MOST_OF_WORKERS = 1.25  # of either ratio
# until the process that started it has gone
BUSY = """import os, sys
parent, cpu = map(int, sys.argv[1:])
os.sched_setaffinity(0, {cpu})
while os.getppid() == parent:
    for _ in range(10**6):
        pass"""
UNITS = ((1, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"))
HEADS = ("case", "ours", "min", "JAX", "min", "tuned", "ratio", "spread", "to tuned", "asked",
         "bound")
THAN = "than"  # another case of ours that does the same work
BY_HAND = "c"  # the same written in C
RIVALS = {THAN: "plain", BY_HAND: "C"}  # sides that only some cases have, and their heads


class TooSlow(Exception):
    """a process ran into the time limit"""


class Failed(Exception):
    """a process ended with an error; says which, and what it printed"""


# ---- processes

def run(command, limit, extra=None):
    """what a command prints"""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(DROPPED)}
    try:
        done = subprocess.run(command, timeout=limit, env={**kept, **(extra or {})},
                              capture_output=True, text=True, check=False)
    except subprocess.TimeoutExpired:
        raise TooSlow() from None
    if done.returncode:
        last = (done.stderr.strip() or f"exit status {done.returncode}").split("\n")[-1]
        raise Failed(f"{' '.join(map(str, command[:4]))}: {last}")
    return done.stdout


class Bench:
    """the programs of both sides"""

    def __init__(self, options):
        self.options = options
        self.build = pathlib.Path(options.build)
        self.program = self.build / "bench" / "bench"
        self.python = self.workers = None
        self.sides = SIDES + ((ONE,) if options.neighbour else ()) + \
            ((MANY,) if options.crowd else ())
        self.environment = dict(ISAS.get(options.isa, {}))
        self.hides = bool(options.isa) and self.hide()
        self.neighbours = 0

    def hide(self):
        """has hide.so loaded into all processes, if it can do its work here: see hide.c"""
        preload = {"LD_PRELOAD": str((self.build / "bench" / "hide.so").resolve())}
        if not os.path.exists(preload["LD_PRELOAD"]) or \
                subprocess.run(["true"], env={**os.environ, **preload}, check=False).returncode:
            return False
        self.environment.update(preload)
        return True

    def find_jax(self):
        """the interpreter with JAX, which is installed the first time"""
        done = subprocess.run([HERE.parent / "tools" / "jax.sh"], stdout=subprocess.PIPE,
                              text=True, check=False)
        if done.returncode:
            sys.exit("bench: no JAX to compare with")
        self.python = done.stdout.strip()

    def run(self, command, extra=None):
        return run(command, self.options.limit, {**self.environment, **(extra or {})})

    def cases(self):
        return [json.loads(line) for line in run([self.program, "list"], 60).splitlines()]

    def limits(self):
        return json.loads(run([self.program, "limits"], 300))

    def size(self, case):
        size = self.options.sizes or case[self.options.size]
        while len(size) > 1 and not size[-1]:
            size = size[:-1]
        return size

    def job(self, case, **more):
        size = self.size(case)
        inner = size[case["inner"] - 1] if case["inner"] else 1
        keys = {key: case[key] for key in ("case", "kind", "devices", "rtol")}
        return json.dumps({**keys, "size": size, "inner": inner, **more})

    def jax(self, command, case, **more):
        return [self.python, HERE / "jax_cases.py", command, self.job(case, **more)]

    def check(self, case):
        """compares the values of both sides"""
        if case["kind"] == "process":
            for command in self.starts().values():
                if "allclose: 1" not in self.run(command):
                    raise Failed(f"{command[-1]} does not print 'allclose: 1'")
            return
        with tempfile.TemporaryDirectory(dir=self.options.out) as folder:
            sizes = ",".join(map(str, self.size(case)))
            self.run([self.program, "values", case["case"], sizes, folder])
            self.run(self.jax("values", case, folder=folder))

    def sides_of(self, case):
        return self.sides + tuple(side for side in RIVALS if case[side])

    def starts(self):
        ours, peer = [self.build / "examples" / "matmul"], [self.python, HERE / "jax_seed.py"]
        return {"ours": ours, "peer": peer, "peer_tuned": peer, ONE: ours, MANY: ours}

    def time(self, case, side):
        """one run of a side: {median, min, samples}"""
        seconds = self.options.seconds
        extra = {"peer_tuned": KEEP_MEMORY, ONE: {"TSR_WORKERS": "1"},
                 MANY: {"TSR_WORKERS": str(TIMES_AS_MANY * self.workers)}}.get(side)
        if case["kind"] == "process":
            command = [self.program, "process", str(seconds), *self.starts()[side]]
        elif side in ("ours", ONE, MANY, THAN):
            sizes = ",".join(map(str, self.size(case)))
            name = case[THAN] if side == THAN else case["case"]
            command = [self.program, "time", name, sizes, str(seconds)]
        elif side == BY_HAND:
            sizes = ",".join(map(str, self.size(case)))
            command = [self.program, "by-hand", case["case"], sizes, str(seconds)]
        else:
            command = self.jax("time", case, seconds=seconds)
        return json.loads(self.run(command, extra))


# ---- neighbours

def of_other_cores():
    """the processors that this process may use, without those of one core"""
    mine = os.sched_getaffinity(0)
    first = min(mine)
    path = pathlib.Path(f"/sys/devices/system/cpu/cpu{first}/topology/thread_siblings_list")
    text = path.read_text(encoding="ascii") if path.exists() else str(first)
    for part in text.split(","):
        low, _, high = part.partition("-")
        mine -= set(range(int(low), int(high or low) + 1))
    return mine


@contextlib.contextmanager
def neighbours(wanted):
    """keeps all cores but one busy meanwhile; gives the number of processes"""
    busy = []
    try:
        for cpu in of_other_cores() if wanted else ():
            # in a session of its own: Ctrl-C comes to this process alone, which ends it
            busy.append(subprocess.Popen([sys.executable, "-c", BUSY, str(os.getpid()), str(cpu)],
                                         start_new_session=True))
        yield len(busy)
    finally:
        for process in busy:
            process.kill()
            process.wait()


# ---- one case

class Progress:
    """what is being done, on one line of a terminal, or one line a case elsewhere"""

    def __init__(self, total):
        self.total, self.done, self.started = total, 0, time.monotonic()
        self.terminal = sys.stderr.isatty()

    def show(self, text):
        if self.terminal:
            spent = time.monotonic() - self.started
            line = f"[{self.done + 1}/{self.total}, {spent / 60:.0f} min] {text}"
            print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)

    def end(self, text):
        self.done += 1
        start = "\r\033[K" if self.terminal else ""
        print(f"{start}[{self.done}/{self.total}] {text}", file=sys.stderr, flush=True)


def measure(bench, case, progress):
    """the record of a case: figures of each side, or why there are none"""
    name, rounds = case["case"], bench.options.runs
    record = {"case": name, "unit": "s", "workers": bench.workers, "isa": bench.options.isa,
              "neighbours": bench.neighbours}
    side = "values"
    try:
        progress.show(f"{name}: do both sides compute the same?")
        bench.check(case)
        runs = {side: [] for side in bench.sides_of(case)}
        for k in range(rounds):
            for side in runs:
                progress.show(f"{name}: run {k + 1} of {rounds}, {side}")
                runs[side].append(bench.time(case, side))
    except TooSlow:
        record["failed"] = f"{side}: too slow, over {bench.options.limit:g} s"
    except Failed as failed:
        record["failed"] = f"{side}: {failed}"
    else:
        record |= figures(runs)
        set_bars(record, case)
    return record


def set_bars(record, case):
    """Bars are for machines with nothing else to do; beside neighbours, a case that is ahead of
    JAX otherwise should not fall behind"""
    busy = record["neighbours"]
    record["bar"] = (min(case["bar"], 1) if busy else case["bar"]) or None
    for side in RIVALS:
        if side in record:
            record[f"bar_{side}"] = None if busy else case[f"{side}_bar"] or None


def figures(runs):
    record = {"runs": len(runs["ours"])}
    for side, of in runs.items():
        record[side] = statistics.median(one["median"] for one in of)
        record[side + "_min"] = min(one["min"] for one in of)
    ratios = [("ratio", "peer", "ours"), ("ratio_tuned", "peer_tuned", "ours"),
              *((key, over, under) for _, _, key, over, under in WORKERS.values()),
              *((f"ratio_{side}", side, "ours") for side in RIVALS)]
    for key, over, under in ratios:
        if over not in runs or under not in runs:
            continue
        pairs = [a["median"] / b["median"] for a, b in zip(runs[over], runs[under])]
        record[key] = record[over] / record[under]
        record[key + "_low"], record[key + "_high"] = min(pairs), max(pairs)
    return record


def add_bounds(records, cases, limits, size):
    """The part of the machine's limit that ours reaches. Work is told of the full sizes alone."""
    for record, case in zip(records, cases):
        record["bound"] = None
        if case["limit"] and "ours" in record and size == "full":
            best = case["work"] / limits["all"][case["limit"]]
            record["bound"] = best / record["ours"]


# ---- output

def duration(seconds):
    for unit, name in UNITS:
        if abs(seconds) >= unit:
            break
    return f"{seconds / unit:.3g} {name}"


def times(ratio):
    return f"{ratio:.3g}" if ratio < 100 else f"{ratio:,.0f}"


def asked_of(record):
    """what is asked of a case: by side the bar, the ratio, and whether it is met"""
    bars = {"peer": ("ratio", record.get("bar"))}
    bars |= {side: (f"ratio_{side}", record.get(f"bar_{side}")) for side in RIVALS}
    asked = {side: (bar, record[key], record[key] >= bar)
             for side, (key, bar) in bars.items() if bar}
    for side, (_, _, key, _, _) in WORKERS.items():
        if key in record:
            asked[side] = (MOST_OF_WORKERS, record[key], record[key] <= MOST_OF_WORKERS)
    return asked


def verdict(record, side):
    bar, _, met = asked_of(record).get(side, (None, None, None))
    return f"{times(bar)} {'met' if met else 'MISSED'}" if bar else ""


def spread(record, key):
    return f"{times(record[key + '_low'])}-{times(record[key + '_high'])}"


def cells_of(record, side, key):
    """of a side that not every case has"""
    return [duration(record[side]), times(record[key]), spread(record, key),
            verdict(record, side)] if side in record else [""] * 4


def cells(record, sides):
    if "failed" in record:
        return [record["case"], record["failed"]]
    bound = f"{100 * record['bound']:.0f} %" if record["bound"] else ""
    row = [record["case"], duration(record["ours"]), duration(record["ours_min"]),
           duration(record["peer"]), duration(record["peer_min"]),
           duration(record["peer_tuned"]), times(record["ratio"]), spread(record, "ratio"),
           times(record["ratio_tuned"]), verdict(record, "peer"), bound]
    for side in sides:
        row += cells_of(record, side, f"ratio_{side}" if side in RIVALS else WORKERS[side][2])
    return row


def more_sides(records):
    return [side for side in (*RIVALS, *WORKERS) if any(side in record for record in records)]


def heads(records):
    of = [head for side in more_sides(records)
          for head in ((RIVALS[side], "ratio", "spread", "asked") if side in RIVALS
                       else (*WORKERS[side][:2], "spread", "at most"))]
    return HEADS + tuple(of)


LEGEND = {
    "peer": """\
ours, JAX: median and least (min) time of a call, or of a step of a loop; tuned: JAX whose
allocator keeps memory. ratio: JAX's time to ours, above 1 ours is faster; spread: of the rounds;
to tuned: the ratio to the tuned JAX; asked: the ratio that is wanted. bound: the part that ours
reaches of the machine's limit, for what a step has to read, write or compute at least.
CASES=list says what each case does.""",
    THAN: "plain: another case of ours, which does the same; ratio: its time to ours.",
    BY_HAND: "C: the same written in C; ratio: its time to ours.",
    ONE: "one worker: ours with one under the same load; ours to it: above 1, one is faster.",
    MANY: "4x workers: ours with four times as many; it to ours: above 1, they are slower.",
}


def legend(records):
    for side in ("peer", *more_sides(records)):
        yield from LEGEND[side].split("\n")


def summary(records):
    """how many ratios are asked, and which are missed"""
    done = [record for record in records if "failed" not in record]
    asked = [(record["case"], side, *of) for record in done
             for side, of in asked_of(record).items()]
    names = {"peer": "JAX", **RIVALS, **{side: of[0] for side, of in WORKERS.items()}}
    missed = [f"{case} ({names[side]}: {times(ratio)}, asked {times(bar)})"
              for case, side, bar, ratio, met in asked if not met]
    yield f"asked: {len(asked)} ratios of {len(records)} cases, {len(asked) - len(missed)} met"
    if missed:
        yield "missed: " + ", ".join(missed)
    failed = [record["case"] for record in records if "failed" in record]
    if failed:
        yield "failed: " + ", ".join(failed)


def load_line(limits):
    """others' work changes every figure, most of all where threads wait for each other"""
    load, cores = limits["load"], limits["cores"]
    busy = "; others are at work, and the figures are theirs too" if load > cores / 4 else ""
    return f"load before the first case: {load:.1f} of {cores}{busy}"


def limit_lines(limits):
    for name, of in (("one core", limits["one"]), (f"{limits['cores']} cores", limits["all"])):
        yield (f"{name}: copy {of['copy'] / 1e9:.0f} GB/s (in cache {of['cache'] / 1e9:.0f}), "
               f"sum {of['sum'] / 1e9:.0f} GB/s, f32 {of['fma'] / 1e9:.0f} GF/s")
    yield f"barrier of {limits['cores']}: {duration(limits['barrier'])}"
    yield load_line(limits)
    if limits["isa"]:
        yield f"both sides were restricted to {limits['isa']}, these limits were not"
        if not limits["hides"]:
            yield "libraries in JAX may have used more: nothing can be hidden from them here"
    if limits["neighbours"]:
        yield f"processes that kept all cores but one busy meanwhile: {limits['neighbours']}"


def table(records):
    columns = len(heads(records))
    sides = more_sides(records)
    rows = [list(heads(records))] + [cells(record, sides) for record in records]
    widths = [max(len(row[k]) for row in rows if len(row) == columns) for k in range(columns)]
    for row in rows:
        if len(row) == columns:
            first, *rest = (cell.rjust(width) for cell, width in zip(row, widths))
            yield "  ".join([row[0].ljust(widths[0]), *rest]).rstrip()
        else:
            yield f"{row[0].ljust(widths[0])}  {row[1]}"


def markdown(records, limits, what):
    columns = len(heads(records))
    yield "| " + " | ".join(heads(records)) + " | what |"
    yield "|---" + "|---:" * (columns - 1) + "|---|"
    sides = more_sides(records)
    for record in records:
        row = cells(record, sides)
        row += [""] * (columns - len(row))
        yield "| " + " | ".join(row) + f" | {what[record['case']]} |"
    yield ""
    yield from legend(records)
    yield ""
    for line in (*limit_lines(limits), *summary(records)):
        yield f"- {line}"


def write(records, limits, cases, folder):
    what = {case["case"]: case["what"] for case in cases}
    lines = [json.dumps(record) for record in records]
    (folder / "results.jsonl").write_text("\n".join(lines) + "\n")
    (folder / "results.md").write_text("\n".join(markdown(records, limits, what)) + "\n")


def better(a, b):
    """the larger of two measurements of every limit"""
    best = {part: {key: max(a[part][key], b[part][key]) for key in a[part]}
            for part in ("one", "all")}
    return {**a, **best, "barrier": min(a["barrier"], b["barrier"])}


# ---- commands

def chosen(cases, patterns):
    words = patterns.replace(",", " ").split()
    for word in words:
        if not fnmatch.filter([case["case"] for case in cases], word):
            sys.exit(f"bench: no case is called '{word}'; CASES=list prints them")
    return [case for case in cases
            if not words or any(fnmatch.fnmatchcase(case["case"], word) for word in words)]


def list_cases(cases):
    for case in cases:
        bar = f", asked: {case['bar']:,g} times" if case["bar"] else ""
        bar += f", {case['than_bar']:.3g} of {case[THAN]}" if case[THAN] else ""
        bar += f", {case['c_bar']:g} of C" if case["c_bar"] else ""
        print(f"{case['case']:16}  {case['what']}{bar}")
    print("""
make bench CASES='net_* psum_jit' runs some of them. Besides: RUNS=n rounds (7), SECONDS=s that a
process measures (0.5), LIMIT=s after which it is given up (60), SIZE=tiny to try things out,
ISA=avx2 restricts both sides to AVX2, NEIGHBOUR=1 keeps all cores but one busy, CROWD=1 measures
four times as many workers too, and PYTHON=path, an interpreter that has JAX.""")


def check_lists(program):
    """do both sides have the same cases?"""
    ours = [json.loads(line) for line in run([program, "list"], 60).splitlines()]
    ours = {case["case"] for case in ours if case["kind"] != "process"}
    text = (HERE / "jax_cases.py").read_text(encoding="utf-8")
    theirs = set(re.findall(r'^@case\("(\w+)"\)', text, re.M))
    theirs |= set(re.findall(r'CASES\["(\w+)"\](?=.*=)', text))
    for name in sorted(ours ^ theirs):
        print(f"{name}: only {'here' if name in ours else 'in jax_cases.py'}")
    return 1 if ours != theirs or not ours else 0


def options_of(arguments):
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check-lists", metavar="PROGRAM",
                        help="only compare the lists of cases of PROGRAM and jax_cases.py")
    parser.add_argument("--build", default="build/release", help="where the programs are built")
    parser.add_argument("--out", default="build/bench", help="where the results go")
    parser.add_argument("--cases", default="", help="names or patterns; 'list' prints the cases")
    parser.add_argument("--runs", type=int, default=7, help="rounds of all sides")
    parser.add_argument("--seconds", type=float, default=0.5, help="how long a process measures")
    parser.add_argument("--limit", type=float, default=60, help="the longest a process may take")
    parser.add_argument("--size", choices=("full", "tiny"), default="full")
    parser.add_argument("--isa", choices=sorted(ISAS),
                        help="the highest instruction set that both sides may use")
    parser.add_argument("--neighbour", action="store_true",
                        help="all cores but one are busy with something else meanwhile")
    parser.add_argument("--crowd", action="store_true",
                        help="measures ours with four times as many workers too")
    parser.add_argument("--sizes", type=lambda text: [int(word) for word in text.split(",")],
                        help="sizes of one's own, as numbers with commas between them")
    return parser.parse_args(arguments)


def main():
    options = options_of(sys.argv[1:])
    if options.check_lists:
        return check_lists(options.check_lists)
    bench = Bench(options)
    cases = bench.cases()
    if options.cases == "list":
        return list_cases(cases)
    cases = chosen(cases, options.cases)
    folder = pathlib.Path(options.out)
    folder.mkdir(parents=True, exist_ok=True)
    bench.find_jax()
    load = os.getloadavg()[0]
    before = {**bench.limits(), "load": load, "isa": options.isa, "hides": bench.hides}
    bench.workers = int(os.environ.get("TSR_WORKERS") or before["cores"])
    progress, records = Progress(len(cases)), []
    print(load_line(before), file=sys.stderr)
    for why in sorted({case["c_lacks"] for case in cases} - {""}):
        names = ", ".join(case["case"] for case in cases if case["c_lacks"] == why)
        print(f"without the side c: {why} ({names})", file=sys.stderr)
    with neighbours(options.neighbour) as bench.neighbours:
        for case in cases:
            record = measure(bench, case, progress)
            records.append(record)
            progress.end(f"{case['case']}: " + (record.get("failed") or
                         f"{duration(record['ours'])}, ratio {times(record['ratio'])}"))
    limits = {**better(before, bench.limits()), "neighbours": bench.neighbours}
    add_bounds(records, cases, limits, "" if options.sizes else options.size)
    write(records, limits, cases, folder)
    print("\n".join(table(records)))
    print("\n".join(["", *legend(records), "", *limit_lines(limits),
                     f"written: {folder}/results.jsonl, results.md", *summary(records)]))
    return 1 if any("failed" in record for record in records) else 0


if __name__ == "__main__":
    sys.exit(main())
