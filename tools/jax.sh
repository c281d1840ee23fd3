#!/bin/sh
# jax.sh - prints the path of a Python that has JAX: tools/jax.sh
#
# PYTHON names an interpreter that has JAX, NumPy, Flax, Optax and safetensors. Where it is not set,
# a private environment with the pinned releases is made in build/jax-RELEASE, once, which needs the
# network (or the source that pip is given: PIP_INDEX_URL, PIP_NO_INDEX with PIP_FIND_LINKS) and
# about 800 MB. Nothing else is touched.
set -eu
cd "$(dirname "$0")/.."
jax=0.10.2
others="flax==0.12.8 optax==0.2.8 safetensors==0.8.0"

if [ -z "${PYTHON:-}" ]; then
	venv=$PWD/build/jax-$jax
	PYTHON=$venv/bin/python
	if [ "$(cat "$venv/ready" 2>/dev/null)" != "$others" ]; then
		echo "Installing JAX $jax into $venv (pip; nothing else is touched)." >&2
		rm -rf "$venv"
		python3 -m venv "$venv" >&2
		"$PYTHON" -m pip install --quiet --disable-pip-version-check \
			"jax==$jax" numpy $others >&2
		echo "$others" >"$venv/ready"
	fi
fi

found=$("$PYTHON" -c 'import importlib.metadata as m; print(m.version("jax"))' 2>/dev/null) || {
	echo "jax.sh: $PYTHON has no JAX (or is no Python). Leave PYTHON unset to have it made." >&2
	exit 1
}
[ "$found" = "$jax" ] || echo "jax.sh: JAX $found in $PYTHON; figures are for $jax" >&2
echo "$PYTHON"
