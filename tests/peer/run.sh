#!/bin/sh
# run.sh - the same random programs here and in JAX: tests/peer/run.sh BUILD_DIR PROGRAMS SEED
#
# PYTHON names an interpreter that has JAX and NumPy. Where it is not set, a private environment
# with the pinned release is made beside the build, once, which wants the network (or what pip is
# told: PIP_INDEX_URL, PIP_NO_INDEX with PIP_FIND_LINKS) and about 700 MB.
set -eu
cd "$(dirname "$0")/../.."
build=$1 programs=$2 seed=$3
jax=0.10.2

folder=$build/peer
if [ -z "${PYTHON:-}" ]; then
	venv=$folder/jax-$jax
	PYTHON=$venv/bin/python
	if [ ! -e "$venv/ready" ]; then
		echo "peer-check: installing JAX $jax into $venv (pip; nothing else is touched)"
		rm -rf "$venv"
		python3 -m venv "$venv"
		"$PYTHON" -m pip install --quiet --disable-pip-version-check "jax==$jax" numpy
		touch "$venv/ready"
	fi
fi

# one third in f32
single=$((programs / 3))
rm -rf "$folder/programs"
mkdir -p "$folder/programs"
echo "peer-check: $programs programs from seed $seed on, $single of them in f32"
"$build/tests/peer/sample" "$folder/programs" "$seed" $((programs - single)) f64
"$build/tests/peer/sample" "$folder/programs" $((seed + programs)) "$single" f32
"$PYTHON" tests/peer/run_jax.py "$folder/programs"
