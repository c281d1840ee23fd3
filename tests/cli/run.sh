#!/bin/sh
# run.sh TSR - the output of the command-line tool, and its exit status: 0, 1 for an error, 2 for
# wrong usage. Then, where the examples were built beside the tool and Python is there to make a
# terminal: when pictures and the tool use colour.
set -u
tsr=$1
root=$(dirname "$0")/../..
matmul=$(dirname "$tsr")/examples/matmul
terminal="python3 $(dirname "$0")/terminal.py"
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
passed=0
failed=0

# has FRAGMENT FILE: an empty fragment is everywhere
has() { [ -z "$1" ] || grep -qF -- "$1" "$2"; }

# count FAULTS WHAT: nothing but a 0 is a pass
count() {
	if [ "$1" -eq 0 ]; then
		passed=$((passed + 1))
		return
	fi
	failed=$((failed + 1))
	echo "$2"
	cat "$dir/out" "$dir/err"
}

# check STATUS STDOUT-FRAGMENT STDERR-FRAGMENT ARGUMENTS...
check() {
	status=$1 want_out=$2 want_err=$3
	shift 3
	"$tsr" "$@" >"$dir/out" 2>"$dir/err"
	got=$?
	[ $got -eq "$status" ] && has "$want_out" "$dir/out" && has "$want_err" "$dir/err"
	count $? "tsr $*: status $got (want $status)"
}

# lost OUTPUT STDERR-FRAGMENT ARGUMENTS...: what cannot be written is an error
lost() {
	output=$1 want_err=$2
	shift 2
	: >"$dir/out"
	if [ "$output" = closed ]
	then "$tsr" "$@" >&- 2>"$dir/err"
	else "$tsr" "$@" >"$output" 2>"$dir/err"
	fi
	got=$?
	[ $got -eq 1 ] && has "standard output: $want_err" "$dir/err"
	count $? "tsr $*, output $output: status $got (want 1)"
}

# colour yes|no FRAGMENT COMMAND...: does it print an escape? The fragment must be there as well.
colour() {
	want=$1 want_out=$2
	shift 2
	"$@" >"$dir/out" 2>"$dir/err" </dev/null
	got=$?
	found=no
	! has "$escape" "$dir/out" || found=yes
	[ $got -eq 0 ] && has "$want_out" "$dir/out" && [ $found = "$want" ]
	count $? "$*: status $got, colour: $found (want $want)"
}
escape=$(printf '\033')

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
# twelve inputs, x.npy but for the last; twelve results, the inputs doubled
many=
{
	types= results= params=
	for k in 0 1 2 3 4 5 6 7 8 9 10 11; do
		params="$params${params:+, }%$k: f32[4]"
		types="$types${types:+, }f32[4]"
		results="$results %$((k + 12))"
		many="$many $dir/$([ $k -eq 11 ] && echo y0.npy || echo x.npy)"
	done
	echo "many($params) -> $types {"
	for k in 0 1 2 3 4 5 6 7 8 9 10 11; do
		echo "  %$((k + 12)): f32[4] = mul %$k 2.0:f32"
	done
	echo "  return$results"
	echo '}'
} >"$dir/many.tsr"

check 0 'tsr run FILE' '' --help
check 0 'tsr 0.' '' --version
check 0 'cpu:2  process 0' '' devices --devices 3
check 0 '%2: f32[] = reduce_sum %1 dims=[0]' '' print "$dir/double.tsr"
check 0 'axes (x of (x:4)) sum(%0: i32[2]{x}) -> i32[2] {' '' print --pass partition "$dir/sum.tsr"
check 0 '%1: f32[4] = mul %0 2.0:f32' '' print "$dir/double.tsr" --pass simplify
check 0 'psum %0' '' print "$dir/sum.tsr" --pass all
check 0 'psum %0 over x\nto=invarying\n12 bytes received' '' print "$dir/sum.tsr" --graph
check 0 'axes (x of (x:4))' '' print "$dir/sum.tsr" --graph --pass all
if command -v dot >/dev/null; then
	dot -Tsvg <"$dir/out" >"$dir/graph.svg" && has 'class="node collective"' "$dir/graph.svg"
	count $? 'dot does not draw the graph'
