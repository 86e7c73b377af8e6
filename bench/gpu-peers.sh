#!/usr/bin/env bash
# Sets the CUDA plugin beside others' programs on the same card and graph, by turns: Gunrock's BFS with all of the graph
# on the card, and Subway's BFS, SSSP, CC and PageRank by changes with a quarter of the edges on it. bench/gpu.sh calls
#
#   bench/gpu-peers.sh build BUNDLE               # adds to a bundle what the next needs
#   BUNDLE/gpu-peers.sh run WORK RESULTS SCALE    # prints tables; rmat-SCALE, with weights, is in $PENSTOCK_DB
#
# Others' programs are neither fetched nor built here. Who has them puts them into a folder: docs/gpu/README.md.
#
#   GPU_PEERS=FOLDER   for build: has subway/{bfs,sssp,cc,pr}-{sync,async} and gunrock/bfs, or some of them
#   GPU_RUNS=5         of each measurement, in turns; times are medians
#   GPU_LEFT=3600      seconds, after which no further turn begins
#
# A run takes 50 bytes an edge of disk in WORK, until it ends.
set -euo pipefail
export LC_ALL=C # numbers have points
here=$(cd "$(dirname "$0")" && pwd)
runs=${GPU_RUNS:-5} left=${GPU_LEFT:-3600}

main() {
	local command=${1:-help}
	[ $# = 0 ] || shift
	case $command in
	build | run) "$command" "$@" ;;
	*) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" ;;
	esac
}

build() {
	local bundle=$1
	mkdir -p "$bundle/peers"
	cp "$0" "$bundle/gpu-peers.sh"
	(cd "$here/.." && CGO_ENABLED=0 go build -ldflags "-s -w" -o "$bundle/peers/peergraph" ./bench/peergraph)
	gcc -O2 -shared -fPIC -o "$bundle/peers/cardsize.so" "$here/gpu-peers/cardsize.c"
	[ -z "${GPU_PEERS:-}" ] || cp -rL "$GPU_PEERS/." "$bundle/peers/"
}

run() {
	local peer found=
	work=$1/peers results=$2 graph=rmat-$3 peers=$here/peers
	mkdir -p "$work" "$results"
	printf '\n## Beside others, RMAT %d\n\n' "$3"
	for peer in gunrock subway; do
		if [ -d "$peers/$peer" ]; then
			found=$peer
			printf -- '- %s: %s\n' "$peer" "$(head -n 1 "$peers/$peer/version" 2>/dev/null || echo 'of a version that nobody wrote down')"
		else
			printf -- '- %s: – (it was not in the folder GPU_PEERS when the bundle was built)\n' "$peer"
		fi
	done
	[ -n "$found" ] || return 0
	convert
	[ ! -d "$peers/gunrock" ] || resident
	[ ! -d "$peers/subway" ] || streamed
	rm -rf "$work"
}

# convert gives the graph to both in the order in which ours is stored, and finds vertex 1 there.
convert() {
	"$PENSTOCK" export "$graph" "$work" --format mtx --overwrite >/dev/null
	"$peers/peergraph" convert "$work/graph.mtx" "$work/graph.bcsr"
	"$peers/peergraph" convert "$work/graph.mtx" "$work/graph.bwcsr"
	source=$("$peers/peergraph" vertex "$work" 1)
}

# measure NAME COMMAND: one run, a line "seconds-of-computing seconds-in-all" to the file NAME; or why there is none.
measure() {
	local name=$1 log=$results/peers-$1.txt began ended seconds=
	shift
	began=$EPOCHREALTIME
	if timeout 900 "$@" >"$work/out" 2>"$log"; then
		ended=$EPOCHREALTIME
		seconds=$("$peers/peergraph" seconds "$work/out" 2>>"$log") &&
			awk -v s="$seconds" -v a="$began" -v b="$ended" 'BEGIN { print s, b - a }' >>"$work/$name"
	fi
	[ -n "$seconds" ] || echo "peers, $name: $(tail -n 1 "$log")" >>"$results/failures.txt"
	cat "$work/out" >>"$log"
}

# of NAME COLUMN: the median of a column of what was measured, or a dash.
of() {
	[ -s "$work/$1" ] || { printf –; return; }
	awk -v c="$2" '{ print $c }' "$work/$1" | sort -g | awk '{ v[NR] = $1 } END { printf "%.4g", v[int((NR + 1) / 2)] }'
}

# least NAME NAME COLUMN: the smaller of two medians.
least() { printf '%s\n%s\n' "$(of "$1" "$3")" "$(of "$2" "$3")" | grep -v – | sort -g | head -n 1 | grep . || printf –; }

ratio() { awk -v a="$1" -v b="$2" 'BEGIN { if (a + 0 > 0 && b + 0 > 0) printf "%.2f", a / b; else printf "–" }'; }

# ours NAME ALGORITHM ...
ours() {
	local name=$1
	shift
	measure "$name" "$PENSTOCK" run --json --graph "$graph" --device cuda "$@"
}

arguments() { # KERNEL: ours. Subway passes on a rank above 0.01 where all sum up to n: tolerance · (1 - 0.85) = 0.01.
	case $1 in
	bfs) echo "bfs --param source=1" ;;
	sssp) echo "sssp --param source=1 --param weight=weight" ;;
	pagerank-delta) echo "pagerank-delta --param tolerance=0.0666667" ;;
	*) echo "$1" ;;
	esac
}

