#!/usr/bin/env bash
# Learns from bipartite graphs in penstock and in programs that people use, by turns, from the same examples, and prints how
# well each does on others, seconds, and ratios. What is not there is left out, with a message.
#
#   LIBMF=~/libmf LIBLINEAR=~/liblinear DATA=FOLDER bench/mega.sh
#
# LIBMF and LIBLINEAR are folders in which you have built them (github.com/cjlin1; LIBMF with -DUSEAVX). DATA holds libmf-demo/real_matrix.tr.txt,
# libsvm-a9a/a9a and uci-kos/docword.kos.txt.gz. RATINGS is a further file of ratings, of MovieLens for instance; PLANTED how many ratings
# are made up (0: none; USERS, ITEMS), SAMPLES how many samples of two classes, of 73 features each. STEPS are of "mf lr lda".
#
#   STEPS="mf lr lda" RANK=32 EPOCHS=60 SEEDS="1 2 3" THREADS=2 PLANTED=1000000 SAMPLES=180000 RUNS=3 SWEEPS=50,200,500 PENSTOCK=binary bench/mega.sh
#
# Ratings are parted by SEEDS, 8 to 1 to 1, for training, validation and test. LIBMF has damping and the number of its epochs chosen by the
# validation part; ours finds its penalty while it learns. Errors are roots of mean squares on the test part, medians over the seeds.
set -euo pipefail
export LC_ALL=C
steps=${STEPS:-mf lr lda} rank=${RANK:-32} epochs=${EPOCHS:-60} seeds=${SEEDS:-1 2 3} threads=${THREADS:-2}
planted=${PLANTED:-1000000} samples=${SAMPLES:-180000} users=${USERS:-20000} items=${ITEMS:-4000} dampings=${DAMPINGS:-0.02 0.05 0.1 0.2}
absolute() { [ -z "$1" ] || realpath "$1"; }
libmf=$(absolute "${LIBMF:-}") liblinear=$(absolute "${LIBLINEAR:-}") data=$(absolute "${DATA:-}") ratings=$(absolute "${RATINGS:-}")
penstock=$(absolute "${PENSTOCK:-}")
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -n "$penstock" ]; then cp "$penstock" "$work/penstock"; else go build -o "$work/penstock" ./cmd/penstock; fi
go build -o "$work/gibbs" ./bench/gibbs
go build -o "$work/logistic" ./bench/logistic
cd "$work"
export PENSTOCK_DB=$work/db
missing() { echo "$1 is left out: $2" >&2; }
median() { sort -g | awk '{ x[NR] = $1 } END { print x[int((NR + 1) / 2)] }'; }
# seconds CMD…: those of the clock that a command takes.
seconds() {
	local TIMEFORMAT=%R
	{ time "$@" >said 2>&1; } 2>&1
}
# processors CMD…: seconds of processors, of the user and the system, that a command takes.
processors() {
	local TIMEFORMAT='%U %S'
	{ time "$@" >said 2>&1; } 2>&1 | awk '{ printf "%.3f", $1 + $2 }'
}
number() { grep -m1 -E "\"$1\": [0-9]" report | sed -E 's/.*: *([0-9.e+-]+).*/\1/'; }

# part FILE SEED: train.txt, validation.txt and test.txt, as LIBMF reads them.
part() {
	rm -f train.txt validation.txt test.txt
	awk -F'[ ,\t]+|::' -v seed="$2" 'BEGIN { srand(seed) } /^[A-Za-z#%]/ { next }
		{ x = rand(); p = x < 0.8 ? "train" : x < 0.9 ? "validation" : "test"; print $1, $2, $3 >(p ".txt") }' "$1"
}

# rmse FILE: of what predict --pairs said in said.csv of the ratings in a file.
rmse() { tail -n +2 said.csv | paste -d' ' - "$1" | awk -F'[, ]' '{ d = $3 - $6; s += d * d } END { printf "%.4f", sqrt(s / NR) }'; }

# epoch CMD…: milliseconds of processors that an epoch takes, by the difference between few and many; CMD ends with the option of their number.
epoch() {
	local few many more=10
	[ "$(wc -l <learn.txt)" -gt 1000000 ] || more=1000
	few=$(processors "$@" 2) many=$(processors "$@" $((2 + more)))
	awk -v a="$few" -v b="$many" -v n="$more" 'BEGIN { printf "%.3f", (b - a) / n * 1000 }'
}

