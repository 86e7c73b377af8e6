#!/usr/bin/env bash
# Trains graph neural networks in penstock and in PyTorch, by turns, on the same graphs with the same features, and prints the
# seconds of an epoch, what each takes of memory, and ratios.
#
#   bench/gnn.sh [FOLDER]
#
# FOLDER has a published graph, as cora.edges.txt ("vertex vertex" a line), cora.features.txt ("vertex word word …") and cora.labels.txt
# ("vertex class") of Planetoid's Cora; without one it is left out. The graph is called what the files are. A stochastic block model of 2^SCALE vertices is there, and RMAT graphs of 2^16 and 2^18 vertices (RMAT="16 18"; "" for none). Where python3 has no torch
# (Debian: python3-torch), or too little memory is free for it, penstock is measured alone. The last lines are of products of matrices.
#
#   SCALE=16 RMAT="16 18" RUNS=3 PYTHON=python3 MODELS="gcn gat" PENSTOCK=binary bench/gnn.sh
#
# Times of processors (cpu s) are those of an epoch, too: of penstock the difference between two lengths of training. They say more than
# seconds where other work runs beside, and with THREADS=1, for threads of PyTorch that wait are busy. OPENBLAS_CORETYPE is set to Cooperlake or SkylakeX where the processor has AVX-512: OpenBLAS does not know
# newer ones, and would use SSE.
set -euo pipefail
export LC_ALL=C
scale=${SCALE:-16} rmat=${RMAT-16 18} runs=${RUNS:-3} python=${PYTHON:-python3} models=${MODELS:-gcn gat}
folder=${1:+$(cd "$1" && pwd)}
cd "$(dirname "$0")/.."
here=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -n "${PENSTOCK:-}" ]; then cp "$PENSTOCK" "$work/penstock"; else go build -o "$work/penstock" ./cmd/penstock; fi
cd "$work"
export PENSTOCK_DB=$work/db THREADS=${THREADS:-2}
if grep -q avx512_bf16 /proc/cpuinfo || grep -q avx512_vnni /proc/cpuinfo; then
	export OPENBLAS_CORETYPE=Cooperlake
elif grep -q avx512f /proc/cpuinfo; then
	export OPENBLAS_CORETYPE=SkylakeX
fi
torch=yes
"$python" -c 'import torch, numpy' 2>/dev/null || { torch=; echo "$python has no torch: penstock alone"; }

# field NAME: the first number called NAME in the report.
field() { grep -m1 -E "\"$1\": [0-9]" report.json | sed -E 's/.*: *([0-9.e+-]+).*/\1/'; }
median() { sort -g | awk '{ x[NR] = $1 } END { print x[int((NR + 1) / 2)] }'; }

# used CMD…: the seconds of processors that a command takes.
used() {
	local TIMEFORMAT='%U %S'
	{ time "$@" >report.json 2>/dev/null; } 2>&1 | awk '{ print $1 + $2 }'
}

# compare NAME MODEL HIDDEN HEADS EPOCHS FEATURES-FOR-PYTHON LABELS GIB FLAGS…: GIB is what PyTorch needs of memory.
compare() {
	local name=$1 model=$2 hidden=$3 heads=$4 epochs=$5 features=$6 labels=$7 gib=$8 peer=$torch one more
	shift 8
	[[ " $models " == *" $model "* ]] || return 0
	[ "$(awk '/MemAvailable/ { print int($2 / 1048576) }' /proc/meminfo)" -ge "$gib" ] || peer=
	: >ours
	: >theirs
	for _ in $(seq "$runs"); do
		local train=(./penstock train --graph "$name" "$model" --hidden "$hidden" --patience 0 --label class --split 1,0,0 --json --threads "$THREADS" "$@")
		one=$(used "${train[@]}" --epochs 1)
		more=$(used "${train[@]}" --epochs $((epochs + 1)))
		echo "$(field epoch) $(field peak_device_bytes) $(awk -v a="$one" -v b="$more" -v n="$epochs" 'BEGIN { print (b - a) / n }')" >>ours
		[ -z "$peer" ] || "$python" -W ignore "$here/bench/gnn.py" "$model" "$name.edges" "$features" "$labels" "$hidden" "$heads" "$epochs" >>theirs
	done
	local a b p q c d
	a=$(cut -d' ' -f1 ours | median) p=$(cut -d' ' -f2 ours | median) c=$(cut -d' ' -f3 ours | median)
	if [ -z "$peer" ]; then
		awk -v n="$name $model" -v a="$a" -v c="$c" -v p="$p" 'BEGIN { printf "| %s | %.4f | | | %.4f | | | %.0f | | |\n", n, a, c, p / 1048576 }'
		return
	fi
	b=$(cut -d' ' -f1 theirs | median) q=$(cut -d' ' -f2 theirs | median) d=$(cut -d' ' -f3 theirs | median)
	awk -v n="$name $model" -v a="$a" -v b="$b" -v c="$c" -v d="$d" -v p="$p" -v q="$q" \
		'BEGIN { printf "| %s | %.4f | %.4f | %.2f | %.4f | %.4f | %.2f | %.0f | %.0f | %.2f |\n", n, a, b, a / b, c, d, c / d, p / 1048576, q / 1048576, p / q }'
}

