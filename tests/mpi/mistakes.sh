#!/bin/sh
# mistakes.sh - programs that are started wrongly, and their messages.
# usage: mistakes.sh PROGRAM [MPIRUN OTHER_MPI]
# PROGRAM is linked with no MPI. OTHER_MPI names one that MPIRUN does not belong to.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/environment.sh"
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export NO_COLOR=1

# expect WORDS...: what was said has each of them
expect() {
	for words in "$@"; do
		grep -q -- "$words" "$work/said" && continue
		echo "not \"$words\" in:"
		cat "$work/said"
		exit 1
	done
}

if TSR_COMM=mpi TSR_PLUGIN_DIR=$work "$program" >"$work/said" 2>&1; then exit 1; fi
expect '.comm "mpi": ' "libtsr-mpi-" "the package openmpi-bin, and libopenmpi-dev to build"
if TSR_COMM=mpich TSR_PLUGIN_DIR=$work "$program" >"$work/said" 2>&1; then exit 1; fi
expect '.comm "mpich": ' "the package mpich, and libmpich-dev to build"
if TSR_COMM=udp "$program" >"$work/said" 2>&1; then exit 1; fi
expect '.comm must be "self", "mpi", "openmpi" or "mpich", got "udp"'

[ $# = 3 ] || exit 0
if TSR_COMM=$3 timeout 60 "$2" -n 2 "$program" >"$work/said" 2>&1 </dev/null; then exit 1; fi
expect "a launcher started 2 processes" "but this MPI, $3, sees one"
