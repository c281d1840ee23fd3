#!/bin/sh
# run.sh TSR - what the command-line tool prints, and its exit status: 0, 1 for an error, 2 for
# wrong usage.
set -u
tsr=$1
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
passed=0
failed=0

# has FRAGMENT FILE: an empty fragment is everywhere
has() { [ -z "$1" ] || grep -qF -- "$1" "$2"; }

# check STATUS STDOUT-FRAGMENT STDERR-FRAGMENT ARGUMENTS...
check() {
	status=$1 want_out=$2 want_err=$3
	shift 3
	"$tsr" "$@" >"$dir/out" 2>"$dir/err"
	got=$?
	if [ $got -eq "$status" ] && has "$want_out" "$dir/out" && has "$want_err" "$dir/err"
	then passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "tsr $*: status $got (want $status)"
		cat "$dir/out" "$dir/err"
	fi
}

cat >"$dir/double.tsr" <<'TEXT'
double(%0: f32[4]) -> f32[4], f32[] {
  %1: f32[4] = mul %0 2.0:f32
  %2: f32[] = reduce_sum %1 dims=[0]
  return %1 %2
}
TEXT
cat >"$dir/sum.tsr" <<'TEXT'
sum(%0: i32[8]) -> i32[2] {
  %1: i32[2] = shard_map %0 mesh=(x:4) axes=(x) in=[[x]] out=[[]] body=p(%0: i32[2]{x}) -> i32[2] {
    %1: i32[2] = psum %0 axes=(x) to=invarying
    return %1
  }
  return %1
}
TEXT
sed 's/f32\[4\] = mul/f32[5] = mul/' "$dir/double.tsr" >"$dir/wrong.tsr"
# a .npy file of four f32: 0 1 2 3; and eight i32
header() { printf '\223NUMPY\001\000v\000%-117s\n' "$1"; }
header "{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }" >"$dir/x.npy"
printf '\000\000\000\000\000\000\200\077\000\000\000\100\000\000\100\100' >>"$dir/x.npy"
header "{'descr': '<i4', 'fortran_order': False, 'shape': (8,), }" >"$dir/i.npy"
for k in 0 1 2 3 4 5 6 7; do printf "\\00$k\\000\\000\\000"; done >>"$dir/i.npy"
head -c 130 "$dir/x.npy" >"$dir/cut.npy"

check 0 'tsr run FILE' '' --help
check 0 'tsr 0.' '' --version
check 0 'cpu:2  process 0' '' devices --devices 3
check 0 '%2: f32[] = reduce_sum %1 dims=[0]' '' print "$dir/double.tsr"
check 0 '[0. 2. 4. 6.]' '' run "$dir/double.tsr" "$dir/x.npy"
check 0 '[12 16]' '' run "$dir/sum.tsr" "$dir/i.npy"
check 0 '' '' run "$dir/double.tsr" "$dir/x.npy" --output "$dir/y"
if [ ! -s "$dir/y0.npy" ] || [ ! -s "$dir/y1.npy" ]; then
	failed=$((failed + 1))
	echo 'no files were written'
fi
check 1 '' 'double takes 1 argument' run "$dir/double.tsr"
check 1 '' 'f32[5]' print "$dir/wrong.tsr"
check 1 '' 'line 2' print "$dir/wrong.tsr"
check 1 '' 'missing.tsr' run "$dir/missing.tsr"
check 1 '' 'missing.npy' run "$dir/double.tsr" "$dir/missing.npy"
check 1 '' 'cut.npy' run "$dir/double.tsr" "$dir/cut.npy"
check 1 '' 'device' run "$dir/sum.tsr" "$dir/i.npy" --devices 2
check 2 '' 'command is missing'
check 2 '' 'unknown command' frobnicate
check 2 '' 'unknown option' print --frobnicate
check 2 '' 'FILE is missing' run
check 2 '' '--devices needs' devices --devices none
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
