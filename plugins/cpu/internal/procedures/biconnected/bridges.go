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
	*search
	bridge, component []int64
	done              []uint32 // visited, in no component yet, not on the path
}

func init() {
	procedures.Register("bridges", func(f procedures.Input) (procedures.Procedure, error) {
		s, err := newSearch(f, algorithms.Column{Name: "bridge", Type: algorithms.VertexID},
			algorithms.Column{Name: "component", Type: algorithms.VertexID})
		return &bridges{search: s, bridge: f.Columns["bridge"].Ints, component: f.Columns["component"].Ints}, err
	})
}

// Scratch is what the search takes, and done.
func (b *bridges) Scratch() uint64 { return (vertexBytes + 4) * uint64(b.N) }

func (b *bridges) Call(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) (uint64, error) {
	b.done = make([]uint32, 0, b.N)
	b.leave = func(v uint32, parent *uint32) {
		b.bridge[v] = algorithms.Unreached
		b.done = append(b.done, v)
		if b.low[v] < b.rank[v] {
			return
		}
		if parent != nil {
			b.bridge[v] = b.ids[*parent]
		}
		b.close(b.rank[v])
	}
	return b.run(ctx, chunks, tell)
}

// close names the component of what is done from a rank on.
func (b *bridges) close(rank int32) {
	first, least := len(b.done), algorithms.Unreached
	for first > 0 && b.rank[b.done[first-1]] >= rank {
		first--
		least = min(least, b.ids[b.done[first]])
	}
	for _, v := range b.done[first:] {
		b.component[v] = least
	}
	b.done = b.done[:first]
}
