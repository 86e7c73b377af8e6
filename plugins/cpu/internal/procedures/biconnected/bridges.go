package biconnected

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// bridges finds vertices below which no edge leads higher than the vertex itself: the search came to them by a bridge.
// (Tarjan 1974.)
type bridges struct {
	waiting
	bridge, component []int64
}

func init() {
	procedures.Register("bridges", func(f procedures.Input) (procedures.Procedure, error) {
		s, err := newSearch(f, algorithms.Column{Name: "bridge", Type: algorithms.VertexID},
			algorithms.Column{Name: "component", Type: algorithms.VertexID})
		return &bridges{waiting: waiting{search: s}, bridge: f.Columns["bridge"].Ints, component: f.Columns["component"].Ints}, err
	})
}

func (b *bridges) Call(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) (uint64, error) {
	b.begin()
	b.leave = func(v uint32, parent *uint32) {
		b.bridge[v] = algorithms.Unreached
		b.done = append(b.done, v)
		if b.low[v] < b.rank[v] {
			return
		}
		if parent != nil {
			b.bridge[v] = b.ids[*parent]
		}
		some, name := b.since(b.rank[v])
		for _, u := range some {
			b.component[u] = name
		}
	}
	return b.run(ctx, chunks, tell)
}
