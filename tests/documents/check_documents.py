#!/usr/bin/env python3
"""check_documents.py - code in the documents works, and their links lead somewhere:
check_documents.py EXAMPLES TOOL COMPILER LIBRARY

EXAMPLES is the folder of the built examples, TOOL the command `tsr`. A block between fences is
checked by its language:

    c, cpp, fortran   a whole program is compiled and run; any other block is an excerpt of a file
                      that is tested: it is there, in one piece or where "..." parts it in
                      several, whatever the blanks and line ends. The file is named in a comment
                      before the block, <!-- of examples/train.c -->, or is
                      tests/documents/PAGE.c
    text              <!-- printed by train --> before it: the example prints these lines
    sh                is run, block after block of a page in one folder, which has what the
                      example `files` wrote; so is what follows
    console           each line that begins with "$ " is run and prints the lines below it;
                      "$ cat FILE" makes the file
    tsr               is the text of a program, as it prints
    python            is Python; those of docs/from-jax.md run one after the other on tsr.jax,
                      where that and NumPy are there

Links to files and headings must have them, and so must pages that headers and sources cite; what
`make` is said to make must be a target of the Makefile. Nothing is fetched."""
import functools
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BLOCK = re.compile(r"^(?:<!-- (of|printed by) ([^\n]*?) -->\n\n?)?```(\w*)\n(.*?)^```$",
                   re.M | re.S)
BY_HAND = {"docs/cxx-and-fortran.md": ["tests/bindings/cxx_first.cpp",
                                       "tests/bindings/fortran_first.f90"]}
WHOLE = re.compile(r"^int main\(", re.M)


def pages():
    return [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")),
            *sorted((ROOT / "bindings").rglob("*.md"))]


def name(path):
    return path.relative_to(ROOT).as_posix()


def lines(text):
    """the lines that have something, without blanks at their ends, and single ones between"""
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def contains(whole, part):
    whole, part = lines(whole), lines(part)
    return any(whole[k:k + len(part)] == part for k in range(len(whole) - len(part) + 1))


def pieces(block):
    return [piece for piece in re.split(r"^\s*\.\.\.$", block, flags=re.M) if piece.strip()]


