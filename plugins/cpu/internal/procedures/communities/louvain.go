package communities

import (
	"context"

	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// louvain merges communities as long as vertices of the merged network move. (Blondel et al. 2008.)
type louvain struct{ *run }

func init() {
	procedures.Register("louvain", func(f procedures.Input) (procedures.Procedure, error) {
		r, err := newRun("louvain", f)
		return louvain{r}, err
	})
}

// Call reports progress as if each level took half of what is left.
func (l louvain) Call(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) (uint64, error) {
	if err := l.begin(); err != nil {
		return 0, err
	}
	if err := l.read(ctx, chunks, procedures.Progress{From: 0, To: 0.1, Tell: tell}); err != nil {
		return 0, err
	}
	net, left, community := l.base, 0.8, make([]uint32, l.N)
	l.naming.begin(community)
	for level := uint64(0); !l.full(); level++ {
		moved, err := l.newMoving(net, community, level).move(ctx, l.Args.Ints["iterations"], l.Args.Floats["tolerance"])
		if err != nil {
			return 0, err
		}
		count := renumber(community)
		if !moved && count == net.vertices() {
			break
		}
		for v, u := range l.node {
			l.node[v] = community[u]
		}
		if err := l.level(ctx, l.node); err != nil {
			return 0, err
		}
		if net, err = l.merge(ctx, net, community, count); err != nil {
			return 0, err
		}
		community = community[:count]
		for v := range community {
			community[v] = uint32(v)
		}
		left /= 2
		tell(0.9 - left)
	}
	return csr.Entries(chunks), l.end(ctx, l.node, procedures.Progress{From: 0.9, To: 1, Tell: tell})
}
