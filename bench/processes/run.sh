#!/bin/sh
# run.sh - exchanges between two processes, one worker each: here, as MPI does them, and in JAX over
# gloo, if $PYTHON has it. First what a message takes, over memory that both share and over TCP:
# these are figures of src/base/tuning.def.
# usage: run.sh MPIRUN PROGRAM [ROUNDS]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../tests/mpi/environment.sh"
links=$(dirname "$2")/links
echo "over shared memory: $(timeout 120 "$1" -n 2 "$links")"
echo "over TCP, on one machine: $(OMPI_MCA_btl=self,tcp timeout 120 "$1" -n 2 "$links")"
timeout 3600 "$1" -n 2 "$2" "${3:-50}"
if [ -n "${PYTHON:-}" ] && "$PYTHON" -c 'import jax' 2>/dev/null; then
	port=$((20000 + $$ % 20000))
	"$PYTHON" "$here/gloo.py" 1 $port >/dev/null 2>&1 &
	"$PYTHON" "$here/gloo.py" 0 $port 2>/dev/null | grep -v '^\[Gloo\]'
	wait
fi