# resident: BFS with all of the graph on the card. Gunrock tells the time of the last of three.
resident() {
	local i edges
	printf '\n### BFS, all of the graph on the card\n\n'
	for ((i = 0; i < runs && SECONDS < left; i++)); do
		ours resident-ours bfs --param source=1
		measure resident-gunrock "$peers/gunrock/bfs" --market "$work/graph.mtx" --src "$source" --num_runs 3 --validate
	done
	edges=$(awk '!/^%/ { print $3; exit }' "$work/graph.mtx")
	printf '| | seconds of computing | GTEPS (undirected edges) | Gunrock ÷ ours |\n| --- | --- | --- | --- |\n'
	printf '| ours | %s | %s | %s |\n' "$(of resident-ours 1)" "$(ratio "${edges}e-9" "$(of resident-ours 1)")" "$(ratio "$(of resident-gunrock 1)" "$(of resident-ours 1)")"
	printf '| Gunrock | %s | %s | |\n' "$(of resident-gunrock 1)" "$(ratio "${edges}e-9" "$(of resident-gunrock 1)")"
	printf '\nGunrock'"'"'s own check finds %s of its distances wrong.\n' "$(sed -n 's/^Number of errors : //p' "$results/peers-resident-gunrock.txt" | grep . || echo –)"
}

# streamed: state and a quarter of the edges on the card.
streamed() {
	local kernel
	printf '\n### A quarter of the edges on the card\n\n'
	printf '| | ours, auto | ours, subway | Subway, sync | Subway, async | Subway ÷ auto | Subway ÷ subway | auto in all | Subway in all | results |\n'
	printf '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n'
	for kernel in bfs sssp wcc pagerank-delta; do quarters "$kernel"; done
	printf '\nSeconds of all iterations, with what is sent in them. Subway ÷ ours takes the faster of its two programs, and in all is the whole process, which reads the graph first.\n'
}

# quarters KERNEL: a row of that table.
quarters() {
	local kernel=$1 i way theirs budget
	budget=$(quarter "$kernel")
	for ((i = 0; i < runs && SECONDS < left; i++)); do
		for way in auto subway; do
			# shellcheck disable=SC2046 # several words
			ours "$kernel-$way" --schedule $way --device-memory "${budget}B" $(arguments "$kernel")
		done
		for way in sync async; do
			subway "$kernel" $way
			measure "$kernel-$way" "${command[@]}"
		done
	done
	theirs=$(least "$kernel-sync" "$kernel-async" 1)
	printf '| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n' "$kernel" \
		"$(of "$kernel-auto" 1)" "$(of "$kernel-subway" 1)" "$(of "$kernel-sync" 1)" "$(of "$kernel-async" 1)" \
		"$(ratio "$theirs" "$(of "$kernel-auto" 1)")" "$(ratio "$theirs" "$(of "$kernel-subway" 1)")" \
		"$(of "$kernel-auto" 2)" "$(least "$kernel-sync" "$kernel-async" 2)" "$(agreement "$kernel")"
}

# quarter KERNEL: bytes of our state and a quarter of the chunks.
quarter() {
	# shellcheck disable=SC2046 # several words
	"$PENSTOCK" estimate --json --graph "$graph" --device cuda $(arguments "$1") 2>>"$results/failures.txt" |
		awk -F '[:,]' '/"state"/ && !state { state = $2 } /"resident":/ && !resident { resident = $2 } END { printf "%.0f", state + (resident - state) / 4 }'
}

# subway KERNEL WAY: sets command. Subway's programs take 0.9 of what 32 bytes a vertex leave of the card for the edges,
# of 4 bytes, or 8 with a weight; so they are shown a card on which a quarter has room.
subway() {
	local program=$1 file=graph.bcsr entry=4 begin=()
	case $1 in
	bfs) begin=(--source "$source") ;;
	sssp) begin=(--source "$source") file=graph.bwcsr entry=8 ;;
	wcc) program=cc ;;
	pagerank-delta) program=pr ;;
	esac
	command=(env "LD_PRELOAD=$peers/cardsize.so" "CARD_BYTES=$(od -An -tu4 -N8 "$work/$file" | awk -v entry=$entry '{ printf "%.0f", 32 * $1 + $2 * entry / 4 / 0.9 }')"
		"$peers/subway/$program-$2" --input "$work/$file" "${begin[@]}")
}

# agreement KERNEL: what is the same in their results and ours, and whether they asked for the card's size.
agreement() {
	local kernel=$1 way
	# shellcheck disable=SC2046 # several words
	"$PENSTOCK" run --graph "$graph" --device cuda --out "$work/ours.csv" $(arguments "$kernel") >/dev/null 2>>"$results/failures.txt" || { printf –; return; }
	for way in sync async; do
		subway "$kernel" $way
		printf '%s: ' $way
		if "${command[@]}" --output "$work/theirs.txt" >/dev/null 2>"$work/err"; then
			"$peers/peergraph" compare "$kernel" "$work" "$work/ours.csv" "$work/theirs.txt" 2>>"$results/failures.txt" || echo –
			grep -q ^cardsize: "$work/err" || echo '(with all of the card!)'
		else
			echo –
		fi
	done | tr '\n' ' '
}

main "$@"
