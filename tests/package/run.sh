#!/bin/sh
# run.sh - installs a build, moves it, and uses it as a stranger would.
# usage: run.sh CMAKE BUILD_DIR WORK_DIR CC CXX|no PKG_CONFIG|no
set -eu
cmake=$1 build=$2 work=$3 cc=$4 cxx=$5 pkg_config=$6
here=$(cd "$(dirname "$0")" && pwd)

rm -rf "$work"
mkdir -p "$work"
"$cmake" --install "$build" --prefix "$work/first" >"$work/install.log"
libdir=$(dirname "$(find "$work/first" -name 'libtsr.a')")
unset TSR_PLUGIN_DIR TSR_ENGINE
umask 022 # others may not write to engines that are built here
made=interpreted
if [ -n "$(find "$libdir" -name 'libtsr-cpu-*.so')" ]; then made=compiled; fi

echo "the archive alone, where it was installed"
# unquoted on purpose: a list of words
"$cc" -o "$work/plain_static" -I"$work/first/include" "$here/consumer.c" "$libdir/libtsr.a" \
	$(sed -n 's/^Libs.private: \(.*\) -Wl,.*/\1/p' "$libdir/pkgconfig/tsr.pc")
"$work/plain_static" $made

mv "$work/first" "$work/moved"
prefix=$work/moved
libdir=$(dirname "$(find "$prefix" -name 'libtsr.a')")
"$work/plain_static" interpreted 2>"$work/plain.log"
grep -q "libtsr-cpu-.* is neither in $work nor in $work/first/.* nor along" "$work/plain.log"

echo "the archive, in a folder with code of others, under a name that leads there"
mkdir "$work/untrusted"
for plugin in $(cd "$libdir" && ls libtsr-cpu-*.so); do
	echo "not ours" >"$work/untrusted/$plugin"
done
(cd "$work/untrusted" && python3 -c 'import os, sys
os.execv(sys.argv[1], ["./program", "interpreted"])' "$work/plain_static" 2>"$work/untrusted.log")
grep -q "is neither in $work nor" "$work/untrusted.log"

echo "find_package"
"$cmake" -S "$here" -B "$work/cmake" -DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$prefix" \
	>"$work/configure.log"
"$cmake" --build "$work/cmake" >"$work/build.log" || { cat "$work/build.log"; exit 1; }
"$work/cmake/consumer_shared" $made
"$work/cmake/consumer_static" $made

if [ "$pkg_config" != no ]; then
	echo "pkg-config"
	PKG_CONFIG_PATH=$libdir/pkgconfig
	export PKG_CONFIG_PATH
	# unquoted on purpose: lists of words
	"$cc" -o "$work/pc_shared" "$here/consumer.c" $("$pkg_config" --cflags --libs tsr)
	LD_LIBRARY_PATH=$libdir "$work/pc_shared" $made
	"$cc" -o "$work/pc_static" "$here/consumer.c" $("$pkg_config" --cflags tsr) \
		"$libdir/libtsr.a" $("$pkg_config" --static --libs tsr | sed 's/-ltsr//')
	"$work/pc_static" $made
fi

docdir=$(dirname "$(find "$prefix" -name THIRD-PARTY.md)")

echo "the commands of docs/embedding.md"
cp "$docdir/examples/train.c" "$work/train.c"
sed -e ':join' -e '/\\$/{N;s/\\\n//;bjoin}' "$docdir/docs/embedding.md" |
	sed "s|DIR/lib|$libdir|g; s|DIR|$prefix|g; s|solver.c|train.c|" |
	grep '^    cc' >"$work/commands"
[ "$(grep -c . "$work/commands")" = 4 ]
while read -r command; do
	case $command in *pkg-config*) [ "$pkg_config" != no ] || continue ;; esac
	(cd "$work" && PKG_CONFIG_PATH=$libdir/pkgconfig sh -c "$command") || exit 1
	case $command in
	*-shared*)
		names=$(nm -D --defined-only "$work/libsolver.so" | grep -c ' tsr_') || true
		[ "$names" = 0 ] || { echo "libsolver.so shows $names names of libtsr"; exit 1; }
		;;
	*) LD_LIBRARY_PATH=$libdir "$work/train" >/dev/null ;;
	esac
done <"$work/commands"

