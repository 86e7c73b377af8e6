// Package communities finds communities of high modularity, by Louvain and by Leiden, and measures communities that are
// given (quality.go).
//
//	chunks ──read──▶ network ──moving──▶ communities ──(refinement)──▶ parts ──merge──▶ smaller network …
//
// Results are the same for any number of threads. Where a network is large, vertices are taken in batches: workers
// decide, for all of a batch and by the same state, where each would go; of neighbors who would, the first in order
// does, and only if it still gains when those before it have gone. Weights are whole numbers (network.go), so that sums
// are exact.
//
// It takes up to 36 bytes an entry of the lists, of which an edge has two, and 150 bytes a vertex, and 12 for each
// thread.
package communities

import (
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// run is one search for communities.
type run struct {
	procedures.Input
	resolution float64
	seed       uint64
	batch      int      // vertices that are decided on together; 0: as many as suit the network
	ids        []int64  // of vertices
	base       *network // the graph
	next       [2]lists // of smaller networks, in turn
	node       []uint32 // of each vertex, in the present network; in the end its community
	tallies    []*tally // of each worker
	naming     *naming
	community  told // by the last of all levels
	levels     told // by each of them; without columns, if nobody asks for it
	ran        int  // levels
}

// newRun checks what is given. Memory is taken by begin.
func newRun(name string, f procedures.Input) (*run, error) {
	if f.N > math.MaxInt32 {
		return nil, plugins.Errorf(plugins.KindUnsupported, "communities of %d vertices: up to %d", f.N, math.MaxInt32)
	}
	a, err := catalog.Lookup(name)
	if err != nil {
		return nil, err
	}
	wanted := a.Columns(f.Args)
	for _, input := range []string{"id", "out_degree", "in_degree"} {
		wanted = append(wanted, algorithms.Column{Name: input, Type: algorithms.Int})
	}
	if f.Args.Strings["seedProperty"] != "" {
		wanted = append(wanted, algorithms.Column{Name: algorithms.InputColumn("seedProperty"), Type: algorithms.Int})
	}
	r := &run{Input: f, resolution: f.Args.Floats["resolution"], seed: uint64(f.Args.Ints["seed"]),
		ids: f.Columns["id"].Ints}
	r.community = told{f.Columns["community"].Ints, f.Columns["modularity"].Floats, 1}
	r.levels = told{f.Columns["communities"].Ints, f.Columns["modularities"].Floats, int(f.Args.Ints["intermediate"])}
	return r, f.Columns.Require(wanted...)
}

// vertexBytes is what begin, and what is made for each network, take of a vertex.
const vertexBytes = 3*listBytes + 8 + 4 + movingBytes + refinementBytes + mergingBytes

// Scratch: the lists of three networks, and what is known of vertices.
func (r *run) Scratch() uint64 {
	each := uint64(vertexBytes + tallyBytes*r.Pool.Threads)
	if r.seeds() != nil {
		each += namingBytes
	}
	return 3*entryBytes*r.entries() + uint64(r.N)*each
}

// seeds are those of vertices; nil: there are none.
func (r *run) seeds() []int64 { return r.Columns[algorithms.InputColumn("seedProperty")].Ints }

// begin takes memory.
func (r *run) begin() (err error) {
	if r.naming, err = newNaming(r.ids, r.seeds()); err != nil {
		return plugins.Errorf(plugins.KindInvalid, "communities: %v", err)
	}
	r.base = &network{lists: newLists(r.N, r.entries()), strength: make([]int64, r.N)}
	r.node = make([]uint32, r.N)
	r.tallies = make([]*tally, r.Pool.Threads)
	for i := range r.tallies {
		r.tallies[i] = newTally(r.N)
	}
	r.alone()
	return nil
}

// alone makes each vertex a node of its own.
func (r *run) alone() {
	for v := range r.node {
		r.node[v] = uint32(v)
	}
}

// spare are lists that no network uses which is at hand: neither the graph nor the one before.
func (r *run) spare() *lists {
	r.next[0], r.next[1] = r.next[1], r.next[0]
	if r.next[0].neighbors == nil {
		r.next[0] = newLists(r.N, r.entries())
	}
	return &r.next[0]
}

// mix scatters numbers: SplitMix64's finisher.
func mix(x, seed uint64) uint64 {
	x += (seed + 1) * 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// tally adds up weights by community.
type tally struct {
	weights []int64 // -1: it has not been met
	met     []uint32
}

const tallyBytes = 12

func newTally(n int) *tally {
	t := &tally{weights: make([]int64, n), met: make([]uint32, 0, n)}
	for c := range t.weights {
		t.weights[c] = -1
	}
	return t
}

func (t *tally) add(c uint32, w int64) {
	if t.weights[c] < 0 {
		t.weights[c] = 0
		t.met = append(t.met, c)
	}
	t.weights[c] += w
}

// of is what has been added up for c.
func (t *tally) of(c uint32) int64 { return max(t.weights[c], 0) }

func (t *tally) clear() {
	for _, c := range t.met {
		t.weights[c] = -1
	}
	t.met = t.met[:0]
}
