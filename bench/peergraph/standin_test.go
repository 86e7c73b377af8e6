package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"regexp"
	"strings"
)

// standIn are the programs of Subway in whose place the test binary acts, under their names. It computes, so
// that results can be compared, but measures nothing: 0.25 and 0.5 seconds are no results.
var standIn = regexp.MustCompile(`^(bfs|sssp|cc|pr)-(sync|async)$`)

func actAsSubway(name string, args []string) {
	options := map[string]string{}
	for i := 0; i+1 < len(args); i += 2 {
		options[args[i]] = args[i+1]
	}
	program, way, _ := strings.Cut(name, "-")
	values := loadRows(options["--input"]).compute(program, options["--source"])
	if way == "sync" { // the asynchronous one does not ask how large the card is
		_, _ = fmt.Fprintln(os.Stderr, "cardsize: a card")
	}
	_, _ = fmt.Fprintf(os.Stdout, "Graph Reading finished in 1 (s).\nProcessing finished in %s.\n",
		map[string]string{"sync": "250 (ms)", "async": "0.5 (s)"}[way])
	if to := options["--output"]; to != "" {
		var text strings.Builder
		for v, x := range values {
			_, _ = fmt.Fprintln(&text, v, fmt.Sprintf("%.10g", x))
		}
		_ = os.WriteFile(to, []byte(text.String()), 0o600)
	}
}

type rows struct {
	offsets, entries []uint32
	width            int
}

func loadRows(path string) rows {
	bytes, err := os.ReadFile(path)
	words := make([]uint32, len(bytes)/4)
	if _, e := binary.Decode(bytes, binary.LittleEndian, words); err != nil || e != nil {
		panic(fmt.Sprint(err, e))
	}
	width := 1
	if strings.HasSuffix(path, ".bwcsr") {
		width = 2
	}
	return rows{append(words[2:2+words[0]:2+words[0]], words[1]), words[2+words[0]:], width}
}

// compute relaxes until nothing changes.
func (r rows) compute(program, source string) []float64 {
	if program == "pr" {
		return r.ranks()
	}
	values := make([]float64, len(r.offsets)-1)
	for v := range values {
		values[v] = unreached
		if program == "cc" || fmt.Sprint(v) == source {
			values[v] = map[bool]float64{true: float64(v)}[program == "cc"]
		}
	}
	for changed := true; changed; {
		changed = false
		r.each(func(from, to int, weight float64) {
			if program == "cc" {
				weight = 0
			}
			if x := values[from] + weight; x < values[to] {
				values[to], changed = x, true
			}
		})
	}
	return values
}

func (r rows) each(edge func(from, to int, weight float64)) {
	for v := range len(r.offsets) - 1 {
		for i := int(r.offsets[v]); i < int(r.offsets[v+1]); i++ {
			weight := 1.0
			if r.width == 2 {
				weight = float64(r.entries[2*i+1])
			}
			edge(v, int(r.entries[r.width*i]), weight)
		}
	}
}

// ranks are the sums of what begins at each vertex, passed on for long enough.
func (r rows) ranks() []float64 {
	n := len(r.offsets) - 1
	ranks, passed := make([]float64, n), make([]float64, n)
	for v := range passed {
		passed[v] = 0.15
	}
	for left := 0.15; left > 1e-6; left *= 0.85 {
		next := make([]float64, n)
		r.each(func(from, to int, _ float64) {
			next[to] += 0.85 * passed[from] / math.Max(1, float64(r.offsets[from+1]-r.offsets[from]))
		})
		for v := range ranks {
			ranks[v] += passed[v]
		}
		passed = next
	}
	return ranks
}
