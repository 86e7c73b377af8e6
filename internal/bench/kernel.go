package bench

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/penstock-db/penstock/algorithms"
)

// iterations of PageRank, everywhere.
const iterations = 8

// kernel is one algorithm, here and at the peers, with a figure by which results are compared.
type kernel struct {
	name      string // empty: the algorithm's
	algorithm string
	params    map[string]string
	weighted  bool
	gapbs     *gapbsKernel
	kuzu      string                          // what module bench/kuzu calls it; empty: Kuzu has none
	grid      []string                        // GridGraph's program, and its arguments after the graph
	figure    func(algorithms.Values) float64 // nil: nothing to compare
	tolerance float64                         // relative; GAPBS has scores in single precision
	check     map[string]string               // parameters of the run that is compared; nil: params
	// distance is how far, all vertices together, two right results may be apart; 0: not at
	// all. Of ranks that one more iteration moves by t at most, each is within t/(1-damping) of
	// where iterations lead.
	distance float64
	// plain: computed by messages from the rows of who is active, iteration by iteration, and
	// by nothing else that the device has for such programs.
	plain bool
}

// gapbsKernel is a program of GAPBS.
type gapbsKernel struct {
	program string
	flags   []string // beside the graph and the number of trials
	pattern string   // finds the figure in what -a makes it print: its group, or the second over the first
	check   []string // flags of the run that is compared; nil: flags
}

var turns = strconv.Itoa(iterations)

// ranks is GAPBS's PageRank that iterates as ours does, in single precision throughout.
var ranks = &gapbsKernel{program: "pr_spmv", flags: []string{"-i", turns, "-t", "0"}, pattern: `(?m)^\d+:([0-9.e-]+)$`}

// kernels in the order of the table. Paths begin at vertex 0. Of betweenness each
// side draws its four sources itself, so that results are compared from one; there GAPBS counts
// the source as well, which is then the largest, and divides by it: the ratio of the two next
// is compared.
var kernels = []kernel{
	{algorithm: "bfs", params: map[string]string{"source": "0"}, figure: reached, grid: []string{"bfs", "0"},
		gapbs: &gapbsKernel{program: "bfs", flags: []string{"-r", "0"}, pattern: `BFS Tree has (\d+) nodes`}},
	{algorithm: "pagerank", params: map[string]string{"iterations": turns}, figure: largest, tolerance: 1e-3,
		kuzu: "page_rank", grid: []string{"pagerank", turns},
		gapbs: ranks},
	{name: singly, algorithm: "pagerank", figure: largest, tolerance: 1e-3,
		params: map[string]string{"iterations": turns, "precision": "single"}, grid: []string{"pagerank", turns}, gapbs: ranks},
	{algorithm: "wcc", figure: distinct, kuzu: "wcc", grid: []string{"wcc"},
		gapbs: &gapbsKernel{program: "cc", pattern: `There are (\d+) components`}},
	{algorithm: "sssp", params: map[string]string{"source": "0"}, weighted: true, figure: finite,
		gapbs: &gapbsKernel{program: "sssp", flags: []string{"-r", "0"}, pattern: `SSSP Tree reaches (\d+) nodes`}},
	{algorithm: "betweenness", params: map[string]string{"sources": "4"}, check: map[string]string{"source": "0"},
		figure: secondOverLargest, tolerance: 1e-3,
		gapbs: &gapbsKernel{program: "bc", flags: []string{"-i", "4"}, check: []string{"-i", "1", "-r", "0"},
			pattern: `(?m)^\d+:1\n\d+:([0-9.e-]+)\n\d+:([0-9.e-]+)$`}},
	{algorithm: "triangles", figure: thirdOfSum, gapbs: &gapbsKernel{program: "tc", pattern: `(\d+) triangles`}},
	{algorithm: "pagerank-delta", figure: largest, tolerance: 1e-3, distance: 2 * 1e-4 / (1 - 0.85)},
	{algorithm: "widest-path", params: map[string]string{"source": "0"}, weighted: true, figure: finite},
	{algorithm: "k-core", figure: largest, kuzu: "k_core"},
	{algorithm: "scc", figure: distinct, kuzu: "scc"},
	{algorithm: "lcc"},
	{algorithm: "cdlp", params: map[string]string{"iterations": "10"}},
}

// available are the kernels that this build has.
func available() []kernel {
	return slices.DeleteFunc(slices.Clone(kernels), func(k kernel) bool {
		_, err := algorithms.Lookup(k.algorithm)
		return err != nil
	})
}

// KernelNames are what Options.Kernels may hold.
func KernelNames() (names []string) {
	for _, k := range available() {
		names = append(names, k.algorithm)
	}
	return slices.Compact(names)
}

// title is what k is called in a report.
func (k kernel) title() string {
	if k.name != "" {
		return k.name
	}
	return k.algorithm
}

// graph is the name in the store of the graph that k reads.
func (k kernel) graph() string {
	if k.weighted {
		return weighted
	}
	return plain
}

func (k kernel) serialized() string {
	if k.weighted {
		return weightedSerialized
	}
	return serialized
}

// checked are the parameters of the run that is compared with others'.
func (k kernel) checked() map[string]string {
	if k.check != nil {
		return k.check
	}
	return k.params
}

// DisagreementError is a result that is not everybody's.
type DisagreementError struct {
	Kernel, Peer string
	Ours, Theirs float64
}

func (e *DisagreementError) Error() string {
	return fmt.Sprintf("%s: results disagree: %v here, %v by %s", e.Kernel, e.Ours, e.Theirs, e.Peer)
}

func (k kernel) agree(peer string, ours, theirs float64) error {
	if math.Abs(ours-theirs) > k.tolerance*math.Abs(ours) {
		return &DisagreementError{k.title(), peer, ours, theirs}
	}
	return nil
}
