package communities

import (
	"context"
	"math"

	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// louvain merges communities as long as vertices of the merged network move. (Blondel et al. 2008.)
type louvain struct{ *run }

func init() {
	procedures.Register("louvain", func(f procedures.Input) (procedures.Procedure, error) {
		r, err := newRun(f)
		return louvain{r}, err
	})
}

// Call reports progress as if each level took half of what is left.
func (l louvain) Call(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) (uint64, error) {
	l.begin()
	if err := l.read(ctx, chunks, procedures.Progress{From: 0, To: 0.1, Tell: tell}); err != nil {
		return 0, err
	}
	net, left := l.base, 0.8
	for level := range l.levels() {
		community := make([]uint32, net.vertices())
		for v := range community {
			community[v] = uint32(v)
		}
		moved, err := l.newMoving(net, community, uint64(level)).move(ctx, l.Args.Ints["iterations"], l.Args.Floats["tolerance"])
		if err != nil {
			return 0, err
		}
		if !moved {
			break
		}
		count := renumber(community)
		for v, u := range l.node {
			l.node[v] = community[u]
		}
		if net, err = l.merge(ctx, net, community, count); err != nil {
			return 0, err
		}
		left /= 2
		tell(0.9 - left)
	}
	l.names()
	return csr.Entries(chunks), l.shares(ctx, procedures.Progress{From: 0.9, To: 1, Tell: tell})
}

// levels is how many there may be.
func (r *run) levels() int64 {
	if levels, bounded := r.Args.Ints["levels"]; bounded {
		return levels
	}
	return math.MaxInt64
}
