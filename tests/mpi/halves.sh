#!/bin/sh
# halves.sh - a program that uses MPI itself, and its mistakes, with a message for each.
# usage: halves.sh MPIRUN PROGRAM
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/environment.sh"
mpirun=$1 program=$2
unset TSR_COMM

# processes of MPICH never give their processors away while they wait
case $("$mpirun" --version) in *HYDRA*) most=2 ;; *) most=4 ;; esac
timeout 60 "$mpirun" -n $most "$program" </dev/null
timeout 60 "$mpirun" -n 2 "$program" </dev/null
timeout 60 "$mpirun" -n 2 "$program" several </dev/null # and mpirun finds nothing wrong

# a checkpoint of several processes is that of others
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
timeout 60 "$mpirun" -n $most "$program" save "$folder/run" </dev/null
for n in 2 1 $most; do timeout 60 "$mpirun" -n $n "$program" load "$folder/run" </dev/null; done

# expect MISTAKE WORDS...: the message has each of the words. $keep: options of mpirun
keep=
expect() {
	mistake=$1
	shift
	said=$(timeout 60 "$mpirun" $keep -n 2 "$program" "$mistake" </dev/null 2>/dev/null) || {
		echo "$mistake: the program failed: $said"
		exit 1
	}
	for words in "$@"; do
		case $said in *"$words"*) ;; *)
			echo "$mistake: not \"$words\" in: $said"
			exit 1
			;;
		esac
	done
}
expect early "MPI is not initialised" "MPI_Init_thread"
expect late "MPI was finalised already"
expect null "MPI_COMM_NULL"
expect other "Open MPI" "MPICH"
expect single "MPI_THREAD_FUNNELED"
expect odd "3 .devices cannot be divided evenly among 2 processes" ".devices_here"
expect differ "the processes differ: rank 0 has dtype f32, and rank 1 has dtype f64"
# the launcher would end the others too, before they can say why
case $("$mpirun" --version) in *HYDRA*) keep=-disable-auto-cleanup ;; *) keep=--continuous ;; esac
expect exit "rank 1 (host " ") is dead, in user code, last in call 1, \"sum_all\"" "; rank 0 waits;"
