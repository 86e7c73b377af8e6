#!/usr/bin/env bash
# Runs every fuzz target of the project, one after the other.
#
#   bench/fuzz.sh [TIME [PACKAGE...]]      default: 10m each, every package
#
# Prints one line a target; exits 1 when one found something, which go test then has
# written to testdata/fuzz for good.
set -euo pipefail
cd "$(dirname "$0")/.."
time=${1:-10m}
shift || true
failed=0
for package in ${*:-$(go list ./...)}; do
	dir=$(go list -f '{{.Dir}}' "$package")
	for target in $(grep -hoE '^func Fuzz[A-Za-z0-9_]+' "$dir"/*_test.go 2>/dev/null | cut -c6-); do
		printf '%s %s: ' "$package" "$target"
		if out=$(go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 10x -parallel "${PARALLEL:-1}" "$package" 2>&1); then
			grep -E '^fuzz: elapsed' <<<"$out" | tail -n 1
		else
			failed=1
			printf 'FAILED\n%s\n' "$(tail -n 20 <<<"$out")"
		fi
	done
done
exit $failed
