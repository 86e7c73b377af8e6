package similarity

import (
	"context"
	"slices"
	"sort"

	"github.com/penstock-db/penstock/algorithms/similarity"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/neighbors"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// lists are of each vertex its neighbors, ascending, without loops and repetitions. There may be gaps between lists.
type lists struct {
	starts, ends []uint64
	neighbors    []uint32
	weights      []float64 // of the heaviest edge to each neighbor; nil: edges have none
	sizes        []float64 // with weights: what the neighbors of each vertex count together
}

func (l *lists) of(v uint32) []uint32 { return l.neighbors[l.starts[v]:l.ends[v]] }

// weightsOf are those of the edges to neighbors of v.
func (l *lists) weightsOf(v uint32) []float64 { return l.weights[l.starts[v]:l.ends[v]] }

// size is what the neighbors of v, so many, count together.
func (l *lists) size(v uint32, degree int) float64 {
	if l.sizes != nil {
		return l.sizes[v]
	}
	return float64(degree)
}

// measure finds what neighbors count together.
func (l *lists) measure(weights similarity.Weights) {
	l.sizes = make([]float64, len(l.ends))
	for v := range l.sizes {
		units := int64(0)
		for _, w := range l.weightsOf(uint32(v)) {
			units += weights.Between(w, w)
		}
		l.sizes[v] = weights.Sum(units)
	}
}

// largest is the length of the longest list.
func (l *lists) largest() (most int) {
	for v := range l.ends {
		most = max(most, len(l.of(uint32(v))))
	}
	return most
}

func chosen(chunks []*csr.Chunk, which func(*csr.Chunk) bool) (some []*csr.Chunk) {
	for _, c := range chunks {
		if which(c) {
			some = append(some, c)
		}
	}
	return some
}

// readLists joins what chunks have of each vertex, with weights or without.
func readLists(ctx context.Context, f procedures.Input, chunks []*csr.Chunk, weighted bool, part procedures.Progress) (
	l lists, err error) {
	if l.starts, err = neighbors.Starts(f, chunks); err != nil {
		return l, err
	}
	l.ends, l.neighbors = make([]uint64, f.N), make([]uint32, l.starts[f.N])
	if weighted {
		l.weights = make([]float64, l.starts[f.N])
		return l, f.Groups(ctx, chunks, part, func(_, from, to int, near []*csr.Chunk) {
			for v := from; v < to; v++ {
				l.readWeighted(v, near)
			}
		})
	}
	return l, f.Groups(ctx, chunks, part, func(_, from, to int, near []*csr.Chunk) {
		for v := from; v < to; v++ {
			list := l.neighbors[l.starts[v]:l.starts[v]:l.starts[v+1]]
			for _, c := range near {
				for u := range c.Distinct(v) {
					list = append(list, u)
				}
			}
			slices.Sort(list)
			l.ends[v] = l.starts[v] + uint64(len(slices.Compact(list)))
		}
	})
}

// readWeighted joins what chunks have of v: each neighbor once, with the heaviest edge to it.
func (l *lists) readWeighted(v int, near []*csr.Chunk) {
	start, count := l.starts[v], 0
	all := weightedList{l.neighbors[start:l.starts[v+1]], l.weights[start:l.starts[v+1]]}
	for _, c := range near {
		from, to := c.EdgeRange(v)
		for edge := from; edge < to; edge++ {
			if u := uint32(c.Cols.Base) + c.Neighbors[edge]; u != uint32(v) {
				all.neighbors[count], all.weights[count] = u, c.Weights[0][edge]
				count++
			}
		}
	}
	sort.Sort(weightedList{all.neighbors[:count], all.weights[:count]})
	last := -1
	for i := range count {
		if last < 0 || all.neighbors[i] != all.neighbors[last] {
			last++
			all.neighbors[last], all.weights[last] = all.neighbors[i], all.weights[i]
			continue
		}
		all.weights[last] = max(all.weights[last], all.weights[i])
	}
	l.ends[v] = start + uint64(last+1)
}

// weightedList sorts neighbors with their weights, in place.
type weightedList struct {
	neighbors []uint32
	weights   []float64
}

func (w weightedList) Len() int           { return len(w.neighbors) }
func (w weightedList) Less(i, j int) bool { return w.neighbors[i] < w.neighbors[j] }
func (w weightedList) Swap(i, j int) {
	w.neighbors[i], w.neighbors[j] = w.neighbors[j], w.neighbors[i]
	w.weights[i], w.weights[j] = w.weights[j], w.weights[i]
}
