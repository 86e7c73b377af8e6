package biconnected

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// articulation counts what hangs on each vertex: below a child from which no edge leads above the vertex.
type articulation struct {
	*search
	yes        []bool
	components []int64
}

func init() {
	procedures.Register("articulation-points", func(f procedures.Input) (procedures.Procedure, error) {
		s, err := newSearch(f, algorithms.Column{Name: "articulation", Type: algorithms.Bool},
			algorithms.Column{Name: "components", Type: algorithms.Int})
		return &articulation{s, f.Columns["articulation"].Bools, f.Columns["components"].Ints}, err
	})
}

// Scratch is what the search takes.
func (a *articulation) Scratch() uint64 { return vertexBytes * uint64(a.N) }

func (a *articulation) Call(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) (uint64, error) {
	clear(a.components)
	a.leave = func(v uint32, parent *uint32) {
		if parent != nil {
			a.components[v]++ // that with its parent
			if a.low[v] >= a.rank[*parent] {
				a.components[*parent]++
			}
		}
		a.yes[v] = a.components[v] > 1
	}
	return a.run(ctx, chunks, tell)
}