fi
check 0 'your own' '' explain "$dir/sum.tsr"
check 0 '"operation":"psum"' '' explain "$dir/sum.tsr" --json
python3 -c 'import json, sys; json.load(sys.stdin)' <"$dir/out"
count $? 'the JSON of tsr explain does not read back'
check 0 '' '' explain "$dir/sum.tsr" --html "$dir/page.html"
has '</html>' "$dir/page.html"
count $? 'tsr explain --html wrote no page'
check 1 '' 'No such file or directory' explain "$dir/sum.tsr" --html "$dir/none/page.html"
check 2 '' '--html needs the name of a file' explain "$dir/sum.tsr" --html
check 2 '' '--json and --html exclude each other' explain "$dir/sum.tsr" --json --html x
check 2 '' 'explain takes one FILE' explain "$dir/sum.tsr" "$dir/sum.tsr"
check 0 'all_gather                96 ' '' collectives --dims 4x8 --devices 4
check 1 '' '4 devices, which do not divide f32[7]' collectives --dims 7
check 2 '' '--dims needs sizes' collectives --dims 4x
check 2 '' '--dims needs sizes' collectives --dims -4
check 2 '' '--dims needs sizes' collectives --dims
check 2 '' 'collectives takes no file' collectives FILE
# piped FILE STDOUT-FRAGMENT ARGUMENTS...: FILE comes through a pipe to standard input
piped() {
	file=$1 want_out=$2
	shift 2
	cat "$file" | "$tsr" "$@" >"$dir/out" 2>"$dir/err"
	got=$?
	[ $got -eq 0 ] && has "$want_out" "$dir/out"
	count $? "cat $file | tsr $*: status $got"
}
for input in - /dev/stdin; do
	piped "$dir/sum.tsr" 'psum %0' print $input
	piped "$dir/sum.tsr" 'axes (x of (x:4))' print $input --pass partition
	piped "$dir/sum.tsr" '[12 16]' run $input "$dir/i.npy"
	piped "$dir/i.npy" '[12 16]' run "$dir/sum.tsr" $input
done
mkfifo "$dir/fifo"
cat "$dir/sum.tsr" >"$dir/fifo" &
check 0 '[12 16]' '' run "$dir/fifo" "$dir/i.npy"
printf 'a\000b' >"$dir/zero.tsr"
check 1 '' 'holds a zero byte' print "$dir/zero.tsr"
check 1 '' 'Is a directory' print "$dir"
check 0 'it conforms' '' conform interp
check 1 'libtsr-engine-nobody-' '' conform nobody
check 2 '' 'an ENGINE is missing' conform
check 1 '' 'No such device' print /dev/zero
passes='strong, inline, sink, unroll, simplify, add_patches, expand'
passes="$passes, partition, hoist, update, precision, all"
check 1 '' "there are $passes and fuse" print "$dir/double.tsr" --pass none
check 0 '%1: f64[] = convert_element_type %0 dtype=f64' '' print --expand lgamma
check 0 '%1: f64[] = real %0' '' print --expand exp:c128
check 0 '%1: f32[] = abs %0' '' print --expand erf
check 2 '' 'no primitive of one to three operands: laplace' print --expand laplace
check 1 '' 'expected a dtype' print --expand lgamma:f7
check 2 '' '--pass needs a name' print "$dir/double.tsr" --pass
check 0 '[0. 2. 4. 6.]' '' run "$dir/double.tsr" "$dir/x.npy"
check 0 'f32[4]  16 bytes' '' list "$dir/x.npy"
check 0 'bf16[2,3]  12 bytes' '' list tests/files/data/ours.npz
check 1 '' 'must end in .npy' list "$dir/sum.tsr"
check 1 '' 'No such file' list "$dir/missing.npz"
check 2 '' 'a file of ARRAYS is missing' list
check 2 '' 'takes one file' list "$dir/x.npy" "$dir/i.npy"
check 0 '[12 16]' '' run "$dir/sum.tsr" "$dir/i.npy"
check 0 '12  2 leaves  1664 bytes in 8 files' '' checkpoint ls tests/checkpoint/data
check 0 'step 12 is sound' '' checkpoint verify tests/checkpoint/data
check 0 'step 12 is sound' '' checkpoint verify tests/checkpoint/data 12
check 1 '' '/13/index.json: No such file' checkpoint verify tests/checkpoint/data 13
check 1 '' 'no complete checkpoint' checkpoint verify "$dir"
check 2 '' 'a STEP is a number' checkpoint verify "$dir" x
check 2 '' 'a DIR is missing' checkpoint ls
check 2 '' 'checkpoint does ls or verify' checkpoint check "$dir"
check 2 '' 'more than is known' checkpoint ls "$dir" 12
check 0 '' '' run "$dir/double.tsr" "$dir/x.npy" --output "$dir/y"
[ -s "$dir/y0.npy" ] && [ -s "$dir/y1.npy" ]
count $? 'no files were written'
check 0 'result 11:' '' run "$dir/many.tsr" $many
check 0 '[ 0.  4.  8. 12.]' '' run "$dir/many.tsr" $many
check 1 '' 'many takes 12 arguments, got 13' run "$dir/many.tsr" $many "$dir/x.npy"
check 1 '' 'args[9] must be f32[4], got i32[8]' run "$dir/many.tsr" \
	$(echo $many | sed 's/x\.npy/i.npy/10')
