#!/bin/sh
# fuzz.sh - runs every fuzzer of a build for a number of inputs: tools/fuzz.sh BUILD_DIR RUNS
#
# New inputs are kept beside the build; one that crashes is stored as
# tests/fuzz/corpus/NAME/found-*, where it is a test from then on.
set -eu
cd "$(dirname "$0")/.."
build=$1 runs=$2 status=0

for program in "$build"/tests/fuzz_*; do
	[ -x "$program" ] || continue
	name=$(basename "$program" | sed 's/^fuzz_//')
	stored=tests/fuzz/corpus/$name
	fresh=$build/corpus/$name
	mkdir -p "$stored" "$fresh"
	options="-max_len=4096 -timeout=20 -print_final_stats=1"
	options="$options -rss_limit_mb=2048 -malloc_limit_mb=1024 -artifact_prefix=$stored/found-"
	words=$name
	[ "$name" != transform ] || words=program # both read program texts
	[ ! -e "tests/fuzz/$words.dict" ] || options="$options -dict=tests/fuzz/$words.dict"
	inputs=$runs
	[ "$name" != grammar ] || inputs=$((runs / 50)) # each of them compiles some programs
	options="$options -runs=$inputs"
	echo "== $name: $inputs inputs"
	# unquoted on purpose: a list of options
	if ! "$program" $options "$fresh" "$stored" 2>"$build/fuzz_$name.log"; then
		status=1
		tail -n 60 "$build/fuzz_$name.log"
	else
		grep '^stat::number_of_executed_units' "$build/fuzz_$name.log"
	fi
done
exit $status
