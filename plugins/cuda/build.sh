#!/usr/bin/env bash
# Builds the CUDA plugin as a folder, the program and its manifest, which is installed where it is to run, by
#
#   penstock plugin install ./penstock-device-cuda
#
# with or without a driver. Neither CUDA nor anything of the build is needed there.
#
#   plugins/cuda/build.sh [FOLDER]      # ./penstock-device-cuda
set -euo pipefail

folder=${1:-penstock-device-cuda}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
cd "$(dirname "$0")"
environment=$(./setup.sh)
eval "$environment"

go build -trimpath -ldflags "-s -w" -o "$folder/penstock-device-cuda" ./cmd/penstock-device-cuda
version=$(sed -n 's/^const Version = "\(.*\)"$/\1/p' device.go)
sha256=$(sha256sum "$folder/penstock-device-cuda" | cut -d ' ' -f 1)
cat >"$folder/plugin.json" <<MANIFEST
{
  "name": "cuda", "version": "$version", "kind": "device",
  "protocol": {"min": 1, "max": 1},
  "platforms": {"linux/amd64": {"file": "penstock-device-cuda", "sha256": "$sha256"}}
}
MANIFEST
cp ../../LICENSE NOTICE "$folder"
glibc=$(objdump -T "$folder/penstock-device-cuda" | sed -n 's/.*(GLIBC_\([0-9.]*\)).*/\1/p' | sort -Vu | tail -n 1)
echo "$folder: cuda $version, for Linux on x86-64 with glibc $glibc or newer"
