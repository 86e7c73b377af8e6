// Package hits finds hubs and authorities. It takes no memory beside the result.
package hits

import (
	"context"
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// hits pulls along in-lists, and then along out-lists. (Kleinberg 1999.)
type hits struct {
	procedures.Input
	authority, hub []float64
}

func init() {
	procedures.Register("hits", func(f procedures.Input) (procedures.Procedure, error) {
		err := f.Columns.Require(algorithms.Column{Name: "authority", Type: algorithms.Float},
			algorithms.Column{Name: "hub", Type: algorithms.Float})
		return &hits{f, f.Columns["authority"].Floats, f.Columns["hub"].Floats}, err
	})
}

// Scratch is nothing.
func (h *hits) Scratch() uint64 { return 0 }

func (h *hits) Call(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) (uint64, error) {
	out, in := csr.Sides(h.Graph.Directed, chunks)
	for v := range h.hub {
		h.hub[v] = 1
	}
	iterations := h.Args.Ints["iterations"]
	for k := range iterations {
		if err := h.pull(ctx, in, h.authority, h.hub); err != nil {
			return 0, err
		}
		if err := h.pull(ctx, out, h.hub, h.authority); err != nil {
			return 0, err
		}
		tell(float64(k+1) / float64(iterations))
	}
	return uint64(iterations) * 2 * csr.Entries(chunks), nil
}

// pull sets each value to the sum of those of a vertex' list, and scales all to length 1. Squares are added up in
// order.
func (h *hits) pull(ctx context.Context, lists csr.Index, to, from []float64) error {
	err := h.Groups(ctx, nil, procedures.Progress{From: 1, To: 1}, func(_, first, end int, _ []*csr.Chunk) {
		for v := first; v < end; v++ {
			sum := 0.0
			for _, c := range lists.Of(v) {
				near := from[c.Cols.Base:c.ColsEnd()]
				for _, u := range c.List(v) {
					sum += near[u]
				}
			}
			to[v] = sum
		}
	})
	square := 0.0
	for _, x := range to {
		square += x * x
	}
	if length := math.Sqrt(square); length > 0 {
		for v := range to {
			to[v] /= length
		}
	}
	return err
}
