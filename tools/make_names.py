"""make_names.py - the page docs/names.md: every public operation with its JAX names, and the JAX
names that are not there. tools/architecture.py makes and checks it.

tools/jax_names.txt lists JAX's names by module:

    # jax.numpy
    hypot                    tsr_hypot, if there is one; otherwise it is to come
    power = pow              another name here
    clip = clamp             several are separated by blanks
    finfo: C's <float.h>     not there, and why

An operation without a JAX name has none, or is listed under no module."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIST = ROOT / "tools/jax_names.txt"
SHORT = {"jax.numpy": "jnp", "jax.lax": "lax"}
LATER = "to come"
COMMENT = re.compile(r"/\*\*((?:(?!\*/).)*)\*/\n((?:op|pure|effect) [^;]*;)", re.S)
HEAD = """\
# Names

Made by tools/architecture.py of `api/` and `tools/jax_names.txt`: change those.

## Operations

What an operation does in one sentence; its header says the rest. `jnp` is jax.numpy, `lax` jax.lax.

| operation | JAX | |
|---|---|---|
"""
MISSING = """
## JAX names that are not there
"""


def listed():
    """(module, name, names here, reason) of each line."""
    module, rows = None, []
    for line in LIST.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            module = line[2:]
        elif line:
            name, _, reason = line.partition(": ")
            name, _, here = name.partition(" = ")
            rows.append((module, name, [] if reason else here.split() or [name], reason))
    return rows


def sentence(comment):
    text = " ".join(comment.replace("\n *", " ").split())
    first = re.split(r"(?<!\.\.)(?<=\.)\s", text)[0].rstrip(".:")
    return first.replace("|", "\\|").replace("*", "\\*").replace("<", "&lt;")


def operations():
    """name -> its first sentence, in the order of the headers; a comment may be for several."""
    found = {}
    for source in sorted((ROOT / "api").glob("*.h.in")):
        text = source.read_text(encoding="utf-8")
        said = {}
        for comment, declared in COMMENT.findall(text):
            said[re.search(r"\b(tsr_\w+)\(", declared)[1]] = sentence(comment)
        for name in re.findall(r"^(?:op|pure|effect) [^;(]*?\b(tsr_\w+)\(", text, re.M):
            found[name] = said.get(name, "")
    return found


def page():
    found, jax, missing = operations(), {}, {}
    for module, name, here, reason in listed():
        there = [f"tsr_{n}" for n in here if f"tsr_{n}" in found]
        if len(there) < len(here) and here != [name]:
            raise SystemExit(f"tools/jax_names.txt: {name} = {' '.join(here)}: "
                             "no such operation")
        for op in there:
            jax.setdefault(op, []).append(f"{SHORT.get(module, module)}.{name}")
        if not there:
            missing.setdefault(module, {}).setdefault(reason, []).append(name)
    rows = [f"| `{op}` | {' '.join(f'`{n}`' for n in jax.get(op, []))} | {said} |\n"
            for op, said in found.items()]
    lists = []
    for module, reasons in missing.items():
        lists.append(f"\n### {module}\n\n| names | |\n|---|---|\n")
        for reason, names in sorted(reasons.items(), key=lambda row: row[0] != ""):
            lists.append(f"| {' '.join(f'`{n}`' for n in names)} | {reason or LATER} |\n")
    return HEAD + "".join(rows) + MISSING + "".join(lists)
