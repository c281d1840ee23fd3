#!/bin/sh
# made.sh TSR - the manual page and the shell completions have each command and option of the help,
# and no others; each shell that is installed reads its file, and bash completes by it.
set -u
tsr=$1
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
fault() { echo "$1" | tee -a "$dir/faults"; }

"$tsr" manual >"$dir/manual" || fault 'no manual page'
for shell in bash zsh fish; do
	"$tsr" completions $shell >"$dir/$shell" || fault "no completions for $shell"
done
cmp "$dir/manual" "$(dirname "$tsr")/tool/tsr.1" || fault 'tsr.1 of the build is another'
for shell in bash zsh fish; do
	cmp "$dir/$shell" "$(dirname "$tsr")/tool/tsr.$shell" ||
		fault "tsr.$shell of the build is another"
done

# same WHAT: the sorted words on standard input are those of the help
same() { sort -u | diff "$dir/wanted" - || fault "$1 are not those of the help"; }

"$tsr" --help | sed -n 's/^  tsr \([a-z][a-z]*\).*/\1/p' | sort -u >"$dir/wanted"
[ "$(grep -c . "$dir/wanted")" -ge 12 ] || fault 'the help has too few commands'
cp "$dir/wanted" "$dir/commands"
sed -n '/^.SH COMMANDS/,/^.SH OPTIONS/s/^\\fB\([a-z]*\)\\fR.*/\1/p' "$dir/manual" |
	same 'manual: commands'
sed -n 's/^\t\([a-z]*\))$/\1/p' "$dir/bash" | same 'bash: commands'
sed -n "s/^\t\t'\([a-z]*\):.*/\1/p" "$dir/zsh" | same 'zsh: commands'
sed -n 's/.*__fish_use_subcommand -a \([a-z]*\) .*/\1/p' "$dir/fish" | same 'fish: commands'

for command in $(cat "$dir/commands"); do
	"$tsr" "$command" --help | sed -n 's/^  --\([a-z-]*\) .*/\1/p' | sort -u >"$dir/wanted"
	sed -n "/^\t$command)/,/^\t\t;;/s/.*-\*) _tsr_words '\(.*\)'.*/\1/p" "$dir/bash" |
		tr ' ' '\n' | sed -n 's/^--//p' | same "bash, $command: options"
	sed -n "/^\t\t$command) /,/;;/p" "$dir/zsh" | sed -n "s/^.*'--\([a-z-]*\).*/\1/p" |
		same "zsh, $command: options"
	sed -n "s/.*from $command' -l \([a-z-]*\) .*/\1/p" "$dir/fish" |
		same "fish, $command: options"
	cat "$dir/wanted" >>"$dir/all"
done
sort -u "$dir/all" >"$dir/wanted"
sed -n 's/^\\fB\\-\\-\([a-z\\-]*\)\\fR.*/\1/p' "$dir/manual" | tr -d '\\' | same 'manual: options'

for shell in bash zsh fish; do
	command -v $shell >/dev/null || continue
	$shell -n "$dir/$shell" || fault "$shell does not read its own"
done
if command -v man >/dev/null; then
	man --warnings -l "$dir/manual" 2>&1 >/dev/null | grep . && fault 'man warns of the page'
fi

# completed WANTED WORD...: what bash offers for the last of these words
completed() {
	wanted=$1
	shift
	# within single quotes on purpose: the words are those of the inner shell
	got=$(cd "$dir" && bash -c '. ./bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_tsr; echo "${COMPREPLY[*]}"' bash "$@" | sed 's/ *$//')
	[ "$got" = "$wanted" ] || fault "bash: $* completes to '$got', not '$wanted'"
}
if command -v bash >/dev/null; then
	completed 'prims print' tsr pri
	completed '--devices' tsr run --d
	completed 'partition' tsr print x --pass pa
	completed 'partition' tsr print x --pass = pa
	completed 'verify' tsr checkpoint v
	completed 'manual' tsr print x man
	completed '' tsr devices x
	completed '' tsr run --devices x
fi
if command -v fish >/dev/null; then
	fish -c "source $dir/fish; complete -C 'tsr print x --pass par'" | grep -q '^partition' ||
		fault 'fish does not complete a pass'
fi
[ ! -e "$dir/faults" ] && echo "all of them agree"
