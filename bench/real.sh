#!/usr/bin/env bash
# Loads five published graphs from a folder and runs the same analytics on each: figures,
# iterations and times, as a table.
#
#   bench/real.sh FOLDER
#
# FOLDER holds wiki-Vote/wiki-Vote.txt, facebook_combined/facebook_combined.txt,
# p2p-31-graphalytics/p2p-31.{v,e}.gz (SNAP), cnr-2000/cnr-2000.graph-txt.gz (LAW) and
# road-dimacs9/NY.gr.txt.gz (9th DIMACS challenge, in the form of PACE 2016).
set -euo pipefail
data=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PENSTOCK_DB=$work/db
go build -o "$work/penstock" ./cmd/penstock
penstock() { "$work/penstock" "$@"; }

penstock load wiki-Vote "$data/wiki-Vote/wiki-Vote.txt"
penstock load facebook "$data/facebook_combined/facebook_combined.txt" --undirected
penstock load p2p-31 "$data/p2p-31-graphalytics/p2p-31.v.gz" "$data/p2p-31-graphalytics/p2p-31.e.gz"
penstock load cnr-2000 "$data/cnr-2000/cnr-2000.graph-txt.gz"
penstock load road-NY "$data/road-dimacs9/NY.gr.txt.gz"

# field NAME: the first number called NAME in a report.
field() { grep -m1 -E "\"$1\": [0-9]" "$work/json" | sed -E 's/.*: *([0-9.e+-]+).*/\1/'; }

printf '\n| graph | algorithm | result | iterations | computing s | whole run s | device peak KiB |\n| --- | --- | --- | --- | --- | --- | --- |\n'
for graph in wiki-Vote facebook p2p-31 cnr-2000 road-NY; do
	for algorithm in pagerank wcc triangles cdlp lcc; do
		penstock run --graph "$graph" "$algorithm" --json >"$work/json"
		figure=$(grep -A1 '"figures"' "$work/json" | tail -n 1 | grep -oE '"[a-z]+": [0-9]+' | tr -d '"' || true)
		iterations=$(field iterations)
		printf '| %s | %s | %s | %s | %.4f | %.3f | %d |\n' "$graph" "$algorithm" "${figure:-}" "${iterations/#0/–}" \
			"$(field compute)" "$(field total)" "$(($(field peak_device_bytes) / 1024))"
	done
done
