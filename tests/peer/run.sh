#!/bin/sh
# run.sh - the same here and in JAX: random programs, parameters of Flax's layers, optimisers of
# Optax, files shared with NumPy and safetensors, checkpoints read by safetensors and PyTorch, and
# random draws of each primitive, of each public operation, and of the functions of tsr.jax:
# tests/peer/run.sh BUILD_DIR PROGRAMS SEED DRAWS
#
# tools/jax.sh says which Python that is.
set -eu
cd "$(dirname "$0")/../.."
build=$1 programs=$2 seed=$3 draws=$4
python=$(tools/jax.sh)

# one third in f32
folder=$build/peer
single=$((programs / 3))
rm -rf "$folder/programs"
mkdir -p "$folder/programs"
echo "peer-check: $programs programs from seed $seed on, $single of them in f32"
"$build/tests/peer/sample" "$folder/programs" "$seed" $((programs - single)) f64
"$build/tests/peer/sample" "$folder/programs" $((seed + programs)) "$single" f32
code=0
"$python" tests/peer/run_jax.py "$folder/programs" || code=1
"$python" tests/peer/run_params.py "$build/tests/peer/params" --seed "$seed" || code=1
"$python" tests/peer/run_optimizers.py "$build/tests/peer/optimizers" "$folder/optimizers" || code=1
"$python" tests/peer/run_files.py "$build/libtsr.so" || code=1
"$python" tests/peer/run_checkpoints.py "$build/tests/peer/checkpoints" || code=1
for calls in tests/bindings/names/*.calls; do
	PYTHONPATH=bindings/python TSR_LIBRARY="$build/libtsr.so" \
		"$python" tests/bindings/run_names.py "$calls" --draws 3 || code=1
done
# side by side: nearly all of the time is one thread's, that compiles in JAX
"$python" tests/peer/run_rows.py "$build/tests/peer/rows" --seed "$seed" --draws "$draws" \
	>"$folder/rows.txt" 2>&1 &
rows=$!
"$python" tests/peer/run_functions.py "$build/tests/peer/rows" --seed "$seed" \
	--draws "$draws" || code=1
wait $rows || code=1
cat "$folder/rows.txt"
exit $code
