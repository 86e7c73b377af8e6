package similarity

import (
	"context"
	"slices"

	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/neighbors"
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
	if l.starts, err = neighbors.Starts(f, chunks); err != nil {
		return l, err
	}
	l.ends, l.neighbors = make([]uint64, f.N), make([]uint32, l.starts[f.N])
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
