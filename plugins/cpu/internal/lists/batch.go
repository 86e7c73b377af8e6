// Package lists holds the lists of some vertices, which come chunk by chunk and in pieces, until they are complete.
//
//	Add, Seal ──▶ vertices ──Take(chunk)…──▶ Complete ──▶ List, Neighbors of each
//
// It is how a procedure works on a graph that does not fit: it asks for the lists of as many vertices as there is room
// for, and works on these.
package lists

import (
	"context"
	"math"
	"slices"
	"sort"
	"sync/atomic"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
)

// Degrees tell how long lists are.
type Degrees struct {
	Out, In  []int64
	Directed bool // else the lists out are all
}

// Entries is how long both lists of a vertex are.
func (d Degrees) Entries(v int) uint64 {
	if !d.Directed {
		return uint64(d.Out[v])
	}
	return uint64(d.Out[v]) + uint64(d.In[v])
}

const (
	wordBytes   = 4
	vertexWords = 4 // its number, where its lists begin, and how much of either has come
)

// Cost is the bytes that a vertex takes of a batch.
func (d Degrees) Cost(v int) uint64 { return wordBytes * (vertexWords + d.Entries(v)) }

// Costs are the least room for any vertex of a graph, and that for all together.
func (d Degrees) Costs() (most, all uint64) {
	for v := range d.Out {
		cost := d.Cost(v)
		most, all = max(most, cost), all+cost
	}
	return most + wordBytes, all + wordBytes
}

// Batch is some vertices and their lists. All of them lie in memory that is taken once:
//
//	vertices │ starts │ out │ in │ entries
type Batch struct {
	Vertices []uint32 // ascending, once it is sealed
	Refused  bool     // there was no room for a vertex

	degrees Degrees
	memory  []uint32
	used    uint64   // of memory
	starts  []uint32 // of each vertex, into entries: the list out, then the list in; one more than there are vertices
	out, in []uint32 // of each vertex, how much has come
	entries []uint32
}

// NewBatch makes a batch of so many bytes, of which it uses up to 16 GiB.
func NewBatch(degrees Degrees, room uint64) *Batch {
	b := &Batch{degrees: degrees, memory: make([]uint32, min(room/wordBytes, math.MaxUint32))}
	b.Clear()
	return b
}

// Clear forgets everything.
func (b *Batch) Clear() {
	b.Vertices, b.starts, b.out, b.in, b.entries = b.memory[:0], nil, nil, nil, nil
	b.Refused = false
	b.used = 1 // the end of the last list
}

// Add asks for the lists of a vertex, unless there is no room for them. A vertex is added once.
func (b *Batch) Add(v int) bool {
	words := vertexWords + b.degrees.Entries(v)
	if words > uint64(len(b.memory))-b.used {
		b.Refused = true
		return false
	}
	b.used += words
	b.Vertices = append(b.Vertices, uint32(v))
	return true
}

// Left is how many bytes there is room for still.
func (b *Batch) Left() uint64 { return wordBytes * (uint64(len(b.memory)) - b.used) }

// Seal ends the adding: lists may come.
func (b *Batch) Seal() {
	slices.Sort(b.Vertices)
	n, rest := len(b.Vertices), b.memory[len(b.Vertices):]
	b.starts, rest = rest[:n+1], rest[n+1:]
	b.out, b.in, b.entries = rest[:n], rest[n:2*n], rest[2*n:]
	clear(rest[:2*n])
	end := uint32(0)
	for i, v := range b.Vertices {
		b.starts[i] = end
		end += uint32(b.degrees.Entries(int(v)))
	}
	b.starts[n] = end
}