echo "documents that headers cite"
cited=$(cd "$prefix/include" && grep -rhoE '[A-Za-z0-9_/.-]+\.md' tsr | sort -u)
[ -n "$cited" ]
for page in $cited; do
	[ -e "$docdir/$page" ] || { echo "a header cites $page, which is not installed"; exit 1; }
done

echo "each header alone"
flags="-I$prefix/include -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -fsyntax-only"
for header in $(cd "$prefix/include" && find tsr -name '*.h' ! -name mpi.h); do
	for standard in c17 c2x; do # and a declaration, since some have macros alone
		printf '#include <%s>\nextern int declared;\n' "$header" |
			"$cc" -std=$standard $flags -x c -
	done
	case $header in tsr/engine/*) continue ;; esac # are C alone, and say so
	if [ "$cxx" != no ]; then
		echo "#include <$header>" | "$cxx" -std=c++17 $flags -x c++ -
	fi
done

if [ "$cxx" != no ]; then
	echo "C++"
	"$cxx" -std=c++17 -o "$work/first" -I"$prefix/include" "$here/../bindings/cxx_first.cpp" \
		-L"$libdir" -ltsr
	LD_LIBRARY_PATH=$libdir "$work/first" >/dev/null
fi
if command -v gfortran >/dev/null; then
	echo "Fortran"
	mkdir "$work/fortran"
	(cd "$work/fortran" && cp "$prefix"/share/tsr/fortran/* . &&
		gfortran -c tsr_c.f90 tsr.f90 &&
		gfortran -o first "$here/../bindings/fortran_first.f90" tsr.o tsr_c.o \
			-L"$libdir" -ltsr)
	LD_LIBRARY_PATH=$libdir "$work/fortran/first" >/dev/null
fi

for kind in openmpi mpich; do
	[ -n "$(find "$libdir" -name "libtsr-mpi-$kind-*.so")" ] || continue
	command -v mpirun.$kind >/dev/null && command -v mpicc.$kind >/dev/null || continue
	echo "several processes, $kind"
	mpicc.$kind -o "$work/halves" -I"$prefix/include" -Wall -Wextra -Wno-cast-function-type \
		"$here/../mpi/halves.c" -L"$libdir" -ltsr
	. "$here/../mpi/environment.sh"
	LD_LIBRARY_PATH=$libdir timeout 60 mpirun.$kind -n 2 "$work/halves"
done

if [ -e "$prefix/bin/tsr" ]; then
	echo "tsr --help"
	"$prefix/bin/tsr" --help >/dev/null
	echo "an engine from outside"
	cp -r "$docdir/engine" "$work/engine"
	"$cmake" -S "$work/engine" -B "$work/engine/build" -DCMAKE_C_COMPILER="$cc" \
		-DCMAKE_C_FLAGS="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror" \
		-DCMAKE_PREFIX_PATH="$prefix" >"$work/configure_engine.log"
	"$cmake" --build "$work/engine/build" >"$work/engine.log" ||
		{ cat "$work/engine.log"; exit 1; }
	"$prefix/bin/tsr" conform tiny --plugin-dir "$work/engine/build" >"$work/conform.log" ||
		{ cat "$work/conform.log"; exit 1; }

	echo "tsr new, by make and by CMake"
	for file in man/man1/tsr.1 bash-completion/completions/tsr zsh/vendor-completions/_tsr \
		fish/vendor_completions.d/tsr.fish; do
		[ -s "$prefix/share/$file" ]
	done
	(cd "$work" && "$prefix/bin/tsr" new net) >/dev/null
	if [ "$pkg_config" != no ]; then
		(unset PKG_CONFIG_PATH && make -C "$work/net" CC="$cc" PKG_CONFIG="$pkg_config" \
			CFLAGS="-O2 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror" run) \
			>"$work/net.log" 2>&1 || { cat "$work/net.log"; exit 1; }
		grep -q '^step 500  loss 0.000' "$work/net.log"
	fi
	"$cmake" -S "$work/net" -B "$work/net/build" -DCMAKE_C_COMPILER="$cc" >"$work/net_cmake.log"
	"$cmake" --build "$work/net/build" >>"$work/net_cmake.log"
	"$work/net/build/net" | grep -q '^step 500  loss 0.000'
fi
echo "the installed library can be used"
