package lcc

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cpu/internal/lists"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures/triangles"
)

// streamed makes coefficients of what is counted block by block.
type streamed struct {
	*triangles.Streamed
	coefficient []float64
}

func init() {
	procedures.RegisterStreamed("lcc", func(f procedures.Input) (procedures.Streamed, error) {
		result := algorithms.Column{Name: "coefficient", Type: algorithms.Float}
		coefficient := f.Columns[result.Name].Floats
		s, err := triangles.NewStreamed(f, !f.Graph.Directed, true, result, asInts(coefficient))
		return streamed{s, coefficient}, err
	})
}

// Next makes the coefficients in the end.
func (s streamed) Next(ctx context.Context, b *lists.Batch) error {
	err := s.Streamed.Next(ctx, b)
	if s.Done() {
		for v, count := range s.Counts {
			s.coefficient[v] = density(count, s.Degrees[v])
		}
	}
	return err
}