# factorize NAME FILE [TEST]: ratings in both, parted by SEEDS; where there is a file to test with, both learn in the end from all of FILE.
factorize() {
	rm -f ours theirs
	local seed damping many error best found parameters
	local ours=(./penstock train mf --graph ratings --split 1,0,0 --rank "$rank" --workers "$threads" --epochs)
	for seed in $seeds; do
		part "$2" "$seed"
		cp train.txt learn.txt
		if [ -n "${3:-}" ]; then
			cp "$3" test.txt
			cp "$2" learn.txt
		fi
		./penstock load --replace --format ratings ratings learn.txt >/dev/null
		./penstock model drop taste >/dev/null 2>&1 || true
		best=$(processors "${ours[@]}" 20 --save taste)
		./penstock predict --graph ratings taste --pairs test.txt --out said.csv >/dev/null 2>&1
		echo "$(rmse test.txt) $best $(epoch "${ours[@]}")" >>ours
		[ -n "$libmf" ] || continue
		best=
		for damping in $dampings; do
			for many in 10 20 "$epochs"; do
				"$libmf/mf-train" -f 0 -k "$rank" -t "$many" -s "$threads" -l2 "$damping" train.txt model >/dev/null
				error=$("$libmf/mf-predict" validation.txt model said | sed 's/.*= //')
				if [ -z "$best" ] || awk -v a="$error" -v b="$best" 'BEGIN { exit !(a < b) }'; then
					best=$error parameters="-l2 $damping -t $many"
				fi
			done
		done
		# shellcheck disable=SC2086
		found=$(processors "$libmf/mf-train" -f 0 -k "$rank" -s "$threads" $parameters learn.txt model)
		error=$("$libmf/mf-predict" test.txt model said | sed 's/.*= //')
		echo "$error $found $(epoch libmf_epochs) $parameters" >>theirs
	done
	local a b c d e f
	a=$(cut -d' ' -f1 ours | median) b=$(cut -d' ' -f2 ours | median) c=$(cut -d' ' -f3 ours | median)
	if [ -n "$libmf" ]; then
		d=$(cut -d' ' -f1 theirs | median) e=$(cut -d' ' -f2 theirs | median) f=$(cut -d' ' -f3 theirs | median)
		awk -v n="$1" -v a="$a" -v b="$b" -v c="$c" -v d="$d" -v e="$e" -v f="$f" -v p="$(tail -n 1 theirs | cut -d' ' -f4-)" 'BEGIN {
			printf "| %s | %s | %s | %.3f | %s | %s | %.2f | %.2f | %.2f | %.2f | %s |\n", n, a, d, a / d, b, e, b / e, c, f, c / f, p }'
	else
		echo "| $1 | $a | | | $b | | | $c | | | |"
	fi
}
libmf_epochs() { "$libmf/mf-train" -f 0 -k "$rank" -s "$threads" -l2 0.05 -t "$1" learn.txt model; }

if [[ " $steps " == *" mf "* ]]; then
	[ -n "$libmf" ] || missing LIBMF "name a folder with mf-train and mf-predict (LIBMF=)"
	printf '| ratings | mf | LIBMF | ratio | CPU s | LIBMF CPU s | ratio | ms an epoch | of LIBMF | ratio | LIBMF has |\n|%s\n' "$(printf ' --- |%.0s' {1..11})"
	if [ -n "$data" ]; then
		factorize "LIBMF demo" "$data/libmf-demo/real_matrix.tr.txt" "$data/libmf-demo/real_matrix.te.txt"
	else
		missing "LIBMF demo" "name a folder (DATA=)"
	fi
	if [ -n "$ratings" ]; then factorize "$(basename "$ratings")" "$ratings"; fi
	if [ "$planted" -gt 0 ]; then
		./penstock generate made --kind ratings --users "$users" --items "$items" --ratings "$planted" >/dev/null 2>&1
		./penstock export made made --format csv >/dev/null
		sed -E '1d; s/^User:([0-9]+),Item:([0-9]+),RATED,/\1 \2 /' made/relationships.csv >made.txt
		factorize "$planted made up, floor 0.5" made.txt
	fi
fi

