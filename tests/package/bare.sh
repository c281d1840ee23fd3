#!/bin/sh
# bare.sh DIST - the packages of `make deb` and `make wheel` in a bare Debian 12: each is installed
# in a root with nothing but its smallest system, begins a project, and trains its network, in under
# a minute without the downloads of apt. Needs root, debootstrap and Debian's servers (MIRROR).
# Roots are made in a new folder of TMPDIR; an archive of the bare one stays in build/bare, with
# what was printed.
set -eu
dist=$(cd "$1" && pwd)
work=$(cd "$(dirname "$0")/../.." && pwd)/build/bare
mirror=${MIRROR:-http://deb.debian.org/debian}
roots=$(mktemp -d)
trap 'rm -rf --one-file-system "$roots"' EXIT

if [ ! -e "$work/root.tar" ]; then
	mkdir -p "$work"
	debootstrap --variant=minbase bookworm "$roots/first" "$mirror" >"$work/debootstrap.log"
	tar -C "$roots/first" -cf "$work/root.tar.part" .
	mv "$work/root.tar.part" "$work/root.tar"
fi

# inside NAME: runs the script on standard input in a new copy of the root
inside() {
	root=$roots/$1
	mkdir "$root"
	tar -C "$root" -xf "$work/root.tar"
	cp /etc/resolv.conf "$root/etc/"
	mkdir "$root/dist"
	cp "$dist"/*.deb "$dist"/*.whl "$root/dist"
	mount -t proc proc "$root/proc"
	mount -t sysfs sysfs "$root/sys" 2>/dev/null || true # where hwloc finds cores
	status=0
	chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
		DEBIAN_FRONTEND=noninteractive ${http_proxy:+http_proxy="$http_proxy"} \
		sh -eu >"$work/$1.log" 2>&1 || status=$?
	umount "$root/proc" "$root/sys" 2>/dev/null || true
	[ $status -eq 0 ] || { tail -40 "$work/$1.log"; echo "$1: status $status"; exit 1; }
	sed -n 's/^SECONDS /'"$1"': seconds of /p' "$work/$1.log"
	grep -q '^step 500  loss 0.000' "$work/$1.log"
}

inside deb <<'END'
apt-get -q update
cd /dist
ls libtsr0* libtsr-dev* tsr-tools*
# download first, so that the time is that of the packages alone
list='./libtsr0.2_*.deb ./libtsr-dev_*.deb ./tsr-tools_*.deb'
apt-get -q -y --no-install-recommends --download-only install $list
begin=$(date +%s)
apt-get -q -y --no-install-recommends install $list
cd /srv
tsr new net && make -C net run
echo "SECONDS installing and running: $(($(date +%s) - begin))"
man=/usr/share/man/man1/tsr.1.gz
test -s $man || echo "$man is excluded here"
ldd /usr/bin/tsr /usr/lib/*/tsr/libtsr-cpu-*.so | grep 'not found' && exit 1
apt-get -q -y remove libtsr0.2
[ -z "$(find /usr/lib -name "libtsr*")" ]
END

inside wheel <<'END'
apt-get -q update
apt-get -q -y --no-install-recommends install python3-venv gcc libc6-dev make pkgconf
begin=$(date +%s)
python3 -m venv /opt/env
/opt/env/bin/pip install --no-index /dist/*.whl
cd /srv
PATH=/opt/env/bin:$PATH
tsr new net && make -C net run
python - <<'PYTHON'
import tsr
from tsr import P
tsr.init(devices=8)
mesh = tsr.Mesh({"x": 4, "y": 2})

@tsr.shard_map(mesh=mesh, in_specs=(P("x", "y"), P("y", None)), out_specs=P("x", None))
def product(a, b):
    return tsr.psum(a @ b, "y")

a = tsr.arange(128, dtype="float32").reshape(8, 16)
b = tsr.arange(64, dtype="float32").reshape(16, 4)
assert tsr.allclose(tsr.dot(a, b), product(a, b), 1e-2, 1e-2)
large = tsr.ones((512, 512), dtype="float32")  # what takes long is compiled
step = tsr.jit(lambda x: tsr.tanh(x @ x))
for _ in range(20):
    step(large)
assert "libtsr-cpu-" in open("/proc/self/maps").read(), "programs are interpreted"
PYTHON
echo "SECONDS installing and running: $(($(date +%s) - begin))"
END