for command in devices prims print explain run; do
	check 0 "tsr $command" '' $command --help
done
check 0 '--plugin-dir DIR' '' help conform
check 2 '' 'unknown command: nothing' help nothing
# options as GNU tools have them
check 0 'cpu:2  process 0' '' devices --devices=3
check 0 'cpu:2  process 0' '' devices --dev 3
check 0 'axes (x of (x:4))' '' print "$dir/sum.tsr" --pa=partition --graph
cp "$dir/double.tsr" "$dir/--pass"
(cd "$dir" && "$tsr" print --graph -- --pass) >"$dir/out" 2>"$dir/err" && has digraph "$dir/out"
count $? 'tsr print --graph -- --pass'
check 2 '' 'several options begin like this: --d' collectives --d 4
check 2 '' 'this option has no value: --graph=3' print "$dir/sum.tsr" --graph=3
check 2 '' 'unknown option: --json' print "$dir/sum.tsr" --json
check 2 '' 'unknown option: -x' print -x "$dir/sum.tsr"
check 2 '' "try 'tsr print --help'" print "$dir/sum.tsr" --frobnicate=1
[ "$(grep -c . "$dir/err")" -eq 2 ]
count $? 'more is said of an unknown option than it and the hint'
check 2 '' "try 'tsr --help'" --frobnicate
check 2 '' '--devices needs a number' devices --devices=
check 2 '' '--pass needs a name' print "$dir/sum.tsr" --pass
# help lists the passes that there are, no others, and each can be asked for
"$tsr" print "$dir/double.tsr" --pass none 2>&1 | sed -n 's/.*there are //p' |
	sed 's/,//g; s/ and / /' | tr ' ' '\n' >"$dir/passes"
"$tsr" --help | sed -n '/--pass NAME   one/,/^$/s/^      \([a-z_]*\) .*/\1/p' >"$dir/helped"
grep -qx fuse "$dir/passes" && cmp "$dir/passes" "$dir/helped" >"$dir/out" 2>"$dir/err"
count $? 'the passes of --help are not those that there are'
for pass in $(cat "$dir/passes"); do
	check 0 'double(%0: f32[4])' '' print "$dir/double.tsr" --pass "$pass"
done
# each primitive of the list, in two lines: its form and its meaning
check 0 'reduce_sum %0 dims=[INT,...]' '' prims
check 0 '    sum over dims; of no elements 0' '' prims
check 0 'psum %0 axes=(AXIS,...) groups=[[INT,...],...] to=varying|invarying' '' prims
check 0 'scan %0 ...' '' prims
sed 's/^PRIM/ PRIM/' "$root/src/prim/prims.def" | tr ' ' '\n' |
	sed -n 's/^PRIM(\([a-z0-9_]*\))$/\1/p' >"$dir/rows"
"$tsr" prims | sed -n 's/^\([a-z][a-z0-9_]*\).*/\1/p' >"$dir/listed"
[ "$("$tsr" prims | grep -c '^    [^ ]')" -eq "$(grep -c . "$dir/rows")" ] &&
	cmp "$dir/rows" "$dir/listed" >"$dir/out" 2>"$dir/err"
