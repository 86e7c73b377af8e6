#!/usr/bin/env bash
# Compares the orders of storage (load --order) on an RMAT graph: times to load it and to compute.
#
#   bench/order.sh [SCALE [RUNS [ORDER...]]]           default: 20 3 none degree
#
# Times are medians of RUNS runs; the orders take turns. Each run generates and loads the
# graph anew, into a fresh database.
set -euo pipefail
cd "$(dirname "$0")/.."
scale=${1:-20} runs=${2:-3}
shift $(($# < 2 ? $# : 2))
orders=("$@")
if [ $# = 0 ]; then orders=(none degree); fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/penstock" ./cmd/penstock

# measure NAME FIELD ARGUMENTS: one run; the first FIELD of its JSON goes to the file NAME.
measure() {
	local name=$1 field=$2
	shift 2
	"$work/penstock" "$@" --json >"$work/json" 2>"$work/err" || { cat "$work/err" >&2; exit 1; }
	grep -m1 "\"$field\"" "$work/json" | sed -E 's/.*: *([0-9.e+-]+).*/\1/' >>"$work/$name"
}

for ((i = 0; i < runs; i++)); do
	for order in "${orders[@]}"; do
		rm -rf "$work/db-$order"
		measure "load-$order" seconds generate --db "$work/db-$order" g --scale "$scale" --order "$order"
	done
	for order in "${orders[@]}"; do
		measure "pagerank-$order" compute run --db "$work/db-$order" --graph g pagerank --param iterations=20
	done
	for order in "${orders[@]}"; do
		measure "bfs-$order" compute run --db "$work/db-$order" --graph g bfs --param source=1
	done
	for order in "${orders[@]}"; do
		measure "wcc-$order" compute run --db "$work/db-$order" --graph g wcc
	done
done

median() { sort -g "$work/$1" | awk '{v[NR]=$1} END {printf "%.3f", v[int((NR+1)/2)]}'; }
printf '| RMAT scale %d, seconds |' "$scale"
printf ' %s |' "${orders[@]}"
printf '\n| --- |'
printf ' --- |%.0s' "${orders[@]}"
printf '\n'
for what in load pagerank bfs wcc; do
	printf '| %s |' "$what"
	for order in "${orders[@]}"; do printf ' %s |' "$(median "$what-$order")"; done
	printf '\n'
done
