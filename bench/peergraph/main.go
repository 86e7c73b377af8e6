// Command peergraph brings a graph of ours to Subway, which computes on graphs larger than a GPU's
// memory (Sabet, Zhao and Gupta, EuroSys'20), reads what it and Gunrock tell of their time, and
// compares results: for bench/gpu-peers.sh.
//
//	penstock export GRAPH DIR --format mtx
//	peergraph convert DIR/graph.mtx GRAPH.bcsr     # without weights; GRAPH.bwcsr has them
//	peergraph vertex DIR ID                        # the number that vertex ID has there
//	peergraph compare WHAT DIR OURS.csv THEIRS     # bfs, sssp, wcc or pagerank-delta
package main

import (
	"errors"
	"fmt"
	"os"
)

const usage = "usage: peergraph convert GRAPH.mtx GRAPH.bcsr|GRAPH.bwcsr | vertex DIR ID | compare bfs|sssp|wcc|pagerank-delta DIR OURS.csv THEIRS | seconds OUTPUT"

func main() {
	answer, err := do(os.Args[1:])
	if err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "peergraph:", err)
		os.Exit(1)
	}
	if answer != "" {
		_, _ = fmt.Fprintln(os.Stdout, answer)
	}
}

// do returns the line to print, if there is one.
func do(args []string) (string, error) {
	switch {
	case len(args) == 3 && args[0] == "convert":
		return "", convert(args[1], args[2])
	case len(args) == 3 && args[0] == "vertex":
		return vertex(args[1], args[2])
	case len(args) == 5 && args[0] == "compare":
		return compare(args[1], args[2], args[3], args[4])
	case len(args) == 2 && args[0] == "seconds":
		return seconds(args[1])
	}
	return "", errors.New(usage)
}
