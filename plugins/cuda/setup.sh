#!/usr/bin/env bash
# Prepares a machine to build and test the CUDA plugin, without a GPU, a driver or a toolkit, and installs
# nothing outside the user's cache. Prints what a shell is to evaluate:
#
#   eval "$(plugins/cuda/setup.sh)"           # to build and test: gcc, and one header, cuda.h
#   eval "$(plugins/cuda/setup.sh --clang)"   # to make kernels/*.ptx anew as well: clang 16, as $PENSTOCK_CLANG,
#                                             # and NVIDIA's assembler, which checks them, as $PENSTOCK_PTXAS
#
# The header is that of a CUDA 11.8 or 12.x on this machine ($CUDA_HOME, /usr/local/cuda, /usr/include); else it
# is taken out of Debian's package nvidia-cuda-dev, of which no more is read than that file, and compared with
# the checksum below. With it a static libcuda.a is made of shim/.
set -euo pipefail
cd "$(dirname "$0")"

header_sha256=55639151a971a10c28d627a98dcd406c6320a5b4e5b67dd9d229056ed5c8e045 # cuda.h of 11.8
ptxas_sha256=c0ad17863f2b18bba806c39381977df75ff5f255855ddaed44f0e7206dc69166 # ptxas of 11.8
cache=${XDG_CACHE_HOME:-$HOME/.cache}/penstock/cuda

fail() {
	echo "setup.sh: $*" >&2
	exit 1
}

[ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] || fail "the CUDA plugin is for Linux on x86-64, not for $(uname -s) on $(uname -m)"

# archive is where the machine gets its Debian packages from.
archive() {
	local uri
	uri=$(sed -n 's/^\(URIs:\|deb\) *\(\[[^]]*\] *\)\?\(http[^ ]*\/debian\)\/\?\( .*\)\?$/\3/p' \
		/etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -n 1)
	[ -n "$uri" ] || fail "$1 is fetched from Debian, and this machine knows no archive of it: $2"
	echo "$uri"
}

# apt runs apt-get on an index of Debian 12 that is kept in the cache, apart from the machine's own.
apt() {
	local own=$cache/apt
	apt-get -qq -o Dir::Etc::sourcelist="$own/list" -o Dir::Etc::sourceparts=/dev/null -o Dir::State::lists="$own/lists" \
		-o Dir::Cache="$own" -o APT::Architecture=amd64 -o APT::Sandbox::User= "$@"
}

# index fetches that index, once.
index() {
	command -v apt-get >/dev/null || fail "$1 is fetched by apt-get, which is missing: $2"
	[ ! -e "$cache/apt/fetched" ] || return 0
	mkdir -p "$cache/apt/lists/partial" "$cache/apt/archives/partial"
	echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(archive "$@") bookworm main contrib non-free" >"$cache/apt/list"
	apt update >&2 || fail "the index of Debian's packages could not be fetched: $2"
	touch "$cache/apt/fetched"
}

usable() { # a header is, of CUDA 11.8 up to 12
	local version
	[ -f "$1" ] && version=$(sed -n 's/^#define CUDA_VERSION \([0-9]*\)$/\1/p' "$1") && [ "${version:-0}" -ge 11080 ] && [ "$version" -lt 13000 ]
}

# header prints the path of a cuda.h.
header() {
	local directory
	for directory in ${CUDA_HOME:+"$CUDA_HOME/include"} /usr/local/cuda/include /usr/include; do
		if usable "$directory/cuda.h"; then
			echo "$directory/cuda.h"
			return
		fi
	done
	piece nvidia-cuda-dev usr/include/cuda.h "$header_sha256" "set CUDA_HOME to a CUDA 11.8 or 12.x, whose include/cuda.h is all that is needed"
}