class Checks:
    def __init__(self, examples, tool, compiler, library):
        self.examples, self.tool = pathlib.Path(examples), pathlib.Path(tool).resolve()
        self.compiler, self.library = compiler, pathlib.Path(library).resolve()
        self.faults, self.count = [], 0
        self.environment = os.environ | {
            "PATH": f"{self.tool.parent}:{os.environ['PATH']}", "NO_COLOR": "1",
            "PYTHONPATH": str(ROOT / "bindings/python"), "TSR_LIBRARY": str(self.library)}

    def fault(self, page, what, block=""):
        self.faults.append(f"{name(page)}: {what}\n{block}")

    def run(self, command, folder, text=None, errors=subprocess.STDOUT):
        """status and output of a command: a list, or a text for the shell"""
        done = subprocess.run(command, cwd=folder, input=text, stdout=subprocess.PIPE,
                              stderr=errors, encoding="utf-8", shell=isinstance(command, str),
                              env=self.environment, timeout=60, check=False)
        return done.returncode, done.stdout

    @functools.lru_cache(maxsize=None)
    def printed(self, example, folder):
        return self.run([self.examples.resolve() / example], folder)[1]

    def page(self, page, folder):
        python = []
        for kind, of, language, block in BLOCK.findall(page.read_text(encoding="utf-8")):
            self.count += 1
            if language in ("c", "cpp", "fortran") and WHOLE.search(block) and not kind:
                self.program(page, block, folder)
            elif language in ("c", "cpp", "fortran"):
                self.excerpt(page, [of] if kind else self.usual(page), block)
            elif language == "text" and kind:
                output = self.printed(of, folder)
                if not all(contains(output, piece) for piece in pieces(block)):
                    self.fault(page, f"{of} does not print this, but\n{output}", block)
            elif language == "python":
                compile(block, name(page), "exec")
                python.append(block)
            elif language in ("sh", "console", "tsr"):
                getattr(self, language)(page, block, folder)
            elif language != "text":
                self.fault(page, f"a block in {language or 'no language'}", block)
        stand_in = ROOT / "bindings/python/tsr/jax/__main__.py"
        if page.name == "from-jax.md" and stand_in.exists() and importlib.util.find_spec("numpy"):
            self.on_tsr_jax(page, "\n".join(python), folder)

    def usual(self, page):
        return BY_HAND.get(name(page), [f"tests/documents/{page.stem.replace('-', '_')}.c"])

    def excerpt(self, page, files, block):
        texts = [(ROOT / file).read_text(encoding="utf-8") for file in files
                 if file.startswith(("examples/", "tests/")) and (ROOT / file).exists()]
        for piece in pieces(block):
            if not any(" ".join(piece.split()) in " ".join(text.split()) for text in texts):
                self.fault(page, f"not in {' or '.join(files)}:", piece)

    def program(self, page, block, folder):
        source, program = pathlib.Path(folder) / "block.c", pathlib.Path(folder) / "block"
        source.write_text(block, encoding="utf-8")
        for command in ([self.compiler, "-std=gnu17", "-Wall", "-Wextra", f"-I{ROOT / 'include'}",
                         source, "-o", program, self.library, "-lm",
                         f"-Wl,-rpath,{self.library.parent}"], [program]):
            status, output = self.run(command, folder)
            if status:
                return self.fault(page, f"status {status}: {output}", block)

    def with_files(self, folder):
        if not (pathlib.Path(folder) / "x.npy").exists():
            self.run([self.examples.resolve() / "files", "."], folder)

    def sh(self, page, block, folder):
        self.with_files(folder)
        status, output = self.run("set -eu\n" + block, folder)
        if status:
            self.fault(page, f"status {status}: {output}", block)

    def console(self, page, block, folder):
        self.with_files(folder)
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, shown = part.split("\n", 1)
            if command.startswith("cat "):
                (pathlib.Path(folder) / command[4:]).write_text(shown, encoding="utf-8")
                continue
            output = self.run(command, folder)[1]
            if lines(output) != lines(shown):
                self.fault(page, f"{command} prints\n{output}", shown)

    def tsr(self, page, block, folder):
        status, output = self.run([self.tool, "print", "-"], folder, block)
        if status or output != block:
            self.fault(page, f"status {status}: {output}", block)

    def on_tsr_jax(self, page, script, folder):
        path = pathlib.Path(folder) / "from_jax.py"
        path.write_text(script, encoding="utf-8")
        status, output = self.run([sys.executable, "-m", "tsr.jax", path], folder)
        if status:
            self.fault(page, f"status {status} on tsr.jax: {output}")

    def links(self, page, targets):
        text = re.sub(r"^```.*?^```$|`[^`\n]*`", "", page.read_text(encoding="utf-8"),
                      flags=re.M | re.S)
        for link in re.findall(r"\]\(([^)\s]+)\)", text):
            self.count += 1
            if re.match(r"https?://[\w.-]+(/\S*)?$", link):
                continue
            file, _, anchor = link.partition("#")
            to = (page.parent / file).resolve() if file else page
            if not to.exists() or not to.is_relative_to(ROOT):
                self.fault(page, f"a link to {link}")
            elif anchor and anchor not in anchors(to):
                self.fault(page, f"a link to {link}, where there is no such heading")
        for target in re.findall(r"(?:^    |`)make ([a-z-]+)", text, re.M):
            if target not in targets:
                self.fault(page, f"`make {target}`: no such target")


def anchors(page):
    """the headings of a page, as links name them"""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
            for heading in re.findall(r"^#+ (.*)$", text, re.M)}


def cited(checks):
    """pages that headers and sources cite as docs/NAME.md"""
    for folder in ("api", "include", "src", "bindings", "tools", "cmake", "examples"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".in", ".h", ".hpp", ".c", ".py", ".f90", ".txt", ".cmake"):
                text = path.read_text(encoding="utf-8")
                for page in re.findall(r"(?<![\w/])docs/[a-z0-9/_-]+\.md", text):
                    if not (ROOT / page).exists():
                        checks.fault(path, f"cites {page}")


def main(*arguments):
    checks = Checks(*arguments)
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M))
    for page in pages():
        with tempfile.TemporaryDirectory() as folder:
            checks.page(page, folder)
        checks.links(page, targets)
    cited(checks)
    print("\n".join(checks.faults))
    print(f"{checks.count} blocks and links, {len(checks.faults)} faults")
    return bool(checks.faults)


sys.exit(main(*sys.argv[1:]))
