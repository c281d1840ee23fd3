#!/bin/sh
# docs.sh - makes the reference of the public headers in build/docs; fails on any warning.
#
# So it fails on a public symbol without a comment. The comment of a struct or an enum covers its
# fields and values too, for each of which Doxygen would want one.
set -eu
cd "$(dirname "$0")/.."
mkdir -p build/docs
doxygen docs/Doxyfile
part='Member .* \((variable|enumvalue)\) of (struct|union|file|class) .* is not documented'
if grep -Ev "$part" build/docs/warnings.txt; then
	echo "docs.sh: the public headers are not fully documented" >&2
	exit 1
fi
echo "build/docs/html/index.html"
