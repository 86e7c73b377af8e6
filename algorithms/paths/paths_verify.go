package paths

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
)

// verify checks a result of paths of any length by what defines it: no edge improves a
// value, and every value is that of a real path: from the source, along edges u→v with
// value(v) = extend(value(u), weight), all reached vertices can be visited.
func (r pathRule) verify(g *algorithms.Graph, args algorithms.Args, result []algorithms.Values) error {
	column, err := answer.Sole(g, result, algorithms.Float)
	if err != nil {
		return err
	}
	source, err := argument.Start(g, args)
	if err != nil {
		return err
	}
	value := column.Floats
	if value[source] != r.start {
		return answer.WrongAt(g, source, "the source has %v, not %v", value[source], r.start)
	}
	tight, err := r.trace(g, args, source, value)
	if err != nil {
		return err
	}
	for v := range value {
		if !tight[v] && value[v] != r.unreached {
			return answer.WrongAt(g, v, "%v, but no path from the source has that value", value[v])
		}
	}
	return nil
}

// trace visits the vertices whose value a real path has, and fails at an edge that would
// improve a value.
func (r pathRule) trace(g *algorithms.Graph, args algorithms.Args, source int, value []float64) ([]bool, error) {
	tight := make([]bool, g.N())
	tight[source] = true
	weights := g.Out.Weights(args.Strings["weight"])
	for stack := []int{source}; len(stack) > 0; {
		u := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for k := g.Out.Offsets[u]; k < g.Out.Offsets[u+1]; k++ {
			v := g.Out.Neighbors[k]
			along := r.extend(value[u], weights[k])
			if value[v] != along && !r.better(value[v], along) {
				return nil, answer.WrongAt(g, int(v), "%v, but the path by vertex %d has %v", value[v], g.IDs[u], along)
			}
			if value[v] == along && !tight[v] {
				tight[v] = true
				stack = append(stack, int(v))
			}
		}
	}
	return tight, nil
}

// verifyWalks is verify, or a comparison with the oracle where the walks are bounded by the
// parameter iterations: no local property tells a walk of k edges from one of k+1.
func (r pathRule) verifyWalks(g *algorithms.Graph, args algorithms.Args, result []algorithms.Values,
	oracle answer.Oracle) error {
	if _, bounded := args.Ints["iterations"]; !bounded {
		return r.verify(g, args, result)
	}
	got, err := answer.Sole(g, result, algorithms.Float)
	if err != nil {
		return err
	}
	want, err := oracle(g, args)
	if err != nil {
		return err
	}
	return answer.Matches(g, got, want[0])
}
