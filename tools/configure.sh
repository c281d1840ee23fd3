#!/bin/sh
# configure.sh - configures build/PRESET: tools/configure.sh PRESET [-DNAME=VALUE...]
#
# Presets use Ninja. Without it the same builds work with make; a folder stays with what it began.
set -eu
cd "$(dirname "$0")/.."
preset=$1
shift

cache=build/$preset/CMakeCache.txt
generator="Unix Makefiles"
if [ -e "$cache" ]; then
	generator=$(sed -n 's/^CMAKE_GENERATOR:INTERNAL=//p' "$cache")
elif command -v ninja >/dev/null 2>&1; then
	generator=Ninja
fi
# the standard output holds only what went well; notices and errors are on the other one
cmake --preset "$preset" -G "$generator" "$@" >/dev/null
