#!/bin/sh
# mutants.sh - checks that `tsr conform` sees each fault of a broken engine. The engine of
# examples/engine is broken in one way after the other, and must not conform any more: in the part
# that is about it.
# usage: mutants.sh TSR CC INCLUDE LIBTSR VERSION
set -eu
tsr=$1 cc=$2 include=$3 library=$4 version=$5
source=$(cd "$(dirname "$0")/../.." && pwd)/examples/engine/tiny.c
umask 022 # an engine that others may write to is not loaded
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0 count=0

# broken PART WHAT SED-SCRIPT: PART is the first one with faults, or where it crashes
broken() {
	count=$((count + 1))
	sed -e "$3" "$source" >"$dir/tiny.c"
	if cmp -s "$source" "$dir/tiny.c"; then
		echo "$2: nothing is changed by $3"
		failed=1
		return
	fi
	"$cc" -std=gnu17 -O1 -g -w -shared -fPIC -fvisibility=hidden -I"$include" \
		-o "$dir/libtsr-engine-tiny-$version.so" "$dir/tiny.c" "$library" 2>"$dir/error" ||
		{ echo "$2: does not compile"; failed=1; return; }
	status=0
	timeout 20 "$tsr" conform tiny --plugin-dir "$dir" >"$dir/said" 2>"$dir/crash" ||
		status=$?
	part=$(awk '/^[a-z]/ { part = $0 } /checks, [1-9]/ { exit } END { print part }' \
		"$dir/said")
	if [ "$status" = 0 ] || [ "$part" != "$1" ]; then
		echo "$2: status $status, seen in '$part', not in '$1'"
		failed=1
	fi
}

broken memory "alloc does not clear" 's/if (clear) memset.*/;/'
broken memory "borrow shows inverted bytes" 's/(void)b, NULL; }/bytes_of(b); }/'
broken memory "read ignores the strides of the host" 's/move(to, strides,/move(to, at.strides,/'
broken memory "copy ignores offsets" 's/bytes_of(from) + there.offset/bytes_of(from)/'
broken memory "wrap never gives back" 's/if (b && release) release(user, data);//'
# so that whole numbers are right, since loops would not end
broken rows "the second half of each literal is 0" \
	's/memcpy\(.*\)v->literal, \(.*\));/memset\10, \2); memcpy\1v->literal, \2 \/ 2);/'
broken "control flow" "all devices take every branch" \
	's/k.program, active, x, y);/k.program, l->frame->active, x, y);/'
broken exchanges "all groups are the first one" 's/{n, g->member + first,/{n, g->member,/'
broken exchanges "exchanges end when they like" 's/if (reads(e, x->eqn)) return true;//'
broken processes "all that comes is the first operand" 's/? m->received\[.*\]/? m->received[0]/'
broken processes "members come in another order" \
	's/\(\[m\] < 0 \&\& !list_operands(f, x\), m,/\1, from + end - 1 - m,/'
broken processes "results of effects are not sent" \
	's/g->to\[i\], true)/g->to[i], true), ok = false/'
broken processes "each process calls the user" 's/if (g->from \&\& g->from\[k\] >= 0).*;/;/'
broken runs "operands are not released" 's/^\(.*\)tsr__buffer_release(r->in\[i\]);/\1continue;/'
broken runs "a run writes into its operands" \
	's/if (to) turn((unsigned char \*)to->bytes.*/&; if (to) bytes_of(b)[0]++;/'
broken runs "the state of runs is shared" \
	's/tiny_run \*r = allocate(.*/static long room[99]; tiny_run *r = (void *)room;/
	s/^	free(r);//'
broken "cancelling and errors" "cancel is ignored" 's/atomic_store(&own->cancelled, true);//'
broken "cancelling and errors" "a cancelled run stays cancelled" \
	's/return tsr__cancelled(.*/return tsr__cancelled(own, 0), own->cancelled = 1, 0;/'
broken "cancelling and errors" "numbers are ignored" \
	's/const bool stopped = .*/const bool stopped = 0;/'
broken "cancelling and errors" "nobody makes progress" 's/if (own->progress) own->.*//'
broken "cancelling and errors" "who is not there is not missed" \
	's/if (active \&\& active < here/if (0/'
broken "cancelling and errors" "a failed run keeps its operands" \
	's/const bool ok = a && run_all/if (!a) return false; const bool ok = run_all/'
broken effects "the user is called for each device" 's/= alike ? alike\[k\] : k;/= k;/'
broken effects "results of the user's functions are forgotten" 's/first < k && j < e->nout/0/'
echo "$count broken engines"
exit $failed
