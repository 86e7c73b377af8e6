package acyclic

import (
	"context"
	"math"
	"sync/atomic"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// longest has each vertex take the best that its in-neighbors make of its cost, which have all had theirs.
type longest struct {
	*rounds
	cost   []float64
	parent []int64
}

func init() {
	procedures.Register("longest-path", func(f procedures.Input) (procedures.Procedure, error) {
		r, err := newRounds(f, algorithms.Column{Name: "cost", Type: algorithms.Float},
			algorithms.Column{Name: "parent", Type: algorithms.VertexID})
		return &longest{r, f.Columns["cost"].Floats, f.Columns["parent"].Ints}, err
	})
}

func (l *longest) Call(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) (uint64, error) {
	var wrong atomic.Int64
	wrong.Store(-1)
	edges, err := l.run(ctx, chunks, tell, func(v uint32, _ int64) {
		if !l.take(v) {
			wrong.Store(int64(v))
		}
	}, func([]uint32, int) {})
	if v := wrong.Load(); v >= 0 {
		return 0, plugins.Errorf(plugins.KindInvalid,
			"an edge to vertex %d weighs no finite number; a longest path needs finite weights", l.ids[v])
	}
	return 2 * edges, err
}

// take finds the cost of v, unless a weight is not finite.
func (l *longest) take(v uint32) bool {
	l.cost[v], l.parent[v] = math.Inf(-1), algorithms.Unreached
	any := false
	for _, c := range l.in.Of(int(v)) {
		from, to := c.EdgeRange(int(v))
		for at := from; at < to; at++ {
			weight := 1.0
			if len(c.Weights) > 0 {
				weight = c.Weights[0][at]
			}
			if weight-weight != 0 {
				return false
			}
			u := uint32(c.Cols.Base) + c.Neighbors[at]
			cost, id := l.cost[u]+weight, l.ids[u]
			if cost > l.cost[v] || cost == l.cost[v] && id < l.parent[v] {
				l.cost[v], l.parent[v] = cost, id
			}
		}
		any = any || to > from
	}
	if !any {
		l.cost[v] = 0
	}
	return true
}
