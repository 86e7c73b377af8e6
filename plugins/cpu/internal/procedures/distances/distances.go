// Package distances searches breadth-first from all vertices, 64 at a time, and sums up how far it is to each:
// closeness and harmonic centrality. It takes 44 bytes a vertex.
package distances

import (
	"context"
	"math"
	"math/bits"
	"sync/atomic"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// distances has a bit of a word for each of 64 searches, so that an edge is looked at once for all that are at its end.
// (Then et al., "The more the merrier: efficient multi-source graph traversal", 2014.) Vertices pull, so that each is
// one worker's, and sums are taken in the order of sources.
type distances struct {
	procedures.Input
	name   string
	value  func(reached, distances, inverses float64) float64
	result []float64
	in     csr.Index
	seen   []uint64 // of each vertex, the searches that have come to it
	front  []uint64 // those that have come to it by the last step
	next   []uint64
	sums   []sum
}

// sum is what is known of a vertex.
type sum struct {
	distances uint64
	inverses  float64
	reached   uint32
}

const lanes = 64

func init() {
	procedures.Register("closeness", func(f procedures.Input) (procedures.Procedure, error) {
		return newDistances(f, "closeness", func(reached, distances, _ float64) float64 {
			return closeness(reached, distances, float64(f.N-1), f.Args.Strings["wasserman"] == "true")
		})
	})
	procedures.Register("harmonic", func(f procedures.Input) (procedures.Procedure, error) {
		return newDistances(f, "harmonic", func(_, _, inverses float64) float64 {
			return inverses / float64(max(f.N-1, 1))
		})
	})
}

func newDistances(f procedures.Input, name string, value func(_, _, _ float64) float64) (procedures.Procedure, error) {
	if f.N > math.MaxUint32 {
		return nil, plugins.Errorf(plugins.KindUnsupported, "%s of %d vertices: up to %d", name, f.N, uint32(math.MaxUint32))
	}
	err := f.Columns.Require(algorithms.Column{Name: name, Type: algorithms.Float})
	return &distances{Input: f, name: name, value: value, result: f.Columns[name].Floats}, err
}

// closeness is by Wasserman and Faust, or plain.
func closeness(reached, distances, others float64, wasserman bool) float64 {
	switch {
	case reached == 0:
		return 0
	case wasserman:
		return reached / distances * (reached / others)
	}
	return reached / distances
}

// Scratch: three words and the sums of each vertex.
func (d *distances) Scratch() uint64 { return uint64(d.N) * (3*8 + 24) }

func (d *distances) Call(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) (edges uint64, err error) {
	_, d.in = csr.Sides(d.Graph.Directed, chunks)
	d.seen, d.front, d.next = make([]uint64, d.N), make([]uint64, d.N), make([]uint64, d.N)
	d.sums = make([]sum, d.N)
	told := 0.0
	for source := 0; source < d.N; source += lanes {
		steps, err := d.search(ctx, source)
		if err != nil {
			return edges, err
		}
		edges += steps * csr.Entries(chunks)
		if at := float64(source) / float64(d.N); at-told >= 0.01 {
			told = at
			tell(at)
		}
	}
	for v, s := range d.sums {
		d.result[v] = d.value(float64(s.reached), float64(s.distances), s.inverses)
	}
	return edges, ctx.Err()
}

// search goes on from the sources that begin with first until no search finds more. It returns in how many steps.
func (d *distances) search(ctx context.Context, first int) (steps uint64, err error) {
	clear(d.seen)
	clear(d.front)
	for v := first; v < min(first+lanes, d.N); v++ {
		d.seen[v] = 1 << (v - first)
		d.front[v] = d.seen[v]
	}
	all := ^uint64(0) >> (lanes - min(lanes, d.N-first))
	for found := true; found && err == nil; {
		steps++
		var some atomic.Bool
		err = d.Groups(ctx, nil, procedures.Progress{From: 1, To: 1}, func(_, from, to int, _ []*csr.Chunk) {
			group := uint64(0)
			for v := from; v < to; v++ {
				if d.next[v] = 0; d.seen[v] != all {
					group |= d.pull(v, float64(steps))
				}
			}
			if group != 0 {
				some.Store(true)
			}
		})
		found = some.Load()
		d.front, d.next = d.next, d.front
	}
	return steps, err
}

// pull has v take the searches that are at its in-neighbors, and returns those that are new.
func (d *distances) pull(v int, depth float64) (found uint64) {
	for _, c := range d.in.Of(v) {
		front := d.front[c.Cols.Base:c.ColsEnd()]
		for _, u := range c.List(v) {
			found |= front[u]
		}
	}
	if found &^= d.seen[v]; found != 0 {
		d.next[v] = found
		d.seen[v] |= found
		count, s := bits.OnesCount64(found), &d.sums[v]
		s.reached += uint32(count)
		s.distances += uint64(count) * uint64(depth)
		s.inverses += float64(count) / depth
	}
	return found
}
