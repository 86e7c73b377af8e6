#!/usr/bin/env bash
# What do tests notice? Makes small mistakes in packages where a wrong number goes unseen for long, and fails when tests kill
# fewer than four in five. Takes minutes a package. See bench/mutate.
#
#   bench/mutate.sh [PACKAGE...]
set -euo pipefail
cd "$(dirname "$0")/.."

if [ $# -eq 0 ]; then
	set -- ./store/internal/delta ./internal/schedule ./formats/chunk ./internal/query/plan
fi
go run ./bench/mutate -least 80 "$@"
