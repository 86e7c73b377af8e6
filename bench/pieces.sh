#!/usr/bin/env bash
# Trains graph neural networks that do not fit the device, piece by piece, by turns with everything on the device: in a quarter and in an eighth of
# what that takes. Prints the seconds of an epoch, ratios, what comes and goes in an epoch, and the same with rows that no edge reads (--no-filter).
#
#   SCALE=18 FEATURES=256 RUNS=3 bench/pieces.sh [DB GRAPH FEATURES LABEL]
#
# The graph is a stochastic block model of 2^SCALE vertices, in the order in which it is made, and by communities (--order rabbit); or one of yours,
# with the properties that are features and label.
set -euo pipefail
export LC_ALL=C
scale=${SCALE:-18} features=${FEATURES:-256} runs=${RUNS:-3} models=${MODELS:-gcn gat}
[ $# = 0 ] || db=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/penstock" ./cmd/penstock
cd "$work"

# number NAME: the first of that name in the report; 0 where there is none.
number() { grep -m1 -E "\"$1\": [0-9]" report.json | sed -E 's/.*: *([0-9.e+-]+).*/\1/' || echo 0; }
# epoch_bytes: what comes and goes in an epoch; 0 where everything stays.
epoch_bytes() { sed -n '/"pieces"/,/}/p' report.json | grep -E '"epoch"' | sed -E 's/[^0-9]//g' | grep . || echo 0; }
median() { sort -g | awk '{ x[NR] = $1 } END { print x[int((NR + 1) / 2)] }'; }

# train DB GRAPH MODEL FEATURES LABEL FLAGS…
train() {
	./penstock train --db "$1" --graph "$2" "$3" --features "$4" --label "$5" --hidden 64 --epochs 3 --patience 0 --split 1,0,0 --json "${@:6}" >report.json
}

# compare NAME DB GRAPH MODEL FEATURES LABEL
compare() {
	local name=$1 all way
	shift
	train "$@"
	all=$(number peak_device_bytes)
	rm -f ./*.seconds ./*.bytes ./*.peak
	for _ in $(seq "$runs"); do
		for way in all quarter eighth unfiltered; do
			case $way in
			all) train "$@" ;;
			quarter) train "$@" --device-memory $((all / 4))B ;;
			eighth) train "$@" --device-memory $((all / 8))B ;;
			unfiltered) train "$@" --device-memory $((all / 8))B --no-filter ;;
			esac
			sed -n '/"seconds"/,/}/p' report.json | grep '"epoch"' | sed -E 's/.*: *([0-9.e+-]+).*/\1/' >>$way.seconds
			epoch_bytes >$way.bytes
			number peak_device_bytes >$way.peak
		done
	done
	for way in all quarter eighth unfiltered; do
		awk -v n="$name $3, $way" -v t="$(median <$way.seconds)" -v a="$(median <all.seconds)" -v p="$(cat $way.peak)" -v b="$(cat $way.bytes)" \
			'BEGIN { printf "| %s | %.0f | %.3f | %.2f | %.0f |\n", n, p / 1048576, t, t / a, b / 1048576 }'
	done
}

printf '| | device MiB | epoch s | ratio | MiB an epoch |\n| --- | --- | --- | --- | --- |\n'
for model in $models; do
	if [ $# != 0 ]; then
		compare "$2" "$db" "$2" "$model" "$3" "$4"
		continue
	fi
	for order in none rabbit; do
		[ -d "$order" ] || ./penstock generate --db "$order" blocks --kind sbm --scale "$scale" --classes 16 --features "$features" --order "$order" >/dev/null
		compare "blocks, order $order," "$order" blocks "$model" features class
	done
done