# objective FILE MODEL L1: of logistic regression with C = 1, labels 1 and -1, of a model that LIBLINEAR has written; and how many weights are not 0.
objective() {
	awk -v l1="$3" 'NR == FNR { if (weights) w[++n] = $1; else if ($1 == "label") first = $2; else if ($1 == "w") weights = 1; next }
		{ z = 0; for (i = 2; i <= NF; i++) { at = index($i, ":"); z += w[substr($i, 1, at - 1)] * substr($i, at + 1) }
		  z *= ($1 > 0 ? 1 : -1) * (first > 0 ? 1 : -1); sum += z > 0 ? log(1 + exp(-z)) : log(1 + exp(z)) - z }
		END { for (i = 1; i <= n; i++) { some += w[i] != 0; sum += l1 ? (w[i] < 0 ? -w[i] : w[i]) : w[i] * w[i] / 2 }
		  printf "%.4f %d", sum, some }' "$2" "$1"
}

# regress NAME FILE: a table of lr and blockpg, by one thread, and of LIBLINEAR's solvers for the same, with C = 1 and no bias. Seconds are
# medians of whole commands, RUNS of each by turns; what LIBLINEAR takes to read its file, which for us penstock load has done, is taken off
# in the last column.
regress() {
	local load round solver kind penalty end time reading f some solvers=(lr blockpg)
	load=$(seconds ./penstock load --replace samples "$2")
	[ -z "$liblinear" ] || solvers+=("0 L2 1e10" "0 L2 0.1" "0 L2 0.01" "0 L2 0.001" "7 L2 0.1" "6 L1 0.01" "6 L1 0.001")
	rm -f times
	for round in $(seq "${RUNS:-3}"); do
		for solver in "${solvers[@]}"; do
			if [ "${solver% *}" = "$solver" ]; then
				echo "$solver $(seconds ./penstock train --graph samples "$solver" --split 1,0,0)" >>times
			else
				read -r kind _ end <<<"$solver"
				echo "$solver $(seconds "$liblinear/train" -q -s "$kind" -c 1 -B -1 -e "$end" "$2" model)" >>times
			fi
		done
	done
	printf '\n| %s | objective | weights | s | less reading |\n| --- | --- | --- | --- | --- |\n' "$1"
	echo "| penstock load | | | $load | |"
	for solver in "${solvers[@]}"; do
		time=$(grep "^$solver " times | awk '{ print $NF }' | median)
		if [ "${solver% *}" = "$solver" ]; then
			./penstock train --graph samples "$solver" --split 1,0,0 --json >report 2>/dev/null
			printf '| %s | %.4f | %d | %s | |\n' "$solver" "$(number objective)" "$(number non_zero)" "$time"
			continue
		fi
		read -r kind penalty end <<<"$solver"
		if [ "$end" = 1e10 ]; then
			reading=$time
			echo "| LIBLINEAR, reading | | | $reading | |"
			continue
		fi
		"$liblinear/train" -q -s "$kind" -c 1 -B -1 -e "$end" "$2" model
		read -r f some <<<"$(objective "$2" model "$([ "$penalty" = L1 ] && echo 1)")"
		awk -v n="LIBLINEAR -s $kind -e $end" -v f="$f" -v some="$some" -v t="$time" -v r="$reading" 'BEGIN {
			printf "| %s | %s | %d | %s | %.2f |\n", n, f, some, t, t - r }'
	done
}

if [[ " $steps " == *" lr "* ]]; then
	[ -n "$liblinear" ] || missing LIBLINEAR "name a folder with train (LIBLINEAR=)"
	if [ -n "$data" ]; then regress a9a "$data/libsvm-a9a/a9a"; else missing a9a "name a folder (DATA=)"; fi
	if [ "$samples" -gt 0 ]; then
		./logistic -samples "$samples" >made.svm
		regress "$samples samples made up" made.svm
	fi
fi

if [[ " $steps " == *" lda "* ]]; then
	if [ -n "$data" ]; then
		echo
		sweeps=${SWEEPS:-50,200,500}
		./gibbs -topics 50 -sweeps "$sweeps" "$data/uci-kos/docword.kos.txt.gz"
		./penstock load --replace kos "$data/uci-kos/docword.kos.txt.gz" >/dev/null
		for many in ${sweeps//,/ }; do # of another tenth of the documents
			./penstock train --graph kos lda --topics 50 --epochs "$many" --json >report 2>/dev/null
			echo "penstock, $many epochs: perplexity $(number test), of single words $(number unigram_perplexity), $(number epoch) s an epoch, $(number total) s in all"
		done
	else
		missing "topics" "name a folder (DATA=)"
	fi
fi