# piece PACKAGE FILE SHA256 ADVICE prints the path of one file out of a package of Debian's. Of packages of
# hundreds of MB no more is read than up to the file's place.
piece() {
	local package=$1 file=$2 sha256=$3 advice=$4 kept=$cache/$2 url work
	if [ ! -f "$kept" ]; then
		command -v curl >/dev/null || fail "${file##*/} is fetched by curl, which is missing: $advice"
		index "${file##*/}" "$advice"
		url=$(apt --print-uris download "$package" | cut -d "'" -f 2)
		[ -n "$url" ] || fail "Debian has no package $package: $advice"
		work=$(mktemp -d "$cache/fetch.XXXXXX")
		# tar ends when it has the file; what curl and dpkg-deb then say is no matter.
		(set +o pipefail; curl -fsSL "$url" 2>/dev/null | dpkg-deb --fsys-tarfile - 2>/dev/null | tar -x -C "$work" --occurrence=1 "./$file") ||
			fail "${file##*/} could not be read from $url: $advice"
		mkdir -p "$(dirname "$kept")"
		mv -f "$work/$file" "$kept"
		rm -rf "$work"
	fi
	[ "$(sha256sum <"$kept" | cut -d ' ' -f 1)" = "$sha256" ] || fail "$kept is not the one that is expected, of SHA-256 $sha256: remove it"
	echo "$kept"
}

# shim prints the folder of a libcuda.a that was made of this header and the sources as they are.
shim() {
	local header=$1 directory work
	command -v gcc >/dev/null || fail "gcc is missing"
	directory=$cache/lib-$(cat "$header" shim/* | sha256sum | cut -c 1-16)
	if [ ! -f "$directory/libcuda.a" ]; then
		mkdir -p "$directory"
		work=$(mktemp -d "$directory/make.XXXXXX")
		shim/trampolines.sh "$header" >"$work/trampolines.S"
		gcc -c -O2 -fPIC -Wall -Wextra -Werror -I "$(dirname "$header")" -o "$work/shim.o" shim/shim.c
		gcc -c -o "$work/trampolines.o" "$work/trampolines.S"
		ar rcs "$work/libcuda.a" "$work/shim.o" "$work/trampolines.o"
		mv -f "$work/libcuda.a" "$directory/libcuda.a"
		rm -rf "$work"
	fi
	echo "$directory"
}

# clang unpacks Debian's clang 16 in the cache and prints the path of a script that runs it. What is already on the
# machine will do, too: the same version gives the same PTX.
clang() {
	local advice="install clang 16" root=$cache/clang-16 packages
	if command -v clang-16 >/dev/null; then
		command -v clang-16
		return
	fi
	if [ ! -x "$root/clang" ]; then
		index clang-16 "$advice"
		mkdir -p "$root/debs"
		packages="clang-16 libclang-cpp16 libllvm16 libclang-common-16-dev libclang1-16 libedit2 libz3-4 libbsd0 libmd0 libtinfo6"
		(cd "$root/debs" && apt download $packages >&2) || fail "clang 16 could not be fetched: $advice"
		for deb in "$root"/debs/*.deb; do dpkg -x "$deb" "$root/root"; done
		rm -rf "$root/debs"
		printf '#!/bin/sh\nLD_LIBRARY_PATH=%s exec %s "$@"\n' "$root/root/usr/lib/llvm-16/lib:$root/root/usr/lib/x86_64-linux-gnu" \
			"$root/root/usr/lib/llvm-16/bin/clang" >"$root/clang.new"
		chmod +x "$root/clang.new"
		"$root/clang.new" --version >/dev/null || fail "the clang that was fetched does not run: $advice"
		mv "$root/clang.new" "$root/clang"
	fi
	echo "$root/clang"
}

header=$(header)
library=$(shim "$header")
printf 'export CGO_CFLAGS=%q\n' "-O2 -g -I$(dirname "$header")"
printf 'export CGO_LDFLAGS=%q\n' "-O2 -g -L$library"
case "${1:-}" in
"") ;;
--clang)
	compiler=$(clang)
	assembler=$(piece nvidia-cuda-toolkit usr/bin/ptxas "$ptxas_sha256" "it is needed to check kernels/*.ptx, and no more")
	printf 'export PENSTOCK_CLANG=%q PENSTOCK_PTXAS=%q\n' "$compiler" "$assembler"
	;;
*) fail "$1: there is --clang, and nothing else" ;;
esac
