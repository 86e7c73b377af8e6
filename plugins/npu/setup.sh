#!/usr/bin/env bash
# Fetches ONNX Runtime for the tests of the NPU plugin: the processor's build, out of the npm package
# onnxruntime-node, by npm itself and without running the package's scripts. The library is kept in the
# user's cache and compared with the checksum below each time. Prints its path, and nothing else, to
# standard output:
#
#   export PENSTOCK_ONNXRUNTIME=$(plugins/npu/setup.sh)
set -euo pipefail

version=1.27.0
case "$(uname -s)-$(uname -m)" in
Linux-x86_64) platform=linux/x64 file=libonnxruntime.so.1 sha256=d8aff4aa8abee8fb2abb2f2f2459ffc94461e781e41b9f7c072829dd0d470221 ;;
Linux-aarch64) platform=linux/arm64 file=libonnxruntime.so.1 sha256=c36bc200e7e6c093b8abb0b34590fbdd8c52fd3fb5e33795b9523ffdde2fce0f ;;
Darwin-arm64) platform=darwin/arm64 file=libonnxruntime.1.27.0.dylib sha256=89f692a3a1a224e4ad0b796b0e7c0bd81113b0741bfe84211eceef14d05a9e59 ;;
*)
	echo "setup.sh: the package has no library for $(uname -s) on $(uname -m)" >&2
	exit 1
	;;
esac

cache=${XDG_CACHE_HOME:-$HOME/.cache}
[ "$(uname -s)" != Darwin ] || cache=$HOME/Library/Caches
directory=$cache/penstock/onnxruntime-$version
library=$directory/$file

checksum() {
	if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

if [ -f "$library" ] && [ "$(checksum "$library")" = "$sha256" ]; then
	echo "$library"
	exit
fi

command -v npm >/dev/null || {
	echo "setup.sh: npm is missing; install it, or set PENSTOCK_ONNXRUNTIME to the path of ONNX Runtime's library" >&2
	exit 1
}
mkdir -p "$directory"
work=$(mktemp -d "$directory/fetch.XXXXXX")
trap 'rm -rf "$work"' EXIT
(cd "$work" && npm pack --ignore-scripts --silent "onnxruntime-node@$version" >&2)
tar -xzf "$work/onnxruntime-node-$version.tgz" -C "$work" "package/bin/napi-v6/$platform/$file"
fetched=$work/package/bin/napi-v6/$platform/$file
found=$(checksum "$fetched")
if [ "$found" != "$sha256" ]; then
	echo "setup.sh: $platform/$file of onnxruntime-node@$version has the checksum $found, not $sha256: not used" >&2
	exit 1
fi
mv -f "$fetched" "$library"
echo "$library"
