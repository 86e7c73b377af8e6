#!/usr/bin/env bash
# Proves and measures the CUDA plugin on a machine that has a GPU and NVIDIA's driver, and nothing else.
#
#   bench/gpu.sh build [penstock-gpu.tar.gz]    # or .tar.zst, .tar.xz; in the sources, on a machine with Go and gcc
#   penstock-gpu/gpu.sh run [FOLDER]            # unpacked, on the machine with the GPU
#
# The second runs all tests of the plugin's module on the card, then the tables below, beside others' programs if they were built in
# (bench/gpu-peers.sh), and the tests once more under compute-sanitizer, if the machine has that. What it writes to FOLDER
# (gpu-CARD-DATE) is to be committed below docs/gpu/. What there is no time for is said to be left out; what has been measured stays
# also when it is interrupted. It takes about 150 bytes an edge of disk in $TMPDIR.
#
#   GPU_MINUTES=9      all of it takes no longer, tests no more than half of that; 90 and a GPU_SCALE of 22 make better tables
#   GPU_SCALE=20       log2 of the vertices of the largest graph; 16 edges a vertex
#   GPU_RUNS=3         of each measurement, by turns; times are medians
#   GPU_STEPS=...      some of "tests rates whole streamed cold train peers sanitize", in order
#   PYTHON=python3     has PyTorch, to train beside, or not
#   GPU_TORCH=cuda     where PyTorch computes; cpu to try that without a card
#   GPU_PEERS=FOLDER   for build: others' programs
#   GPU_TESTS=...      for build: some of the module's packages, as "cuda kernels solve", where the bundle may not be large; all
#   GPU_CORA=FOLDER    for build: cora.edges.txt, cora.features.txt and cora.labels.txt of Planetoid, to train on
#
# On the test double (PENSTOCK_LIBCUDA=$(cd plugins/cuda && go run ./cmd/softcuda {driver,lower}/testdata/*.cu)) it tries itself: that is never a result, and
# the script says so wherever it writes something.
set -euo pipefail
export LC_ALL=C # numbers have points
here=$(cd "$(dirname "$0")" && pwd)
minutes=${GPU_MINUTES:-9} scale=${GPU_SCALE:-20} runs=${GPU_RUNS:-3}
steps=${GPU_STEPS:-tests rates whole streamed cold train peers sanitize}
python=${PYTHON:-python3} torch=${GPU_TORCH:-cuda}
no_time="left out: no time"

main() {
	local command=${1:-help}
	[ $# = 0 ] || shift
	case $command in
	build | run) "$command" "$@" ;;
	*) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" ;;
	esac
}

build() {
	local out=${1:-penstock-gpu.tar.gz} bundle packages
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	bundle=$work/penstock-gpu
	mkdir -p "$bundle/tests"
	cp "$0" "$bundle/gpu.sh"
	cp "$here/gnn.py" "$bundle/"
	"$here/gpu-peers.sh" build "$bundle"
	[ -z "${GPU_CORA:-}" ] || { mkdir "$bundle/cora" && cp "$GPU_CORA"/cora.{edges,features,labels}.txt "$bundle/cora/"; }
	(
		cd "$here/.."
		git describe --always --dirty >"$bundle/commit" 2>/dev/null || echo unknown >"$bundle/commit"
		CGO_ENABLED=0 go build -ldflags "-s -w" -o "$bundle/penstock" ./cmd/penstock
		plugins/cuda/build.sh "$bundle/cuda" >&2
		cd plugins/cuda
		eval "$(./setup.sh)"
		packages=$(tested)
		# shellcheck disable=SC2086 # several packages
		go test -c -ldflags "-s -w" -o "$bundle/tests/" $packages
	)
	tar -C "$work" -caf "$out" penstock-gpu
	echo "$out: carry it to the machine with the GPU, unpack it there, and call penstock-gpu/gpu.sh run"
}

