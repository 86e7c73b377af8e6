#!/usr/bin/env bash
# Generates an RMAT graph, loads it, and runs analytics on it: times and peak memory of all
# processes together.
#
#   bench/rmat.sh [SCALE [RUNS]]           default: 20 5
#
# Times are medians of RUNS runs, taken in turn; memory is the largest peak of a run. The
# graph is generated and loaded RUNS times too, each into a fresh database.
set -euo pipefail
cd "$(dirname "$0")/.."
scale=${1:-20} runs=${2:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/penstock" ./cmd/penstock
go build -o "$work/footprint" ./bench/footprint

# measure NAME ARGUMENTS: one run, a line "wall compute peak-MiB" to the file NAME.
measure() {
	local name=$1
	shift
	"$work/footprint" -- "$work/penstock" "$@" --json >"$work/json" 2>"$work/err" || { cat "$work/err" >&2; exit 1; }
	local compute
	compute=$(grep -m1 '"compute"' "$work/json" | sed -E 's/.*: *([0-9.e+-]+).*/\1/' || true)
	sed -nE "s/.*wall ([0-9.]+) s, peak ([0-9]+) MiB.*/\1 ${compute:-0} \2/p" "$work/err" >>"$work/$name"
}

column() { awk -v c="$2" '{print $c}' "$work/$1" | sort -g; }
median() { column "$1" "$2" | awk '{v[NR]=$1} END {print v[int((NR+1)/2)]}'; }
report() {
	local compute
	compute=$(median "$1" 2)
	if [ "$compute" = 0 ]; then compute=–; else compute=$(printf '%.3f' "$compute"); fi
	printf '| %s | %.2f | %s | %d |\n' "$2" "$(median "$1" 1)" "$compute" "$(column "$1" 3 | tail -n 1)"
}

for ((i = 0; i < runs; i++)); do
	rm -rf "$work/db"
	measure generate generate --db "$work/db" g --scale "$scale"
	measure pagerank run --db "$work/db" --graph g pagerank --param iterations=20
	measure bfs run --db "$work/db" --graph g bfs --param source=1
	measure wcc run --db "$work/db" --graph g wcc
	measure streamed run --db "$work/db" --graph g pagerank --param iterations=20 --device-memory 64MiB
done
printf '| RMAT scale %d, edge factor 16, undirected | wall s | computing s | peak MiB |\n| --- | --- | --- | --- |\n' "$scale"
report generate "generate and load"
report pagerank "pagerank, 20 iterations"
report bfs "bfs"
report wcc "wcc"
report streamed "pagerank, 20 iterations, --device-memory 64MiB"
