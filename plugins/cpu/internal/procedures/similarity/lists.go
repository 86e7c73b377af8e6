package similarity

import (
	"context"
	"slices"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// lists are of each vertex its neighbors, ascending, without loops and repetitions. There may be gaps between lists.
type lists struct {
	starts, ends []uint64
	neighbors    []uint32
}

func (l *lists) of(v uint32) []uint32 { return l.neighbors[l.starts[v]:l.ends[v]] }

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

// readLists joins what chunks have of each vertex.
func readLists(ctx context.Context, f procedures.Input, chunks []*csr.Chunk, part procedures.Progress) (l lists,
	err error) {
	l.starts, l.ends = make([]uint64, f.N+1), make([]uint64, f.N)
	for _, c := range chunks {
		for row := range len(c.Offsets) - 1 {
			l.starts[int(c.Rows.Base)+c.Local(row)+1] += uint64(c.Offsets[row+1] - c.Offsets[row])
		}
	}
	for v := range f.N {
		l.starts[v+1] += l.starts[v]
	}
	entries := l.starts[f.N]
	if entries > 2*f.Graph.Edges {
		return l, plugins.Errorf(plugins.KindInvalid, "lists have %d entries, more than %d edges have", entries, f.Graph.Edges)
	}
	l.neighbors = make([]uint32, entries)
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
