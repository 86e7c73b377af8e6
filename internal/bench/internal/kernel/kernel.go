// Package kernel is the catalog of the kernels that are measured: parameters, the programs of the peers, and
// the figure by which results are compared.
package kernel

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/internal/bench/internal/graphs"
	"github.com/penstock-db/penstock/internal/bench/internal/measure"
)

// iterations of PageRank, everywhere.
const iterations = 8

// Kernel is one algorithm, here and at the peers, with a figure by which results are compared.
type Kernel struct {
	name      string // empty: the algorithm's
	Algorithm string
	Params    map[string]string
	Weighted  bool
	Gapbs     *gapbsKernel
	Kuzu      string                          // what module bench/kuzu calls it; empty: Kuzu has none
	Grid      []string                        // GridGraph's program, and its arguments after the graph
	Figure    func(algorithms.Values) float64 // nil: nothing to compare
	tolerance float64                         // relative; GAPBS has scores in single precision
	check     map[string]string               // parameters of the run that is compared; nil: params
	// distance is how far, all vertices together, two right results may be apart; 0: not at
	// all. Of ranks that one more iteration moves by t at most, each is within t/(1-damping) of
	// where iterations lead.
	Distance float64
	// plain: computed by messages from the rows of who is active, iteration by iteration, and
	// by nothing else that the device has for such programs.
	Plain bool
}

// gapbsKernel is a program of GAPBS.
type gapbsKernel struct {
	Program string
	Flags   []string // beside the graph and the number of trials
	Pattern string   // finds the figure in what -a makes it print: its group, or the second over the first
	Check   []string // flags of the run that is compared; nil: flags
}

var Turns = strconv.Itoa(iterations)

// ranks is GAPBS's PageRank that iterates as ours does, in single precision throughout.
var ranks = &gapbsKernel{Program: "pr_spmv", Flags: []string{"-i", Turns, "-t", "0"}, Pattern: `(?m)^\d+:([0-9.e-]+)$`}

// Kernels in the order of the table. Paths begin at vertex 0. Of betweenness each
// side draws its four sources itself, so that results are compared from one; there GAPBS counts
// the source as well, which is then the largest, and divides by it: the ratio of the two next
// is compared.
var Kernels = []Kernel{
	{Algorithm: "bfs", Params: map[string]string{"source": "0"}, Figure: reached, Grid: []string{"bfs", "0"},
		Gapbs: &gapbsKernel{Program: "bfs", Flags: []string{"-r", "0"}, Pattern: `BFS Tree has (\d+) nodes`}},
	{Algorithm: "pagerank", Params: map[string]string{"iterations": Turns}, Figure: largest, tolerance: 1e-3,
		Kuzu: "page_rank", Grid: []string{"pagerank", Turns},
		Gapbs: ranks},
	{name: measure.Singly, Algorithm: "pagerank", Figure: largest, tolerance: 1e-3,
		Params: map[string]string{"iterations": Turns, "precision": "single"}, Grid: []string{"pagerank", Turns},
		Gapbs: ranks},
	{Algorithm: "wcc", Figure: distinct, Kuzu: "wcc", Grid: []string{"wcc"},
		Gapbs: &gapbsKernel{Program: "cc", Pattern: `There are (\d+) components`}},
	{Algorithm: "sssp", Params: map[string]string{"source": "0"}, Weighted: true, Figure: finite,
		Gapbs: &gapbsKernel{Program: "sssp", Flags: []string{"-r", "0"}, Pattern: `SSSP Tree reaches (\d+) nodes`}},
	{Algorithm: "betweenness", Params: map[string]string{"sources": "4"}, check: map[string]string{"source": "0"},
		Figure: secondOverLargest, tolerance: 1e-3,
		Gapbs: &gapbsKernel{Program: "bc", Flags: []string{"-i", "4"}, Check: []string{"-i", "1", "-r", "0"},
			Pattern: `(?m)^\d+:1\n\d+:([0-9.e-]+)\n\d+:([0-9.e-]+)$`}},
	{Algorithm: "triangles", Figure: thirdOfSum, Gapbs: &gapbsKernel{Program: "tc", Pattern: `(\d+) triangles`}},
	{Algorithm: "pagerank-delta", Figure: largest, tolerance: 1e-3, Distance: 2 * 1e-4 / (1 - 0.85)},
	{Algorithm: "widest-path", Params: map[string]string{"source": "0"}, Weighted: true, Figure: finite},
	{Algorithm: "k-core", Figure: largest, Kuzu: "k_core"},
	{Algorithm: "scc", Figure: distinct, Kuzu: "scc"},
	{Algorithm: "lcc"},
	{Algorithm: "cdlp", Params: map[string]string{"iterations": "10"}},
}

// available are the kernels that this build has.
func available() []Kernel {
	return slices.DeleteFunc(slices.Clone(Kernels), func(k Kernel) bool {
		_, err := catalog.Lookup(k.Algorithm)
		return err != nil
	})
}

// KernelNames are what Options.Kernels may hold.
func KernelNames() (names []string) {
	for _, k := range available() {
		names = append(names, k.Algorithm)
	}
	return slices.Compact(names)
}

// Title is what k is called in a report.
func (k Kernel) Title() string {
	if k.name != "" {
		return k.name
	}
	return k.Algorithm
}

// Graph is the name in the store of the graph that k reads.
func (k Kernel) Graph() string {
	if k.Weighted {
		return graphs.Weighted
	}
	return graphs.Plain
}

func (k Kernel) Serialized() string {
	if k.Weighted {
		return graphs.WeightedSerialized
	}
	return graphs.Serialized
}

// Checked are the parameters of the run that is compared with others'.
func (k Kernel) Checked() map[string]string {
	if k.check != nil {
		return k.check
	}
	return k.Params
}

// DisagreementError is a result that is not everybody's.
type DisagreementError struct {
	Kernel, Peer string
	Ours, Theirs float64
}

func (e *DisagreementError) Error() string {
	return fmt.Sprintf("%s: results disagree: %v here, %v by %s", e.Kernel, e.Ours, e.Theirs, e.Peer)
}

func (k Kernel) Agree(peer string, ours, theirs float64) error {
	if math.Abs(ours-theirs) > k.tolerance*math.Abs(ours) {
		return &DisagreementError{k.Title(), peer, ours, theirs}
	}
	return nil
}
