#!/usr/bin/env python3
"""check_debugger.py - in gdb, `step` goes through a user's lines and never stops in functions that
macros call to pass arguments, and operations can be called: check_debugger.py INCLUDE LIBTSR
SONAME"""
import functools
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

include, library = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:3])
soname = sys.argv[3]
sys.argv[1:] = []    # the rest of them would be compilers
import common  # noqa: E402

PROGRAM = """\
#include <tsr/tsr.h>
int main(void)
{
	tsr_ctx *ctx = tsr_open(.devices = 2);
	TSR_SCOPE(ctx);
	tsr *x = tsr_ones(ctx, TSR_DIMS(2, 3)), *y = NULL;
	y = tsr_add(x, 1);
	y = tsr_where(tsr_gt(y, 1.5), y, tsr_mul(2.5, tsr_sum(y, .dims = TSR_DIMS(0))));
	tsr_call_into(TSR_OUT(&y), tsr_jit(ctx, tsr_exp), y);
	y = tsr_call(tsr_vmap(ctx, tsr_exp), y);
	y = tsr_reshape(x, TSR_DIMS(3, 2));
	return tsr_close(ctx);
}
"""
# C's own library has lines where its symbols are installed
STEPS = ["skip -rfu ^(__)?mem(set|cpy|move)", "break main", "run", *["step"] * 8]
# C's own first: gdb 13 calls nothing where a processor has more registers than it knows, as of AMX
CALLS = ["break 12", "run", "print ((int (*)(int))abs)(-5)",
         "print tsr_item(tsr_sum(tsr_add(x, x)))",
         "print tsr_dim(tsr_reshape(x, tsr_shape(y)), 0)"]


def debug(program, commands):
    options = [part for text in ("set confirm off", "set debuginfod enabled off", *commands)
               for part in ("-ex", text)]
    return subprocess.run(["gdb", "-q", "-nx", "-batch", *options, str(program)], text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=120, check=False).stdout


def check(compiler):
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder) / "user.c", pathlib.Path(folder) / "user"
        source.write_text(PROGRAM, encoding="utf-8")
        own = pathlib.Path(folder) / soname
        shutil.copy(library, own)
        subprocess.run([compiler, "-g", "-O0", "-std=gnu17", f"-I{include}", str(source), str(own),
                        f"-Wl,-rpath,{folder}", "-o", str(program)], check=True)
        called = debug(program, CALLS)
        # a build for debugging has lines of its own, which the one that is installed has not
        subprocess.run(["strip", "-g", str(own)], check=True)
        stepped = debug(program, STEPS)
    stops = re.findall(r"^(\d+)\t", stepped, re.M)
    if stops != [str(n) for n in range(4, 13)]:
        return f"{compiler}: gdb stopped in lines {', '.join(stops)}, not in 4 to 12\n{stepped}"
    if "$1 = 5" not in called and "Couldn't write extended state status" in called:
        print(f"{compiler}: this gdb cannot call any function here, so no operation is called")
    elif "$1 = 5" not in called or "$2 = 12" not in called or "$3 = 3" not in called:
        return f"{compiler}: operations cannot be called\n{called}"
    return None


if not shutil.which("gdb"):
    print("not tested without gdb. Debian and Ubuntu: apt-get install gdb")
    sys.exit(common.SKIPPED)
common.run([functools.partial(check, name) for name in common.compilers()])