count $? 'tsr prims does not list the rows of prims.def'
check 2 '' 'prims takes no file' prims "$dir/double.tsr"
check 0 'tsr run FILE' '' run "$dir/missing.tsr" --help
for output in /dev/full closed; do
	cause='No space left on device'
	[ $output = closed ] && cause='Bad file descriptor'
	lost $output "$cause" --help
	lost $output "$cause" --version
	lost $output "$cause" print --help
	lost $output "$cause" devices
	lost $output "$cause" devices --devices 4000
	lost $output "$cause" print "$dir/double.tsr"
	lost $output "$cause" run "$dir/double.tsr" "$dir/x.npy"
done
check 1 '' 'double takes 1 argument' run "$dir/double.tsr"
check 1 '' 'f32[5]' print "$dir/wrong.tsr"
check 1 '' 'line 2' print "$dir/wrong.tsr"
check 1 '' 'missing.tsr' run "$dir/missing.tsr"
check 1 '' 'missing.npy' run "$dir/double.tsr" "$dir/missing.npy"
check 1 '' 'cut.npy' run "$dir/double.tsr" "$dir/cut.npy"
check 1 '' 'device' run "$dir/sum.tsr" "$dir/i.npy" --devices 2
cat > "$dir/forever.tsr" <<'END'
forever(%0: f32[4]) -> f32[4] {
  %1: f32[4] = while %0 cond_consts=0 body_consts=0 cond=c(%0: f32[4]) -> bool[] {
    %1: f32[] = reduce_max %0 dims=[0]
    %2: bool[] = lt %1 1000.0:f32
    return %2
  } body=b(%0: f32[4]) -> f32[4] {
    %1: f32[4] = mul %0 0.5:f32
    return %1
  }
  return %1
}
END
# the example of docs/debugging.md: its program, and what its command prints
sed -n 's/^    //; /^tsr: where/,/^[0-9]* in all/p' "$root/docs/debugging.md" >"$dir/told"
sed -n 's/^    //; /^\$ cat product/,/^\$ TSR/{/^\$/d;p}' "$root/docs/debugging.md" \
	>"$dir/product.tsr"
TSR_DEBUG=PC "$tsr" print "$dir/product.tsr" --pass partition >/dev/null 2>"$dir/err"
sed '$d' "$dir/err" | diff "$dir/told" - >"$dir/out"
count $? 'docs/debugging.md: TSR_DEBUG=PC prints something else'
check 124 '' 'cancelled' run "$dir/forever.tsr" "$dir/x.npy" --time-limit 0.2
TSR_DEBUG=c check 124 '' 'cancelled' run "$dir/forever.tsr" "$dir/x.npy" --time-limit 0.5
check 0 '' '' run "$dir/double.tsr" "$dir/x.npy" --time-limit 100
check 2 '' '--time-limit needs' run "$dir/double.tsr" "$dir/x.npy" --time-limit soon
# a time limit ends whatever is waited for: a FIFO that nobody opens, standard input, a full pipe
mkfifo "$dir/nobody" "$dir/full"
check 124 '' '' run "$dir/nobody" --time-limit 0.2
sleep 20 >"$dir/nobody" &
sleeper=$!
check 124 '' '' run - --time-limit 0.2 <"$dir/nobody"
kill $sleeper
cat >"$dir/talks.tsr" <<'TEXT'
talks() -> f32[] {
  %0: f32[] = scan 0.0:f32 length=100000 consts=0 carry=1 unroll=1 body=b(%0: f32[]) -> f32[] {
    debug_print %0 format="step {}: a line that is long enough to fill a pipe" axes=()
    %1: f32[] = add %0 1.0:f32
    return %1
  }
  return %0
}
TEXT
sleep 20 <"$dir/full" &
sleeper=$!
"$tsr" run "$dir/talks.tsr" --time-limit 0.2 >"$dir/full" 2>"$dir/err"
[ $? -eq 124 ]
count $? 'a time limit does not end a write to a full pipe'
kill $sleeper
# SIGINT that the parent ignores stays ignored
(trap '' INT; exec "$tsr" run "$dir/forever.tsr" "$dir/x.npy" --time-limit 1 2>"$dir/err") &
pid=$!
until [ "$(readlink "/proc/$pid/exe")" -ef "$tsr" ]; do sleep 0.1; done
kill -INT $pid
wait $pid
[ $? -eq 124 ]
count $? 'SIGINT is taken though the parent ignores it'
# a limit of file sizes is an error, and leaves no file behind
(ulimit -f 0; "$tsr" run "$dir/double.tsr" "$dir/x.npy" --output "$dir/z" 2>&1) | cat >"$dir/err"
grep -q 'z0.npy: File too large' "$dir/err" && [ -z "$(find "$dir" -name '.tsr-*')" ]
count $? 'a limit of file sizes is no error, or leaves a file'
# names of files that a terminal must not obey
check 1 '' 'no?[2Jfile' print "$(printf 'no\033[2Jfile')"
check 2 '' 'takes one FILE: no?[2Jfile' print "$dir/double.tsr" "$(printf 'no\033[2Jfile')"
# more devices than anyone has
sed 's/x:4/x:8192/; s/i32\[2\]{x}/i32[1]{x}/; s/i32\[8\]/i32[8192]/; s/i32\[2\]/i32[1]/g' \
	"$dir/sum.tsr" >"$dir/wide.tsr"
