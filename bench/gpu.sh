#!/usr/bin/env bash
# Proves and measures the CUDA plugin on a machine that has a GPU and NVIDIA's driver, and nothing else.
#
#   bench/gpu.sh build [penstock-gpu.tar.gz]    # in the sources, on a machine with Go and gcc
#   penstock-gpu/gpu.sh run [FOLDER]            # unpacked, on the machine with the GPU
#
# The second runs all tests of the plugin's module on the card, then the tables below, then the tests once more under
# compute-sanitizer, if the machine has that. What it writes to FOLDER (gpu-CARD-DATE) is to be committed below
# docs/gpu/. It takes an hour or so with scale 22, and about 3 GB of disk in $TMPDIR.
#
#   GPU_SCALE=22   log2 of the vertices of the largest graph; 16 edges a vertex
#   GPU_RUNS=5     of each measurement, in turns; times are medians
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
scale=${GPU_SCALE:-22} runs=${GPU_RUNS:-5}

main() {
	local command=${1:-help}
	[ $# = 0 ] || shift
	case $command in
	build | run) "$command" "$@" ;;
	*) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" ;;
	esac
}

build() {
	local out=${1:-penstock-gpu.tar.gz} bundle
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	bundle=$work/penstock-gpu
	mkdir -p "$bundle/tests"
	cp "$0" "$bundle/gpu.sh"
	(
		cd "$here/.."
		git describe --always --dirty >"$bundle/commit" 2>/dev/null || echo unknown >"$bundle/commit"
		CGO_ENABLED=0 go build -ldflags "-s -w" -o "$bundle/penstock" ./cmd/penstock
		plugins/cuda/build.sh "$bundle/cuda" >&2
		cd plugins/cuda
		eval "$(./setup.sh)"
		# shellcheck disable=SC2046 # several packages
		go test -c -ldflags "-s -w" -o "$bundle/tests/" $(go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' ./... | grep -v /softcuda)
	)
	tar -C "$work" -czf "$out" penstock-gpu
	echo "$out: carry it to the machine with the GPU, unpack it there, and call penstock-gpu/gpu.sh run"
}

run() {
	export PENSTOCK_PLUGIN_DIR
	work=$(mktemp -d) card=unknown
	trap 'rm -rf "$work"' EXIT
	PENSTOCK_PLUGIN_DIR=$work/plugins
	"$here/penstock" plugin install "$here/cuda" >/dev/null
	"$here/penstock" plugin doctor cuda --json >"$work/doctor" || {
		"$here/penstock" plugin doctor cuda >&2 || true
		exit 1
	}
	card=$(field hardware "$work/doctor")
	results=${1:-gpu-$(tr -cs 'A-Za-z0-9' - <<<"${card%%,*}")$(date -u +%Y-%m-%d)}
	mkdir -p "$results"
	results=$(cd "$results" && pwd)
	about >"$results/README.md"
	conformance
	{
		rates
		whole
		streamed
		cold
	} | tee -a "$results/README.md"
	sanitize
	echo "all of it is in $results"
}

# field NAME FILE: the first value of that name in JSON.
field() { sed -nE "s/^ *\"$1\": *\"(.*)\",?$/\1/p; s/^ *\"$1\": *([0-9.e+-]+),?$/\1/p" "$2" | head -n 1; }

median() { sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

about() {
	printf '# %s\n\n' "$card"
	printf -- '- Penstock %s, `bench/gpu.sh run` with scale %d and %d runs, on %s\n' "$(cat "$here/commit")" "$scale" "$runs" "$(date -u +%Y-%m-%d)"
	printf -- '- %s, %d processors, %s\n' "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" "$(nproc)" "$(uname -sr)"
	! command -v nvidia-smi >/dev/null || nvidia-smi --query-gpu=name,driver_version,pcie.link.gen.max,pcie.link.width.max,clocks.max.mem --format=csv,noheader | sed 's/^/- nvidia-smi: /'
}

# conformance runs every test of the module on the card.
conformance() {
	local test passed failed verdict
	printf '\n## Tests on the card\n\n| package | passed | failed | skipped | |\n| --- | --- | --- | --- | --- |\n' | tee -a "$results/README.md"
	for test in "$here"/tests/*.test; do
		log=$results/$(basename "$test" .test).txt verdict=passed
		(cd "$work" && PENSTOCK_CUDA_HARDWARE=1 timeout 3600 "$test" -test.v -test.timeout 55m) >"$log" 2>&1 || verdict=failed
		printf '| %s | %d | %d | %d | %s |\n' "$(basename "$test" .test)" "$(grep -c '^ *--- PASS' "$log")" "$(grep -c '^ *--- FAIL' "$log")" \
			"$(grep -c '^ *--- SKIP' "$log")" "$verdict" | tee -a "$results/README.md"
	done
}

# rates are what the card's link and memory can do, as bytes a second.
rates() {
	PENSTOCK_CUDA_HARDWARE=1 "$here/tests/driver.test" -test.run '^$' -test.bench . >"$results/rates.txt" 2>&1 || true
	link=$(awk '/^BenchmarkStream_CopyIn\/Pinned/ { print $(NF - 1) * 1e6 }' "$results/rates.txt")
	copy=$(awk '/^BenchmarkStream_Copy-/ { print $(NF - 1) * 1e6 }' "$results/rates.txt")
	printf '\n## Rates\n\nFrom pinned memory to the card %s GB/s; on the card %s GB/s, read and written.\n' "$(giga "${link:=0}")" "$(giga "${copy:=0}")"
}

giga() { awk -v x="$1" 'BEGIN { printf "%.1f", x / 1e9 }'; }

# measure NAME ARGUMENTS: one run of penstock, a line "total compute transfer bytes iterations" to the file NAME.
measure() {
	local name=$1
	shift
	"$here/penstock" run --json "$@" >"$work/json" 2>"$work/stderr" || {
		echo "$name: $(tail -n 1 "$work/stderr")" >>"$results/failures.txt"
		return 0
	}
	awk -F '[:,]' '
		/"seconds": \{/ && !in_seconds { in_seconds = 1 } /"bytes": \{/ && !in_bytes { in_bytes = 1 }
		in_seconds == 1 && /"total"/ { total = $2 } in_seconds == 1 && /"compute"/ { compute = $2 }
		in_seconds == 1 && /"transfer"/ { transfer = $2 } in_seconds == 1 && /\}/ { in_seconds = 2 }
		in_bytes == 1 && /"transfer"/ { bytes = $2 } in_bytes == 1 && /\}/ { in_bytes = 2 }
		/^  "iterations"/ { iterations = $2 }
		END { print total + 0, compute + 0, transfer + 0, bytes + 0, iterations + 0 }' "$work/json" >>"$work/$name"
}

# of NAME COLUMN: the median of a column, or a dash if it never ran.
of() { if [ -s "$work/$1" ]; then awk -v c="$2" '{ print $c }' "$work/$1" | median | awk '{ printf "%.4g", $1 }'; else printf –; fi; }

graph() { # SCALE: makes the graph, unless it is there
	[ -e "$work/made-$1" ] || "$here/penstock" generate --db "$work/db" "rmat-$1" --scale "$1" --weights >/dev/null 2>&1
	touch "$work/made-$1"
	export PENSTOCK_DB=$work/db
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
	for ((i = 0; i < runs; i++)); do
		for kernel in $kernels; do
			for device in cpu cuda; do
				# shellcheck disable=SC2046 # several words
				measure "whole-$kernel-$device" --graph "rmat-$scale" --device $device $(arguments "$kernel")
			done
		done
	done
	printf '\n## RMAT %d, all of it on the card (seconds)\n\n| | cpu, computing | cuda, computing | cpu ÷ cuda | cpu, in all | cuda, in all | cpu ÷ cuda |\n| --- | --- | --- | --- | --- | --- | --- |\n' "$scale"
	for kernel in $kernels; do
		awk -v k="$kernel" -v a="$(of "whole-$kernel-cpu" 2)" -v b="$(of "whole-$kernel-cuda" 2)" -v c="$(of "whole-$kernel-cpu" 1)" -v d="$(of "whole-$kernel-cuda" 1)" \
			'BEGIN { printf "| %s | %s | %s | %s | %s | %s | %s |\n", k, a, b, (b + 0 > 0 ? sprintf("%.1f", a / b) : "–"), c, d, (d + 0 > 0 ? sprintf("%.1f", c / d) : "–") }'
	done
	floor
}

# floor: what PageRank's bytes take at the rate at which the card copies. An iteration reads a number of 4 bytes an entry of
# a list, and of a vertex the offset (4), its message (8) and the degree (8), and reads and writes its rank (16) and message (8).
floor() {
	"$here/penstock" info --json "rmat-$scale" >"$work/info"
	awk -v e="$(awk '/^      "edges":/ { sum += $2 } END { print sum }' "$work/info")" -v m="$(field edges "$work/info")" -v n="$((1 << scale))" -v rate="$copy" -v t="$(of whole-pagerank-cuda 2)" -v k="$(of whole-pagerank-cuda 5)" -v b="$(of whole-bfs-cuda 2)" 'BEGIN {
		bytes = k * (4 * e + 44 * n)
		if (rate + 0 > 0 && t + 0 > 0) printf "\nPageRank: %d iterations move at least %.2f GB, which takes %.4f s at the rate of copies: it runs at %.2f of that.\n", k, bytes / 1e9, bytes / rate, bytes / rate / t
		if (b + 0 > 0) printf "BFS: %.2f GTEPS (undirected edges of the graph a second of computing).\n", m / b / 1e9 }'
}

schedules="whole subway scaph neugraph auto"

# streamed: the card may hold its state and a quarter of the chunks.
streamed() {
	local kernel way i state resident budget
	printf '\n## RMAT %d, a quarter of the chunks on the card (seconds; GB that were sent; share of the link while sending)\n\n| |' "$scale"
	for way in $schedules; do printf ' %s |' "$way"; done
	printf ' managed memory |\n| --- |%s\n' "$(printf ' --- |%.0s' $schedules managed)"
	for kernel in bfs sssp wcc pagerank-delta; do
		# shellcheck disable=SC2046 # several words
		"$here/penstock" estimate --json --graph "rmat-$scale" --device cuda $(arguments $kernel) >"$work/needs" 2>>"$results/failures.txt" || continue
		state=$(field state "$work/needs") resident=$(field resident "$work/needs")
		budget=$((state + (resident - state) / 4))
		for ((i = 0; i < runs; i++)); do
			for way in $schedules; do
				# shellcheck disable=SC2046
				measure "streamed-$kernel-$way" --graph "rmat-$scale" --device cuda --schedule "$way" --device-memory "${budget}B" $(arguments $kernel)
			done
			# shellcheck disable=SC2046
			PENSTOCK_CUDA_MEMORY=managed measure "streamed-$kernel-managed" --graph "rmat-$scale" --device cuda $(arguments $kernel)
		done
		printf '| %s |' "$kernel"
		for way in $schedules managed; do
			awk -v t="$(of "streamed-$kernel-$way" 1)" -v s="$(of "streamed-$kernel-$way" 3)" -v b="$(of "streamed-$kernel-$way" 4)" -v link="$link" \
				'BEGIN { if (t + 0 > 0) printf " %s; %.2f; %s |", t, b / 1e9, (s + 0 > 0 && link + 0 > 0 ? sprintf("%.2f", b / s / link) : "–"); else printf " – |" }'
		done
		echo
	done
}

# cold: from a command to its result, the start of the device included, by size.
cold() {
	local size device i
	printf '\n## From the command to its result (BFS, PageRank of 20 iterations; seconds in all)\n\n| | cpu, BFS | cuda, BFS | cpu, PageRank | cuda, PageRank |\n| --- | --- | --- | --- | --- |\n'
	for ((size = 14; size <= scale; size += 2)); do
		graph "$size"
		for ((i = 0; i < runs; i++)); do
			for device in cpu cuda; do
				measure "cold-$size-bfs-$device" --graph "rmat-$size" --device $device bfs --param source=1
				measure "cold-$size-pagerank-$device" --graph "rmat-$size" --device $device pagerank --param iterations=20
			done
		done
		printf '| RMAT %d | %s | %s | %s | %s |\n' "$size" "$(of "cold-$size-bfs-cpu" 1)" "$(of "cold-$size-bfs-cuda" 1)" "$(of "cold-$size-pagerank-cpu" 1)" "$(of "cold-$size-pagerank-cuda" 1)"
	done
}

# sanitize looks for kernels that reach where they must not, or race.
sanitize() {
	local sanitizer tool test log verdict
	sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null || true)
	printf '\n## compute-sanitizer\n\n' | tee -a "$results/README.md"
	[ -n "$sanitizer" ] || { echo "There is none on this machine." | tee -a "$results/README.md"; return; }
	for tool in memcheck racecheck synccheck; do
		for test in kernels cuda procedure solve; do
			[ -e "$here/tests/$test.test" ] || continue
			log=$results/$tool-$test.txt verdict=clean
			(cd "$work" && PENSTOCK_CUDA_HARDWARE=1 timeout 1800 "$sanitizer" --tool "$tool" --error-exitcode 9 "$here/tests/$test.test" -test.short -test.timeout 28m) >"$log" 2>&1 || verdict="exit status $?"
			printf -- '- %s, %s: %s; %s\n' "$tool" "$test" "$verdict" "$(grep -h 'ERROR SUMMARY\|RACECHECK SUMMARY' "$log" | tail -n 1)" | tee -a "$results/README.md"
		done
	done
}

main "$@"
