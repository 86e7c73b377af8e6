package topological

import "math"

// gains tells whether what the first vertex of a cycle holds gets better each time that it goes
// round, along as many edges as there are vertices, or until numbers end.
func (o *order) gains(cycle []uint32) bool {
	weights := o.around(cycle)
	order := o.p.Acc.Order
	x := order.ToFloat(o.p.Acc.Keys[cycle[0]])
	for edges := 0; edges <= o.p.N; edges += len(cycle) {
		y := x
		for _, parallel := range weights {
			best := int64(math.MaxInt64)
			for _, w := range parallel {
				best = min(best, order.Float(o.Along(y, w)))
			}
			y = order.ToFloat(best)
		}
		if order.Float(y) >= order.Float(x) {
			return math.IsInf(x, 0) || o.Times && x == 0
		}
		x = y
	}
	return true
}

// around are the weights of the edges from each vertex of a cycle to the next.
func (o *order) around(cycle []uint32) [][]float64 {
	weights := make([][]float64, len(cycle))
	for i, v := range cycle {
		to := cycle[(i+1)%len(cycle)]
		for _, r := range o.search.Lists.Of(int(v)) {
			from, end := r.EdgeRange(int(v))
			for k := from; k < end; k++ {
				if uint32(r.Cols.Base)+r.Neighbors[k] != to {
					continue
				}
				weight := o.Same
				if o.weights >= 0 {
					weight = r.WeightsOf(o.weights)[k]
				}
				weights[i] = append(weights[i], weight)
			}
		}
	}
	return weights
}
