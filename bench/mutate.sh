#!/usr/bin/env bash
# What do tests notice? Makes small mistakes in packages where a wrong number goes unseen for long, and fails when tests kill
# fewer than four in five. Takes minutes a package. See bench/mutate.
#
#   bench/mutate.sh [-every N] [PACKAGE...]
set -euo pipefail
cd "$(dirname "$0")/.."

every=1
if [ "${1:-}" = -every ]; then
	every=$2
	shift 2
fi
if [ $# -eq 0 ]; then
	set -- ./store/internal/delta ./internal/schedule ./formats/chunk ./formats/chunk/cut ./formats/chunk/internal/encoding \
		./formats/chunk/internal/check ./host/internal/plan ./internal/query/plan
fi
go run ./bench/mutate -least 80 -every "$every" "$@"
