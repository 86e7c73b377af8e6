// Package ktruss finds the truss number of each vertex. It takes 36 bytes an edge and 16 a vertex.
package ktruss

import (
	"context"
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/neighbors"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// ktruss removes the edge of the fewest triangles, over and over. (Wang and Cheng 2012.) Workers count triangles side
// by side; one removes.
type ktruss struct {
	procedures.Input
	truss []int64
}

func init() {
	procedures.Register("k-truss", func(f procedures.Input) (procedures.Procedure, error) {
		if f.N > math.MaxInt32 || f.Graph.Edges > math.MaxInt32 {
			return nil, plugins.Errorf(plugins.KindUnsupported, "k-truss of %d vertices and %d edges: up to %d of each",
				f.N, f.Graph.Edges, math.MaxInt32)
		}
		err := f.Columns.Require(algorithms.Column{Name: "truss", Type: algorithms.Int})
		return &ktruss{Input: f, truss: f.Columns["truss"].Ints}, err
	})
}

// Scratch: lists of neighbors and of edges, and what is known of edges.
func (k *ktruss) Scratch() uint64 {
	return neighbors.Bytes(k.Graph) + 12*k.Graph.Edges + 4*uint64(k.N) + 4
}

func (k *ktruss) Call(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) (uint64, error) {
	n, err := neighbors.Read(ctx, k.Input, chunks, procedures.Progress{From: 0, To: 0.2, Tell: tell})
	if err != nil {
		return 0, err
	}
	p := newPeeling(n, k.N)
	err = k.Groups(ctx, nil, procedures.Progress{From: 0.2, To: 0.5, Tell: tell}, func(_, from, to int, _ []*csr.Chunk) {
		for v := from; v < to; v++ {
			p.count(uint32(v))
		}
	})
	if err != nil {
		return 0, err
	}
	p.sort()
	clear(k.truss)
	least := int32(0)
	for i := range p.order {
		if i%4096 == 0 {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			tell(0.5 + 0.5*float64(i)/float64(len(p.order)))
		}
		e := p.order[i]
		least = max(least, p.support[e])
		p.remove(e)
		for _, v := range n.Ends[e] {
			k.truss[v] = int64(least) + 2 // of an edge that comes later it is no less
		}
	}
	return 2 * csr.Entries(chunks), nil
}
