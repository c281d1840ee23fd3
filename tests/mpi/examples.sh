#!/bin/sh
# examples.sh - runs examples in several processes; each prints the same as in one process.
# usage: examples.sh MPIRUN FOLDER "NUMBERS OF PROCESSES" EXAMPLE...
# Times that examples measure are left out of the comparison.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/environment.sh"
mpirun=$1 folder=$2 numbers=$3
shift 3
unset TSR_COMM
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export NO_COLOR=1 # mpirun may give a terminal
fault=0

# ppermute           1,000,000      12 ms    0.0833           0 %
untimed() { sed -E -e '/seconds$|per loop/d' -e 's/ +[0-9.]+ (ns|µs|ms|s) .*//' "$1"; }

for name in "$@"; do
	set -- "$folder/$name"
	if [ "$name" = character_model ]; then
		set -- "$@" -n 4 -o "$work" "$here/../../README.md" "$here/../../CONTRIBUTING.md"
	fi
	"$@" >"$work/one" 2>"$work/log"
	untimed "$work/one" >"$work/expected"
	for n in $numbers; do
		began=$(date +%s)
		code=0
		TSR_COMM=mpi timeout 250 "$mpirun" -n "$n" "$@" >"$work/all" 2>"$work/log" \
			</dev/null || code=$?
		untimed "$work/all" | tr -d '\r' >"$work/printed"
		echo "$name, $n processes: code $code, $(($(date +%s) - began)) s"
		if [ $code != 0 ] || ! diff "$work/expected" "$work/printed" >"$work/differs"; then
			fault=1
			head -n 20 "$work/log" "$work/differs"
		fi
	done
done
exit $fault