printf '| | epoch s | PyTorch | ratio | cpu s | PyTorch | ratio | MiB | PyTorch | ratio |\n|%s\n' "$(printf ' --- |%.0s' {1..10})"
if [ -n "$folder" ]; then
	name=$(basename "$folder"/*.edges.txt .edges.txt)
	grep -v '^#' "$folder/$name.edges.txt" | awk '{ print $1, $2 }' >"$name.edges"
	grep -v '^#' "$folder/$name.labels.txt" | sort -n | awk '{ print $2 }' >"$name.labels"
	grep -v '^#' "$folder/$name.features.txt" | awk '{ for (i = 2; i <= NF; i++) print $1, $i }' >"$name.features"
	words=$(awk '$2 >= most { most = $2 + 1 } END { print most }' "$name.features")
	{ echo ':START_ID,:END_ID'; tr ' ' , <"$name.edges"; } >edges.csv
	{
		echo ':ID,words:int[],class:int'
		grep -v '^#' "$folder/$name.features.txt" | sort -n |
			awk '{ printf "%s,", $1; for (i = 2; i <= NF; i++) printf "%s%s", (i > 2 ? ";" : ""), $i; print "" }' | paste -d, - "$name.labels"
	} >nodes.csv
	./penstock load "$name" nodes.csv edges.csv --undirected >/dev/null
	compare "$name" gcn 16 1 100 "$name.features" "$name.labels" 1 --features words --multi-hot "$words" --normalize rows
	compare "$name" gat 64 8 50 "$name.features" "$name.labels" 1 --features words --multi-hot "$words" --normalize rows
fi
# edges NAME: what penstock has of a graph's edges, for PyTorch.
edges() {
	[ -n "$torch" ] || return 0
	./penstock export "$1" --format csv out >/dev/null
	for f in out/*.csv; do
		case $f in *nodes*) ;; *) tail -n +2 "$f" | awk -F, '{ print $1, $2 }' >"$1.edges" ;; esac
	done
	rm -r out
}

if [ "$scale" -gt 0 ]; then
	./penstock generate blocks --kind sbm --scale "$scale" --classes 16 --features 128 >/dev/null
	edges blocks
	compare blocks gcn 64 1 5 "random:$((1 << scale)):128" random:16 2 --features features
	compare blocks gat 64 8 3 "random:$((1 << scale)):128" random:16 6 --features features
fi
for s in $rmat; do
	./penstock generate "rmat$s" --scale "$s" --features 128 --classes 16 >/dev/null
	[ -z "$torch" ] || ./penstock generate plain --scale "$s" --replace >/dev/null
	edges plain
	[ -z "$torch" ] || mv plain.edges "rmat$s.edges"
	compare "rmat$s" gcn 64 1 3 "random:$((1 << s)):128" "random:16" $((s > 16 ? 4 : 2)) --features features
	compare "rmat$s" gat 64 8 2 "random:$((1 << s)):128" "random:16" $((s > 16 ? 14 : 6)) --features features
done
echo
(cd "$here" && go test ./plugins/cpu/internal/vector -run '^$' -bench Product -benchtime 10x) | grep ^Benchmark
