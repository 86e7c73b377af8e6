#!/usr/bin/env bash
# Loads five published graphs from a folder, and RMAT 16, and tells how dense the cores are that
# vertices of high degree make, and, stored by communities, those that lie side by side.
#
#   bench/core.sh FOLDER [PICTURES]
#
# FOLDER holds what bench/real.sh wants. A picture of each graph goes to PICTURES.
set -euo pipefail
data=$(cd "$1" && pwd)
pictures=${2:+--svg $(mkdir -p "$2" && cd "$2" && pwd)}
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PENSTOCK_DB=$work/db
go build -o "$work/penstock" ./cmd/penstock
penstock() { "$work/penstock" "$@"; }

# store ORDER: all graphs, in that order.
store() {
	penstock load wiki-Vote "$data/wiki-Vote/wiki-Vote.txt" --order "$1" --replace
	penstock load facebook "$data/facebook_combined/facebook_combined.txt" --undirected --order "$1" --replace
	penstock load p2p-31 "$data/p2p-31-graphalytics/p2p-31.v.gz" "$data/p2p-31-graphalytics/p2p-31.e.gz" --order "$1" --replace
	penstock load cnr-2000 "$data/cnr-2000/cnr-2000.graph-txt.gz" --order "$1" --replace
	penstock load road-NY "$data/road-dimacs9/NY.gr.txt.gz" --order "$1" --replace
	penstock generate rmat-16 --scale 16 --order "$1" --replace
}

graphs="wiki-Vote facebook p2p-31 cnr-2000 road-NY rmat-16"
store none
for graph in $graphs; do
	echo
	# shellcheck disable=SC2086 # no picture, or a flag and a folder
	penstock stats "$graph" $pictures
	penstock stats "$graph" --cores 0.5,0.25,0.1,0.05 | grep 'degree:0'
done
echo
store rabbit
for graph in $graphs; do
	echo "$graph, by communities"
	penstock stats "$graph" | sed -n '/^ core/p; /rabbit:/p'
done