# tested are the packages whose tests go into the bundle: those of GPU_TESTS, or all.
tested() {
	local name packages
	packages=$(go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' ./... | grep -v /softcuda)
	[ -n "${GPU_TESTS:-}" ] || { echo "$packages"; return 0; }
	for name in $GPU_TESTS; do
		grep "/$name\$" <<<"$packages" || { echo "GPU_TESTS: no package $name has tests; there are $(xargs -n 1 basename <<<"$packages" | xargs)" >&2; exit 2; }
	done
}

run() {
	local step
	export PENSTOCK_PLUGIN_DIR PENSTOCK_DB PENSTOCK=$here/penstock PENSTOCK_CUDA_BUNDLE=$here
	work=$(mktemp -d) card=unknown double=
	trap 'rm -rf "$work"' EXIT
	PENSTOCK_PLUGIN_DIR=$work/plugins PENSTOCK_DB=$work/db
	"$here/penstock" plugin install "$here/cuda" >/dev/null
	"$here/penstock" plugin doctor cuda --json >"$work/doctor" || {
		"$here/penstock" plugin doctor cuda >&2 || true
		exit 1
	}
	card=$(field hardware "$work/doctor")
	open_results "$@"
	trap interrupted INT TERM
	about | say
	for step in $steps; do
		case $step in
		tests | rates | whole | streamed | cold | train | peers | sanitize) "$step" ;;
		*) echo "GPU_STEPS: there is no step $step" >&2; exit 2 ;;
		esac
	done
	echo "all of it is in $results"
}

