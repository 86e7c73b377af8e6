package acyclic

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// sort writes the order and the levels.
type sort struct {
	*rounds
	position, level []int64
}

func init() {
	procedures.Register("topological-sort", func(f procedures.Input) (procedures.Procedure, error) {
		r, err := newRounds(f, algorithms.Column{Name: "position", Type: algorithms.Int},
			algorithms.Column{Name: "level", Type: algorithms.Int})
		return &sort{r, f.Columns["position"].Ints, f.Columns["level"].Ints}, err
	})
}

func (s *sort) Call(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) (uint64, error) {
	return s.run(ctx, chunks, tell, func(v uint32, level int64) { s.level[v] = level },
		func(some []uint32, first int) {
			for i, v := range some {
				s.position[v] = int64(first + i)
			}
		})
}
