"""make_names.py - makes the page docs/names.md: every public operation with its JAX names, and each
name of JAX's modules with its counterpart here. tools/architecture.py makes and checks it.

tools/jax_names.txt lists JAX's names by module:

    # jax.numpy
    hypot                    the name here, too, with tsr_ before it
    power = pow              another name here
    clip = clamp             several are separated by blanks
    finfo: C's <float.h>     not there, and why

It fails on a name that is said to be here, or that a reason has between backticks, `tsr_pow()`, and
that no public header has."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIST = ROOT / "tools/jax_names.txt"
SHORT = {"jax.numpy": "jnp", "jax.lax": "lax"}
COMMENT = re.compile(r"/\*\*((?:(?!\*/).)*)\*/\n((?:op|pure|effect) [^;]*;)", re.S)
HEAD = """\
# Names

Made by tools/architecture.py of `api/` and `tools/jax_names.txt`: change those.

## Operations

Each operation has one sentence here; its header says the rest. `jnp` is jax.numpy, `lax` jax.lax.

| operation | JAX | |
|---|---|---|
"""
MODULES = """
## JAX's modules

All public names of each module of JAX, and what is in their place. [from-jax.md](from-jax.md) shows
whole programs, and what differs.
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


def public():
    """All names of the public headers."""
    return {name for path in (ROOT / "include/tsr").glob("*.h")
            for name in re.findall(r"\b(?:tsr|TSR)_\w+", path.read_text(encoding="utf-8"))}


def check(rows):
    there = public()
    for module, name, here, reason in rows:
        named = [f"tsr_{n}" for n in here] + re.findall(r"`((?:tsr|TSR)_\w+)", reason)
        for wrong in set(named) - there:
            raise SystemExit(f"tools/jax_names.txt: {module}.{name}: there is no {wrong}")


def module_table(rows):
    """The names of a module: those that are as here, those with other names, and reasons."""
    same = [f"`{name}`" for _, name, here, _ in rows if here == [name]]
    other = [f"| `{name}` | {' '.join(f'`tsr_{n}`' for n in here)} |\n"
             for _, name, here, _ in rows if here and here != [name]]
    reasons = {}
    for _, name, here, reason in rows:
        if not here:
            reasons.setdefault(reason, []).append(f"`{name}`")
    first = f"| {' '.join(same)} | the name with `tsr_` before it |\n" if same else ""
    return "| JAX | here |\n|---|---|\n" + first + "".join(other) + "".join(
        f"| {' '.join(names)} | {reason} |\n" for reason, names in reasons.items())


def page():
    found, jax, modules = operations(), {}, {}
    rows = listed()
    check(rows)
    for row in rows:
        module, name, here, _ = row
        modules.setdefault(module, []).append(row)
        for op in here:
            jax.setdefault(f"tsr_{op}", []).append(f"{SHORT.get(module, module)}.{name}")
    lines = [f"| `{op}` | {' '.join(f'`{n}`' for n in jax.get(op, []))} | {said} |\n"
             for op, said in found.items()]
    return HEAD + "".join(lines) + MODULES + "".join(
        f"\n### {module}\n\n{module_table(of)}" for module, of in modules.items())