# open_results makes the folder; one of the test double cannot be taken for a card's.
open_results() {
	local prefix=gpu
	case $card in *"test double"*) double="(test double, no result)" prefix=no-result ;; esac
	results=${1:-$prefix-$(tr -cs 'A-Za-z0-9' - <<<"${card%%,*}")$(date -u +%Y-%m-%d)}
	[ -z "$double" ] || case $(realpath -m "$results") in
	*/docs/*) echo "$results: what a test double says is no result, and has no place among the docs" >&2; exit 1 ;;
	esac
	mkdir -p "$results"
	results=$(cd "$results" && pwd)
	: >"$results/README.md"
}

# say shows what it reads and keeps it. It is not interrupted, so that what was measured is kept.
say() { (trap '' INT TERM; exec tee -a "$results/README.md"); }

interrupted() {
	trap '' INT TERM
	printf '\n\nInterrupted: what would follow is missing.\n' | say
	echo "what there is is in $results" >&2
	exit 130
}

# left is how many seconds there are yet.
left() { echo $((60 * minutes > SECONDS ? 60 * minutes - SECONDS : 0)); }

# title of a table.
title() { printf '\n## %s\n\n' "$1${double:+ $double}"; }

# field NAME FILE: the first value of that name in JSON.
field() { sed -nE "s/^ *\"$1\": *\"(.*)\",?$/\1/p; s/^ *\"$1\": *([0-9.e+-]+),?$/\1/p" "$2" | head -n 1; }

median() { sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

about() {
	printf '# %s\n\n' "$card"
	[ -z "$double" ] || printf '**Of a test double: no number here is a result, and no table may be quoted.**\n\n'
	printf -- '- Penstock %s, `bench/gpu.sh run` with scale %d, %d runs and %d minutes, on %s\n' "$(cat "$here/commit")" "$scale" "$runs" "$minutes" "$(date -u +%Y-%m-%d)"
	printf -- '- %s, %d processors, %s\n' "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" "$(nproc)" "$(uname -sr)"
	! command -v nvidia-smi >/dev/null || nvidia-smi --query-gpu=name,driver_version,pcie.link.gen.max,pcie.link.width.max,clocks.max.mem --format=csv,noheader | sed 's/^/- nvidia-smi: /'
	printf -- '- Results are compared with those of the processor: "same" to the last digit, or by how much of it the worst differs.\n'
}

# tests runs every test of the module on the card.
tests() {
	local test log verdict status until=$((SECONDS + $(left) / 2))
	{ title "Tests on the card" && printf '| package | passed | failed | skipped | |\n| --- | --- | --- | --- | --- |\n'; } | say
	for test in "$here"/tests/*.test; do
		log=$results/$(basename "$test" .test).txt verdict=passed
		: >"$log"
		if ((SECONDS >= until)); then
			verdict=$no_time
		else
			status=0
			(cd "$work" && PENSTOCK_CUDA_HARDWARE=1 PENSTOCK_TEST_GRAPHS=3 timeout $((until - SECONDS)) "$test" -test.v -test.timeout 0) >"$log" 2>&1 || status=$?
			[ $status = 0 ] || verdict=failed
			[ $status != 124 ] || verdict="not to its end: no time"
		fi
		printf '| %s | %d | %d | %d | %s |\n' "$(basename "$test" .test)" "$(grep -c '^ *--- PASS' "$log")" "$(grep -c '^ *--- FAIL' "$log")" \
			"$(grep -c '^ *--- SKIP' "$log")" "$verdict" | say
	done
}

# rates are what the card's link and memory can do, as bytes a second.
rates() {
	PENSTOCK_CUDA_HARDWARE=1 timeout $(($(left) + 1)) "$here/tests/driver.test" -test.run '^$' -test.bench . >"$results/rates.txt" 2>&1 || true
	link=$(awk '/^BenchmarkStream_CopyIn\/Pinned/ { print $(NF - 1) * 1e6 }' "$results/rates.txt")
	copy=$(awk '/^BenchmarkStream_Copy-/ { print $(NF - 1) * 1e6 }' "$results/rates.txt")
	{ title Rates && printf 'From pinned memory to the card %s GB/s; on the card %s GB/s, read and written.\n' "$(giga "${link:=0}")" "$(giga "${copy:=0}")"; } | say
}

giga() { awk -v x="$1" 'BEGIN { printf "%.1f", x / 1e9 }'; }

# measure NAME REFERENCE ARGUMENTS: one run of penstock, a line "total compute transfer bytes iterations" to the file NAME. The
# first run's result is compared with REFERENCE, or becomes it if there is none; writing it is not in the times.
measure() {
	local name=$1 reference=$work/reference-$2.csv status=0 out=()
	shift 2
	[ -e "$work/same-$name" ] || out=(--out "$work/result.csv")
	(($(left) > 0)) || { echo "$no_time" >"$work/why-$name"; return 0; }
	timeout "$(left)" "$here/penstock" run --json "$@" "${out[@]}" >"$work/json" 2>"$work/stderr" || status=$?
	if [ $status = 124 ]; then
		echo "$no_time" >"$work/why-$name"
		return 0
	elif [ $status != 0 ]; then
		echo "$name: $(tail -n 1 "$work/stderr")" >>"$results/failures.txt"
		echo "failed (failures.txt)" >"$work/why-$name"
		! grep -q 'schedule .* is not for' "$work/stderr" || echo "not for it" >"$work/why-$name"
		return 0
	fi
	[ ${#out[@]} = 0 ] || compare "$name" "$reference"
	awk -F '[:,]' '
		/"seconds": \{/ && !in_seconds { in_seconds = 1 } /"bytes": \{/ && !in_bytes { in_bytes = 1 }
		in_seconds == 1 && /"total"/ { total = $2 } in_seconds == 1 && /"compute"/ { compute = $2 }
		in_seconds == 1 && /"transfer"/ { transfer = $2 } in_seconds == 1 && /\}/ { in_seconds = 2 }
		in_bytes == 1 && /"transfer"/ { bytes = $2 } in_bytes == 1 && /\}/ { in_bytes = 2 }
		/^  "iterations"/ { iterations = $2 }
		END { print total + 0, compute + 0, transfer + 0, bytes + 0, iterations + 0 }' "$work/json" >>"$work/$name"
}

# compare NAME REFERENCE writes to same-NAME how far result.csv is from it.
compare() {
	if [ ! -e "$2" ]; then
		mv "$work/result.csv" "$2"
		echo reference >"$work/same-$1"
	elif cmp -s "$work/result.csv" "$2"; then
		echo same >"$work/same-$1"
	else
		paste -d , "$work/result.csv" "$2" | awk -F , '
			{ half = NF / 2; if (half != int(half)) wrong = NR }
			{ for (i = 1; i <= half; i++) if ($i != $(i + half)) {
				a = $i + 0; b = $(i + half) + 0; size = a * a > b * b ? a : b; d = (a - b) / (size == 0 ? 1 : size); if (d < 0) d = -d
				if (a == b || i == 1) wrong = NR; else if (d > worst) worst = d } }
			END { if (wrong) printf "**another: row %d**\n", wrong; else printf (worst > 1e-9 ? "**%.1g**\n" : "%.1g\n"), worst }' >"$work/same-$1"
	fi
}

# same NAME: how its result compares, or why there is none.
same() { cat "$work/same-$1" 2>/dev/null || cat "$work/why-$1" 2>/dev/null || printf –; }

# of NAME COLUMN: the median of a column, or a dash if it never ran.
of() { if [ -s "$work/$1" ]; then awk -v c="$2" '{ print $c }' "$work/$1" | median | awk '{ printf "%.4g", $1 }'; else printf –; fi; }

graph() { # SCALE: makes the graph, unless it is there
	[ -e "$work/made-$1" ] || "$here/penstock" generate "rmat-$1" --scale "$1" --weights >/dev/null 2>"$work/stderr" || {
		tail -n 1 "$work/stderr" >&2
		exit 1
	}
	touch "$work/made-$1"
}

kernels="bfs pagerank pagerank-delta sssp wcc triangles lcc k-core cdlp scc"

arguments() { # KERNEL: its parameters
	case $1 in
	bfs) echo "bfs --param source=1" ;;
	sssp) echo "sssp --param source=1 --param weight=weight" ;;
	pagerank) echo "pagerank --param iterations=20" ;;
	*) echo "$1" ;;
	esac
}

# whole: all of the graph on the card, beside the processor.
whole() {
	local kernel device i
	graph "$scale"
	{ title "RMAT $scale, all of it on the card (seconds)" && printf '| | cpu, computing | cuda, computing | cpu ÷ cuda | cpu, in all | cuda, in all | cpu ÷ cuda | results |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n'; } | say
	for kernel in $kernels; do
		for ((i = 0; i < runs; i++)); do
			for device in cpu cuda; do
				# shellcheck disable=SC2046 # several words
				measure "whole-$kernel-$device" "$scale-$kernel" --graph "rmat-$scale" --device $device $(arguments "$kernel")
			done
		done
		awk -v k="$kernel" -v a="$(of "whole-$kernel-cpu" 2)" -v b="$(of "whole-$kernel-cuda" 2)" -v c="$(of "whole-$kernel-cpu" 1)" -v d="$(of "whole-$kernel-cuda" 1)" -v same="$(same "whole-$kernel-cuda")" \
			'BEGIN { printf "| %s | %s | %s | %s | %s | %s | %s | %s |\n", k, a, b, (a + 0 > 0 && b + 0 > 0 ? sprintf("%.1f", a / b) : "–"), c, d, (c + 0 > 0 && d + 0 > 0 ? sprintf("%.1f", c / d) : "–"), same }' | say
	done
	floor | say
}

# floor: what PageRank's bytes take at the rate at which the card copies. An iteration reads a number of 4 bytes an entry of
# a list, and of a vertex the offset (4), its message (8) and the degree (8), and reads and writes its rank (16) and message (8).
floor() {
	"$here/penstock" info --json "rmat-$scale" >"$work/info"
	[ -s "$work/whole-bfs-cuda" ] || return 0
	awk -v e="$(awk '/^      "edges":/ { sum += $2 } END { print sum }' "$work/info")" -v m="$(field edges "$work/info")" -v n="$((1 << scale))" -v rate="${copy:-0}" -v t="$(of whole-pagerank-cuda 2)" -v k="$(of whole-pagerank-cuda 5)" -v b="$(of whole-bfs-cuda 2)" 'BEGIN {
		bytes = k * (4 * e + 44 * n)
		if (rate + 0 > 0 && t + 0 > 0) printf "\nPageRank: %d iterations move at least %.2f GB, which takes %.4f s at the rate of copies: it runs at %.2f of that.\n", k, bytes / 1e9, bytes / rate, bytes / rate / t
		if (b + 0 > 0) printf "BFS: %.2f GTEPS (undirected edges of the graph a second of computing).\n", m / b / 1e9 }'
}

schedules="whole subway scaph neugraph auto"

# streamed: the card may hold its state and a quarter of the chunks.
streamed() {
	local kernel way i state resident budget
	graph "$scale"
	{
		title "RMAT $scale, a quarter of the chunks on the card (seconds; GB that were sent; share of the link while sending; results)"
		printf '| |'
		for way in $schedules managed; do printf ' %s |' "${way/managed/managed memory}"; done
		printf '\n| --- |%s\n' "$(printf ' --- |%.0s' $schedules managed)"
	} | say
	for kernel in bfs sssp wcc pagerank-delta; do
		# shellcheck disable=SC2046 # several words
		"$here/penstock" estimate --json --graph "rmat-$scale" --device cuda $(arguments $kernel) >"$work/needs" 2>>"$results/failures.txt" || continue
		state=$(field state "$work/needs") resident=$(field resident "$work/needs")
		budget=$((state + (resident - state) / 4))
		# shellcheck disable=SC2046
		[ -e "$work/reference-$scale-$kernel.csv" ] || measure "streamed-$kernel-cpu" "$scale-$kernel" --graph "rmat-$scale" --device cpu $(arguments $kernel)
		for ((i = 0; i < runs; i++)); do
			for way in $schedules; do
				# shellcheck disable=SC2046
				measure "streamed-$kernel-$way" "$scale-$kernel" --graph "rmat-$scale" --device cuda --schedule "$way" --device-memory "${budget}B" $(arguments $kernel)
			done
			# shellcheck disable=SC2046
			PENSTOCK_CUDA_MEMORY=managed measure "streamed-$kernel-managed" "$scale-$kernel" --graph "rmat-$scale" --device cuda $(arguments $kernel)
		done
		streamed_row $kernel | say
	done
}

streamed_row() { # KERNEL
	local way
	printf '| %s |' "$1"
	for way in $schedules managed; do
		awk -v t="$(of "streamed-$1-$way" 1)" -v s="$(of "streamed-$1-$way" 3)" -v b="$(of "streamed-$1-$way" 4)" -v link="${link:-0}" -v same="$(same "streamed-$1-$way")" \
			'BEGIN { if (t + 0 > 0) printf " %s; %.4g; %s; %s |", t, b / 1e9, (s + 0 > 0 && link + 0 > 0 ? sprintf("%.2f", b / s / link) : "–"), same; else printf " %s |", same }'
	done
	echo
}

# cold: from a command to its result, the start of the device included, by size.
cold() {
	local size device i
	{ title "From the command to its result (BFS, PageRank of 20 iterations; seconds in all; results)" && printf '| | cpu, BFS | cuda, BFS | cpu, PageRank | cuda, PageRank |\n| --- | --- | --- | --- | --- |\n'; } | say
	for ((size = scale < 14 ? scale : 14; size <= scale; size += 2)); do
		graph "$size"
		for ((i = 0; i < runs; i++)); do
			for device in cpu cuda; do
				measure "cold-$size-bfs-$device" "$size-bfs" --graph "rmat-$size" --device $device bfs --param source=1
				measure "cold-$size-pagerank-$device" "$size-pagerank" --graph "rmat-$size" --device $device pagerank --param iterations=20
			done
		done
		printf '| RMAT %d | %s | %s; %s | %s | %s; %s |\n' "$size" "$(of "cold-$size-bfs-cpu" 1)" "$(of "cold-$size-bfs-cuda" 1)" "$(same "cold-$size-bfs-cuda")" \
			"$(of "cold-$size-pagerank-cpu" 1)" "$(of "cold-$size-pagerank-cuda" 1)" "$(same "cold-$size-pagerank-cuda")" | say
	done
}

# train has networks learn, on the card and on the processor: seconds an epoch, and whether the card finds the same loss, and
# the same one twice. Then the same by PyTorch on the card, and what does not fit the card's memory, piece by piece.
train() {
	local block=$((scale < 16 ? scale : 16)) large=$((scale < 18 ? 0 : 18))
	trained=()
	{ title "Training (20 epochs; seconds an epoch)" && printf '| graph | model | cpu | cuda | cpu ÷ cuda | loss on cpu | on cuda | twice | products |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n'; } | say
	if [ -d "$here/cora" ]; then
		cora_graph
		train_row cora gcn 16 1 --features words --multi-hot 1433 --normalize rows
		train_row cora gat 64 8 --features words --multi-hot 1433 --normalize rows
	else
		echo "| cora | left out: it was not built in (GPU_CORA) | | | | | | | |" | say
	fi
	if block_graph blocks "$block"; then
		train_row blocks gcn 64 1 --features features
		train_row blocks gat 64 8 --features features
		train_row blocks sage-max 64 1 --features features
	fi
	if [ "$large" != 0 ] && block_graph "blocks-$large" "$large"; then
		runs=2 train_row "blocks-$large" gcn 64 1 --features features
		runs=2 train_row "blocks-$large" gat 64 8 --features features
	fi
	beside_torch
	pieces
}

block_graph() { # NAME SCALE: a stochastic block model
	"$here/penstock" generate "$1" --kind sbm --scale "$2" --classes 16 --features 128 >/dev/null 2>"$work/stderr" && return
	tail -n 1 "$work/stderr" >>"$results/failures.txt"
	return 1
}

cora_graph() { # out of Planetoid's files: a row each, and a label
	[ ! -e "$work/made-cora" ] || return 0
	(
		cd "$work"
		{ echo ':START_ID,:END_ID'; grep -v '^#' "$here/cora/cora.edges.txt" | awk '{ print $1 "," $2 }'; } >cora-edges.csv
		{
			echo 'id:ID,words:int[],class:int'
			grep -v '^#' "$here/cora/cora.features.txt" | sort -n |
				awk '{ printf "%s,", $1; for (i = 2; i <= NF; i++) printf "%s%s", (i > 2 ? ";" : ""), $i; print "" }' |
				paste -d, - <(grep -v '^#' "$here/cora/cora.labels.txt" | sort -n | awk '{ print $2 }')
		} >cora-nodes.csv
		"$here/penstock" load cora cora-nodes.csv cora-edges.csv --undirected >/dev/null
	)
	touch "$work/made-cora"
}

train_row() { # GRAPH MODEL HIDDEN HEADS FLAGS: a line of the table
	local graph=$1 model=$2 i device
	trained+=("$*")
	for ((i = 0; i < runs; i++)); do
		for device in cpu cuda; do train_run "$device" "$device" "$@"; done
	done
	local a b losses
	a=$(of "train-$graph-$model-cpu" 1) b=$(of "train-$graph-$model-cuda" 1)
	losses=$(awk '{ print $2 }' "$work/train-$graph-$model-cuda" 2>/dev/null | sort -u | wc -l)
	awk -v g="$graph" -v m="$model" -v a="$a" -v b="$b" -v la="$(of "train-$graph-$model-cpu" 2)" -v lb="$(of "train-$graph-$model-cuda" 2)" -v n="$losses" -v k="$(cat "$work/kernel-train-$graph-$model-cuda" 2>/dev/null || same "train-$graph-$model-cuda")" \
		'BEGIN { printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", g, m, a, b, (a + 0 > 0 && b + 0 > 0 ? sprintf("%.1f", a / b) : "–"), la, lb, (n == 0 ? "–" : n == 1 ? "same" : "**another**"), k }' | say
}

# train_run WAY DEVICE GRAPH MODEL HIDDEN HEADS FLAGS: one run, a line "seconds-an-epoch loss peak brought-in-an-epoch" to the file of that way.
# All vertices are learned from, and none validated.
train_run() {
	local name=train-$3-$4-$1 device=$2 graph=$3 model=$4 hidden=$5 status=0
	local heads=()
	[ "$6" = 1 ] || heads=(--heads "$6")
	shift 6
	(($(left) > 0)) || { echo "$no_time" >"$work/why-$name"; return 0; }
	timeout "$(left)" "$here/penstock" train "$model" --graph "$graph" --device "$device" --hidden "$hidden" "${heads[@]}" --label class --split 1,0,0 --patience 0 \
		--epochs 20 --seed 1 --json "$@" >"$work/json" 2>"$work/stderr" || status=$?
	if [ $status != 0 ]; then
		[ $status = 124 ] && echo "$no_time" >"$work/why-$name" || { echo "$name: $(tail -n 1 "$work/stderr")" >>"$results/failures.txt" && echo "failed (failures.txt)" >"$work/why-$name"; }
		return 0
	fi
	sed -n '/"pieces": {/,/}/p' "$work/json" >"$work/pieces"
	echo "$(field epoch "$work/json") $(field loss "$work/json") $(field peak_device_bytes "$work/json") $(field epoch "$work/pieces" | grep . || echo 0)" >>"$work/$name"
	field kernel "$work/json" >"$work/kernel-$name"
}

# beside_torch: the same models, graphs and hyperparameters by PyTorch on the same card, where python3 has it (gnn.py).
beside_torch() {
	local row words
	title "Training, beside PyTorch on the same card" | say
	torch_there | say || return 0
	printf '| graph | model | ours | PyTorch | ÷ ours | PyG | ÷ ours | ours, MiB | PyTorch | PyG | loss, ours | PyTorch | PyG |\n|%s\n' "$(printf ' --- |%.0s' {1..13})" | say
	for row in "${trained[@]}"; do
		read -ra words <<<"$row"
		torch_files "${words[0]}"
		torch_row "${words[@]:0:4}" | say
	done
	printf '\nSeconds of an epoch, its medians; peaks of what is allocated on the card. PyTorch has all in single precision without TF32, and the first quarter of the epochs left out. Starts are drawn otherwise, so that losses are alike, not equal.\n' | say
}

# torch_there says which PyTorch there is, or why none.
torch_there() {
	"$python" - "$torch" 2>"$work/stderr" <<-'END' && return
		import sys, torch
		assert sys.argv[1] == "cpu" or torch.cuda.is_available(), "it sees no card"
		try:
		    import torch_geometric
		    pyg = torch_geometric.__version__
		except ImportError:
		    pyg = "none"
		print(f"PyTorch {torch.__version__} on {sys.argv[1]}, torch_geometric {pyg}, Python {sys.version.split()[0]}.\n")
	END
	echo "Left out: $python has no PyTorch for $torch: $(tail -n 1 "$work/stderr")"
	return 1
}

# torch_files GRAPH: its edges, features and labels for gnn.py. Those of the largest are drawn, since no time depends on them.
torch_files() {
	local to=$work/torch/$1
	[ ! -e "$to" ] || return 0
	mkdir -p "$to"
	case $1 in
	cora)
		grep -v '^#' "$here/cora/cora.edges.txt" | awk '{ print $1, $2 }' >"$to/edges"
		grep -v '^#' "$here/cora/cora.features.txt" | awk '{ for (i = 2; i <= NF; i++) print $1, $i }' >"$to/features"
		grep -v '^#' "$here/cora/cora.labels.txt" | sort -n | awk '{ print $2 }' >"$to/labels"
		;;
	blocks)
		"$here/penstock" export "$1" "$to/csv" --format csv >/dev/null 2>&1
		tail -n +2 "$to/csv/relationships.csv" | awk -F , '{ print $1, $2 }' >"$to/edges"
		tail -n +2 "$to/csv/nodes.csv" | cut -d , -f 3 >"$to/labels"
		tail -n +2 "$to/csv/nodes.csv" | cut -d '"' -f 2 | tr ';' ' ' >"$to/csv/features"
		"$python" -c 'import numpy, sys; numpy.save(sys.argv[2], numpy.fromfile(sys.argv[1], sep=" ", dtype="float32").reshape(-1, 128))' "$to/csv/features" "$to/features.npy"
		ln -s features.npy "$to/features"
		rm -r "$to/csv"
		;;
	*)
		"$here/penstock" export "$1" "$to/mtx" --format mtx >/dev/null 2>&1
		grep -v '^%' "$to/mtx/graph.mtx" | awk 'NR > 1 { print $1 - 1, $2 - 1 }' >"$to/edges"
		echo "random:$((1 << ${1#*-})):128" >"$to/drawn"
		rm -r "$to/mtx"
		;;
	esac 2>>"$results/failures.txt" || echo "$1: its files for PyTorch could not be written" >>"$results/failures.txt"
}

torch_row() { # GRAPH MODEL HIDDEN HEADS: a line of the table
	local name=train-$1-$2 files=$work/torch/$1 by features labels
	features=$files/features labels=$files/labels
	[ ! -e "$files/features.npy" ] || features=$files/features.npy
	[ ! -e "$files/drawn" ] || { features=$(cat "$files/drawn") labels=random:16; }
	: >"$work/torch.txt"
	if (($(left) > 0)); then
		timeout "$(left)" "$python" -W ignore "$here/gnn.py" --device "$torch" --by torch,pyg --runs "$runs" "$2" "$files/edges" "$features" "$labels" "$3" "$4" 20 \
			>"$work/torch.txt" 2>"$work/stderr" || grep '^gnn.py:\|Error' "$work/stderr" >>"$results/failures.txt" || echo "$name by PyTorch: no time, or killed" >>"$results/failures.txt"
	fi
	for by in torch pyg; do
		awk -v by=$by -v drawn="$([ ! -e "$files/drawn" ] || echo 1)" '$5 == by { print $1, drawn ? "-" : $4, $2 }' "$work/torch.txt" >"$work/$name-$by"
	done
	awk -v g="$1" -v m="$2" -v a="$(of "$name-cuda" 1)" -v b="$(of "$name-torch" 1)" -v c="$(of "$name-pyg" 1)" -v p="$(of "$name-cuda" 3)" -v q="$(of "$name-torch" 3)" -v r="$(of "$name-pyg" 3)" \
		-v l="$(of "$name-cuda" 2)" -v lb="$(of "$name-torch" 2)" -v lc="$(of "$name-pyg" 2)" '
		function ratio(x, y) { return x + 0 > 0 && y + 0 > 0 ? sprintf("%.2f", x / y) : "–" }
		function said(x) { return x + 0 > 0 ? x : "–" }
		function mib(x) { return x + 0 > 0 ? sprintf("%.0f", x / 1048576) : "–" }
		BEGIN { printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", g, m, a, b, ratio(b, a), c, ratio(c, a), mib(p), mib(q), mib(r), l, said(lb), said(lc) }'
}

# pieces: the card may hold a quarter of what training takes.
pieces() {
	local row words peak name i
	{ title "Training in a quarter of the memory that it takes" && printf '| graph | model | all of it, MiB | seconds an epoch | a quarter, MiB | seconds an epoch | ÷ all of it | MiB sent in an epoch | loss |\n|%s\n' "$(printf ' --- |%.0s' {1..9})"; } | say
	for row in "${trained[@]}"; do
		read -ra words <<<"$row"
		name=train-${words[0]}-${words[1]}
		peak=$(awk '{ print $3; exit }' "$work/$name-cuda" 2>/dev/null || true)
		[[ ${words[0]} = blocks* && -n $peak ]] || continue
		for ((i = 0; i < (runs < 2 ? runs : 2); i++)); do train_run quarter cuda "${words[@]}" --device-memory $((peak / 4))B; done
		awk -v g="${words[0]}" -v m="${words[1]}" -v p="$peak" -v a="$(of "$name-cuda" 1)" -v q="$(of "$name-quarter" 3)" -v b="$(of "$name-quarter" 1)" -v s="$(of "$name-quarter" 4)" -v l="$(awk '{ print $2 }' "$work/$name-cuda" "$work/$name-quarter" 2>/dev/null | sort -u | wc -l)" -v why="$(same "$name-quarter")" '
			BEGIN { if (b + 0 > 0) printf "| %s | %s | %.0f | %s | %.0f | %s | %.2f | %.0f | %s |\n", g, m, p / 1048576, a, q / 1048576, b, b / a, s / 1048576, l == 1 ? "same" : "**another**"
				else printf "| %s | %s | %.0f | %s | | %s | | | |\n", g, m, p / 1048576, a, why }' | say
	done
}

# peers are others' programs on the same card.
peers() {
	(($(left) > 0)) || { { title "Beside others" && echo "$no_time"; } | say; return 0; }
	graph "$scale"
	GPU_RUNS=$runs GPU_LEFT=$(left) "$here/gpu-peers.sh" run "$work" "$results" "$scale" 2>>"$results/failures.txt" | say || echo "It ended early: see failures.txt" | say
}

# sanitize looks for kernels that reach where they must not, or race.
sanitize() {
	local sanitizer tool test log status verdict
	title compute-sanitizer | say
	sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null || true)
	[ -n "$sanitizer" ] || { echo "There is none on this machine." | say; return 0; }
	for tool in memcheck racecheck synccheck; do
		for test in kernels cuda procedure solve; do
			[ -e "$here/tests/$test.test" ] || continue
			log=$results/$tool-$test.txt verdict=clean status=0
			if (($(left) == 0)); then
				echo "- $tool, $test: $no_time" | say
				continue
			fi
			(cd "$work" && PENSTOCK_CUDA_HARDWARE=1 timeout "$(left)" "$sanitizer" --tool "$tool" --error-exitcode 9 "$here/tests/$test.test" -test.short -test.timeout 0) >"$log" 2>&1 || status=$?
			[ $status = 0 ] || verdict="exit status $status"
			[ $status != 124 ] || verdict="not to its end: no time"
			printf -- '- %s, %s: %s; %s\n' "$tool" "$test" "$verdict" "$(grep -h 'ERROR SUMMARY\|RACECHECK SUMMARY' "$log" | tail -n 1)" | say
		done
	done
}

main "$@"
