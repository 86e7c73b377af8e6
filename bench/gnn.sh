#!/usr/bin/env bash
# Trains graph neural networks in penstock and in PyTorch, by turns, on the same graphs with the same features, and prints the
# seconds of an epoch, what each takes of memory, and ratios.
#
#   bench/gnn.sh [CORA]
#
# CORA is a folder with cora.edges.txt, cora.features.txt and cora.labels.txt of Planetoid; without one that graph is left out. A stochastic
# block model of 2^SCALE vertices is always there. Where python3 has no torch (Debian: python3-torch), penstock is measured alone.
#
#   SCALE=16 RUNS=3 PYTHON=python3 bench/gnn.sh
#
# OPENBLAS_CORETYPE is set to SkylakeX where the processor has AVX-512: OpenBLAS does not know newer ones, and would use SSE.
set -euo pipefail
export LC_ALL=C
scale=${SCALE:-16} runs=${RUNS:-3} python=${PYTHON:-python3}
cora=${1:+$(cd "$1" && pwd)}
cd "$(dirname "$0")/.."
here=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/penstock" ./cmd/penstock
cd "$work"
export PENSTOCK_DB=$work/db
grep -q avx512f /proc/cpuinfo && export OPENBLAS_CORETYPE=SkylakeX
torch=yes
"$python" -c 'import torch, numpy' 2>/dev/null || { torch=; echo "$python has no torch: penstock alone"; }

# field NAME: the first number called NAME in the report.
field() { grep -m1 -E "\"$1\": [0-9]" report.json | sed -E 's/.*: *([0-9.e+-]+).*/\1/'; }
median() { sort -g | awk '{ x[NR] = $1 } END { print x[int((NR + 1) / 2)] }'; }

# compare NAME MODEL HIDDEN HEADS EPOCHS FEATURES-FOR-PYTHON FLAGS…
compare() {
	local name=$1 model=$2 hidden=$3 heads=$4 epochs=$5 features=$6
	shift 6
	: >ours
	: >theirs
	for _ in $(seq "$runs"); do
		./penstock train --graph "$name" "$model" --hidden "$hidden" --epochs "$epochs" --patience 0 --label class --split 1,0,0 --json "$@" >report.json
		echo "$(field epoch) $(field peak_device_bytes)" >>ours
		[ -z "$torch" ] || "$python" -W ignore "$here/bench/gnn.py" "$model" "$name.edges" "$features" "$name.labels" "$hidden" "$heads" "$epochs" >>theirs
	done
	local a b p q
	a=$(cut -d' ' -f1 ours | median) p=$(cut -d' ' -f2 ours | median)
	if [ -z "$torch" ]; then
		awk -v n="$name $model" -v a="$a" -v p="$p" 'BEGIN { printf "| %s | %.4f | | | %.0f | | |\n", n, a, p / 1048576 }'
		return
	fi
	b=$(cut -d' ' -f1 theirs | median) q=$(cut -d' ' -f2 theirs | median)
	awk -v n="$name $model" -v a="$a" -v b="$b" -v p="$p" -v q="$q" \
		'BEGIN { printf "| %s | %.4f | %.4f | %.2f | %.0f | %.0f | %.2f |\n", n, a, b, a / b, p / 1048576, q / 1048576, p / q }'
}

printf '| | epoch s | PyTorch | ratio | MiB | PyTorch | ratio |\n| --- | --- | --- | --- | --- | --- | --- |\n'
if [ -n "$cora" ]; then
	grep -v '^#' "$cora/cora.edges.txt" | awk '{ print $1, $2 }' >cora.edges
	grep -v '^#' "$cora/cora.labels.txt" | sort -n | awk '{ print $2 }' >cora.labels
	grep -v '^#' "$cora/cora.features.txt" | awk '{ for (i = 2; i <= NF; i++) print $1, $i }' >cora.features
	{ echo ':START_ID,:END_ID'; tr ' ' , <cora.edges; } >edges.csv
	{
		echo ':ID,words:int[],class:int'
		grep -v '^#' "$cora/cora.features.txt" | sort -n |
			awk '{ printf "%s,", $1; for (i = 2; i <= NF; i++) printf "%s%s", (i > 2 ? ";" : ""), $i; print "" }' | paste -d, - cora.labels
	} >nodes.csv
	./penstock load cora nodes.csv edges.csv --undirected >/dev/null
	compare cora gcn 16 1 50 cora.features --features words --multi-hot 1433 --normalize rows
	compare cora gat 64 8 50 cora.features --features words --multi-hot 1433 --normalize rows
fi
./penstock generate blocks --kind sbm --scale "$scale" --classes 16 --features 128 >/dev/null
./penstock export blocks --format csv out >/dev/null
if [ -n "$torch" ]; then
	"$python" - <<'P'
import csv, glob
import numpy as np
nodes, rows, labels = glob.glob("out/*nodes*.csv")[0], [], []
with open(nodes) as f:
    r = csv.reader(f)
    head = next(r)
    c = next(i for i, h in enumerate(head) if h.startswith("class"))
    x = next(i for i, h in enumerate(head) if h.startswith("features"))
    for row in r:
        labels.append(row[c])
        rows.append(np.array(row[x].split(";"), dtype=np.float32))
np.save("blocks.npy", np.stack(rows))
open("blocks.labels", "w").write("\n".join(labels))
edges = [f for f in glob.glob("out/*.csv") if "nodes" not in f][0]
with open(edges) as f, open("blocks.edges", "w") as out:
    r = csv.reader(f)
    next(r)
    for row in r:
        out.write(row[0] + " " + row[1] + "\n")
P
fi
compare blocks gcn 64 1 5 blocks.npy --features features
compare blocks gat 64 8 3 blocks.npy --features features
