#!/bin/sh
# run.sh SOURCE LIBRARY INCLUDE COMPILER... - the program texts of programs.c are equal from every
# compiler. With fewer than two of them there is nothing to compare: skipped, exit status 77.
set -u
source=$1 library=$2 include=$3
shift 3
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
n=0 missing=
for cc in "$@"; do
	command -v "$cc" >/dev/null || { missing="$missing $cc"; continue; }
	n=$((n + 1))
	"$cc" -std=gnu17 -I"$include" "$source" -o "$dir/p$n" "$library" \
		-Wl,-rpath,"$(dirname "$library")" || exit 1
	"$dir/p$n" >"$dir/full$n" || exit 1
	sed 's/ *#.*//' "$dir/full$n" >"$dir/text$n"
	[ -s "$dir/text$n" ] || { echo "no text from $cc"; exit 1; }
	diff "$dir/text1" "$dir/text$n" || { echo "$cc gives another text"; exit 1; }
done
if [ "$n" -lt 2 ]; then
	echo "not compared: not installed:$missing. Debian and Ubuntu: apt-get install$missing"
	exit 77
fi
echo "$n passed, 0 failed"
