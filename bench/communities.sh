#!/usr/bin/env bash
# Finds communities, similar vertices and embeddings in penstock, and in igraph and SciPy, by turns, in the same graphs, by one
# thread, and prints seconds of processors, how good what was found is, and ratios.
#
#   RUNS=3 WHAT="louvain leiden node-similarity fastrp" PYTHON=python3 PENSTOCK=binary bench/communities.sh [EDGES…]
#
# EDGES are files of edges without direction, two whole numbers a line; without any, an RMAT graph of 2^15 vertices is made. Ours
# is the whole command, with the start of two programs and the reading of the graph; theirs is the call alone. Leiden does two
# passes in both. What igraph and SciPy (Debian: python3-igraph, python3-scipy) are not there for is left out, with a message.
set -euo pipefail
export LC_ALL=C OMP_NUM_THREADS=1
runs=${RUNS:-3} what=${WHAT:-louvain leiden node-similarity fastrp} python=${PYTHON:-python3}
files=()
for file in "$@"; do files+=("$(realpath "$file")"); done
cd "$(dirname "$0")/.."
here=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -n "${PENSTOCK:-}" ]; then cp "$PENSTOCK" "$work/penstock"; else go build -o "$work/penstock" ./cmd/penstock; fi
cd "$work"
export PENSTOCK_DB=$work/db
if [ ${#files[@]} -eq 0 ]; then
	./penstock generate made --kind rmat --scale 15 --seed 1 >/dev/null
	./penstock export made made --format csv >/dev/null
	cut -d, -f1,2 made/relationships.csv | tail -n +2 | tr , ' ' >rmat-15.txt
	files=("$work/rmat-15.txt")
fi
peers=yes
"$python" -c 'import igraph, numpy, scipy' 2>/dev/null || { peers=; echo "$python has no igraph, or no SciPy: penstock alone"; }
# column FILE N: the median of a column.
column() { cut -d' ' -f"$2" "$1" | median; }
median() { sort -g | awk '{ x[NR] = $1 } END { print x[int((NR + 1) / 2)] }'; }

# ours GRAPH WHAT SEED: seconds of processors, and how good it is.
ours() {
	local TIMEFORMAT='%U %S' parameters=()
	case $2 in
	louvain) parameters=(--param "seed=$3" --param iterations=1000 --param tolerance=1e-6) ;;
	leiden) parameters=(--param "seed=$3" --param iterations=2) ;;
	node-similarity) parameters=(--out out.csv) ;;
	fastrp) parameters=(--param "seed=$3" --param embeddingDimension=128 --param iterationWeights=0,1,1) ;;
	esac
	{ time ./penstock run --graph "$1" "$2" --threads 1 --top 0 "${parameters[@]}" --json >report 2>/dev/null; } 2>took
	awk '{ printf "%.3f ", $1 + $2 }' took
	if [ "$2" = node-similarity ]; then
		awk -F, 'NR > 1 { sum += $3; n++ } END { printf "%.4f\n", sum / n }' out.csv
	else
		awk -F'[:, ]+' '/"modularity"/ { x = $3 } END { if (x == "") print "–"; else printf "%.4f\n", x }' report
	fi
}

echo "| graph | what | penstock, s | theirs, s | ratio | quality | theirs |"
echo "| --- | --- | --- | --- | --- | --- | --- |"
for file in "${files[@]}"; do
	graph=$(basename "$file" .txt)
	./penstock load --replace --format edgelist --undirected "$graph" "$file" >/dev/null
	for one in $what; do
		: >mine
		: >theirs
		for seed in $(seq "$runs"); do
			ours "$graph" "$one" "$seed" >>mine
			[ -z "$peers" ] || "$python" "$here/bench/communities.py" "$file" "$one" "$seed" >>theirs
		done
		awk -v g="$graph" -v w="$one" -v a="$(column mine 1)" -v b="$(column theirs 1)" -v q="$(column mine 2)" -v r="$(column theirs 2)" \
			'BEGIN { printf "| %s | %s | %.2f | %s | %s | %s | %s |\n", g, w, a, b, (b > 0 ? sprintf("%.2f", a / b) : "–"), q, r }'
	done
done