// Take copies what a chunk has of the lists, and returns how many entries that is.
func (b *Batch) Take(ctx context.Context, pool parallel.Pool, c *csr.Chunk) (taken uint64, err error) {
	near := b.Vertices[b.first(c.Rows.Base):b.first(c.Rows.End())]
	from := b.first(c.Rows.Base)
	var count atomic.Uint64
	var surplus atomic.Bool
	err = pool.Blocks(ctx, len(near), func(_, _, begin, end int) {
		sum := uint64(0)
		for i := from + begin; i < from+end; i++ {
			list := c.List(int(b.Vertices[i]))
			if !b.append(i, uint32(c.Cols.Base), list, c.Out()) {
				surplus.Store(true)
				return
			}
			sum += uint64(len(list))
		}
		count.Add(sum)
	})
	if surplus.Load() {
		return 0, plugins.Errorf(plugins.KindChunk, "it has more of a vertex' list than the vertex has edges")
	}
	return count.Load(), err
}

// first is how many of the vertices come before v.
func (b *Batch) first(v uint64) int {
	return sort.Search(len(b.Vertices), func(i int) bool { return uint64(b.Vertices[i]) >= v })
}

// append adds a piece to the list of the i-th vertex, if it has room for it.
func (b *Batch) append(i int, base uint32, piece []uint32, out bool) bool {
	come, end := &b.in[i], b.starts[i+1]
	at := b.middle(i) + *come
	if out {
		come, end = &b.out[i], b.middle(i)
		at = b.starts[i] + *come
	}
	if len(piece) > int(end-at) {
		return false
	}
	to := b.entries[at:][:len(piece)]
	for k, local := range piece {
		to[k] = base + local
	}
	*come += uint32(len(piece))
	return true
}

// middle is where the list out of the i-th vertex ends.
func (b *Batch) middle(i int) uint32 { return b.starts[i] + uint32(b.degrees.Out[b.Vertices[i]]) }

// Complete fails with KindInvalid if not all lists have come.
func (b *Batch) Complete() error {
	for i, v := range b.Vertices {
		if come, all := b.out[i]+b.in[i], b.starts[i+1]-b.starts[i]; come != all {
			return plugins.Errorf(plugins.KindInvalid, "of the lists of vertex %d %d entries have come, of %d: a Step is missing",
				v, come, all)
		}
	}
	return nil
}

// Find is the place of a vertex.
func (b *Batch) Find(v uint32) (i int, ok bool) { return slices.BinarySearch(b.Vertices, v) }

// List is both lists of the i-th vertex, which may be changed.
func (b *Batch) List(i int) []uint32 { return b.entries[b.starts[i]:b.starts[i+1]] }

// Out and In are the lists along the edges of the i-th vertex and against them; of an undirected graph Out is all.
func (b *Batch) Out(i int) []uint32 { return b.entries[b.starts[i]:b.middle(i)] }

// In is the list against the edges.
func (b *Batch) In(i int) []uint32 { return b.entries[b.middle(i):b.starts[i+1]] }

// Rewrite replaces both lists of each vertex by one that is made of them in place: it begins where List does. After it
// that is what Rewritten has; List, Out and In are of no use.
func (b *Batch) Rewrite(ctx context.Context, pool parallel.Pool, rewrite func(i int) []uint32) error {
	const few = 64 // vertices of a task
	return pool.Run(ctx, (len(b.Vertices)+few-1)/few, func(_, task int) {
		for i := task * few; i < min((task+1)*few, len(b.Vertices)); i++ {
			b.out[i] = uint32(len(rewrite(i)))
		}
	})
}

// Rewritten is what the list of the i-th vertex was replaced by.
func (b *Batch) Rewritten(i int) []uint32 { return b.entries[b.starts[i]:][:b.out[i]] }

// Neighbors are the vertices that edges join the i-th one with, but itself, ascending and each once; for Rewrite.
func (b *Batch) Neighbors(i int) []uint32 {
	list, own := b.List(i), b.Vertices[i]
	if !slices.IsSorted(list) {
		slices.Sort(list)
	}
	kept := list[:0]
	for _, u := range list {
		if u != own && (len(kept) == 0 || kept[len(kept)-1] != u) {
			kept = append(kept, u)
		}
	}
	return kept
}
