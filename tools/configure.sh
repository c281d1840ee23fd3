#!/bin/sh
# configure.sh - configures build/PRESET: tools/configure.sh PRESET [-DNAME=VALUE...]
#
# Presets use Ninja. Without Ninja the same builds use make; a build folder keeps its first choice.
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
# cmake writes progress to standard output, and notices and errors to standard error
cmake --preset "$preset" -G "$generator" "$@" >/dev/null