check 0 'axes (x of (x:8192))' '' print "$dir/wide.tsr" --pass partition
# Ctrl-C; what a shell runs behind its back ignores it, so it is set to its default first
interrupted() {
	env "$1" python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$tsr" run "$dir/forever.tsr" "$dir/x.npy" 2> "$dir/err" &
	pid=$!
	# until then Ctrl-C would be ignored, and on a busy machine that may take seconds
	until [ "$(readlink "/proc/$pid/exe")" -ef "$tsr" ]; do sleep 0.1; done
	sleep 1
	kill -INT $pid
	wait $pid
	[ $? -eq 130 ] && grep -q cancelled "$dir/err"
}
for how in TSR_DEBUG=c TSR_ENGINE=interp; do
	if interrupted $how; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "Ctrl-C with $how: not status 130, or no message"
	fi
done
check 2 '' 'command is missing'
check 2 '' 'unknown command' frobnicate
check 2 '' 'unknown command' frobnicate --help
check 2 '' 'takes no file' devices "$dir/double.tsr"
check 2 '' 'takes one FILE' print "$dir/double.tsr" "$dir/x.npy"
check 2 '' 'unknown option' print --frobnicate
check 2 '' 'FILE is missing' run
check 2 '' '--devices needs' devices --devices none

unset NO_COLOR
export TERM=xterm
if [ -x "$matmul" ] && $terminal true; then
	colour no '│ CPU 2,3' "$matmul"
	colour yes 'CPU 2,3' $terminal "$matmul"
	colour yes 'CPU 2,3' env NO_COLOR= $terminal "$matmul"
	colour yes 'CPU 2,3' env -u TERM $terminal "$matmul"
	colour no '│ CPU 2,3' env NO_COLOR=1 $terminal "$matmul"
	colour no '│ CPU 2,3' env TERM=dumb $terminal "$matmul"
	colour no '[0. 2. 4. 6.]' $terminal "$tsr" run "$dir/double.tsr" "$dir/x.npy"
	colour no 'mul %0 2.0:f32' $terminal "$tsr" print "$dir/double.tsr"
	colour no 'cpu:0' $terminal "$tsr" devices
else
	echo 'no example matmul, or no terminal: colour was not tried'
fi
# a project: written once, whole or not at all
check 0 'make -C' '' new "$dir/net"
printf '%s\n' .gitignore CMakeLists.txt Makefile README.md main.c >"$dir/wanted"
ls -A "$dir/net" | cmp - "$dir/wanted" &&
	! grep -r '@[A-Z]*@' "$dir/net" >"$dir/out" && grep -q '^net: main.c' "$dir/net/Makefile"
count $? 'tsr new: other files, or a mark that is left'
check 1 '' 'File exists' new "$dir/net"
check 1 '' 'No such file' new "$dir/none/net"
for name in '' . .. a/ -- 3d 'a b' 'a;b' "$(printf 'a\033b')"; do
	check 2 '' "try 'tsr new --help'" new -- "$name"
done
check 2 '' 'a NAME is missing' new
check 2 '' 'new takes one NAME' new "$dir/a" "$dir/b"
(ulimit -f 0; "$tsr" new "$dir/whole" 2>&1) | cat >"$dir/err"
grep -q 'whole/.*: File too large' "$dir/err" && [ ! -e "$dir/whole" ]
count $? 'tsr new: a failed write is no error, or leaves a folder'
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
