#!/bin/sh
# run.sh SOURCE LIBRARY_DIR LIBRARY INCLUDE COMPILER... - the program texts of programs.c are
# equal from every compiler
set -u
source=$1 folder=$2 library=$3 include=$4
shift 4
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
n=0
for cc in "$@"; do
	n=$((n + 1))
	"$cc" -std=gnu17 -I"$include" "$source" -o "$dir/p$n" "$library" \
		-Wl,-rpath,"$folder" || exit 1
	"$dir/p$n" >"$dir/full$n" || exit 1
	sed 's/ *#.*//' "$dir/full$n" >"$dir/text$n"
	[ -s "$dir/text$n" ] || { echo "no text from $cc"; exit 1; }
	diff "$dir/text1" "$dir/text$n" || { echo "$cc gives another text than $1"; exit 1; }
done
echo "$n passed, 0 failed"
