// Package labelpropagation detects communities by label propagation (CDLP of LDBC Graphalytics).
// It takes 8 bytes a vertex, and 4 for each thread.
package labelpropagation

import (
	"context"
	"math"
	"sync/atomic"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// cdlp is community detection by label propagation, as algorithms defines it. A label
// is the number of the vertex whose id it is, so votes are counted in an array and
// neither sorted nor hashed: 4 bytes a vertex and thread, whatever the degrees.
type cdlp struct {
	procedures.Input
	ids, community []int64
	iterations     int64
}

func init() { procedures.Register("cdlp", newCDLP) }

func newCDLP(f procedures.Input) (procedures.Procedure, error) {
	if f.N > math.MaxUint32 {
		return nil, plugins.Errorf(plugins.KindUnsupported, "cdlp on %d vertices: up to %d", f.N, uint32(math.MaxUint32))
	}
	err := f.Columns.Require(algorithms.Column{Name: "id", Type: algorithms.Int},
		algorithms.Column{Name: "community", Type: algorithms.VertexID})
	return &cdlp{Input: f, ids: f.Columns["id"].Ints, community: f.Columns["community"].Ints,
		iterations: f.Args.Ints["iterations"]}, err
}

func (c *cdlp) Scratch() uint64 { return uint64(c.N) * 4 * uint64(2+c.Pool.Threads) }

// Call stops early when an iteration has changed nothing: no later one would.
func (c *cdlp) Call(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) (uint64, error) {
	label, next := make([]uint32, c.N), make([]uint32, c.N)
	for v := range label {
		label[v] = uint32(v)
	}
	ballots := make([]ballot, c.Pool.Threads)
	for i := range ballots {
		ballots[i] = ballot{ids: c.ids, votes: make([]uint32, c.N)}
	}
	var edges uint64
	for k, changed := int64(0), true; k < c.iterations && changed; k++ {
		part := procedures.Progress{From: float64(k) / float64(c.iterations), To: float64(k+1) / float64(c.iterations),
			Tell: tell}
		var err error
		if changed, err = c.iterate(ctx, chunks, part, ballots, label, next); err != nil {
			return edges, err
		}
		edges += csr.Entries(chunks)
		label, next = next, label
	}
	for v, l := range label {
		c.community[v] = c.ids[l]
	}
	return edges, nil
}

// iterate sets next from label and tells whether they differ.
func (c *cdlp) iterate(ctx context.Context, chunks []*csr.Chunk, part procedures.Progress, ballots []ballot, label,
	next []uint32) (bool, error) {
	var changed atomic.Bool
	err := c.Groups(ctx, chunks, part, func(worker, from, to int, near []*csr.Chunk) {
		for v := from; v < to; v++ {
			next[v] = ballots[worker].elect(near, v, label)
			if next[v] != label[v] {
				changed.Store(true)
			}
		}
	})
	return changed.Load(), err
}

// ballot counts votes for labels; it is all zeros between elections.
type ballot struct {
	ids   []int64
	votes []uint32
}

// elect is the label with most votes among v's neighbors, of several that with the
// smallest id; v's own when it has none.
func (b *ballot) elect(chunks []*csr.Chunk, v int, label []uint32) uint32 {
	for _, r := range chunks {
		b.cast(label[r.Cols.Base:r.ColsEnd()], r.List(v))
	}
	winner, most := label[v], uint32(0)
	for _, r := range chunks {
		winner, most = b.count(label[r.Cols.Base:r.ColsEnd()], r.List(v), winner, most)
	}
	return winner
}

// cast has the neighbors of a list vote for their labels.
func (b *ballot) cast(labels, list []uint32) {
	for _, u := range list {
		b.votes[labels[u]]++
	}
}

// count finds a winner among the labels that a list has voted for, and forgets these votes.
func (b *ballot) count(labels, list []uint32, winner, most uint32) (uint32, uint32) {
	for _, u := range list {
		l := labels[u]
		if n := b.votes[l]; n > most || n == most && n > 0 && b.ids[l] < b.ids[winner] {
			winner, most = l, n
		}
		b.votes[l] = 0
	}
	return winner, most
}
